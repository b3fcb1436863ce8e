"""Additive Gaussian noise with covariance scale^2/d I. Not bounded."""

import math
from dataclasses import dataclass
from typing import final

from synthetic.arguments import at_least
from synthetic.engine.arithmetic import Array
from synthetic.engine.randomness import Numbers, Place
from synthetic.oracles.interface import AdditiveOracle


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Gaussian(AdditiveOracle):
    """scale^2 is the total variance, not the variance of a coordinate."""

    scale: float

    def __post_init__(self) -> None:
        at_least("scale", self.scale, 0)

    def noise(self, numbers: Numbers, place: Place, dimension: int, clients: int | None = None) -> Array:
        return float(self.scale) / math.sqrt(dimension) * numbers.normals(place, dimension, clients)
