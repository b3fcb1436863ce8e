"""Additive heavy-tailed noise: spherical Student t, rescaled to the total variance scale^2.

noise = scale/sqrt(d) * z * sqrt((nu - 2)/q) with z standard normal and q chi-squared of nu degrees,
independent. Moments of order below nu exist and no others; the covariance is scale^2/d I.
"""

import math
from dataclasses import dataclass
from typing import final

from synthetic.arguments import at_least, integer_at_least
from synthetic.engine.arithmetic import Array, namespace, squared_norm
from synthetic.engine.randomness import Numbers, Place
from synthetic.oracles.interface import AdditiveOracle


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class StudentT(AdditiveOracle):
    """degrees is a whole number, at least 3 so that a variance exists; scale^2 is the total variance."""

    scale: float
    degrees: int

    def __post_init__(self) -> None:
        at_least("scale", self.scale, 0)
        integer_at_least("degrees", self.degrees, 3)

    def noise(self, numbers: Numbers, place: Place, dimension: int, clients: int | None = None) -> Array:
        # one draw, because a place is drawn from once: the last `degrees` normals make the chi-squared
        drawn = numbers.normals(place, dimension + self.degrees, clients)
        chi_squared = squared_norm(drawn[..., dimension:])
        lengths = namespace(drawn).sqrt((self.degrees - 2) / chi_squared)
        return float(self.scale) / math.sqrt(dimension) * lengths[..., None] * drawn[..., :dimension]
