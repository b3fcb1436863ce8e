"""What a run really shows of its clients' data: a noisy sum of bounded messages, once a round.

Plain facts for whoever counts privacy; nothing is counted here. A fact that no setting decides is None.
"""

import math
from dataclasses import dataclass
from functools import singledispatch
from typing import Literal, final

from synthetic.algorithms import (
    alpha_norm_ec,
    als_dpfl,
    dp_fedavg,
    dp_norm_fedavg,
    dpfl,
    fed_alpha_norm_ec,
    smoothed_dp_fedavg,
)
from synthetic.algorithms._averaging import AveragingSettings, participation_of
from synthetic.algorithms._error_feedback import Feedback
from synthetic.algorithms._noisy_steps import noise_scale
from synthetic.errors import BadValue
from synthetic.participation import Full, Participation
from synthetic.problem import Problem


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NoisySum:
    """In the scale of the sum of the messages as they are sent, before any weight or division.

    unit: whose whole contribution is bounded by `contribution`.
    deviation: per coordinate, of one noise; at the "clients" every client that takes part adds its own.
    in_the_open: what the run shows of the data besides the sum, without noise; empty where there is nothing.
    """

    unit: Literal["client"] | None
    participation: Participation | None
    placement: Literal["clients", "server"]
    deviation: float
    contribution: float | None
    rounds: int | None
    clients: int
    dimension: int
    in_the_open: str = ""


@singledispatch
def noisy_sum(settings: object, problem: Problem) -> NoisySum:
    """The noisy sum released under the settings of the algorithm that runs."""
    raise BadValue(
        asked="what is released",
        failed="an algorithm without noise",
        found=type(settings).__module__.rpartition(".")[2],
        needed="an algorithm that adds noise to what clients send",
        change="choose another algorithm",
    )


@noisy_sum.register
def _(settings: dp_fedavg.Settings, problem: Problem) -> NoisySum:
    return _describe_averaging(settings, problem, settings.clip_threshold)


@noisy_sum.register
def _(settings: dp_norm_fedavg.Settings, problem: Problem) -> NoisySum:
    return _describe_averaging(settings, problem, settings.update_length)


def _describe_averaging(settings: AveragingSettings, problem: Problem, contribution: float) -> NoisySum:
    """The average over r messages has noise sigma: one of r sigma on the sum, or sqrt(r) sigma on each."""
    r = settings.clients_per_round
    return NoisySum(
        unit="client",
        participation=participation_of(settings, problem.clients),
        placement=settings.noise_placement,
        deviation=settings.noise_scale * (r if settings.noise_placement == "server" else math.sqrt(r)),
        contribution=contribution if math.isfinite(contribution) else None,
        rounds=settings.rounds,
        clients=problem.clients,
        dimension=problem.dimension,
    )


@noisy_sum.register
def _(settings: smoothed_dp_fedavg.Settings, problem: Problem) -> NoisySum:
    return _describe_normalised(settings, problem)


@noisy_sum.register(fed_alpha_norm_ec.Settings)
@noisy_sum.register(alpha_norm_ec.Settings)
def _(settings: fed_alpha_norm_ec.Settings | alpha_norm_ec.Settings, problem: Problem) -> NoisySum:
    """The messages before they are weighted by one over the probability of taking part.

    The server's memory starts as the mean of the clients' memories: if they were given, it may tell anything
    of the data, and every step goes along it.
    """
    sentence = "the server's memory starts as the plain mean of the memories that the clients were given"
    return _describe_normalised(
        settings.feedback(), problem, in_the_open="" if settings.initial_memory is None else sentence
    )


def _describe_normalised(
    settings: Feedback | smoothed_dp_fedavg.Settings, problem: Problem, *, in_the_open: str = ""
) -> NoisySum:
    """Smoothed normalisation is shorter than 1; the server's one noise stands for as many as are expected."""
    dimension, participation = problem.dimension, settings.participation
    expected = participation.inclusion(problem.clients) * problem.clients
    one = settings.noise_scale / (math.sqrt(dimension) if settings.noise_variance == "total" else 1.0)
    return NoisySum(
        unit="client",
        participation=participation,
        placement=settings.noise_placement,
        deviation=one * (math.sqrt(expected) if settings.noise_placement == "server" else 1.0),
        contribution=1.0,
        rounds=settings.rounds,
        clients=problem.clients,
        dimension=dimension,
        in_the_open=in_the_open,
    )


@noisy_sum.register
def _(settings: dpfl.Settings, problem: Problem) -> NoisySum:
    return _describe_noisy_steps(settings, problem, settings.rounds * settings.local_steps)


@noisy_sum.register
def _(settings: als_dpfl.Settings, problem: Problem) -> NoisySum:
    sentence = "the clients' estimates of their constants, and the local steps that are chosen from them"
    return _describe_noisy_steps(settings, problem, None, in_the_open=sentence)


def _describe_noisy_steps(
    settings: dpfl.Settings | als_dpfl.Settings, problem: Problem, steps: int | None, *, in_the_open: str = ""
) -> NoisySum:
    """The listing clips record by record; this run clips the mean over all records at once.

    So no record is bounded by itself, and what was drawn is always everything.
    """
    return NoisySum(
        unit=None,
        participation=Full(),
        placement="clients",
        deviation=noise_scale(settings) / settings.batch_size,
        contribution=None,
        rounds=steps,
        clients=problem.clients,
        dimension=problem.dimension,
        in_the_open=in_the_open,
    )
