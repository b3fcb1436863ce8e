"""Means over replicates with less variance than as many plain runs have, and by how much less.

Exact in law: the mean that is estimated is the same, whatever the gain. No verdict is made of these, because
the tests behind a verdict need independent replicates of the observable itself.

Antithetic noise: standard normals z and -z have one law, so a replicate and its mirror image have one law.
Control variate: clipped averaging on quadratics without its clipping is a linear process with exact moments.
On the same noise, value - b (linear value - its exact mean) has the mean of value for every b that does not
depend on this noise; b is fitted on a pilot run with noise of its own.
"""

from dataclasses import dataclass, replace
from math import inf
from typing import Any, Literal, final

import numpy as np

from synthetic.algorithms._averaging import participation_of
from synthetic.algorithms._common import float_step
from synthetic.algorithms.dp_fedavg import Settings as Clipped
from synthetic.arguments import whole
from synthetic.engine.arithmetic import Array, initial_state
from synthetic.engine.plan import Plan
from synthetic.engine.randomness import Place, SameReplicates
from synthetic.errors import WrongProblem, WrongSettings
from synthetic.measures import yardstick
from synthetic.moments.gradient_descent import mean_hessian
from synthetic.participation import Full
from synthetic.problems.interface import Problem
from synthetic.problems.quadratic import Quadratic
from synthetic.problems.quadratics.local_pass import gain_matrices
from synthetic.run import fitting_plan, requests_of, run, trace_of

Controlled = Literal["gap", "squared_distance", "squared_gradient_norm"]
PILOT = 128


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate:
    """mean, with its standard error and the gain, of each entry of an observable.

    gain: the variance of a mean over as many plain runs, divided by that of this mean. Measured on the runs
    themselves; below 1 it is a loss, and nan where neither varies.
    """

    mean: Array
    standard_error: Array
    gain: Array


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Mirrored(SameReplicates):
    """The same numbers with every normal negated."""

    def normals(self, place: Place, width: int, clients: int | None = None) -> Array:
        return -self.source.normals(place, width, clients)

    def uniforms(self, place: Place, width: int, clients: int | None = None) -> Array:
        return self.source.uniforms(place, width, clients)

    def array(self, data: Array) -> Array:
        return self.source.array(data)


def antithetic_mean(
    algorithm: str,
    problem: Problem,
    settings: Any,
    request: str,
    *,
    pairs: int,
    seed: int,
    stream: str,
    plan: Plan | None = None,
) -> Estimate:
    """The mean of an observable with one value per replicate, from `pairs` runs and their mirror images."""
    whole("pairs", pairs, 2)
    requests = requests_of(algorithm, problem, [settings], [request])
    chosen = fitting_plan(algorithm, problem, plan, pairs)
    blocks = list(chosen.numbers(seed=seed, stream=stream, replicates=pairs))
    one, other = (
        trace_of(algorithm, problem, settings, requests, numbers, chosen).measurements[request]
        for numbers in (blocks, [Mirrored(source=block) for block in blocks])
    )
    both = np.concatenate([one, other])
    return _estimate((one + other) / 2, both.var(axis=0, ddof=1) / 2)


def controlled_mean(
    problem: Quadratic,
    settings: Clipped,
    observable: Controlled,
    *,
    replicates: int,
    seed: int,
    stream: str,
    plan: Plan | None = None,
) -> Estimate:
    """The mean of the observable at every state of private federated averaging; every client takes part."""
    whole("replicates", replicates, 2)
    exact = linear_means(problem, settings)[observable]

    def both(name: str, count: int) -> tuple[Array, Array]:
        made = (settings, replace(settings, clip_threshold=inf))
        asked: dict[str, Any] = {"replicates": count, "seed": seed, "stream": name, "plan": plan}
        one, other = (run("dp_fedavg", problem, m, observe=[observable], **asked) for m in made)
        return one.measurements[observable], other.measurements[observable]

    factor = _slope(*both(f"{stream}/pilot", PILOT))
    values, linear = both(stream, replicates)
    # each replicate is two runs, one of them linear
    return _estimate(values - factor * (linear - exact), values.var(axis=0, ddof=1) / 2)


