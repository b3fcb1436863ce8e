"""Where the conditions of a statement, printed or amended, stop one of its quantities."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from bounds.language.statement import Statement

# 80 octaves in 128 parts, five times over: to 2e-9. Nearer to a limit every comparison takes ball arithmetic.
OCTAVES, POINTS, PASSES = 40, 129, 5
EDGE: Final = 1 - 1e-9  # of a limit: at it roundings would decide


def largest(statement: Statement, parameters: Mapping[str, Any], name: str) -> float | None:
    """The largest value up to which all conditions hold that can be decided, all else as given.

    None where they fail already far below the value that is given, or hold far above it: nothing stops it.
    """
    given = {n: float(v) for n, v in parameters.items()}
    low, high = (given[name] * 2.0**octaves for octaves in (-OCTAVES, OCTAVES))
    for _ in range(PASSES):
        points = np.geomspace(low, high, POINTS)
        holding = np.ones(POINTS, dtype=bool)
        for condition in statement.evaluate(**given | {name: points}).conditions:
            if condition.holds is not None:
                holding &= np.broadcast_to(np.asarray(condition.holds, dtype=bool), (POINTS,))
        first = int(np.argmin(holding))
        if first == 0:
            return None
        low, high = float(points[first - 1]), float(points[first])
    return low
