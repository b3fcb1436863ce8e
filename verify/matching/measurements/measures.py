"""Measures that a run is asked for beyond what its algorithm measures: of its states, and of other measures.

An algorithm from outside measures its iterates alone. What a statement says of clients that start from one,
such as their updates, whether they take part or not, is computed here from the iterate and from what the
algorithm is told. Axes are those of a trace: replicate, round, and client where there is one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from synthetic.algorithms._common import local_updates
from synthetic.companion import companions
from synthetic.engine.client_vectors import lengths
from synthetic.engine.trace import Trace
from synthetic.measures import yardstick
from synthetic.problem import Problem
from synthetic.run import runnable
from verify.matching.constants import certified
from verify.matching.measurements.weights import Weights

Floats = NDArray[np.float64]
# The factor of C_hat/L ||grad f_i(w)|| in Theorem 3 of DP-FedAvg, as its proof has it.
LEAST: Final = 3 / 16 * sqrt(7 / 32)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A trace, and what is needed to say more of it than it holds."""

    trace: Trace
    problem: Problem
    listed: Mapping[str, Any]
    seed: int
    stream: str
    weights: Weights = field(default_factory=dict)

    def __call__(self, name: str) -> Floats:
        found = self.trace.measurements.get(name)
        if found is None:
            found = self._make(*DERIVED[name]) if name in DERIVED else self._measure_states(name)
        return np.asarray(found, dtype=np.float64)

    def _make(self, parts: tuple[str, ...], how: Callable[..., Floats]) -> Floats:
        """Infinite where a part is not finite: a mask would leave a diverged round out."""
        seen = [self(name) for name in parts]
        finite = np.logical_and.reduce([np.isfinite(values) for values in seen])
        return np.where(finite, how(self, *seen), np.inf)

    def _measure_states(self, name: str) -> Floats:
        """Infinite where the state is not finite, as every measure of a trace is."""
        found = OF_STATES[name](self)
        places = slice(-1, None) if name in DRAWING else slice(found.shape[1])
        states = np.asarray(self.states, dtype=np.float64)[:, places]
        finite = np.asarray(np.isfinite(states).all(axis=-1))
        return np.where(finite.reshape(*finite.shape, *[1] * (found.ndim - 2)), found, np.inf)

    @property
    def threshold(self) -> float:
        """The length from which updates are cut, or to which they are scaled."""
        return float(self.listed["clip_threshold" if "clip_threshold" in self.listed else "update_length"])

    @property
    def states(self) -> Floats:
        states: Floats = self.trace.measurements["state"]
        return states

    def of_rounds(self, measure: Callable[[Floats], Floats]) -> Floats:
        """`measure` of the state before each round."""
        points = self.states
        return np.stack([measure(points[:, k]) for k in range(points.shape[1] - 1)], axis=1)


def requests(algorithm: str, measured: str) -> tuple[str, ...] | None:
    """What a run of the algorithm has to record for a measure; None where it cannot be had."""
    listing = runnable(algorithm)
    if measured in (*listing.observables, *listing.on_request):
        return (measured,)
    if measured in DERIVED:
        parts = [requests(algorithm, name) for name in DERIVED[measured][0]]
        return None if None in parts else tuple(name for part in parts if part for name in part)
    return ("state",) if measured in OF_STATES else None


def _update_norms(seen: Seen) -> Floats:
    """||u|| with u = (w - w_E)/step after E full-gradient steps of every client from w."""
    step, steps = float(seen.listed["local_step"]), int(seen.listed["local_steps"])
    return seen.of_rounds(lambda w: lengths(local_updates(seen.problem, w, step=step, steps=steps)).T)


def _slopes(seen: Seen) -> Floats:
    replicates, rounds, dimension = seen.states[:, :-1].shape
    gradients = seen.problem.client_gradients(seen.states[:, :-1].reshape(-1, dimension))
    return np.asarray(np.sqrt((gradients**2).sum(axis=-1)).T.reshape(replicates, rounds, -1))


