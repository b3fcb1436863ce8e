"""The smallest bound over real parameters, inside the conditions."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp, inf, log, nextafter

import numpy as np
from numpy.typing import NDArray

from bounds.arithmetic.running_error import TINY
from bounds.language.quantity import Domain
from bounds.solve.problem import Best, Problem, contains

Array = NDArray[np.float64]

# How close the optimiser comes to the limit of a condition, relative to the limit: strict conditions have no
# last point, and rounding must not push a solution out.
GAP = 1e-9
ACCURACY = 10 * GAP  # of the minimum that results
# Where a positive quantity is searched: exp(-REACH) to exp(REACH), about 1e-26 to 1e26.
REACH = 60.0
SAMPLES = 4096
STARTS = 6
STEP = 1e-6  # of the central differences, in the logarithm
HUGE = 1e6


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


def list_ends(problem: Problem, at: Mapping[str, float]) -> list[str]:
    """The parameters at an end of the search that is no end of their domain: beyond, less may be reached."""
    return [name for name in problem.free if name in at and _is_at_an_end(problem.domain(name), at[name])]


def _is_at_an_end(domain: Domain, value: float) -> bool:
    low, high = (exp(-REACH), exp(REACH)) if _logarithmic(domain) else (-HUGE, HUGE)
    room = STEP * np.abs([low, high])
    if domain.integer or (contains(domain, value) and value in (domain.lower, domain.upper)):
        return False
    return bool(
        (domain.lower < low and value <= low + room[0]) or (high < domain.upper and value >= high - room[1])
    )


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


def _look(problem: Problem, x: Array) -> tuple[Array, Array]:
    """The objective, and the slacks along the last axis, of one run of the program."""
    value, slacks = problem.values(_coordinates(problem, x))
    with np.errstate(all="ignore"):
        # The logarithm, continued below TINY with the same slope: a bound may be zero or negative.
        above, below = np.log(np.maximum(value, TINY)), log(TINY) - np.log1p((TINY - value) / TINY)
        scaled = np.where(value > TINY, above, below)
    objective: Array = np.nan_to_num(scaled, nan=HUGE, posinf=HUGE, neginf=-HUGE)
    return objective, np.moveaxis(np.clip(np.nan_to_num(slacks, nan=-HUGE), -HUGE, HUGE), 0, -1)


def _samples(problem: Problem, edges: Sequence[tuple[float, float]]) -> list[Array]:
    """Starting points: of random ones, those that violate least, the best bound first."""
    generator = np.random.default_rng(0)
    low, high = np.array(edges).T
    points = low + (high - low) * generator.random((SAMPLES, len(edges)))
    # Most parameters of most problems are within a few orders of magnitude of one.
    centred = np.clip(generator.normal(0.0, 4.0, (SAMPLES, len(edges))), low, high)
    points = np.concatenate([points, centred])
    objective, slacks = _look(problem, points)
    violation = np.sum(np.minimum(slacks - GAP, 0), axis=-1) if slacks.shape[-1] else np.zeros(len(points))
    order = np.lexsort((objective, -violation))
    return [points[i] for i in order[:STARTS]]


def _descend(problem: Problem, start: Array, edges: Sequence[tuple[float, float]]) -> Array:
    from scipy.optimize import minimize  # here, so that stating and evaluating a bound never loads it

    one, limits = np.eye(len(start)), _movable(problem)
    around = STEP * np.concatenate([0 * one[:1], one, -one])

    @lru_cache(maxsize=4)  # the optimizer asks for value, slope and both of the slacks at the same point
    def look(at: bytes) -> tuple[Array, Array, Array, Array]:
        objective, slacks = _look(problem, np.frombuffer(at) + around)
        slacks = slacks[:, limits]
        return objective[0], _slope(objective), slacks[0] - GAP, _slope(slacks)

    constraint = {
        "type": "ineq",
        "fun": lambda x: look(x.tobytes())[2],
        "jac": lambda x: look(x.tobytes())[3],
    }
    with np.errstate(all="ignore"):
        result = minimize(
            lambda x: float(look(x.tobytes())[0]),
            start,
            jac=lambda x: look(x.tobytes())[1],
            bounds=edges,
            constraints=[constraint] if limits else [],
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 300},
        )
    end: Array = np.clip(result.x, *np.array(edges).T)
    return end


def _movable(problem: Problem) -> list[int]:
    """The conditions that mention a free parameter.

    The optimizer would look for a way into any other one, such as a tie, which is never inside by GAP.
    """
    free = set(problem.free)
    sides = [(left.free_symbols | right.free_symbols) for left, right in problem.resolved.conditions]
    return [i for i, symbols in enumerate(sides) if free & {symbol.name for symbol in symbols}]


def _slope(values: Array) -> Array:
    """Central differences of values at a point, ahead of it and behind it in each coordinate."""
    ahead, behind = np.split(values[1:], 2)
    return np.moveaxis((ahead - behind) / (2 * STEP), 0, -1)
