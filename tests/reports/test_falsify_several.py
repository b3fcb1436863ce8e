"""Many statements searched in one command: the same verdicts, one error level, a witness each."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.cli import several_searches
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
    ],
)
def test_misuse_is_one_sentence(fedbounds: Fedbounds, words: list[str], said: str) -> None:
    done = fedbounds("falsify", *words)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1
