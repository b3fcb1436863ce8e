"""A family between strong convexity and flatness: f_i(x) = h(||x - c_i||), a power core, quadratic outside.

h(r) = k rho^2 (r/rho)^p/p for r <= rho and k r^2/2 - k rho^2 (1/2 - 1/p) beyond, with p >= 2: once
continuously differentiable, convex, and smooth with L = (p - 1) k, the radial curvature as r rises to rho.
The gradient is k min(1, r/rho)^(p-2) (x - c_i), the minimum of every client is 0.

Lojasiewicz inequality ||grad f_i||^2 >= mu (f_i - min f_i)^alpha on the ball of radius R around the origin,
for any exponent alpha >= 2 - 2/p: with t = r/rho the quotient of the two sides is proportional to
t^(2p-2-alpha p) in the core, and to s/(s - 1 + 2/p)^alpha with s = t^2 outside. Neither rises with t (in the
core because alpha >= 2 - 2/p, outside because alpha >= 1), so mu is the quotient at the farthest point of
the ball, R + ||c_i|| from the centre, and no larger mu will do.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import numpy as np

from synthetic.arguments import Scalar, at_least, between, integer_at_least, positive
from synthetic.certified import rationals
from synthetic.certified.enclosures import functions_for
from synthetic.certified.facts import Constant, Facts, Lojasiewicz, known, lower, single, upper
from synthetic.engine.arithmetic import Array, as_numbers, norm, on_grid
from synthetic.problem import AroundCenters, read_centers
from synthetic.problems._lojasiewicz_constants import constants_near, near_minimiser


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PowerCore(AroundCenters):
    """centers (n, d); power p, core radius rho and outer curvature k shared by the clients.

    exponent is alpha, set_radius the R on whose ball around the origin the inequality is stated.
    """

    centers: Array
    power: float
    core: float
    curvature: float
    exponent: float
    set_radius: float

    def minimiser(self) -> Array:
        return _known(self)[0]

    def minimum(self) -> Any:
        return single(known(self.constants(), "minimum").value)

    def constants(self) -> dict[str, Constant | None]:
        return dict(_known(self)[1])

    def facts(self) -> Facts:
        constants = self.constants()
        return Facts(
            clients=self.clients,
            dimension=self.dimension,
            convex=True,
            quadratic=self.power == 2,
            smoothness=upper(constants, "smoothness"),
            strong_convexity=lower(constants, "strong_convexity"),
            lipschitz=None,
            bounded_below=True,
            minimum_attained=True,
            bounded_gradient_divergence=True,
            lojasiewicz=Lojasiewicz(
                exponent=self.exponent,
                constant=lower(constants, "lojasiewicz"),
                radius=self.set_radius,
            ),
        )

    def _reach(self, away: Array) -> Array:
        """Distance to the centre over the radius of the core."""
        return functions_for(away).sqrt((away * away).sum(axis=-1)) / self.core

    def values_at(self, away: Array) -> Array:
        reach = self._reach(away)
        inner, scale = reach.clip(0.0, 1.0), self.curvature * self.core * self.core
        outer = reach.clip(1.0)
        power: Any = inner**self.power
        # the two branches meet at 1, so each is held there while the other moves
        return scale * (power / self.power + (outer - 1) * (outer + 1) / 2)

    def gradients_at(self, away: Array) -> Array:
        inner = self._reach(away).clip(0.0, 1.0)
        bend: Any = inner ** (self.power - 2)
        return self.curvature * bend[..., None] * away


# a run asks for the minimiser, the minimum and the constants one by one
@lru_cache(maxsize=32)
def _known(problem: PowerCore) -> tuple[Array, dict[str, Constant | None]]:
    point = as_numbers(near_minimiser(problem), exact=False)
    return point, constants_near(problem, point)


def power_core(
    centers: object,
    power: Scalar = 4,
    core: Scalar = 1.0,
    smoothness: Scalar = 1.0,
    exponent: Scalar | None = None,
    set_radius: Scalar = 4.0,
) -> PowerCore:
    """From centers (n, d); without an exponent, the smallest that the power allows, 2 - 2/power."""
    at_least("power", power, 2)
    for name, value in (("core", core), ("smoothness", smoothness), ("set_radius", set_radius)):
        positive(name, value)
    alpha = _smallest_exponent(float(power))
    if exponent is not None:
        between("exponent", exponent, alpha, 2)
        alpha = float(exponent)
    return PowerCore(
        centers=read_centers(centers, exact=False),
        power=float(power),
        core=float(core),
        curvature=float(smoothness) / (float(power) - 1),
        exponent=alpha,
        set_radius=float(set_radius),
    )


def _smallest_exponent(power: float) -> float:
    """The first float64 that is not below 2 - 2/power."""
    return rationals.float_above(2 - 2 / Fraction(power))


def small(
    *,
    clients: int = 4,
    dimension: int = 2,
    power: float = 4.0,
    core: float = 1.0,
    smoothness: float = 1.0,
    exponent: float | None = None,
    set_radius: float = 4.0,
    heterogeneity: float = 1.0,
    seed: int = 0,
) -> PowerCore:
    """Random centres, the farthest at heterogeneity * core from the origin (0: identical clients)."""
    integer_at_least("clients", clients, 1)
    integer_at_least("dimension", dimension, 1)
    integer_at_least("seed", seed, 0)
    at_least("heterogeneity", heterogeneity, 0)
    directions = np.random.default_rng(seed).standard_normal((clients, dimension))
    farthest = float(norm(directions).max())
    centers = on_grid(heterogeneity * core / farthest * directions)
    return power_core(centers, power, core, smoothness, exponent, set_radius)
