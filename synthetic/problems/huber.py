"""Radial Huber clients: a quadratic bowl of curvature L inside a ball of radius tau, a cone outside.

f_i(x) = L/2 r^2 for r <= tau and L tau r - L tau^2/2 for r > tau, with r = ||x - c_i||:
convex, L-smooth and L tau-Lipschitz on the whole space. With one client in one dimension it is the
worst case of gradient descent.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import numpy as np

from synthetic.arguments import Scalar, between, integer_at_least, positive
from synthetic.certified import rationals
from synthetic.certified.facts import Constant, Facts, Number, certified_upper, joined, single
from synthetic.certified.rationals import Vector, dot, minus
from synthetic.engine.arithmetic import (
    Array,
    as_numbers,
    exact_norm,
    holds_fractions,
    namespace,
    norm,
    on_grid,
)
from synthetic.errors import UnknownMinimum
from synthetic.problem import AroundCenters, read_centers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Huber(AroundCenters):
    """curvature L and threshold tau shared by all clients, centers (n, d)."""

    curvature: Number
    threshold: Number
    centers: Array

    @property
    def exact(self) -> bool:
        return bool(self.centers.dtype == object)

    def values_at(self, away: Array) -> Array:
        curvature, threshold = self._numbers()
        radius = exact_norm(away)
        bowl = curvature * radius * radius / 2
        cone = curvature * threshold * (radius - threshold / 2)
        return namespace(away).where(radius <= threshold, bowl, cone)

    def gradients_at(self, away: Array) -> Array:
        curvature, threshold = self._numbers()
        # inside the bowl the clip makes the quotient 1, also at the centre
        return curvature * away * (threshold / exact_norm(away)[..., None].clip(threshold))

    def minimiser(self) -> Array:
        return as_numbers(self._minimizer(), exact=self.exact)

    def minimum(self) -> Any:
        gaps = self._gaps()
        return single(rationals.point(rationals.mean(gaps), exact=self.exact).value)

    def facts(self) -> Facts:
        slope = rationals.point(self._slope(), exact=self.exact)
        return Facts(
            clients=self.clients,
            dimension=self.dimension,
            convex=True,
            quadratic=False,
            smoothness=self.curvature,
            strong_convexity=0.0,
            lipschitz=single(certified_upper("lipschitz", slope)),
            bounded_below=True,
            minimum_attained=True,
            bounded_gradient_divergence=True,
        )

    def constants(self) -> dict[str, Constant | None]:
        return dict(_known(self))

    def _constants(self) -> dict[str, Constant | None]:
        gaps, exact = self._gaps(), self.exact
        mean_gap = rationals.mean(gaps)
        slopes = [Fraction(self.curvature) ** 2 * square for square in self._away()]  # inside the bowl
        squares = [min(slope, self._slope() ** 2) for slope in slopes]
        return {
            "smoothness": rationals.point(Fraction(self.curvature), exact=exact),
            "client_smoothness": rationals.points([Fraction(self.curvature)] * self.clients, exact=exact),
            "mean_smoothness": self._mean_smoothness(),
            "strong_convexity": rationals.point(Fraction(0), exact=exact),
            "lipschitz": rationals.point(self._slope(), exact=exact),
            "minimum": rationals.point(mean_gap, exact=exact),
            "minimiser": rationals.points(self._minimizer(), exact=exact),
            "client_minima": rationals.points([Fraction(0)] * self.clients, exact=exact),
            "infimum_gap": rationals.point(mean_gap, exact=exact),
            "client_gaps_at_minimiser": rationals.points(gaps, exact=exact),
            "largest_client_gap_at_minimiser": rationals.point(max(gaps), exact=exact),
            "client_gradient_norms_at_minimiser": joined(
                [rationals.constant(*rationals.root_bounds(square), exact=exact) for square in squares]
            ),
            "mean_squared_client_gradient_at_minimiser": rationals.point(
                rationals.mean(squares), exact=exact
            ),
            **self._divergences(),
        }

    def _mean_smoothness(self) -> Constant:
        """All clients bend near the minimizer unless one is at the end of its bowl there; one always does."""
        curvature, inside = Fraction(self.curvature), self._slope() ** 2 / (2 * Fraction(self.curvature))
        least = curvature if max(self._gaps()) < inside else curvature / self.clients
        return rationals.constant(least, curvature, exact=self.exact)

    def _divergences(self) -> dict[str, Constant | None]:
        bounds = [self._divergence_bounds(client) for client in range(self.clients)]
        return {
            "client_gradient_divergence": joined([_from_above(*pair, exact=self.exact) for pair in bounds]),
            "gradient_divergence": _from_above(*rationals.mean_of_bounds(bounds), exact=self.exact),
            "mean_squared_gradient_divergence": _from_above(
                *rationals.mean_of_bounds([(low * low, high * high) for low, high in bounds]),
                exact=self.exact,
            ),
            "largest_gradient_divergence": _from_above(*rationals.maximum_of(bounds), exact=self.exact),
        }

    def _divergence_bounds(self, client: int) -> tuple[Fraction, Fraction]:
        """Bounds on sup over x of ||grad f_i(x) - grad f(x)||.

        Below: its value at the minimiser. Above: f_i and f_j are translates, so their gradients differ by at
        most L||c_i - c_j|| and by at most 2 L tau; grad f_i - grad f is the mean over j of these differences.
        """
        curvature, center = Fraction(self.curvature), self._rows()[client]
        away = minus(center, self._minimizer())
        lows = min(self._slope(), curvature * rationals.root_bounds(dot(away, away))[0])
        highs = []
        for other in self._rows():
            apart = minus(center, other)
            highs.append(min(2 * self._slope(), curvature * rationals.root_bounds(dot(apart, apart))[1]))
        return lows, rationals.mean(highs)

    def _numbers(self) -> tuple[Any, Any]:
        # float with float64, Fraction with arrays of fractions: numpy's types cannot state that pairing
        return self.curvature, self.threshold

    def _rows(self) -> list[Vector]:
        return [rationals.to_vector(center) for center in self.centers]

    def _minimizer(self) -> Vector:
        """The mean of the centers, where it is in every bowl; on a line it is known wherever it is."""
        rows, threshold = self._rows(), Fraction(self.threshold)
        mean = rationals.mean_of(rows)
        outside = any(dot(away, away) > threshold**2 for away in (minus(row, mean) for row in rows))
        return (
            [_balance([center for (center,) in rows], threshold)[0]] if self._is_line() and outside else mean
        )

    def _is_line(self) -> bool:
        return self.dimension == 1

    def _away(self) -> list[Fraction]:
        """Squared distances of the centers from the minimizer."""
        middle = self._minimizer()
        return [dot(away, away) for away in (minus(center, middle) for center in self._rows())]

    def _gaps(self) -> Vector:
        """f_i - f_i* at the minimizer; it is beyond a bowl on a line alone, where distances are rational."""
        curvature, threshold = Fraction(self.curvature), Fraction(self.threshold)
        return [
            curvature * threshold * (rationals.root_bounds(square)[0] - threshold / 2)
            if self._is_line() and square > threshold**2
            else curvature * square / 2
            for square in self._away()
        ]

    def _slope(self) -> Fraction:
        return Fraction(self.curvature) * Fraction(self.threshold)


# the data are read-only and a run asks for the constants one by one
@lru_cache(maxsize=32)
def _known(problem: Huber) -> dict[str, Constant | None]:
    return problem._constants()


def _from_above(low: Fraction, high: Fraction, *, exact: bool) -> Constant:
    """The value given is the upper bound: the supremum itself has no closed form."""
    if low == high:
        return rationals.point(high, exact=exact)
    upper = rationals.float_above(high)
    return Constant(value=upper, lower=rationals.float_below(low), upper=upper, provenance="enclosed")


def huber(*, curvature: Scalar, threshold: Scalar, centers: object) -> Huber:
    """Checked constructor. The mean of the centres must lie within the threshold of each of them:

    all gradients are then linear there, their mean vanishes, and the minimum is known in closed form. On a
    line the centers may lie anywhere, as long as there is one minimizer.
    """
    positive("curvature", curvature)
    positive("threshold", threshold)
    exact = holds_fractions(curvature, threshold, centers)
    number = Fraction if exact else float
    problem = Huber(
        curvature=number(curvature), threshold=number(threshold), centers=read_centers(centers, exact=exact)
    )
    _check_minimum(problem)
    return problem


def _check_minimum(problem: Huber) -> None:
    """Distances compared through the values, L/2 r^2 against L/2 tau^2: no root, no rounding."""
    if problem._is_line():
        return _check_line(problem)
    limit = Fraction(problem.curvature) * Fraction(problem.threshold) ** 2 / 2
    if max(problem._gaps()) > limit:
        raise UnknownMinimum(
            asked="minimum of a Huber problem",
            failed="the mean of the centers is too far from one of them",
            found=norm(problem.centers - problem.minimiser()).max(),
            needed=f"at most the threshold {problem.threshold}",
            change="raise the threshold or bring the centers together",
        )


def _check_line(problem: Huber) -> None:
    first, last = _balance([center for (center,) in problem._rows()], Fraction(problem.threshold))
    if first < last:
        raise UnknownMinimum(
            asked="minimum of a Huber problem",
            failed="half of the clients pull to each side everywhere between two points",
            found=f"minimizers from {float(first):g} to {float(last):g}",
            needed="one minimizer",
            change="bring a center nearer, or take an odd number of clients",
        )


def _balance(centers: list[Fraction], threshold: Fraction) -> tuple[Fraction, Fraction]:
    """The first and the last zero of the sum of x - c, each cut to the threshold, which rises with x."""
    ends = sorted({center + side * threshold for center in centers for side in (-1, 1)})
    pulls = [sum(max(-threshold, min(threshold, end - center)) for center in centers) for end in ends]
    after = next(i for i, pull in enumerate(pulls) if pull >= 0)
    before, rise = after - 1, pulls[after] - pulls[after - 1]
    first = ends[before] - (ends[after] - ends[before]) * pulls[before] / rise
    last = max(end for end, pull in zip(ends, pulls, strict=True) if pull <= 0)
    return first, max(first, last)


def worst_case_of_gradient_descent(*, smoothness: Scalar, distance: Scalar, steps: int) -> Huber:
    """One client on the line, the worst case of gradient descent.

    `steps` steps of size 1/L from x = distance end with the gap L distance^2 / (4 steps + 2), the largest
    over all convex L-smooth functions. Exact for fractions.
    """
    positive("distance", distance)
    integer_at_least("steps", steps, 0)
    exact = holds_fractions(smoothness, distance)
    threshold = (Fraction(distance) if exact else float(distance)) / (2 * steps + 1)
    return huber(curvature=smoothness, threshold=threshold, centers=[[Fraction(0) if exact else 0.0]])


def small(
    *,
    clients: int = 5,
    dimension: int = 4,
    heterogeneity: float = 0.5,
    curvature: float = 1.0,
    threshold: float = 1.0,
    seed: int = 0,
) -> Huber:
    """Random centres; the farthest is at heterogeneity * threshold from their mean (0: identical clients)."""
    integer_at_least("clients", clients, 1)
    integer_at_least("dimension", dimension, 1)
    positive("threshold", threshold)
    # short of 1, so that the rounding of the centres cannot carry one over the threshold
    between("heterogeneity", heterogeneity, 0, 0.99)
    directions = np.random.default_rng(seed).standard_normal((clients, dimension))
    directions -= directions.mean(axis=0)
    farthest = max(float(norm(directions).max()), 1e-300)
    centers = on_grid(heterogeneity * threshold / farthest * directions)
    centers[-1] = -centers[:-1].sum(axis=0)  # exact on the grid: the minimiser is the origin
    return huber(curvature=curvature, threshold=threshold, centers=centers)
