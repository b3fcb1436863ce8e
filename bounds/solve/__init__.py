"""The inverse question: which parameters make a bound at most a target, or as small as it can be.

Whole numbers without anything else to choose are settled by interval arithmetic: ranges on which the bound
stays above the target, or on which a condition certainly fails, are excluded as a whole, and what remains is
tried one by one. So the smallest one is the smallest even where the bound is not monotone. With further
parameters to choose, the bound is minimised over them for each whole number; this is certain where the
problem is a geometric program (`solve.convexity`), and the answer says so where it is not. Where the left
side multiplies what it measures by a function of the choice, the quotient is minimised (`solve.quotient`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import final

from bounds import errors
from bounds.evaluation.decide import Checked
from bounds.language.quantity import Domain
from bounds.language.statement import Statement
from bounds.solve.integers import solve_integer_alone, solve_integer_with_choices
from bounds.solve.problem import Answer, Problem, make
from bounds.solve.quotient import Quotient, divide
from bounds.solve.reals import largest_allowed, real, smallest_bound

# A condition this close to its limit at the solution is what stops the solution from being better.
BINDING = 1e-6


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """An answer, or the nearest point and the reason why it fails."""

    found: bool
    values: dict[str, float]  # the unknown and the minimised parameters, there or at the best bound
    value: float | None  # the bound at the solution
    binding: tuple[Checked, ...]  # conditions at their limit there
    best: float | None  # without a solution: the smallest bound that the conditions allow
    blocked_by: tuple[Checked, ...]  # conditions that fail where the target would be met
    certified: bool
    sentence: str


def unsolved(sentence: str) -> Solution:
    """No solution, for a reason that lies outside the bound."""
    return Solution(
        found=False,
        values={},
        value=None,
        binding=(),
        best=None,
        blocked_by=(),
        certified=False,
        sentence=sentence,
    )


def solve(
    statement: Statement,
    unknown: str | None,
    target: float | None,
    given: Mapping[str, float],
    minimize_over: tuple[str, ...] = (),
) -> Solution:
    """Solve for `unknown`, choosing `minimize_over` as well as possible.

    A whole number with a target: the smallest that meets it. A real number with a target: the smallest where
    only smaller ones bring the bound above it, else the largest. No target: the largest that the conditions
    allow. No unknown: the smallest bound; where the left side multiplies what it measures by a function of
    the choice and no target says how small the right side has to be, the smallest quotient of the two.
    """
    free = (*([] if unknown is None else [unknown]), *minimize_over)
    if not free:
        raise errors.Misuse("nothing is asked: name the unknown, or parameters to minimize over")
    if target is not None and not isfinite(target):
        raise errors.NotANumber(f"the target must be a finite number, not {target!r}")
    if unknown is not None and target is None and minimize_over:
        raise errors.Misuse(f"{unknown} has no target, so there is nothing to minimize over: give a target")
    problem = make(statement, given, free)
    _check(problem, value_needed=target is not None or unknown is None)
    integers = [name for name in free if problem.domain(name).integer]
    if len(integers) > 1 or (integers and unknown is not None and integers != [unknown]):
        raise errors.Misuse(f"one whole number at a time can be chosen, not {', '.join(integers or free)}")
    quotient = divide(statement, frozenset(given), free) if unknown is None and target is None else None
    if quotient is not None:
        problem = make(quotient.statement, given, free)
    ask = _question(unknown, target, integers, quotient)
    answer = ask(problem)
    if quotient is not None and not answer.certified:
        plain = _question(unknown, target, integers, None)(make(statement, given, free))
        answer = _better(problem, answer, plain)
    found = _finish(problem, ask, answer, target)
    return found if quotient is None else _multiply(found, statement, given)


def _better(problem: Problem, answer: Answer, plain: Answer) -> Answer:
    """The smaller quotient: where its search is not certified, that of the bound itself may find it."""
    other = plain.at or (plain.best.at if plain.best else None)
    if other is None or not bool(problem.applicable(other)):
        return answer
    value, at = float(problem.bound(other)), answer.at or (answer.best.at if answer.best else None)
    if not isfinite(value) or (at is not None and float(problem.bound(at)) <= value):
        return answer
    names = ", ".join(problem.free)
    where = ", ".join(f"{n} = {v:.6g}" for n, v in other.items())
    sentence = f"the smallest quotient found over {names} is {value:.6g} at {where} (not proved)"
    return Answer(at=other, certified=False, sentence=sentence)


def _multiply(found: Solution, statement: Statement, given: Mapping[str, float]) -> Solution:
    """The right side itself where the quotient is smallest, or smallest of what was found."""
    if found.value is None and found.best is None:
        return found
    right = float(statement.evaluate(**{**given, **found.values}).value)
    return replace(found, value=right) if found.found else replace(found, best=right)


def _question(
    unknown: str | None, target: float | None, integers: list[str], quotient: Quotient | None
) -> Callable[[Problem], Answer]:
    if unknown is None:
        observable = None if quotient is None else quotient.observable
        what = f"quotient of the bound by the coefficient of {observable}" if observable else "bound"
        return lambda problem: smallest_bound(problem, integers[0] if integers else None, target, what)
    if target is None:
        return lambda problem: largest_allowed(problem, unknown)
    if not integers:
        return lambda problem: real(problem, unknown, target)
    return lambda problem: (
        solve_integer_with_choices(problem, unknown, target)
        if len(problem.free) > 1
        else solve_integer_alone(problem, unknown, target)
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
    problem: Problem, ask: Callable[[Problem], Answer], answer: Answer, target: float | None
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
            binding=list_binding(checked),
            best=None,
            blocked_by=(),
            certified=answer.certified,
            sentence=answer.sentence,
        )
    return Solution(
        found=False,
        values=dict(at),
        value=None,
        binding=list_binding(checked),
        best=None if answer.best is None else answer.best.value,
        blocked_by=_blocking(problem, ask),
        certified=answer.certified,
        sentence=answer.sentence,
    )


def list_binding(checked: tuple[Checked, ...]) -> tuple[Checked, ...]:
    return tuple(c for c in checked if c.tie or (c.margin is not None and abs(c.margin) <= BINDING))


def _blocking(problem: Problem, ask: Callable[[Problem], Answer]) -> tuple[Checked, ...]:
    """The conditions that fail where the target would be met without any; none if it never would be."""
    if not problem.statement.conditions:
        return ()
    relaxed = ask(problem.without_conditions())
    if relaxed.at is None:
        return ()
    return tuple(c for c in problem.checked(relaxed.at) if not c.holds)
