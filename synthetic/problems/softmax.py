"""Softmax regression: log(sum_c exp(w_c.x)) - w_y.x over k classes, plus l2/2 ||W||^2.

With p the probabilities, the slopes in the scores are p - e_y and their Hessian is diag(p) - p p^T. The
variance of u under p is at most (max u - min u)^2/4 <= ||u||^2/2, so its eigenvalues are at most 1/2, which
is approached where two classes share all the weight. Where the scores move by t, no p_c shrinks by more than
exp(min t - max t), and a variance is the least mean square about a number: the Hessian keeps that fraction.
For t = V x, max t - min t <= sqrt(2) ||V|| ||x||. Adding one vector to every w_c changes nothing. The third
derivative along u is the third central moment of u under p, at most r^3/(6 sqrt(3)) with r = max u - min u
(log_sum_exp.py has the reason), and r <= sqrt(2) ||u||.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.sparse import csr_array, vstack

from synthetic.arguments import at_least, integer_at_least
from synthetic.certified import enclosures
from synthetic.certified.enclosures import Ball
from synthetic.data.samples import samples
from synthetic.engine.arithmetic import Array, as_numbers, namespace
from synthetic.errors import BadValue
from synthetic.problems.linear_models.model import LinearModel
from synthetic.problems.linear_models.ridge import Ridge


@final
@dataclass(frozen=True, slots=True)
class Softmax:
    """Answers are columns of the identity: 1 for the class of the sample."""

    curvature = 0.5
    steepness = math.nextafter(math.sqrt(2), 2)
    third_derivative = 0.272166  # above sqrt(8)/(6 sqrt(3)) = 0.27216552...
    largest_slope = math.nextafter(math.sqrt(2), 2)

    def slope_radius(self, outputs: int) -> float:
        """The radius of p - 1/k: ||p||^2 - 1/k <= 1 - 1/k."""
        return math.sqrt(1 - 1 / outputs) * (1 + 1e-15)

    def shown_curvature(self, outputs: int, *, intercept: bool) -> float:
        # through an intercept two classes can share the weight in all samples; at score 0 all classes do
        return 0.5 if intercept else math.nextafter(1 / outputs, 0)

    def values(self, scores: Array, answers: Array) -> Array:
        module = namespace(scores)
        highest = module.amax(scores, -2)
        total = module.exp(scores - highest[..., None, :]).sum(axis=-2)
        return module.log(total) + (highest - (scores * answers).sum(axis=-2))

    def slopes(self, scores: Array, answers: Array) -> Array:
        module = namespace(scores)
        weights = module.exp(scores - module.amax(scores, -2)[..., None, :])
        return weights / weights.sum(axis=-2)[..., None, :] - answers

    def curvatures(self, slopes: Array, answers: Array) -> Array:
        chances = slopes + answers
        diagonal: Array = np.eye(answers.shape[0])[:, :, None]
        return diagonal * chances[None] - chances[:, None] * chances[None]

    def enclosed_values(self, scores: Ball, answers: Array) -> Ball:
        highest = scores.middle.max(axis=-2)
        total = enclosures.exp(scores - highest[..., None, :]).sum(axis=-2)
        own = (scores * answers).sum(axis=-2)
        losses: Ball = (enclosures.log(total) + highest - own).clip(0.0)
        return losses

    def enclosed_slopes(self, scores: Ball, answers: Array) -> Ball:
        weights = enclosures.exp(scores - scores.middle.max(axis=-2)[..., None, :])
        return (weights / weights.sum(axis=-2)[..., None, :]).clip(0.0, 1.0) - answers

    def margins(self, scores: Ball, answers: Array) -> Ball:
        """Over the other classes; 1 for the class itself."""
        own = (scores * answers).sum(axis=-2)
        return own[..., None, :] - scores + answers

    def margin_rows(self, features: Array, answers: Array) -> Any:
        outputs = answers.shape[0]
        classes = answers.argmax(axis=0)
        blocks = []
        for rival in range(outputs):
            chosen = np.flatnonzero(classes != rival)
            sides = np.zeros((len(chosen), outputs))
            sides[np.arange(len(chosen)), classes[chosen]] = 1.0
            sides[:, rival] -= 1.0
            table = sides[:, :, None] * features[chosen][:, None, :]
            blocks.append(csr_array(table.reshape(len(chosen), -1)))
        return vstack(blocks)

    def idle_scores(self, answers: Array) -> Array:
        return np.asarray(~answers.any(axis=1))

    def flat_directions(self, outputs: int) -> Array:
        return np.ones((outputs, outputs))


def softmax(
    features: Sequence[object], labels: Sequence[object], *, classes: int, l2: float = 0.0
) -> LinearModel:
    """One (m_i, d) and one (m_i,) per client; the labels are 0..classes - 1."""
    integer_at_least("classes", classes, 2)
    at_least("l2", l2, 0)
    rows = [as_numbers(block, exact=False) for block in labels]
    if not all(np.isin(block, np.arange(classes)).all() for block in rows):
        raise BadValue(
            asked="labels",
            failed="not a class",
            found=sorted({float(value) for block in rows for value in block.flat})[:20],
            needed=f"0..{classes - 1}",
            change="number the classes from 0, or raise classes",
        )
    answers = [(np.arange(classes)[:, None] == block).astype(np.float64) for block in rows]
    return LinearModel(samples=samples(features, answers), loss=Softmax(), penalty=Ridge(strength=float(l2)))


def small(
    *,
    clients: int = 4,
    samples: int = 20,
    dimension: int = 3,
    classes: int = 3,
    heterogeneity: float = 1.0,
    l2: float = 0.1,
    seed: int = 0,
) -> LinearModel:
    """Normal features; labels drawn from the model at a point per client, spread by the heterogeneity."""
    integer_at_least("clients", clients, 1)
    integer_at_least("samples", samples, 1)
    integer_at_least("dimension", dimension, 1)
    integer_at_least("classes", classes, 2)
    at_least("heterogeneity", heterogeneity, 0)
    integer_at_least("seed", seed, 0)
    random = np.random.default_rng(seed)
    truth = random.standard_normal((dimension, classes))
    features, labels = [], []
    for _ in range(clients):
        rows = random.standard_normal((samples, dimension))
        shift = heterogeneity / 2 * random.standard_normal((dimension, classes))
        # the class with the largest score plus Gumbel noise has the probabilities of the softmax
        labels.append((rows @ (truth + shift) + random.gumbel(size=(samples, classes))).argmax(axis=1))
        features.append(rows)
    return softmax(features, labels, classes=classes, l2=l2)
