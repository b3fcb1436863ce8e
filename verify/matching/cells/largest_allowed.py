"""Where the conditions of a statement, printed or amended, stop one of its quantities."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bounds.language.quantity import Domain
from bounds.language.statement import Statement

# 80 octaves in 128 parts, five times over: to 2e-9. Nearer to a limit every comparison takes ball arithmetic.
OCTAVES, POINTS, PASSES = 40, 129, 5
EDGE: Final = 1 - 1e-9  # of a limit: at it roundings would decide
TO_INTEGER: Final = 1e-6  # below a whole number is that number


def largest(statement: Statement, parameters: Mapping[str, Any], name: str) -> float | None:
    """The largest value up to which all conditions hold that can be decided, all else as given.

    None where they fail already far below the value that is given, or hold far above it: nothing stops it.
    """
    domain = statement.notation.quantities[name].domain
    given = {n: float(v) for n, v in parameters.items()}
    low, high = (given[name] * 2.0**octaves for octaves in (-OCTAVES, OCTAVES))
    for _ in range(PASSES):
        points = _list_points(low, high, domain)
        holding = np.ones(len(points), dtype=bool)
        for condition in statement.evaluate(**given | {name: points}).conditions:
            if condition.holds is not None:
                holding &= np.broadcast_to(np.asarray(condition.holds, dtype=bool), points.shape)
        first = int(np.argmin(holding))
        if first == 0:
            return None
        low, high = float(points[first - 1]), float(points[first])
    return low


def _list_points(low: float, high: float, domain: Domain) -> NDArray[np.float64]:
    """Values of the domain between these two; only whole ones where it has no others."""
    points = np.geomspace(max(low, domain.lower), min(high, domain.upper), POINTS)
    if domain.integer:
        points = np.unique(np.rint(points))
        points = points[points > 0]
    inside = (points > domain.lower) | domain.lower_included
    return points[inside & ((points < domain.upper) | domain.upper_included)]
