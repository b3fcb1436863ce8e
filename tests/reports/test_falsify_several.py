"""Many statements searched in one command: the same verdicts, one error level, a witness each."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.verbs import several_searches
from verify.falsify.confirm import LEVEL

Fedbounds = Callable[..., Any]
TRUE, FALSE = "textbook.gradient_descent_convex", "als_dpfl.lemma_2"
FEW = ("--evaluations", "40")


def test_each_is_searched_and_its_witness_replays(fedbounds: Fedbounds, tmp_path: Path) -> None:
    out = tmp_path / "witnesses"
    done = fedbounds("falsify", TRUE, FALSE, *FEW, "--out", out)
    assert done.code == 1
    assert "1 of 2 searched statements are refuted" in done.out
    assert [file.name for file in out.iterdir()] == [f"{FALSE}.printed.json"]
    assert fedbounds("replay", out / f"{FALSE}.printed.json").code == 0
    assert fedbounds("falsify", TRUE, "textbook.gradient_descent_nonconvex", *FEW).code == 0


def test_each_agrees_with_its_own_search(fedbounds: Fedbounds) -> None:
    together = fedbounds("falsify", TRUE, FALSE, *FEW, "--json").json["results"]
    for found in together:
        alone = fedbounds("falsify", found["id"], *FEW, "--json").json
        different = {key for key in found if found[key] != alone[key]} - {"seconds"}
        assert different <= {"reason"}, found["id"]


def test_the_level_is_shared(monkeypatch: pytest.MonkeyPatch, fedbounds: Fedbounds) -> None:
    levels = []

    def seen(identity: str, variant: str, budget: Any, level: float) -> Any:
        levels.append(level)
        return json.loads(
            json.dumps(
                {"id": identity, "searched": True, "refuted": False, "witness": None}
                | {"variant": variant, "sentence": ""}
            )
        )

    monkeypatch.setattr(several_searches, "searched", seen)
    fedbounds("falsify", TRUE, FALSE, *FEW)
    assert levels == [LEVEL / 2] * 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "needs the id of a statement"),
        ([TRUE, "no.such"], "no.such"),
        ([TRUE, FALSE, "--workers", "0"], "--workers"),
        ([TRUE, FALSE, "--on", "mars"], "no place is named mars"),
        ([TRUE, FALSE, "--evaluations", "0"], "--evaluations"),
        ([TRUE, FALSE, "--out", "x.json"], "cannot write x.json: several searches have a folder"),
    ],
)
def test_misuse_is_one_sentence(fedbounds: Fedbounds, words: list[str], said: str) -> None:
    done = fedbounds("falsify", *words)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1


STUDY = """
statements = ["textbook.gradient_descent_convex", "als_dpfl.lemma_2"]
variants = ["printed"]
[search]
seconds = 1
seconds_of_runs = 1
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    file = tmp_path / "search.toml"
    file.write_text(STUDY)
    return file


def test_a_study_keeps_its_rows_and_goes_on_from_them(
    fedbounds: Fedbounds, study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    first = fedbounds("falsify", "--study", study, "--out", out, "--json")
    rows = {row["id"]: row for row in first.json["rows"]}
    assert (first.code, rows[FALSE]["refuted"], rows[TRUE]["refuted"]) == (1, True, False)
    assert fedbounds("replay", out / f"{FALSE}.printed.json").code == 0

    def searched(*_: Any, **__: Any) -> None:
        raise AssertionError("searched again")

    monkeypatch.setattr("verify.falsify.attempts_table.falsify_statement", searched)
    again = fedbounds("falsify", "--study", study, "--out", out)
    assert (again.code, "1 of 2 searched statements are refuted" in again.out) == (1, True)

    # One row is lost: only that form is searched again, and what raises there is named.
    kept = [line for line in (out / "falsify.jsonl").read_text().splitlines() if TRUE in line]
    (out / "falsify.jsonl").write_text("\n".join(kept) + "\n")
    broken = fedbounds("falsify", "--study", study, "--out", out)
    assert (broken.code, "searched again" in broken.out) == (3, True)
    assert f"{FALSE} (printed) was not searched to its end" in " ".join(broken.out.split())


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        ([TRUE], STUDY, "an ID cannot go with --study"),
        (["--seconds", "3"], STUDY, "--seconds cannot go with --study"),
        ([], STUDY + "minutes = 3", "no minutes"),
        ([], STUDY.replace("seconds = 1", "seconds = -1"), "seconds must be a number > 0"),
        ([], STUDY.replace("[search]", "[parameters]"), "no parameters here"),
        ([], "[search]", "names no statement"),
        ([], "search = 3", "under a line [search]"),
    ],
)
def test_misuse_of_a_study_is_one_sentence(
    fedbounds: Fedbounds, study: Path, tmp_path: Path, words: list[str], text: str, said: str
) -> None:
    study.write_text(text)
    done = fedbounds("falsify", *words, "--study", study, "--out", tmp_path / "out")
    assert (done.code, said in done.err, len(done.err.strip().splitlines())) == (2, True, 1), done.err
    assert not (tmp_path / "out").exists()


def test_each_verb_refuses_the_other_ones_study(fedbounds: Fedbounds, study: Path) -> None:
    assert "--study needs --out" in fedbounds("falsify", "--study", study).err
    done = fedbounds("verify", "--study", study)
    assert (done.code, "fedbounds falsify --study runs it" in done.err) == (2, True)
