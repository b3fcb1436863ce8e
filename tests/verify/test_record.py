"""Records: written whole, read without executing anything, replayed to the same numbers."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from verify import record
from verify.record import CannotWrite, NotARecord
from verify.run import NothingToRun, check, verify


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    results = verify(
        ["textbook.stochastic_gradient_descent", "textbook.gradient_descent_convex"], seed=3, quick=True
    )
    return record.document([record.entry(r) for r in results], level=1e-3, seed=3)


def test_round_trip_and_replay_agree(data: dict[str, Any], tmp_path: Path) -> None:
    path = record.write(data, tmp_path / "new" / "out")
    again = record.read(path)
    assert again == json.loads(json.dumps(data))
    assert record.read(path.parent) == again
    replayed = record.replay(again)
    assert len(replayed) == len(data["cells"])
    assert all(r.agrees for r in replayed), [r.sentence for r in replayed]
    assert [p.name for p in path.parent.iterdir()] == ["record.json"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("verdict", "violated"),
        ("seed", 4),
        ("bound", {"value": 1.0, "terms": {}}),
        ("ratio", 99.0),
        ("sentence", "all is well"),
        ("method", "made up"),
        ("certified", False),
    ],
)
def test_a_tampered_record_does_not_agree(data: dict[str, Any], key: str, value: object) -> None:
    copy = json.loads(json.dumps(data))
    sampled = next(c for c in copy["cells"] if "sphere" in c["role"])
    sampled[key] = value
    copy["cells"] = [sampled]
    assert [r.agrees for r in record.replay(copy)] == [False]


def test_same_seed_same_numbers_other_seed_others() -> None:
    def estimate(seed: int) -> float:
        results = check(
            "textbook.stochastic_gradient_descent", problem="quadratic.small", seed=seed, quick=True
        )
        assert results[0].measured is not None
        return results[0].measured.estimate

    assert estimate(1) == estimate(1) != estimate(2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"schema": "other/1"}',
        '{"schema": "fedbounds/record/1", "cells": []}',
        '{"schema": "fedbounds/record/1", "cells": 3}',
    ],
)
def test_what_is_not_a_record_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(text)
    with pytest.raises(NotARecord):
        record.read(path)


@pytest.mark.parametrize(
    "change",
    [
        {"problem": "os.system"},
        {"problem_arguments": {"clients": "__import__('os').getcwd()"}},
        {"engine": {}},
        {"algorithm": "../x"},
        {"algorithm": "dpfl"},
        {"problem_arguments": {"clients": 10**9}},
        {"replicates": 10**9},
        {"id": "no.such.statement"},
        {"parameters": {"K": "many"}},
    ],
)
def test_a_malformed_cell_is_refused_and_nothing_is_executed(
    data: dict[str, Any], change: dict[str, Any]
) -> None:
    copy = json.loads(json.dumps(data))
    sampled = next(c for c in copy["cells"] if "sphere" in c["role"])
    copy["cells"] = [sampled | change]
    with pytest.raises(ValueError, match=r"."):
        record.replay(copy)


def test_missing_file_and_unwritable_place(data: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(NotARecord):
        record.read(tmp_path / "none.json")
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(CannotWrite):
        record.write(data, blocked / "below")


def test_a_failed_write_leaves_the_old_record(
    data: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = record.write(data, tmp_path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(CannotWrite, match="No space left"):
        record.write(data | {"seed": 99}, tmp_path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["record.json"]


def test_non_finite_numbers_become_null_with_a_reason() -> None:
    shown = record.finite({"a": float("inf"), "b": [float("nan")], "c": {"d": 1.0}})
    assert shown == {"a": None, "reason": "a is inf", "b": [None], "c": {"d": 1.0}}


def test_nothing_to_run_is_said() -> None:
    with pytest.raises(NothingToRun):
        verify(["als_dpfl.h.main"])
