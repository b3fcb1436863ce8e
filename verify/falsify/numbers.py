"""The search space of a statement between numbers: its inputs (`verify.parameters.inputs`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import compile_expressions
from bounds.language.statement import Statement
from verify.falsify.objects import cases_of, worst_case
from verify.objects.both_sides import Objects
from verify.objects.numbers import speaks_of_numbers
from verify.parameters.inputs import Inputs, inputs_of
from verify.parameters.valid import UnsolvableCondition
from verify.search.trial import Trial

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NumberFamily:
    statement: Statement
    inputs: Inputs
    name: str = "numbers between the limits and at their ends"
    enough: None = None
    block: int = 128

    @property
    def dimension(self) -> int:
        return len(self.inputs.names)

    def trials(self, points: Floats) -> list[Trial | None]:
        """In one array operation; one by one where that has no value for each of them."""
        instances = [self._point(point) for point in points]
        found = [point for point in instances if point is not None]
        seen = iter(self._together(found) or [self._alone(point) for point in found])
        return [None if point is None else next(seen) for point in instances]

    def _together(self, found: Sequence[Mapping[str, float]]) -> list[Trial | None]:
        try:
            names = found[0].keys() if found else ()
            trials = cases_of(self.statement, {n: np.array([point[n] for point in found]) for n in names})
        except (ArithmeticError, ValueError):
            return []
        return trials if len(trials) == len(found) else []

    def _alone(self, point: Mapping[str, float]) -> Trial | None:
        found = worst_case(self.statement, one_case(point))
        return None if found is None else found.trial

    def objects(self, point: Floats) -> Objects | None:
        found = self._point(point)
        return None if found is None else one_case(found)

    def instance(self, point: Floats) -> dict[str, Any]:
        return {"kind": "numbers", "point": self._point(point)}

    def _point(self, point: Floats) -> dict[str, float] | None:
        found = self.inputs.at(point.tolist(), {})
        return None if found is None else found | prescribed(self.statement, found)


def one_case(point: Mapping[str, float]) -> Objects:
    return {name: np.array([value]) for name, value in point.items()}


def prescribed(statement: Statement, point: Mapping[str, float]) -> dict[str, float]:
    """What the statement sets itself, at a point of its inputs."""
    assert statement.concrete is not None
    out: dict[str, float] = {}
    for choice in statement.choices:
        program = compile_expressions([choice.expression])
        if choice.symbol.name in statement.concrete.objects and set(program.inputs) <= point.keys():
            out[choice.symbol.name] = float(run_arrays(program, {n: point[n] for n in program.inputs})[0])
    return out


def families(statement: Statement) -> list[NumberFamily]:
    """The families of a statement whose objects are quantities of the notation table; empty for others."""
    if not speaks_of_numbers(statement):
        return []
    assert statement.concrete is not None
    set_by_it = {choice.symbol.name for choice in statement.choices}
    names = [name for name in statement.concrete.objects if name not in set_by_it]
    try:
        inputs = inputs_of(statement, names, dict(statement.example))
    except UnsolvableCondition:
        return []
    return [NumberFamily(statement=statement, inputs=inputs)]
