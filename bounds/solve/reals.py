"""Real unknowns: the largest allowed, the extreme one that meets a target, the best choice."""

from collections.abc import Callable
from math import exp, floor, inf, isfinite, nextafter

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Symbol

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import compile_expressions
from bounds.arithmetic.running_error import TINY, ULP
from bounds.solve.integers import LARGEST, Reach, best_with_choices, find_best_integer, take_fewest
from bounds.solve.minimum import ACCURACY, REACH, list_ends, minimise
from bounds.solve.problem import ROUNDING, Answer, Best, Problem, contains, nothing

Array = NDArray[np.float64]

GRID = 4001
COARSE_GRID = 81  # where every point is a minimisation
ULPS = 16  # a tie is within 4


def smallest_bound(
    problem: Problem, integer: str | None, target: float | None, what: str = "bound"
) -> Answer:
    """Minimise the bound over all free parameters; one of them may be a whole number.

    what: the name of the value that is minimised.
    """
    names = ", ".join(problem.free)
    if integer is None:
        certain = problem.convex(problem.free)
        best = _smallest(problem, convex=certain)
        how = "a geometric program" if certain else "the best of many starts, not proved"
    elif len(problem.free) == 1:
        best, certain = find_best_integer(problem, integer)
        how = "interval arithmetic excludes a better one" if certain else "the best found, not proved"
    else:
        reach = Reach(problem, integer)
        best, certain = best_with_choices(problem, reach)
        how = "a geometric program" if certain else "the best found, not proved"
        if best is not None and target is None:
            most, best = best.at[integer], take_fewest(problem, reach, best)
            how += f"; a larger {integer} gains less than a millionth" if best.at[integer] < most else ""
    if best is None:
        return Answer(certified=False, sentence=f"no choice of {names} was found that meets all conditions")
    ends = list_ends(problem, best.at)
    if target is None and ends:
        where = ", ".join(f"{n} = {best.at[n]:.3g}" for n in ends)
        falls = f"the {what} still falls where the search over {names} ends, at {where}"
        sentence = f"{falls}: no smallest one was found"
        return Answer(best=best, certified=False, sentence=sentence)
    if target is not None and best.value > target:
        certain = certain and not ends and best.value > target + ACCURACY * abs(target)
        return Answer(best=best, certified=certain, sentence=nothing(names, target, best, proven=certain))
    where = ", ".join(f"{n} = {v:.6g}" for n, v in best.at.items())
    found, how = ("found ", "the search ends there") if ends else ("", how)
    sentence = f"the smallest {what} {found}over {names} is {best.value:.6g} at {where} ({how})"
    return Answer(at=best.at, certified=certain and not ends, sentence=sentence)


def largest_allowed(problem: Problem, name: str) -> Answer:
    """The largest value that the conditions allow: their direct limits first, else a search."""
    limits = _limits(problem, name)
    domain = problem.domain(name)
    top = min([*limits, domain.upper])
    if isfinite(top):
        candidate = float(floor(top)) if domain.integer else top
        for _ in range(ULPS):
            if contains(domain, candidate) and bool(problem.applicable({name: candidate})):
                sentence = f"{name} = {candidate:.17g}: beyond it a condition on {name} itself fails"
                return Answer(at={name: candidate}, certified=True, sentence=sentence)
            candidate = candidate - 1 if domain.integer else nextafter(candidate, -inf)
    grid = _grid(problem, name, GRID, top)
    allowed = grid[problem.applicable({name: grid})]
    if not len(allowed):
        return Answer(certified=False, sentence=f"no {name} was found that meets all conditions")
    beyond = [*grid[grid > allowed[-1]], *([top] if isfinite(top) else [])]
    if not beyond:
        return Answer(certified=False, sentence=f"no condition limits {name} from above: give a target")
    edge = _edge(
        lambda x: bool(problem.applicable({name: x})), float(allowed[-1]), float(beyond[0]), domain.integer
    )
    sentence = f"{name} = {edge:.17g}, by bisection; a larger range between trial points is not excluded"
    return Answer(at={name: edge}, certified=False, sentence=sentence)


def _limits(problem: Problem, name: str, *, upper: bool = True) -> list[float]:
    """Limits, from above or from below, of the conditions that bound this symbol itself."""
    derived = dict(problem.resolved.derived)
    out = []
    pairs = zip(problem.statement.conditions, problem.resolved.conditions, strict=True)
    for condition, (value, limit) in pairs:
        solved = condition.constructive
        if _is(value, name) and condition.relation.upper is upper:
            expression = limit
        elif _is(limit, name) and condition.relation.upper is not upper:
            expression = value
        elif solved is not None and solved.symbol.name == name and solved.relation.upper is upper:
            known = {s: derived[s.name] for s in solved.limit.free_symbols if s.name in derived}
            expression = solved.limit.xreplace(known)
        else:
            continue
        if {s.name for s in expression.free_symbols} <= problem.fixed.keys():
            out.append(float(run_arrays(compile_expressions([expression]), dict(problem.fixed))[0]))
    return [limit for limit in out if isfinite(limit)]


def _is(side: Expr, name: str) -> bool:
    return isinstance(side, Symbol) and side.name == name


