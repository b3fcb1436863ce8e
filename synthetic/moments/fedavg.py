"""Exact moments of federated averaging on quadratics: local steps, gradient noise, sampled clients.

Client i moves D_i = G_i (x - c_i) + nu_i with G_i = I - (I - step A_i)^E, and nu_i has mean zero and
covariance N_i = step^2 sum over m < E of (I - step A_i)^m V_i (I - step A_i)^m, for gradient noise that is
independent over clients and steps with covariance V_i. With b_i = 1 where client i takes part, q = E b_i and
q2 = E b_i b_j,
    x+ = x - s/(n q) sum_i b_i D_i,
so with G the mean of the G_i and m_i = G_i (x - c_i) the mean of x follows x - s mean_i m_i, and
    Cov x+ = (I - s G) Cov x (I - s G) + (s/(n q))^2 E[q sum_i N_i + (q - q2) sum_i m_i m_i^T
             + (q2 - q^2) (sum_i m_i)(sum_i m_i)^T],
where E m_i m_j^T = G_i Cov x G_j + E m_i E m_j^T. The law of the noise does not matter beyond its covariance.
A round costs n d^3: meant for d up to some hundreds.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from synthetic.arguments import integer_at_least, schedule, schedule_length
from synthetic.engine.arithmetic import Array, Schedule, as_numbers, initial_state, number_like, step_at
from synthetic.moments.gradient_descent import Moments, covariance_of, identity, summary
from synthetic.participation import FixedSize, Full, Participation
from synthetic.problems.quadratic import Quadratic


def fedavg_moments(
    problem: Quadratic,
    *,
    start: object,
    rounds: int,
    local_steps: int,
    local_step: Schedule,
    participation: Participation,
    server_step: Schedule = 1,
    gradient_noise: object = 0,
) -> Moments:
    """Entry k speaks of the state after k rounds.

    gradient_noise: the variance of a coordinate, a (d, d) covariance, or one for each client, (n, d, d).
    """
    integer_at_least("rounds", rounds, 0)
    integer_at_least("local_steps", local_steps, 1)
    for name, steps in (("local_step", local_step), ("server_step", server_step)):
        schedule(name, steps)
        schedule_length(name, steps, rounds)
    mean = initial_state(start, replicates=1, dimension=problem.dimension, exact=problem.exact)[0]
    state, noise = (mean, identity(problem) * 0), _noise(gradient_noise, problem)
    chances, number = _chances(participation, problem), number_like(mean)
    passes: dict[Any, _Pass] = {}
    states = [state]
    for k in range(rounds):
        length = number(step_at(local_step, k))
        if length not in passes:
            passes[length] = _local_pass(problem, length, local_steps, noise)
        state = _round(problem, passes[length], chances, number(step_at(server_step, k)), *state)
        states.append(state)
    means, spreads = (np.stack(parts) for parts in zip(*states, strict=True))
    return summary(problem, means, spreads)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pass:
    """gains G_i and noises N_i, (n, d, d)."""

    gains: Array
    noises: Array


def _local_pass(problem: Quadratic, length: Any, steps: int, noise: Array) -> _Pass:
    shrink = identity(problem) - length * problem.hessians
    power, noises = identity(problem) + 0 * shrink, 0 * noise
    for _ in range(steps):
        noises = noises + length * length * (power @ noise @ power)
        power = power @ shrink
    return _Pass(gains=identity(problem) - power, noises=noises)


def _round(
    problem: Quadratic, local: _Pass, chances: tuple[Any, Any], step: Any, mean: Array, spread: Array
) -> tuple[Array, Array]:
    n, gains, (one, two) = problem.clients, local.gains, chances
    moved = (gains @ (mean - problem.centers)[:, :, None])[:, :, 0]
    gain, total = gains.sum(axis=0) / n, moved.sum(axis=0)
    each = (gains @ spread @ gains + moved[:, :, None] * moved[:, None, :]).sum(axis=0)
    together = n * n * (gain @ spread @ gain) + total[:, None] * total[None, :]
    drawn = one * local.noises.sum(axis=0) + (one - two) * each + (two - one * one) * together
    share, shrink = step / (n * one), identity(problem) - step * gain
    return mean - step * total / n, shrink @ spread @ shrink + share * share * drawn


def _chances(participation: Participation, problem: Quadratic) -> tuple[Any, Any]:
    """That a given client takes part, and that two given ones do."""
    n = problem.clients
    participation.inclusion(n)  # refuses more clients than there are
    if isinstance(participation, Full):
        chances = Fraction(1), Fraction(1)
    elif isinstance(participation, FixedSize):
        r = participation.count
        chances = Fraction(r, n), Fraction(r * (r - 1), n * max(1, n - 1))
    else:
        p = Fraction(participation.probability)
        chances = p, p * p
    return chances if problem.exact else (float(chances[0]), float(chances[1]))


def _noise(given: object, problem: Quadratic) -> Array:
    shape = (problem.clients, problem.dimension, problem.dimension)
    if np.asarray(given, dtype=object).shape == shape:
        return as_numbers(given, exact=problem.exact)
    return np.broadcast_to(covariance_of(given, problem), shape)
