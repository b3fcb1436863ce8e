"""Several algorithms on one problem, round by round: the mean over replicates and the middle 80% of them.

A bound drawn beside them is taken at every round in the quantity that counts rounds, with the constants that
are certified for the problem.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.errors import UnknownName, nearest
from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from reports.documents.units import with_unit
from reports.errors import BadAssignment, UnusableRun
from reports.inputs.feasible import check_run
from reports.inputs.problems import problem as build_problem
from reports.inputs.run_settings import divided, settings_of
from reports.plots.axis import Axis
from reports.plots.bounds_over_parameters import shared
from reports.plots.comparison import Comparison, Point, Series, series_of
from reports.plots.fitting_bound import (
    check_algorithm,
    check_observable,
    check_parameters,
    own_values,
)
from reports.plots.style import curves
from synthetic import run as run_algorithm
from synthetic.errors import Refusal
from synthetic.problem import Problem
from synthetic.run import runnable
from verify.ledger.true_form import trusted
from verify.matching.constants.constants import quantities

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OF_BOUND = "bound."
MIDDLE = (0.1, 0.9)
ROUND = "round"

# Every algorithm measures these of its state; other measures have the algorithm's own units.
UNITS = {
    "gap": "F",
    "squared_distance": "X^2",
    "gradient_norm": "F/X",
    "squared_gradient_norm": "F^2/X^2",
    "client_gap": "F",
}


def compared(
    algorithms: Sequence[str],
    problem: str,
    given: Mapping[str, Any],
    *,
    statements: Sequence[str],
    observable: str,
    replicates: int,
    seed: int,
    notes: Sequence[str] = (),
) -> Comparison:
    _check(algorithms, observable)
    of_problem, of_run, of_bound = _divide(given)
    try:
        own_settings = {name: _settings(name, algorithms, of_run) for name in algorithms}
        chosen, arguments = build_problem(problem, of_problem)
        settings = {name: settings_of(name, own, chosen) for name, own in own_settings.items()}
        counted = [_counted(word, settings, observable) for word in statements]
        runs = [_measured(name, chosen, own, observable, replicates, seed) for name, own in settings.items()]
        constants = quantities(chosen.constants(), clients=chosen.clients, dimension=chosen.dimension)
    except Refusal as error:
        raise UnusableRun(str(error)) from error
    rounds, unit = _rounds(runs), UNITS.get(observable.split("/")[0], "")
    run: dict[str, Any] = {"problem": problem, "arguments": of_problem, "built": chosen, "settings": settings}
    bounding = _bounds(counted, of_bound, constants, rounds, run)
    return Comparison(
        mode="algorithms",
        title=f"{observable} on {problem}",
        axes=(rounds,),
        label=observable.replace("/", ", ").replace("_", " "),
        unit=unit,
        series=(*runs, *bounding),
        notes=(
            *notes,
            f"{replicates} replicates, seed {seed}; band: middle 80% of the replicates",
            _describe(arguments),
            _say_last(runs, unit),
        ),
    )


def _say_last(runs: Sequence[Series], unit: str) -> str:
    """Where each run ends, the smallest mean first."""
    ends = sorted((float(series.points[-1].value or 0.0), series.name) for series in runs)
    means = [f"{name} {with_unit(f'{value:.4g}', unit)}" for value, name in ends]
    return f"after the last round, means: {', '.join(means)}"


def _check(algorithms: Sequence[str], observable: str) -> None:
    if observable.split("/")[0] == "state":
        raise UnusableRun("a state is a vector: there is no curve of it to compare")
    if len(set(algorithms)) < len(algorithms):
        raise UnusableRun("an algorithm is named twice; its runs would be the same")


def _divide(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What --set gives the problem, the algorithms and the bounds."""
    of_problem, rest = divided(given)
    of_bound = {n.removeprefix(OF_BOUND): v for n, v in rest.items() if n.startswith(OF_BOUND)}
    return of_problem, {n: v for n, v in rest.items() if not n.startswith(OF_BOUND)}, of_bound


def _rounds(runs: Sequence[Series]) -> Axis:
    longest = max(len(series.points) for series in runs)
    if longest < 2:
        raise UnusableRun("a comparison over rounds needs at least two of them")
    return Axis(name=ROUND, label=ROUND, values=tuple(float(k) for k in range(longest)))


def _describe(arguments: Mapping[str, Any]) -> str:
    return "problem: " + ", ".join(f"{name} = {value}" for name, value in arguments.items())