def real(problem: Problem, name: str, target: float) -> Answer:
    """The last value that meets the target on the side where the bound, and not a condition, ends it."""
    reach, convex = Reach(problem, name), problem.convex(problem.free)
    grid = _grid(problem, name, GRID if len(problem.free) == 1 else COARSE_GRID, problem.domain(name).upper)
    first = _first_that_meets(problem, reach, grid, target)
    last = _first_that_meets(problem, reach, grid[::-1], target)
    if first is None or last is None:
        best = _smallest(problem, convex=convex)
        if best is None or best.value > target:
            certain = convex and best is not None and best.value > target + ACCURACY * abs(target)
            certain = certain and not list_ends(problem, best.at if best else {})
            return Answer(best=best, certified=certain, sentence=nothing(name, target, best, proven=certain))
        first = last = best.at[name]
    below, above = grid[grid < first][-1:], grid[grid > last][:1]
    if not len(below) and not len(above):
        tried = f"every {name} that was tried, from {first:g} to {last:g}, keeps the bound at most {target:g}"
        return Answer(certified=False, sentence=f"{tried}: the target does not limit it")
    smallest = _asks_for_the_smallest(problem, name, target, below, above)
    start, bad = (first, below) if smallest else (last, above)
    edge = start
    if len(bad):
        edge = _edge(lambda x: reach.size(x) <= target, start, float(bad[0]), integral=False)
    at = reach(edge)
    assert at is not None
    which = "smallest" if smallest else "largest"
    sure = "no other range does" if convex else "another range between trial points is not excluded"
    sentence = f"{name} = {edge:.17g} is the {which} that keeps the bound at most {target:g}; {sure}"
    return Answer(at=at.at, certified=convex and bool(len(bad)), sentence=sentence)


def _asks_for_the_smallest(problem: Problem, name: str, target: float, below: Array, above: Array) -> bool:
    """Whether the bound passes the target towards smaller values only, or nothing ends the larger ones.

    `below` and `above` are the next values that fail, if there are any.
    """
    if not len(above) and problem.domain(name).upper == inf:
        return True
    bound = Reach(problem.without_conditions(), name)
    passes_below, passes_above = (any(bound.size(float(x)) > target for x in xs) for xs in (below, above))
    return passes_below and not passes_above


def _first_that_meets(problem: Problem, reach: Reach, grid: Array, target: float) -> float | None:
    if len(problem.free) == 1:
        # Arrays and single numbers may round differently: the last word is the single number's.
        nearly = target + ROUNDING * abs(target)
        grid = grid[problem.applicable({reach.name: grid}) & (problem.bound({reach.name: grid}) <= nearly)]
    return next((float(x) for x in grid if reach.size(float(x)) <= target), None)


def _smallest(problem: Problem, *, convex: bool) -> Best | None:
    """The optimiser keeps a gap to the conditions; with a single parameter, bisection closes it."""
    best = minimise(problem, convex=convex)
    best = best and _at_zeros(problem, best)
    if best is None or len(problem.free) > 1:
        return best
    (name,) = problem.free
    grid = _grid(problem, name, GRID, inf)
    for outside in (grid[grid < best.at[name]][-1:], grid[grid > best.at[name]][:1]):
        for beyond in outside:
            edge = _edge(
                lambda x: bool(problem.applicable({name: x})), best.at[name], float(beyond), integral=False
            )
            value = float(problem.bound({name: edge}))
            best = Best(value, {name: edge}) if value < best.value else best
    return best


def _at_zeros(problem: Problem, best: Best) -> Best:
    """Where the search ends near a 0 that the domain includes, the smallest bound may be at 0 itself."""
    for name in list_ends(problem, best.at):
        at = {**best.at, name: 0.0}
        if contains(problem.domain(name), 0.0) and bool(problem.applicable(at)):
            value = float(problem.bound(at))
            best = Best(value, at) if value <= best.value else best
    return best


def _grid(problem: Problem, name: str, points: int, top: float) -> Array:
    """Trial points over the domain, dense at its ends, and the limits of conditions, up to `top`."""
    domain = problem.domain(name)
    low, high = domain.lower, min(top, domain.upper)
    size = np.geomspace(exp(-REACH), exp(REACH), points)
    if low == -inf:
        grid = np.concatenate([-size, [0.0], size])
    elif high == inf:
        grid = np.append(low, low + size)
    else:
        part = (high - low) * np.geomspace(TINY, 1.0, points)
        grid = np.concatenate([[low, high], low + part, high - part])
    limits = [x for upper in (True, False) for x in _limits(problem, name, upper=upper)]
    near = [step * ULP * abs(x) + x for x in limits for step in (-2 * ULPS, -ULPS, 0, ULPS, 2 * ULPS)]
    grid = np.concatenate([grid, limits, near])
    if domain.integer:
        grid = np.floor(np.clip(grid, -LARGEST, LARGEST))
    return np.unique([x for x in grid if x <= high and contains(domain, float(x))])


def _edge(meets: Callable[[float], bool], good: float, bad: float, integral: bool) -> float:
    """The last number towards `bad` that meets, as far as bisection sees."""
    while True:
        middle = good / 2 + bad / 2
        middle = float(floor(middle)) if integral else middle
        if not min(good, bad) < middle < max(good, bad):
            return good
        good, bad = (middle, bad) if meets(middle) else (good, middle)
