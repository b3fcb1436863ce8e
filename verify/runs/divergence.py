"""What a run that diverges leaves to judge.

A measure of a replicate that diverged is +infinity: it counts as too large, never as left out. That errs on
the side of a refutation where the measure is added on the left. Where it is subtracted, or stands on the
right, it would err on the side of `holds`, and infinity less infinity is no number: nothing is judged there.
"""

from collections.abc import Iterator, Mapping
from math import inf, isinf, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.matching.linear_bound import LinearBound


def say_what_is_not_known(bound: LinearBound, observables: Mapping[str, Any]) -> str | None:
    """Why the excess of the left side over the right one is not known; None where it is."""
    constant = float(bound.constant)
    if isnan(constant):
        return "the right side has no value: its constant part is NaN"
    left_is_infinite = False
    for name, side, term, subtracted in _list_terms(bound, observables):
        if np.isnan(term).any():
            return f"{name}, on the {side}, has no value in this run: it is NaN"
        if np.isneginf(term).any():
            what = f"{name}, on the {side}, is infinite{', and subtracted' if subtracted else ''}"
            return f"the run diverges: {what}, so nothing is said of how far the left is above the right"
        left_is_infinite = left_is_infinite or bool(np.isposinf(term).any())
    if left_is_infinite and constant == inf:
        return "the run diverges, and the bound is infinite too: both sides are"
    if isinf(constant):
        return "the right side has no value in float64: its constant part is beyond 1.8e308"
    return None


def _list_terms(
    bound: LinearBound, observables: Mapping[str, Any]
) -> Iterator[tuple[str, str, NDArray[np.float64], bool]]:
    """Each observable, its side, what it adds to the left less the right, and whether its side subtracts it.

    What is exact is a fraction, which is finite.
    """
    for side, weights, sign in (("left", bound.left, 1), ("right", bound.right, -1)):
        for name, weight in weights.items():
            values = np.asarray(observables[name])
            if values.dtype == object:
                continue
            with np.errstate(invalid="ignore"):  # a factor of zero times infinity is NaN, and told as such
                yield name, side, sign * float(weight) * values, float(weight) < 0
