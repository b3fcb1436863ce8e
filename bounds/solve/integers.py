"""The smallest whole number that meets a target, and the whole number with the smallest bound."""

from collections.abc import Callable, Iterator, Mapping
from math import floor, inf
from typing import final

import numpy as np
from numpy.typing import NDArray

from bounds.solve.minimum import ACCURACY, GAP, list_ends, minimise
from bounds.solve.problem import ROUNDING, Answer, Best, Problem, nothing

Array = NDArray[np.float64]

# Whole numbers above this are not all floats; ranges at most FEW long are tried one by one.
LARGEST = 2.0**53
FEW = 2048
PARTS = 16
RANGES = 3000  # that may be split before the search gives up
GRID = 4001
FEWER = 1e-6  # a smaller number that is worse by less than this share is as good
RATIO = 1.5  # of successive whole numbers where nothing is known about the shape


def solve_integer_alone(problem: Problem, name: str, target: float) -> Answer:
    found, proven = _first(problem, name, target)
    if found is not None:
        value = float(problem.bound({name: found}))
        how = "intervals exclude every smaller one" if proven else "not proved smallest"
        sentence = f"{name} = {found:.0f} gives {value:.6g} <= {target:g}; {how}"
        return Answer(at={name: found}, certified=proven, sentence=sentence)
    best, certain = find_best_integer(problem, name)
    certain = certain and (best is None or best.value > target)
    sentence = nothing(name, target, best, proven=proven)
    return Answer(best=best, certified=proven and certain, sentence=sentence)


def _first(problem: Problem, name: str, target: float) -> tuple[float | None, bool]:
    """The smallest whole number that meets the target and all conditions, and whether that is proved."""
    domain = problem.domain(name)
    starts = domain.lower + FEW * np.concatenate([[0.0], 2.0 ** np.arange(0, 42)])
    edges = [*starts[starts <= min(domain.upper, LARGEST)], min(domain.upper, inf) + 1]
    waiting = _open(problem, name, np.array(edges[:-1]), np.array(edges[1:]) - 1, target)
    for _ in range(RANGES):
        if not waiting:
            return None, True
        low, high = waiting.pop()
        if high - low < FEW:
            found = _first_of(problem, name, np.arange(low, high + 1), target)
            if found is not None:
                return found, True
        elif high == inf:
            return None, False
        else:
            inner = np.floor(np.geomspace(low + 1, high + 2, PARTS + 1)) - 1
            cuts = np.unique(np.concatenate([[low], np.clip(inner[1:-1], low, high), [high + 1]]))
            waiting += _open(problem, name, cuts[:-1], cuts[1:] - 1, target)
    return None, False


def _open(problem: Problem, name: str, low: Array, high: Array, target: float) -> list[tuple[float, float]]:
    """The ranges on which the target may be met, the last one first."""
    value, fails = problem.enclose(name, low, high)
    left = ~(fails | (value > target + ROUNDING * abs(target)))
    return [(float(a), float(b)) for a, b in zip(low[left][::-1], high[left][::-1], strict=True)]


def _first_of(problem: Problem, name: str, candidates: Array, target: float) -> float | None:
    # Arrays and single numbers may round differently: the last word is the single number's.
    nearly = target + ROUNDING * abs(target)
    meets = problem.applicable({name: candidates}) & (problem.bound({name: candidates}) <= nearly)
    for candidate in candidates[meets]:
        if problem.bound({name: float(candidate)}) <= target:
            return float(candidate)
    return None


def find_best_integer(problem: Problem, name: str) -> tuple[Best | None, bool]:
    """The smallest bound over all whole numbers, and whether nothing smaller by GAP exists."""
    lower, upper = problem.domain(name).lower, min(problem.domain(name).upper, LARGEST)
    wide = np.concatenate([lower + np.arange(2.0 * FEW), np.floor(np.geomspace(lower + 1, upper, GRID))])
    best = _zoom(problem, name, np.unique(wide[(wide >= lower) & (wide <= upper)]))
    for _ in range(PARTS):
        if best is None:
            return None, True
        better, proven = _first(problem, name, best.value - GAP * abs(best.value))
        if better is None:
            return best, proven
        best = _zoom(problem, name, np.unique(np.floor(np.linspace(better, 1.01 * better + FEW, GRID))))
    return best, False


def _zoom(problem: Problem, name: str, candidates: Array) -> Best | None:
    """The best candidate, then the best whole number between its neighbours."""
    while True:
        value = np.where(problem.applicable({name: candidates}), problem.bound({name: candidates}), inf)
        value = np.where(np.isnan(value), inf, value)
        i = int(np.argmin(value))
        if value[i] == inf:
            return None
        low, high = candidates[max(i - 1, 0)], candidates[min(i + 1, len(candidates) - 1)]
        if high - low <= 2:
            at = {name: float(candidates[i])}
            return Best(float(problem.bound(at)), at)
        candidates = np.unique(np.append(np.floor(np.linspace(low, high, GRID)), candidates[i]))


