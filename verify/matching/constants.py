"""The constants of a problem under the names that the papers give them, each on its safe side.

A smoothness constant is safe from above, strong convexity from below. One name means different things in
different papers (beta is a smoothness constant here and a step size there), so names belong to a paper.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, final

from synthetic.certified.facts import Constant, Number, Value, certified_lower, certified_upper, exactly
from synthetic.errors import NotCertified

Known = Mapping[str, Constant | None]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The constant that a quantity stands for: of a column the worst entry, or the mean of all.

    `convert` is increasing, and does not round a bound to the wrong side. `only_with`: a constant without
    which the quantity is not defined.
    """

    constant: str
    side: Literal["upper", "lower"]
    convert: Callable[[float], float] = float
    mean: bool = False
    only_with: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """value is the safe bound; None, with the reason, where nothing is proved."""

    value: float | None
    lower: float | None
    upper: float | None
    provenance: str
    constant: str
    reason: str | None = None


def _twice(bound: float) -> float:
    return 2 * bound


def _root(square: float) -> float:
    # one unit up: a root rounded down would no longer be an upper bound
    return math.nextafter(math.sqrt(square), math.inf) if square > 0 else 0.0


_SMOOTHNESS = Source(constant="smoothness", side="upper")
_LIPSCHITZ = Source(constant="lipschitz", side="upper")
_DIMENSION = Source(constant="dimension", side="upper")
_CLIENTS = Source(constant="clients", side="lower")

# Where a problem has components f_ij, the third paper's L bounds the curvature of each of them.
_COMPONENTS = Source(constant="largest_component_smoothness", side="upper")

QUANTITIES: dict[str, dict[str, tuple[Source, ...]]] = {
    "dp_fedavg": {
        "n": (_CLIENTS,),
        "d": (_DIMENSION,),
        "L": (_SMOOTHNESS,),
        "G": (_LIPSCHITZ,),
        "Delta_star_max": (Source(constant="largest_client_gap_at_minimiser", side="upper"),),
        # f_i(w*) - f_i*, on the mean: without a minimiser there is no w*, though the infima have a gap
        "Delta_star_mean": (
            Source(constant="infimum_gap", side="upper", only_with="largest_client_gap_at_minimiser"),
        ),
    },
    "als_dpfl": {
        "d": (_DIMENSION,),
        "beta": (_SMOOTHNESS,),
        "rho": (_LIPSCHITZ,),
        "xi": (Source(constant="gradient_divergence", side="upper"),),
    },
    "fed_norm_ec": {
        "M": (_CLIENTS,),
        "d": (_DIMENSION,),
        "L": (_COMPONENTS, _SMOOTHNESS),
        "Delta_inf": (Source(constant="infimum_gap", side="upper"),),
        "Delta_i_inf_mean": (Source(constant="component_infimum_gaps", side="upper", mean=True),),
    },
    "fedavg_lojasiewicz": {
        "M": (_CLIENTS,),
        "L": (_SMOOTHNESS,),
        "zeta": (Source(constant="mean_squared_gradient_divergence", side="upper", convert=_root),),
        "alpha": (Source(constant="lojasiewicz_exponent", side="upper"),),
        "mu": (Source(constant="lojasiewicz", side="lower"),),
        # mu-strong convexity gives ||grad f||^2 >= 2 mu (f - f*)
        "mu_1": (Source(constant="client_strong_convexity", side="lower", convert=_twice),),
    },
    "textbook": {
        "L": (_SMOOTHNESS,),
        "mu": (Source(constant="strong_convexity", side="lower"),),
    },
}


def quantities(constants: Known, *, clients: int, dimension: int) -> dict[str, dict[str, Offered]]:
    """Quantities by paper and name; one is left out where the problem does not know the constant at all."""
    known = {**constants, "clients": exactly(clients), "dimension": exactly(dimension)}
    return {
        paper: {
            name: _offered(None if _undefined(known, source) else known[source.constant], source)
            for name, sources in table.items()
            for source in [next((s for s in sources if s.constant in known), None)]
            if source is not None
        }
        for paper, table in QUANTITIES.items()
    }


def _undefined(known: Known, source: Source) -> bool:
    return bool(source.only_with) and known.get(source.only_with) is None


def _offered(constant: Constant | None, source: Source) -> Offered:
    if constant is None:
        return _unknown(source, "none", f"{source.constant} is infinite or not defined on this problem")
    certified = certified_upper if source.side == "upper" else certified_lower
    try:
        safe = _converted(certified(source.constant, constant), source)
    except NotCertified as error:
        return _unknown(source, constant.provenance, str(error))
    if source.side == "lower" and safe <= 0:
        return _unknown(source, constant.provenance, f"{source.constant} is not certified positive")
    ends = (constant.lower, constant.upper)
    lower, upper = (None if end is None else _converted(end, source) for end in ends)
    return Offered(
        value=safe, lower=lower, upper=upper, provenance=constant.provenance, constant=source.constant
    )


def _unknown(source: Source, provenance: str, reason: str) -> Offered:
    return Offered(
        value=None, lower=None, upper=None, provenance=provenance, constant=source.constant, reason=reason
    )


def _converted(value: Value, source: Source) -> float:
    if not isinstance(value, tuple):
        return source.convert(_outwards(value, source.side))
    worst = max(value) if source.side == "upper" else min(value)
    mean = sum((Fraction(entry) for entry in value), Fraction(0)) / len(value)
    return source.convert(_outwards(mean if source.mean else worst, source.side))


def _outwards(number: Number, side: Literal["upper", "lower"]) -> float:
    nearest = float(number)
    if nearest == number or (nearest > number) == (side == "upper"):
        return nearest
    return math.nextafter(nearest, math.inf if side == "upper" else -math.inf)
