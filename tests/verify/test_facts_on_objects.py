"""Lemmas and facts of the DP-FedAvg paper on actual functions: what is false as printed, and by how much.

That the others hold on random and adversarial objects is the business of test_property.py.
"""

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng

import bounds
from verify.objects.recipes import draws

TRIALS, POINTS = 60, 10
Objects = dict[str, Any]
# float64 on quantities of order one to ten thousand, a few hundred operations deep
ROUNDING = 1e-11


# ---- what is false as printed


def test_lemma_3_is_false_without_convexity() -> None:
    """f = cos w near its top: the step leads to a steeper place, and the gradient is not co-coercive."""
    found = bounds.get("dp_fedavg.lemma_3").on(
        gradient=lambda w: -np.sin(w), w=np.array([0.1]), eta=0.5, L=1.0
    )
    assert found.evaluation.applicable is True
    before, after = np.sin(0.1), np.sin(0.1 + 0.5 * np.sin(0.1))
    assert found.excess == pytest.approx(after**2 - (before**2 - 3 * (after - before) ** 2), rel=1e-12)
    assert found.excess > 0.019


def test_lemma_4_is_false_for_more_than_E_steps() -> None:
    """f = -w^2/2: after tau steps |w_0 - w_tau| = (1.1^tau - 1) |w_0|, and not 0.2 tau |w_0|.

    "For all tau >= 1" is read as up to E, where the listing stops: the last proof step needs that.
    """
    lemma = bounds.get("dp_fedavg.lemma_4.distance")
    start = {"gradient": lambda w: -w, "w": np.array([1.0]), "eta": 0.1, "L": 1.0}
    printed = replace(lemma, conditions=tuple(c for c in lemma.conditions if c.locator == "B.lem4"))
    found = printed.on(**start, tau=20, E=5)
    assert found.evaluation.applicable is True
    assert found.excess == pytest.approx(1.1**20 - 1 - 0.2 * 20)
    assert found.excess > 1.7
    assert lemma.on(**start, tau=20, E=5).evaluation.applicable is False
    assert lemma.on(**start, tau=5, E=5).excess < 0


def test_the_bound_of_lemma_4_is_not_stronger_than_that_of_lemma_2() -> None:
    """f = w^2/2, where ||grad f||^2 = 2 L (f - f*): the square of the one is four times the other."""
    found = bounds.get("dp_fedavg.lemma_4.stronger").on(
        f=lambda w: (w**2).sum(axis=-1) / 2, gradient=lambda w: w, f_star=0.0,
        w=np.array([1.0]), eta=0.1, tau=3, E=5, L=1.0,
    )  # fmt: skip
    assert found.evaluation.applicable is True
    assert found.left == pytest.approx((2 * 0.1 * 3) ** 2)
    assert found.right == pytest.approx(0.1**2 * 3**2)


def test_the_bound_of_lemma_4_is_at_most_twice_that_of_lemma_2() -> None:
    """By Fact 1: four times in the squares. Where the slope is small, it is the better of the two."""
    claim, ratios = bounds.get("dp_fedavg.lemma_4.stronger"), []
    for _, objects in draws(claim, seed=1, trials=5):
        found = claim.on(**objects)
        assert np.all(np.asarray(found.evaluation.applicable, dtype=bool))
        lowest = objects["f_star"]
        # Beside a lowest value that lies decades above it the gap is a rounding, and no ratio is known.
        known = (found.right > 0) & (objects["f"](objects["w"]) - lowest > 1e-6 * abs(lowest))
        ratios.append(found.left[known] / found.right[known])
    assert np.max(np.concatenate(ratios)) == pytest.approx(4, rel=1e-9)
    assert np.min(np.concatenate(ratios)) < 1


def first_round(w: float) -> Objects:
    """f_1 = (w-1)^2/2 and f_2 = (w+1)^2/2 from w, with E = 1: w* = 0, and both Delta_i* are 1/2."""
    centres, w_star, L, E, alpha, rho, C_hat = np.array([1.0, -1.0]), 0.0, 1.0, 1, 1.0, 0.1, 3.0
    gaps = (w - centres) ** 2 / 2 - (w_star - centres) ** 2 / 2
    assert C_hat >= 4 * sqrt(L * 0.5)
    assert alpha / (2 * rho) >= E
    return {
        **{"gaps": gaps, "update_norms": np.abs(w - centres), "C_hat": C_hat},
        **{"L": L, "E": E, "alpha": alpha, "rho": rho},
    }


def test_the_left_side_of_normalization_is_not_always_the_larger_one() -> None:
    """From w_0 = 1/2 with K = 1 both algorithms share their one iterate; the client that is nearer to its own
    minimum than w* is has a negative gap, and its shorter update stretches it most."""
    found = bounds.get("dp_fedavg.equation_16_comparison.left_sides").on(**first_round(0.5))
    assert found.left == pytest.approx(1.89 * (-0.375 + 0.625) / 2)
    assert found.right == pytest.approx(1.99 * (-0.375 * 3 / 0.5 + 0.625 * 3 / 1.5) / 2)
    assert found.excess > 1.2


def test_the_left_side_of_normalization_is_the_larger_one_where_no_gap_is_negative() -> None:
    claim = bounds.get("dp_fedavg.equation_16_comparison.left_sides")
    excesses = []
    for seed in range(TRIALS):
        random = default_rng(seed)
        n, E, C_hat = (
            int(random.integers(1, 7)),
            int(random.integers(1, 9)),
            float(10 ** random.uniform(-1, 1)),
        )
        rho = 0.001 + 0.99 * random.random()
        found = claim.on(
            gaps=random.random((POINTS, n)), update_norms=C_hat * E * (0.01 + 2 * random.random((POINTS, n))),
            C_hat=C_hat, L=1.0, E=E, alpha=max(1.0, 2 * rho * E), rho=rho,
        )  # fmt: skip
        excesses.append(np.max(found.excess / np.maximum(1.0, found.left)))
    assert max(excesses) <= ROUNDING
