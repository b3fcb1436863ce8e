"""Lemmas of Fed-alpha-NormEC on actual objects: what is false as printed, and how one asks in a wrong way.

That the others hold on random and adversarial objects is the business of test_property.py.
"""

import numpy as np
import pytest
from numpy.random import default_rng
from sympy import Rational

import bounds
from bounds import errors

TRIALS = 60
# float64 on quantities of order one to a hundred, a few hundred operations deep
ROUNDING = 1e-11


# ---- what is false as printed


def test_lemma_1_is_false_for_steps_longer_than_the_smoothing() -> None:
    """f = x^2/2 with one gradient step of length 1/2: after one round the error is above C."""
    statement = bounds.get("fed_norm_ec.lemma_1")
    eta = Rational(1, 6) * Rational(1024, 1025)
    found = statement.on(
        local=lambda x: x / 2, x=np.array([0.0]), x_next=np.array([-float(eta) * (1 - 1e-12)]),
        v=np.array([-1 / 32]), alpha=1 / 1024, beta=1.0, gamma=0.5, eta=float(eta), rho=2.0, C=1.0,
    )  # fmt: skip
    assert found.evaluation.applicable is True
    assert found.excess > 0.09


def test_lemma_8_is_false_without_a_limit_on_gamma() -> None:
    """Three equal data points x^2/2 with generous lower bounds: a long pass leaves any neighbourhood."""
    statement = bounds.get("fed_norm_ec.lemma_8")
    found = statement.on(
        gradients=[[lambda x: x] * 3], x=np.array([1.0]), f=0.5, f_inf=0.0, f_i_inf=np.array([-1.0]),
        f_ij_inf=np.full((1, 3), -1.0), gamma=1000.0, L=1.0,
    )  # fmt: skip
    assert found.evaluation.applicable is True
    assert found.excess > 1e4


def test_lemma_9_is_false_when_only_the_clients_are_smooth() -> None:
    """h1 asks it of the f_i: components (L+a) x^2/2 and (L-a) x^2/2 have an L-smooth mean whatever a is."""
    statement = bounds.get("fed_norm_ec.lemma_9.c2")
    found = statement.on(
        gradients=[[lambda x: 101 * x, lambda x: -99 * x]],
        x=np.array([0.0]), x_next=np.array([1.0]), gamma=0.5, L=1.0, eta=1.0,
    )  # fmt: skip
    assert found.evaluation.applicable is True
    assert found.left == pytest.approx((1 + 24.25) / 2)
    assert found.excess > 10


def test_lemma_8_within_the_limit_of_lemma_9() -> None:
    """gamma <= 1/(2L), the other reading: no instance exceeds the bound."""
    statement = bounds.get("fed_norm_ec.lemma_8")
    for seed in range(TRIALS):
        random = default_rng(seed)
        N, L = int(random.integers(1, 6)), 10 ** random.uniform(-1, 1)
        centres = random.standard_normal((3, N))
        x = np.array([10 ** random.uniform(-2, 1)])
        mean, spread = centres.mean(), L * ((centres - centres.mean()) ** 2).mean() / 2
        of_clients = L * ((centres - centres.mean(axis=1, keepdims=True)) ** 2).mean(axis=1) / 2
        found = statement.on(
            gradients=[[lambda y, c=c, L=L: L * (y - c) for c in row] for row in centres],
            x=x, f=spread + L * (x[0] - mean) ** 2 / 2, f_inf=spread, f_i_inf=of_clients,
            f_ij_inf=np.zeros((3, N)), gamma=1 / (2 * L), L=L,
        )  # fmt: skip
        assert found.evaluation.applicable is True
        assert found.excess <= ROUNDING


# ---- asked in a wrong way


def test_objects_are_asked_for_by_name() -> None:
    lemma = bounds.get("fed_norm_ec.smoothed_normalization")
    with pytest.raises(errors.UnknownName, match="did you mean alpha"):
        lemma.on(v=np.ones(2), alhpa=1.0)
    with pytest.raises(errors.MissingQuantity, match="smoothing parameter"):
        lemma.on(v=np.ones(2))
    with pytest.raises(errors.NotEvaluable):
        bounds.get("fed_norm_ec.theorem_2").on(x=1)
    with pytest.raises(errors.NotEvaluable):
        bounds.get("fed_norm_ec.claims.bias").evaluate(L=1)
