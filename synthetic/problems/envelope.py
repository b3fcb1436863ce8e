"""Clients that are lower envelopes of bowls, tilted: among them are the worst functions of many methods.

f_i(x) = <t_i, x> + m/2 ||x||^2 + e_i(x), where with l = L - m

    e_i(x) = min over weights a >= 0 with sum 1 of sum_q a_q h_iq + l/2 ||x - sum_q a_q b_iq||^2.

e_i is the infimal convolution of l/2 ||x||^2 with a convex polyhedral function, so it is convex and l-smooth
whatever the bottoms b_iq and the heights h_iq are. The first bottom of every client is 0, at the height 0,
and no height is below it: so m/2 ||x||^2 + e_i is at least 0, which it is at x = 0. The tilts t_i add up to
0: the mean of the clients has the minimum 0, at x = 0, and grad f_i(0) = t_i.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from synthetic.arguments import positive
from synthetic.certified import rationals
from synthetic.certified.facts import Constant, Facts, exactly, joined
from synthetic.certified.rationals import dot
from synthetic.engine.arithmetic import Array, as_numbers, like
from synthetic.errors import BadShape, BadValue
from synthetic.problem import Problem, per_client
from synthetic.problems._through_points import ThroughPoints


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Envelope(Problem):
    """`untilted` clients, and the tilts (n, d)."""

    untilted: ThroughPoints
    tilts: Array

    @property
    def clients(self) -> int:
        return self.untilted.clients

    @property
    def dimension(self) -> int:
        return self.untilted.dimension

    def client_values(self, points: Array) -> Array:
        rows = per_client(points, self.clients, self.dimension)
        along = (rows * like(self.tilts, points)[:, None]).sum(-1)
        return self.untilted.client_values(points) + along

    def client_gradients(self, points: Array) -> Array:
        return self.untilted.client_gradients(points) + like(self.tilts, points)[:, None]

    def client_value(self, client: int, points: Array) -> Array:
        untilted = self.untilted.client_value(client, points)
        return untilted + (points * like(self.tilts, points)[client]).sum(-1)

    def client_gradient(self, client: int, points: Array) -> Array:
        return self.untilted.client_gradient(client, points) + like(self.tilts, points)[client]

    def minimiser(self) -> Array:
        return np.zeros(self.dimension)

    def minimum(self) -> float:
        return 0.0

    def facts(self) -> Facts:
        return Facts(
            clients=self.clients,
            dimension=self.dimension,
            convex=True,
            quadratic=False,
            smoothness=self.untilted.smoothness,
            strong_convexity=self.untilted.curvature,
            lipschitz=None,
            bounded_below=True,  # e_i grows as l/2 times the squared distance to its bottoms
            bounded_gradient_divergence=False,
            minimum_attained=True,
        )

    def constants(self) -> dict[str, Constant | None]:
        smoothness, curvature = self.untilted.smoothness, self.untilted.curvature
        squares = [dot(t, t) for t in map(rationals.to_vector, self.tilts)]
        return {
            "smoothness": _bound_above(smoothness),
            "mean_smoothness": _bound_above(smoothness),
            "client_smoothness": joined([_bound_above(smoothness)] * self.clients),
            "strong_convexity": _bound_below(curvature),
            "client_strong_convexity": _bound_below(curvature),
            "lipschitz": None,
            **self._minima(),
            "minimum": exactly(0.0),
            "minimiser": exactly((0.0,) * self.dimension),
            "client_gradient_norms_at_minimiser": joined(
                [rationals.constant(*rationals.root_bounds(square), exact=False) for square in squares]
            ),
            "mean_squared_client_gradient_at_minimiser": rationals.point(
                rationals.mean(squares), exact=False
            ),
        }

    def _minima(self) -> dict[str, Constant | None]:
        """The minima of the clients are known where none is tilted."""
        zeros = None if self.tilts.any() else exactly((0.0,) * self.clients)
        zero = None if zeros is None else exactly(0.0)
        return {
            "client_minima": zeros,
            "client_gaps_at_minimiser": zeros,
            "infimum_gap": zero,
            "largest_client_gap_at_minimiser": zero,
        }


def _bound_above(number: float) -> Constant:
    return Constant(value=number, lower=None, upper=number, provenance="enclosed")


def _bound_below(number: float) -> Constant:
    return Constant(value=number, lower=number, upper=None, provenance="enclosed")


def envelope(
    *, bottoms: object, heights: object, tilts: object, smoothness: float, curvature: float = 0.0
) -> Envelope:
    """Checked constructor: bottoms (n, m, d), heights (n, m), tilts (n, d)."""
    positive("smoothness", smoothness)
    if not 0 <= curvature < smoothness:
        raise _wrong("curvature", curvature, "at least 0, and below the smoothness")
    places, ups, turns = (as_numbers(given, exact=False) for given in (bottoms, heights, tilts))
    shape = places.shape
    if len(shape) != 3 or 0 in shape or ups.shape != shape[:2] or turns.shape != (shape[0], shape[2]):
        raise BadShape(
            asked="an envelope",
            failed="the shapes do not fit",
            found=(shape, ups.shape, turns.shape),
            needed="(n, m, d), (n, m) and (n, d)",
            change="give a bottom, and its height, for each bowl of each client, and a tilt for each client",
        )
    if places[:, 0].any() or ups[:, 0].any() or (ups < 0).any():
        raise _wrong("heights", ups.tolist(), "first bottoms of 0 at the height 0, and no height below it")
    if any(sum(map(Fraction, column.tolist())) for column in turns.T):
        raise _wrong("tilts", turns.tolist(), "vectors that add up to 0 exactly")
    untilted = ThroughPoints(
        supports=places, costs=ups, smoothness=float(smoothness), curvature=float(curvature), lowest=0.0
    )
    return Envelope(untilted=untilted, tilts=turns)


def _wrong(what: str, found: object, needed: str) -> BadValue:
    return BadValue(
        asked=f"the {what} of an envelope",
        failed="the minimum would not be known",
        found=found,
        needed=needed,
        change="change them",
    )
