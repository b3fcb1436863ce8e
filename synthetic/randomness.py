"""Random numbers as a function of where they are used, and of nothing else.

The place is (seed, stream, block of 64 replicates, round, client, local step, purpose). A whole block is
always drawn and then cut, so replicate r has the same numbers however many replicates are asked for, and
adding a round, a client or a purpose disturbs no other number. A place is drawn from once: two kinds of
draws at one place would be dependent, so each use has a purpose of its own.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from synthetic.arithmetic import norm
from synthetic.checks import whole

BLOCK = 64
SERVER = -1  # the place of draws that belong to no client

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in a run a random number is used."""

    purpose: str
    round: int
    client: int = SERVER
    local_step: int = 0


class Numbers(Protocol):
    """What an algorithm asks for; a test may supply its own numbers through the same three questions."""

    @property
    def replicates(self) -> int: ...

    def normals(self, place: Place, width: int) -> Floats: ...

    def uniforms(self, place: Place, width: int) -> Floats: ...


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedNumbers:
    """Philox counters keyed by a hash of the place."""

    seed: int
    stream: str
    replicates: int

    def __post_init__(self) -> None:
        whole("seed", self.seed, 0)
        whole("replicates", self.replicates, 1)

    def normals(self, place: Place, width: int) -> Floats:
        """Independent standard normals (R, width)."""
        return self._filled(place, width, lambda generator, out: generator.standard_normal(out=out))

    def uniforms(self, place: Place, width: int) -> Floats:
        """Independent uniforms on [0, 1), (R, width)."""
        return self._filled(place, width, lambda generator, out: generator.random(out=out))

    def _filled(
        self, place: Place, width: int, fill: Callable[[np.random.Generator, Floats], object]
    ) -> Floats:
        blocks = -(-self.replicates // BLOCK)
        numbers = np.empty((blocks * BLOCK, width))
        for block in range(blocks):
            generator = np.random.Generator(np.random.Philox(key=self._key(block, place)))
            fill(generator, numbers[block * BLOCK : (block + 1) * BLOCK])
        return numbers[: self.replicates]

    def _key(self, block: int, place: Place) -> int:
        # the length in front of the stream keeps two different places from spelling the same text
        words = (
            f"{self.seed}/{len(self.stream)}:{self.stream}/{block}/{place.round}/{place.client}/"
            f"{place.local_step}/{place.purpose}"
        )
        return int.from_bytes(hashlib.blake2b(words.encode(), digest_size=16).digest(), "little")


def signs(numbers: Numbers, place: Place) -> Floats:
    """One fair sign per replicate, (R, 1)."""
    return np.where(numbers.uniforms(place, 1) < 0.5, -1.0, 1.0)


def on_sphere(numbers: Numbers, place: Place, width: int) -> Floats:
    """Uniform on the unit sphere of R^width, (R, width)."""
    normals = numbers.normals(place, width)
    directions: Floats = normals / norm(normals)[:, None]
    return directions
