"""How statements about one algorithm are run: the noun that a file `runs*` of a paper names `RUNS`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

from bounds.language.statement import Statement
from verify.cell import Cell
from verify.matching.certified import Requirement
from verify.matching.measurement import Measurement
from verify.matching.privacy import Target


def _no_private_cells(statement: Statement, target: Target) -> tuple[Cell, ...]:
    return ()


def _no_exclusions(statement: Statement) -> Mapping[str, str]:
    return {}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """The cells of statements about one algorithm, and how they are measured.

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
