"""The global random states that frameworks draw from, set for one run and put back afterwards."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Within it, the generators of the standard library and of numpy start at this seed."""
    held = random.getstate(), np.random.get_state()  # noqa: NPY002  frameworks draw from it
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002  frameworks draw from numpy's global state
    try:
        yield
    finally:
        random.setstate(held[0])
        np.random.set_state(held[1])  # noqa: NPY002  as it was
