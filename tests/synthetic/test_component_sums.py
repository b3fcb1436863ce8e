"""Component sums: clients are the means of their components, in every arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
import torch

from synthetic.errors import BadShape, BadValue
from synthetic.problems.component_sums import component_sum, small
from synthetic.problems.quadratics import data

PROBLEMS = [{"seed": 0}, {"seed": 1, "clients": 1}, {"seed": 2, "components": 1}, {"seed": 3, "dimension": 1}]
every = pytest.mark.parametrize("arguments", PROBLEMS)


def pieces(problem):
    """The data as (n, N, ...), by hand."""
    shape = (problem.clients, problem.components)
    d = problem.dimension
    return (
        problem.parts.hessians.reshape(*shape, d, d),
        problem.parts.centers.reshape(*shape, d),
        problem.parts.offsets.reshape(shape),
    )


@every
def test_components_and_their_means_are_the_definition(arguments):
    problem = small(**arguments)
    hessians, centers, offsets = pieces(problem)
    own = np.random.default_rng(0).standard_normal((problem.clients, 5, problem.dimension))
    slopes, values = [], []
    for j in range(problem.components):
        gradients, heights = problem.component_gradients(j, own), np.empty(own.shape[:2])
        for i in range(problem.clients):
            for r, x in enumerate(own[i]):
                away = x - centers[i, j]
                np.testing.assert_allclose(gradients[i, r], hessians[i, j] @ away, rtol=1e-11, atol=1e-13)
                heights[i, r] = away @ hessians[i, j] @ away / 2 + offsets[i, j]
        slopes.append(gradients)
        values.append(heights)
    np.testing.assert_allclose(problem.client_gradients(own), np.mean(slopes, axis=0), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(problem.client_values(own), np.mean(values, axis=0), rtol=1e-12)
    shared = own[0]
    assert problem.component_gradients(0, shared).shape == own.shape
    np.testing.assert_array_equal(
        problem.component_gradients(0, shared)[0], problem.component_gradients(0, own)[0]
    )
    tensor = problem.component_gradients(0, torch.asarray(own))
    np.testing.assert_allclose(tensor.numpy(), problem.component_gradients(0, own), rtol=1e-12, atol=1e-14)


@every
def test_constants_against_linear_algebra(arguments):
    problem = small(**arguments)
    hessians, centers, offsets = pieces(problem)
    constants = problem.constants()
    means = hessians.mean(axis=1)
    pulls = np.einsum("ijkl,ijl->ik", hessians, centers) / problem.components
    places = [np.linalg.solve(a, b) for a, b in zip(means, pulls, strict=True)]
    minimiser = np.linalg.solve(means.mean(axis=0), pulls.mean(axis=0))

    def value(i, x):
        away = x - centers[i]
        return np.mean(np.einsum("jk,jkl,jl->j", away, hessians[i], away) / 2 + offsets[i])

    infima = [value(i, x) for i, x in enumerate(places)]
    gaps = [value(i, minimiser) - low for i, low in enumerate(infima)]
    minimum = np.mean([value(i, minimiser) for i in range(problem.clients)])
    close = {"rtol": 1e-9, "atol": 1e-11}
    np.testing.assert_allclose(constants["minimiser"].value, minimiser, **close)
    np.testing.assert_allclose(constants["client_minima"].value, infima, **close)
    np.testing.assert_allclose(constants["client_gaps_at_minimiser"].value, gaps, **close)
    np.testing.assert_allclose(constants["minimum"].value, minimum, **close)
    np.testing.assert_allclose(constants["infimum_gap"].value, minimum - np.mean(infima), **close)
    np.testing.assert_allclose(
        constants["client_smoothness"].value, np.linalg.eigvalsh(means)[:, -1], **close
    )
    spectra = np.linalg.eigvalsh(hessians)[..., -1]
    np.testing.assert_allclose(constants["component_smoothness"].value, spectra.ravel(), **close)
    np.testing.assert_allclose(constants["largest_component_smoothness"].value, spectra.max(), **close)
    np.testing.assert_allclose(
        constants["component_infimum_gaps"].value, minimum - offsets.mean(axis=1), **close
    )
    assert (np.array(constants["component_infimum_gaps"].lower) >= -1e-12).all() or problem.clients > 1


def test_a_component_smoothness_too_small_by_a_tenth_would_be_caught():
    problem = small(seed=5)
    largest = problem.constants()["largest_component_smoothness"].upper
    spectra = [np.linalg.eigh(hessian) for hessian in problem.parts.hessians]
    part = int(np.argmax([values[-1] for values, _ in spectra]))
    client, component = divmod(part, problem.components)
    direction = spectra[part][1][:, -1]
    change = problem.component_gradients(component, np.stack([0 * direction, direction]))[client]
    ratio = np.linalg.norm(change[1] - change[0])
    assert 0.9 * largest < ratio <= largest * (1 + 1e-12)


def test_large_problems_are_enclosed_around_the_exact_constants(monkeypatch):
    exact = small(seed=2).constants()
    monkeypatch.setattr(data, "EXACT_WORK", 0)
    enclosed = small(seed=2).constants()
    assert exact.keys() == enclosed.keys()
    for name, constant in exact.items():
        if constant is not None:
            other = enclosed[name]
            lower, upper = np.array(other.lower, dtype=float), np.array(other.upper, dtype=float)
            assert (lower <= np.array(constant.upper, dtype=float)).all(), name
            assert (np.array(constant.lower, dtype=float) <= upper).all(), name
            assert (upper - lower <= 1e-10 * (1 + np.abs(upper))).all(), name


def test_fractions_stay_fractions():
    third = Fraction(1, 3)
    problem = component_sum([[[[third]], [[1]]], [[[2]], [[third]]]], [[[1], [2]], [[0], [3]]])
    assert problem.exact
    x = problem.minimiser()[None]
    assert problem.gradient(x)[0, 0] == 0
    assert problem.value(x)[0] == problem.minimum() == problem.constants()["minimum"].value
    # client 0: (1/3 (x - 1)^2 + (x - 2)^2)/4, smallest at 7/4
    assert problem.constants()["client_minima"].value[0] == Fraction(1, 16)
    own = np.array([[[Fraction(7, 4)]], [[Fraction(1)]]], dtype=object)
    assert problem.client_gradients(own)[0, 0, 0] == 0
    assert problem.component_gradients(1, own)[0, 0, 0] == Fraction(-1, 4)


def test_shared_hessians_have_finite_divergence():
    a = [[2.0, 0.5], [0.5, 1.0]]
    problem = component_sum([[a, a], [a, a]], [[[1.0, 0.0], [0.0, 1.0]], [[2.0, 2.0], [0.0, 0.0]]])
    gradients = problem.client_gradients(np.random.default_rng(0).standard_normal((4, 2)))
    apart = np.linalg.norm(gradients - gradients.mean(axis=0), axis=2)
    np.testing.assert_allclose(
        apart,
        np.array(problem.constants()["client_gradient_divergence"].value)[:, None] + 0 * apart,
        rtol=1e-9,
    )
    assert small().constants()["gradient_divergence"] is None


def test_bad_data_and_components_are_refused():
    with pytest.raises(BadShape):
        component_sum([[[[1.0]]]], [[[0.0], [1.0]]])
    with pytest.raises(BadValue, match="component"):
        small().component_gradients(4, np.zeros((1, 3)))
    with pytest.raises(BadValue, match="component"):
        small().component_gradients(-1, np.zeros((1, 3)))