@final
class Reach:
    """The smallest bound over the other parameters, for each value of one; remembered, with warm starts."""

    def __init__(self, problem: Problem, name: str) -> None:
        self.problem, self.name = problem, name
        self.known: dict[float, Best | None] = {}
        self.last: Mapping[str, float] | None = None

    def __call__(self, value: float) -> Best | None:
        if value not in self.known:
            inner = self.problem.fix(**{self.name: value})
            best = minimise(inner, convex=inner.convex(inner.free), near=self.last)
            if best is not None:
                self.last = best.at
                best = Best(best.value, {self.name: value, **best.at})
            self.known[value] = best
        return self.known[value]

    def size(self, value: float) -> float:
        best = self(value)
        return inf if best is None else best.value


def solve_integer_with_choices(problem: Problem, name: str, target: float) -> Answer:
    reach, convex = Reach(problem, name), problem.convex(problem.free)
    below = problem.domain(name).lower - 1
    found: float | None = None
    for candidate in _rising(reach, problem, convex=convex):
        if reach.size(candidate) <= target:
            found = candidate
            break
        below = candidate
    if found is None:
        best, certain = best_with_choices(problem, reach)
        if best is None or best.value > target:
            return Answer(best=best, certified=certain, sentence=nothing(name, target, best, proven=certain))
        found = best.at[name]
        below = max(tried for tried in (problem.domain(name).lower - 1, *reach.known) if tried < found)
    while found - below > 1:
        middle = (found + below) // 2
        below, found = (below, middle) if reach.size(middle) <= target else (middle, found)
    return _described(problem, reach, found, target, convex=convex)


def _described(problem: Problem, reach: Reach, found: float, target: float, *, convex: bool) -> Answer:
    at = reach(found)
    assert at is not None
    convex = convex and not list_ends(problem, at.at)
    sentence = f"{reach.name} = {found:.0f} gives {at.value:.9g} <= {target:g}"
    if found == problem.domain(reach.name).lower:
        return Answer(at=at.at, certified=True, sentence=f"{sentence}; there is no smaller one")
    before = reach.size(found - 1)
    nearly = before <= target + ACCURACY * abs(target)
    what = "does not meet the conditions" if before == inf else f"reaches only {before:.9g}"
    if nearly:
        why = "within the accuracy of the minimization of the target"
    elif convex:
        why = "and in a geometric program none below does better"
    else:
        why = "but a smaller one far below is not excluded"
    sentence += f"; {found - 1:.0f} {what}, {why}"
    return Answer(at=at.at, certified=convex and not nearly, sentence=sentence)


def _rising(reach: Reach, problem: Problem, *, convex: bool) -> Iterator[float]:
    """Numbers from the smallest upwards; of a convex problem, until the bound has risen twice."""
    domain = problem.domain(reach.name)
    candidate, lowest, risen = domain.lower, inf, 0
    while candidate <= min(domain.upper, LARGEST) and risen < 2:
        yield candidate
        size = reach.size(candidate)
        risen = risen + 1 if convex and lowest < inf and size > lowest else 0
        lowest = min(lowest, size)
        further = floor(domain.lower + (candidate - domain.lower + 1) * (2 if convex else RATIO))
        candidate = max(candidate + 1, float(further))


def best_with_choices(problem: Problem, reach: Reach) -> tuple[Best | None, bool]:
    """The whole number with the smallest bound, and whether that is certain."""
    convex = problem.convex(problem.free)
    tried = list(_rising(reach, problem, convex=convex))
    i = min(range(len(tried)), key=lambda i: reach.size(tried[i]))
    if reach.size(tried[i]) == inf:
        return None, False
    low, high = tried[max(i - 1, 0)], tried[min(i + 1, len(tried) - 1)]
    while high - low > 3:
        left, right = low + (high - low) // 3, high - (high - low) // 3
        low, high = (low, right) if reach.size(left) <= reach.size(right) else (left, high)
    best = min(np.arange(low, high + 1), key=reach.size)
    found = reach(float(best))
    inside = found is not None and not list_ends(problem, found.at)
    return found, convex and inside and i + 1 < len(tried)


def find_fewest(is_as_good: Callable[[int], bool], lower: int, good: int) -> int:
    """The smallest number from `lower` on that is as good, of a bound that falls until it is, by halving."""
    worse = lower - 1
    while good - worse > 1:
        middle = (worse + good) // 2
        worse, good = (worse, middle) if is_as_good(middle) else (middle, good)
    return good


def take_fewest(problem: Problem, reach: Reach, best: Best) -> Best:
    """The fewest that are as good: found where the bound is convex in the number, else of those tried."""
    lower, good = int(problem.domain(reach.name).lower), int(best.at[reach.name])
    limit = best.value + FEWER * abs(best.value)
    if problem.convex(problem.free):
        good = find_fewest(lambda number: reach.size(float(number)) <= limit, lower, good)
    else:
        good = min(int(number) for number in reach.known if reach.size(number) <= limit)
    return reach(float(good)) or best
