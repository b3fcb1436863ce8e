"""Random numbers as a function of where they are used, and of nothing else.

The place is (seed, stream, block of 64 replicates, round, client, local step, purpose). A block is drawn one
replicate after the other, so replicate r has the same numbers however many replicates are asked for, and
adding a round, a client or a purpose disturbs no other number. A place is drawn from once: two kinds of
draws at one place would be dependent, so each use has a purpose of its own.

Two runs with the same seed and stream name share their numbers wherever they use the same places: this is
how algorithms are compared under common random numbers. They all name the same use by the same purpose.
"""

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from synthetic.arguments import integer_at_least
from synthetic.engine import accelerated
from synthetic.engine.arithmetic import Array, namespace, norm

BLOCK = 64
SERVER = -1  # the place of draws that belong to no client

Floats = NDArray[np.float64]
Fill = Callable[[NDArray[np.uint64], Floats], None]  # from the key of a block into its rows


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in a run a random number is used."""

    purpose: str
    round: int
    client: int = SERVER
    local_step: int = 0


class Numbers(Protocol):
    """What an algorithm asks for; a test may supply its own numbers through the same questions.

    With `clients` n a draw is (n, R, width), entry [i] from the place of client i; without, (R, width).
    """

    @property
    def replicates(self) -> int:
        """How many rows are computed: the plan's blocks of rows are always full."""
        ...

    @property
    def wanted(self) -> int:
        """How many of them, the first ones, are replicates of the run."""
        ...

    @property
    def first(self) -> int:
        """Which of the replicates of the run is the first of these, where a run is cut into blocks."""
        ...

    @property
    def of_run(self) -> int:
        """How many replicates the whole run has."""
        ...

    @property
    def together(self) -> bool:
        """Whether noises of the clients that only ever appear as a sum are drawn as one."""
        ...

    def normals(self, place: Place, width: int, clients: int | None = None) -> Array:
        """Independent standard normals."""
        ...

    def uniforms(self, place: Place, width: int, clients: int | None = None) -> Array:
        """Independent uniforms on [0, 1)."""
        ...

    def key(self, purpose: str, index: int) -> NDArray[np.uint64]:
        """The key of a generator that an algorithm from outside draws from as it likes: 128 bits.

        index: the replicate of the run, or the block of BLOCK replicates.
        """
        ...

    def array(self, data: Array) -> Array:
        """Data of numpy as an array of the kind that the run computes with."""
        ...


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedNumbers:
    """Philox counters keyed by a hash of the place; of replicates `first` and on, a multiple of BLOCK.

    wanted: all of the replicates if 0. rough: normals in single precision, by the generator of the extra
    `fast`.
    """

    seed: int
    stream: str
    replicates: int
    wanted: int = 0
    first: int = 0
    of_run: int = 0
    together: bool = False
    rough: bool = False

    def __post_init__(self) -> None:
        integer_at_least("seed", self.seed, 0)
        integer_at_least("replicates", self.replicates, 1)
        if not self.wanted:
            object.__setattr__(self, "wanted", self.replicates)
        if not self.of_run:
            object.__setattr__(self, "of_run", self.first + self.wanted)

    def normals(self, place: Place, width: int, clients: int | None = None) -> Floats:
        return self._filled(place, width, clients, _rough_normals if self.rough else _normals)

    def uniforms(self, place: Place, width: int, clients: int | None = None) -> Floats:
        return self._filled(place, width, clients, _uniforms)

    def key(self, purpose: str, index: int) -> NDArray[np.uint64]:
        return _hashed(f"{self.seed}/{len(self.stream)}:{self.stream}/generator of {purpose}/{index}")

    def key_of(self, place: Place, client: int, block: int) -> NDArray[np.uint64]:
        """The key of what is drawn at a place for a block of replicates: 128 bits."""
        # the length in front of the stream keeps two different places from spelling the same text
        words = (
            f"{self.seed}/{len(self.stream)}:{self.stream}/{block}/{place.round}/{client}/"
            f"{place.local_step}/{place.purpose}"
        )
        return _hashed(words)

    def array(self, data: Array) -> Array:
        return data

    def _filled(self, place: Place, width: int, clients: int | None, fill: Fill) -> Floats:
        drawn_at = [place.client] if clients is None else range(clients)
        numbers = np.empty((len(drawn_at), self.replicates, width))
        for row, client in zip(numbers, drawn_at, strict=True):
            for start in range(0, self.replicates, BLOCK):
                key = self.key_of(place, client, (self.first + start) // BLOCK)
                fill(key, row[start : start + BLOCK])
        return numbers[0] if clients is None else numbers


def _hashed(words: str) -> NDArray[np.uint64]:
    return np.frombuffer(hashlib.blake2b(words.encode(), digest_size=16).digest(), dtype="<u8")


def _normals(key: NDArray[np.uint64], out: Floats) -> None:
    _generator(key).standard_normal(out=out)


def _uniforms(key: NDArray[np.uint64], out: Floats) -> None:
    _generator(key).random(out=out)


def _rough_normals(key: NDArray[np.uint64], out: Floats) -> None:
    # a whole block always: the numbers of a row must not depend on how many rows are wanted
    block = out if len(out) == BLOCK else np.empty((BLOCK, out.shape[1]))
    accelerated.fill_with_normals(key.view(np.uint32), block.reshape(-1))
    out[:] = block[: len(out)]


_own = threading.local()


def _generator(key: NDArray[np.uint64]) -> np.random.Generator:
    """One for each thread, put where it is needed: a new one for each place takes many times as long."""
    if not hasattr(_own, "generator"):
        _own.counters = np.random.Philox(key=0)
        _own.generator, _own.state = np.random.Generator(_own.counters), _own.counters.state
    _own.state["state"]["key"][:] = key
    _own.counters.state = _own.state
    generator: np.random.Generator = _own.generator
    return generator


@dataclass(frozen=True, slots=True, kw_only=True)
class SameReplicates:
    """What numbers made of other numbers say of their replicates."""

    source: Numbers

    @property
    def replicates(self) -> int:
        return self.source.replicates

    @property
    def wanted(self) -> int:
        return self.source.wanted

    @property
    def first(self) -> int:
        return self.source.first

    @property
    def of_run(self) -> int:
        return self.source.of_run

    @property
    def together(self) -> bool:
        return self.source.together

    def key(self, purpose: str, index: int) -> NDArray[np.uint64]:
        return self.source.key(purpose, index)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SingleNumbers(SameReplicates):
    """The same numbers and data rounded to single precision; a run computes with what it is given."""

    def normals(self, place: Place, width: int, clients: int | None = None) -> Array:
        return self.array(self.source.normals(place, width, clients))

    def uniforms(self, place: Place, width: int, clients: int | None = None) -> Array:
        # not rounded: what is compared with a probability must not become 1
        return self.source.uniforms(place, width, clients)

    def array(self, data: Array) -> Array:
        return data.astype(np.float32) if data.dtype == np.float64 else data


def signs(uniforms: Array) -> Array:
    """A fair sign for each uniform."""
    # both values in the dtype of the uniforms: torch would make single precision of two plain numbers
    return namespace(uniforms).where(uniforms < 0.5, -1.0, 1.0 + 0.0 * uniforms)


def directions(normals: Array) -> Array:
    """Uniform on the unit sphere."""
    return normals / norm(normals)[..., None]
