"""Large quadratics: enclosed constants hold the exact ones, and structured Hessians are the dense ones."""

from fractions import Fraction

import numpy as np
import pytest

from synthetic.errors import BadShape, BadValue, NotConvex
from synthetic.problems.quadratic import (
    diagonal,
    gaussian_factors,
    ill_conditioned,
    low_rank,
    quadratic,
    small,
)
from synthetic.problems.quadratics import data

BUILDERS = {
    "separate": lambda: small(seed=0),
    "shared": lambda: small(seed=1, shared_hessian=True),
    "one client": lambda: small(seed=2, clients=1),
    "ill-conditioned": lambda: ill_conditioned(condition=1e9),
    "diagonal": lambda: diagonal([[1.0, 3.0], [2.0, 0.5]], [[1.0, 2.0], [3.0, 4.0]], [0.5, -1.0]),
    "flat direction": lambda: diagonal([[1.0, 0.0], [2.0, 0.0]], [[1.0, 2.0], [3.0, 4.0]]),
    "low rank, shifted": lambda: gaussian_factors(clients=3, dimension=6, rank=2, shift=0.1),
    "low rank, interpolating": lambda: gaussian_factors(clients=2, dimension=6, rank=2),
    "low rank, covering": lambda: gaussian_factors(clients=3, dimension=6, rank=2),
}


def column(value):
    return np.array(
        [Fraction(entry) for entry in (value if isinstance(value, tuple) else (value,))], dtype=object
    )


@pytest.mark.parametrize("name", BUILDERS)
def test_enclosures_hold_the_exact_constants(name, monkeypatch):
    exact = BUILDERS[name]().constants()
    monkeypatch.setattr(data, "EXACT_WORK", 0)
    enclosed = BUILDERS[name]().constants()
    assert exact.keys() == enclosed.keys()
    for key, constant in exact.items():
        other = enclosed[key]
        assert (constant is None) == (other is None), key
        if constant is not None and other.provenance != "estimated":
            assert (column(other.lower) <= column(constant.upper)).all(), key
            assert (column(constant.lower) <= column(other.upper)).all(), key


def test_enclosures_are_narrow_where_the_mean_is_strongly_convex(monkeypatch):
    monkeypatch.setattr(data, "EXACT_WORK", 0)
    constants = small(seed=0).constants()
    for constant in constants.values():
        if constant is not None:
            assert (column(constant.upper) - column(constant.lower) <= Fraction(1, 10**11)).all()
    assert constants["minimum"].provenance == "enclosed"


def test_a_minimiser_that_is_not_unique_is_only_estimated(monkeypatch):
    monkeypatch.setattr(data, "EXACT_WORK", 0)
    problem = BUILDERS["flat direction"]()
    constants = problem.constants()
    assert constants["minimiser"].provenance == "estimated"
    assert constants["minimum"].lower == pytest.approx(0, abs=1e-14)
    assert constants["infimum_gap"].lower == 0
    # the mean gap there is 2/3, and n times it bounds the gap of each client
    assert constants["infimum_gap"].upper == pytest.approx(2 / 3)
    assert constants["largest_client_gap_at_minimiser"].upper == pytest.approx(4 / 3)
    assert problem.minimiser()[1] == 0  # of smallest norm


def test_the_published_comparison():
    problem = gaussian_factors(seed=3)
    assert (problem.clients, problem.dimension) == (100, 200)
    factors = problem.curvature.factors
    assert factors.shape == (100, 200, 20)
    # 400,000 normal entries of deviation 1/20: five standard errors of mean and variance
    assert abs(factors.mean()) < 5 / 20 / np.sqrt(factors.size)
    assert abs(factors.var() * 400 - 1) < 5 * np.sqrt(2 / factors.size)
    assert abs(problem.centers.var() - 1) < 5 * np.sqrt(2 / problem.centers.size)
    constants = problem.constants()
    largest = [np.linalg.eigvalsh(factor @ factor.T)[-1] for factor in factors[:3]]
    np.testing.assert_allclose(constants["client_smoothness"].value[:3], largest, rtol=1e-10)
    hessians = factors @ factors.swapaxes(1, 2)
    spectrum = np.linalg.eigvalsh(hessians.mean(axis=0))
    assert constants["strong_convexity"].lower <= spectrum[0] <= constants["strong_convexity"].upper
    assert constants["client_strong_convexity"].lower == (0.0,) * 100
    place = np.linalg.solve(
        hessians.mean(axis=0), (hessians @ problem.centers[..., None])[..., 0].mean(axis=0)
    )
    away = place - problem.centers
    minimum = (away * (hessians @ away[..., None])[..., 0]).sum() / 200
    assert constants["minimum"].lower <= minimum <= constants["minimum"].upper
    assert constants["minimum"].upper - constants["minimum"].lower < 1e-9
    np.testing.assert_allclose(problem.minimiser(), place, atol=1e-10)
    assert (np.array(constants["minimiser"].lower) <= place).all()
    assert (place <= np.array(constants["minimiser"].upper)).all()


