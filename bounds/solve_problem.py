"""A statement with some parameters fixed and others free, and the smallest bound over the free real ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log, nextafter
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from sympy import Add

from bounds import errors
from bounds.arrays import run_arrays
from bounds.decide import Checked, decide
from bounds.evaluate import Resolved, derivable, resolve
from bounds.program import Program, compile_expressions, run
from bounds.quantity import REAL, Domain
from bounds.solve_convexity import is_convex
from bounds.solve_intervals import Interval, IntervalArithmetic
from bounds.rounding import TINY
from bounds.statement import Statement

Array = NDArray[np.float64]

# How close the optimiser comes to the limit of a condition, relative to the limit: strict conditions have no
# last point, and rounding must not push a solution out.
GAP = 1e-9
# A condition this close to its limit at the solution is what stops the solution from being better.
BINDING = 1e-6
# Where a positive quantity is searched: exp(-REACH) to exp(REACH), about 1e-17 to 1e17.
REACH = 40.0
SAMPLES = 4096
STARTS = 6
STEP = 1e-6  # of the central differences, in the logarithm
HUGE = 1e6


@final
@dataclass(frozen=True, slots=True)
class Best:
    """The smallest bound found, and where."""

    value: float
    at: Mapping[str, float]


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
        shape = np.broadcast_shapes((), *(np.shape(v) for v in point.values()))
        values = run_arrays(self.resolved_value, {**self.fixed, **point})
        return np.broadcast_to(values[0], shape)

    @property
    def resolved_value(self) -> Program:
        program = self.resolved.program
        return Program(program.inputs, program.operations, program.outputs[-1:])

    def enclose(self, name: str, low: Array, high: Array) -> tuple[Array, NDArray[np.bool_]]:
        """On ranges of one parameter: a lower end of the bound, and where a condition certainly fails."""
        point = {n: Interval(v, v) for n, v in self.fixed.items()} | {name: Interval(low, high)}
        inputs = {n: point[n] for n in self.program.inputs}
        with np.errstate(all="ignore"):
            value, *sides = run(self.program, IntervalArithmetic(), inputs)
        fails = np.zeros(low.shape, dtype=bool)
        for condition, left, right in zip(self.statement.conditions, sides[::2], sides[1::2], strict=True):
            small, large = (left, right) if condition.relation.upper else (right, left)
            beyond = large.high + 1e-12 * np.abs(large.high)  # farther than a tie
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
    derived = derivable(statement)
    resolved = resolve(statement, (frozenset(given) | frozenset(free)) & frozenset(derived))
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


def _slack(small: Array, large: Array) -> Array:
    """log(large/small) where both are positive: affine or concave for a geometric program; else relative."""
    both = (small > 0) & (large > 0)
    size = np.where(large == 0, 1.0, np.abs(large))
    plain = (large - small) / size
    return np.where(both, np.log(np.where(both, large, 1.0)) - np.log(np.where(both, small, 1.0)), plain)


def minimise(problem: Problem, *, convex: bool, near: Mapping[str, float] | None = None) -> Best | None:
    """The smallest bound over the free parameters; None where no point met all conditions.

    Coordinates are logarithms of the non-negative parameters. Many starts, unless the problem is convex in
    them: then one start suffices, and `near` is a good one.
    """
    names = problem.free
    if not names:
        return _best_of(problem, [{}])
    edges = [_edges(problem.domain(name)) for name in names]
    starts = [] if near is None else [np.array([_inwards(problem, n, near[n]) for n in names])]
    found = _descend_from(problem, starts, edges)
    if found is None or not convex:
        samples = _samples(problem, edges)
        found = _descend_from(problem, [*starts, *(samples[:2] if convex else samples)], edges)
    if found is None and convex:
        found = _descend_from(problem, samples[2:], edges)
    return found


def _descend_from(
    problem: Problem, starts: Sequence[Array], edges: Sequence[tuple[float, float]]
) -> Best | None:
    ends = [point for start in starts for point in (start, _descend(problem, start, edges))]
    return _best_of(problem, [_point(problem, end) for end in ends])


def _best_of(problem: Problem, points: Sequence[Mapping[str, float]]) -> Best | None:
    best: Best | None = None
    for point in points:
        value = float(problem.bound(point))
        if value == value and value < (best.value if best else inf) and bool(problem.applicable(point)):
            best = Best(value, point)
    return best


def _logarithmic(domain: Domain) -> bool:
    return domain.lower >= 0


def _edges(domain: Domain) -> tuple[float, float]:
    """The box of one coordinate."""
    low, high = domain.lower, domain.upper
    if not _logarithmic(domain):
        return max(low, -HUGE), min(high, HUGE)
    low = -REACH if low == 0 else log(low if domain.lower_included else low * (1 + GAP))
    high = REACH if high == inf else log(high if domain.upper_included else high * (1 - GAP))
    return low, high


def _inwards(problem: Problem, name: str, value: float) -> float:
    return log(max(value, exp(-REACH))) if _logarithmic(problem.domain(name)) else value


def _coordinates(problem: Problem, x: Array) -> dict[str, Array]:
    """Parameters at coordinates; the last axis of x runs over the free names."""
    return {
        name: np.exp(x[..., i]) if _logarithmic(problem.domain(name)) else x[..., i]
        for i, name in enumerate(problem.free)
    }


def _point(problem: Problem, x: Array) -> dict[str, float]:
    point = {}
    for name, value in _coordinates(problem, x).items():
        ends = problem.domain(name)
        number = min(max(float(value), ends.lower), ends.upper)
        if number == ends.lower and not ends.lower_included:
            number = nextafter(number, inf)
        if number == ends.upper and not ends.upper_included:
            number = nextafter(number, -inf)
        point[name] = number
    return point


def _objective(problem: Problem, x: Array) -> Array:
    value, _ = problem.values(_coordinates(problem, x))
    with np.errstate(all="ignore"):
        # The logarithm, continued below TINY with the same slope: a bound may be zero or negative.
        above, below = np.log(np.maximum(value, TINY)), log(TINY) - np.log1p((TINY - value) / TINY)
        scaled = np.where(value > TINY, above, below)
    return np.nan_to_num(scaled, nan=HUGE, posinf=HUGE, neginf=-HUGE)


def _slacks(problem: Problem, x: Array) -> Array:
    _, slacks = problem.values(_coordinates(problem, x))
    return np.moveaxis(np.clip(np.nan_to_num(slacks, nan=-HUGE), -HUGE, HUGE), 0, -1)


def _samples(problem: Problem, edges: Sequence[tuple[float, float]]) -> list[Array]:
    """Starting points: of random ones, those that violate least, the best bound first."""
    generator = np.random.default_rng(0)
    low, high = np.array(edges).T
    points = low + (high - low) * generator.random((SAMPLES, len(edges)))
    # Most parameters of most problems are within a few orders of magnitude of one.
    centred = np.clip(generator.normal(0.0, 4.0, (SAMPLES, len(edges))), low, high)
    points = np.concatenate([points, centred])
    slacks = _slacks(problem, points)
    violation = np.sum(np.minimum(slacks - GAP, 0), axis=-1) if slacks.shape[-1] else np.zeros(len(points))
    order = np.lexsort((_objective(problem, points), -violation))
    return [points[i] for i in order[:STARTS]]


def _descend(problem: Problem, start: Array, edges: Sequence[tuple[float, float]]) -> Array:
    from scipy.optimize import minimize  # here, so that stating and evaluating a bound never loads it

    steps = STEP * np.concatenate([np.eye(len(start)), -np.eye(len(start))])

    def slope(function: Any) -> Any:
        def of(x: Array) -> Array:
            ahead, behind = np.split(function(problem, x + steps), 2)
            result: Array = np.moveaxis((ahead - behind) / (2 * STEP), 0, -1)
            return result

        return of

    constraint = {
        "type": "ineq",
        "fun": lambda x: _slacks(problem, x) - GAP,
        "jac": slope(_slacks),
    }
    with np.errstate(all="ignore"):
        result = minimize(
            lambda x: float(_objective(problem, x)),
            start,
            jac=slope(_objective),
            bounds=edges,
            constraints=[constraint] if problem.statement.conditions else [],
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 300},
        )
    end: Array = np.clip(result.x, *np.array(edges).T)
    return end
