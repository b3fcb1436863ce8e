"""A record again, in one process or several: what calls an author's code costs no other entry its result."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from verify.campaign.campaign import refused
from verify.objects.check import Property
from verify.progress import Progress, silent
from verify.records import record
from verify.workers import watched
from verify.workers.processes import Processes, Task


def replay(
    data: Mapping[str, Any], progress: Progress = silent, workers: int = 1
) -> tuple[record.Replayed, ...]:
    """As `record.replay`, in so many processes; those of an author's entries are watched."""

    def carry_out(function: Callable[..., Any], tasks: Iterable[Task]) -> Iterator[tuple[int, Any]]:
        ours, theirs = list[Task](), list[Task]()
        for task in tasks:
            (theirs if _is_theirs(task[1][0]) else ours).append(task)
        yield from Processes(workers).carry_out(function, ours)
        if theirs:
            yield from watched.carry_out(function, theirs, workers, failed=_ended)

    return record.replay(data, progress, carry_out)


def _is_theirs(recorded: Mapping[str, Any]) -> bool:
    return watched.is_theirs(recorded["id"], recorded.get("algorithm"), recorded.get("problem"))


def _ended(why: Exception, recorded: Mapping[str, Any], is_property: bool) -> record.Replayed:
    job = (
        Property(statement=recorded["id"], variant=recorded["variant"])
        if is_property
        else record.cell_of(recorded)
    )
    names = ("seed", "trials") if is_property else ("level", "seed", "replicates")
    again = refused(why, job, {name: recorded[name] for name in names})
    return record.compared(recorded, is_property, again)
