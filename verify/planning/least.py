"""The least that a bound can say, whatever is chosen and however many rounds are run.

With every client in every round, noise of a given privacy grows as the root of the rounds, and a quantity
that is the noise over that root does not depend on them. The rounds are then one more number to choose. Where
the bound over all of it is a geometric program, its minimum over real counts is below that over whole ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import Final, final

from bounds.evaluation.decide import Checked
from bounds.evaluation.evaluate import Evaluation
from bounds.evaluation.free_bound import FreeBound
from bounds.evaluation.resolve import names_in, substitution, unfold
from bounds.language.part import Of
from bounds.language.statement import Statement
from bounds.solve import list_binding
from bounds.solve.minimum import minimise
from bounds.solve.problem import make
from bounds.solve.quotient import Quotient, divide
from verify.matching.constants.constants import parts_of
from verify.planning.chosen import guess_own_start
from verify.planning.numbers import LENGTHS, numbers
from verify.planning.task import NotPlanned, Task
from verify.privacy.accountants import Accountant
from verify.privacy.mechanism import Full

SURE: Final = (
    1e-3  # beyond what is known without a run: far above the accuracy of the minimum and of the noise
)
ROUNDED: Final = 1e-5  # an accountant's noise has six digits


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Least:
    """No choice of `names` is better than `share` of the free bound; `binding` is at its limit there."""

    share: float
    names: tuple[str, ...]
    binding: tuple[Checked, ...]


def find_least(
    statement: Statement,
    task: Task,
    given: Mapping[str, float],
    evaluation: Evaluation,
    free: FreeBound,
    chosen: Sequence[str],
) -> Least | None:
    """None where some choice may be informative, or where this does not decide it."""
    parts = parts_of(statement.notation, Of.SETTING)
    lengths = [name for name, part in parts.items() if part.name in LENGTHS and name in evaluation.inputs]
    fixed = {n: float(v) for n, v in evaluation.inputs.items() if n not in {*lengths, *chosen}}
    if not lengths or given.keys() & {*lengths} or guess_own_start(statement, task, given):
        return None  # what is measured at a setting is another number at another one
    if not _counts_alike(statement, task, given, fixed):
        return None
    assert free.value is not None
    names = (*chosen, *lengths)
    quotient = divide(statement, frozenset(fixed), names)
    weighed = statement if quotient is None else quotient.statement
    if _depends(statement, free, quotient, fixed, names):
        return None  # another choice has another free bound
    problem = make(weighed, fixed, names)
    if not problem.convex(names):
        return None
    found = minimise(problem, convex=False)  # of many starts: one that ends early would be no lower end
    if found is None or free.value <= 0:
        return None
    share = found.value * (1.0 if quotient is None else _coefficient(weighed, evaluation)) / free.value
    if share <= 1 + SURE:
        return None
    return Least(share=share, names=names, binding=list_binding(problem.checked(found.at)))


def _depends(
    statement: Statement,
    free: FreeBound,
    quotient: Quotient | None,
    fixed: Mapping[str, float],
    names: Sequence[str],
) -> bool:
    """Whether the free bound, less the coefficient that the left side has too, takes what is chosen."""
    assert free.expression is not None
    constant = free.expression if quotient is None else free.expression / quotient.coefficient
    return bool(names_in(unfold(constant, substitution(statement, frozenset(fixed)))) & {*names})


def _coefficient(weighed: Statement, evaluation: Evaluation) -> float:
    return float(evaluation.value) / float(weighed.evaluate(**evaluation.inputs).value)


def _counts_alike(
    statement: Statement, task: Task, given: Mapping[str, float], fixed: Mapping[str, float]
) -> bool:
    """Whether another number of rounds changes nothing else that is known: the root of the rounds is exact
    for the exact accountant alone.
    """
    target = task.target
    if target is not None and not (isinstance(task.sampling, Full) and target.accountant is Accountant.EXACT):
        return False
    for rounds in (1, 10 * task.rounds, 1000 * task.rounds):
        try:
            known = numbers(statement, replace(task, rounds=rounds), given)
        except NotPlanned:
            return False
        if not all(isclose(known.get(n, v), v, rel_tol=ROUNDED) for n, v in fixed.items()):
            return False
    return True
