"""Which runs belong to a statement: found in the papers' folders, never registered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, final

from bounds.errors import MalformedStatement, Misuse
from bounds.language.statement import Statement
from verify import papers
from verify.cell import Cell
from verify.matching.certified import Requirement
from verify.matching.measurement import Measurement
from verify.matching.privacy import Target


class NotRun(Misuse):
    """A statement about which nothing can be run."""


def _no_private_cells(statement: Statement, target: Target) -> tuple[Cell, ...]:
    return ()


def _no_exclusions(statement: Statement) -> Mapping[str, str]:
    return {}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """How statements about one algorithm are run. A file `runs*` of a paper names its own `RUNS`.

    `cells` are those of a form of a statement; `requirements` are on what a cell says of its problem, and
    `measure` runs it. `excluded` gives the standard roles that have no cell, each with the reason; `fills`
    gives for a role of the paper's own the standard role that its cell fills. `private_cells` keep a privacy
    target; what they release is counted from their `settings`. `in_fractions`: on a problem with exact data a
    run is exact, in rationals whose digits grow with it.
    """

    algorithm: str
    statements: tuple[str, ...]
    cells: Callable[[Statement], tuple[Cell, ...]]
    measure: Callable[[Statement, Cell, int, int, str], Measurement]
    requirements: Callable[[Statement, Cell], list[Requirement]]
    settings: Callable[[Statement, Cell], Any] | None = None
    private_cells: Callable[[Statement, Target], tuple[Cell, ...]] = _no_private_cells
    excluded: Callable[[Statement], Mapping[str, str]] = _no_exclusions
    fills: Mapping[str, str] = field(default_factory=dict, hash=False)
    in_fractions: bool = False


@cache
def all_runs() -> tuple[Runs, ...]:
    """Every RUNS of every paper, in the order of papers and files."""
    return tuple(module.RUNS for module in papers.modules("runs") if hasattr(module, "RUNS"))


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

    A file of the paper comes first; else they follow from what the statement declares.
    """
    from verify.matching.declared import declared_runs  # which makes Runs

    written = _by_statement().get(statement.id)
    return declared_runs(statement) if written is None else written


def get_runs(statement: Statement) -> Runs:
    """The runs of a statement that has a cell."""
    runs = find_runs(statement)
    if runs is None:
        raise NotRun(f"{statement.id} has no cells: nothing is run for it")
    return runs
