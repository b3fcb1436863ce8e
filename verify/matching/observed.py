"""What a run says of a statement's observables, as they declare: what is measured, and of which states."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bounds.language.quantity import Observable, Over, States
from bounds.language.statement import Statement
from synthetic.engine.disturbance import disturbed, is_disturbed
from synthetic.engine.trace import Trace
from synthetic.measures import yardstick
from synthetic.run import run
from verify.cell import Cell
from verify.matching.measurement import Computed, Measurement, Sampled
from verify.matching.point_rounding import rounding_of
from verify.matching.run_settings import draws_nothing, settings_of

Floats = NDArray[np.float64]

MEASURABLE: Final = (Over.LAST, Over.UNIFORM_ROUND, Over.MINIMUM_OF_MEANS)
OF_STATES: Final = {
    States.ALL: slice(None),
    States.BEFORE_A_ROUND: slice(None, -1),
    States.AFTER_A_ROUND: slice(1, None),
}


def observables_of(statement: Statement) -> dict[str, Observable]:
    known = statement.notation.observables
    return {symbol.name: known[symbol.name] for symbol in statement.symbols if symbol.name in known}


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Measurement:
    """The observables on fresh runs; a run that draws no random number is made once."""
    problem, settings = cell.build_problem(), settings_of(statement, cell)
    observables = observables_of(statement)
    requests = tuple(dict.fromkeys(_request(o) for o in observables.values()))

    def of_points(seen: dict[str, Floats]) -> dict[str, float]:
        lowest = float(yardstick(problem).minimum or 0.0)
        sizes = {n: float(np.min(values) if values.ndim else values) for n, values in seen.items()}
        start = cell.engine["start"]
        return {n: rounding_of(o.measured, sizes[n], problem, start, lowest) for n, o in observables.items()}

    def traced(count: int) -> Trace:
        return run(
            cell.algorithm,
            problem,
            settings,
            replicates=count,
            seed=seed,
            stream=stream,
            observe=requests,
        )

    if not draws_nothing(cell.algorithm, settings, problem.clients):
        trace = traced(replicates)
        if trace.drew is not False:
            seen = {n: _reduced(o, trace) for n, o in observables.items()}
            means = {n: v.mean(axis=-1) for n, v in seen.items()}
            return Sampled(observables=seen, rounding=of_points(means))
    else:
        trace = traced(1)
    return _computed(observables, trace, None if is_disturbed() else traced, of_points)


def _request(observable: Observable) -> str:
    return f"{observable.measured}/last" if observable.over is Over.LAST else observable.measured


def _reduced(observable: Observable, trace: Trace) -> Floats:
    """(replicates,), or (rounds, replicates) where a minimum over rounds is taken; means over clients."""
    seen: Floats = np.asarray(trace.measurements[_request(observable)], dtype=np.float64)
    if observable.over is Over.LAST:
        return seen.mean(axis=1) if seen.ndim == 2 else seen
    seen = seen.mean(axis=2) if seen.ndim == 3 else seen
    seen = seen[:, OF_STATES[observable.states]]
    if seen.shape[1] == 0:  # no round at all: a mean or a minimum over x_0 to x_{K-1} is not defined
        seen = np.full((seen.shape[0], 1), np.nan)
    return seen.T if observable.over is Over.MINIMUM_OF_MEANS else seen.mean(axis=1)


def _computed(observables: dict[str, Observable], trace: Trace, again: Any, of_points: Any) -> Computed:
    """One replicate says everything; the second run, its products disturbed, what roundings may change."""
    values = {name: _reduced(o, trace)[..., 0] for name, o in observables.items()}

    def roundings() -> dict[str, float]:
        if again is None:
            return dict.fromkeys(values, 0.0)
        with disturbed():
            moved = again(1)
        of_sums = of_points(values)
        found = {
            name: _difference(values[name], _reduced(o, moved)[..., 0], len(values)) + of_sums[name]
            for name, o in observables.items()
        }
        # where both runs overflow they agree; where one alone does, nothing is known
        return {name: 0.0 if np.isnan(amount) else amount for name, amount in found.items()}

    return Computed(observables=values, rounding=roundings)


def _difference(one: Floats, other: Floats, observables: int) -> float:
    """Of the smallest of several rounds, where it alone is judged; else of the round that differs most."""
    return float(abs(one.min() - other.min()) if observables == 1 else np.max(np.abs(one - other)))
