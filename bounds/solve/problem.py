"""A statement with some parameters fixed and others free: what the searches of `solve` ask it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from sympy import Add

from bounds import errors
from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import Program, compile_expressions, run
from bounds.evaluation.decide import Checked, decide
from bounds.evaluation.evaluate import Evaluation
from bounds.evaluation.resolve import Resolved, resolve_with
from bounds.language.quantity import REAL, Domain
from bounds.language.statement import Statement
from bounds.solve.convexity import is_convex
from bounds.solve.intervals import Interval, IntervalArithmetic

Array = NDArray[np.float64]


ROUNDING = 1e-12  # relative; more than the same formula differs between arrays and single numbers


@final
@dataclass(frozen=True, slots=True)
class Best:
    """The smallest bound found, and where."""

    value: float
    at: Mapping[str, float]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`at` is a solution; without one, `best` is the smallest bound that the conditions allow."""

    at: Mapping[str, float] | None = None
    best: Best | None = None
    certified: bool
    sentence: str


def nothing(name: str, target: float, best: Best | None, *, proven: bool) -> str:
    """The sentence of an answer without a solution."""
    sure = f"no {name}" if proven else f"no {name} was found that"
    if best is None:
        return f"{sure} meets all conditions"
    where = ", ".join(f"{n} = {v:.6g}" for n, v in best.at.items())
    short = f"{sure} brings the bound to {target:g} inside the conditions"
    return f"{short}; the best is {best.value:.6g} at {where}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """`fixed` has a value for every quantity that is not in `free`."""

    statement: Statement
    resolved: Resolved
    fixed: Mapping[str, float]
    free: tuple[str, ...]
    program: Program  # the value, then both sides of every condition

    def fix(self, **more: float) -> "Problem":
        left = tuple(name for name in self.free if name not in more)
        return replace(self, fixed={**self.fixed, **more}, free=left)

    def domain(self, name: str) -> Domain:
        return domain(self.statement, name)

    def values(self, points: Mapping[str, Any]) -> tuple[Array, Array]:
        """The bound, and a slack per condition (positive where it holds), at many points at once."""
        inputs = {name: points.get(name, self.fixed.get(name)) for name in self.program.inputs}
        shape = np.broadcast_shapes((), *(np.shape(v) for v in points.values()))
        value, *sides = (np.broadcast_to(a, shape) for a in run_arrays(self.program, inputs))
        with np.errstate(all="ignore"):
            slacks = [
                _slack(small, large)
                for condition, left, right in zip(
                    self.statement.conditions, sides[::2], sides[1::2], strict=True
                )
                for small, large in [(left, right) if condition.relation.upper else (right, left)]
            ]
        return value, np.array(slacks).reshape(len(slacks), *shape)

    def without_conditions(self) -> "Problem":
        return replace(
            self,
            statement=replace(self.statement, conditions=()),
            resolved=replace(self.resolved, conditions=()),
            program=compile_expressions([Add(*self.resolved.terms)]),
        )

    def checked(self, point: Mapping[str, Any]) -> tuple[Checked, ...]:
        pairs = zip(self.statement.conditions, self.resolved.conditions, strict=True)
        return tuple(decide(condition, *sides, {**self.fixed, **point}) for condition, sides in pairs)

    def applicable(self, point: Mapping[str, Any]) -> Any:
        """As `evaluate` decides it."""
        shape = np.broadcast_shapes((), *(np.shape(v) for v in point.values()))
        holds = [np.broadcast_to(c.holds, shape) for c in self.checked(point)]
        return np.logical_and.reduce(holds) if holds else np.ones(shape, dtype=bool)

    def bound(self, point: Mapping[str, Any]) -> Any:
        """The value that `evaluate` gives, unchecked; NaN where it overflows, since that meets no target."""
        value = Evaluation(self.statement, self.resolved, {**self.fixed, **point}, ()).value
        return np.where(np.isfinite(value), value, np.nan)

    def enclose(self, name: str, low: Array, high: Array) -> tuple[Array, NDArray[np.bool_]]:
        """On ranges of one parameter: a lower end of the bound, and where a condition certainly fails."""
        point = {n: Interval(v, v) for n, v in self.fixed.items()} | {name: Interval(low, high)}
        inputs = {n: point[n] for n in self.program.inputs}
        with np.errstate(all="ignore"):
            value, *sides = run(self.program, IntervalArithmetic(), inputs)
        fails = np.zeros(low.shape, dtype=bool)
        for condition, left, right in zip(self.statement.conditions, sides[::2], sides[1::2], strict=True):
            small, large = (left, right) if condition.relation.upper else (right, left)
            width = 1e-12 * np.abs(large.high)
            beyond = large.high + np.where(np.isinf(width), 0.0, width)  # farther than a tie
            fails = fails | (small.low > beyond)
        return np.broadcast_to(value.low, low.shape), fails

    def convex(self, names: Sequence[str]) -> bool:
        pairs = zip(self.statement.conditions, self.resolved.conditions, strict=True)
        return all(self.domain(name).lower >= 0 for name in names) and is_convex(
            Add(*self.resolved.terms), [(v, c.relation, x) for c, (v, x) in pairs], set(names), self.fixed
        )


def make(statement: Statement, given: Mapping[str, float], free: Sequence[str]) -> Problem:
    """Refuses names that are unknown, prescribed, or given as well as asked for."""
    label = statement.id or statement.locator
    prescribed = {c.symbol.name: c.expression for c in statement.choices}
    if not statement.evaluable:
        raise errors.NotEvaluable(f"{label} gives no number, so nothing can be solved for")
    derived, resolved = resolve_with(statement, {*given, *free})
    known = resolved.required | resolved.optional | derived.keys()
    for name in free:
        if name in prescribed:
            raise errors.PrescribedQuantity(
                f"{label} prescribes {name} = {prescribed[name]}; it cannot be solved for"
            )
        if name in resolved.shadowed:
            raise errors.OverdeterminedQuantity(
                f"{resolved.shadowed[name]} is given, so {name}, which only serves to derive it, is not free"
            )
        if name not in known:
            raise errors.UnknownName(f"{label} has no quantity {name}: {errors.nearest(name, known)}")
        if name in given:
            raise errors.OverdeterminedQuantity(f"{name} is given and asked for; leave out one of the two")
    if len(set(free)) < len(free):
        raise errors.OverdeterminedQuantity(f"each parameter can be asked for once, not {', '.join(free)}")
    sides = [side for pair in resolved.conditions for side in pair]
    return Problem(
        statement=statement,
        resolved=resolved,
        fixed=dict(given),
        free=tuple(free),
        program=compile_expressions([Add(*resolved.terms), *sides]),
    )


def domain(statement: Statement, name: str) -> Domain:
    quantity = statement.notation.quantities.get(name)
    return quantity.domain if quantity else REAL


def contains(domain: Domain, value: float) -> bool:
    low = value > domain.lower or (domain.lower_included and value == domain.lower)
    high = value < domain.upper or (domain.upper_included and value == domain.upper)
    return low and high and (not domain.integer or value == floor(value))


def _slack(small: Array, large: Array) -> Array:
    """log(large/small) where both are positive: affine or concave for a geometric program; else relative."""
    both = (small > 0) & (large > 0)
    size = np.where(large == 0, 1.0, np.abs(large))
    plain = (large - small) / size
    return np.where(both, np.log(np.where(both, large, 1.0)) - np.log(np.where(both, small, 1.0)), plain)
