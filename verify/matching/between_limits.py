"""A point between the limits that the conditions leave, at a share of each range."""

from collections.abc import Mapping
from math import floor, isfinite
from typing import Final

from verify.matching.largest_allowed import EDGE, WHOLE
from verify.parameters.inputs import Inputs
from verify.parameters.valid import UnsolvableCondition

INSIDE: Final = 0.5  # of the range that the conditions leave


def between_limits(
    rest: Inputs, known: Mapping[str, float], shares: Mapping[str, float]
) -> dict[str, float] | None:
    """Each between the limits that those before it leave."""
    point = dict(known)
    for name in rest.names:
        try:
            ends = rest.ends(name, point)
        except (UnsolvableCondition, KeyError, ArithmeticError, ValueError):
            return None
        if ends is None:
            return None
        low, high, domain = ends
        point[name] = _between(low, high, rest.typical.get(name), shares[name])
        if domain.integer:
            point[name] = max(floor(point[name] + WHOLE), low)
    return point


def _between(low: float, high: float, typical: float | None, share: float) -> float:
    if isfinite(high) and isfinite(low):
        # as far inside as the example is, where the edge is not asked for
        return low + (high - low) * share
    wanted = 1.0 if typical is None else float(typical)
    if isfinite(low):
        at_the_end = share == EDGE and low > 0
        return low * (2 - EDGE) if at_the_end else max(wanted, low * (1 / INSIDE))
    return min(wanted, high) if isfinite(high) else wanted
