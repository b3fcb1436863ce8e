"""A bound beside a run: only on the observable that it bounds, and only with the run's own parameters.

Whatever else would be drawn might look like a counterexample, or like a success, and be neither.
"""

from collections.abc import Mapping
from dataclasses import fields
from math import isclose
from typing import Any, Final

import numpy as np

from bounds.evaluation.resolve import names_taken
from bounds.language.expression import text
from bounds.language.part import Of
from bounds.language.quantity import Over
from bounds.language.statement import Statement
from reports.errors import UnusableRun
from synthetic.participation import Full
from synthetic.problem import Problem
from synthetic.run import runnable
from verify.matching.constants.at_start import measured_at_start
from verify.matching.constants.certified import unfit
from verify.matching.constants.constants import parts_of
from verify.matching.joined import find_runs
from verify.matching.run_settings import AS_NUMBERS
from verify.planning.simulated import cell_of, settings_of
from verify.planning.task import NotPlanned, Task
from verify.privacy.mechanism import Independent

# The measure of a run that an observable is, if its notation table leaves that to the runs of the paper.
MEASURED: Final = {
    ("dp_fedavg", "gap"): "gap",
    ("fed_norm_ec", "min_gradient_norm"): "gradient_norm",
}
REDUCED: Final = {
    Over.LAST: "",
    Over.MINIMUM_OF_MEANS: "/running_minimum",
    Over.UNIFORM_ROUND: "/running_average",
}
NOT_COMPARED: Final = (
    "start",
    "rounds",
    "steps",
    "last_round",
    "noise_placement",
    "initial_memory",
    "private",
)
CLOSE: Final = 1e-9
SIX_DIGITS: Final = 1e-6  # as settings are printed, and as people type them


def check_observable(statement: Statement, drawn: str) -> None:
    """Refuse a bound of something else than what the figure shows."""
    left = statement.left
    known = statement.notation.observables
    observable = known.get(str(left)) if left is not None else None
    if observable is None:
        raise UnusableRun(
            f"{statement.id} bounds {text(left) if left is not None else 'nothing'}, not {drawn}; "
            f"`compare run {statement.id}` measures what it bounds"
        )
    measured = observable.measured or MEASURED.get((statement.paper.key, observable.name), "")
    if not measured or observable.over not in REDUCED:
        raise UnusableRun(f"{statement.id} bounds {observable.meaning}, which is no curve of a run")
    wanted = measured + REDUCED[observable.over]
    if wanted == drawn:
        return
    listing = runnable(str(statement.algorithm))
    seen = measured in (*listing.observables, *listing.on_request)
    how = f"that is --observe {wanted}" if seen else f"`compare run {statement.id}` measures it"
    raise UnusableRun(f"{statement.id} bounds {observable.meaning}, not {drawn}: {how}")


def own_values(
    statement: Statement, counted: str, given: Mapping[str, float], settings: Any, problem: Problem
) -> dict[str, float]:
    """Measures of the start and settings of the run; a measure on its unsafe side is refused."""
    taken = names_taken(statement) - {counted}
    at_start = measured_at_start(statement, problem, settings.start)
    parts = parts_of(statement.notation, Of.START)
    for name, measured in at_start.items():
        sign, side = (-1, "above") if parts[name].lower else (1, "below")
        if name in given and sign * given[name] < sign * measured * (1 - sign * CLOSE):
            raise UnusableRun(
                f"bound.{name} = {given[name]:g} is {side} {measured:.6g}, which the start of the run has"
            )
    found = {n: v for n, v in at_start.items() if n in taken and np.isfinite(v)}
    prescribed = {choice.symbol.name for choice in statement.choices}
    for name, part in parts_of(statement.notation, Of.SETTING).items():
        for setting in (part.name, AS_NUMBERS.get(part.name), part.or_else):
            value = getattr(settings, setting, None) if setting else None
            if name in taken - prescribed and isinstance(value, int | float) and name not in found:
                found[name] = float(value) - part.more
    return {name: value for name, value in found.items() if name not in given}


def check_parameters(
    statement: Statement,
    counted: str,
    values: Mapping[str, float],
    *,
    problem: str,
    arguments: Mapping[str, Any],
    built: Problem,
    settings: Mapping[str, Any],
    rounds: float,
) -> None:
    """Refuse a bound whose algorithm is not run, or is run with other settings than the bound is about."""
    own = settings[str(statement.algorithm)]
    task = Task(
        problem=problem,
        arguments=arguments,
        start=tuple(float(x) for x in own.start),
        rounds=int(rounds),
        sampling=_sampling(own, built.clients),
        target=None,
    )
    parameters = {**values, counted: rounds}
    runs = find_runs(statement)
    if runs is None:
        why = "is not joined with a run, so nothing says which settings it is about"
        raise UnusableRun(f"{statement.id} {why}")
    reason = unfit(runs.requirements(statement, cell_of(statement, task, parameters)))
    if reason is not None:
        raise UnusableRun(f"{statement.id} with other constants than those of {problem}: {reason}")
    try:
        theirs = settings_of(statement, task, parameters)
    except NotPlanned as error:
        raise UnusableRun(str(error)) from error
    for name in (field.name for field in fields(theirs) if field.name not in NOT_COMPARED):
        wanted, found = getattr(theirs, name), getattr(own, name)
        if not _same(wanted, found, built.clients):
            raise UnusableRun(
                f"{statement.id} is about {name} = {_word(wanted)}, and the run of "
                f"{statement.algorithm} has {_word(found)}: the bound says nothing of this run"
            )


def check_algorithm(statement: Statement, settings: Mapping[str, Any]) -> None:
    if statement.algorithm not in settings:
        raise UnusableRun(
            f"{statement.id} is about {statement.algorithm or 'no algorithm'}, which is not compared here"
        )


def _sampling(settings: Any, clients: int) -> Any:
    drawn = getattr(settings, "clients_per_round", clients) / clients
    participation = getattr(settings, "participation", None)
    if participation is not None:
        drawn = participation.inclusion(clients)
    return Independent(probability=float(drawn))


def _same(one: Any, other: Any, clients: int) -> bool:
    numbers = int | float
    if isinstance(one, numbers) and isinstance(other, numbers) and not isinstance(one, bool):
        return isclose(one, other, rel_tol=SIX_DIGITS, abs_tol=0.0)
    if hasattr(one, "inclusion") or hasattr(other, "inclusion"):
        everyone = [p is None or isinstance(p, Full) or p.inclusion(clients) == 1 for p in (one, other)]
        return all(everyone) or bool(one == other)
    return one is other or bool(np.all(one == other))


def _word(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
