"""What the task decides and what the bound is smallest at, together.

An observable of an author's algorithm at the start, such as V_0 of a Lyapunov function, depends on the
settings that are chosen beside it: it is measured at the setting, and the setting chosen anew beside it.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import isclose
from typing import Final

from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from bounds.solve.free import free_parameters
from bounds.solve.integers import FEWER
from verify.matching.measurements.own_at_start import measure_own_start, own_measures
from verify.planning.choose import COUNTS, Choice, choose
from verify.planning.numbers import noise_quantity, numbers
from verify.planning.of_records import find_count
from verify.planning.simulated import cell_of
from verify.planning.task import NotPlanned, Task
from verify.progress import Progress, silent

PASSES: Final = 5
SAME: Final = 1e-6  # relative change of a measure, below which another choice would be the same


Chosen = tuple[dict[str, float], Choice]


def choose_numbers(
    statement: Statement,
    task: Task,
    given: Mapping[str, float],
    least: Mapping[str, float] | None = None,
    progress: Progress = silent,
    *,
    tidy: bool = True,
) -> Chosen:
    """The numbers that are not free, and the choice of the rest.

    Where each local step is a release of its own, their number decides the noise: both are chosen together.
    """
    count = None if task.target is None else find_count(statement)
    if count is None or count in given:
        return _choose_beside_start(statement, task, given, least, progress, tidy=tidy)
    return _choose_count(statement, task, given, count, least, tidy=tidy, progress=progress)


def _choose_count(
    statement: Statement,
    task: Task,
    given: Mapping[str, float],
    count: str,
    least: Mapping[str, float] | None,
    progress: Progress,
    *,
    tidy: bool,
) -> Chosen:
    """The best of `COUNTS`, a larger one only if it is better; the bound may rise and fall again."""
    best: Chosen | None = None
    for done, number in enumerate(COUNTS):
        progress(done, len(COUNTS), "choosing")
        at = {**given, count: float(number)}
        try:
            if best is not None and _is_no_better(statement, task, at, best, least, tidy=tidy):
                continue
            found = _choose_beside_start(statement, task, at, least, tidy=tidy)
        except NotPlanned:
            if best is None:
                raise
            break
        if best is None or found[1].value < best[1].value * (1 - FEWER):
            best = found
    progress(len(COUNTS), len(COUNTS), "choosing")
    assert best is not None
    known, choice = best
    values = {count: known.pop(count), **choice.values}
    how = f"{choice.how}, with its own noise for each of the {len(COUNTS)} values of {count} that were tried"
    if values[count] == COUNTS[-1]:
        how += f", of which the largest is the best (--set {count}= asks for more)"
    return known, replace(choice, values=values, certified=False, how=how)


def _is_no_better(
    statement: Statement,
    task: Task,
    at: Mapping[str, float],
    best: Chosen,
    least: Mapping[str, float] | None,
    *,
    tidy: bool,
) -> bool:
    """Whether the noise of a smaller count gains nothing here: more releases need more, and an accountant."""
    noise = noise_quantity(statement)
    assert noise is not None
    less = {**at, noise: best[0][noise]}
    bold = _choose_beside_start(statement, replace(task, target=None), less, least, tidy=tidy)
    return bold[1].value >= best[1].value * (1 - FEWER)


def _choose_beside_start(
    statement: Statement,
    task: Task,
    given: Mapping[str, float],
    least: Mapping[str, float] | None = None,
    progress: Progress = silent,
    *,
    tidy: bool = True,
) -> Chosen:
    """The pass with the smallest bound, where something of the start has to be measured at the setting."""
    guess, found = guess_own_start(statement, task, given), []
    for _ in range(PASSES):
        known = numbers(statement, task, given, {**(least or {}), **guess})
        choice = choose(statement, known, free_parameters(statement, known), progress, tidy=tidy)
        if not guess:
            return known, choice
        measured = measure_start(statement, task, {**known, **choice.values})
        evaluation = choice.weighed(statement).evaluate(**{**known, **choice.values, **measured})
        if evaluation.applicable is not False:
            found.append((float(evaluation.value), {**known, **measured}, choice))
        if all(isclose(measured[name], value, rel_tol=SAME) for name, value in guess.items()):
            break
        guess = measured
    if not found:
        names = ", ".join(guess)
        raise NotPlanned(f"{statement.id}: no choice was found that meets all conditions at its own {names}")
    value, known, choice = min(found, key=lambda entry: entry[0])
    how = f"{choice.how}, {', '.join(guess)} measured at the setting, which was chosen {len(found)} times"
    return known, replace(choice, value=value, certified=False, how=how)


def guess_own_start(statement: Statement, task: Task, given: Mapping[str, float]) -> dict[str, float]:
    """The example's value for every measure that only a setting has; none without a problem to measure on."""
    taken = frozenset() if task.problem is None else names_taken(statement) - given.keys()
    return {n: float(statement.example.get(n, 1.0)) for n in own_measures(statement) if n in taken}


def measure_start(statement: Statement, task: Task, parameters: Mapping[str, float]) -> dict[str, float]:
    """Observables of the author's algorithm at the start of this setting."""
    return measure_own_start(statement, cell_of(statement, task, parameters))
