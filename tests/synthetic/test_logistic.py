"""Logistic regression: its constants against brute force, mpmath and hand-made data."""

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit

from synthetic.certified.enclosures import ball
from synthetic.errors import BadValue, NotAttained, UnknownMinimum
from synthetic.problems.linear_models import infimum
from synthetic.problems.linear_models.infimum import separating_point
from synthetic.problems.linear_models.objective import Objective
from synthetic.problems.linear_models.ridge import NO_PENALTY
from synthetic.problems.logistic import Logistic, logistic, small

PROBLEMS = [
    {"seed": 0},
    {"seed": 1, "clients": 1, "samples": 7},
    {"seed": 2, "dimension": 1, "l2": 1.0},
    {"seed": 3, "samples": 60, "l2": 0.0},
    {"seed": 4, "heterogeneity": 0.0, "l2": 1e-6, "samples": 40},
]
EACH = pytest.mark.parametrize("arguments", PROBLEMS)


def clients_of(problem):
    """Rows y x of every client, the only thing that the loss depends on."""
    held = [problem.samples.of(client) for client in range(problem.clients)]
    return [answers[0][:, None] * features for features, answers, _ in held]


def objective(blocks, l2):
    """The mean over clients of the mean loss, and its derivatives, written out again."""

    def value(w):
        return np.mean([np.logaddexp(0, -rows @ w).mean() for rows in blocks]) + l2 / 2 * w @ w

    def gradient(w):
        slopes = [-(rows.T * expit(-(rows @ w))).mean(axis=1) for rows in blocks]
        return np.mean(slopes, axis=0) + l2 * w

    def hessian(w):
        parts = []
        for rows in blocks:
            chance = expit(rows @ w)
            parts.append((rows.T * (chance * (1 - chance))) @ rows / len(rows))
        return np.mean(parts, axis=0) + l2 * np.eye(len(w))

    return value, gradient, hessian


def best(blocks, l2, dimension):
    value, gradient, hessian = objective(blocks, l2)
    return minimize(
        value, np.zeros(dimension), jac=gradient, hess=hessian, method="trust-exact", options={"gtol": 1e-10}
    )


@EACH
def test_minima_and_gaps_against_brute_force(arguments):
    problem = small(**arguments)
    constants, l2, blocks = problem.constants(), arguments.get("l2", 0.1), clients_of(problem)
    found = best(blocks, l2, problem.dimension)
    own = [best([rows], l2, problem.dimension).fun for rows in blocks]
    gaps = [objective([rows], l2)[0](found.x) - low for rows, low in zip(blocks, own, strict=True)]
    slopes = [np.linalg.norm(objective([rows], l2)[1](found.x)) for rows in blocks]
    expected = {
        "minimum": found.fun,
        "minimiser": found.x,
        "client_minima": own,
        "infimum_gap": np.mean(gaps),
        "client_gaps_at_minimiser": gaps,
        "largest_client_gap_at_minimiser": max(gaps),
        "client_gradient_norms_at_minimiser": slopes,
        "mean_squared_client_gradient_at_minimiser": np.mean(np.square(slopes)),
    }
    for name, value in expected.items():
        constant = constants[name]
        assert constant.provenance == "enclosed"
        np.testing.assert_allclose(constant.value, value, atol=2e-6 if "minimiser" in name else 1e-9)
        assert (np.subtract(constant.upper, constant.lower) < 1e-6).all()
        assert (np.less_equal(constant.lower, np.add(value, 2e-6))).all()
    assert problem.minimum() == constants["minimum"].value
    assert tuple(problem.minimiser()) == constants["minimiser"].value


@pytest.mark.parametrize("arguments", [PROBLEMS[0], PROBLEMS[3]])
def test_the_proved_bounds_hold_to_forty_digits(arguments):
    problem = small(**arguments)
    blocks, l2 = clients_of(problem), arguments.get("l2", 0.1)
    with mpmath.workdps(40):
        rows = [[[mpmath.mpf(float(v)) for v in row] for row in block] for block in blocks]

        def slope(*w):
            total = [mpmath.mpf(float(l2)) * v for v in w]
            for block in rows:
                for row in block:
                    share = 1 / (1 + mpmath.exp(mpmath.fdot(row, w))) / (len(block) * len(rows))
                    total = [t - share * v for t, v in zip(total, row, strict=True)]
            return total

        exact = mpmath.findroot(slope, [float(v) for v in problem.minimiser()], tol=1e-60)
        losses = [[mpmath.log1p(mpmath.exp(-mpmath.fdot(row, exact))) for row in block] for block in rows]
        means = [mpmath.fsum(block) / len(block) for block in losses]
        minimum = mpmath.fsum(means) / len(means) + mpmath.mpf(float(l2)) / 2 * mpmath.fdot(exact, exact)
        constants = problem.constants()
        assert constants["minimum"].lower <= minimum <= constants["minimum"].upper
        ends = zip(constants["minimiser"].lower, exact, constants["minimiser"].upper, strict=True)
        assert all(low <= value <= high for low, value, high in ends)
    # and they are sharp: a bound moved by 1e-12 would fail
    assert constants["minimum"].upper - constants["minimum"].lower < 1e-12


