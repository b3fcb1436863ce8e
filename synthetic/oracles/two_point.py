"""Additive noise, a fair sign times scale along (1, ..., 1)/sqrt(d): of rank one, and ||noise|| = scale."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.arguments import at_least
from synthetic.engine.arithmetic import Array
from synthetic.engine.randomness import Numbers, Place, signs
from synthetic.oracles.interface import AdditiveOracle


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPoint(AdditiveOracle):
    """scale^2 is the total variance, not the variance of a coordinate."""

    scale: float

    def __post_init__(self) -> None:
        at_least("scale", self.scale, 0)

    def noise(self, numbers: Numbers, place: Place, dimension: int, clients: int | None = None) -> Array:
        length = float(self.scale) / math.sqrt(dimension)
        return length * signs(numbers.uniforms(place, 1, clients)) * numbers.array(np.ones(dimension))
