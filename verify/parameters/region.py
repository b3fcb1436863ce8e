"""The points of a statement as the image of a box, so that a search never leaves the conditions.

Each input has one coordinate on the real line; drawn in the order in which the limits allow, every choice of
coordinates is a point that meets all conditions that are solved for an input. An end of a range that belongs
to it is reached at a finite coordinate: most of what is extreme happens there.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

from bounds.language.quantity import Domain
from bounds.language.statement import Statement
from verify.parameters.points import Range, order_inputs, range_of
from verify.parameters.valid import Limit, domain_of

AT_THE_END = 4.0  # decades from an end, beyond which the coordinate means the end itself
LARGEST = 1e12


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """`order` is the order of drawing; `limits` and `domains` are those of each input."""

    order: tuple[str, ...]
    limits: Mapping[str, list[Limit]]
    domains: Mapping[str, Domain]

    def at(self, coordinates: Mapping[str, float]) -> dict[str, float]:
        """Raises UnsolvableCondition where the limits leave nothing to an input."""
        point: dict[str, float] = {}
        for name in self.order:
            ends = range_of(name, self.domains[name], self.limits.get(name, []), point)
            point[name] = _place(ends, coordinates[name])
        return point


def region(statement: Statement, more: Iterable[str] = ()) -> Region:
    """Raises UnsolvableCondition where a condition is solved for no input."""
    order, limits = order_inputs(statement, more)
    return Region(
        order=tuple(order), limits=limits, domains={name: domain_of(statement, name) for name in order}
    )


def _place(ends: Range, coordinate: float) -> float:
    low, high = ends.low, ends.high
    if math.isfinite(low) and math.isfinite(high):
        return _between(ends, coordinate)
    if math.isinf(low) and math.isinf(high):
        return coordinate
    if coordinate <= -AT_THE_END and math.isfinite(low) and ends.low_belongs:
        return low
    if coordinate <= -AT_THE_END and math.isfinite(high) and ends.high_belongs:
        return high
    distance = min(math.pow(10, coordinate), LARGEST)
    if math.isinf(high):
        value = low + (abs(low) or 1.0) * distance
        return float(math.floor(value)) if ends.integer else value
    return high - (abs(high) or 1.0) * distance


def _between(ends: Range, coordinate: float) -> float:
    """Negative coordinates are decades from the lower end, positive ones from the upper end."""
    low, high = ends.low, ends.high
    share = 0.5 * math.pow(10, -abs(coordinate))
    if coordinate <= -AT_THE_END and ends.low_belongs:
        return low
    if coordinate >= AT_THE_END and ends.high_belongs:
        return high
    value = low + (high - low) * share if coordinate < 0 else high - (high - low) * share
    if ends.integer:
        return float(min(max(math.floor(value), low), high))
    return value
