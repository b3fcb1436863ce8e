"""Many cells and properties: what a store knows is read, the rest is run somewhere and stored here."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from verify.campaign import store
from verify.cell import Cell
from verify.environment import environment
from verify.objects.check import TRIALS, Property, refused_property, run_property
from verify.progress import Progress, silent
from verify.records import record
from verify.runs.check import refused_cell, run_cell
from verify.statistics.error_level import per_cell
from verify.workers import watched
from verify.workers.place import Place
from verify.workers.processes import Processes, Task

Job = Cell | Property
HERE = Processes()


def judge(job: Job, run: Mapping[str, Any]) -> dict[str, Any]:
    """What a record keeps of a cell or of a property."""
    return run_property(job, **run) if isinstance(job, Property) else record.entry(run_cell(job, **run))


def refused(why: Exception, job: Job, run: Mapping[str, Any]) -> dict[str, Any]:
    """The same of a job that an author's mistake has ended: it costs no other job its result."""
    reason = str(why)
    if isinstance(why, MemoryError):
        reason = f"it needs more memory than there is ({why})"
    elif isinstance(why, BrokenProcessPool):
        reason = "its process was ended from outside, as if memory had run out"
    if isinstance(job, Property):
        return refused_property(job, reason, **run)
    return record.entry(refused_cell(job, reason, **run))


def run_campaign(
    jobs: Sequence[Job],
    results: "store.Store | None",
    *,
    level: float,
    seed: int,
    replicates: int,
    trials: int = TRIALS,
    place: Place = HERE,
    progress: Progress = silent,
) -> list[dict[str, Any]]:
    """Results in the order of the jobs, whatever the order in which they were run.

    The level is shared by the cells: nothing random decides a property, once its cases are drawn.
    """
    own = _shared(level, jobs)
    of_cell = {"level": own, "seed": seed, "replicates": replicates}
    runs = [{"seed": seed, "trials": trials} if isinstance(j, Property) else of_cell for j in jobs]
    names = [] if results is None else _keys(jobs, runs)
    done: dict[int, dict[str, Any]] = {}
    for number, name in enumerate(names):
        found = results.get(name, jobs[number], runs[number]) if results is not None else None
        if found is not None:
            done[number] = found
    todo = [(n, (job, runs[n])) for n, job in enumerate(jobs) if n not in done]
    for number, result in _carried_out(todo, place):
        done[number] = result
        if results is not None:
            results.put(names[number], result)
        progress(len(done), len(jobs), _label(jobs[number]))
    return [done[number] for number in range(len(jobs))]


def _carried_out(todo: Sequence[Task], place: Place) -> Iterator[tuple[int, dict[str, Any]]]:
    """What calls an author's code is watched here; a cluster has its own way to lose a worker."""
    if not isinstance(place, Processes):
        yield from place.carry_out(judge, todo)
        return
    own = [task for task in todo if _is_outside(task[1][0])]
    yield from place.carry_out(judge, [task for task in todo if task not in own])
    if own:
        yield from watched.carry_out(judge, own, place.workers, failed=refused)


def _is_outside(job: Job) -> bool:
    names = (job.algorithm, job.problem) if isinstance(job, Cell) else ()
    return watched.is_theirs(job.statement, *names)


def _keys(jobs: Sequence[Job], runs: Sequence[Mapping[str, Any]]) -> list[str]:
    here = environment()
    return [store.key(job, here, **run) for job, run in zip(jobs, runs, strict=True)]


def _shared(level: float, jobs: Sequence[Job]) -> float:
    return per_cell(level, max(1, sum(isinstance(job, Cell) for job in jobs)))


def _label(job: Job) -> str:
    return f"{job.statement}: {job.role if isinstance(job, Cell) else 'tried on objects'}"
