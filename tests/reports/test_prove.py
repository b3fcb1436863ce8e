"""`fedbounds prove`, and `replay` of a certificate: exit codes, the document, and files that were changed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.given import write
from verify.proofs.store import FOLDER, STEPS

Fedbounds = Callable[..., Any]
SGD = "textbook.stochastic_gradient_descent"


def test_a_proved_statement_exits_with_0_and_shows_every_claim(fedbounds: Fedbounds) -> None:
    done = fedbounds("prove", "dp_fedavg.lemma_1")
    assert done.code == 0
    assert done.out.startswith("dp_fedavg.lemma_1: proved\n")
    assert "Steps with a certificate, by the rule that it uses: " in done.out
    assert "B.lem1.eq88" in done.out
    assert "Steps that claim nothing: 1\n  B.lem1.u1" in done.out


def test_json_has_the_standing_the_steps_and_the_certificate(fedbounds: Fedbounds) -> None:
    document = fedbounds("prove", SGD, "--json").json
    assert (document["id"], document["variant"], document["standing"]) == (SGD, "printed", "proved")
    assert {"locator": "T.sgd.s1", "status": "certified"}.items() <= document["steps"][5].items()
    assert {step["status"] for step in document["steps"]} == {"certified"}
    assert document["certificate"]["schema"] == "fedbounds/proof/1"


def test_a_refuted_step_exits_with_1_although_the_theorem_is_proved(fedbounds: Fedbounds) -> None:
    done = fedbounds("prove", "dp_fedavg.theorem_2")
    assert done.code == 1
    assert done.out.startswith("dp_fedavg.theorem_2: proved\n")
    listed = done.out.partition("Steps that a counterexample refutes: 2\n")[2].partition("\n\n")[0]
    assert "B.thm5.eq23" in listed
    assert "The conclusion has a certificate" in done.out


def test_what_is_given_is_printed_to_be_read_against_the_listing(fedbounds: Fedbounds) -> None:
    words = ("prove", "fed_norm_ec.lemma_2", "--variant", "amended")
    given = {(one["source"], one["sentence"]) for one in fedbounds(*words, "--json").json["given"]}
    assert ("sequence", "j over k: first 0, next j + 1, last K + 1") in given
    independent = "independent clients: root.M^2 E[||z.mean||^2] - i[E[||z||^2]] = 0"
    assert ("unbiased noise of bounded variance", independent) in given
    assert "Taken as given, and to be read against the listing" in fedbounds(*words).out
    assert fedbounds("prove", "als_dpfl.lemma_1.convex", "--json").json["given"] == []


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (["*", ["*", "2", "eta"], ["-", "1", "b"]], "2 eta (1 - b)"),
        (["-", ["-", "a", "b"], ["+", "c", ["*", "-1", "d"]]], "a - b - (c - d)"),
        (["/", ["+", "a", "1"], ["*", "2", "L"]], "(a + 1)/(2 L)"),
        (["^", ["-", "x"], 2], "(-x)^2"),
        (["over", "E", ["inner", {"u": "1", "v": ["*", "-1", "eta"]}, {}]], "E[<u - eta v, 0>]"),
        (["*", "1", "1"], "1"),
    ],
)
def test_a_formula_is_written_with_the_parentheses_that_it_needs(formula: Any, text: str) -> None:
    assert write(formula) == text


def test_open_steps_exit_with_3(fedbounds: Fedbounds) -> None:
    done = fedbounds("prove", "als_dpfl.lemma_1.convex", "--json")
    assert done.code == 3
    assert done.json["standing"] == "unchecked"
    assert done.json["certificate"] is None
    assert {step["status"] for step in done.json["steps"]} == {"prose"}
    assert "open" in {s["status"] for s in fedbounds("prove", "dp_fedavg.theorem_3", "--json").json["steps"]}


def test_a_refuted_statement_is_not_proved(fedbounds: Fedbounds) -> None:
    document = fedbounds("prove", "dp_fedavg.lemma_3", "--json").json
    assert document["standing"] == "refuted"
    assert fedbounds("prove", "dp_fedavg.lemma_3", "--variant", "amended").code == 0


@pytest.mark.parametrize("words", [("dp_fedavg.lemma_99",), (SGD, "--variant", "mended"), (SGD, "--out", "")])
def test_misuse_exits_with_2(misuse: Callable[..., str], words: tuple[str, ...]) -> None:
    assert misuse("prove", *words)


def test_a_certificate_replays_and_a_changed_one_does_not(fedbounds: Fedbounds, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    assert fedbounds("prove", SGD, "--out", file).code == 0
    assert fedbounds("replay", file).code == 0
    document = json.loads(file.read_text())
    for change in (
        lambda d: d | {"id": "textbook.gradient_descent_convex"},
        lambda d: d | {"id": None},
        lambda d: d | {"given": []},
        lambda d: d | {"steps": d["steps"][:-1]},
        lambda d: {"schema": d["schema"]},
        lambda d: d | {"steps": "__import__('os')"},
    ):
        file.write_text(json.dumps(change(document)))
        done = fedbounds("replay", file, "--json")
        assert (done.code, done.json["agrees"]) == (1, False)


def test_steps_alone_replay_and_are_not_called_a_proof(fedbounds: Fedbounds) -> None:
    file = STEPS / "fed_norm_ec.lemma_8.json"
    for path, concludes in ((file, False), (FOLDER / f"{SGD}.json", True)):
        done = fedbounds("replay", path, "--json")
        assert (done.code, done.json["agrees"], done.json["concludes"]) == (0, True, concludes)
    assert "these printed steps are certified again; they do not reach the" in fedbounds("replay", file).out


def test_no_file_is_written_for_what_is_not_proved(fedbounds: Fedbounds, tmp_path: Path) -> None:
    assert fedbounds("prove", "als_dpfl.lemma_1.convex", "--out", tmp_path / "proof.json").code == 3
    assert not (tmp_path / "proof.json").exists()
