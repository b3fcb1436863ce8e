"""Both sides of a statement on drawn objects, case by case, and how far the left is above the right."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from sympy import Add, Expr, expand

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import Program, compile_expressions
from bounds.evaluation.on_objects import OnObjects
from bounds.evaluation.resolve import substitution
from bounds.language.statement import Kind, Statement
from synthetic.outside.calls import call
from verify.workers.watched import is_theirs

Floats = NDArray[np.float64]
Objects = dict[str, Any]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One draw: both sides of every case, and whether its hypotheses hold (None: the objects do not decide).

    `share` is the excess over the sum of the magnitudes; minus infinity where nothing is claimed or defined.
    `magnitude` is that sum; infinite where the sides are known to be made of roundings.
    """

    family: str
    objects: Objects
    left: Floats
    right: Floats
    share: Floats
    magnitude: Floats
    met: NDArray[np.object_]

    @property
    def counted(self) -> int:
        return int(np.sum(self.share > -np.inf))


def numbers_of(statement: Statement, objects: Objects) -> Objects:
    """What the objects come to; a recipe may add numbers that a condition asks and that are no objects."""
    if statement.concrete is None:
        return objects
    taken = {name: thing for name, thing in objects.items() if name in statement.concrete.objects}
    more = {name: thing for name, thing in objects.items() if name not in statement.concrete.objects}
    numbers = statement.concrete.numbers
    with np.errstate(all="ignore"):  # what is not defined is dropped as a case
        if statement.concrete.declared is None and is_theirs(statement.id):
            return {**call(f"the numbers of {statement.id}", numbers, keywords=taken), **more}
        return {**numbers(**taken), **more}


def on_objects(
    statement: Statement, family: str, objects: Objects, numbers: Objects | None = None
) -> Tried | None:
    """Both sides on one draw; None where not one case of it is defined."""
    numbers = numbers_of(statement, objects) if numbers is None else numbers
    defined = _defined(statement, numbers)
    if not np.any(defined):
        return None
    found = OnObjects(statement, _filled(numbers, defined))
    with np.errstate(all="ignore"):
        evaluation = found.evaluation
        summands = _summands(statement, found.numbers, list(evaluation.terms.values()))
        parts = [found.left, found.right, evaluation.applicable, defined, *summands]
    shape = np.broadcast_shapes((1,), *(np.shape(part) for part in parts))
    left, right, met, defined, *summands = (np.broadcast_to(part, shape).ravel() for part in parts)
    met = np.where(defined, met, np.array(False))
    with np.errstate(over="ignore"):  # such a case is not counted
        magnitude: Floats = sum((np.abs(s) for s in summands), start=np.zeros(left.shape))
    share = _share(left, right, magnitude, met, equality=is_equality(statement))
    return Tried(
        family=family, objects=objects, left=left, right=right, share=share, magnitude=magnitude, met=met
    )


def is_equality(statement: Statement) -> bool:
    return statement.kind in (Kind.EQUALITY, Kind.DEFINITION)


def _share(left: Floats, right: Floats, magnitude: Any, met: Any, *, equality: bool) -> Floats:
    with np.errstate(all="ignore"):
        excess = np.abs(left - right) if equality else left - right
        share = np.where(excess == 0, 0.0, excess / magnitude)
    # of an infinite magnitude every excess is no share, or NaN, which would hide the other cases of the draw
    counted = np.isfinite(left) & np.isfinite(right) & np.isfinite(magnitude) & (met != np.False_)
    return np.where(counted, share, -np.inf)


def _summands(statement: Statement, numbers: Mapping[str, Any], terms: list[Any]) -> list[Any]:
    """The summands of both sides.

    A lemma that declares its objects writes mu (f(x) - f^*), which cancels: taken apart.
    """
    program = _summands_of(statement)
    values = run_arrays(program, {name: numbers[name] for name in program.inputs})
    return values if _is_declared(statement) else [*terms, *values]


def _is_declared(statement: Statement) -> bool:
    return statement.concrete is not None and statement.concrete.declared is not None


@lru_cache(maxsize=256)
def _summands_of(statement: Statement) -> Program:
    """Those of the left side; if a lemma declares its objects, those of both sides multiplied out."""
    assert statement.left is not None
    if not _is_declared(statement):
        return compile_expressions(list(Add.make_args(statement.left)), substitution(statement))
    sides = (statement.left, statement.right)
    every: list[Expr] = [part for side in sides for part in Add.make_args(expand(side))]
    return compile_expressions(every, substitution(statement))


def _defined(statement: Statement, numbers: Objects) -> NDArray[np.bool_]:
    """Where every number is one, and inside the domain of its quantity."""
    parts = []
    for name, number in numbers.items():
        value = np.asarray(_as_float(number))
        inside = np.isfinite(value)
        if name in statement.notation.quantities:
            domain = statement.notation.quantities[name].domain
            inside &= (value > domain.lower) | ((value == domain.lower) & domain.lower_included)
            inside &= (value < domain.upper) | ((value == domain.upper) & domain.upper_included)
        parts.append(inside)
    out: NDArray[np.bool_] = np.logical_and.reduce(np.broadcast_arrays(*parts))
    return out


def _filled(numbers: Objects, defined: NDArray[np.bool_]) -> Objects:
    """A case that is not defined takes the numbers of one that is; it is not counted."""
    if np.all(defined):
        return {name: _as_float(number) for name, number in numbers.items()}
    good = int(np.argmax(defined.ravel()))
    filled = {}
    for name, number in numbers.items():
        values = np.broadcast_to(_as_float(number), defined.shape)
        filled[name] = np.where(defined, values, values.ravel()[good])
    return filled


def _as_float(number: Any) -> Any:
    with np.errstate(over="ignore"):  # what leaves the range of float64 is infinite there, and not defined
        return np.asarray(number, dtype=np.float64)[()]
