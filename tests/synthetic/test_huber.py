"""Huber problems: the formula, the constants, and the exact worst case of gradient descent."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize

from synthetic import run
from synthetic.algorithms import gradient_descent
from synthetic.errors import NotRational, UnknownMinimum
from synthetic.problems.huber import huber, small, worst_case_of_gradient_descent

PROBLEMS = [
    {"seed": 0},
    {"seed": 1, "clients": 1},
    {"seed": 2, "dimension": 1, "heterogeneity": 0.9},
    {"seed": 3, "curvature": 3.0, "threshold": 0.25},
    {"seed": 4, "heterogeneity": 0.0},
]


@pytest.mark.parametrize("arguments", PROBLEMS)
def test_values_are_the_formula_and_gradients_their_derivative(arguments):
    problem = small(**arguments)
    random = np.random.default_rng(1)
    points = (
        problem.threshold
        * 10.0 ** random.uniform(-1.5, 0.5, (60, 1))
        * random.standard_normal((60, problem.dimension))
    )
    step = 1e-6
    for client in range(problem.clients):
        radius = np.linalg.norm(points - problem.centers[client], axis=1)
        inside = radius <= problem.threshold
        tail = problem.curvature * problem.threshold * (radius - problem.threshold / 2)
        expected = np.where(inside, problem.curvature * radius**2 / 2, tail)
        assert inside.any()
        assert not inside.all()
        np.testing.assert_allclose(problem.client_value(client, points), expected, rtol=1e-12)
        gradient = problem.client_gradient(client, points)
        for j, unit in enumerate(np.eye(problem.dimension)):
            forward = problem.client_value(client, points + step * unit)
            slope = (forward - problem.client_value(client, points - step * unit)) / (2 * step)
            np.testing.assert_allclose(gradient[:, j], slope, atol=1e-5)


@pytest.mark.parametrize("arguments", PROBLEMS)
def test_minimum_and_gaps_against_brute_force(arguments):
    problem, constants = small(**arguments), small(**arguments).constants()
    start = np.full(problem.dimension, problem.threshold)
    found = minimize(
        lambda x: problem.value(x[None])[0],
        start,
        jac=lambda x: problem.gradient(x[None])[0],
        options={"gtol": 1e-10},
    )
    gaps = [problem.client_value(i, found.x[None])[0] for i in range(problem.clients)]
    assert constants["minimum"].value == pytest.approx(found.fun, abs=1e-9)
    assert constants["infimum_gap"].value == pytest.approx(found.fun, abs=1e-9)
    np.testing.assert_allclose(constants["client_gaps_at_minimiser"].value, gaps, atol=1e-7)
    squares = [np.sum(problem.client_gradient(i, found.x[None]) ** 2) for i in range(problem.clients)]
    assert constants["mean_squared_client_gradient_at_minimiser"].value == pytest.approx(
        np.mean(squares), abs=1e-6
    )


@pytest.mark.parametrize("arguments", PROBLEMS)
def test_smoothness_and_lipschitz_constant_hold_and_are_attained(arguments):
    problem, facts = small(**arguments), small(**arguments).facts()
    random = np.random.default_rng(2)
    scale = problem.threshold * 10.0 ** random.uniform(-3, 3, (500, 1))
    points = scale * random.standard_normal((500, problem.dimension))
    others = points + problem.threshold / 10 * random.standard_normal((500, problem.dimension))
    slopes = np.linalg.norm(problem.client_gradient(0, points), axis=1)
    assert slopes.max() == pytest.approx(facts.lipschitz, rel=1e-12)
    change = problem.client_gradient(0, points) - problem.client_gradient(0, others)
    ratios = np.linalg.norm(change, axis=1) / np.linalg.norm(points - others, axis=1)
    assert ratios.max() == pytest.approx(facts.smoothness, rel=1e-9)
    assert facts.convex
    assert facts.bounded_gradient_divergence
    assert facts.strong_convexity == 0


@pytest.mark.parametrize("arguments", PROBLEMS)
def test_gradient_divergence_is_an_upper_bound_everywhere(arguments):
    problem = small(**arguments)
    column = problem.constants()["client_gradient_divergence"]
    points = 3 * problem.threshold * np.random.default_rng(3).standard_normal((3000, problem.dimension))
    mean = problem.gradient(points)
    for client, (low, high) in enumerate(zip(column.lower, column.upper, strict=True)):
        observed = np.linalg.norm(problem.client_gradient(client, points) - mean, axis=1).max()
        assert observed <= high + 1e-12
        at_minimiser = problem.client_gradient(client, problem.minimiser()[None])
        assert np.linalg.norm(at_minimiser) >= low - 1e-12
        assert high <= 2 * problem.curvature * problem.threshold


def test_a_mean_outside_a_bowl_is_refused():
    assert huber(curvature=1, threshold=1, centers=[[-1.0], [1.0]]).minimum() == 0.5
    with pytest.raises(UnknownMinimum, match="threshold"):
        huber(curvature=1, threshold=1, centers=[[-1.001, 0], [1.001, 0]])


@pytest.mark.parametrize("steps", [0, 1, 2, 7, 30])
@pytest.mark.parametrize(
    ("smoothness", "distance"), [(Fraction(1), Fraction(1)), (Fraction(7, 3), Fraction(5, 11))]
)
def test_gradient_descent_is_exactly_tight_on_its_worst_case(steps, smoothness, distance):
    problem = worst_case_of_gradient_descent(smoothness=smoothness, distance=distance, steps=steps)
    settings = gradient_descent.Settings(start=(distance,), steps=steps, step=1 / smoothness)
    trace = run("gradient_descent", problem, settings, replicates=1, seed=0, stream="tight")
    assert trace.measurements["gap"][0, -1] == smoothness * distance**2 / (4 * steps + 2)
    assert trace.measurements["squared_distance"][0, 0] == distance**2
    assert all(isinstance(entry, Fraction) for entry in trace.measurements["gap"].flat)


def test_an_irrational_norm_is_refused_not_rounded():
    problem = huber(curvature=Fraction(1), threshold=Fraction(1, 2), centers=[[0, 0]])
    with pytest.raises(NotRational):
        problem.client_value(0, np.array([[Fraction(1), Fraction(1)]], dtype=object))
    inside = problem.client_value(0, np.array([[Fraction(3, 10), Fraction(4, 10)]], dtype=object))
    assert inside[0] == Fraction(1, 8)


def test_batched_forms_stay_exact_in_fractions():
    problem = huber(curvature=Fraction(2), threshold=Fraction(1), centers=[[0], [1]])
    own = np.array([[[Fraction(1, 2)], [Fraction(3)]], [[Fraction(1)], [Fraction(-1)]]], dtype=object)
    assert problem.client_gradients(own).tolist() == [[[1], [2]], [[0], [-2]]]
    assert problem.client_values(own).tolist() == [[Fraction(1, 4), 5], [0, 3]]


def test_the_smoothness_of_the_mean_is_that_of_a_client_unless_one_is_at_the_end_of_its_bowl():
    inside = huber(curvature=2.0, threshold=1.0, centers=[[0.5], [-0.5]])
    at_the_end = huber(curvature=2.0, threshold=1.0, centers=[[1.0], [-1.0]])
    step = 1e-3
    for problem, steepest in ((inside, 2.0), (at_the_end, 1.0)):
        points = np.arange(-3, 3, step)[:, None]
        seen = np.abs(np.diff(problem.gradient(points)[:, 0])).max() / step
        assert seen == pytest.approx(steepest, abs=1e-2)
        known = problem.constants()["mean_smoothness"]
        assert known.lower <= seen + 1e-9
        assert known.upper == 2.0
    assert inside.constants()["mean_smoothness"].lower == 2.0


LINES = [
    (0.0,) * 9 + (16.0,) * 3,  # most at a kink, the others far
    (0.0, 0.3, -4.0),
    (0.0, 0.01),
    (1.0, 2.0, 5.0, 5.0, 5.25),
]


@pytest.mark.parametrize("centers", LINES)
def test_a_minimum_on_a_line_against_a_grid(centers):
    """Wherever the centers are; fractions give the same as floats."""
    problem = huber(curvature=64.0, threshold=1 / 64, centers=[[center] for center in centers])
    constants, x = problem.constants(), problem.minimiser()
    grid = np.linspace(min(centers) - 1, max(centers) + 1, 200_001)[:, None]
    values = problem.value(grid)
    assert abs(grid[values.argmin(), 0] - x[0]) <= 2e-4
    assert constants["minimum"].value == pytest.approx(problem.value(x[None])[0], rel=1e-12)
    assert (values >= constants["minimum"].value * (1 - 1e-12)).all()
    there = problem.client_gradients(x[None])[:, 0, 0]
    assert abs(there.mean()) < 1e-13
    assert constants["mean_squared_client_gradient_at_minimiser"].value == pytest.approx(np.mean(there**2))
    assert constants["client_gradient_norms_at_minimiser"].value == pytest.approx(np.abs(there))
    assert constants["client_gaps_at_minimiser"].value == pytest.approx(problem.client_values(x[None])[:, 0])
    slopes = problem.client_gradients(grid)[:, :, 0]
    seen = np.abs(slopes - slopes.mean(axis=0)).max(axis=1)
    assert (seen <= np.array(constants["client_gradient_divergence"].upper) + 1e-12).all()
    bends = np.abs(np.diff(slopes.mean(axis=0)) / np.diff(grid[:, 0])).max()
    assert bends <= constants["mean_smoothness"].upper * (1 + 1e-6)
    exact = huber(
        curvature=Fraction(64),
        threshold=Fraction(1, 64),
        centers=[[Fraction(center).limit_denominator(100)] for center in centers],
    )
    assert float(exact.minimiser()[0]) == pytest.approx(x[0], abs=1e-15)
    assert exact.gradient(exact.minimiser()[None])[0, 0] == 0


def test_a_line_without_one_minimizer_is_refused():
    with pytest.raises(UnknownMinimum, match="half of the clients"):
        huber(curvature=1.0, threshold=0.5, centers=[[1.0], [3.0]])
    # the bowls touch: there is one
    assert huber(curvature=1.0, threshold=1.0, centers=[[1.0], [3.0]]).minimiser() == 2
