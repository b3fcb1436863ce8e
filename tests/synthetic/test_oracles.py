"""Stochastic gradients: mean, total variance, bounded laws, and independence over clients and places."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from synthetic.algorithms import stochastic_gradient_descent
from synthetic.engine.randomness import Place, PlacedNumbers
from synthetic.errors import BadValue, WrongProblem
from synthetic.oracles import Gaussian, Minibatch, Sphere, StudentT, TwoPoint
from synthetic.problems.least_squares import least_squares
from synthetic.problems.quadratic import small

SIZE, SCALE, LEVEL = 40_000, 0.7, 1e-6
PLACE = Place(purpose="gradient noise", round=2, local_step=1)
ORACLES = [
    Gaussian(scale=SCALE),
    TwoPoint(scale=SCALE),
    Sphere(scale=SCALE),
    StudentT(scale=SCALE, degrees=9),
]
every_oracle = pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: type(oracle).__name__)


def numbers(replicates=SIZE):
    return PlacedNumbers(seed=5, stream="oracles", replicates=replicates)


@every_oracle
@pytest.mark.parametrize("dimension", [1, 3])
def test_the_error_has_mean_zero_and_the_square_of_its_scale_as_total_variance(oracle, dimension):
    problem = small(clients=2, dimension=dimension)
    points = np.full((SIZE, dimension), 0.5)
    gradients = oracle.gradients(problem, points, numbers(), PLACE)
    assert gradients.shape == (2, SIZE, dimension)
    errors = gradients - problem.client_gradients(points)
    z = stats.norm.isf(LEVEL / 2)
    assert (np.abs(errors.mean(axis=1)) <= z * errors.std(axis=1) / math.sqrt(SIZE)).all()
    squares = (errors**2).sum(axis=2)
    slack = z * squares.std(axis=1) / math.sqrt(SIZE) + 1e-12
    assert (np.abs(squares.mean(axis=1) - SCALE**2) <= slack).all()


@every_oracle
def test_two_laws_are_bounded_by_their_scale_and_none_has_an_error_at_scale_0(oracle):
    lengths = np.linalg.norm(oracle.noise(numbers(), PLACE, 3, 2), axis=-1)
    if isinstance(oracle, TwoPoint | Sphere):
        np.testing.assert_allclose(lengths, SCALE, rtol=1e-14)
    else:
        assert lengths.max() > 2 * SCALE
    assert not type(oracle)(**{**_fields(oracle), "scale": 0}).noise(numbers(), PLACE, 3, 2).any()


def _fields(oracle):
    return {name: getattr(oracle, name) for name in oracle.__slots__}


@every_oracle
def test_one_client_draws_what_it_draws_among_all_and_clients_are_uncorrelated(oracle):
    together = oracle.noise(numbers(), PLACE, 3, 3)
    for client in range(3):
        place = Place(purpose="gradient noise", round=2, local_step=1, client=client)
        np.testing.assert_array_equal(oracle.noise(numbers(), place, 3), together[client])
    for one, other in itertools.combinations(together, 2):
        inner = (one * other).sum(axis=1)
        assert abs(inner.mean()) < 5 * inner.std() / math.sqrt(SIZE)
    later = Place(purpose="gradient noise", round=2, local_step=2)
    assert not (oracle.noise(numbers(), later, 3, 3) == together).all()


@pytest.mark.parametrize(
    ("oracle", "covariance"),
    [
        (Gaussian(scale=SCALE), np.eye(3) / 3),
        (Sphere(scale=SCALE), np.eye(3) / 3),
        (StudentT(scale=SCALE, degrees=9), np.eye(3) / 3),
        (TwoPoint(scale=SCALE), np.full((3, 3), 1 / 3)),
    ],
)
def test_covariances(oracle, covariance):
    noise = oracle.noise(numbers(), PLACE, 3) / SCALE
    products = noise[:, :, None] * noise[:, None, :]
    slack = 5 * products.std(axis=0) / math.sqrt(SIZE) + 1e-12
    assert (np.abs(products.mean(axis=0) - covariance) <= slack).all()


def test_student_noise_has_the_tail_of_its_degrees():
    noise = StudentT(scale=SCALE, degrees=3).noise(numbers(), PLACE, 1)[:, 0]
    standard = noise / (SCALE * math.sqrt(1 / 3))  # scale^2 = variance of t_3 (which is 3) times 1/3
    assert stats.kstest(standard, stats.t(3).cdf).pvalue > LEVEL
    assert stats.kstest(standard, stats.norm(scale=math.sqrt(3)).cdf).pvalue < LEVEL


def test_a_batch_larger_than_a_client_is_refused_only_without_replacement():
    points = np.zeros((3, 2))
    Minibatch(size=4).gradients(sampled(), points, numbers(3), PLACE)
    with pytest.raises(BadValue, match="at most 3"):
        Minibatch(size=4, replacement=False).gradients(sampled(), points, numbers(3), PLACE)


def test_a_minibatch_of_a_problem_without_samples_is_refused():
    with pytest.raises(WrongProblem, match="samples"):
        Minibatch(size=2).gradients(small(), np.zeros((3, 4)), numbers(3), PLACE)


def sampled():
    """Two clients of 4 and 3 samples in the plane."""
    random = np.random.default_rng(3)
    return least_squares(
        [random.normal(size=(m, 2)) for m in (4, 3)], [random.normal(size=m) for m in (4, 3)]
    )


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_minibatches_are_unbiased_with_the_variance_of_all_possible_batches(size, replacement):
    problem, point = sampled(), np.array([[0.3, -1.0]])
    points = np.repeat(point, SIZE, axis=0)
    oracle = Minibatch(size=size, replacement=replacement)
    errors = oracle.gradients(problem, points, numbers(), PLACE) - problem.client_gradients(points)
    assert (np.abs(errors.mean(axis=1)) <= 5 * errors.std(axis=1) / math.sqrt(SIZE) + 1e-12).all()
    squares = (errors**2).sum(axis=2)
    for client, m in enumerate((4, 3)):
        batches = itertools.product(range(m), repeat=size)
        if not replacement:
            batches = itertools.permutations(range(m), size)
        each = [
            problem.minibatch_gradients(point, np.array([[[min(j, 3)]], [[min(j, 2)]]]))[client, 0]
            for j in range(m)
        ]
        means = [np.mean([each[j] for j in batch], axis=0) for batch in batches]
        expected = np.mean([np.sum((mean - np.mean(each, axis=0)) ** 2) for mean in means])
        assert oracle.variance(problem, point)[client, 0] == pytest.approx(expected, abs=1e-12)
        slack = 5 * squares[client].std() / math.sqrt(SIZE) + 1e-12
        assert abs(squares[client].mean() - expected) <= slack


@pytest.mark.parametrize(
    "make",
    [
        lambda: Gaussian(scale=-1),
        lambda: Sphere(scale=math.inf),
        lambda: TwoPoint(scale="1"),
        lambda: StudentT(scale=1, degrees=2),
        lambda: Minibatch(size=0),
    ],
)
def test_parameters_outside_their_domain_are_refused(make):
    with pytest.raises(BadValue):
        make()


def test_descent_on_the_mean_refuses_an_oracle_that_samples_clients() -> None:
    with pytest.raises(BadValue, match="additive"):
        stochastic_gradient_descent.Settings(start=[0.0], steps=1, step=0.1, oracle=Minibatch(size=2))


def test_a_descent_without_noise_is_refused_in_words() -> None:
    """A noise of 0 is no oracle; the refusal names what runs without one."""
    with pytest.raises(BadValue, match=r"without noise it is gradient descent.*run gradient_descent"):
        stochastic_gradient_descent.Settings(start=(0.0,), steps=1, step=0.1, oracle=None)
    with pytest.raises(BadValue, match="draws samples of clients"):
        stochastic_gradient_descent.Settings(start=(0.0,), steps=1, step=0.1, oracle=Minibatch(size=2))