def _settings(algorithm: str, algorithms: Sequence[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """NAME is for every algorithm that has this setting, ALGORITHM.NAME for one and stronger."""
    fields = {name: [f.name for f in dataclasses.fields(runnable(name).settings)] for name in algorithms}
    everybodys = {field for own in fields.values() for field in own}
    out: dict[str, Any] = {}
    for name, value in given.items():
        owner, dot, setting = name.rpartition(".")
        if dot and owner not in fields:
            close = nearest(owner, [*fields, "problem", "bound"])
            raise BadAssignment(f"{name} is for {owner}, which is not compared: {close}")
        if not dot and name not in everybodys:
            raise BadAssignment(f"no algorithm here has a setting {name}; {nearest(name, everybodys)}")
        if not dot and name in fields[algorithm]:
            out.setdefault(name, value)
        if dot and owner == algorithm:
            out[setting] = value
    return out


def _measured(
    algorithm: str, problem: Problem, settings: Any, observable: str, replicates: int, seed: int
) -> Series:
    check_run(algorithm, problem, settings, replicates, round_by_round=True)
    trace = run_algorithm(
        algorithm,
        problem,
        settings,
        replicates=replicates,
        seed=seed,
        stream=f"compare {algorithm}",
        observe=[observable],
    )
    if observable not in trace.measurements:
        raise UnusableRun(f"{algorithm} measured no {observable}: the run has no round")
    values = np.asarray(trace.measurements[observable], dtype=np.float64)
    if values.ndim < 2:
        raise UnusableRun(f"{observable} is not measured round by round")
    each = values.reshape(*values.shape[:2], -1).mean(axis=2)  # over clients, where it is one per client
    # Interpolation between two infinities is none of our business: a diverged replicate is at +inf.
    low, high = np.quantile(each, MIDDLE, axis=0, method="inverted_cdf")
    points = zip(each.mean(axis=0).tolist(), low.tolist(), high.tolist(), strict=True)
    return Series(
        name=algorithm,
        kind="measured",
        label=algorithm,
        points=tuple(_point(k, *entry) for k, entry in enumerate(points)),
    )


def _point(k: int, value: float, lower: float, upper: float) -> Point:
    gone = "" if np.isfinite(value) else "a replicate has diverged"
    return Point(at=(float(k),), value=value, lower=lower, upper=upper, why=gone)


def _counted(word: str, settings: Mapping[str, Any], observable: str) -> tuple[Statement, str]:
    """ID:NAME, the statement and its quantity that counts rounds, if it bounds what is drawn."""
    identity, colon, counted = word.partition(":")
    if not colon or not counted:
        raise BadAssignment(f"--bound takes ID:NAME, NAME the quantity that counts rounds, not {word!r}")
    statement = trusted(identity, None)[0]
    if counted not in names_taken(statement):
        close = nearest(counted, names_taken(statement))
        raise UnknownName(f"{statement.id} has no quantity {counted}: {close}")
    check_algorithm(statement, settings)
    check_observable(statement, observable)
    return statement, counted


def _bound(statement: Statement, counted: str, values: Mapping[str, float], rounds: Axis) -> Series:
    quantity = statement.notation.quantities.get(counted)
    first = quantity.domain.lower if quantity is not None else 0
    counts = Axis(name=ROUND, label=ROUND, values=tuple(k for k in rounds.values if k >= first))
    evaluation = statement.evaluate(**values, **{counted: np.array(counts.values)})
    return series_of(evaluation, (counts,), name=statement.id, label=f"bound, {statement.id}")


def _bounds(
    counted: Sequence[tuple[Statement, str]],
    of_bound: Mapping[str, Any],
    constants: Any,
    rounds: Axis,
    run: Mapping[str, Any],
) -> list[Series]:
    """Every bound round by round, where the run is one that its statement speaks of."""
    if of_bound and not counted:
        raise BadAssignment(f"{OF_BOUND}{next(iter(of_bound))} is set, but no --bound is drawn")
    drawn = []
    for (statement, name), values in zip(counted, shared([s for s, _ in counted], of_bound), strict=True):
        own = own_values(statement, name, values, run["settings"][str(statement.algorithm)], run["built"])
        full = _constants(statement, constants, {*values, *own, name}) | own | values
        check_parameters(statement, name, full, rounds=rounds.values[-1], **run)
        drawn.append(_bound(statement, name, full, rounds))
    return drawn


def _constants(statement: Statement, constants: Any, given: set[str]) -> dict[str, float]:
    """The certified constants of the problem under the names of the paper, if not given otherwise."""
    offered = constants.get(statement.paper.key, {})
    wanted = names_taken(statement) - given
    return {name: o.value for name, o in offered.items() if name in wanted and o.value is not None}


def draw(comparison: Comparison, figure: "Figure") -> None:
    curves(comparison, figure)
