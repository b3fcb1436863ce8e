"""A run of the setting: the left side of the statement as it is, and the gap round by round."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isclose, sqrt
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from bounds.language.part import Of
from bounds.language.statement import Statement
from synthetic.errors import BadValue
from synthetic.outside.problems import is_adopted
from synthetic.problem import Problem
from synthetic.releases import noisy_sum
from synthetic.run import run
from verify.cell import Cell
from verify.matching.confined import Confined
from verify.matching.constants.certified import Requirement, unfit
from verify.matching.constants.constants import parts_of
from verify.matching.declared import declared_runs
from verify.matching.joined import find_runs, get_runs
from verify.matching.linear_bound import linear_bound
from verify.matching.measurements.measurement import Measurement, Sampled
from verify.matching.privacy import Target, done, spent
from verify.matching.runs import Runs
from verify.planning.of_records import protects_records
from verify.planning.task import PLACEMENT, NotPlanned, Task
from verify.privacy.errors import Unaccountable
from verify.privacy.guarantee import Guarantee, of_noise
from verify.privacy.mechanism import FixedSize, Full, Independent, Sampling, Unit
from verify.privacy.release import Release

Floats = NDArray[np.float64]

REPLICATES: Final = 32
ENCLOSED: Final = 1e-6  # relative width of an enclosure, at most
WIDTH: Final = 2.0  # standard errors to either side: a band of about 95%
SEED: Final = 20240601
WAYS: Final[Mapping[type, str]] = {Full: "full", Independent: "independent", FixedSize: "of a fixed size"}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Means over the replicates of each round, and two standard errors to either side."""

    mean: Floats
    lower: Floats
    upper: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """`left` is the left side less what is random on the right, which the constant part bounds."""

    left: tuple[float, float, float] | None
    gap: Band
    replicates: int
    seed: int


def cell_of(statement: Statement, task: Task, parameters: Mapping[str, float]) -> Cell:
    """The setting as a cell, which says everything that a run needs."""
    table = statement.notation.quantities
    exact = {n: int(v) if table[n].domain.integer else float(v) for n, v in parameters.items()}
    problem = task.build()
    engine: dict[str, Any] = _standard(statement) | {
        "start": list(task.start),
        "clients_per_round": task.sampling.rate * problem.clients,
        "noise_placement": PLACEMENT,
        # memories that are made from the data would show it
        "initial_memory": "zero",
        "rounds": task.rounds,
    }
    if visits_components(statement):
        steps = {
            n for n, part in parts_of(statement.notation, Of.SETTING).items() if part.name == "local_steps"
        }
        engine |= dict.fromkeys(steps & engine.keys(), getattr(problem, "components", None))
    if "participants" in engine:
        engine["participants"] = problem.clients
    on_a_set = find_confined(statement, task, parameters)
    if on_a_set is not None:
        engine["reach"] = on_a_set.reach
    if "gamma" not in parameters and "gamma" in table:
        engine["gamma"] = 1.0 / (2 * float(parameters.get("L", 1.0)))
    if task.target is not None:
        engine["privacy"] = task.target.plain()
    return Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm=str(statement.algorithm),
        role="plan",
        problem=str(task.problem),
        problem_arguments=task.arguments,
        parameters=exact,
        engine=engine,
    )


def find_confined(statement: Statement, task: Task, given: Mapping[str, float]) -> Confined | None:
    """Where the runs on the problem stay, for a statement that asks something at the iterates only."""
    runs = None if task.problem is None else find_runs(statement)
    return None if runs is None else runs.confined(statement, task.build(), task.start, given)


def _standard(statement: Statement) -> dict[str, Any]:
    """Settings that the statement leaves open, as its standard runs have them."""
    cells = _standard_cells(statement)
    return dict(cells[0].engine) if cells else {}


def _standard_cells(statement: Statement) -> tuple[Cell, ...]:
    """The cells of a statement, which a plan needs at every setting that it tries."""
    cells = _make_once(runs := get_runs(statement), statement, statement.id)
    # the name of an adopted problem may mean another one by now
    return runs.cells(statement) if any(is_adopted(cell.problem) for cell in cells) else cells


@lru_cache(maxsize=64)
def _make_once(runs: Runs, statement: Statement, identity: str) -> tuple[Cell, ...]:
    return runs.cells(statement)


def visits_components(statement: Statement) -> bool:
    """Whether a local pass makes one step along each component of a client."""
    return {cell.problem.partition(".")[0] for cell in _standard_cells(statement)} == {"component_sums"}


def _check_components(statement: Statement, task: Task) -> None:
    """A local step on one component of a client needs a problem that has components."""
    if visits_components(statement) and not hasattr(task.build(), "component_gradients"):
        raise NotPlanned(f"{statement.id} is about clients that step along one component after the other")


def settings_of(statement: Statement, task: Task, parameters: Mapping[str, float]) -> Any:
    """What the algorithm is told; NotPlanned where the statement is joined with none."""
    make = _maker(statement)
    if make is None:
        raise NotPlanned(f"{statement.id} is not joined with an algorithm that can be run")
    _check_components(statement, task)
    return make(statement, cell_of(statement, task, parameters))


def unmet_requirements(
    statement: Statement, task: Task, parameters: Mapping[str, float]
) -> dict[str, Requirement]:
    """Numbers that the problem, its start or the run contradict by more than the width of an enclosure."""
    if task.problem is None or find_runs(statement) is None:
        return {}
    held = get_runs(statement).requirements(statement, cell_of(statement, task, parameters))
    return {r.parameter: r for r in held if unfit([_widened(r)]) is not None}


