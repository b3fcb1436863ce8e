"""Definitions and claims about clipping on actual vectors and functions.

Three claims are false as printed: they are tried here where they are right (updates in one direction, epsilon
below 1), and refuted outside by an instance with a name. For all others see test_property.py.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from mpmath import exp, log, mpf, ncdf, sqrt
from numpy.random import Generator, default_rng
from sympy import Rational, diff, expand, symbols

import bounds
from bounds.language.statement import Statement
from verify.objects.recipes import draws
from verify.papers.several.witnesses.claims_in_prose import flat_hessian, flat_in_one_place

TRIALS = 60
Objects = dict[str, Any]
# float64 on quantities of order one to a hundred, a few hundred operations deep
ROUNDING = 1e-11


def in_one_direction(random: Generator) -> Any:
    clients, d = int(random.integers(1, 6)), int(random.integers(1, 4))
    direction = random.standard_normal(d)
    lengths = 10 ** random.uniform(-2, 2, (20, clients, 1))
    return lengths * direction / np.linalg.norm(direction)


def two_thresholds(random: Generator) -> Objects:
    C = 10 ** random.uniform(-2, 1)
    return {"updates": in_one_direction(random), "C": C, "larger_C": C * random.uniform(1.01, 10)}


def round_with_noise(random: Generator) -> Objects:
    updates = in_one_direction(random)
    return {
        "updates": updates,
        "noise": random.standard_normal(updates.shape),
        "C": 10 ** random.uniform(-2, 1),
    }


def neighbours(random: Generator) -> Objects:
    """epsilon < 1, as the book that is cited for the mechanism asks."""
    value = random.standard_normal((20, 3))
    move = random.standard_normal((20, 3)) * 10 ** random.uniform(-3, 3)
    return {
        **{"value": value, "neighbour": value + move, "epsilon": random.uniform(0.01, 1)},
        "delta": random.choice([10 ** random.uniform(-12, -1), random.uniform(0.1, 0.99)]),
    }


MAKERS: dict[str, Callable[[Generator], Objects]] = {
    "dp_fedavg.definitions.privacy": neighbours,
    "dp_fedavg.claims.bias": two_thresholds,
    "dp_fedavg.claims.signal_to_noise": round_with_noise,
}


def largest_excess(statement: Statement, seed: int) -> float:
    """Relative to the size of the left-hand side. A condition on what is no object here is not decided."""
    found = statement.on(**MAKERS[statement.id](default_rng(seed)))
    assert found.evaluation.applicable is not False
    return float(np.max(found.excess / np.maximum(1.0, np.abs(found.left))))


@pytest.mark.parametrize("identity", MAKERS)
def test_holds_on_every_instance(identity: str) -> None:
    assert max(largest_excess(bounds.get(identity), seed) for seed in range(TRIALS)) <= ROUNDING


@pytest.mark.parametrize("identity", MAKERS)
def test_a_much_smaller_right_hand_side_is_caught(identity: str) -> None:
    """So that the instances are no easy ones: a tenth of the bound is exceeded by some of them."""
    statement = bounds.get(identity)
    terms = tuple(replace(term, expression=term.expression * Rational(1, 10)) for term in statement.terms)
    planted = replace(statement, terms=terms)
    assert max(largest_excess(planted, seed) for seed in range(TRIALS)) > ROUNDING


def test_a_normalized_vector_has_exactly_its_length() -> None:
    statement = bounds.get("dp_fedavg.equation_12.length")
    for _, objects in draws(statement, seed=1, trials=5):
        found = statement.on(**objects)
        assert found.left == pytest.approx(np.broadcast_to(found.right, found.left.shape), rel=ROUNDING)


def test_proposition_1_is_attained_by_one_local_step() -> None:
    found = bounds.get("dp_fedavg.proposition_1").on(
        gradient=lambda x: 2 * x, w=np.array([3.0]), E=1, L=2.0, lam=2.0, G=6.0, rho=0.5
    )
    assert found.left == found.right == 6.0


# ---- what is false as printed


def test_definition_2_is_false_for_a_large_epsilon() -> None:
    """For two Gaussians s standard deviations apart, delta is Phi(s/2 - e/s) - exp(e) Phi(-s/2 - e/s)."""
    epsilon, delta = 20.0, 1e-5
    s = epsilon / sqrt(2 * log(mpf("1.25") / mpf(delta)))
    needed = ncdf(s / 2 - epsilon / s) - exp(epsilon) * ncdf(-s / 2 - epsilon / s)
    found = bounds.get("dp_fedavg.definitions.privacy").on(
        value=np.zeros(2), neighbour=np.array([3.0, 4.0]), epsilon=epsilon, delta=delta
    )
    assert found.evaluation.applicable is True
    assert found.left == pytest.approx(float(needed), rel=1e-9)
    assert found.left > 150 * delta


def test_a_higher_threshold_can_raise_the_bias() -> None:
    """Updates 3, -2, -2 with mean -1/3: clipped at 1 so is 1, -1, -1; clipped at 2 the mean is -2/3."""
    found = bounds.get("dp_fedavg.claims.bias").on(
        updates=np.array([[3.0], [-2.0], [-2.0]]), C=1.0, larger_C=2.0
    )
    assert found.evaluation.applicable is True
    assert (found.left, found.right) == pytest.approx((1 / 3, 0.0), abs=1e-15)


def test_the_ratio_of_normalization_can_be_the_lower_one() -> None:
    """Updates 1 and -1/10 with C = 1: normalized they cancel, clipped their mean is 9/20."""
    found = bounds.get("dp_fedavg.claims.signal_to_noise").on(
        updates=np.array([[1.0], [-0.1]]), noise=np.array([[2.0], [1.0]]), C=1.0
    )
    assert found.evaluation.applicable is True
    assert (found.left, found.right) == pytest.approx((0.3, 0.0), abs=1e-15)


def test_the_update_per_step_can_grow_for_long_steps() -> None:
    """x^2/2 with eta L = 1.9, outside the reading: the gradients are 1, -0.9, 0.81."""
    found = bounds.get("dp_fedavg.claims.update_per_step").on(
        gradient=lambda x: x, w=np.array([1.0]), eta=1.9, E_1=2, E_2=3
    )
    assert (found.left, found.right) == pytest.approx((0.91 / 3, 0.05))


@pytest.mark.parametrize(("E", "C", "expected"), [(1, 1.0, 0), (2, 1.0, 1), (5, 1.0, 4), (5, 5.0, 0)])
def test_the_lipschitz_constant_as_threshold_is_biased_after_several_steps(
    E: int, C: float, expected: float
) -> None:
    """Far from the minimum of a 1-Lipschitz function every gradient is 1, and the update is E."""
    assert "longer than C = G" in bounds.get("dp_fedavg.claims.lipschitz_threshold").refuted_by
    w = np.array([100.0])
    for _ in range(E):
        w = w - np.clip(w, -1, 1) / 2
    update = (np.array([[100.0]]) - w) / 0.5
    found = bounds.get("dp_fedavg.claims.bias").on(updates=update, C=C, larger_C=2 * C)
    assert found.numbers["bias"] == pytest.approx(expected, abs=1e-12)


def test_equal_indicators_do_not_order_the_thresholds() -> None:
    """x^2/2 from 1: no update is clipped at 10 per step in one step, nor at 20 per step in two."""
    assert "no update is clipped" in bounds.get("dp_fedavg.claims.smaller_threshold").refuted_by
    per_step = bounds.get("dp_fedavg.claims.update_per_step").on(
        gradient=lambda x: x, w=np.array([1.0]), eta=0.5, E_1=1, E_2=2
    )
    assert per_step.right <= 10
    assert per_step.left <= 20


def test_equation_10_is_false_where_the_hessian_loses_the_gradient() -> None:
    """f = x + x^4 at 0: the gradient is 1 and the Hessian 0, yet a step changes the gradient by 4 eta^3."""
    assert "f(x) = x + x^4" in bounds.get("dp_fedavg.equation_10").refuted_by
    x, eta = symbols("x eta", positive=True)
    slope = diff(x + x**4, x)
    at = slope.subs(x, 0)
    assert at == 1
    assert diff(slope, x).subs(x, 0) == 0
    assert expand(slope.subs(x, -eta * at) - at) == -4 * eta**3


def test_a_client_of_theorem_2_may_have_such_a_place() -> None:
    """Convex, L-smooth on the whole line and with a minimum, and the step is one of Assumption 1."""
    points = [Fraction(n, 40) for n in range(-400, 401)]
    slopes = [flat_in_one_place(x) for x in points]
    curvatures = [(right - left) * 40 for left, right in pairwise(slopes)]
    assert min(curvatures) >= 0
    assert max(curvatures) == Fraction(3, 25)
    assert slopes[0] < 0 < slopes[-1]
    eta = Fraction(1, 10)
    assert 2 * eta * max(curvatures) < 1
    assert flat_hessian().left == float(4 * eta**3) == float(1 - flat_in_one_place(-eta))
    assert flat_hessian().refutes
