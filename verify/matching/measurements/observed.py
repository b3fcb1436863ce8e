"""What a run says of a statement's observables, as they declare: what is measured, and of which states."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from bounds.language.quantity import Observable, Over, States
from bounds.language.statement import Statement
from synthetic.engine.disturbance import disturbed, is_disturbed
from synthetic.measures import yardstick
from synthetic.problem import Problem
from synthetic.run import run, runnable
from verify.cell import Cell
from verify.matching.linear_bound import measured_quantities
from verify.matching.measurements.exact_runs import measure_exactly
from verify.matching.measurements.means import Traced, mean_without_samples, measure_changes
from verify.matching.measurements.measurement import OF_STATES, Computed, Measurement, Sampled
from verify.matching.measurements.measures import DRAWING, Seen, requests
from verify.matching.measurements.point_rounding import rounding_of
from verify.matching.measurements.shared_runs import make_once
from verify.matching.measurements.weights import Weights, weigh
from verify.matching.run_settings import draws_nothing
from verify.matching.settings_in_place import translate_settings

Floats = NDArray[np.float64]
Observables = Mapping[str, Observable]
OfPoints = Callable[[Mapping[str, Floats]], dict[str, float]]

MEASURABLE: Final = (Over.LAST, Over.UNIFORM_ROUND, Over.SUM, Over.MINIMUM_OF_MEANS)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A run that is asked for; `told` are the settings under the names that the statement's listing has."""

    algorithm: str
    problem: Problem
    settings: Any
    listed: Mapping[str, Any]
    weights: Weights = field(default_factory=dict)


def observables_of(statement: Statement) -> dict[str, Observable]:
    known = statement.notation.observables
    return {symbol.name: known[symbol.name] for symbol in statement.symbols if symbol.name in known}


def observed_of(statement: Statement, cell: Cell) -> dict[str, Observable]:
    """The observables, and the quantities that the cell leaves to its run, which are means over rounds."""
    found = observables_of(statement)
    for name in sorted(measured_quantities(statement, cell)):
        q = statement.notation.quantities[name]
        found[name] = Observable(
            name=name,
            latex=q.latex,
            meaning=q.meaning,
            dimension=q.dimension,
            over=Over.UNIFORM_ROUND,
            measured=q.measured,
        )
    return found


def measure(
    statement: Statement, cell: Cell, settings: Any, replicates: int, seed: int, stream: str
) -> Measurement:
    """The observables on fresh runs; a run that draws no random number is made once."""
    observables, listed = observed_of(statement, cell), translate_settings(settings)
    asked = Asked(
        algorithm=cell.algorithm,
        problem=cell.build_problem(),
        settings=settings,
        listed=listed,
        weights=weigh(statement, cell, observables, listed),
    )
    return make_once(
        lambda: measured(observables, asked, replicates, seed, stream),
        algorithm=cell.algorithm,
        problem=asked.problem,
        settings=settings,
        observables=observables,
        weights=asked.weights,
        draws=(replicates, seed, stream),
    )


def measured(observables: Observables, asked: Asked, replicates: int, seed: int, stream: str) -> Measurement:
    """As `measure`, of a run that the caller describes; without sampling error where it can be computed."""
    exact = measure_exactly(observables, asked.algorithm, asked.problem, asked.settings)
    if exact is not None:
        return exact
    wanted = tuple(dict.fromkeys(r for o in observables.values() for r in _requests(asked.algorithm, o)))

    def traced(count: int) -> Seen:
        trace = run(
            asked.algorithm,
            asked.problem,
            asked.settings,
            replicates=count,
            seed=seed,
            stream=stream,
            observe=wanted,
        )
        return Seen(
            trace=trace,
            problem=asked.problem,
            listed=asked.listed,
            seed=seed,
            stream=stream,
            weights=asked.weights,
        )

    of_points = partial(_bound_change_at_points, observables, asked)
    if draws_nothing(asked.algorithm, asked.settings, asked.problem.clients):
        return _computed(observables, traced(1), traced, of_points)
    needs_no_draw = not any(o.measured in DRAWING for o in observables.values())
    if needs_no_draw:
        found = _measure_without_samples(observables, asked, traced, of_points, replicates)
        if found is not None:
            return found
    seen = traced(replicates)
    if seen.trace.drew is False and needs_no_draw:
        return _computed(observables, seen, traced, of_points)
    samples = {n: _reduced(o, seen) for n, o in observables.items()}
    return Sampled(observables=samples, rounding=of_points({n: v.mean(axis=-1) for n, v in samples.items()}))