def linear_means(problem: Quadratic, settings: Clipped) -> dict[str, Array]:
    """E of each observable at the states 0..K of the linear process, without sampling.

    x+ = x - s (n/r) (G x - h) - s e with G, h the means of g(Q_i) and g(Q_i) c_i, and e normal with the same
    variance in each coordinate: n sigma^2/r where the clients add noise, sigma^2 where the server does. In
    the eigenvectors of G a covariance that starts at 0 stays diagonal, as long as the local step is the same.
    """
    _check_linear(problem, settings)
    n, r = problem.clients, float(settings.clients_per_round)
    share = n / r if settings.noise_placement == "clients" else 1.0
    gains = gain_matrices(problem, float_step(settings.local_step, 0), settings.local_steps)
    turned, axes = np.linalg.eigh(gains.mean(axis=0))
    pull = (gains @ problem.centers[:, :, None])[:, :, 0].mean(axis=0)
    mean = initial_state(settings.start, replicates=1, dimension=problem.dimension, exact=False)[0]
    means, spreads = [mean], [np.zeros(problem.dimension)]
    for k in range(settings.rounds):
        s = float_step(settings.local_step if settings.server_step is None else settings.server_step, k)
        mean = mean - s * n / r * (axes @ (turned * (axes.T @ mean)) - pull)
        spread = (1 - s * n / r * turned) ** 2 * spreads[-1] + s**2 * share * float(settings.noise_scale) ** 2
        means.append(mean)
        spreads.append(spread)
    return _evaluate_at_moments(problem, np.stack(means), np.stack(spreads), axes)


def _evaluate_at_moments(problem: Quadratic, means: Array, spreads: Array, axes: Array) -> dict[str, Array]:
    """The value at the mean and a trace with the covariance, as in `synthetic.moments.gradient_descent`."""
    measure, along = yardstick(problem), mean_hessian(problem) @ axes
    gradients = problem.gradient(means)
    return {
        "gap": measure.gap(means) + spreads @ (axes * along).sum(axis=0) / 2,
        "squared_distance": measure.squared_distance(means) + spreads.sum(axis=1),
        "squared_gradient_norm": (gradients * gradients).sum(axis=1) + spreads @ (along * along).sum(axis=0),
    }


def _check_linear(problem: object, settings: Clipped) -> None:
    if not isinstance(problem, Quadratic) or problem.exact:
        raise WrongProblem(
            asked="control variate",
            failed="the process without clipping is not linear with known moments",
            found=type(problem).__name__,
            needed="a quadratic problem in float64",
            change="use antithetic_mean",
        )
    everyone = isinstance(participation_of(settings, problem.clients), Full)
    starts = np.asarray(settings.start).shape
    if not everyone or isinstance(settings.local_step, tuple) or len(starts) != 1:
        raise WrongSettings(
            asked="control variate",
            failed="the moments are known for one start, one local step and every client in every round only",
            found=f"{settings.participation}, local_step {settings.local_step}, start of shape {starts}",
            needed="Full(), one number, one point",
            change="use antithetic_mean",
        )


def _slope(values: Array, control: Array) -> Array:
    """The factor with the least variance in the pilot; 0 where the control does not vary."""
    apart = control - control.mean(axis=0)
    spread = (apart * apart).sum(axis=0)
    slope: Array = (apart * values).sum(axis=0) / np.where(spread == 0, 1.0, spread)
    return slope


def _estimate(values: Array, plain_variance: Array) -> Estimate:
    variance = values.var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = plain_variance / variance
    return Estimate(mean=values.mean(axis=0), standard_error=np.sqrt(variance / len(values)), gain=gain)
