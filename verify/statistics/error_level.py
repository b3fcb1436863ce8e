"""How one error level is shared by cells, and what the minimum over rounds needs.

Reasons: docs/error_level.md.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from verify.statistics.betting import InvalidLevel, InvalidSamples, evidence_above

__all__ = ["evidence_above_in_every_round", "per_cell", "round_with_lowest_mean"]


def per_cell(level: float, cells: int) -> float:
    """Level of one cell when `cells` of them, counted before the run, share `level`.

    The union bound: the cells may share random numbers.
    """
    if not 0 < level < 1:
        raise InvalidLevel(f"an error level is strictly between 0 and 1; it is {level!r}")
    if cells < 1:
        raise InvalidLevel(f"a level is shared by at least one cell, not {cells!r}")
    return level / cells


def evidence_above_in_every_round(
    samples: ArrayLike, bound: float, floors: ArrayLike, *, rounding: float | None = None
) -> NDArray[np.float64]:
    """Running log-evidence against `min over k of E[X_k] <= bound`; `samples` has one row per round.

    If the hypothesis is true, some round obeys the bound, and that round's wealth alone reaches `1 / level`
    with probability at most `level`. So the least of the rounds' highest wealths needs no correction for
    their number.
    """
    rows = _rows(samples)
    lowest = np.broadcast_to(np.asarray(floors, dtype=np.float64), (len(rows),))
    least = np.full(rows.shape[1], math.inf)
    for row, floor in zip(rows, lowest, strict=True):
        highest = np.maximum.accumulate(evidence_above(row, bound, float(floor), rounding=rounding))
        least = np.minimum(least, highest)
    return least


def round_with_lowest_mean(pilot: ArrayLike) -> int:
    """The row to bound on fresh replicates; on the pilot's own replicates its mean is biased low."""
    rows = _rows(pilot)
    if rows.shape[1] == 0:
        raise InvalidSamples("a pilot needs at least one replicate")
    return int(np.argmin(rows.mean(axis=1)))


def _rows(samples: ArrayLike) -> NDArray[np.float64]:
    rows = np.asarray(samples, dtype=np.float64)
    if rows.ndim != 2 or len(rows) == 0:
        raise InvalidSamples(f"samples are rounds by replicates; their shape is {rows.shape}")
    if np.isnan(rows).any():
        raise InvalidSamples("a sample is NaN; a diverged replicate is +inf")
    return rows
