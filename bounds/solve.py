"""The inverse question: which parameters make a bound at most a target, or as small as it can be.

Whole numbers without anything else to choose are settled by interval arithmetic: ranges on which the bound
stays above the target, or on which a condition certainly fails, are excluded as a whole, and what remains is
tried one by one. So the smallest one is the smallest even where the bound is not monotone. With further
parameters to choose, the bound is minimised over them for each whole number; this is certain where the
problem is a geometric program (`solve_convexity`), and the answer says so where it is not.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import floor, inf, isfinite, log, nextafter
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Symbol

from bounds import errors
from bounds.arrays import run_arrays
from bounds.decide import Checked
from bounds.program import compile_expressions
from bounds.quantity import Domain
from bounds.solve_problem import BINDING, GAP, REACH, Best, Problem, make, minimise
from bounds.statement import Statement

Array = NDArray[np.float64]

# Whole numbers above this are not all floats; ranges at most FEW long are tried one by one.
LARGEST = 2.0**53
FEW = 2048
PARTS = 16
RANGES = 3000  # that may be split before the search gives up
GRID = 4001
COARSE_GRID = 81  # where every point is a minimisation
RATIO = 1.2  # of successive whole numbers where nothing is known about the shape
ACCURACY = 10 * GAP  # of a minimum over real parameters


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """An answer, or what comes nearest to it and why it is none."""

    found: bool
    values: dict[str, float]  # the unknown and the minimised parameters; without a solution, at the best value
    value: float | None  # the bound at the solution
    binding: tuple[Checked, ...]  # conditions at their limit there
    best: float | None  # without a solution: the smallest bound that the conditions allow
    blocked_by: tuple[Checked, ...]  # conditions that fail where the target would be met
    certified: bool
    sentence: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    at: Mapping[str, float] | None = None
    best: Best | None = None
    certified: bool
    sentence: str


def solve(
    statement: Statement,
    unknown: str | None,
    target: float | None,
    given: Mapping[str, float],
    minimize_over: tuple[str, ...] = (),
) -> Solution:
    """Solve for `unknown`, choosing `minimize_over` as well as possible.

    A whole number with a target: the smallest that meets it. A real number with a target: the smallest where
    the bound decreases in it, else the largest. No target: the largest that the conditions allow. No unknown:
    the smallest bound.
    """
    free = (*([] if unknown is None else [unknown]), *minimize_over)
    if not free:
        raise errors.Misuse("nothing is asked: name the unknown, or parameters to minimise over")
    if target is not None and not isfinite(target):
        raise errors.NotANumber(f"the target must be a finite number, not {target!r}")
    if unknown is not None and target is None and minimize_over:
        raise errors.Misuse(f"{unknown} has no target, so there is nothing to minimise over: give a target")
    problem = make(statement, given, free)
    _check(problem, value_needed=target is not None or unknown is None)
    whole = [name for name in free if problem.domain(name).integer]
    if len(whole) > 1 or (whole and unknown is not None and whole != [unknown]):
        raise errors.Misuse(f"one whole number at a time can be chosen, not {', '.join(whole or free)}")
    ask = _question(unknown, target, whole)
    return _finish(problem, ask, ask(problem), target)


def _question(unknown: str | None, target: float | None, whole: list[str]) -> Callable[[Problem], _Answer]:
    if unknown is None:
        return lambda problem: _smallest_bound(problem, whole[0] if whole else None, target)
    if target is None:
        return lambda problem: _largest_allowed(problem, unknown)
    if not whole:
        return lambda problem: _real(problem, unknown, target)
    return lambda problem: (
        _whole_with_choices(problem, unknown, target)
        if len(problem.free) > 1
        else _whole_alone(problem, unknown, target)
    )


def _check(problem: Problem, *, value_needed: bool) -> None:
    """The given numbers pass the checks of `evaluate`, and nothing is missing."""
    resolved = problem.resolved
    conditions = {s.name for pair in resolved.conditions for side in pair for s in side.free_symbols}
    absent = (resolved.required | resolved.optional) - problem.fixed.keys() - set(problem.free)
    label = problem.statement.id or problem.statement.locator
    missing = sorted(absent if value_needed else absent & conditions)
    if missing:
        raise errors.MissingQuantity(f"{label} needs a value for {', '.join(missing)}")
    stand_ins = {name: _inside(problem.domain(name)) for name in (*absent, *problem.free)}
    problem.statement.evaluate(**{**problem.fixed, **stand_ins})


def _inside(domain: Domain) -> float:
    if domain.lower == -inf:
        return 0.0 if domain.upper == inf else domain.upper - 1
    return domain.lower + 1 if domain.upper == inf else (domain.lower + domain.upper) / 2


def _finish(
    problem: Problem, ask: Callable[[Problem], _Answer], answer: _Answer, target: float | None
) -> Solution:
    """Check a solution by `evaluate`; without one, ask again without the conditions to see what blocks."""
    at = answer.at if answer.at is not None else (answer.best.at if answer.best else {})
    complete = problem.resolved.required <= problem.fixed.keys() | at.keys()
    evaluation = problem.statement.evaluate(**{**problem.fixed, **at}) if at and complete else None
    checked = problem.checked(at) if at else ()
    if answer.at is not None:
        value = None if evaluation is None else float(evaluation.value)
        reached = target is None or (value is not None and value <= target)
        if not reached or not all(c.holds for c in checked):
            raise AssertionError(f"the solution {dict(at)} does not survive its check")
        return Solution(
            found=True,
            values=dict(at),
            value=value,
            binding=_binding(checked),
            best=None,
            blocked_by=(),
            certified=answer.certified,
            sentence=answer.sentence,
        )
    return Solution(
        found=False,
        values=dict(at),
        value=None,
        binding=_binding(checked),
        best=None if answer.best is None else answer.best.value,
        blocked_by=_blocking(problem, ask),
        certified=answer.certified,
        sentence=answer.sentence,
    )


def _binding(checked: tuple[Checked, ...]) -> tuple[Checked, ...]:
    return tuple(c for c in checked if c.tie or (c.margin is not None and abs(c.margin) <= BINDING))


def _blocking(problem: Problem, ask: Callable[[Problem], _Answer]) -> tuple[Checked, ...]:
    """The conditions that fail where the target would be met without any; none if it never would be."""
    if not problem.statement.conditions:
        return ()
    relaxed = ask(problem.without_conditions())
    if relaxed.at is None:
        return ()
    return tuple(c for c in problem.checked(relaxed.at) if not c.holds)


# Whole numbers, nothing else to choose.


def _whole_alone(problem: Problem, name: str, target: float) -> _Answer:
    found, proven = _first(problem, name, target)
    if found is not None:
        value = float(problem.bound({name: found}))
        how = "every smaller one was tried or excluded by interval arithmetic" if proven else "not proved smallest"
        sentence = f"{name} = {found:.0f} gives {value:.6g} <= {target:g}; {how}"
        return _Answer(at={name: found}, certified=proven, sentence=sentence)
    best, certain = _best_whole(problem, name)
    return _Answer(best=best, certified=proven and certain, sentence=_nothing(name, target, best, proven))


def _nothing(name: str, target: float, best: Best | None, proven: bool) -> str:
    sure = "no" if proven else "no one was found: no tried"
    if best is None:
        return f"{sure} {name} meets all conditions"
    where = ", ".join(f"{n} = {v:.6g}" for n, v in best.at.items())
    return f"{sure} {name} brings the bound to {target:g} inside the conditions; the best is {best.value:.6g} at {where}"


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
    left = ~(fails | (value > target))
    return [(float(a), float(b)) for a, b in zip(low[left][::-1], high[left][::-1], strict=True)]


def _first_of(problem: Problem, name: str, candidates: Array, target: float) -> float | None:
    meets = problem.applicable({name: candidates}) & (problem.bound({name: candidates}) <= target)
    for candidate in candidates[meets]:
        # Arrays and single numbers may round differently in the last place.
        if problem.bound({name: float(candidate)}) <= target:
            return float(candidate)
    return None


def _best_whole(problem: Problem, name: str) -> tuple[Best | None, bool]:
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


# Whole numbers with further parameters to choose.


@final
class _Reach:
    """The smallest bound over the other parameters, for each value of one; remembered, with warm starts."""

    def __init__(self, problem: Problem, name: str) -> None:
        self.problem, self.name = problem, name
        self.convex = problem.convex(problem.fix(**{name: 0.0}).free) if _fixed_is_enough(problem) else False
        self.known: dict[float, Best | None] = {}
        self.last: Mapping[str, float] | None = None

    def __call__(self, value: float) -> Best | None:
        if value not in self.known:
            inner = self.problem.fix(**{self.name: value})
            best = minimise(inner, convex=self.convex, near=self.last)
            if best is not None:
                self.last = best.at
                best = Best(best.value, {self.name: value, **best.at})
            self.known[value] = best
        return self.known[value]

    def meets(self, value: float, target: float) -> bool:
        best = self(value)
        return best is not None and best.value <= target

    def size(self, value: float) -> float:
        best = self(value)
        return inf if best is None else best.value
