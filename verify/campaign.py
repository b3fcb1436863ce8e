"""Many cells: those that a store knows are read from it, the others are run and stored, on several cores."""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from verify import record, store
from verify.cell import Cell
from verify.level import per_cell
from verify.run import Progress, run_cell

# One thread each: several workers with several threads fight over the cores.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def judge_cell(cell: Cell, level: float, seed: int, replicates: int) -> dict[str, Any]:
    """What a record keeps of a cell."""
    return record.entry(run_cell(cell, level=level, seed=seed, replicates=replicates))


def run_campaign(
    cells: Sequence[Cell],
    kept: "store.Store | None",
    *,
    level: float,
    seed: int,
    replicates: int,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Results in the order of the cells, whatever the order in which they were run."""
    own, environment = per_cell(level, len(cells)), record.environment()
    names = [store.key(c, environment, level=own, seed=seed, replicates=replicates) for c in cells]
    done: dict[int, dict[str, Any]] = {}
    for number, name in enumerate(names):
        found = kept.get(name) if kept is not None else None
        if found is not None:
            done[number] = found
    todo = [(n, (cell, own, seed, replicates)) for n, cell in enumerate(cells) if n not in done]
    for number, result in _results(todo, workers):
        done[number] = result
        if kept is not None:
            kept.put(names[number], result)
        if progress is not None:
            cell = cells[number]
            progress(len(done), len(cells), f"{cell.statement}: {cell.role}")
    return [done[number] for number in range(len(cells))]


Task = tuple[int, tuple[Cell, float, int, int]]


def _results(todo: Sequence[Task], workers: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each result as soon as it is there, so that nothing finished waits in memory to be stored."""
    if workers == 1 or len(todo) < 2:
        for number, arguments in todo:
            yield number, judge_cell(*arguments)
        return
    with _environment(ONE_THREAD), ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        running: dict[Future[dict[str, Any]], int] = {}
        waiting = iter(todo)
        try:
            while True:
                # No more than the workers can take: on Ctrl-C nothing is left to be run.
                while len(running) < workers and (task := next(waiting, None)) is not None:
                    running[pool.submit(judge_cell, *task[1])] = task[0]
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
