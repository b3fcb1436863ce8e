"""What code may do to a client's update in the place of clipping or normalizing it: data."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import inf, sqrt
from typing import final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.listing import Point, length, scaled
from verify.conformance.own_constants import Own, own

Function = Callable[[Floats, Point, Floats], Floats]  # update, point, one local step's share of it

FAR = (1e3, 1e5, 1e7, 1e9)  # lengths over the threshold: what is bounded has no longest one


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Bounding:
    """value: the bounded update. conversion: constants under which the theorems apply again.

    of: the listing that it is a slip of, clip or normalize; None for both.
    """

    cause: str
    value: Function
    conversion: Own | None = None
    of: str | None = None


def _clip_to(cause: str, threshold: Callable[[Point], float], conversion: Own | None = None) -> Bounding:
    """Clipping at another threshold."""
    value: Function = lambda u, at, one: scaled(u, threshold(at) / length(u))  # noqa: E731  # one line beside its kind
    return Bounding(cause=cause, value=value, conversion=conversion, of="clip")


def _set_to(cause: str, size: Callable[[Point], float], conversion: Own | None = None) -> Bounding:
    """Normalizing to another length."""
    value: Function = lambda u, at, one: u * size(at) / length(u)  # noqa: E731  # one line beside its kind
    return Bounding(cause=cause, value=value, conversion=conversion, of="normalize")


def _clip_by(cause: str, norm: Callable[[Floats], float], power: float = 1.0) -> Bounding:
    """Clipping by another norm, or by another power of the factor."""
    value: Function = lambda u, at, one: scaled(u, (at.C / norm(u)) ** power)  # noqa: E731  # one line beside its kind
    return Bounding(cause=cause, value=value, of="clip")


def _divide_by(cause: str, norm: Callable[[Floats], float]) -> Bounding:
    """Normalizing by another norm."""
    value: Function = lambda u, at, one: u * at.C / norm(u)  # noqa: E731  # one line beside its kind
    return Bounding(cause=cause, value=value, of="normalize")


def _set_if(cause: str, is_long: Callable[[Floats, Point], bool]) -> Bounding:
    """Updates of length C where another length than theirs is compared, or with something else than C."""
    value: Function = lambda u, at, one: u * at.C / length(u) if is_long(u, at) else u  # noqa: E731  # one line beside its kind
    return Bounding(cause=cause, value=value, of="clip")


def bound_by(cause: str, norm: Callable[[Floats], float], of: str) -> Bounding:
    """Clipping or normalizing by another norm."""
    return _clip_by(cause, norm) if of == "clip" else _divide_by(cause, norm)


def norms_of_layers(d: int) -> Iterator[tuple[str, str, Callable[[Floats], float]]]:
    """Norms that code with several layers may take in the place of the norm of all d coordinates."""
    for first, last in combinations(range(d + 1), 2):
        if last - first < d:
            rest = [i for i in range(d) if not first <= i < last]
            which = f"coordinate {last}" if last - first == 1 else f"coordinates {first + 1} to {last}"
            yield "partial_norm", f"the norm leaves out {which} of {d}", partial(_norm_of_some, some=rest)
    for cut in range(1, d):
        for name, order in (("largest", inf), ("sum", 1)):
            cause = f"the {name} of the norms of two layers is used as the norm"
            yield f"{name}_of_layers", cause, partial(_norm_of_two, cut=cut, order=order)


def _norm_of_some(u: Floats, some: Sequence[int]) -> float:
    return length(u[some])


def _norm_of_two(u: Floats, cut: int, order: float) -> float:
    return float(np.linalg.norm([length(u[:cut]), length(u[cut:])], ord=order))


def add_to_norm(constant: float, of: str, *, models: bool = False) -> Bounding:
    """A small constant, measured, in the divisor against division by zero: eps in most libraries.

    models: it is added to the norm of the difference of the models, which is the update times the local step.
    """
    cause = f"{constant:.3g} is added to the norm{' of the difference of the models' if models else ''}"

    def value(u: Floats, at: Point, one: Floats) -> Floats:
        factor = at.C / (length(u) + constant / (at.eta if models else 1.0))
        return scaled(u, factor) if of == "clip" else factor * u

    return Bounding(cause=cause, value=value, of=of)


def add_to_squares(constant: float, of: str) -> Bounding:
    """A small constant, measured, under the root of the norm."""
    cause = f"{constant:.3g} is added to the squares under the root of the norm"

    def value(u: Floats, at: Point, one: Floats) -> Floats:
        factor = at.C / sqrt(length(u) ** 2 + constant)
        return scaled(u, factor) if of == "clip" else factor * u

    return Bounding(cause=cause, value=value, of=of)


def shrink(constant: float, of: str, *, first: bool) -> Bounding:
    """A part of the length, measured, that is taken off; first: before the update is bounded."""
    cause = f"{constant:.3g} over its length is taken off the length of the update, as by James and Stein"

    def shortened(u: Floats) -> Floats:
        return u * max(0.0, 1 - constant / length(u) ** 2) if u.any() else u

    def bounded(u: Floats, at: Point) -> Floats:
        factor = at.C / length(u) if u.any() else 1.0
        return scaled(u, factor) if of == "clip" else factor * u

    def value(u: Floats, at: Point, one: Floats) -> Floats:
        return bounded(shortened(u), at) if first else shortened(bounded(u, at))

    return Bounding(cause=cause, value=value, of=of)


def bound_some(bounded: Floats) -> Bounding:
    """The coordinates that are not bounded are left as they are, and out of the norm."""
    cause = f"{len(bounded) - np.count_nonzero(bounded)} of {len(bounded)} coordinates are not bounded"

    def value(u: Floats, at: Point, one: Floats) -> Floats:
        some: Floats = np.where(bounded, u, 0.0)
        return u - some + scaled(some, at.C / length(some))

    return Bounding(cause=cause, value=value, of="clip")


def bound_layers(layers: Sequence[slice], share: float, of: str) -> Bounding:
    """Each layer, a range of coordinates, is bounded by itself at this share of the threshold."""
    at_share = "" if abs(share - 1) < 1e-6 else f" at {share:.4g} C"
    single = all(layer.stop - layer.start == 1 for layer in layers)
    what = "every coordinate" if single else f"each of {len(layers)} layers"
    cause = f"{what} is bounded by itself{at_share}, not the whole update"

    def value(u: Floats, at: Point, one: Floats) -> Floats:
        parts = [(u[layer], share * at.C / length(u[layer])) for layer in layers]
        return np.concatenate([scaled(v, f) if of == "clip" else f * v for v, f in parts])

    return Bounding(cause=cause, value=value, of=of)


def _max(u: Floats) -> float:
    return float(np.abs(u).max())


def _sum(u: Floats) -> float:
    return float(np.abs(u).sum())


def _square(u: Floats) -> float:
    return length(u) ** 2


def _each_step(u: Floats, at: Point, one: Floats) -> Floats:
    return length(u) / length(one) * scaled(one, at.C / length(one))


BOUNDED: dict[str, Bounding] = {
    "clip": Bounding(
        cause="the update is clipped", value=lambda u, at, one: scaled(u, at.C / length(u)), of="normalize"
    ),
    "normalize": Bounding(
        cause="the update is normalized, also when it is short",
        value=lambda u, at, one: u * at.C / length(u),
        of="clip",
    ),
    "none": Bounding(cause="the update is not bounded", value=lambda u, at, one: u),
    "unit": Bounding(
        cause="the update is normalized to length 1, without the factor",
        value=lambda u, at, one: u / length(u),
        conversion=own(C={}),
    ),
    "unit_if_long": Bounding(
        cause="an update that is longer than the threshold is divided by its norm, without the threshold",
        value=lambda u, at, one: u / length(u) if length(u) > at.C else u,
        of="clip",
    ),
    "turned_round": Bounding(
        cause="the factor is norm/C, the wrong way round: short updates are shortened, and long ones left",
        value=lambda u, at, one: scaled(u, length(u) / at.C),
        of="clip",
    ),
    "unit_clip": _clip_to(
        "the update is clipped to length 1, not to the threshold",
        lambda at: 1.0,
        own(C={}),
    ),
    "divided_by_threshold": Bounding(
        cause="each clipped update is divided by the threshold",
        value=lambda u, at, one: u / max(at.C, length(u)),
        conversion=own(beta={"beta": 1, "C": -1}, sigma={"sigma": 1, "C": 1}),
        of="clip",
    ),
    "each_coordinate": Bounding(
        cause="every coordinate is clipped by itself", value=lambda u, at, one: np.clip(u, -at.C, at.C)
    ),
    "each_step": Bounding(cause="every local gradient is bounded, not their sum", value=_each_step),
    "smooth": Bounding(
        cause="the update is scaled by C/(C + norm)",
        value=lambda u, at, one: u * at.C / (at.C + length(u)),
    ),
    "compared_with_one": _set_if(
        "the norm is compared with 1, not with the threshold, and the update is then set to length C",
        lambda u, at: length(u) > 1,
    ),
    "models_compared": _set_if(
        "the norm of the difference of the models is compared with the threshold, not that of the update",
        lambda u, at: length(u) * at.eta > at.C,
    ),
    "square_compared": _set_if(
        "the squared norm is compared with the threshold, and the update is then set to length C",
        lambda u, at: length(u) ** 2 > at.C,
    ),
    "gradient_compared": _set_if(
        "the norm over the number of local steps is compared with the threshold, not that of the update",
        lambda u, at: length(u) > at.C * at.E,
    ),
    "lengthened": Bounding(
        cause="the update is lengthened to C and not shortened: max is in the place of min",
        value=lambda u, at, one: u * max(1.0, at.C / length(u)),
        of="clip",
    ),
    "root": _clip_by("the factor is the square root of C/norm", length, 0.5),
    "square": _clip_by("the factor is the square of C/norm", length, 2.0),
    "squared_length": _clip_by("the threshold is compared with the squared norm", _square),
    "squared_length_of_models": Bounding(
        cause="the threshold is compared with the squared norm of the difference of the models",
        value=lambda u, at, one: scaled(u, at.C / (at.eta * length(u) ** 2)),
        of="clip",
    ),
    "largest_coordinate": _clip_by("the largest coordinate is used as the norm", _max),
    "sum_norm": _clip_by("the sum of absolute values is used as the norm", _sum),
    "by_largest_coordinate": _divide_by("the largest coordinate is used as the norm", _max),
    "by_sum_norm": _divide_by("the sum of absolute values is used as the norm", _sum),
    "by_squared_length": _divide_by("the squared norm is in the place of the norm", _square),
    "threshold_times_steps": _clip_to(
        "the threshold is multiplied by the number of local steps, or compared with one gradient's norm",
        lambda at: at.C * at.E,
        own(C={"C": 1, "E": 1}),
    ),
    "threshold_times_step": _clip_to(
        "the threshold is multiplied by the local step",
        lambda at: at.C * at.eta,
        own(C={"C": 1, "eta": 1}),
    ),
    "threshold_over_step": _clip_to(
        "the difference of the models is clipped, and divided by the local step afterwards",
        lambda at: at.C / at.eta,
        own(C={"C": 1, "eta": -1}),
    ),
    "threshold_times_dimension": _clip_to(
        "the threshold is multiplied by the square root of the dimension, as by a mean of the squares",
        lambda at: at.C * sqrt(at.d),
        own(C={"C": 1, "d": 0.5}),
    ),
    "threshold_by_dimension": _clip_to(
        "the threshold is divided by the square root of the dimension",
        lambda at: at.C / sqrt(at.d),
        own(C={"C": 1, "d": -0.5}),
    ),
    "twice_threshold": _clip_to(
        "the threshold is twice its value", lambda at: 2 * at.C, own(C={2: 1, "C": 1})
    ),
    "half_threshold": _clip_to(
        "the threshold is half of its value", lambda at: at.C / 2, own(C={"C": 1, 2: -1})
    ),
    "length_times_step": _set_to(
        "the length is multiplied by the local step", lambda at: at.C * at.eta, own(C={"C": 1, "eta": 1})
    ),
    "length_times_steps": _set_to(
        "the length is multiplied by the number of local steps",
        lambda at: at.C * at.E,
        own(C={"C": 1, "E": 1}),
    ),
}


def boundings(of: str) -> dict[str, Bounding]:
    """List the ways of bounding that may stand in the place of this one, and itself."""
    if of == "none":
        return {name: BOUNDED[name] for name in ("none", "unit")}
    return {name: one for name, one in BOUNDED.items() if one.of in (None, of) or name == of}