@EACH
def test_smoothness_is_attained_at_the_origin_and_nowhere_exceeded(arguments):
    problem, l2 = small(**arguments), arguments.get("l2", 0.1)
    constants, random = problem.constants(), np.random.default_rng(3)
    for client, rows in enumerate(clients_of(problem)):
        hessian = objective([rows], l2)[2]
        at_zero = np.linalg.eigvalsh(hessian(np.zeros(problem.dimension)))[-1]
        upper = constants["client_smoothness"].upper[client]
        assert constants["client_smoothness"].lower[client] <= at_zero * (1 + 1e-12)
        assert at_zero <= upper * (1 + 1e-12)
        assert at_zero > 0.9 * upper, "nine tenths of the stated constant are refuted"
        for point in 3 * random.standard_normal((40, problem.dimension)):
            eigenvalues = np.linalg.eigvalsh(hessian(point))
            assert eigenvalues[-1] <= upper
            assert eigenvalues[0] >= constants["client_strong_convexity"].lower[client] - 1e-12
    everyone = objective(clients_of(problem), l2)[2](np.zeros(problem.dimension))
    assert constants["mean_smoothness"].value == pytest.approx(np.linalg.eigvalsh(everyone)[-1], rel=1e-12)
    assert constants["smoothness"].value == max(constants["client_smoothness"].value)
    longest = max(float((rows**2).sum(axis=1).max()) for rows in clients_of(problem))
    assert constants["largest_component_smoothness"].value == pytest.approx(longest / 4 + l2, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_gradient_bounds_hold_everywhere_and_half_of_them_do_not(seed):
    problem = small(seed=seed, l2=0.0, samples=15)
    constants, facts = problem.constants(), problem.facts()
    random = np.random.default_rng(seed)
    scales = 10.0 ** random.uniform(-2, 3, (4000, 1))
    points = scales * random.standard_normal((4000, problem.dimension))
    gradients = problem.client_gradients(points)
    lengths = np.linalg.norm(gradients, axis=-1).max(axis=1)
    apart = np.linalg.norm(gradients - gradients.mean(axis=0), axis=-1)
    assert (lengths <= constants["client_lipschitz"].upper).all()
    assert (lengths >= np.multiply(constants["client_lipschitz"].upper, 0.5)).all()
    assert facts.lipschitz == constants["lipschitz"].upper == max(constants["client_lipschitz"].upper)
    assert (apart.max(axis=1) <= constants["client_gradient_divergence"].upper).all()
    assert (apart.max(axis=1) >= np.multiply(constants["client_gradient_divergence"].upper, 0.25)).all()
    square = (apart**2).mean(axis=0).max()
    assert square <= constants["mean_squared_gradient_divergence"].upper
    for name in ("lipschitz", "gradient_divergence", "mean_squared_gradient_divergence"):
        assert constants[name].lower <= constants[name].value
    at_zero = np.linalg.norm(problem.client_gradients(np.zeros((1, problem.dimension))), axis=-1)[:, 0]
    np.testing.assert_allclose(constants["client_lipschitz"].lower, at_zero, rtol=1e-12)


def test_a_ridge_makes_gradients_unbounded_but_not_their_differences():
    constants = small(l2=0.1).constants()
    assert constants["lipschitz"] is None
    without = small(l2=0.0).constants()
    for name in ("gradient_divergence", "largest_gradient_divergence"):
        assert constants[name].upper == without[name].upper
    alone = small(l2=0.1, clients=1).constants()
    assert alone["gradient_divergence"].value == alone["largest_gradient_divergence"].upper == 0


def separable(dimension=3, samples=40, seed=0, margin=0.05):
    random = np.random.default_rng(seed)
    truth = random.standard_normal(dimension)
    rows = random.standard_normal((samples, dimension))
    rows = rows[np.abs(rows @ truth) > margin]
    return rows, np.sign(rows @ truth)


@pytest.mark.parametrize("seed", range(5))
def test_separable_data_have_an_infimum_of_zero_that_is_not_attained(seed):
    rows, labels = separable(seed=seed)
    problem = logistic([rows[:15], rows[15:]], [labels[:15], labels[15:]])
    constants = problem.constants()
    assert constants["minimum"].value == constants["minimum"].upper == 0
    assert constants["minimum"].provenance == "exact"
    assert constants["infimum_gap"].value == 0
    assert constants["minimiser"] is None
    assert constants["client_gaps_at_minimiser"] is None
    assert not problem.facts().minimum_attained
    assert problem.facts().bounded_below
    with pytest.raises(NotAttained, match="l2"):
        problem.minimiser()


def test_one_contradiction_makes_the_minimum_attained():
    rows, labels = separable(seed=1)
    rows, labels = np.concatenate([rows, rows[:1]]), np.concatenate([labels, -labels[:1]])
    problem = logistic([rows], [labels])
    found = best([labels[:, None] * rows], 0.0, 3)
    assert problem.facts().minimum_attained
    assert problem.constants()["minimum"].value == pytest.approx(found.fun, abs=1e-9)
    assert problem.constants()["minimum"].lower > 0


def test_a_client_may_be_separable_when_the_mean_is_not():
    """One feature: client 0 has both labels on the right side, client 1 contradicts it."""
    problem = logistic([[[1.0], [-1.0]], [[1.0], [2.0]]], [[1.0, -1.0], [-1.0, 1.0]])
    constants = problem.constants()
    assert constants["client_minima"].value[0] == 0
    assert constants["client_minima"].lower[1] > 0.1
    assert problem.facts().minimum_attained
    gap = constants["client_gaps_at_minimiser"].value[0]
    assert gap == pytest.approx(math.log1p(math.exp(-problem.minimiser()[0])), rel=1e-12)


def test_a_half_separated_infimum_is_enclosed_and_no_minimiser_is_claimed():
    """The first feature separates its one sample, the second feature contradicts itself: 2 log(2)/3."""
    problem = logistic([[[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]], [[1.0, 1.0, -1.0]])
    minimum = problem.constants()["minimum"]
    assert minimum.lower <= 2 * math.log(2) / 3 <= minimum.upper
    assert minimum.upper == pytest.approx(2 * math.log(2) / 3, abs=1e-6)
    assert problem.constants()["minimiser"].provenance == "estimated"
    assert not problem.facts().minimum_attained
    with pytest.raises(UnknownMinimum, match="no minimizer is certified"):
        problem.minimiser()


def alone(rows, labels):
    count = len(rows)
    return Objective(
        features=np.array(rows),
        answers=np.array(labels)[None],
        weights=ball(np.full(count, 1 / count)),
        loss=Logistic(),
        penalty=NO_PENALTY,
    )


def test_the_linear_programme_separates_what_can_be_and_nothing_else(monkeypatch):
    rows, labels = separable(seed=2)
    found = separating_point(alone(rows, labels))
    assert (labels * (rows @ found) > 0).all()
    assert separating_point(alone(rows, np.concatenate([labels[1:], labels[:1]]))) is None
    # where Newton's method does not get there, the programme decides
    monkeypatch.setattr(infimum, "newton", lambda objective, start, **_: start)
    assert infimum.lowest(alone(rows, labels)).attained is False


def test_a_margin_within_rounding_separates_nothing():
    """0.1 + 0.2 - 0.3 is 0 in decimals and 6e-17 in floats; the product is rounded, so nothing is proved."""
    objective = alone([[1.0, 1.0]], [1.0])
    assert not objective.separated(np.array([1.0, -1.0]))
    assert not objective.separated(np.array([1.0, -1.0 + 2.0**-53]) * 1e8)
    assert objective.separated(np.array([1.0, -0.9]))


def test_features_that_are_zero_throughout_change_no_certificate():
    problem = small(seed=3, samples=60, l2=0.0)
    features, labels = zip(*[(f, a[0]) for f, a, _ in map(problem.samples.of, range(5))], strict=True)
    widened = logistic([np.c_[block, np.zeros(len(block))] for block in features], labels)
    assert widened.minimum() == pytest.approx(problem.minimum(), abs=1e-13)
    assert widened.facts().minimum_attained
    assert widened.minimiser()[-1] == 0


@pytest.mark.slow("a search over problems")
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(2, 12), st.sampled_from([0.0, 1e-9, 0.5]))
def test_any_small_problem_has_its_infimum_in_the_bounds(seed, dimension, samples, l2):
    problem = small(seed=seed, clients=2, samples=samples, dimension=dimension, l2=l2)
    value, gradient, _ = objective(clients_of(problem), l2)
    searched = minimize(value, np.zeros(dimension), jac=gradient, method="BFGS")
    minimum = problem.constants()["minimum"]
    assert minimum.provenance != "estimated"
    assert minimum.lower <= searched.fun + 1e-13
    assert minimum.upper <= searched.fun + 1e-5


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20, 1e140])
def test_the_scale_of_the_features_does_not_matter_without_a_ridge(scale):
    random = np.random.default_rng(1)
    rows, labels = random.standard_normal((30, 2)), random.choice([-1.0, 1.0], 30)
    found = best([labels[:, None] * rows], 0.0, 2).fun
    assert logistic([scale * rows], [labels]).minimum() == pytest.approx(found, abs=1e-12)


def test_columns_that_depend_on_each_other_leave_the_minimiser_open():
    """The Hessian is singular beyond what is recognised exactly: enclosed from 0, nothing more is claimed."""
    column, labels = np.random.default_rng(1).standard_normal((20, 1)), np.resize([1.0, -1.0], 20)
    problem = logistic([np.c_[column, 3 * column]], [labels])
    minimum = problem.constants()["minimum"]
    found = best([labels[:, None] * column], 0.0, 1).fun
    assert minimum.lower <= found <= minimum.upper
    assert minimum.upper == pytest.approx(found, abs=1e-9)
    assert problem.constants()["minimiser"].provenance == "estimated"


def test_many_parameters_are_refused_in_one_sentence():
    objective = replace(alone([[1.0]], [1.0]), features=np.ones((1, infimum.LARGEST_DIMENSION + 1)))
    with pytest.raises(BadValue, match="too many parameters"):
        infimum.lowest(objective)
