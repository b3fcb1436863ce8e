"""Which runs belong to a statement: found in the papers' folders, never registered."""

from functools import cache

from bounds.discovery import origin_of
from bounds.errors import MalformedStatement, Misuse
from bounds.language.statement import Statement
from verify.matching.declared import declared_runs
from verify.matching.in_place import require_as_written, runs_in_place
from verify.matching.run_settings import missing_setting
from verify.matching.runs import Runs
from verify.paper_modules import modules


class NotRun(Misuse):
    """A statement about which nothing can be run."""


@cache
def all_runs() -> tuple[Runs, ...]:
    """Every RUNS of every paper, in the order of papers and files."""
    return tuple(module.RUNS for module in modules("runs") if hasattr(module, "RUNS"))


@cache
def _by_statement() -> dict[str, Runs]:
    found: dict[str, Runs] = {}
    for runs in all_runs():
        for identity in runs.statements:
            if identity in found:
                raise MalformedStatement(f"{identity} is run by two files, for {runs.algorithm}")
            found[identity] = runs
    return found


def find_runs(statement: Statement) -> Runs | None:
    """The runs of a statement, in any of its forms; None where nothing is run for it.

    A file of the paper comes first; else they follow from what the statement declares. Of a paper's statement
    that was adopted with another algorithm or problem, and does not declare enough, the file serves too.
    """
    written = written_runs(statement)
    if written is None or statement.id in written.statements:
        return written or declared_runs(statement)
    declared = declared_runs(statement)
    if declared is None or missing_setting(statement) is not None:
        return runs_in_place(statement, written)
    return require_as_written(declared, statement, written)


def written_runs(statement: Statement) -> Runs | None:
    """The runs in a file of the paper that the statement comes from."""
    return _by_statement().get(origin_of(statement.id))


def get_runs(statement: Statement) -> Runs:
    """The runs of a statement that has a cell."""
    runs = find_runs(statement)
    if runs is None:
        raise NotRun(f"{statement.id} has no cells: nothing is run for it")
    return runs
