"""The global generators that code may draw from in the place of the one that it is handed."""

import random
import sys
from typing import Any

import numpy as np

# ruff: noqa: NPY002  their states, which the code may move


def read_generators() -> dict[str, Any]:
    """The state of each global generator that is loaded, by its name in code."""
    found: dict[str, Any] = {"numpy.random": np.random.get_state(legacy=True), "random": random.getstate()}
    if (torch := sys.modules.get("torch")) is not None:
        found["torch"] = torch.get_rng_state()
    return found


def set_generators(states: dict[str, Any]) -> None:
    np.random.set_state(states["numpy.random"])
    random.setstate(states["random"])
    if "torch" in states:
        sys.modules["torch"].set_rng_state(states["torch"])


def list_moved(before: dict[str, Any]) -> list[str]:
    """The names of the generators whose state is no longer this one."""
    after = read_generators()
    return [name for name, state in before.items() if _bytes_of(state) != _bytes_of(after[name])]


def _bytes_of(state: Any) -> bytes:
    parts = state if isinstance(state, tuple) else (state,)
    return b"".join(np.asarray(part).tobytes() for part in parts if part is not None)
