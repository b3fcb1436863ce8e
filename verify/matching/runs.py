"""How statements are run: the noun that a file `runs*` of a paper, ours or an author's, names `RUNS`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

from bounds.language.statement import Statement
from synthetic.problem import Problem
from verify.cell import Cell
from verify.matching.cells import standard
from verify.matching.cells.required import requirements
from verify.matching.confined import Confined, confine_nothing
from verify.matching.constants.certified import Requirement
from verify.matching.measurements import observed
from verify.matching.measurements.measurement import Certificates, Measurement, Sampled
from verify.matching.privacy import Target
from verify.matching.run_settings import settings_of


def _no_private_cells(statement: Statement, target: Target) -> tuple[Cell, ...]:
    return ()


def _no_exclusions(statement: Statement) -> Mapping[str, str]:
    return {}


def certify_nothing(statement: Statement, cell: Cell) -> Certificates:
    return Certificates()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """The cells of statements about one algorithm, and how they are measured.

    Cells, requirements, settings and measurements follow from what the statements declare, if they are not
    given. `cells` are those of a form of a statement; `requirements` are on what a cell says of its problem;
    `settings` are those of its run, which `observe` makes. `certified` is what is known of every sample
    before the run. `excluded` gives the standard roles that have no cell, each with the reason; `fills` gives
    for a role of the paper's own the standard role that its cell fills. `private_cells` keep a privacy
    target; what they release is counted from their `settings`. `in_fractions`: on a problem with exact data a
    run is exact, in rationals whose digits grow with it. `confined` says of a problem, a start and
    given quantities where a run stays, for a statement that asks something at its iterates only.
    """

    algorithm: str
    statements: tuple[str, ...]
    cells: Callable[[Statement], tuple[Cell, ...]] = standard.cells
    requirements: Callable[[Statement, Cell], list[Requirement]] = requirements
    settings: Callable[[Statement, Cell], Any] | None = settings_of
    observe: Callable[[Statement, Cell, Any, int, int, str], Measurement] = observed.measure
    certified: Callable[[Statement, Cell], Certificates] = certify_nothing
    confined: Callable[[Statement, Problem, Sequence[Any], Mapping[str, Any]], Confined | None] = (
        confine_nothing
    )
    private_cells: Callable[[Statement, Target], tuple[Cell, ...]] = _no_private_cells
    excluded: Callable[[Statement], Mapping[str, str]] = _no_exclusions
    fills: Mapping[str, str] = field(default_factory=dict, hash=False)
    in_fractions: bool = False

    @property
    def has_standard_cells(self) -> bool:
        """Whether the cells follow from the declarations alone."""
        return self.cells is standard.cells

    def measure(
        self, statement: Statement, cell: Cell, replicates: int, seed: int, stream: str
    ) -> Measurement:
        """What the cell's run shows, with what is certified of its samples."""
        given = None if self.settings is None else self.settings(statement, cell)
        found = self.observe(statement, cell, given, replicates, seed, stream)
        if not isinstance(found, Sampled):
            return found
        return replace(found, **self.certified(statement, cell))
