"""What a problem states about itself: properties, and constants that carry their provenance."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, final, get_args

from synthetic.errors import BadValue, NotCertified

Number = float | Fraction
Value = Number | tuple[Number, ...]
Provenance = Literal["exact", "enclosed", "given", "estimated"]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Lojasiewicz:
    """A Lojasiewicz condition on every client.

    ||grad f_i||^2 >= constant (f_i - inf f_i)^exponent, within `radius` of the origin; on the whole space
    if the radius is None.
    """

    exponent: float
    constant: Number
    radius: float | None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Properties of the clients and of their mean, each on its safe side.

    `smoothness` and `lipschitz` are certified from above and hold for every client (hence for the mean);
    `strong_convexity` is certified from below and speaks of the mean only, 0 when none is known.
    """

    clients: int
    dimension: int
    convex: bool
    quadratic: bool
    smoothness: Number
    strong_convexity: Number
    lipschitz: Number | None
    bounded_below: bool
    bounded_gradient_divergence: bool
    minimum_attained: bool = False  # certified that the mean has a minimiser
    lojasiewicz: Lojasiewicz | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A number (or one per client or coordinate) with certified bounds; None on a side without one.

    exact: value = lower = upper. enclosed: the bounds are proved. given: they rest on the word of an author,
    `because` is the reason, and no check contradicts them. estimated: nothing is proved, and the bounds, if
    any, are only indications.
    """

    value: Value
    lower: Value | None
    upper: Value | None
    provenance: Provenance
    because: str = ""

    def __post_init__(self) -> None:
        value = _entries(self.value)
        lower = value if self.lower is None else _entries(self.lower)
        upper = value if self.upper is None else _entries(self.upper)
        ordered = len(lower) == len(value) == len(upper) and all(
            low <= middle <= high for low, middle, high in zip(lower, value, upper, strict=True)
        )
        degenerate = self.lower == self.value == self.upper
        known = self.provenance in get_args(Provenance)
        finite = all(math.isfinite(entry) for entry in (*value, *lower, *upper))
        if not (ordered and known and finite and (degenerate or self.provenance != "exact")):
            raise BadValue(
                asked="Constant",
                failed="value, bounds and provenance disagree",
                found=repr(self),
                needed="finite, lower <= value <= upper, all equal when exact",
                change="widen the bounds or weaken the provenance",
            )


def _entries(value: Value) -> tuple[Number, ...]:
    return value if isinstance(value, tuple) else (value,)


def exactly(value: Value) -> Constant:
    return Constant(value=value, lower=value, upper=value, provenance="exact")


def certified_upper(name: str, constant: Constant) -> Value:
    """The proved or given upper bound; refuses one that is only certified from below, or only estimated."""
    return _certified(name, constant, constant.upper, "upper")


def certified_lower(name: str, constant: Constant) -> Value:
    return _certified(name, constant, constant.lower, "lower")


def _certified(name: str, constant: Constant, bound: Value | None, side: str) -> Value:
    if bound is None or constant.provenance == "estimated":
        raise NotCertified(
            asked=f"{side} bound of {name}",
            failed=f"no certified {side} bound",
            found=f"{constant.provenance}, lower {constant.lower}, upper {constant.upper}",
            needed=f"a certified {side} bound",
            change="use a problem that certifies this constant",
        )
    return bound


def known(constants: Mapping[str, Constant | None], name: str) -> Constant:
    """The constant of this name; refuses one that is infinite."""
    constant = constants[name]
    if constant is None:
        raise NotCertified(
            asked=name,
            failed="infinite on this problem",
            found=None,
            needed="a finite constant",
            change="choose another problem",
        )
    return constant


def upper(constants: Mapping[str, Constant | None], name: str) -> Number:
    """The certified upper bound of a constant that is no column."""
    return single(certified_upper(name, known(constants, name)))


def lower(constants: Mapping[str, Constant | None], name: str) -> Number:
    return single(certified_lower(name, known(constants, name)))


def lojasiewicz_of(client_strong_convexity: Constant) -> Lojasiewicz | None:
    """A mu-strongly convex function has ||grad f||^2 >= 2 mu (f - min f) everywhere."""
    lower = certified_lower("client_strong_convexity", client_strong_convexity)
    least = min(lower) if isinstance(lower, tuple) else lower
    return Lojasiewicz(exponent=1.0, constant=2 * least, radius=None) if least > 0 else None


def joined(constants: list[Constant]) -> Constant:
    """One constant with an entry per client (or coordinate); as strong as its weakest entry."""
    ranks: tuple[Provenance, ...] = ("exact", "enclosed", "given", "estimated")
    weakest = ranks[max(ranks.index(constant.provenance) for constant in constants)]
    return Constant(
        value=_column([constant.value for constant in constants]),
        lower=_side([constant.lower for constant in constants]),
        upper=_side([constant.upper for constant in constants]),
        provenance=weakest,
    )


def _column(values: list[Value]) -> tuple[Number, ...]:
    return tuple(entry for value in values for entry in _entries(value))


def _side(bounds: list[Value | None]) -> tuple[Number, ...] | None:
    # one client without a bound leaves the whole column without one
    known = [bound for bound in bounds if bound is not None]
    return _column(known) if len(known) == len(bounds) else None


def single(value: Value) -> Number:
    """The number in a constant that is not a column."""
    if isinstance(value, tuple):
        raise BadValue(
            asked="single number",
            failed="the constant is a column",
            found=value,
            needed="one number",
            change="choose an entry",
        )
    return value
