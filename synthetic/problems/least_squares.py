"""Least squares: (w.x - y)^2/2 plus l2/2 ||w||^2, a quadratic that is known by its samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from synthetic.arguments import at_least, integer_at_least
from synthetic.certified.enclosures import Ball
from synthetic.data.samples import samples
from synthetic.engine.arithmetic import Array, as_numbers
from synthetic.problems.linear_models.model import LinearModel
from synthetic.problems.linear_models.ridge import Ridge


@final
@dataclass(frozen=True, slots=True)
class HalfSquare:
    curvature = 1.0
    steepness = 0.0
    third_derivative = 0.0
    largest_slope = None

    def slope_radius(self, outputs: int) -> float | None:
        return None

    def shown_curvature(self, outputs: int, *, intercept: bool) -> float:
        return 1.0

    def values(self, scores: Array, answers: Array) -> Array:
        errors = scores - answers
        return (errors * errors).sum(axis=-2) / 2

    def slopes(self, scores: Array, answers: Array) -> Array:
        return scores - answers

    def curvatures(self, slopes: Array, answers: Array) -> Array:
        return np.ones((1, *answers.shape))

    def enclosed_values(self, scores: Ball, answers: Array) -> Ball:
        errors = scores - answers
        return (errors * errors * 0.5).sum(axis=-2).clip(0.0)

    def enclosed_slopes(self, scores: Ball, answers: Array) -> Ball:
        return scores - answers

    def margins(self, scores: Ball, answers: Array) -> None:
        return None

    def margin_rows(self, features: Array, answers: Array) -> Any:
        return None

    def idle_scores(self, answers: Array) -> Array:
        return np.zeros(1, dtype=bool)

    def flat_directions(self, outputs: int) -> Array:
        return np.zeros((1, 1))


def least_squares(features: Sequence[object], targets: Sequence[object], *, l2: float = 0.0) -> LinearModel:
    """One (m_i, d) and one (m_i,) per client."""
    at_least("l2", l2, 0)
    answers = [as_numbers(block, exact=False)[None] for block in targets]
    return LinearModel(
        samples=samples(features, answers), loss=HalfSquare(), penalty=Ridge(strength=float(l2))
    )


def small(
    *,
    clients: int = 5,
    samples: int = 20,
    dimension: int = 4,
    heterogeneity: float = 1.0,
    noise: float = 0.5,
    l2: float = 0.0,
    seed: int = 0,
) -> LinearModel:
    """Normal features; targets from a linear law per client, spread by the heterogeneity, plus noise."""
    integer_at_least("clients", clients, 1)
    integer_at_least("samples", samples, 1)
    integer_at_least("dimension", dimension, 1)
    at_least("heterogeneity", heterogeneity, 0)
    at_least("noise", noise, 0)
    integer_at_least("seed", seed, 0)
    random = np.random.default_rng(seed)
    truth = random.standard_normal(dimension)
    features, targets = [], []
    for _ in range(clients):
        rows = random.standard_normal((samples, dimension))
        law = truth + heterogeneity / 2 * random.standard_normal(dimension)
        features.append(rows)
        targets.append(rows @ law + noise * random.standard_normal(samples))
    return least_squares(features, targets, l2=l2)
