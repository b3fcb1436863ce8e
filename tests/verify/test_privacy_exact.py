"""The exact Gaussian formula, against the same formula in fifty digits and against its own definition."""

from math import inf, log, sqrt

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.privacy import exact
from verify.privacy.mechanism import Full, Relation
from verify.privacy.release import Release


def release(multiplier: float, rounds: int = 1, relation: Relation = Relation.ADD_OR_REMOVE) -> Release:
    return Release(multiplier=multiplier, relation=relation, sampling=Full(), rounds=rounds)


def delta_in_fifty_digits(epsilon: float, multiplier: float, rounds: int) -> mpmath.mpf:
    """P(loss > epsilon) under both inputs, of `rounds` normal losses that add up; nothing rearranged."""
    with mpmath.workdps(50):
        mean = mpmath.mpf(rounds) / (2 * mpmath.mpf(multiplier) ** 2)
        deviation = mpmath.sqrt(2 * mean)
        above = mpmath.ncdf((mean - epsilon) / deviation)
        below = mpmath.ncdf((-mean - epsilon) / deviation)
        return above - mpmath.exp(epsilon) * below


@given(
    multiplier=st.floats(0.05, 1e3),
    rounds=st.integers(1, 10_000),
    exponent=st.floats(-14, -0.5),
)
def test_the_answer_is_safe_and_hardly_larger_than_needed(
    multiplier: float, rounds: int, exponent: float
) -> None:
    delta = 10**exponent
    epsilon = exact.epsilon(release(multiplier, rounds), delta)
    assert delta_in_fifty_digits(epsilon, multiplier, rounds) <= delta
    if epsilon > 0:
        assert delta_in_fifty_digits(epsilon * (1 - 1e-7), multiplier, rounds) > delta


@pytest.mark.parametrize(
    ("multiplier", "rounds", "delta"), [(1.0, 1, 1e-5), (10.0, 100, 1e-10), (0.2, 3, 0.1)]
)
def test_the_answer_leaves_room_for_roundings_of_special_functions(
    multiplier: float, rounds: int, delta: float
) -> None:
    """No float64 of one machine shows that another one needs it: nine tenths of the margin are to spare."""
    epsilon = exact.epsilon(release(multiplier, rounds), delta)
    less = epsilon * (1 - 0.9 * exact.MARGIN)
    assert delta_in_fifty_digits(less, multiplier, rounds) <= delta


@pytest.mark.parametrize("epsilon", [0.0, 0.01, 1.0, 30.0, 300.0])
@pytest.mark.parametrize("ratio", [1e-3, 0.1, 1.0, 20.0])
def test_log_delta(epsilon: float, ratio: float) -> None:
    right = float(mpmath.log(delta_in_fifty_digits(epsilon, 1 / ratio, 1)))
    assert exact.log_delta(epsilon, ratio) == pytest.approx(right, rel=1e-9, abs=1e-9)


def test_rounds_are_one_release_of_less_noise() -> None:
    assert exact.epsilon(release(10, 100), 1e-5) == pytest.approx(exact.epsilon(release(1), 1e-5), rel=1e-12)


def test_replacing_moves_the_sum_twice() -> None:
    doubled = exact.epsilon(release(2, relation=Relation.REPLACE_ONE), 1e-5)
    assert doubled == exact.epsilon(release(1), 1e-5)


def test_enough_noise_costs_nothing() -> None:
    assert exact.epsilon(release(1e3), 0.1) == 0


def test_what_float64_cannot_tell_from_no_loss_costs_nothing() -> None:
    """Noise of 1e308 sensitivities; and a loss of 1e6, which is 1e11 deviations away."""
    assert exact.log_delta(0.0, 1e-308) == -inf
    assert exact.epsilon(release(1e308), 1e-300) == 0
    assert exact.log_delta(1e6, 1e-5) == -inf


def test_the_classical_formula_holds_below_1_and_not_for_every_epsilon() -> None:
    """sqrt(2 log(1.25/delta))/epsilon is enough in its range; at delta 1e-5 it is not from epsilon 8.5 on."""
    for epsilon, enough in ((0.1, True), (0.99, True), (8.0, True), (8.5, False), (20.0, False)):
        classical = sqrt(2 * log(1.25 / 1e-5)) / epsilon
        assert (exact.epsilon(release(classical), 1e-5) <= epsilon) is enough
        assert (delta_in_fifty_digits(epsilon, classical, 1) <= 1e-5) is enough
