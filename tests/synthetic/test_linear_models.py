"""What every model of samples does alike: values, gradients, batches, minibatches."""

import itertools
import math

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from synthetic.errors import BadShape, BadValue
from synthetic.problems import build
from synthetic.problems.least_squares import least_squares
from synthetic.problems.logistic import logistic
from synthetic.problems.nonconvex_logistic import nonconvex_logistic
from synthetic.problems.softmax import softmax

SIZES = (3, 7, 1)
# torch built without cuda cannot index even a fake cuda tensor; "lazy" is a device that no build computes on
FAKE = "cuda" if torch.version.cuda else "lazy"
FEATURES = 4


def blocks(answer):
    random = np.random.default_rng(5)
    features = [random.standard_normal((size, FEATURES)) for size in SIZES]
    return features, [answer(random, size) for size in SIZES]


def signs(random, size):
    return random.choice([-1.0, 1.0], size)


def classes(random, size):
    return random.integers(0, 3, size)


def numbers(random, size):
    return random.standard_normal(size)


def log_loss(w, x, y):
    return math.log1p(math.exp(-y * float(np.dot(w, x))))


def cross_entropy(w, x, y):
    scores = [float(np.dot(row, x)) for row in np.reshape(w, (3, -1))]
    return math.log(sum(map(math.exp, scores))) - scores[int(y)]


def half_square(w, x, y):
    return (float(np.dot(w, x)) - y) ** 2 / 2


def ridge(w):
    return 0.3 / 2 * sum(v * v for v in w)


def saturating(w):
    return 0.3 * sum(v * v / (1 + v * v) for v in w)


# name: the problem, its data, and the loss of one sample and the penalty, written out again
MODELS = {
    "logistic": (lambda f, a: logistic(f, a, l2=0.3), signs, log_loss, ridge),
    "softmax": (lambda f, a: softmax(f, a, classes=3, l2=0.3), classes, cross_entropy, ridge),
    "least squares": (lambda f, a: least_squares(f, a, l2=0.3), numbers, half_square, ridge),
    "non-convex": (lambda f, a: nonconvex_logistic(f, a, strength=0.3), signs, log_loss, saturating),
}
EACH = pytest.mark.parametrize("name", MODELS)


def made(name):
    build, answer, loss, penalty = MODELS[name]
    features, answers = blocks(answer)
    return build(features, answers), features, answers, loss, penalty


def some_points(problem, rows=6):
    return np.random.default_rng(8).standard_normal((rows, problem.dimension))


@EACH
def test_values_are_means_over_the_samples_of_a_client_and_over_clients(name):
    problem, features, answers, loss, penalty = made(name)
    points = some_points(problem)
    literal = np.array(
        [
            [
                sum(loss(w, x, y) for x, y in zip(f, a, strict=True)) / len(a) + penalty(w.tolist())
                for w in points
            ]
            for f, a in zip(features, answers, strict=True)
        ]
    )
    np.testing.assert_allclose(problem.client_values(points), literal, rtol=1e-13)
    np.testing.assert_allclose(problem.value(points), literal.mean(axis=0), rtol=1e-13)


@EACH
def test_gradients_are_the_derivatives_of_the_values(name):
    problem, *_ = made(name)
    points, step = some_points(problem), 1e-5
    gradients = problem.client_gradients(points)
    for k, unit in enumerate(np.eye(problem.dimension)):
        ahead, behind = (problem.client_values(points + sign * step * unit) for sign in (1, -1))
        np.testing.assert_allclose(gradients[:, :, k], (ahead - behind) / (2 * step), atol=1e-9)
    np.testing.assert_allclose(problem.gradient(points), gradients.mean(axis=0), atol=1e-15)


@EACH
def test_each_client_may_have_points_of_its_own(name):
    problem, *_ = made(name)
    points = np.stack([some_points(problem) * scale for scale in (0.5, 1.0, 2.0)])
    values, gradients = problem.client_values(points), problem.client_gradients(points)
    for client in range(problem.clients):
        np.testing.assert_allclose(values[client], problem.client_value(client, points[client]), rtol=1e-15)
        own = problem.client_gradient(client, points[client])
        np.testing.assert_allclose(gradients[client], own, rtol=1e-13, atol=1e-15)


@EACH
def test_a_lone_replicate_has_the_bits_that_it_has_among_others(name):
    problem, *_ = made(name)
    points = some_points(problem)
    alone = problem.client_gradients(points[2:3])
    assert (alone[:, 0] == problem.client_gradients(points)[:, 2]).all()


