"""States that an author's functions exchange: copied, shown read-only, and checked to be float64."""

import copy
from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from synthetic.engine.arithmetic import Array, namespace
from synthetic.engine.disturbance import moved, moved_number
from synthetic.outside.algorithm import Algorithm
from synthetic.outside.calls import broken, call

UNCHANGING = (int, float, bool, str, type(None))
OTHER_PRECISIONS = ("float16", "bfloat16", "float32", "float128", "complex64", "complex128", "object")


def copied(state: Any) -> Any:
    if type(state) is np.ndarray:
        return state.copy()
    if isinstance(state, Mapping):
        return {name: copied(entry) for name, entry in state.items()}
    if isinstance(state, list | tuple):
        return type(state)(copied(entry) for entry in state) if type(state) in (list, tuple) else state
    return state.clone() if namespace(state) is not np else copy.deepcopy(state)


def detached(state: Any) -> Any:
    """The state with its arrays copied; objects of an author's own classes pass as they are."""
    if type(state) is np.ndarray:
        return state.copy()
    if type(state) in UNCHANGING:
        return state
    if isinstance(state, Mapping):
        return {name: detached(entry) for name, entry in state.items()}
    return copied(state) if hasattr(state, "dtype") or isinstance(state, list | tuple) else state


def read_only(state: Any) -> Any:
    """The state as whoever only looks at it gets it: what is observed changes no run."""
    if type(state) is np.ndarray:
        view = state.view()
        view.flags.writeable = False
        return view
    if type(state) in UNCHANGING:
        return state
    if isinstance(state, Mapping):
        return {name: read_only(entry) for name, entry in state.items()}
    return copied(state)


def shifted(state: Any) -> Any:
    """A copy of what is observed, with every float moved by what its rounding may be; see `disturbance`.

    Sums of whole numbers are not rounded, and a count that is compared with another one stays the same.
    """
    if type(state) is np.ndarray and state.dtype == np.float64:
        return np.where(state == np.rint(state), state, moved(state, 1, lambda: np.abs(state)))
    if isinstance(state, float):  # numpy's float64 too, which a sum over entries is
        return state if state.is_integer() or not isfinite(state) else moved_number(state)
    if isinstance(state, Mapping):
        return {name: shifted(entry) for name, entry in state.items()}
    if type(state) in (list, tuple):
        return type(state)(shifted(entry) for entry in state)
    if not str(getattr(state, "dtype", "")).endswith("float64"):
        return copied(state)
    xp = namespace(state)
    return xp.where(state == xp.round(state), state, moved(state, 1, lambda: abs(state)))


def iterate_of(algorithm: Algorithm, name: str, state: Any, shape: tuple[int, ...]) -> Array:
    """The iterate in a state, as a numpy array of this shape; refused if it is anything else."""
    point: Any = state
    if algorithm.iterate is not None:
        point = call(f"iterate of {name}", algorithm.iterate, read_only(state))
    elif isinstance(state, Mapping):
        if "x" not in state:
            raise _wrong(algorithm, name, "a mapping without x", ", ".join(map(str, state)), 'an entry "x"')
        point = state["x"]
    if type(point) is np.ndarray and algorithm.library == "numpy":
        if point.dtype == np.float64 and point.shape == shape:
            return point
    else:
        point = _from_torch(algorithm, name, point)
    if point.dtype != np.float64:
        raise _wrong(algorithm, name, "an iterate of another type", point.dtype, "float64")
    if point.shape != shape:
        raise _wrong(algorithm, name, "an iterate of another shape", point.shape, str(shape))
    return point


def _from_torch(algorithm: Algorithm, name: str, point: Any) -> Array:
    if algorithm.library == "torch" and namespace(point) is not np:
        return point.detach().cpu().numpy()
    needed = "a numpy array" if algorithm.library == "numpy" else "a torch tensor"
    found = "None" if point is None else f"{type(point).__module__}.{type(point).__qualname__}"
    raise _wrong(algorithm, name, "an iterate of another kind", found, needed)


def check_entries(algorithm: Algorithm, name: str, state: Any) -> None:
    """Refuse arrays beside the iterate in another precision; whole numbers and truth values pass."""
    for entry, value in state.items() if isinstance(state, Mapping) else ():
        kind = str(getattr(value, "dtype", "")).removeprefix("torch.")
        if kind in OTHER_PRECISIONS:
            raise _wrong(algorithm, name, f"state[{entry!r}] of another type", kind, "float64")


def _wrong(algorithm: Algorithm, name: str, failed: str, found: object, needed: str) -> Exception:
    return broken(name, algorithm.round, f"the state has {failed}", found, needed)
