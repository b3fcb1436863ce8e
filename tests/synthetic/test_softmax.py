"""Softmax regression: against the binary model, brute force, and clients that miss classes."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax
from scipy.special import softmax as probabilities

from synthetic.errors import BadValue, NotAttained
from synthetic.problems.logistic import logistic
from synthetic.problems.softmax import Softmax, small, softmax

PROBLEMS = [{"seed": 0}, {"seed": 1, "clients": 1, "classes": 4}, {"seed": 2, "l2": 0.0, "samples": 60}]
EACH = pytest.mark.parametrize("arguments", PROBLEMS)


def blocks_of(problem):
    held = [problem.samples.of(client) for client in range(problem.clients)]
    return [(features, answers.T) for features, answers, _ in held]


def loss(blocks, l2, outputs):
    def value(point):
        rows = point.reshape(outputs, -1)
        means = [
            -(answers * log_softmax(features @ rows.T, axis=1)).sum(axis=1).mean()
            for features, answers in blocks
        ]
        return np.mean(means) + l2 / 2 * point @ point

    def gradient(point):
        rows = point.reshape(outputs, -1)
        parts = [
            (probabilities(features @ rows.T, axis=1) - answers).T @ features / len(features)
            for features, answers in blocks
        ]
        return np.mean(parts, axis=0).ravel() + l2 * point

    return value, gradient


def best(blocks, l2, outputs):
    value, gradient = loss(blocks, l2, outputs)
    width = blocks[0][0].shape[1]
    return minimize(value, np.zeros(outputs * width), jac=gradient, method="BFGS", options={"gtol": 1e-9})


def hessian(features, point, outputs):
    """Mean over samples of (diag p - p p^T) kron x x^T, written out."""
    rows = point.reshape(outputs, -1)
    total = np.zeros((point.size, point.size))
    for x in features:
        p = probabilities(rows @ x)
        total += np.kron(np.diag(p) - np.outer(p, p), np.outer(x, x))
    return total / len(features)


@EACH
def test_minima_against_brute_force(arguments):
    problem = small(**arguments)
    constants, l2, outputs = problem.constants(), arguments.get("l2", 0.1), arguments.get("classes", 3)
    blocks = blocks_of(problem)
    found = best(blocks, l2, outputs)
    assert constants["minimum"].lower - 1e-13 <= found.fun
    assert constants["minimum"].value == pytest.approx(found.fun, abs=1e-9)
    for client, block in enumerate(blocks):
        own = best([block], l2, outputs)
        assert constants["client_minima"].value[client] == pytest.approx(own.fun, abs=1e-9)
        gap = loss([block], l2, outputs)[0](found.x) - own.fun
        assert constants["client_gaps_at_minimiser"].value[client] == pytest.approx(gap, abs=1e-6)
    assert constants["minimum"].upper - constants["minimum"].lower < 1e-12


@EACH
def test_smoothness_holds_everywhere_and_is_approached_through_an_intercept(arguments):
    problem, random = small(**arguments), np.random.default_rng(3)
    l2, outputs = arguments.get("l2", 0.1), arguments.get("classes", 3)
    constants = problem.constants()
    for client, (features, _) in enumerate(blocks_of(problem)):
        upper = constants["client_smoothness"].upper[client]
        points = [scale * random.standard_normal(problem.dimension) for scale in (0, 0.3, 1, 3)]
        largest = [np.linalg.eigvalsh(hessian(features, point, outputs))[-1] + l2 for point in points]
        assert max(largest) <= upper * (1 + 1e-12)
        assert largest[0] >= constants["client_smoothness"].lower[client] * (1 - 1e-12)


def test_with_an_intercept_two_classes_share_the_weight_far_out():
    random = np.random.default_rng(0)
    features = np.c_[random.standard_normal((30, 2)), np.ones(30)]
    problem = softmax([features], [random.integers(0, 3, 30)], classes=3)
    smoothness = problem.constants()["smoothness"]
    far = np.zeros((3, 3))
    far[2, 2] = -60.0  # the third class vanishes for all samples at once
    reached = np.linalg.eigvalsh(hessian(features, far.ravel(), 3))[-1]
    assert reached == pytest.approx(smoothness.upper, rel=1e-12)
    assert smoothness.lower == pytest.approx(smoothness.upper, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_gradient_bounds_hold_everywhere_and_a_quarter_of_them_does_not(seed):
    problem = small(seed=seed, l2=0.0, samples=12)
    constants, random = problem.constants(), np.random.default_rng(seed)
    points = 10.0 ** random.uniform(-2, 3, (4000, 1)) * random.standard_normal((4000, problem.dimension))
    gradients = problem.client_gradients(points)
    lengths = np.linalg.norm(gradients, axis=-1).max(axis=1)
    apart = np.linalg.norm(gradients - gradients.mean(axis=0), axis=-1).max(axis=1)
    assert (lengths <= constants["client_lipschitz"].upper).all()
    assert (lengths >= np.multiply(constants["client_lipschitz"].upper, 0.25)).all()
    assert (apart <= constants["client_gradient_divergence"].upper).all()
    assert (apart >= np.multiply(constants["client_gradient_divergence"].upper, 0.25)).all()


def test_two_classes_are_the_binary_model_of_the_difference():
    """With v = w_1 - w_0 and ridge l2 on both, the best split is w_1 = -w_0 = v/2: ridge l2/2 on v."""
    random = np.random.default_rng(4)
    features, labels = random.standard_normal((30, 2)), random.integers(0, 2, 30)
    double = softmax([features], [labels], classes=2, l2=0.2)
    binary = logistic([features], [2 * labels - 1], l2=0.1)
    assert double.minimum() == pytest.approx(binary.minimum(), abs=1e-13)
    rows = double.minimiser().reshape(2, 2)
    np.testing.assert_allclose(rows[1] - rows[0], binary.minimiser(), atol=1e-12)
    np.testing.assert_allclose(rows[0], -rows[1], atol=1e-12)


def test_without_a_ridge_one_vector_may_be_added_to_all_classes():
    problem = small(seed=2, l2=0.0, samples=60)
    points = np.random.default_rng(0).standard_normal((5, problem.dimension))
    shift = np.tile(np.random.default_rng(1).standard_normal(problem.dimension // 3), 3)
    np.testing.assert_allclose(
        problem.client_values(points + shift), problem.client_values(points), rtol=1e-12
    )
    assert problem.facts().minimum_attained
    np.testing.assert_allclose(problem.minimiser().reshape(3, -1).sum(axis=0), 0, atol=1e-10)


def test_a_client_that_misses_a_class_has_the_infimum_of_the_others():
    """As after a split by label shards: one client sees two of the three classes, and they overlap."""
    random = np.random.default_rng(6)
    features = [np.c_[random.standard_normal((40, 2)), np.ones(40)] for _ in range(2)]
    labels = [random.integers(0, 2, 40), random.integers(0, 3, 40)]
    problem = softmax(features, labels, classes=3)
    binary = logistic([features[0]], [2 * labels[0] - 1])
    constants = problem.constants()
    assert constants["client_minima"].upper[0] == pytest.approx(binary.minimum(), abs=1e-12)
    assert constants["client_minima"].lower[0] == pytest.approx(binary.minimum(), abs=1e-12)
    # the infimum is approached, not attained: lower values than at any moderate point
    sunk = np.zeros((3, 3))
    sunk[1] = binary.minimiser()
    for depth, above in ((10.0, 1e-3), (40.0, 1e-12)):
        sunk[2, 2] = -depth
        value = problem.client_value(0, sunk.reshape(1, -1))[0]
        assert value == pytest.approx(binary.minimum(), abs=above)


def test_without_an_intercept_a_missed_class_cannot_sink_for_all_samples():
    """x = 1 and x = -1, each with labels 0 and 1: what sinks for one rises for the other; log 3 is least."""
    problem = softmax([[[1.0], [1.0], [-1.0], [-1.0]]], [[0, 1, 0, 1]], classes=3)
    assert problem.minimum() == pytest.approx(np.log(3), abs=1e-12)
    assert problem.facts().minimum_attained


def test_a_client_with_one_class_has_infimum_zero():
    features = [np.c_[np.arange(4.0), np.ones(4)]] * 2
    problem = softmax(features, [np.zeros(4), [0, 1, 0, 2]], classes=3)
    assert problem.constants()["client_minima"].upper[0] == 0


@pytest.mark.parametrize("seed", range(3))
def test_separable_classes_are_recognised(seed):
    random = np.random.default_rng(seed)
    features = random.standard_normal((60, 3))
    scores = np.sort(features @ (truth := random.standard_normal((3, 3))), axis=1)
    clear = features[scores[:, 2] - scores[:, 1] > 0.1]
    problem = softmax([clear], [(clear @ truth).argmax(axis=1)], classes=3)
    assert problem.constants()["minimum"].upper == 0
    with pytest.raises(NotAttained):
        problem.minimiser()


def test_fewer_than_two_classes_are_refused():
    with pytest.raises(BadValue, match="classes"):
        softmax([np.ones((2, 1))], [np.zeros(2)], classes=1)


def test_margins_are_of_every_sample_over_every_other_class():
    random = np.random.default_rng(3)
    features, classes, point = random.standard_normal((5, 2)), [2, 0, 1, 0, 2], random.standard_normal((3, 2))
    rows = Softmax().margin_rows(features, np.eye(3)[:, classes])
    scores = features @ point.T
    by_hand = [
        s[own] - s[other] for s, own in zip(scores, classes, strict=True) for other in {0, 1, 2} - {own}
    ]
    assert sorted(rows @ point.ravel()) == pytest.approx(sorted(by_hand))
