"""The sections of all statements, in their order; with workers they are made side by side."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from bounds.statement import Statement
from reports.page.section import Recorded, Wanted, installed

Plain = dict[str, Any]
Progress = Callable[[int, int, str], None]


def sections(
    statements: Sequence[Statement],
    recorded: Callable[[str], Recorded],
    wanted: Wanted,
    *,
    workers: int,
    progress: Progress,
) -> list[Plain]:
    if workers > 1:
        return _side_by_side([(s.id, recorded(s.id), wanted) for s in statements], workers, progress)
    out = []
    for done, statement in enumerate(statements):
        progress(done, len(statements), statement.id)
        out.append(installed(statement, recorded(statement.id), wanted))
    progress(len(statements), len(statements), "done")
    return out


Task = tuple[str, Recorded, Wanted]


def _side_by_side(tasks: Sequence[Task], workers: int, progress: Progress) -> list[Plain]:
    from verify.campaign import ONE_THREAD

    os.environ.update(ONE_THREAD)  # before the workers load what would read it
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        running = {pool.submit(_section, task): number for number, task in enumerate(tasks)}
        made: dict[int, Plain] = {}
        for future in as_completed(running):
            number = running[future]
            made[number] = future.result()
            progress(len(made), len(tasks), tasks[number][0])
        return [made[number] for number in range(len(tasks))]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _section(task: Task) -> Plain:
    import bounds

    identity, recorded, wanted = task
    return installed(bounds.get(identity), recorded, wanted)
