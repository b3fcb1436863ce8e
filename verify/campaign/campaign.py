"""Many cells and properties: what a store knows is read, the rest is run and stored, on several cores."""

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from verify.campaign import store
from verify.cell import Cell
from verify.objects.check import TRIALS, Property, run_property
from verify.progress import Progress, silent
from verify.records import record
from verify.runs.check import run_cell
from verify.statistics.error_level import per_cell

# One thread each: several workers with several threads fight over the cores.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

Job = Cell | Property


def judge(job: Job, run: Mapping[str, Any]) -> dict[str, Any]:
    """What a record keeps of a cell or of a property."""
    return run_property(job, **run) if isinstance(job, Property) else record.entry(run_cell(job, **run))


def run_campaign(
    jobs: Sequence[Job],
    kept: "store.Store | None",
    *,
    level: float,
    seed: int,
    replicates: int,
    trials: int = TRIALS,
    workers: int = 1,
    progress: Progress = silent,
) -> list[dict[str, Any]]:
    """Results in the order of the jobs, whatever the order in which they were run.

    The level is shared by the cells: nothing random decides a property, once its cases are drawn.
    """
    own = _shared(level, jobs)
    of_cell = {"level": own, "seed": seed, "replicates": replicates}
    runs = [{"seed": seed, "trials": trials} if isinstance(j, Property) else of_cell for j in jobs]
    names = [] if kept is None else _keys(jobs, runs)
    done: dict[int, dict[str, Any]] = {}
    for number, name in enumerate(names):
        found = kept.get(name) if kept is not None else None
        if found is not None:
            done[number] = found
    todo = [(n, (job, runs[n])) for n, job in enumerate(jobs) if n not in done]
    for number, result in _results(todo, workers):
        done[number] = result
        if kept is not None:
            kept.put(names[number], result)
        progress(len(done), len(jobs), _label(jobs[number]))
    return [done[number] for number in range(len(jobs))]


def _keys(jobs: Sequence[Job], runs: Sequence[Mapping[str, Any]]) -> list[str]:
    environment = record.environment()
    return [store.key(job, environment, **run) for job, run in zip(jobs, runs, strict=True)]


def _shared(level: float, jobs: Sequence[Job]) -> float:
    return per_cell(level, max(1, sum(isinstance(job, Cell) for job in jobs)))


def _label(job: Job) -> str:
    return f"{job.statement}: {job.role if isinstance(job, Cell) else 'tried on objects'}"


Task = tuple[int, tuple[Job, Mapping[str, Any]]]


def _results(todo: Sequence[Task], workers: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each result as soon as it is there, so that nothing finished waits in memory to be stored."""
    if workers == 1 or len(todo) < 2:
        for number, arguments in todo:
            yield number, judge(*arguments)
        return
    with _environment(ONE_THREAD), pool_of(workers) as pool:
        running: dict[Future[dict[str, Any]], int] = {}
        waiting = iter(todo)
        try:
            while True:
                # No more than the workers can take: on Ctrl-C nothing is left to be run.
                while len(running) < workers and (task := next(waiting, None)) is not None:
                    with interrupts_held():
                        running[pool.submit(judge, *task[1])] = task[0]
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def pool_of(workers: int) -> ProcessPoolExecutor:
    """Fresh processes, which end without a word on Ctrl-C: what is to be said of it, the parent says."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_end_on_interrupt)


def _end_on_interrupt() -> None:
    # who ignores interrupts has told its children to do so too
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def interrupts_held() -> Iterator[None]:
    """A worker that starts here inherits it, and so hears of Ctrl-C when it knows what to do then."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
