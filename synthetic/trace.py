"""What a run leaves behind, and the recorder that writes it round by round."""

from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from synthetic.arithmetic import Array, is_exact, norm, squared_norm
from synthetic.problems.interface import Problem

NEVER = -1


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """Measurements of a run: arrays whose first axis is the replicate.

    `diverged_round` (R,) is the first round at which the state or a measurement was not finite, or NEVER;
    from that round on every measurement of the replicate is +inf, and the replicate is never dropped.
    `final_state` (R, d) is the last iterate as the arithmetic left it.
    """

    algorithm: str
    replicates: int
    measurements: dict[str, Array]
    diverged_round: NDArray[np.int64]
    final_state: Array


@final
@dataclass(slots=True, kw_only=True)
class Recorder:
    """Mutable on purpose: it fills while the run goes on, and `finish` freezes it."""

    replicates: int
    diverged_round: NDArray[np.int64] = field(init=False)
    columns: dict[str, list[Array]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.diverged_round = np.full(self.replicates, NEVER, dtype=np.int64)

    def _mark(self, round: int, values: Array) -> None:
        """The state need not be looked at: where it is not finite, neither is its distance."""
        if not is_exact(values):
            bad = ~np.isfinite(values).reshape(self.replicates, -1).all(axis=1)
            self.diverged_round[bad & (self.diverged_round == NEVER)] = round

    def note(self, round: int, measured: dict[str, Array]) -> None:
        """Append one round; all are checked first, so that a diverged round keeps no finite measurement."""
        for values in measured.values():
            self._mark(round, values)
        gone = self.diverged_round != NEVER
        for name, values in measured.items():
            kept = values
            # draws (booleans) are not measurements: which clients took part stays true after divergence
            if gone.any() and values.dtype == np.float64:
                kept = values.copy()
                kept[gone] = np.inf
            self.columns.setdefault(name, []).append(kept)

    def finish(self, algorithm: str, final_state: Array) -> Trace:
        measurements = {name: np.stack(column, axis=1) for name, column in self.columns.items()}
        return Trace(
            algorithm=algorithm,
            replicates=self.replicates,
            measurements=measurements,
            diverged_round=self.diverged_round,
            final_state=final_state,
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Yardstick:
    """A problem with its optimum at hand, so that a run computes the optimum once."""

    problem: Problem
    minimiser: Array
    minimum: object
    client_values: Array

    def of_state(self, points: Array) -> dict[str, Array]:
        gradient = self.problem.gradient(points)
        measured = {
            "gap": self.gap(points),
            "squared_distance": squared_norm(points - self.minimiser),
            "gradient_norm": norm(gradient),
        }
        if is_exact(points):
            # the norm above is rounded to float64; its square is not
            measured["squared_gradient_norm"] = squared_norm(gradient)
        return measured

    def gap(self, points: Array) -> Array:
        return without_rounding(self.problem.value(points) - self.minimum, self.minimum)

    def client_gap(self, points: Array) -> Array:
        """Client value minus its value at the minimiser of the mean, (R, n); may be negative."""
        values = [self.problem.client_value(client, points) for client in range(self.problem.clients)]
        gaps: Array = np.stack(values, axis=1) - self.client_values
        return gaps


def yardstick(problem: Problem) -> Yardstick:
    minimiser = problem.minimiser()
    values = [problem.client_value(client, minimiser[None, :]) for client in range(problem.clients)]
    return Yardstick(
        problem=problem, minimiser=minimiser, minimum=problem.minimum(), client_values=np.concatenate(values)
    )


def without_rounding(gaps: Array, minimum: object) -> Array:
    """A gap below zero by rounding alone is zero; a larger negative one is a defect and stays visible."""
    if is_exact(gaps):
        return gaps
    tolerance = 1e-12 * max(1.0, abs(float(minimum)))  # type: ignore[arg-type]  # float or Fraction
    return np.where((gaps < 0) & (gaps > -tolerance), 0.0, gaps)
