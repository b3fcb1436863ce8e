"""`falsify`: exit codes, the document, the witness file and its replay, misuse."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Fedbounds = Callable[..., Any]

FALSE, TRUE, WORDS = "dp_fedavg.lemma_3", "dp_fedavg.fact_2", "fed_norm_ec.claims.p1"


@pytest.fixture
def witness(fedbounds: Fedbounds, tmp_path: Path) -> Path:
    file = tmp_path / "witness.json"
    done = fedbounds("falsify", FALSE, "--evaluations", 200, "--out", file, "--json")
    assert done.code == 1
    assert done.json["refuted"]
    assert done.json["witness"] == json.loads(file.read_text(encoding="utf-8"))
    assert done.json["left"] > done.json["right"] > 0
    assert done.json["ratio"] == pytest.approx(done.json["left"] / done.json["right"])
    return file


def test_a_witness_is_written_and_replayed(fedbounds: Fedbounds, witness: Path) -> None:
    done = fedbounds("replay", witness)
    assert done.code == 0
    assert "agrees" in done.out
    again = fedbounds("replay", witness, "--json")
    assert (again.code, again.json["agrees"], again.json["refuted"]) == (0, True, True)
    assert again.json["id"] == FALSE


def test_a_witness_that_was_changed_differs(fedbounds: Fedbounds, witness: Path) -> None:
    data = json.loads(witness.read_text(encoding="utf-8"))
    witness.write_text(json.dumps(data | {"left": data["left"] * 2}), encoding="utf-8")
    done = fedbounds("replay", witness)
    assert done.code == 1
    assert "DIFFERS" in done.out
    witness.write_text(json.dumps(data | {"instance": {"kind": "tale"}}), encoding="utf-8")
    done = fedbounds("replay", witness)
    assert done.code == 2
    assert "no known kind" in done.err


def test_a_witness_outside_the_cube_or_of_an_infinity_is_2(fedbounds: Fedbounds, witness: Path) -> None:
    data = json.loads(witness.read_text(encoding="utf-8"))
    coordinates = [-1.0, *data["instance"]["coordinates"][1:]]
    outside = data | {"instance": data["instance"] | {"coordinates": coordinates}}
    infinite = json.dumps(data | {"left": float("inf")}).replace("Infinity", "1e999")
    for text, told in ((json.dumps(outside), "not between 0 and 1"), (infinite, "holds 1e999")):
        witness.write_text(text, encoding="utf-8")
        done = fedbounds("replay", witness)
        assert done.code == 2
        assert told in done.err
        assert len(done.err.strip().splitlines()) == 1


def test_finding_nothing_is_said_with_what_was_tried(fedbounds: Fedbounds, tmp_path: Path) -> None:
    file = tmp_path / "none.json"
    done = fedbounds("falsify", TRUE, "--evaluations", 150, "--out", file, "--json")
    assert done.code == 0
    found = done.json
    assert (found["refuted"], found["witness"], found["searched"]) == (False, None, True)
    assert found["evaluations"] >= 150
    assert len(found["families"]) > 5
    assert 0 < found["ratio"] <= 1 + 1e-12
    assert not file.exists()
    text = " ".join(fedbounds("falsify", TRUE, "--evaluations", 150, "--out", file).out.split())
    assert "not refuted" in text
    assert "is not written" in text


def test_a_claim_in_words_is_not_searched(fedbounds: Fedbounds) -> None:
    done = fedbounds("falsify", WORDS, "--json")
    assert (done.code, done.json["searched"]) == (3, False)
    assert done.json["sentence"]
    assert "not searched" in fedbounds("falsify", WORDS).out


def test_a_cap_on_seconds_is_told(fedbounds: Fedbounds) -> None:
    done = fedbounds("falsify", TRUE, "--evaluations", 10**6, "--seconds", 0.2, "--json")
    assert (done.code, done.json["cut"]) == (0, True)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--evaluations", 0], "--evaluations must be"),
        (["--evaluations", 10**23], "--evaluations must be"),
        (["--seconds", 0], "--seconds must be"),
        (["--seconds", "nan"], "--seconds must be"),
        (["--seed", -1], "--seed must be"),
        (["--variant", "other"], "has no variant other"),
        (["--out", "."], "it is a folder"),
    ],
)
def test_misuse(fedbounds: Fedbounds, words: list[Any], why: str) -> None:
    done = fedbounds("falsify", TRUE, *words)
    assert (done.code, done.out) == (2, "")
    assert why in done.err
    assert fedbounds("falsify", "dp_fedavg.lemma_33").code == 2


@pytest.fixture
def a_file(tmp_path: Path) -> Path:
    (tmp_path / "ok.csv").write_text("L\n1\n")
    return tmp_path / "ok.csv"


def test_a_place_that_cannot_be_is_refused_before_the_search(
    fedbounds: Fedbounds, a_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def searched(*_: Any, **__: Any) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr("verify.falsify.falsify", searched)
    done = fedbounds("falsify", FALSE, "--out", a_file / "x.json")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"fedbounds: cannot write {a_file / 'x.json'}: {a_file} is no folder\n"


def test_a_verdict_is_told_even_if_its_witness_cannot_be_written(
    fedbounds: Fedbounds, a_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.verbs.falsify._check_file", lambda _: None)  # the place went meanwhile
    asked = ("falsify", FALSE, "--evaluations", 200, "--out", a_file / "x.json")
    told = fedbounds(*asked)
    assert (told.code, f"{FALSE}: refuted" in told.out, "witness:" in told.out) == (2, True, False)
    assert "is no folder" in told.err
    again = fedbounds(*asked, "--json")
    assert (again.code, again.json["refuted"]) == (2, True)
