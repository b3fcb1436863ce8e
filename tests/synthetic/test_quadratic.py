"""Quadratic problems: values, gradients and constants against brute force."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize

from synthetic.errors import BadShape, BadValue, NotConvex
from synthetic.problems import quadratic as quadratics
from synthetic.problems.quadratic import diagonal, quadratic, small

PROBLEMS = [
    {"seed": 0},
    {"seed": 1, "clients": 1},
    {"seed": 2, "dimension": 1},
    {"seed": 3, "shared_hessian": True},
    {"seed": 4, "heterogeneity": 0.3, "smoothness": 7.0},
    {"seed": 5, "heterogeneity": 0.0},
]


def plain_value(problem, client, x):
    offset = x - problem.centers[client]
    return 0.5 * offset @ problem.hessians[client] @ offset + problem.offsets[client]


@pytest.mark.parametrize("arguments", PROBLEMS)
def test_values_are_the_formula_and_gradients_their_derivative(arguments):
    problem = small(**arguments)
    points = np.random.default_rng(0).standard_normal((3, problem.dimension))
    for client in range(problem.clients):
        values = [plain_value(problem, client, x) for x in points]
        np.testing.assert_allclose(problem.client_value(client, points), values, rtol=1e-12)
        gradient = problem.client_gradient(client, points)
        for j, unit in enumerate(np.eye(problem.dimension)):
            # central differences are exact on quadratics up to rounding
            slope = problem.client_value(client, points + unit) - problem.client_value(client, points - unit)
            np.testing.assert_allclose(gradient[:, j], slope / 2, rtol=1e-10, atol=1e-10)
    means = np.mean([problem.client_value(client, points) for client in range(problem.clients)], axis=0)
    np.testing.assert_allclose(problem.value(points), means, rtol=1e-13)
    slopes = np.mean([problem.client_gradient(client, points) for client in range(problem.clients)], axis=0)
    np.testing.assert_allclose(problem.gradient(points), slopes, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("arguments", PROBLEMS)
def test_minima_and_gaps_against_brute_force(arguments):
    problem, constants = small(**arguments), small(**arguments).constants()
    start = np.zeros(problem.dimension)
    found = minimize(
        lambda x: problem.value(x[None])[0],
        start,
        jac=lambda x: problem.gradient(x[None])[0],
        options={"gtol": 1e-11},
    )
    own = [
        minimize(
            lambda x, i=i: problem.client_value(i, x[None])[0],
            start,
            jac=lambda x, i=i: problem.client_gradient(i, x[None])[0],
            options={"gtol": 1e-11},
        ).fun
        for i in range(problem.clients)
    ]
    at_minimiser = [plain_value(problem, i, found.x) for i in range(problem.clients)]
    squares = [np.sum(problem.client_gradient(i, found.x[None]) ** 2) for i in range(problem.clients)]
    close = {"rtol": 1e-7, "atol": 1e-8}
    np.testing.assert_allclose(constants["minimiser"].value, found.x, **close)
    np.testing.assert_allclose(constants["minimum"].value, found.fun, **close)
    np.testing.assert_allclose(constants["client_minima"].value, own, **close)
    np.testing.assert_allclose(constants["infimum_gap"].value, found.fun - np.mean(own), **close)
    gaps = np.array(at_minimiser) - own
    np.testing.assert_allclose(constants["client_gaps_at_minimiser"].value, gaps, **close)
    np.testing.assert_allclose(constants["largest_client_gap_at_minimiser"].value, gaps.max(), **close)
    np.testing.assert_allclose(
        constants["mean_squared_client_gradient_at_minimiser"].value, np.mean(squares), **close
    )


@pytest.mark.parametrize("arguments", PROBLEMS)
def test_curvatures_against_an_eigenvalue_solver(arguments):
    problem = small(**arguments)
    constants, facts = problem.constants(), problem.facts()
    spectra = np.linalg.eigvalsh(problem.hessians)
    mean = np.linalg.eigvalsh(problem.hessians.mean(axis=0))
    assert constants["smoothness"].value == pytest.approx(spectra.max(), rel=1e-12)
    np.testing.assert_allclose(constants["client_smoothness"].value, spectra[:, -1], rtol=1e-12)
    np.testing.assert_allclose(constants["client_strong_convexity"].value, spectra[:, 0], rtol=1e-11)
    assert constants["mean_smoothness"].value == pytest.approx(mean[-1], rel=1e-12)
    assert constants["strong_convexity"].value == pytest.approx(mean[0], rel=1e-11)
    assert facts.smoothness == constants["smoothness"].upper
    assert facts.strong_convexity == constants["strong_convexity"].lower
    assert facts.convex
    assert facts.bounded_below
    assert facts.quadratic
    assert facts.lipschitz is None


def test_gradient_divergence_exists_only_for_shared_hessians():
    assert small(seed=1).constants()["gradient_divergence"] is None
    assert not small(seed=1).facts().bounded_gradient_divergence
    problem = small(seed=1, shared_hessian=True)
    assert problem.facts().bounded_gradient_divergence
    points = 100 * np.random.default_rng(0).standard_normal((50, problem.dimension))
    mean = problem.gradient(points)
    observed = [
        np.linalg.norm(problem.client_gradient(i, points) - mean, axis=1) for i in range(problem.clients)
    ]
    column = problem.constants()["client_gradient_divergence"]
    for distances, value in zip(observed, column.value, strict=True):
        np.testing.assert_allclose(distances, value, rtol=1e-9)  # the same at every point
    assert problem.constants()["gradient_divergence"].value == pytest.approx(np.mean(column.value))
    assert problem.constants()["largest_gradient_divergence"].value == max(column.value)


def test_heterogeneity_zero_gives_identical_clients():
    problem = small(heterogeneity=0.0)
    assert (problem.hessians == problem.hessians[0]).all()
    assert (problem.centers == problem.centers[0]).all()
    assert problem.constants()["infimum_gap"].value == 0
    assert problem.constants()["largest_gradient_divergence"].value == 0


def test_spectra_are_inside_the_interval_asked_for():
    spectra = np.linalg.eigvalsh(small(smoothness=3.0, strong_convexity=0.5, dimension=6).hessians)
    np.testing.assert_allclose([spectra.min(), spectra.max()], [0.5, 3.0], atol=1e-4)


def test_the_same_seed_gives_the_same_problem_and_another_seed_another():
    assert (small(seed=3).hessians == small(seed=3).hessians).all()
    assert not (small(seed=3).hessians == small(seed=4).hessians).any()


def test_a_fraction_makes_the_whole_problem_exact():
    problem = diagonal([[Fraction(1, 3), 2], [1, 0]], [[1, 2], [Fraction(1, 7), 5]], [0, Fraction(1, 2)])
    constants = problem.constants()
    assert problem.exact
    # coordinate 0: (1/3 * 1 + 1 * 1/7) / (4/3); coordinate 1: only the first client is curved
    assert constants["minimiser"].value == (Fraction(5, 14), Fraction(2))
    assert constants["smoothness"].value == 2
    assert constants["strong_convexity"].value == Fraction(2, 3)
    x = problem.minimiser()[None]
    assert list(problem.gradient(x)[0]) == [0, 0]
    assert problem.value(x)[0] == constants["minimum"].value == problem.minimum()
    assert {constants[name].provenance for name in ("minimum", "infimum_gap", "smoothness")} == {"exact"}


def test_flat_directions_are_allowed_and_stated():
    problem = diagonal([[1.0, 0.0]], [[2.0, 3.0]])
    assert problem.facts().strong_convexity == 0
    assert problem.gradient(problem.minimiser()[None]).tolist() == [[0.0, 0.0]]
    assert diagonal([[0.0]], [[0.0]]).facts().lipschitz == 0.0


@pytest.mark.parametrize(
    "hessians", [[[[1.0, 0.5], [0.4, 1.0]]], [[[1.0, 2.0], [2.0, 1.0]]], [[[-1.0, 0], [0, 1.0]]]]
)
def test_asymmetric_and_indefinite_hessians_are_refused(hessians):
    with pytest.raises(NotConvex, match="client 0"):
        quadratic(hessians, [[0.0, 0.0]])


def test_bad_data_are_refused():
    with pytest.raises(BadShape):
        quadratic(np.eye(2)[None], [[0.0, 0.0], [1.0, 1.0]])
    with pytest.raises(BadShape):
        diagonal([1.0], [[0.0]])
    with pytest.raises(BadValue):
        quadratic([[[1.0]]], [[np.nan]])
    with pytest.raises(BadValue):
        small(heterogeneity=-1.0)
    with pytest.raises(BadValue):
        small(clients=True)


def test_the_data_cannot_be_changed_under_a_problem():
    centers = np.zeros((1, 1))
    problem = quadratics.quadratic([[[1.0]]], centers)
    centers[0] = 5.0
    assert problem.centers[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        problem.centers[0] = 1.0


def test_batched_forms_stay_exact_in_fractions():
    problem = diagonal([[Fraction(1, 3), 2], [1, 0]], [[1, 2], [Fraction(1, 7), 5]], [0, Fraction(1, 2)])
    own = np.array([[[Fraction(4), Fraction(3)]], [[Fraction(8, 7), Fraction(9)]]], dtype=object)
    # client 0: (1/3 (4 - 1), 2 (3 - 2)) and 1/2 (1/3 9 + 2); client 1: (8/7 - 1/7, 0) and 1/2 + 1/2
    assert problem.client_gradients(own).tolist() == [[[1, 2]], [[1, 0]]]
    assert problem.client_values(own).tolist() == [[Fraction(5, 2)], [1]]
    assert problem.gradient(own[0])[0, 0] == (1 + Fraction(4) - Fraction(1, 7)) / 2
