"""Numbers that findings name in their words, computed again from the instance in the text alone.

Nothing of the witnesses, of the statements or of the engine is used.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

HALF = Fraction(1, 2)


def test_the_noise_floors_of_one_agent_are_55_6_and_444_and_not_0_89() -> None:
    """D.claim.H1end and D.claim.unroll: L = 1/1000, mu = 1/500, sigma = M = H = 1, eta = 1/(18 L)."""
    L, mu = 1e-3, 2e-3
    eta = 1 / (18 * L)
    assert 2 * L * eta / mu == pytest.approx(55.6, abs=0.05)
    assert 16 * eta * L == pytest.approx(0.89, abs=0.002)
    gap = 0.0
    for _ in range(2000):
        gap = (1 - eta * mu / 4) * gap + 4 * eta**2 * L
    assert gap == pytest.approx(444, abs=0.5)


def test_a_round_of_two_steps_adds_more_than_its_floor() -> None:
    """D.claim.same: L = M = mu = sigma = 1, zeta = 0, alpha = 2, H = 2, eta = 1/36."""
    eta, H = Fraction(1, 36), 2
    added = 4 * eta**2 * H + 3 * eta**3 * H * (H - 1)
    kept = (eta * H / 4) * 16 * eta
    assert (float(added), float(kept)) == (pytest.approx(0.00630, abs=5e-6), pytest.approx(0.00617, abs=5e-6))


def test_the_recursion_of_theorem_f4_rests_at_half_of_the_printed_floor() -> None:
    """Its resting point solves (eta mu/4) s^2 = 2 eta zeta^2, with zeta^2 = mu: s is the root of 8."""
    at_rest = math.sqrt(2 / (1 / 4))
    assert at_rest == pytest.approx(2.83, abs=0.005)
    assert 2 * math.sqrt(8) == pytest.approx(5.66, abs=0.005)


def test_both_noises_in_the_floor_take_off_twice_what_is_added() -> None:
    """D.F3.s6: alpha = 2, kappa = 1/2, zeta = 1/4, 2 L eta sigma^2/(M mu) = 1/16, from v = 1."""
    C = Fraction(1, 4) + Fraction(1, 4)
    added = HALF * Fraction(1, 16) + Fraction(1, 32)
    assert (HALF * C**2, added) == (Fraction(1, 8), Fraction(1, 16))
    assert 1 - HALF - HALF * C**2 + added == Fraction(7, 16)


def test_a_batch_of_one_of_two_opposite_samples_deviates_by_one_half() -> None:
    """C.lem3.s4 and C.lem2: each sample is drawn with probability 1/2, and the sum is divided by B = 1."""
    outcomes = [abs(a - b) for a, b in product((0, 1), repeat=2)]
    assert Fraction(sum(outcomes), 4) == HALF


def test_noise_of_4_raises_the_gap_to_3_125() -> None:
    """C.lem6.s9 and s12 and C.thm2.s6: x^2/2 at 1, a step of 1/2."""
    after = 1 - HALF * (1 - 4)
    assert (after, after**2 / 2, HALF) == (Fraction(5, 2), Fraction(25, 8), HALF)


def test_the_averaged_model_is_one_24th_away() -> None:
    """C.lem3: curvatures 1, 3/2 and 1/2 from 1, eta = 1/2, two steps; the auxiliary curvature is 1."""
    ends = [(1 - HALF * a) ** 2 for a in (Fraction(1), Fraction(3, 2), Fraction(1, 2))]
    assert abs(sum(ends) / 3 - HALF**2) == Fraction(1, 24)


def test_a_memory_of_theorem_1_is_1_12_away_where_R_is_1() -> None:
    """A.thm1.s1: clients (x -+ 2)^2/2 from 0; the gradients are -2 and 2, and move by eta = 1/7 at most."""
    alpha, beta, eta = Fraction(1, 10_000), 1, Fraction(1, 7)
    first_error = Fraction(1, 100) - alpha
    assert float(first_error) == pytest.approx(0.0099)
    first, second = -2 - first_error, Fraction(2) + 1
    first += beta * first_error / (alpha + first_error)
    second += beta * Fraction(-1) / (alpha + 1)
    x = -eta if first + second > 0 else eta
    errors = abs(x - 2 - first), abs(x + 2 - second)
    assert float(max(errors)) == pytest.approx(1.12, abs=0.005)
    # Lemma 1 has rho = 2 and gamma = 1/2: it allows (gamma/3) beta C/(alpha + C).
    assert eta <= HALF / 3 * 1 / (alpha + 1)


def test_the_left_side_of_theorem_3_is_below_0_where_the_gap_is_not() -> None:
    """B.thm3: ten clients (w - 1)^2/200 and one (w + 1/10)^2/2 at w = 0.185; w* = 0 balances them."""
    assert pytest.approx(0) == 10 * (0 - 1) / 100 + 0.1
    w, C_hat = 0.185, 4 * math.sqrt(1 / 200)
    assert C_hat == pytest.approx(0.283, abs=5e-4)
    gaps = [((w - 1) ** 2 - 1) / 200] * 10 + [((w + 0.1) ** 2 - 0.01) / 2]
    slopes = [abs(w - 1) / 100] * 10 + [w + 0.1]
    constant = 3 / 10 * math.sqrt(7 / 32) * C_hat
    left = np.mean([min(gap, constant * slope) for gap, slope in zip(gaps, slopes, strict=True)])
    assert (float(np.mean(gaps)), float(left)) == (
        pytest.approx(0.0017, abs=5e-5),
        pytest.approx(-0.0005, abs=5e-5),
    )


def test_two_runs_part_about_one_threshold() -> None:
    """B.eq17.cmp: 50 half squares about (0, 1), 50 about (0, -1), x^2/2000 about (6, 0), rho = 10^-4, K = 2.

    From (3, 0), eta = rho/2. The updates of the 100 have the length hypot(x, 1) at (x, 0).
    """
    rho, flat, clients = 1e-4, 1e-3, 101
    best = 6 * flat / (100 + flat)
    side_gap, flat_gap = (best**2 + 1) / 2, flat * (6 - best) ** 2 / 2
    near, far = (3 - rho / 2 * (100 * 3 - pull) / clients for pull in (3 * flat, math.hypot(3, 1)))
    C_hat = (math.hypot(near, 1) + math.hypot(far, 1)) / 2
    assert math.hypot(near, 1) < C_hat < math.hypot(far, 1) < math.hypot(3, 1)
    assert C_hat == pytest.approx(3.16, abs=0.005)
    assert C_hat >= 4 * math.sqrt(side_gap)
    B = 1.5 * rho * (flat_gap + (flat_gap + 100 * side_gap)) / clients / 2
    stretched = [C_hat**2 / 2 + C_hat / (flat * (6 - x)) * flat_gap * rho for x in (3.0, far)]
    B_2 = rho * sum(stretched) / clients / 2
    assert (pytest.approx(3.7e-5, rel=0.02), pytest.approx(5.0e-6, rel=0.02)) == (B, B_2)


def test_gradients_that_move_by_L_times_the_points() -> None:
    """A.lem9.s5: L = 8, gamma = 1/16, two data points 4 x^2: paths from 0 and 1, N = 2, steps gamma/N.

    The left side is the mean distance of the paths if a step parts them by gamma L/2 times their distance.
    """
    L, gamma = Fraction(8), Fraction(1, 16)
    distances = [Fraction(1), 1 + gamma * L / 2 * 1]
    left = sum(distances) / 2
    assert float(left) == pytest.approx(1.125)
    assert float(1 + gamma * left) == pytest.approx(1.07, abs=0.001)
