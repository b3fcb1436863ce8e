"""Random numbers of an author's function: one generator for each replicate, or for each 64 of them.

A generator is a function of (seed, stream, index) alone, so no bit depends on how a run is cut.
"""

from typing import Any, Protocol

import numpy as np

from synthetic.engine.randomness import Numbers
from synthetic.outside.followed import followed


class Source(Protocol):
    """A generator of one library, and whether anything was drawn from it."""

    random: Any

    def drew(self) -> bool: ...


class NumpySource:
    __slots__ = ("_at_first", "_bits", "random")

    def __init__(self, numbers: Numbers, purpose: str, index: int) -> None:
        self._bits = np.random.Philox(key=numbers.key(purpose, index))
        self.random = np.random.Generator(self._bits)
        self._at_first = _position(self._bits)

    def drew(self) -> bool:
        return _position(self._bits) != self._at_first


def _position(bits: np.random.Philox) -> tuple[Any, ...]:
    state: Any = bits.state
    counter = state["state"]["counter"].tolist()
    return (*counter, state["buffer_pos"], state["has_uint32"], state["uinteger"])


class TorchSource:
    """Torch's generator on the processor uses 32 bits of a seed.

    So the seeds of a run are successive numbers from a hashed one: no two replicates share theirs.
    """

    __slots__ = ("_at_first", "random")

    def __init__(self, numbers: Numbers, purpose: str, index: int) -> None:
        import torch

        first = int(numbers.key(purpose, 0)[0])
        self.random = torch.Generator().manual_seed((first + index) % 2**32)
        self._at_first = self.random.get_state()

    def drew(self) -> bool:
        return not bool((self.random.get_state() == self._at_first).all())


def source(library: str, numbers: Numbers, purpose: str, index: int) -> Source:
    courses = followed()
    if courses is not None:
        found: Source = courses[index].source()
        return found
    kind = NumpySource if library == "numpy" else TorchSource
    return kind(numbers, purpose, index)