def _measure_without_samples(
    observables: Observables, asked: Asked, traced: Traced, of_points: OfPoints, replicates: int
) -> Computed | None:
    """A measurement without sampling error: one run that draws nothing, or means that are computed."""
    if runnable(asked.algorithm).rows_followed == 1:  # one replicate costs less than many, and may be enough
        alone = traced(1)
        if alone.trace.drew is False:
            return _computed(observables, alone, traced, of_points)
    reduced = {name: partial(_reduced, o) for name, o in observables.items()}
    return mean_without_samples(asked.algorithm, asked.problem, reduced, traced, of_points, replicates)


def _bound_change_at_points(
    observables: Observables, asked: Asked, seen: Mapping[str, Floats]
) -> dict[str, float]:
    """What the roundings of the iterates may change; of several rounds where the measure is smallest."""
    problem, start = asked.problem, asked.settings.start
    lowest = float(yardstick(problem).minimum or 0.0)
    found = {}
    for n, o in observables.items():
        size, weights = float(np.min(seen[n])), np.abs(asked.weights.get(n, np.ones(1)))
        # no state's measure is larger than the sum over the smallest weight
        largest = size / float(np.min(weights, where=weights > 0, initial=np.inf))
        found[n] = float(weights.sum()) * rounding_of(o.measured, largest, problem, start, lowest)
    return found


def _requests(algorithm: str, observable: Observable) -> tuple[str, ...]:
    """What a trace has to hold; where only the last state counts, that of what is measured at once."""
    found = requests(algorithm, observable.measured) or (observable.measured,)
    only_last = observable.over is Over.LAST and found == (observable.measured,)
    return (f"{observable.measured}/last",) if only_last else found


def _reduced(observable: Observable, seen: Seen) -> Floats:
    """(replicates,), or (rounds, replicates) where a minimum over rounds is taken; means over clients."""
    last = seen.trace.measurements.get(f"{observable.measured}/last")
    if last is not None:
        return _over_clients(last)
    values = seen(observable.measured)
    if observable.over in (
        Over.LAST,
        Over.FIXED_STEP,
    ):  # a fixed step is the last one of the run that is asked
        return _over_clients(values[:, -1])
    # what a listing measures in rounds, and not at states, has no entry after the last one
    in_rounds = observable.states is States.BEFORE_A_ROUND and values.shape[1] == seen.listed.get("rounds")
    values = values if in_rounds else values[:, OF_STATES[observable.states]]
    if values.shape[1] == 0:  # no round at all: a mean or a minimum over x_0 to x_{K-1} is not defined
        values = np.full((values.shape[0], 1), np.nan)
    if observable.over is Over.SUM:
        of_rounds = values.mean(axis=2) if values.ndim == 3 else values
        return np.asarray(of_rounds @ seen.weights[observable.name])
    if observable.over is Over.MINIMUM_OF_MEANS:
        return (values.mean(axis=2) if values.ndim == 3 else values).T
    return np.asarray(values.mean(axis=tuple(range(1, values.ndim))))


def _over_clients(values: Floats) -> Floats:
    """One number for each replicate; of a single one that number."""
    return np.asarray(np.asarray(values, dtype=np.float64).reshape(len(values), -1).mean(axis=1))


def _computed(observables: Observables, seen: Seen, traced: Traced, of_points: OfPoints) -> Computed:
    """One replicate says everything; the second run, its products disturbed, what roundings may change."""
    values, once = {name: _reduced(o, seen)[..., 0] for name, o in observables.items()}, is_disturbed()
    of_sums = of_points(values)

    def roundings() -> dict[str, float]:
        if once:
            return dict.fromkeys(values, 0.0)
        with disturbed():
            moved = traced(1)
        return measure_changes(
            values, {name: _reduced(o, moved)[..., 0] for name, o in observables.items()}, of_sums
        )

    return Computed(observables=values, rounding=roundings, of_points=of_sums)