def _above_client_minima(seen: Seen) -> Floats:
    """f less the mean of the clients' minima, which is below its own minimum by the gap of the infima."""
    below = certified.upper(seen.problem, "infimum_gap")
    gap = yardstick(seen.problem).gap
    return np.stack([gap(w) for w in np.moveaxis(seen.states, 1, 0)], axis=1) + below


def _from_companion(seen: Seen) -> tuple[Floats, Floats]:
    """The last states, and the companion of each after the steps of one round from the first."""
    listed, points = seen.listed, seen.states
    companion_points = companions(
        seen.problem,
        points[:, 0],
        steps=int(listed["local_steps"]),
        step=float(listed["step"]),
        clip_threshold=float(listed["clip_threshold"]),
        noise_multiplier=float(listed["noise_multiplier"]),
        seed=seen.seed,
        stream=f"{seen.stream}/companion",
    )
    return points[:, -1], companion_points


def _distance(seen: Seen) -> Floats:
    last, companion = _from_companion(seen)
    return np.asarray(np.linalg.norm(last - companion, axis=1)[:, None])


def _value_difference(seen: Seen) -> Floats:
    last, companion = _from_companion(seen)
    return np.asarray(np.abs(seen.problem.value(last) - seen.problem.value(companion))[:, None])


# Beside the run these draw numbers of their own.
DRAWING: Final = ("distance_to_auxiliary", "value_difference_to_auxiliary")
OF_STATES: Final[Mapping[str, Callable[[Seen], Floats]]] = {
    "client_update_norm": _update_norms,
    "client_gap": lambda seen: seen.of_rounds(yardstick(seen.problem).client_gap),
    "client_slope": _slopes,
    "gap_to_client_minima": _above_client_minima,
    "distance_to_auxiliary": _distance,
    "value_difference_to_auxiliary": _value_difference,
}


def _heterogeneity(seen: Seen) -> Floats:
    return np.array(certified.uppers(seen.problem, "client_gaps_at_minimiser"))


def _gain(seen: Seen, norms: Floats) -> Floats:
    """The factor that stretches a short update to the threshold; 0 for the others."""
    with np.errstate(divide="ignore"):
        return np.where(norms <= seen.threshold, seen.threshold / norms, 0.0)


def _least(seen: Seen, slopes: Floats, gaps: Floats) -> Floats:
    scale = LEAST * seen.threshold / int(seen.listed["local_steps"])
    return np.minimum(gaps, scale / certified.upper(seen.problem, "smoothness") * slopes)


_NORM, _GAP = "client_update_norm", "client_gap"
# The measures that each is made of, and how.
DERIVED: Final[Mapping[str, tuple[tuple[str, ...], Callable[..., Floats]]]] = {
    "unclipped_share": ((_NORM,), lambda seen, norms: (norms <= seen.threshold).astype(np.float64)),
    "unclipped_client_gap": (
        (_NORM, _GAP),
        lambda seen, norms, gaps: np.where(norms <= seen.threshold, gaps, 0.0),
    ),
    "clipped_update_norm": (
        (_NORM,),
        lambda seen, norms: np.where(norms <= seen.threshold, 0.0, norms),
    ),
    "unclipped_client_heterogeneity": (
        (_NORM,),
        lambda seen, norms: np.where(norms <= seen.threshold, _heterogeneity(seen), 0.0),
    ),
    "unclipped_scaled_client_gap": (
        (_NORM, _GAP),
        lambda seen, norms, gaps: _gain(seen, norms) * gaps,
    ),
    "unclipped_scaled_client_heterogeneity": (
        (_NORM,),
        lambda seen, norms: _gain(seen, norms) * _heterogeneity(seen),
    ),
    "least_of_gap_and_gradient": (("client_slope", _GAP), _least),
}