@EACH
def test_torch_agrees(name):
    problem, *_ = made(name)
    points = some_points(problem)
    tensors = torch.asarray(points)
    for method in ("client_values", "client_gradients", "value", "gradient"):
        answer = getattr(problem, method)(tensors)
        assert isinstance(answer, torch.Tensor)
        np.testing.assert_allclose(answer.numpy(), getattr(problem, method)(points), rtol=1e-13, atol=1e-15)
    indices = np.zeros((problem.clients, len(points), 2), dtype=np.int64)
    drawn = problem.minibatch_gradients(tensors, torch.asarray(indices))
    np.testing.assert_allclose(drawn.numpy(), problem.minibatch_gradients(points, indices), atol=1e-14)
    spread = problem.minibatch_variance(tensors, 1)
    np.testing.assert_allclose(spread.numpy(), problem.minibatch_variance(points, 1), atol=1e-12)


@EACH
def test_huge_scores_overflow_nowhere(name):
    problem, *_ = made(name)
    points = 1e4 * some_points(problem)
    assert np.isfinite(problem.client_values(points)).all()
    assert np.isfinite(problem.client_gradients(points)).all()
    assert (problem.client_values(points) >= 0).all()


def draws_with_replacement(size):
    return np.array(list(itertools.product(range(size), repeat=2)))


def draws_without_replacement(size):
    return np.array(list(itertools.permutations(range(size), 2)))


@EACH
@pytest.mark.parametrize("replacement", [True, False])
def test_minibatches_are_unbiased_and_have_the_stated_variance(name, replacement):
    build, answer, *_ = MODELS[name]
    random = np.random.default_rng(1)
    features = [random.standard_normal((4, FEATURES)) for _ in range(2)]
    problem = build(features, [answer(random, 4) for _ in range(2)])
    every = draws_with_replacement(4) if replacement else draws_without_replacement(4)
    point = some_points(problem, rows=1)
    points = np.repeat(point, len(every), axis=0)
    drawn = problem.minibatch_gradients(points, np.stack([every, every]))
    full = problem.client_gradients(point)
    np.testing.assert_allclose(drawn.mean(axis=1), full[:, 0], atol=1e-13)
    spread = ((drawn - full) ** 2).sum(axis=-1).mean(axis=1)
    stated = problem.minibatch_variance(point, 2, replacement=replacement)
    np.testing.assert_allclose(stated[:, 0], spread, rtol=1e-10)
    assert (spread > 1e-3).all()


@EACH
def test_components_are_the_samples(name):
    build, answer, *_ = MODELS[name]
    random = np.random.default_rng(1)
    features = [random.standard_normal((5, FEATURES)) for _ in range(2)]
    problem = build(features, [answer(random, 5) for _ in range(2)])
    points = np.stack([some_points(problem), 2 * some_points(problem)])
    assert problem.components == 5
    each = [problem.component_gradients(j, points) for j in range(5)]
    np.testing.assert_allclose(np.mean(each, axis=0), problem.client_gradients(points), atol=1e-14)
    third = problem.minibatch_gradients(points, np.full((2, 6, 1), 3))
    np.testing.assert_allclose(each[3], third, atol=1e-15)
    steepest = problem.constants()["largest_component_smoothness"]
    change = [problem.component_gradients(j, points * (1 + 1e-6)) - each[j] for j in range(5)]
    ratio = np.linalg.norm(change, axis=-1) / np.linalg.norm(1e-6 * points, axis=-1)
    assert ratio.max() <= steepest.upper * (1 + 1e-6)
    for wrong in (-1, 5):
        with pytest.raises(BadValue, match="component"):
            problem.component_gradients(wrong, points)
    unequal, *_ = made(name)
    with pytest.raises(BadShape, match="unequal numbers"):
        _ = unequal.components


def test_components_have_infima_whose_gaps_are_enclosed():
    """One sample of a logistic model with a ridge: log(1 + exp(-a s)) + l2/2 s^2 along x, on a fine grid."""
    random = np.random.default_rng(2)
    features = [random.standard_normal((4, 2)) for _ in range(2)]
    labels = [random.choice([-1.0, 1.0], 4) for _ in range(2)]
    constants = logistic(features, labels, l2=0.2).constants()
    grid = np.linspace(0, 5, 100_001)
    for client, rows in enumerate(features):
        lengths = np.linalg.norm(rows, axis=1)
        infima = [(np.logaddexp(0, -grid * length) + 0.1 * grid**2).min() for length in lengths]
        gap = constants["minimum"].value - np.mean(infima)
        column = constants["component_infimum_gaps"]
        assert column.lower[client] <= gap <= column.upper[client]


@pytest.mark.thinned(2)
@EACH
def test_the_formulas_run_on_another_device(name):
    """On a fake device nothing is computed, but a tensor left behind on the host is an error."""
    problem, *_ = made(name)
    with FakeTensorMode():
        points = torch.empty((6, problem.dimension), dtype=torch.float64, device=FAKE)
        indices = torch.zeros((3, 6, 2), dtype=torch.int64, device=FAKE)
        answers = [
            problem.client_values(points),
            problem.client_gradients(points),
            problem.minibatch_gradients(points, indices),
            problem.minibatch_variance(points, 2),
        ]
    assert {answer.device.type for answer in answers} == {FAKE}
    assert [tuple(answer.shape)[:2] for answer in answers] == [(3, 6)] * 4


