"""The sections of all statements, in their order; with workers they are made side by side."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

from bounds.language.statement import Statement
from reports.page.section import Recorded, Wanted, installed
from verify.progress import Progress

Plain = dict[str, Any]


def sections(
    statements: Sequence[Statement],
    recorded: Callable[[str], Recorded],
    wanted: Wanted,
    *,
    workers: int,
    progress: Progress,
) -> list[Plain]:
    if workers > 1:
        composed = _side_by_side([(s.id, recorded(s.id), wanted) for s in statements], workers, progress)
        return _distinguish_titles(composed)
    out = []
    for done, statement in enumerate(statements):
        progress(done, len(statements), statement.id)
        out.append(installed(statement, recorded(statement.id), wanted))
    progress(len(statements), len(statements), "done")
    return _distinguish_titles(out)


def _distinguish_titles(sections_of_report: list[Plain]) -> list[Plain]:
    """A title that several statements of a paper have is followed by what their ids do not share."""
    titles = Counter((section["paper"]["key"], section["title"]) for section in sections_of_report)
    return [
        section | {"title": f"{section['title']} ({section['id'].rpartition('.')[2]})"}
        if titles[section["paper"]["key"], section["title"]] > 1
        else section
        for section in sections_of_report
    ]


Task = tuple[str, Recorded, Wanted]


def _side_by_side(tasks: Sequence[Task], workers: int, progress: Progress) -> list[Plain]:
    from verify.workers.processes import ONE_THREAD, pool_of, submitted

    os.environ.update(ONE_THREAD)  # before the workers load what would read it
    pool = pool_of(workers)
    waiting, composed = iter(enumerate(tasks)), dict[int, Plain]()
    running: dict[Future[Plain], int] = {}
    try:
        while True:
            # No more tasks than workers: on Ctrl-C none is left waiting.
            while len(running) < workers and (task := next(waiting, None)) is not None:
                running[submitted(pool, _section, task[1])] = task[0]
            if not running:
                return [composed[number] for number in range(len(tasks))]
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                number = running.pop(future)
                composed[number] = future.result()
                progress(len(composed), len(tasks), tasks[number][0])
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _section(task: Task) -> Plain:
    import bounds

    identity, recorded, wanted = task
    return installed(bounds.get(identity), recorded, wanted)
