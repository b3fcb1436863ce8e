"""Observables in rationals, against a few steps by hand."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bounds.language.dimension import ONE
from bounds.language.quantity import Observable, Over, States
from synthetic.algorithms import fedavg, gradient_descent, stochastic_gradient_descent
from synthetic.oracles import Gaussian, TwoPoint
from synthetic.participation import Full
from synthetic.problems import quadratic
from verify.matching.measurements.exact_runs import measure_exactly

HALF = Fraction(1, 2)
# (|x - (1, 0)|^2 + |x + (1, 0)|^2)/4 is |x|^2/2 + 1/2; the minima of the clients are 0.
APART = quadratic.diagonal([[Fraction(1)] * 2] * 2, [[Fraction(1), 0], [Fraction(-1), 0]])
# (2 x^2 + 2 x y + 2 y^2)/2, of one client.
SKEW = quadratic.quadratic([[[Fraction(2), 1], [1, 2]]], [[Fraction(0), 0]])
START = (Fraction(3), Fraction(0))
AVERAGING = fedavg.Settings(start=START, rounds=1, local_steps=2, local_step=HALF, participation=Full())
DESCENT = gradient_descent.Settings(start=START, steps=2, step=HALF)


def observable(measured: str, over: Over = Over.LAST, states: States = States.ALL) -> Observable:
    return Observable(
        name="o", latex="o", meaning="o", dimension=ONE, over=over, measured=measured, states=states
    )


def value(of: Observable, algorithm: str, problem: Any, settings: Any) -> Fraction | None:
    found = measure_exactly({"o": of}, algorithm, problem, settings)
    return None if found is None else found.observables["o"]


@pytest.mark.parametrize(
    ("over", "states", "expected"),
    [
        (Over.LAST, States.ALL, Fraction(9, 32)),
        (Over.FIXED_STEP, States.BEFORE_A_ROUND, Fraction(9, 32)),
        (Over.MINIMUM_OF_MEANS, States.ALL, Fraction(9, 32)),
        (Over.MINIMUM_OF_MEANS, States.BEFORE_A_ROUND, Fraction(9, 8)),
        (Over.UNIFORM_ROUND, States.ALL, Fraction(63, 32)),
        (Over.UNIFORM_ROUND, States.BEFORE_A_ROUND, Fraction(45, 16)),
        (Over.UNIFORM_ROUND, States.AFTER_A_ROUND, Fraction(45, 64)),
        (Over.SUM, States.ALL, None),  # its weights are no matter of this module
    ],
)
def test_two_steps_of_gradient_descent(over: Over, states: States, expected: Fraction | None) -> None:
    """The steps 3, 3/2, 3/4 have the gaps 9/2, 9/8, 9/32."""
    assert value(observable("gap", over, states), "gradient_descent", APART, DESCENT) == expected


def test_what_a_step_of_gradient_descent_measures() -> None:
    for measured, expected in (
        ("squared_distance", Fraction(9, 16)),
        ("squared_gradient_norm", Fraction(9, 16)),
    ):
        assert value(observable(measured), "gradient_descent", APART, DESCENT) == expected
    assert value(observable("gap_to_client_minima"), "gradient_descent", APART, DESCENT) is None


@pytest.mark.parametrize(
    ("scale", "measured", "expected"),
    [
        (None, "squared_distance", Fraction(9, 16)),
        (0, "squared_distance", Fraction(9, 16)),
        (0, "gap", Fraction(9, 32)),
        (0, "gap_to_client_minima", Fraction(25, 32)),
        (2, "squared_distance", Fraction(19, 16)),
        (2, "squared_gradient_norm", Fraction(19, 16)),
        (2, "gap", Fraction(19, 32)),
        (2, "gap_to_client_minima", Fraction(35, 32)),
    ],
)
def test_a_round_of_federated_averaging(scale: int | None, measured: str, expected: Fraction) -> None:
    """Two local steps of 1/2 leave a quarter of each distance.

    Noise of variance 2 in a coordinate becomes (1/4) 2 (1 + 1/4) = 5/8 at a client, half of it in the mean.
    """
    oracle = None if scale is None else Gaussian(scale=scale)
    settings = replace(AVERAGING, oracle=oracle)
    assert value(observable(measured), "fedavg", APART, settings) == expected


@pytest.mark.parametrize(
    ("oracle", "expected"), [(Gaussian(scale=2), Fraction(1)), (TwoPoint(scale=2), Fraction(3, 2))]
)
def test_the_covariance_of_the_noise_enters(oracle: Any, expected: Fraction) -> None:
    """From the minimizer: 1/8 of the mean of u'Hu, which is 2 times the trace, or the sum of all entries."""
    settings = stochastic_gradient_descent.Settings(
        start=(Fraction(0), Fraction(0)), steps=1, step=HALF, oracle=oracle
    )
    assert value(observable("gap"), "stochastic_gradient_descent", SKEW, settings) == expected


def test_without_fractions_there_is_no_exact_run() -> None:
    last = observable("gap")
    assert value(last, "gradient_descent", APART, DESCENT) is not None
    assert value(last, "a method of nobody", APART, DESCENT) is None
    for settings in (
        gradient_descent.Settings(start=(3.0, 0.0), steps=2, step=HALF),
        gradient_descent.Settings(start=START, steps=2, step=0.5),
    ):
        assert value(last, "gradient_descent", APART, settings) is None
    rounded = quadratic.diagonal([[1.0] * 2] * 2, [[1.0, 0.0], [-1.0, 0.0]])
    assert value(last, "gradient_descent", rounded, DESCENT) is None
    for oracle, step in ((Gaussian(scale=0.5), HALF), (Gaussian(scale=2), 0.5)):
        noisy = stochastic_gradient_descent.Settings(start=START, steps=1, step=step, oracle=oracle)
        assert value(last, "stochastic_gradient_descent", APART, noisy) is None
    assert value(last, "fedavg", APART, replace(AVERAGING, local_step=0.5)) is None


def test_a_run_and_moments_are_told_apart() -> None:
    for algorithm, settings, method in (
        ("gradient_descent", DESCENT, "exact rational run"),
        ("fedavg", AVERAGING, "exact moments in rationals"),
    ):
        found = measure_exactly({"o": observable("gap")}, algorithm, APART, settings)
        assert found is not None
        assert found.method == method
