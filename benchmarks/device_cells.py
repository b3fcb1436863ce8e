"""The standard cells on a device: judged by numpy, then judged again under a plan of torch, and compared.

It is what `replay` does with a record on a machine whose recorded plan names the device; here it is done for
every cell, in several processes that share the device.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import bounds
from synthetic import Plan
from synthetic.engine import recorded_plan
from verify.cell import Cell
from verify.records import record
from verify.runs.check import LEVEL, QUICK_REPLICATES, REPLICATES, SEED, forms, run_cell, standard_cells
from verify.statistics.error_level import per_cell

DIFFER = "differ"
SOME = ("dp_fedavg.theorem_2",)


def verification(device: str, *, quick: bool, workers: int, seconds: float) -> tuple[list[str], list[str]]:
    """As many cells as begin within `seconds`, in an order without meaning."""
    statements = [bounds.get(name) for name in SOME] if quick else list(bounds.statements())
    cells = list(standard_cells(forms(statements)))
    level, replicates = per_cell(LEVEL, len(cells)), QUICK_REPLICATES if quick else REPLICATES
    random.Random(0).shuffle(cells)
    with TemporaryDirectory() as folder:
        with _plans_in(Path(folder)):
            recorded_plan.record(Plan(backend="torch", device=device))
        twice = partial(_judged_twice, Path(folder), level, replicates, time.time() + seconds)
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            found = [outcome for outcome in pool.map(twice, cells) if outcome is not None]
    counts = Counter(how for how, _, _, _ in found)
    told = ", ".join(f"{count} {how}" for how, count in counts.most_common())
    by_numpy, on_device = (sum(outcome[place] for outcome in found) for place in (2, 3))
    said = (
        f"verification: {len(found)} of {len(cells)} standard cells: {told}; {by_numpy:.0f} s by numpy and "
        f"{on_device:.0f} s on the device, summed over {workers} processes"
    )
    failures = [sentence for how, sentence, _, _ in found if how == DIFFER]
    if len(found) < len(cells):
        failures.append(f"only {len(found)} of {len(cells)} cells began within {seconds:g} s")
    return [said], failures


def _judged_twice(
    folder: Path, level: float, replicates: int, latest: float, cell: Cell
) -> tuple[str, str, float, float] | None:
    """How the two compare, in a word and in a sentence, and the seconds of numpy and of the device."""
    if time.time() > latest:
        return None
    start = time.perf_counter()
    with _plans_in(folder / "none"):
        entry = record.entry(run_cell(cell, level=level, seed=SEED, replicates=replicates))
    between = time.perf_counter()
    with _plans_in(folder):
        (found,) = record.replay({"cells": [entry]})
    how = DIFFER if not found.agrees else "agree within rounding" if found.largest else "agree"
    return how, found.sentence, between - start, time.perf_counter() - between


@contextmanager
def _plans_in(folder: Path) -> Iterator[None]:
    """Runs take the plan that is recorded in this folder, or the default where none is."""
    before = os.environ.get("XDG_CONFIG_HOME")
    os.environ["XDG_CONFIG_HOME"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["XDG_CONFIG_HOME"]
        else:
            os.environ["XDG_CONFIG_HOME"] = before
