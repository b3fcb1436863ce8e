"""The free inputs of a statement, each between the limits that those before it leave.

Inputs are taken in an order in which every limit on one depends on those before it: see
`verify.parameters.valid`. So every point of the unit cube meets the conditions, and ends of a coordinate are
the ends of its range: conditions met with equality.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from bounds.language.quantity import Domain
from bounds.language.statement import Statement
from verify.parameters.valid import Limit, UnsolvableCondition, domain_of, drawing_order, limits_on_inputs

END: Final = 0.06  # share of a coordinate that is an end of the range
DECADES: Final = 4.0
LARGEST: Final = 64  # of a whole number without a limit
LOGARITHMIC: Final = 10.0  # ratio of the ends from which a range is a matter of decades


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Names in drawing order, with what limits them; `typical` is where an unlimited input is looked for."""

    names: tuple[str, ...]
    domains: Mapping[str, Domain]
    limits: Mapping[str, Sequence[Limit]]
    typical: Mapping[str, float]
    largest: int = LARGEST

    def at(self, coordinates: Sequence[float], known: Mapping[str, float]) -> dict[str, float] | None:
        """The point, or None where two limits leave nothing between them."""
        point = dict(known)
        for name, u in zip(self.names, coordinates, strict=True):
            try:
                ends = self.ends(name, point)
            except (UnsolvableCondition, KeyError, ArithmeticError, ValueError):
                return None
            typical = self.typical.get(name, 1.0)
            value = None if ends is None else between(*ends, u, typical, self.largest)
            if value is None:
                return None
            point[name] = value
        return point

    def ends(self, name: str, point: Mapping[str, float]) -> tuple[float, float, Domain] | None:
        limits, domain = self.limits.get(name, ()), self.domains[name]
        low = max([domain.lower, *(x.at(point) for x in limits if not x.solved.relation.upper)])
        high = min([domain.upper, *(x.at(point) for x in limits if x.solved.relation.upper)])
        low = _inside(low, domain.lower, domain.lower_included, up=True)
        high = _inside(high, domain.upper, domain.upper_included, up=False)
        return None if low > high else (low, high, domain)


def _inside(end: float, of_domain: float, included: bool, *, up: bool) -> float:
    """An end that is not allowed is replaced by one hardly inside; 0 stays, as the start of the decades."""
    if end != of_domain or included or math.isinf(end) or end == 0:
        return end
    return end + (1 if up else -1) * 1e-9 * abs(end)


def between(
    low: float, high: float, domain: Domain, u: float, typical: float, largest: int = LARGEST
) -> float | None:
    """The value at share u of the range: its ends at the ends, else a straight line or decades."""
    share = min(max((u - END) / (1 - 2 * END), 0.0), 1.0)
    if domain.integer:
        return _place_integer(low, high, share, largest)
    if math.isinf(low):
        return _two_sided(share, typical) if math.isinf(high) else high - _decades(share, typical)
    if math.isinf(high):
        value = _decades(share, typical)
        if low == 0:
            return 0.0 if u < END and domain.lower_included else value
        return low if u < END else low + value * min(abs(low) / abs(typical or 1.0), 1.0)
    if low == high:
        return low if low > 0 or domain.lower_included else None
    if low == 0:
        zero = u < END and domain.lower_included
        return 0.0 if zero else high * float(10 ** (-1.5 * DECADES * (1 - share)))
    if low > 0 and high / low > LOGARITHMIC:
        return min(max(low * float((high / low) ** share), low), high)
    return min(max(low + (high - low) * share, low), high)


def _decades(share: float, typical: float) -> float:
    return abs(typical or 1.0) * float(10 ** (DECADES * (2 * share - 1)))


def _two_sided(share: float, typical: float) -> float:
    return math.copysign(_decades(abs(2 * share - 1), typical), share - 0.5)


def _place_integer(low: float, high: float, share: float, largest: int) -> float | None:
    least = math.ceil(low) if math.isfinite(low) else 1
    most = math.floor(high) if math.isfinite(high) else max(least, largest)
    most = min(most, max(least, largest))
    if least > most:
        return None
    start = max(least, 1)
    value = math.floor(start * ((most + 1) / start) ** share)
    return float(least if least < start and share < END else min(max(value, least), most))


def inputs_of(
    statement: Statement, names: Sequence[str], typical: Mapping[str, float], largest: int = LARGEST
) -> Inputs:
    """Raises UnsolvableCondition where a condition is no limit on one of these names."""
    limits = limits_on_inputs(statement, names)
    return Inputs(
        names=tuple(name for name in drawing_order(names, limits) if name in names),
        domains={name: domain_of(statement, name) for name in names},
        limits=limits,
        typical=dict(typical),
        largest=largest,
    )
