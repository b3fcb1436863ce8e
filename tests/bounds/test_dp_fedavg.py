"""Statements of the DP-FedAvg paper on actual vectors, against values worked out by hand."""

from fractions import Fraction
from math import exp, hypot, log, pi, sqrt
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

import bounds


def on(name: str, **objects: Any) -> Any:
    return bounds.get(f"dp_fedavg.{name}").on(**objects)


# ---- Definition 2: the supremum over sets, by integration of the positive part of the difference


def smallest_delta(epsilon: float, delta: float) -> float:
    """Densities of two neighbours at distance 1 under the noise of Definition 2."""
    deviation = sqrt(2 * log(1.25 / delta)) / epsilon

    def excess(x: Any) -> Any:
        density = [mp.exp(-(((x - m) / deviation) ** 2) / 2) / (deviation * sqrt(2 * pi)) for m in (1, 0)]
        return max(mpf(0), density[0] - exp(epsilon) * density[1])

    # The difference changes its sign once.
    turn = 0.5 + epsilon * deviation**2
    return float(mp.quad(excess, [turn, turn + deviation, turn + 5 * deviation, turn + 40 * deviation]))


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0.5, 1e-3), (1.0, 1e-5), (5.0, 1e-5), (12.0, 1e-5), (3.0, 0.5)]
)
def test_what_the_gaussian_mechanism_gives_away(epsilon: float, delta: float) -> None:
    value = np.array([0.3, -1.2])
    both = on("definitions.privacy", value=value, neighbour=value + 7.0, epsilon=epsilon, delta=delta)
    assert both.left == pytest.approx(smallest_delta(epsilon, delta), rel=1e-6)
    assert both.right == delta


def test_nothing_is_given_away_of_a_query_that_does_not_change() -> None:
    value = np.array([0.3, -1.2])
    assert on("definitions.privacy", value=value, neighbour=value, epsilon=50.0, delta=1e-5).left == 0


# ---- clipping and normalization


def test_bias_of_clipping() -> None:
    """Updates 3, -2, -2: what clipping at 1 takes away is 2, -1, -1; at 2 it is 1, 0, 0."""
    updates = np.array([[3.0, 0.0], [-2.0, 0.0], [-2.0, 0.0]])
    both = on("claims.bias", updates=updates, C=1.0, larger_C=2.0)
    assert (both.right, both.left) == (0.0, pytest.approx(1 / 3, rel=1e-15))
    both = on("claims.bias", updates=updates * [[0.0], [1.0], [1.0]], C=1.0, larger_C=4.0)
    assert (both.right, both.left) == (pytest.approx(2 / 3, rel=1e-15), 0.0)


def test_signal_to_noise_ratios_of_a_round() -> None:
    """The update (3, 4) is cut to (0.6, 0.8), (-0.6, 0) is kept or stretched to (-1, 0); the noise is 2."""
    updates, noise = np.array([[3.0, 4.0], [-0.6, 0.0]]), np.array([[1.0, 3.0], [3.0, -3.0]])
    both = on("claims.signal_to_noise", updates=updates, noise=noise, C=1.0)
    assert both.left == pytest.approx(0.8 / 2 / 2, rel=1e-14)
    assert both.right == pytest.approx(hypot(0.4, 0.8) / 2 / 2, rel=1e-14)


def test_leading_axes_are_cases_of_their_own() -> None:
    rng = np.random.default_rng(5)
    updates, noise, C = rng.normal(size=(6, 4, 3)), rng.normal(size=(6, 4, 3)), rng.uniform(0.5, 2, size=6)
    together = on("claims.signal_to_noise", updates=updates, noise=noise, C=C)
    biased = on("claims.bias", updates=updates, C=C, larger_C=2 * C)
    for i in range(6):
        alone = on("claims.signal_to_noise", updates=updates[i], noise=noise[i], C=C[i])
        assert (together.left[i], together.right[i]) == pytest.approx((alone.left, alone.right), rel=1e-14)
        alone = on("claims.bias", updates=updates[i], C=C[i], larger_C=2 * C[i])
        assert (biased.left[i], biased.right[i]) == pytest.approx((alone.left, alone.right), rel=1e-14)


def test_length_of_a_normalized_vector() -> None:
    z = np.array([[3.0, 4.0], [1e-100, 0.0]])
    assert on("equation_12.length", z=z, c=np.array([2.0, 5.0])).left == pytest.approx([2.0, 5.0], rel=1e-15)


# ---- local steps on the quadratic x^2/2: the gradient shrinks by 1 - eta in each


def update(start: Fraction, eta: Fraction, steps: int) -> Fraction:
    return start * (1 - (1 - eta) ** steps) / eta


def test_update_per_local_step() -> None:
    start, eta = Fraction(2), Fraction(1, 4)
    w = np.array([[2.0, 0.0]])
    both = on("claims.update_per_step", gradient=lambda x: x, w=w, eta=np.array([0.25]), E_1=2, E_2=5)
    assert both.left == pytest.approx([float(update(start, eta, 5) / 5)], rel=1e-14)
    assert both.right == pytest.approx([float(update(start, eta, 2) / 2)], rel=1e-14)
    assert both.excess < 0


def test_a_step_beyond_what_the_claim_means_refutes_it() -> None:
    """With eta L = 1.9 the gradients 1, -0.9, 0.81 have the means 0.05 and 0.91/3."""
    one = np.array([[1.0]])
    both = on("claims.update_per_step", gradient=lambda x: x, w=one, eta=np.array([1.9]), E_1=2, E_2=3)
    assert both.excess == pytest.approx([0.91 / 3 - 0.05], rel=1e-12)


def test_threshold_of_proposition_1() -> None:
    rho, lam, G, E = Fraction(1, 10), Fraction(1, 2), Fraction(3), 4
    both = on(
        "proposition_1",
        gradient=lambda x: x,
        w=np.array([1.5, 2.0]),
        E=E,
        L=1.0,
        lam=float(lam),
        G=float(G),
        rho=float(rho),
    )
    assert both.left == pytest.approx(float(update(Fraction(5, 2), rho / 2, E)), rel=1e-14)
    threshold = G * (1 - Fraction(11 * (E - 1), 64) * rho * lam**2)
    assert both.right == pytest.approx(float(threshold * E), rel=1e-14)


def test_quadratic_bound() -> None:
    """On half of 2 x^2 + y^2 with L = 2 what is missing is half of the squared way along y."""
    theta, there = np.array([1.0, -1.0]), np.array([0.5, 2.0])
    curvature = np.array([2.0, 1.0])
    both = on(
        "definitions.quadratic_bound",
        g=lambda x: (curvature * x**2).sum(-1) / 2,
        gradient=lambda x: curvature * x,
        theta=theta,
        theta_prime=there,
        L=2.0,
    )
    assert both.left == 0.25 + 2.0
    assert both.excess == pytest.approx(-9 / 2, rel=1e-14)
