"""The draws of one replicate of a run, one place at a time, and what becomes of them."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from synthetic.engine.randomness import SERVER, Place, PlacedNumbers
from synthetic.oracles import Gaussian, Minibatch, Sphere, StudentT, TwoPoint
from synthetic.participation import FixedSize, Full, Independent


@lru_cache(maxsize=1000)
def drawn(numbers, law, width, **place):
    """Kept because each replicate takes one row of the same table."""
    return getattr(numbers, law)(Place(**place), width)


@dataclass(frozen=True)
class Draws:
    numbers: PlacedNumbers
    replicate: int
    clients: int
    dimension: int

    def normal(self, purpose, k, i=SERVER, j=0, width=None):
        return self._row("normals", purpose, k, i, j, width or self.dimension)

    def uniform(self, purpose, k, i=SERVER, j=0, width=1):
        return self._row("uniforms", purpose, k, i, j, width)

    def _row(self, law, purpose, k, i, j, width):
        table = drawn(self.numbers, law, width, purpose=purpose, round=k, client=i, local_step=j)
        return table[self.replicate]

    def sampled(self, rule, k):
        everyone = range(self.clients)
        match rule:
            case Full():
                return list(everyone)
            case Independent(probability=p):
                return [i for i in everyone if self.uniform("participation", k, i)[0] < p]
            case FixedSize(count=count):
                tickets = self.uniform("participation", k, width=self.clients)
                return sorted(everyone, key=lambda i: tickets[i])[:count]

    def error(self, oracle, k, i=SERVER, h=0):
        """The noise of an additive oracle."""
        d, purpose = self.dimension, "gradient noise"
        match oracle:
            case Gaussian():
                return oracle.scale / math.sqrt(d) * self.normal(purpose, k, i, h)
            case Sphere():
                z = self.normal(purpose, k, i, h)
                return oracle.scale * z / np.linalg.norm(z)
            case TwoPoint():
                sign = -1.0 if self.uniform(purpose, k, i, h)[0] < 0.5 else 1.0
                return sign * oracle.scale / math.sqrt(d) * np.ones(d)
            case StudentT():
                z = self.normal(purpose, k, i, h, width=d + oracle.degrees)
                chi_squared = sum(entry**2 for entry in z[d:])
                return oracle.scale / math.sqrt(d) * z[:d] * math.sqrt((oracle.degrees - 2) / chi_squared)

    def batch(self, oracle: Minibatch, sizes, k, i, h):
        """The samples of client i, by their numbers."""
        if oracle.replacement:
            uniforms = self.uniform("gradient noise", k, i, h, width=oracle.size)
            return [math.floor(u * sizes[i]) for u in uniforms]
        tickets = self.uniform("gradient noise", k, i, h, width=max(sizes))
        return sorted(range(sizes[i]), key=lambda s: tickets[s])[: oracle.size]


def inclusion(rule, clients):
    match rule:
        case Full():
            return 1.0
        case Independent(probability=p):
            return p
        case FixedSize(count=count):
            return count / clients


def scaled_normals(draws, placement, variance, scale, *, together):
    """noise(k, i) of the clients, or server_noise(k); scale^2 is the variance of one client's noise.

    At the server one draw has the variance of together^2 such noises. The other one of the two is None.
    """
    deviation = scale / math.sqrt(draws.dimension) if variance == "total" else scale
    if placement == "clients":
        return (lambda k, i: deviation * draws.normal("client noise", k, i)), None
    return None, lambda k: together * deviation * draws.normal("server noise", k)
