"""How long and how spread samples are, and what that says of the slopes of a linear model.

Slopes of a sample lie within rho of their values at scores 0. So for any weights c_j, positive or not, the
norm of sum_j c_j slope_j x_j^T is at most its norm at 0 plus rho times the smaller of sum_j |c_j| ||x_j||
and, by Cauchy-Schwarz, of (sum_j |c_j|)^(1/2) lam_max(sum_j |c_j| x_j x_j^T)^(1/2). The weights p_ij bound
gradients; p_ij minus 1/n of everyone's weights bound the divergence of client i.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from synthetic.certified import enclosures
from synthetic.certified.enclosures import UNIT, Ball, ball, between
from synthetic.data.samples import Samples
from synthetic.problems.linear_models.objective import Loss


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Spread:
    """How long and how spread the samples of each client are."""

    samples: Samples
    loss: Loss

    @property
    def intercept(self) -> bool:
        first = self.samples.features[0, 0]
        held = [(self.samples.of(client)[0] == first).all(axis=0) for client in range(self.samples.clients)]
        return bool((np.all(held, axis=0) & (first != 0)).any())

    @cached_property
    def weights(self) -> Ball:
        return Ball(self.samples.weights, UNIT * self.samples.weights)  # 1/m_i is rounded

    @cached_property
    def lengths(self) -> Ball:
        return enclosures.norm(ball(self.samples.features))

    @cached_property
    def mean_lengths(self) -> Ball:
        return (self.lengths * self.weights).sum(axis=-1)

    @cached_property
    def moments(self) -> Ball:
        """The A_i, (n, d, d)."""
        weighted = self.weights[..., None] * self.samples.features
        return weighted.swapaxes(-1, -2) @ self.samples.features

    @cached_property
    def largest(self) -> Ball:
        return enclosures.extreme_eigenvalues(self.moments)[1].clip(0.0)

    @cached_property
    def slopes_at_zero(self) -> Ball:
        """(n, k d)"""
        answers = self.samples.answers
        slopes = self.loss.enclosed_slopes(ball(np.zeros(answers.shape)), answers)
        rows = (slopes * self.weights[:, None]) @ self.samples.features
        shape = (self.samples.clients, -1)
        return Ball(rows.middle.reshape(shape), rows.radius.reshape(shape))

    def slope_bounds(self) -> Ball:
        """Bounds on the slopes of each client's loss part; meaningless if the slopes are unbounded."""
        radius = self.loss.slope_radius(self.samples.answers.shape[1]) or 0.0
        largest = self.loss.largest_slope or 0.0
        at_zero = enclosures.norm(self.slopes_at_zero)
        around = at_zero + radius * _smaller(self.mean_lengths, enclosures.sqrt(self.largest))
        return between(at_zero.lower, np.minimum(around.upper, (largest * self.mean_lengths).upper))

    def divergence_bounds(self) -> Ball:
        radius, n = self.loss.slope_radius(self.samples.answers.shape[1]) or 0.0, self.samples.clients
        at_zero = enclosures.norm(self.slopes_at_zero - enclosures.mean(self.slopes_at_zero))
        others = between(1 / n, np.nextafter(1 / n, 1))
        own = 1.0 - 2.0 * others  # added to the share 1/n that everyone has
        lengths = own * self.mean_lengths + others * self.mean_lengths.sum(axis=0)
        total = between(0.0, (2.0 - 2.0 * others).upper)
        moments = own * self.moments + others * self.moments.sum(axis=0)
        largest = enclosures.extreme_eigenvalues(moments)[1].clip(0.0)
        reach = radius * _smaller(lengths, enclosures.sqrt(total * largest))
        return between(at_zero.lower, (at_zero + reach).upper)


def _smaller(left: Ball, right: Ball) -> Ball:
    return between(np.zeros_like(left.upper), np.minimum(left.upper, right.upper))
