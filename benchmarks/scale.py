"""What carrying out many cells costs beside the cells themselves.

    python benchmarks/scale.py [--cells 2000] [--replicates 2048] [--tasks 100000] [--on local] [--workers 2]

Cells are those of a study of a textbook statement, with the replicates that a study takes when its file
names none; tasks add two numbers. It prints a table. Times are of this run, on a machine that others may
use too; what is compared is within the run.
"""

import argparse
import resource
import time
from collections.abc import Iterator
from datetime import date
from typing import Any

from machine import machine

import bounds
from verify.campaign.campaign import judge
from verify.cell import Cell
from verify.study.study import Study, cells_of
from verify.workers.place import Place, place_named

LEVEL = 1e-6


def timed(cell: Cell, replicates: int) -> dict[str, float]:
    """At the worker: the seconds of the cell alone, and the memory of the process."""
    began = time.perf_counter()
    judge(cell, {"level": LEVEL, "seed": 1, "replicates": replicates})
    return {"seconds": time.perf_counter() - began, "memory": _memory()}


def added(one: int, other: int) -> int:
    return one + other


def _memory() -> float:
    """Largest resident set of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cells(count: int) -> tuple[Cell, ...]:
    study = Study(
        statements=(bounds.get("textbook.stochastic_gradient_descent"),),
        parameters=([{"sigma": (1 + n) / count} for n in range(count)],),
        roles=("homogeneous",),
    )
    return cells_of(study)


def of_cells(count: int, replicates: int, place: Place, workers: int) -> str:
    jobs, began = cells(count), time.perf_counter()
    own, memory, first = 0.0, 0.0, None
    for _, found in place.carry_out(timed, ((n, (job, replicates)) for n, job in enumerate(jobs))):
        if first is None:  # starting the workers is not scheduling
            first = time.perf_counter()
            continue
        own += found["seconds"]
        memory = max(memory, found["memory"])
    assert first is not None
    wall = time.perf_counter() - first
    overhead = workers * wall / own - 1
    return (
        f"| {len(jobs):,} cells | {first - began:.1f} | {1000 * own / (len(jobs) - 1):.1f} ms | {wall:.1f} | "
        f"{100 * overhead:.1f} % | {memory:.0f} | {_memory():.0f} |"
    )


def of_tasks(count: int, place: Place) -> str:
    def tasks() -> Iterator[tuple[int, tuple[Any, ...]]]:
        yield from ((n, (n, 1)) for n in range(count))

    results = place.carry_out(added, tasks())
    assert next(results) == (0, 1)
    began, done = time.perf_counter(), 1
    for number, found in results:
        assert found == number + 1
        done += 1
    wall = time.perf_counter() - began
    assert done == count
    return f"{count:,} tasks that add two numbers: {1000 * wall / count:.2f} ms each ({wall:.0f} s)."


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cells", type=int, default=2000)
    parser.add_argument("--replicates", type=int, default=Study(statements=()).replicates)
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--on", default="local")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    place, on = place_named(asked.on, asked.workers), machine()
    print(
        f"### {date.today()}, `--on {asked.on} --workers {asked.workers} --replicates {asked.replicates}`, "
        f"{on['cores']} cores, {on['cpu']}\n"
    )
    print("| | start, s | one cell | wall, s | beside the cells | worker, MiB | here, MiB |")
    print("|---|---|---|---|---|---|---|")
    for count in (asked.cells // 10, asked.cells):
        print(of_cells(count, asked.replicates, place, asked.workers), flush=True)
    print(f"\n{of_tasks(asked.tasks, place)}")


if __name__ == "__main__":
    main()