@EACH
def test_a_lone_sample_and_a_whole_pass_have_no_variance(name):
    problem, *_ = made(name)
    points = some_points(problem)
    with_one = problem.minibatch_variance(points, 1, replacement=False)
    assert (with_one[2] <= 1e-14).all()
    assert (with_one[1] > 1e-6).all()
    with pytest.raises(BadValue, match="at most 1 without replacement"):
        problem.minibatch_variance(points, 2, replacement=False)


@EACH
def test_wrong_shapes_and_samples_are_refused(name):
    problem, *_ = made(name)
    points = some_points(problem)
    with pytest.raises(BadShape, match="points"):
        problem.client_values(points[:, 1:])
    with pytest.raises(BadShape, match="points"):
        problem.client_gradients(np.stack([points] * 2))
    with pytest.raises(BadShape, match="indices"):
        problem.minibatch_gradients(points, np.zeros((2, 6, 1), dtype=int))
    with pytest.raises(BadValue, match="no such sample"):
        problem.minibatch_gradients(points, np.full((3, 6, 1), 2))
    with pytest.raises(BadValue, match="no such sample"):
        problem.minibatch_gradients(points, np.full((3, 6, 1), -1))


def test_data_that_make_no_samples_are_refused():
    with pytest.raises(BadShape, match="samples"):
        logistic([np.ones((2, 3))], [np.ones(3)])
    with pytest.raises(BadShape, match="samples"):
        logistic([np.ones((2, 3)), np.ones((2, 4))], [np.ones(2), np.ones(2)])
    with pytest.raises(BadShape, match="samples"):
        logistic([np.ones((0, 3))], [np.ones(0)])
    with pytest.raises(BadShape, match="samples"):
        least_squares([], [])
    with pytest.raises(BadValue, match="-1 and 1"):
        logistic([np.ones((2, 3))], [np.array([0.0, 1.0])])
    with pytest.raises(BadValue, match=r"0\.\.2"):
        softmax([np.ones((2, 3))], [np.array([0.0, 3.0])], classes=3)
    with pytest.raises(BadValue, match="NaN"):
        least_squares([np.full((2, 3), np.nan)], [np.ones(2)])
    with pytest.raises(BadValue, match="too large to be squared"):
        least_squares([np.full((2, 3), 1e200)], [np.ones(2)])
    with pytest.raises(BadValue, match="l2"):
        logistic([np.ones((2, 3))], [np.ones(2)], l2=-1.0)


def test_the_data_cannot_be_changed_under_a_problem():
    features = np.ones((1, 2))
    problem = logistic([features], [np.ones(1)])
    features[:] = 5.0
    assert (problem.samples.features == 1).all()
    with pytest.raises(ValueError, match="read-only"):
        problem.samples.features[0] = 1.0


def test_the_divergence_grows_no_faster_than_certified() -> None:
    """Attained by half squares along an eigenvector; of logistic clients a bound on every pair of points."""
    for problem in (
        build("least_squares.small", clients=4, dimension=3, seed=2),
        build("logistic.small", clients=4, dimension=3, seed=2),
    ):
        growth = float(problem.constants()["mean_squared_divergence_growth"].value)
        rng, largest = np.random.default_rng(0), 0.0
        for scale in (1e-3, 0.1, 1.0, 10.0):
            for _ in range(200):
                x, y = rng.standard_normal((2, problem.dimension)) * scale
                both = problem.client_gradients(np.stack([x, y]))
                apart = both - both.mean(axis=0)
                moved = ((apart[:, 0] - apart[:, 1]) ** 2).sum(axis=1).mean()
                largest = max(largest, moved / ((x - y) ** 2).sum())
        assert largest <= growth * (1 + 1e-6)
        if problem.facts().quadratic:
            assert largest >= 0.9 * growth


def test_strongly_convex_clients_certify_a_lojasiewicz_inequality() -> None:
    problem = build("least_squares.small", clients=3, samples=12, dimension=3, seed=4)
    certified = problem.facts().lojasiewicz
    assert certified is not None
    least = float(certified.constant)
    for client in range(3):
        features, answers, _ = problem.samples.of(client)
        lowest = np.linalg.lstsq(features, answers[0], rcond=None)[0]
        for x in np.random.default_rng(client).standard_normal((50, 3)) * 3:
            values = [float(problem.client_value(client, at[None])[0]) for at in (x, lowest)]
            gap = values[0] - values[1]
            slope = float((problem.client_gradient(client, x[None])[0] ** 2).sum())
            assert slope >= least * gap * (1 - 1e-9)
    assert build("logistic.small", clients=2, l2=0.0).facts().lojasiewicz is None
