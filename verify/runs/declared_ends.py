"""Samples beyond the ends that an observable is declared to have.

The sum of both sides may stay inside its ends while one observable leaves its own: what a bet rests on is
then wrong, though no sample of the sum shows it.
"""

from collections.abc import Mapping
from math import inf
from typing import Any

import numpy as np

from verify.matching.linear_bound import LinearBound


def say_what_is_beyond(bound: LinearBound, observables: Mapping[str, Any], slack: float) -> str | None:
    """Which observable of either side has a sample beyond its own end; `slack` is what roundings explain.

    A diverged sample is +infinity, of which nothing is said here.
    """
    for name, weight in (*bound.left.items(), *bound.right.items()):
        values = np.asarray(observables[name], dtype=np.float64)
        finite = values[np.isfinite(values)]
        if not finite.size or not weight:
            continue
        rounding, least, most = slack / abs(float(weight)), float(finite.min()), float(finite.max())
        low, high = float(bound.lowest.get(name, -inf)), float(bound.highest.get(name, inf))
        if least < low - rounding:
            return (
                f"{name} is {least:.6g} in a run, and `lowest=` is {low:.6g}: 0 unless given, None for none"
            )
        if most > high + rounding:
            return f"{name} is {most:.6g} in a run, and `highest=` is {high:.6g}"
    return None