def test_structured_hessians_are_the_dense_ones():
    random = np.random.default_rng(0)
    factors, centers, offsets = (
        random.standard_normal((3, 5, 2)),
        random.standard_normal((3, 5)),
        random.random(3),
    )
    entries, points = random.random((3, 5)), random.standard_normal((3, 7, 5))
    pairs = [
        (
            low_rank(factors, centers, offsets, shift=0.3),
            quadratic(factors @ factors.swapaxes(1, 2) + 0.3 * np.eye(5), centers, offsets),
        ),
        (diagonal(entries, centers, offsets), quadratic(entries[:, None] * np.eye(5), centers, offsets)),
    ]
    for structured, dense in pairs:
        np.testing.assert_allclose(structured.hessians, dense.hessians, atol=1e-14)
        np.testing.assert_allclose(
            structured.client_gradients(points), dense.client_gradients(points), rtol=1e-11
        )
        np.testing.assert_allclose(structured.client_values(points), dense.client_values(points), rtol=1e-11)
        ours, theirs = structured.constants(), dense.constants()
        for name in ("smoothness", "strong_convexity", "minimum", "infimum_gap"):
            assert ours[name].value == pytest.approx(theirs[name].value, rel=1e-9)


def test_exact_low_rank_problems_stay_exact():
    problem = low_rank([[[Fraction(1, 3)], [1]]], [[1, 2]], shift=1)
    constants = problem.constants()
    assert problem.exact
    assert constants["client_minima"].value == (0,)
    assert constants["smoothness"].lower <= 1 + Fraction(10, 9) <= constants["smoothness"].upper
    assert list(problem.gradient(problem.minimiser()[None])[0]) == [0, 0]
    assert list(problem.client_gradient(0, np.array([[Fraction(4), Fraction(2)]], dtype=object))[0]) == [
        3 + Fraction(1, 3),
        Fraction(1),
    ]


@pytest.mark.parametrize("condition", [1.0, 1e3, 1e8])
@pytest.mark.parametrize("gap", [0.0, 0.25, 7.0])
def test_condition_number_and_infimum_gap_are_as_asked(condition, gap):
    problem = ill_conditioned(condition=condition, infimum_gap=gap, smoothness=3.0)
    constants = problem.constants()
    assert constants["infimum_gap"].value == pytest.approx(gap, rel=1e-6)
    ratio = np.array(constants["client_smoothness"].value) / np.array(
        constants["client_strong_convexity"].value
    )
    np.testing.assert_allclose(ratio, condition, rtol=1e-6)
    assert constants["smoothness"].value == pytest.approx(3.0)
    shared = ill_conditioned(condition=condition, infimum_gap=gap, shared_hessian=True)
    assert shared.facts().bounded_gradient_divergence


def test_a_smoothness_too_small_by_a_tenth_would_be_caught():
    problem = gaussian_factors(clients=20, dimension=40, rank=5)
    client = int(np.argmax(problem.constants()["client_smoothness"].value))
    direction = np.linalg.svd(problem.curvature.factors[client])[0][:, 0]
    change = np.diff(problem.client_gradient(client, np.stack([0 * direction, direction])), axis=0)[0]
    assert 0.9 * problem.facts().smoothness < np.linalg.norm(change) <= problem.facts().smoothness


def test_large_matrices_are_certified_semidefinite_or_refused():
    random = np.random.default_rng(0)
    basis, _ = np.linalg.qr(random.standard_normal((60, 60)))
    for least, accepted in ((0.01, True), (-0.01, False), (0.0, False)):
        table = (basis * np.linspace(least, 1, 60)) @ basis.T
        table = (table + table.T) / 2
        if accepted:
            assert quadratic(table[None], np.zeros((1, 60))).facts().strong_convexity == pytest.approx(0.01)
        else:
            with pytest.raises(NotConvex, match="low-rank factors"):
                quadratic(table[None], np.zeros((1, 60)))


def test_bad_data_are_refused():
    with pytest.raises(BadShape, match="factors"):
        low_rank([[1.0]], [[1.0]])
    with pytest.raises(BadValue, match="shift"):
        low_rank([[[1.0]]], [[1.0]], shift=-0.1)
    with pytest.raises(NotConvex, match="negative"):
        diagonal([[-1.0]], [[0.0]])
    with pytest.raises(BadValue, match="condition"):
        ill_conditioned(condition=0.5)
    with pytest.raises(BadValue, match="seed"):
        gaussian_factors(seed=-1)
