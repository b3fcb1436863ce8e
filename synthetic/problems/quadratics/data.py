"""The problem type of quadratic clients; its constructors are in quadratic.py."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

from synthetic.arguments import index_below, inside_float64
from synthetic.certified.facts import (
    Constant,
    Facts,
    known,
    lojasiewicz_of,
    lower,
    single,
    upper,
)
from synthetic.engine.arithmetic import Array, as_numbers, inner, like
from synthetic.engine.client_vectors import ClientVectors, Summands
from synthetic.errors import BadShape
from synthetic.problem import (
    Problem,
    WithCenters,
    away_from,
    mean_gradient,
    mean_value,
    per_client,
)
from synthetic.problems.quadratics.constants import constants_of_data, exact_data
from synthetic.problems.quadratics.curvature import Curvature
from synthetic.problems.quadratics.enclosures import constants_near, near_minimiser
from synthetic.problems.quadratics.local_pass import local_updates, local_updates_in_panels

EXACT_WORK = 40_000  # n d^3, for example five clients in dimension 20: beyond, fractions take several seconds


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quadratic(WithCenters):
    """curvature of n clients on R^d, centers (n, d), offsets (n,); all in float64 or all in fractions."""

    curvature: Curvature
    centers: Array
    offsets: Array

    @property
    def exact(self) -> bool:
        return bool(self.centers.dtype == object)

    @property
    def hessians(self) -> Array:
        """All Hessians as matrices (n, d, d)."""
        return self.curvature.matrices()

    def client_value(self, client: int, points: Array) -> Array:
        return self._alone(client).client_values(points)[0]

    def client_gradient(self, client: int, points: Array) -> Array:
        return self._alone(client).client_gradients(points)[0]

    def point_gradient(self, client: int, point: Array) -> Array:
        """The gradient of one client at a single point (d,) of numpy."""
        index_below("client", client, self.clients)
        return self.curvature.times_point(client, point - self.centers[client])

    def client_values(self, points: Array) -> Array:
        away = away_from(self.centers, points)
        bowls = (away * self.curvature.times(away)).sum(axis=-1) / 2
        return bowls + like(self.offsets, bowls)[:, None]

    def client_gradients(self, points: Array) -> Array:
        return self.curvature.times(away_from(self.centers, points))

    def local_updates(self, points: Array, *, step: float | Array, steps: int) -> ClientVectors:
        """(x - T_i(x))/step for the local gradient descent T_i of every client, in closed form."""
        return local_updates(self, points, step=step, steps=steps)

    def local_updates_in_panels(self, points: Array, *, step: float | Array, steps: int) -> Summands:
        return local_updates_in_panels(self, points, step=step, steps=steps)

    def value(self, points: Array) -> Array:
        return mean_value(self, points) if self.exact else _mean(self).value(points)

    def gradient(self, points: Array) -> Array:
        return mean_gradient(self, points) if self.exact else _mean(self).gradient(points)

    def minimiser(self) -> Array:
        """The minimizer of the mean.

        If there are many: the one whose undetermined coordinates are 0 if the arithmetic is exact, else one
        near the smallest.
        """
        return _known(self).minimiser

    def minimum(self) -> Any:
        return single(known(_known(self).constants, "minimum").value)

    def constants(self) -> dict[str, Constant | None]:
        return dict(_known(self).constants)

    def facts(self) -> Facts:
        return facts_of_quadratics(self)

    def _alone(self, client: int) -> "Quadratic":
        index_below("client", client, self.clients)
        return self.chosen(slice(client, client + 1))

    def chosen(self, clients: slice) -> "Quadratic":
        """The problem of some of the clients."""
        return Quadratic(
            curvature=self.curvature.of(clients), centers=self.centers[clients], offsets=self.offsets[clients]
        )


def facts_of_quadratics(problem: Problem) -> Facts:
    constants = problem.constants()
    smoothness = upper(constants, "smoothness")
    return Facts(
        clients=problem.clients,
        dimension=problem.dimension,
        convex=True,
        quadratic=True,
        smoothness=smoothness,
        strong_convexity=lower(constants, "strong_convexity"),
        lipschitz=None if smoothness > 0 else 0.0,
        bounded_below=True,
        minimum_attained=True,
        bounded_gradient_divergence=constants["gradient_divergence"] is not None,
        lojasiewicz=lojasiewicz_of(known(constants, "client_strong_convexity")),
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mean:
    """The mean of the clients as one quadratic: level + slope y + 1/2 y^T H y, y the points less origin."""

    hessian: Callable[[Array], Array]
    origin: Array
    slope: Array
    twice_the_slope: Array
    level: float

    def value(self, points: Array) -> Array:
        away = self._away(points)
        # the whole curvature and twice the slope: halving is left to what is no longer a vector
        slopes = self.hessian(away)
        slopes += like(self.twice_the_slope, away)
        return self.level + inner(away, slopes) / 2

    def gradient(self, points: Array) -> Array:
        return self.hessian(self._away(points)) + like(self.slope, points)

    def _away(self, points: Array) -> Array:
        return per_client(points, 1, len(self.origin))[0] - like(self.origin, points)


@lru_cache(maxsize=32)
def _mean(problem: Quadratic) -> Mean:
    origin = problem.centers.mean(axis=0)
    slope = mean_gradient(problem, origin[None])[0]
    return Mean(
        hessian=problem.curvature.mean_times(),
        origin=origin,
        slope=slope,
        twice_the_slope=2 * slope,
        level=float(mean_value(problem, origin[None])[0]),
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Known:
    minimiser: Array
    constants: dict[str, Constant | None]


# the data are read-only and a run asks for the minimiser, the minimum and the constants one by one
@lru_cache(maxsize=32)
def _known(problem: Quadratic) -> Known:
    with inside_float64("a quadratic problem"):
        return _computed(problem)


def _computed(problem: Quadratic) -> Known:
    curvature, centers, offsets = problem.curvature, problem.centers, problem.offsets
    if problem.exact or is_small(*curvature.shape):
        data = exact_data(curvature.exact_matrices(), centers, offsets)
        place = as_numbers(data.minimiser, exact=problem.exact)
        return Known(minimiser=place, constants=constants_of_data(data, exact=problem.exact))
    place = as_numbers(near_minimiser(curvature, centers), exact=False)
    return Known(minimiser=place, constants=constants_near(place, curvature, centers, offsets))


def is_small(clients: int, dimension: int) -> bool:
    """Whether the constants come from exact rationals: that is, within about a second."""
    return clients * dimension**3 <= EXACT_WORK


def assembled(curvature: Curvature, centers: object, offsets: object, *, exact: bool) -> Quadratic:
    """A problem whose parts fit; without offsets every client minimum is 0."""
    middles = as_numbers(centers, exact=exact)
    shifts = as_numbers([0] * curvature.shape[0] if offsets is None else offsets, exact=exact)
    if middles.shape != curvature.shape or 0 in curvature.shape or shifts.shape != curvature.shape[:1]:
        raise BadShape(
            asked="quadratic",
            failed="shapes disagree",
            found=f"Hessians for (n, d) = {curvature.shape}, centers {middles.shape}, offsets {shifts.shape}",
            needed="(n, d), (n, d), (n,) with n, d >= 1",
            change="fit the three arrays",
        )
    return Quadratic(curvature=curvature, centers=middles, offsets=shifts)
