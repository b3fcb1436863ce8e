"""What a chosen bound is worth: beside what is known without a run, and from where on it says more."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from bounds.evaluation.evaluate import Evaluation
from bounds.evaluation.free_bound import Informed, free_names, inform
from bounds.language.statement import Statement
from verify.planning.chosen import choose_numbers
from verify.planning.least import Least, find_least
from verify.planning.task import NotPlanned, Task
from verify.privacy.errors import BadRequest, Unaccountable

MOST_ROUNDS: Final = 10**7
MOST_EPSILON: Final = 64.0


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """`rounds` and `epsilon`: from where on the bound is informative, each with all else of the task kept and
    the whole numbers of the setting too; None where no value that was tried is enough. `least` is given where
    no choice and no number of rounds is.
    """

    informed: Informed
    dominating: str
    rounds: int | None
    epsilon: float | None
    searched: bool
    least: Least | None = None


def informed_at(evaluation: Evaluation, task: Task) -> Informed:
    """Compare with the free bound, which may know measures of the start besides."""
    return inform(evaluation, task.known_at_start(free_names(evaluation.statement)))


def worth(
    statement: Statement,
    task: Task,
    given: Mapping[str, float],
    evaluation: Evaluation,
    chosen: Mapping[str, float],
    *,
    search: bool,
) -> Worth:
    """Compare with the free bound; `search` tries other tasks, at the whole numbers that are `chosen`."""
    informed = informed_at(evaluation, task)
    largest = max(evaluation.terms, key=lambda name: float(evaluation.terms[name]))
    if informed.informative is not False or not search:
        return Worth(informed=informed, dominating=largest, rounds=None, epsilon=None, searched=False)

    quantities = statement.notation.quantities
    integers = {name: value for name, value in chosen.items() if quantities[name].domain.integer}

    def informs(at: Task) -> bool:
        return _informative(statement, at, {**given, **integers})

    least = find_least(statement, task, given, evaluation, informed.free, tuple(chosen))
    rounds = None
    if least is None:
        rounds = _first(lambda k: informs(replace(task, rounds=k)), task.rounds, MOST_ROUNDS)
    return Worth(
        informed=informed,
        dominating=largest,
        rounds=rounds,
        epsilon=_epsilon(informs, task),
        searched=True,
        least=least,
    )


def _informative(statement: Statement, task: Task, given: Mapping[str, float]) -> bool:
    try:
        known, chosen = choose_numbers(statement, task, given, tidy=False)
    except (NotPlanned, Unaccountable, BadRequest):
        return False
    evaluation = statement.evaluate(**{**known, **chosen.values})
    return informed_at(evaluation, task).informative is True


def _first(informs: Callable[[int], bool], low: int, most: int) -> int | None:
    """The first count that informs, by doubling and halving: beyond it the bound may rise again."""
    high = low
    while not informs(high):
        if high > most:
            return None
        low, high = high, 4 * high
    while high > low + max(1, low // 50):
        middle = (low + high) // 2
        low, high = (low, middle) if informs(middle) else (middle, high)
    return high


def _epsilon(informs: Callable[[Task], bool], task: Task) -> float | None:
    """The smallest of a few tens of values, to 2%."""
    if task.target is None:
        return None
    target = task.target
    high = target.epsilon
    while high < MOST_EPSILON:
        low, high = high, min(2 * high, MOST_EPSILON)
        if informs(replace(task, target=replace(target, epsilon=high))):
            while high > low * 1.02:
                middle = (low * high) ** 0.5
                good = informs(replace(task, target=replace(target, epsilon=middle)))
                low, high = (low, middle) if good else (middle, high)
            return high
    return None


def terms_of(evaluation: Evaluation) -> Sequence[tuple[str, float, str]]:
    """Each term with what it pays for."""
    return [
        (term.name, float(evaluation.terms[term.name]), term.pays_for) for term in evaluation.statement.terms
    ]
