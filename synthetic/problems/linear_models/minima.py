"""The infima of a linear model and of its clients, and what the clients do at the minimiser."""

from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.certified import enclosures
from synthetic.certified.enclosures import UNIT, Ball, ball, between
from synthetic.certified.facts import Constant, Value, exactly
from synthetic.data.samples import Samples
from synthetic.problems._minimum import minima, of_the_minimiser
from synthetic.problems.linear_models.objective import Loss, Minimum, Objective, Penalty

AT_MINIMISER = (
    "minimiser",
    "client_gaps_at_minimiser",
    "largest_client_gap_at_minimiser",
    "client_gradient_norms_at_minimiser",
    "mean_squared_client_gradient_at_minimiser",
)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solution:
    objectives: tuple[Objective, ...]
    minima: tuple[Minimum, ...]
    mean: Minimum


def solved(samples: Samples, loss: Loss, penalty: Penalty) -> Solution:
    objectives = []
    for client in range(samples.clients):
        features, answers, weights = samples.of(client)
        rounded = Ball(weights, UNIT * weights)
        objectives.append(
            Objective(features=features, answers=answers, weights=rounded, loss=loss, penalty=penalty)
        )
    everyone = [samples.of(client) for client in range(samples.clients)]
    shares = np.concatenate([weights for _, _, weights in everyone]) / samples.clients
    mean = Objective(
        features=np.concatenate([features for features, _, _ in everyone]),
        answers=np.concatenate([answers for _, answers, _ in everyone], axis=1),
        weights=Ball(shares, 3 * UNIT * shares),
        loss=loss,
        penalty=penalty,
    )
    return Solution(
        objectives=tuple(objectives),
        minima=tuple(penalty.lowest(objective) for objective in objectives),
        mean=penalty.lowest(mean),
    )


def constants_of_minima(solution: Solution, smoothness: Ball) -> dict[str, Constant | None]:
    """Constants at the minima; smoothness bounds how much they change between the point found and w*."""
    mean, point = solution.mean, solution.mean.point
    lows = [found.lower for found in solution.minima]
    highs = [found.upper for found in solution.minima]
    own = between(lows, highs)
    known: dict[str, Constant | None] = dict.fromkeys(AT_MINIMISER)
    if mean.attained is not False:
        gaps = _stacked([each.enclosed_value(point) for each in solution.objectives]) - own
        gradients = _stacked([each.enclosed_gradient(point) for each in solution.objectives])
        shift = ball(mean.distance or 0.0)
        near = of_the_minimiser(point, gaps, gradients, smoothness, shift=shift, descent=ball(0.0))
        known = {name: minima(near, own)[name] for name in AT_MINIMISER}
    if mean.attained is None:
        # what the clients do at a point that is only believed to be the minimiser proves nothing
        known = {name: constant and estimated(constant.value) for name, constant in known.items()}
    gap = between(mean.lower, mean.upper) - enclosures.mean(own)
    return {
        "minimum": enclosures.at_most(mean.upper, lower=mean.lower),
        "client_minima": enclosures.at_most(highs, lower=lows),
        # no sample's infimum is below 0, and their mean is at most the infimum of the client
        "component_infimum_gaps": enclosures.at_most(
            [mean.upper] * len(highs), lower=np.maximum((ball(mean.lower) - np.array(highs)).lower, 0.0)
        ),
        # the losses are not negative: where the mean has infimum 0, so have the clients
        "infimum_gap": exactly(0.0) if mean.upper == 0 else enclosures.constant(gap, low=0.0),
        **known,
    }


def estimated(value: Value) -> Constant:
    return Constant(value=value, lower=None, upper=None, provenance="estimated")


def _stacked(balls: list[Ball]) -> Ball:
    return Ball(np.array([each.middle for each in balls]), np.array([each.radius for each in balls]))
