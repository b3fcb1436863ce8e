"""Levels over cells and rounds: every round must reject, and other replicates choose the best round."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from verify.statistics.betting import (
    InvalidSamples,
    evidence_above,
    rejects,
    upper_confidence,
)
from verify.statistics.error_level import evidence_above_in_every_round, per_cell, round_with_lowest_mean

LEVEL = 0.05


def test_every_round_must_reject() -> None:
    assert per_cell(0.05, 50) * 50 == pytest.approx(0.05)
    rng = np.random.default_rng(3)
    rounds = rng.exponential(size=(4, 2000)) * np.array([[3.0], [2.0], [1.0], [2.0]])
    together = evidence_above_in_every_round(rounds, 1.0, 0.0)
    assert not rejects(together, LEVEL)
    assert together[-1] == min(evidence_above(row, 1.0, 0.0).max() for row in rounds)
    assert rejects(evidence_above_in_every_round(rounds, 0.8, np.zeros(4)), 1e-6)
    alone = evidence_above_in_every_round(rounds[:1], 1.0, 0.0)
    assert list(alone) == list(np.maximum.accumulate(evidence_above(rounds[0], 1.0, 0.0)))
    with pytest.raises(InvalidSamples):
        evidence_above_in_every_round(rounds[:0], 1.0, 0.0)


def test_the_best_round_is_chosen_on_other_replicates() -> None:
    rng = np.random.default_rng(4)
    cells, rounds, count = 40, 400, 60
    fresh_misses = reused_misses = 0
    for _ in range(cells):
        pilot, fresh = (rng.random((2, rounds, count)) < 0.5).astype(float)
        chosen = round_with_lowest_mean(pilot)
        fresh_misses += upper_confidence(fresh[chosen], LEVEL, 1.0) < 0.5
        reused_misses += upper_confidence(pilot[chosen], LEVEL, 1.0) < 0.5
    most = stats.binom.isf(1e-6, cells, LEVEL)  # a valid bound misses more often with probability 1e-6
    assert fresh_misses <= most < reused_misses
    assert round_with_lowest_mean([[0.0, math.inf], [5.0, 5.0]]) == 1
