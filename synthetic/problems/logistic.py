"""Binary logistic regression: log(1 + exp(-y w.x)) with y = -1 or 1, plus l2/2 ||w||^2.

The slope in the score is -y a with a = 1/(1 + exp(y w.x)); the curvature is a (1 - a), at most 1/4 and equal
to it at score 0. The third derivative is at most the curvature, so where the score moves by t the curvature
keeps the fraction exp(-|t|). It is a (1 - a) (1 - 2 a) up to its sign, at most 1/(6 sqrt(3)).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.sparse import csr_array

from synthetic.arguments import at_least, integer_at_least
from synthetic.certified.enclosures import LIBRARY_ULPS, UNIT, Ball, between
from synthetic.data.samples import Samples, samples
from synthetic.engine import accelerated
from synthetic.engine.arithmetic import Array, as_numbers, namespace
from synthetic.errors import BadValue
from synthetic.problems.linear_models.model import LinearModel
from synthetic.problems.linear_models.ridge import Ridge

SLACK = 4 * LIBRARY_ULPS * 2 * UNIT  # of an exp, a log1p or quotient, and sums of positive numbers


@final
@dataclass(frozen=True, slots=True)
class Logistic:
    curvature = 0.25
    steepness = 1.0
    third_derivative = 0.0962251  # above 1/(6 sqrt(3)) = 0.09622504...
    largest_slope = 1.0

    def slope_radius(self, outputs: int) -> float:
        return 0.5

    def shown_curvature(self, outputs: int, *, intercept: bool) -> float:
        return 0.25

    def values(self, scores: Array, answers: Array) -> Array:
        return _softplus(-answers * scores).sum(axis=-2)

    def slopes(self, scores: Array, answers: Array) -> Array:
        opposite = -answers
        if (shared := accelerated.tensor_on(scores)) is not None:
            scores *= opposite
            shared.sigmoid_()
            scores *= opposite
            return scores
        # -y/(1 + exp(y z)); where the exponential overflows the slope is 0, as it should be
        module = namespace(scores)
        scores *= answers
        with np.errstate(over="ignore"):
            module.exp(scores, out=scores)
        scores += 1.0
        module.divide(opposite, scores, out=scores)
        return scores

    def curvatures(self, slopes: Array, answers: Array) -> Array:
        wrong = -1.0 * answers * slopes
        return (wrong * (1.0 - wrong))[:, None]

    def enclosed_values(self, scores: Ball, answers: Array) -> Ball:
        return _increasing(_softplus, scores * -answers).sum(axis=-2)

    def enclosed_slopes(self, scores: Ball, answers: Array) -> Ball:
        return _increasing(_sigmoid, scores * -answers) * -answers

    def margins(self, scores: Ball, answers: Array) -> Ball:
        return scores * answers

    def margin_rows(self, features: Array, answers: Array) -> Any:
        return csr_array(answers.T * features)

    def idle_scores(self, answers: Array) -> Array:
        return np.zeros(1, dtype=bool)

    def flat_directions(self, outputs: int) -> Array:
        return np.zeros((1, 1))


def _softplus(scores: Array) -> Array:
    """log(1 + exp(z)) without overflow, to full relative precision."""
    value, module = -abs(scores), namespace(scores)
    if (shared := accelerated.tensor_on(value)) is not None:
        shared.exp_().log1p_()
    else:
        module.exp(value, out=value)
        module.log1p(value, out=value)
    value += scores.clip(0.0)
    return value


def _sigmoid(scores: Array) -> Array:
    """1/(1 + exp(-z)) without overflow, to full relative precision."""
    module = namespace(scores)
    small = module.exp(-abs(scores))
    return module.where(scores > 0, 1.0, small) / (1.0 + small)


def _increasing(function: Any, argument: Ball) -> Ball:
    """Enclose a positive increasing function that is computed to a few units in the last place."""
    return between(function(argument.lower) * (1 - SLACK), function(argument.upper) * (1 + SLACK))


def logistic(features: Sequence[object], labels: Sequence[object], *, l2: float = 0.0) -> LinearModel:
    """One (m_i, d) and one (m_i,) per client; the labels are -1 and 1."""
    at_least("l2", l2, 0)
    return LinearModel(samples=signed(features, labels), loss=Logistic(), penalty=Ridge(strength=float(l2)))


def signed(features: Sequence[object], labels: Sequence[object]) -> Samples:
    """Samples with labels -1 and 1."""
    rows = [as_numbers(block, exact=False) for block in labels]
    if not all((np.abs(block) == 1).all() for block in rows):
        raise BadValue(
            asked="labels",
            failed="not two classes",
            found=sorted({float(value) for block in rows for value in block.flat})[:5],
            needed="-1 and 1",
            change="name the classes -1 and 1",
        )
    return samples(features, [block[None] for block in rows])


def small(
    *,
    clients: int = 5,
    samples: int = 20,
    dimension: int = 4,
    heterogeneity: float = 1.0,
    l2: float = 0.1,
    seed: int = 0,
) -> LinearModel:
    """Normal features around a centre per client; labels drawn from the model at a point per client.

    heterogeneity scales the spread of the centres and of the points; 0 gives clients with one law.
    """
    features, labels = drawn(clients, samples, dimension, heterogeneity, seed)
    return logistic(features, labels, l2=l2)


def drawn(
    clients: int, samples: int, dimension: int, heterogeneity: float, seed: int
) -> tuple[list[Array], list[Array]]:
    integer_at_least("clients", clients, 1)
    integer_at_least("samples", samples, 1)
    integer_at_least("dimension", dimension, 1)
    at_least("heterogeneity", heterogeneity, 0)
    integer_at_least("seed", seed, 0)
    random = np.random.default_rng(seed)
    truth = random.standard_normal(dimension)
    features, labels = [], []
    for _ in range(clients):
        center, shift = heterogeneity / 2 * random.standard_normal((2, dimension))
        rows = center + random.standard_normal((samples, dimension))
        chance = _sigmoid(rows @ (truth + shift))
        features.append(rows)
        labels.append(np.where(random.random(samples) < chance, 1.0, -1.0))
    return features, labels
