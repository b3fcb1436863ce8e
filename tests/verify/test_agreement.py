"""What came out again agrees with what is on file: to the bit or within the stated rounding."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bounds
from synthetic.engine import arithmetic, disturbance, plan, recorded_plan
from synthetic.engine.plan import Plan
from synthetic.engine.tensors import TensorNumbers
from verify.objects.check import Property, run_property
from verify.records import record
from verify.records.agreement import SAME_SIZE, compare
from verify.records.consistency import compare_whole
from verify.runs.check import run_cell, standard_cells

ROOT = Path(__file__).resolve().parents[2]
Entry = dict[str, Any]


@pytest.fixture(scope="module")
def cell() -> Entry:
    """A sampled cell of a clipped run."""
    found = next(c for c in standard_cells([bounds.get("dp_fedavg.theorem_2")]) if c.role == "heterogeneous")
    return record.entry(run_cell(found, level=1e-4, seed=1, replicates=128))


@pytest.fixture(scope="module")
def tried() -> Entry:
    return run_property(Property(statement="fed_norm_ec.lemma_7.c3", variant="printed"), seed=1, trials=1)


def moved(entry: Entry, key: str, name: str, amount: float) -> Entry:
    copy: Entry = json.loads(json.dumps(entry))
    copy[key][name] += amount
    return copy


def test_equal_bits_agree_without_a_word_on_rounding(cell: Entry, tried: Entry) -> None:
    for entry in (cell, tried):
        found = compare(entry, json.loads(json.dumps(entry)))
        assert (found.agrees, found.sentence) == (True, "agrees")


@pytest.mark.parametrize(
    ("key", "name", "amounts"),
    [
        ("measured", "estimate", ("estimate",)),
        ("measured", "upper", ("ends",)),
        ("excess", "estimate", ("estimate", "bound")),
        ("excess", "upper", ("ends", "bound")),
        ("bound", "value", ("bound",)),
    ],
)
def test_a_number_may_differ_by_its_rounding_and_a_forged_one_just_outside_may_not(
    cell: Entry, key: str, name: str, amounts: tuple[str, ...]
) -> None:
    allowed = sum(cell["rounding"][a] for a in amounts)
    assert 0 < allowed < 1e-7 * abs(cell[key][name]), "a rounding and not an effect"
    inside = compare(cell, moved(cell, key, name, 0.9 * allowed))
    assert inside.agrees
    assert inside.sentence.startswith("agrees within rounding (largest: ")
    assert inside.largest == pytest.approx(0.9 * allowed, rel=0.2)
    for factor in (1.5, -1.5, 1e6):
        outside = compare(cell, moved(cell, key, name, factor * allowed))
        assert outside.unlike == (key,)


def test_a_record_cannot_widen_its_own_tolerance(cell: Entry) -> None:
    for factor in (100.0, 1e-3, float("nan")):
        wide = {name: factor * amount for name, amount in cell["rounding"].items()}
        forged = moved(cell, "measured", "estimate", 50 * cell["rounding"]["estimate"]) | {"rounding": wide}
        assert "measured" in compare(cell, forged).unlike
    for broken in ({}, [], 1.0, True, {"estimate": 1.0}, cell["rounding"] | {"more": 1.0}):
        assert not compare(cell, cell | {"rounding": broken}).agrees


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "violated"},
        {"certified": True},
        {"certified": 0},  # to Python the same as false
        {"seed": 2},
        {"role": "homogeneous"},
        {"sentence": "all is well"},
        {"note": "checked"},
        {"method": "made up"},
        {"digest": "0" * 16},
        {"ratio": 0.5},
        {"replicates": 129},
    ],
)
def test_everything_else_is_equal_or_differs(cell: Entry, change: Entry) -> None:
    within = moved(cell, "measured", "estimate", 0.5 * cell["rounding"]["estimate"])
    assert compare(cell, within).agrees
    assert compare(cell, within | change).unlike == tuple(change)


def test_the_numbers_of_a_sentence_are_compared_too(cell: Entry) -> None:
    first = f"{cell['measured']['estimate']:.6g}"
    assert first in cell["sentence"]
    last = first[:-1] + (str(int(first[-1]) - 1) if first[-1] != "0" else "1")
    far = cell["sentence"].replace(first, f"{float(first) * 1.001:.6g}")
    near = {"sentence": cell["sentence"].replace(first, last)}
    assert compare(cell, cell | near).unlike == ("sentence",)  # of the same numbers the words are the same
    assert compare(
        cell, moved(cell, "measured", "estimate", 0.5 * cell["rounding"]["estimate"]) | near
    ).agrees
    assert compare(cell, cell | {"sentence": far}).unlike == ("sentence",)


def test_a_record_from_before_agrees_up_to_the_share_of_that_time(cell: Entry) -> None:
    before = {key: value for key, value in cell.items() if key != "rounding"}
    near = moved(before, "measured", "estimate", 5e-10 * before["measured"]["estimate"])
    far = moved(before, "measured", "estimate", 2e-9 * before["measured"]["estimate"])
    assert compare(cell, near).agrees
    assert compare(cell, far).unlike == ("measured",)


def test_without_a_known_rounding_only_the_same_bits_agree(cell: Entry) -> None:
    unknown = cell | {"rounding": None}
    assert compare(unknown, dict(unknown)).agrees
    upper = unknown["measured"]["upper"]
    next_one = float(np.nextafter(upper, np.inf)) - upper
    assert compare(unknown, moved(unknown, "measured", "upper", next_one)).unlike == ("measured",)


def test_an_exact_cell_has_no_rounding_in_what_it_measured() -> None:
    first = standard_cells([bounds.get("textbook.gradient_descent_convex")])[0]
    entry = record.entry(run_cell(first, level=1e-4, seed=1, replicates=64))
    assert (entry["rounding"]["estimate"], entry["rounding"]["ends"]) == (0.0, 0.0)
    assert not compare(entry, moved(entry, "measured", "estimate", 1e-16 + 1e-15 * entry["ratio"])).agrees


def test_the_sides_of_a_lemma_may_differ_by_their_rounding(tried: Entry) -> None:
    allowed = tried["rounding"]["sides"]
    assert compare(tried, moved(tried, "worst", "left", 0.9 * allowed)).agrees
    assert compare(tried, moved(tried, "worst", "left", 1.5 * allowed)).unlike == ("worst",)
    assert compare(tried, moved(tried, "worst", "excess", -1.5 * allowed)).unlike == ("worst",)


def test_another_case_that_comes_as_near_is_no_difference_if_it_is_drawn(tried: Entry) -> None:
    other = json.loads(json.dumps(tried))
    other["worst"]["family"] = "another family"
    assert compare(tried, other, lambda _: True).agrees
    assert compare(tried, other, lambda _: False).unlike == ("worst",)
    other["worst"]["left"] *= 1.01  # its ratio and its excess are not those of its sides
    assert compare(tried, other, lambda _: True).unlike == ("worst",)


def test_a_product_is_moved_by_no_more_than_its_scaled_rounding() -> None:
    random = np.random.default_rng(1)
    rows, matrix = random.standard_normal((16, 7)), random.standard_normal((7, 3))
    plain = arithmetic.stacked_product(rows, matrix)
    with disturbance.disturbed():
        shifted = arithmetic.stacked_product(rows, matrix)
    limit = disturbance.SCALE * disturbance.UNIT * 7 * (np.abs(rows) @ np.abs(matrix))
    assert np.all(np.abs(shifted - plain) <= limit * (1 + 1e-12))
    assert np.max(np.abs(shifted - plain) / limit) > 0.5
    assert np.array_equal(arithmetic.stacked_product(rows, matrix), plain), "outside nothing is moved"


def test_another_backend_agrees_within_rounding(
    cell: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    recorded_plan.record(Plan(backend="torch"))
    used = []
    monkeypatch.setattr(plan, "TensorNumbers", lambda **given: used.append(1) or TensorNumbers(**given))
    (again,) = record.replay({"cells": [cell]})
    assert again.agrees, again.sentence
    assert used, "the other backend was not used"


KERNELS = ("Haswell", "Nehalem")
CODE = """
import json, sys, threadpoolctl, numpy
kernels = [i.get("architecture") for i in threadpoolctl.threadpool_info() if i["internal_api"] == "openblas"]
import bounds
from verify.records import record
from verify.runs.check import run_cell, standard_cells
cells = standard_cells([bounds.get("dp_fedavg.theorem_2"), bounds.get("dp_fedavg.theorem_4")])[:10]
entries = [record.entry(run_cell(c, level=1e-6, seed=1, replicates=256)) for c in cells]
json.dump([kernels, entries], sys.stdout)
"""


@pytest.fixture(scope="module")
def under() -> Callable[[str], list[Entry]]:
    def run(kernel: str) -> list[Entry]:
        done = subprocess.run(
            [sys.executable, "-c", CODE],
            env=os.environ | {"OPENBLAS_CORETYPE": kernel, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        used, entries = json.loads(done.stdout)
        if kernel not in used:
            pytest.skip(f"numpy's BLAS has no kernel {kernel} here, but {used}")
        found: list[Entry] = entries
        return found

    return run


@pytest.mark.slow("runs cells under another kernel; forged numbers are caught in the first tier")
def test_other_kernels_agree_within_rounding_and_not_to_the_bit(under: Callable[[str], list[Entry]]) -> None:
    first, second = (under(kernel) for kernel in KERNELS)
    found = [compare(again, kept) for again, kept in zip(second, first, strict=True)]
    assert all(agreement.agrees for agreement in found), [agreement.sentence for agreement in found]
    assert any(agreement.largest > 0 for agreement in found), "the two kernels round alike: nothing is tested"
    assert all(
        1 / SAME_SIZE < one["rounding"]["estimate"] / other["rounding"]["estimate"] < SAME_SIZE
        for one, other in zip(first, second, strict=True)
        if one["rounding"] is not None and one["measured"]["exact"] is None and other["rounding"]["estimate"]
    )


def test_a_part_has_no_more_entries_than_its_parent(tried: Entry) -> None:
    data = record.document([tried], level=1e-3, seed=1)
    for properties, agrees in ((1, True), (0, False)):
        parent = {"digest": "0" * 64, "cells": 0, "properties": properties}
        whole = compare_whole(data | {"part_of": parent}, [tried])
        assert whole.agrees is agrees, whole.sentence
