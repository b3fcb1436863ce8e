"""A plan: the setting that a statement gives to a task, its bound, what is known without it, and its run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

from bounds.errors import with_article
from bounds.evaluation.evaluate import Evaluation
from bounds.evaluation.free_bound import known_before_any_run
from bounds.language.part import Of
from bounds.language.statement import Kind, Statement
from bounds.solve.quotient import list_weighing
from verify.matching.constants.constants import parts_of
from verify.planning.choose import Choice
from verify.planning.chosen import choose_numbers
from verify.planning.numbers import SAFE, counts_privacy
from verify.planning.of_records import check_draws_of_records, count_releases, protects_records
from verify.planning.simulated import (
    REPLICATES,
    SEED,
    Simulated,
    check_draws,
    count_of_records,
    count_privacy,
    refuse_unmet,
    settings_of,
    simulate,
    unmet_requirements,
)
from verify.planning.task import NotPlanned, Task, check_sampling, name_failures
from verify.planning.tuned import Tuned, tune
from verify.planning.worth import Worth, worth
from verify.privacy.guarantee import Guarantee
from verify.progress import Progress, silent


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`fixed` are the numbers that the task decides, `choice` those that the bound is smallest at.

    `given` are those of `fixed` that the user set.

    `guarantee` is counted from what a run with these `settings` releases; `uncounted` says why it is not.
    Without a problem there are no `settings`.
    """

    statement: Statement
    task: Task
    fixed: Mapping[str, float]
    given: Mapping[str, float]
    choice: Choice
    evaluation: Evaluation
    worth: Worth
    multiplier: float | None
    settings: Any
    guarantee: Guarantee | None
    uncounted: str
    simulated: Simulated | None
    tuned: Tuned | None


def plan(
    statement: Statement,
    task: Task,
    given: Mapping[str, float] | None = None,
    *,
    run: bool = True,
    search: bool = True,
    replicates: int = REPLICATES,
    seed: int = SEED,
    progress: Progress = silent,
) -> Plan:
    """Choose, evaluate, compare with doing nothing, and run; NotPlanned says what is missing."""
    _check(statement, task)
    own = dict(given or {})
    fixed, choice = _choose(statement, task, own, progress)
    parameters = {**fixed, **choice.values}
    evaluation = statement.evaluate(**parameters)
    _require_conditions(statement, evaluation)
    settings = _set_run(statement, task, parameters)
    guarantee, uncounted = _count_privacy(statement, settings, task, parameters)
    runs = {"replicates": replicates, "seed": seed}
    runnable = run and task.problem is not None
    simulated = simulate(statement, task, parameters, **runs) if runnable else None
    tunes = simulated is not None and search
    return Plan(
        statement=statement,
        task=task,
        fixed=fixed,
        given=own,
        choice=choice,
        evaluation=evaluation,
        worth=worth(statement, task, own, evaluation, choice.values, search=search),
        multiplier=task.multiplier(count_releases(statement, parameters)),
        settings=settings,
        guarantee=guarantee,
        uncounted=uncounted,
        simulated=simulated,
        tuned=tune(str(statement.algorithm), task, settings, progress=progress, **runs) if tunes else None,
    )


def _choose(
    statement: Statement, task: Task, own: Mapping[str, float], progress: Progress
) -> tuple[dict[str, float], Choice]:
    """Once more where the run has more at its start than the gradients there say, as R after local steps."""
    fixed, choice = choose_numbers(statement, task, own, progress=progress)
    unmet = unmet_requirements(statement, task, {**fixed, **choice.values})
    starts = parts_of(statement.notation, Of.START)
    least = {n: float(r.at_least) * SAFE for n, r in unmet.items() if n in starts and r.at_least is not None}
    if least and not own.keys() & least.keys():
        fixed, choice = choose_numbers(statement, task, own, least, progress)
        unmet = unmet_requirements(statement, task, {**fixed, **choice.values})
    refuse_unmet(statement, unmet)
    return fixed, choice


def _check(statement: Statement, task: Task) -> None:
    if statement.kind not in (Kind.UPPER_BOUND, Kind.RATE) or not statement.evaluable:
        raise NotPlanned(
            f"{statement.id} is {with_article(statement.kind.value)}: there is no bound to plan with"
        )
    if protects_records(statement):
        check_draws_of_records(statement, task)
    else:
        check_sampling(task)
    if task.sampling.rate != 1:  # before its noise is counted, which may be refused for another reason
        check_draws(statement, None, task)


def _require_conditions(statement: Statement, evaluation: Evaluation) -> None:
    if evaluation.applicable is False:
        failing = name_failures(evaluation) or "a condition"
        raise NotPlanned(f"{statement.id}: {failing} fails for every choice that was tried")


def _set_run(statement: Statement, task: Task, parameters: Mapping[str, float]) -> Any:
    """The settings of the run, None without a problem; the draws must be those of the task."""
    settings = None if task.problem is None else settings_of(statement, task, parameters)
    check_draws(statement, settings, task)
    return settings


def _count_privacy(
    statement: Statement, settings: Any, task: Task, parameters: Mapping[str, float]
) -> tuple[Guarantee | None, str]:
    """From what the run releases; of records from the listing, which clips each of them."""
    if protects_records(statement):
        return count_of_records(task, count_releases(statement, parameters))
    return count_privacy(settings, task)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """The right side over the coefficient that the left side multiplies the observable by."""

    observable: str
    coefficient: float
    value: float
    unit: str


def find_weights(plan: Plan) -> list[str]:
    """Chosen parameters that coefficients of the left side take."""
    return list_weighing(plan.statement, plan.fixed, tuple(plan.choice.values))


def weigh(plan: Plan) -> Weighed | None:
    """What the choice makes smallest, where that is not the right side itself."""
    quotient = plan.choice.quotient
    if quotient is None:
        return None
    value, over = float(plan.evaluation.value), plan.choice.value
    return Weighed(observable=quotient.observable, coefficient=value / over, value=over, unit=quotient.unit)


def plannable(statements: Iterable[Statement], *, private: bool = True) -> list[Statement]:
    """Bounds of whole runs, private or not: with something known at their start, and an algorithm to run."""
    from verify.matching.joined import find_runs

    def fits(s: Statement) -> bool:
        return (
            bool(known_before_any_run(s))
            and s.evaluable
            and counts_privacy(s) is private
            and not protects_records(s)  # another privacy than that of a client: not to be ranked beside it
            and find_runs(s) is not None
        )

    return [s for s in statements if fits(s)]