def refuse_unmet(statement: Statement, unmet: Mapping[str, Requirement]) -> None:
    reason = unfit([_widened(r) for r in unmet.values()])
    if reason is not None:
        raise NotPlanned(f"{statement.id} says nothing of this problem: {reason}")


def _widened(r: Requirement) -> Requirement:
    least = None if r.at_least is None else float(r.at_least) - ENCLOSED * abs(float(r.at_least))
    most = None if r.at_most is None else float(r.at_most) + ENCLOSED * abs(float(r.at_most))
    return replace(r, at_least=least, at_most=most)


def _maker(statement: Statement) -> Callable[[Statement, Cell], Any] | None:
    """Makes settings of a cell: by the runs of the paper, else by those that follow from declarations."""
    runs = (find_runs(statement), declared_runs(statement))
    return next((r.settings for r in runs if r is not None and r.settings is not None), None)


def check_draws(statement: Statement, settings: Any, task: Task) -> None:
    """NotPlanned where the run draws its clients in another way than the noise is calibrated for.

    Without a problem there are no settings: the standard runs show in which ways the statement draws.
    """
    asked = task.sampling
    if settings is None and protects_records(statement):
        return  # the sampling is that of records, each by itself
    drawn = _standard_draws(statement) if settings is None else _draws(settings, task.build())
    if not drawn or (asked.rate == 1 and (settings is None or drawn[0].rate == 1)):
        return
    if not any(_alike(one, asked, rates=settings is not None) for one in drawn):
        ways = " or ".join(
            dict.fromkeys(str(one) if settings is not None else WAYS[type(one)] for one in drawn)
        )
        raise NotPlanned(
            f"{statement.id}: the sampling of its runs is {ways}, and the one asked for is {asked}"
        )


def _alike(drawn: Sampling, asked: Sampling, *, rates: bool) -> bool:
    return type(drawn) is type(asked) and (not rates or isclose(drawn.rate, asked.rate))


def _draws(settings: Any, problem: Problem) -> list[Sampling]:
    """Nothing for an algorithm without noise."""
    try:
        drawn = done(noisy_sum(settings, problem), None).sampling
    except BadValue:
        return []
    return [] if drawn is None else [drawn]


def _standard_draws(statement: Statement) -> list[Sampling]:
    runs, make = find_runs(statement), _maker(statement)
    cells = () if runs is None or make is None else runs.cells(statement)
    return [
        d for cell in cells if make is not None for d in _draws(make(statement, cell), cell.build_problem())
    ]


def simulate(
    statement: Statement,
    task: Task,
    parameters: Mapping[str, float],
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> Simulated:
    settings, cell = settings_of(statement, task, parameters), cell_of(statement, task, parameters)
    runs = get_runs(statement)
    # not by the digest of the cell: the last digits of what is chosen differ between processors
    measured = runs.measure(statement, cell, replicates, seed, f"{statement.id}/{statement.variant}/plan")
    return Simulated(
        left=_left(statement, cell, measured),
        gap=gap_of(cell.algorithm, task.build(), settings, replicates, seed),
        replicates=replicates,
        seed=seed,
    )


def count_privacy(settings: Any, task: Task) -> tuple[Guarantee | None, str]:
    """What the run keeps, counted from what it releases; without a problem, from the noise of the plan."""
    if task.target is None:
        return None, "no privacy target was given"
    if task.problem is None:
        return _planned(task, task.target), ""
    try:
        return spent(noisy_sum(settings, task.build()), task.target), ""
    except Unaccountable as error:
        return None, str(error)


def count_of_records(task: Task, releases: int) -> tuple[Guarantee | None, str]:
    """What the listing keeps of a client's record, in so many releases a round."""
    if task.target is None:
        return None, "no privacy target was given"
    return _planned(task, task.target, releases, Unit.RECORD), ""


def _planned(task: Task, target: Target, releases: int = 1, unit: Unit = Unit.CLIENT) -> Guarantee:
    multiplier = task.multiplier(releases)
    assert multiplier is not None
    noise = Release(
        multiplier=multiplier,
        relation=target.relation,
        sampling=task.sampling,
        rounds=task.rounds * releases,
    )
    return of_noise(noise, target.delta, unit, target.accountant, implemented=task.sampling)


def _left(statement: Statement, cell: Cell, measured: Measurement) -> tuple[float, float, float] | None:
    """Estimate and two standard errors to either side; of a minimum over rounds, in its best round."""
    with np.errstate(invalid="ignore"):  # runs that diverge: infinity less infinity is no left side
        values = np.asarray(linear_bound(statement, cell).combine(measured.observables), dtype=np.float64)
    if not np.isfinite(values).all():
        return None
    error = 0.0
    if isinstance(measured, Sampled):
        if values.ndim == 2:
            values = values[int(np.argmin(values.mean(axis=1)))]
        error = float(values.std(ddof=1)) / sqrt(len(values))
        values = values.mean()
    mean = float(values.min())  # without sampling error one number, or one for each round
    return mean, mean - WIDTH * error, mean + WIDTH * error


def gap_of(algorithm: str, problem: Problem, settings: Any, replicates: int, seed: int) -> Band:
    """f(w_k) - f* in every round."""
    trace = run(
        algorithm, problem, settings, replicates=replicates, seed=seed, stream="plan", observe=["gap"]
    )
    gaps = np.asarray(trace.measurements["gap"], dtype=np.float64)
    mean = gaps.mean(axis=0)
    with np.errstate(invalid="ignore"):
        error = gaps.std(axis=0, ddof=1) / sqrt(len(gaps)) if len(gaps) > 1 else np.zeros_like(mean)
    return Band(mean=mean, lower=mean - WIDTH * error, upper=mean + WIDTH * error)
