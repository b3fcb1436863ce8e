"""The runs that a paper has of its own algorithm, with another algorithm in its place, or on another problem.

Cells, requirements and settings are the paper's. What is certified of its own algorithm, such as a second
moment, is not taken for certain of another one: observables are measured on that, as they declare.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

import numpy as np

from bounds.discovery import origin_of
from bounds.errors import Misuse
from bounds.language.statement import Statement
from synthetic.run import runnable
from verify.cell import NAMED, Cell, revived
from verify.matching.cells_elsewhere import moved_to
from verify.matching.constants.certified import Requirement
from verify.matching.declared import why_not_declared
from verify.matching.measurements.measurement import Certificates, Measurement
from verify.matching.measurements.measures import requests
from verify.matching.measurements.observed import Asked, measured, observables_of, observed_of
from verify.matching.measurements.weights import weigh
from verify.matching.runs import Runs, certify_nothing
from verify.matching.settings_in_place import settings_in_place, translate_settings


def runs_in_place(statement: Statement, written: Runs) -> Runs:
    """The written runs under the id of the adopted statement."""
    place = Place(written=written, origin=origin_of(statement.id))
    own = statement.algorithm == written.algorithm
    return Runs(
        algorithm=str(statement.algorithm),
        statements=(statement.id,),
        cells=place.cells,
        excluded=place.excluded,
        requirements=place.requirements,
        observe=place.measure if own else place.measure_another,
        certified=place.certified if own else certify_nothing,
        settings=place.settings if own and written.settings is not None else None,
        fills=written.fills,
        in_fractions=written.in_fractions,
    )


def require_as_written(declared: Runs, statement: Statement, written: Runs) -> Runs:
    """Declared runs of an adopted statement, refused where the paper's own would be, as with two clients."""
    place = Place(written=written, origin=origin_of(statement.id))

    def requirements(asked: Statement, cell: Cell) -> list[Requirement]:
        return [*declared.requirements(asked, cell), *place.requirements(asked, cell)]

    return replace(declared, requirements=requirements)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A paper's runs, asked under the id `origin` that its files know."""

    written: Runs
    origin: str

    def _statement(self, statement: Statement) -> Statement:
        return replace(statement, id=self.origin, algorithm=self.written.algorithm, problems=())

    def _cell(self, cell: Cell) -> Cell:
        return replace(cell, statement=self.origin, algorithm=self.written.algorithm)

    def cells(self, statement: Statement) -> tuple[Cell, ...]:
        own = statement.algorithm == self.written.algorithm
        if not own:
            _check_measures(statement)
        asked, found = self._statement(statement), self.written.cells(self._statement(statement))
        own_cells = [cell for cell in found if own or cell.reading == NAMED]
        if statement.problems:
            own_cells = [
                c for name in statement.problems for c in moved_to(name, asked, own_cells, self.written)
            ]
        if not own:
            for cell in own_cells:
                self._check_settings(statement, asked, cell)
        return tuple(
            replace(cell, statement=statement.id, algorithm=str(statement.algorithm)) for cell in own_cells
        )

    def _check_settings(self, statement: Statement, asked: Statement, cell: Cell) -> None:
        """Ask for them once before anything is run, so that a name that is missing is one sentence."""
        ours = self._ours(asked, cell)
        settings_in_place(str(statement.algorithm), ours, _round_to_floats(cell.engine["start"]))

    def _ours(self, asked: Statement, cell: Cell) -> Any:
        if self.written.settings is None:
            raise Misuse(f"no other algorithm can be run for {self.origin}: {why_not_declared(asked)}")
        return self.written.settings(asked, cell)

    def excluded(self, statement: Statement) -> Mapping[str, str]:
        return self.written.excluded(self._statement(statement))

    def requirements(self, statement: Statement, cell: Cell) -> list[Requirement]:
        return self.written.requirements(self._statement(statement), self._cell(cell))

    def settings(self, statement: Statement, cell: Cell) -> Any:
        return self._ours(self._statement(statement), self._cell(cell))

    def measure(
        self, statement: Statement, cell: Cell, settings: Any, replicates: int, seed: int, stream: str
    ) -> Measurement:
        asked = self._statement(statement)
        return self.written.observe(asked, self._cell(cell), settings, replicates, seed, stream)

    def certified(self, statement: Statement, cell: Cell) -> Certificates:
        return self.written.certified(self._statement(statement), self._cell(cell))

    def measure_another(
        self, statement: Statement, cell: Cell, settings: Any, replicates: int, seed: int, stream: str
    ) -> Measurement:
        """In floats: what the paper runs in fractions too."""
        ours, algorithm = self.settings(statement, cell), str(statement.algorithm)
        problem = replace(cell, problem_arguments=_round_to_floats(cell.problem_arguments)).build_problem()
        start = np.asarray(_round_to_floats(cell.engine["start"]), dtype=np.float64)
        observables, listed = observed_of(statement, cell), translate_settings(ours)
        asked = Asked(
            algorithm=algorithm,
            problem=problem,
            settings=settings_in_place(algorithm, ours, start),
            listed=listed,
            weights=weigh(statement, cell, observables, listed),
        )
        return measured(observables, asked, replicates, seed, stream)


def settings_of_another(statement: Statement, written: Runs) -> set[str]:
    """The names of all settings that the cells of a statement give to an algorithm in the place of ours."""
    if written.settings is None:
        return set()
    cells = [cell for cell in written.cells(statement) if cell.reading == NAMED]
    every = (written.settings(statement, cell) for cell in cells)
    return {name for settings in every for name in translate_settings(settings)} - {"rounds"}


def _check_measures(statement: Statement) -> None:
    """Refuse what an algorithm would have to measure itself, by the name of what is missing."""
    algorithm = str(statement.algorithm)
    own = runnable(algorithm).observables
    for name, observable in observables_of(statement).items():
        if not observable.measured:
            raise Misuse(
                f"nothing says what of a run {name} ({observable.meaning}) is: {statement.title} is judged "
                "on our own listing only"
            )
        if requests(algorithm, observable.measured) is None:
            raise Misuse(
                f"{algorithm} does not measure {observable.measured} ({observable.meaning}), which does not "
                f'follow from its iterates; write Algorithm(..., observables={{"{observable.measured}": '
                f"function}}); it measures {', '.join(own)}"
            )


def _round_to_floats(value: Any) -> Any:
    """Numbers of a cell, however deep inside lists: fractions as the nearest floats."""
    value = revived(value)
    if isinstance(value, Mapping):
        return {name: _round_to_floats(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_round_to_floats(entry) for entry in value]
    return float(value) if isinstance(value, Fraction) else value
