"""Least squares: the closed forms of linear algebra as the oracle."""

import numpy as np
import pytest

from synthetic.errors import BadValue
from synthetic.problems.least_squares import least_squares, small

PROBLEMS = [
    {"seed": 0},
    {"seed": 1, "l2": 0.5, "clients": 1},
    {"seed": 2, "samples": 3, "dimension": 6},
    {"seed": 3, "dimension": 1},
]
EACH = pytest.mark.parametrize("arguments", PROBLEMS)


def normal_equations(problem, l2):
    held = [problem.samples.of(client) for client in range(problem.clients)]
    identity = l2 * np.eye(problem.dimension)
    hessians = [rows.T @ rows / len(rows) + identity for rows, _, _ in held]
    rights = [rows.T @ answers[0] / len(rows) for rows, answers, _ in held]
    return held, hessians, rights


def lowest(hessian, right, squares):
    point = np.linalg.lstsq(hessian, right, rcond=1e-12)[0]
    return point, (point @ hessian @ point - 2 * right @ point + squares) / 2


@EACH
def test_constants_are_those_of_linear_algebra(arguments):
    problem, l2 = small(**arguments), arguments.get("l2", 0.0)
    constants = problem.constants()
    held, hessians, rights = normal_equations(problem, l2)
    squares = [float(np.mean(answers**2)) for _, answers, _ in held]
    point, minimum = lowest(np.mean(hessians, axis=0), np.mean(rights, axis=0), np.mean(squares))
    own = [lowest(*each)[1] for each in zip(hessians, rights, squares, strict=True)]
    spectra = np.linalg.eigvalsh(np.array(hessians))
    expected = {
        "smoothness": spectra[:, -1].max(),
        "client_smoothness": spectra[:, -1],
        "mean_smoothness": np.linalg.eigvalsh(np.mean(hessians, axis=0))[-1],
        "strong_convexity": np.linalg.eigvalsh(np.mean(hessians, axis=0))[0],
        "client_strong_convexity": np.maximum(spectra[:, 0], 0),
        "minimum": minimum,
        "client_minima": own,
        "infimum_gap": minimum - np.mean(own),
        "minimiser": point,
    }
    for name, value in expected.items():
        np.testing.assert_allclose(constants[name].value, value, atol=1e-10)
        assert (np.subtract(constants[name].lower, 1e-12) <= value).all()
        assert (np.add(constants[name].upper, 1e-12) >= value).all()
    assert constants["smoothness"].upper * 0.999 < spectra[:, -1].max()
    assert problem.facts().quadratic
    assert problem.facts().minimum_attained


def test_a_client_with_more_parameters_than_samples_is_fitted_exactly():
    constants = small(seed=2, samples=3, dimension=6).constants()
    assert max(constants["client_minima"].upper) < 1e-25
    assert min(constants["client_minima"].lower) == 0


def test_a_singular_mean_encloses_its_minimum_and_claims_no_minimiser():
    problem = small(clients=1, samples=3, dimension=6)
    minimum = problem.constants()["minimum"]
    assert minimum.lower == 0
    assert minimum.upper < 1e-25
    assert problem.constants()["minimiser"].provenance == "estimated"


def test_slopes_and_divergence_are_unbounded_unless_the_clients_share_their_features():
    constants = small().constants()
    assert constants["lipschitz"] is None
    assert constants["gradient_divergence"] is None
    rows = np.random.default_rng(0).standard_normal((9, 2))
    targets = np.random.default_rng(1).standard_normal((2, 9))
    shared = least_squares([rows, rows], list(targets)).constants()
    apart = np.linalg.norm(rows.T @ (targets[0] - targets[1])) / 9 / 2
    np.testing.assert_allclose(shared["client_gradient_divergence"].value, apart, rtol=1e-12)
    assert shared["gradient_divergence"].provenance == "enclosed"


def test_features_that_differ_but_agree_in_their_moments_are_not_called_unbounded():
    rows = np.random.default_rng(0).standard_normal((9, 2))
    flipped = least_squares([rows, -rows], [np.ones(9), np.ones(9)]).constants()
    assert flipped["gradient_divergence"].provenance == "estimated"
    assert flipped["gradient_divergence"].upper is None


def test_bad_numbers_are_refused():
    with pytest.raises(BadValue, match="noise"):
        small(noise=-1.0)
    with pytest.raises(BadValue, match="samples"):
        small(samples=0)
