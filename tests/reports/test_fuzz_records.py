"""Records with one field changed: agreement only if nothing that counts was changed, else one sentence.

`FEDBOUNDS_FUZZ=2000 python -m pytest tests/reports/test_fuzz_records.py` tries 2000 changes of each record.
"""

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import bounds
from verify.json_numbers import SMALLEST
from verify.objects.check import Property, run_property
from verify.records import record
from verify.records.agreement import SAME_SIZE
from verify.runs.check import run_cell, standard_cells

Fedbounds = Callable[..., Any]
Place = tuple[str | int, ...]

TRIED = int(os.environ.get("FEDBOUNDS_FUZZ", "40"))
FEW = 12
SECONDS = 20.0
REMOVED = object()
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**31, 10**12, 10**40, 10**400, 0.5, -0.0, 1e-320, 1e308, -1e308),
    *("", "NaN", "inf", "1e999", "0", "1/0", "-1/3", "9" * 3000 + "/7", "os.system('x')", "\x00", "\ud800"),
    *([], {}, [[]], [None], [1.0] * 200, {"a": {"a": {"a": 1}}}, ["1/2"], [True], [1e308, -1e308], REMOVED),
)
# Where a record says what made it: nothing that a replay could compare.
UNCOMPARED = ("environment",)


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    if place:
        yield place
    if isinstance(value, dict):
        for key, inside in value.items():
            yield from places(inside, (*place, key))
    elif isinstance(value, list):
        for number, inside in enumerate(value):
            yield from places(inside, (*place, number))


def changed(data: Any, place: Place, value: Any) -> tuple[Any, Any]:
    """A copy with another value there, and the value before."""
    copy = json.loads(json.dumps(data))
    inside = copy
    for step in place[:-1]:
        inside = inside[step]
    before = inside[place[-1]]
    if value is REMOVED:
        del inside[place[-1]]
    else:
        inside[place[-1]] = value
    return copy, before


def mutations(data: Any, seed: int, tried: int) -> Iterator[tuple[Place, Any]]:
    """Every place equally often, with values of all sorts, near ones and new keys among them."""
    chance, every = random.Random(seed), list(places(data))
    chance.shuffle(every)
    for number in range(tried):
        place = every[number % len(every)]
        inside = data
        for step in place:
            inside = inside[step]
        near = []
        if isinstance(inside, int | float) and not isinstance(inside, bool):
            near = [inside + 1, -inside, inside * 1000, inside * (1 + 1e-7), str(inside), [inside]]
        elif isinstance(inside, str):
            near = [inside + " ", inside.upper(), inside[:-1], [inside]]
        elif isinstance(inside, list) and inside:
            near = [inside[1:], [*inside, inside[0]], inside * 50, [inside]]
        elif isinstance(inside, dict):
            near = [inside | {"new": 1}, list(inside.items()), inside | {"new": {"deep": [[[[]]]]}}]
        yield place, chance.choice([*VALUES, *near, *near, *near])


def small(identity: str, role: str) -> dict[str, Any]:
    cell = next(c for c in standard_cells([bounds.get(identity)]) if c.role.startswith(role))
    entries = [record.entry(run_cell(cell, level=1e-3, seed=1, replicates=64))]
    return record.document(entries, level=1e-3, seed=1)


def of_property(identity: str) -> dict[str, Any]:
    entry = run_property(Property(statement=identity, variant="printed"), seed=1, trials=1)
    return record.document([entry], level=1e-3, seed=1)


RECORDS: dict[str, Callable[[], dict[str, Any]]] = {
    "clipped run": lambda: small("dp_fedavg.theorem_2", "heterogeneous"),
    "normalized run": lambda: small("fed_norm_ec.theorem_1.main", "heterogeneous"),
    "private run": lambda: small("dp_fedavg.theorem_4", "private"),
    "noisy run": lambda: small("als_dpfl.theorem_1.distance", "strong noise"),
    "exact moments": lambda: small("fedavg_lojasiewicz.theorem_f2", "heterogeneous"),
    "exact run": lambda: small("textbook.gradient_descent_convex", ""),
    "exact step": lambda: small("fed_norm_ec.lemma_1", ""),
    "sampled run": lambda: small("textbook.stochastic_gradient_descent", ""),
    "lemma": lambda: of_property("fed_norm_ec.lemma_7.c3"),
}


def is_equivalent(place: Place, before: Any, value: Any, *, cells: bool, exact: bool) -> bool:
    """The same value, as a number of the other type too where JSON has one type only."""
    if place[0] in UNCOMPARED and (isinstance(value, str | dict) or place[-1] in ("kernel", "plan")):
        return True
    if place == ("error_level",) and not cells:  # nothing shares it
        return True
    if value is REMOVED and place[-1] in ("properties", "rounding"):  # records from before had neither
        return before == [] or place[-1] == "rounding"
    if place[-1] == "replicates":  # what is computed exactly makes none
        return exact
    if "rounding" in place and isinstance(value, float) and isinstance(before, float):
        return before / SAME_SIZE <= value <= before * SAME_SIZE
    if value is REMOVED or isinstance(before, bool) or isinstance(value, bool):
        return value is before
    if isinstance(value, float) and isinstance(before, float) and abs(value - before) < SMALLEST:
        return True
    return bool(value == before)


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    "tried", [FEW, pytest.param(TRIED, marks=pytest.mark.slow("more changes; the first few are in tier one"))]
)
@pytest.mark.parametrize("name", RECORDS)
def test_a_changed_field_is_found_or_refused_in_one_sentence(
    fedbounds: Fedbounds, tmp_path: Path, name: str, tried: int
) -> None:
    data, file, wrong = RECORDS[name](), tmp_path / "record.json", list[str]()
    file.write_text(json.dumps(data))
    kinds = {"cells": bool(data["cells"]), "exact": any(cell["measured"]["exact"] for cell in data["cells"])}
    assert fedbounds("replay", file).code == 0
    for place, value in mutations(json.loads(file.read_text()), seed=len(name), tried=tried):
        copy, before = changed(data, place, value)
        file.write_text(json.dumps(copy))
        began = time.monotonic()
        done = fedbounds("replay", file)
        took = time.monotonic() - began
        shown = "removed" if value is REMOVED else json.dumps(value)[:60]
        what = f"{'.'.join(map(str, place))}: {json.dumps(before)[:40]} -> {shown}: code {done.code}"
        if done.code not in (0, 1, 2) or took > SECONDS:
            wrong.append(f"{what} after {took:.1f} s: {done.err[-300:]}")
        elif done.code == 0 and not is_equivalent(place, before, value, **kinds):
            wrong.append(f"{what}: it still agrees")
        elif done.code == 2 and not (done.out == "" and done.err.splitlines()[-1].startswith("fedbounds: ")):
            wrong.append(f"{what}: {done.err[-300:]}")
    assert not wrong, "\n".join(wrong)


def test_numbers_that_leave_the_range_are_a_difference_and_no_warning(
    fedbounds: Fedbounds, tmp_path: Path
) -> None:
    data, file = RECORDS["noisy run"](), tmp_path / "record.json"
    start = data["cells"][0]["engine"]["start"]
    for last, code in ((start[-1], 0), (-1e308, 1)):
        data["cells"][0]["engine"]["start"] = [*start[:-1], last]
        file.write_text(json.dumps(data))
        done = fedbounds("replay", file)
        assert (done.code, "Warning" in done.err) == (code, False), done
