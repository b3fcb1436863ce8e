"""Noise that leaves a coordinate, a sum of them, or a round bare differs; independent noise does not."""

import numpy as np
import pytest

from verify import conform
from verify.conformance.dependence import SHARE, eigenvalues_between, find_dependence, largest_cosine
from verify.conformance.listing import Part
from verify.conformance.meaning import Claim
from verify.conformance.noise_law import Noise


def private(draw, scale=1.0):
    """DP-FedAvg whose clients draw their noise so: `draw` has d numbers of mean 0 and variance 1."""

    def federated(x, clients, settings, random):
        r, total = settings.clients_per_round, np.zeros_like(x)
        for i in np.flatnonzero(random.random(len(clients)) < r / len(clients)):
            y = x.copy()
            for _ in range(settings.local_steps):
                y = y - settings.local_step * clients[i].gradient(y)
            u = (x - y) / settings.local_step
            u = u * min(1.0, settings.clip_threshold / max(np.linalg.norm(u), 1e-300))
            total += u + scale * r**0.5 * settings.noise_scale * draw(random, len(x))
        return x - settings.server_step * total / r

    return federated


def stochastic(draw_all):
    """A whole run of stochastic gradient descent: `draw_all` has (rounds, d) numbers."""

    def run(clients, start, settings, seed):
        z = draw_all(np.random.default_rng(seed), settings.rounds, len(start))
        states = [start]
        for noise in settings.noise_scale / np.sqrt(len(start)) * z:
            states.append(states[-1] - settings.step * (clients.gradient(states[-1]) + noise))
        return np.array(states)

    return run


def normal(random, d):
    return random.standard_normal(d)


def _copy(to, of):
    def draw(random, d):
        z = random.standard_normal(d)
        if max(to % d, of) < d:
            z[to % d] = z[of]
        return z

    return draw


def centered(random, d):
    z = random.standard_normal(d)
    return (z - z.mean()) * np.sqrt(d / max(d - 1, 1))


def mixed(random, d):
    z = random.standard_normal(d)
    if d > 2:
        z[-1] = 0.6 * z[0] - 0.8 * z[1]
    return z


def correlated(random, d):
    z = random.standard_normal(d)
    if d > 4:
        z[4] = 0.6 * z[1] + 0.8 * z[4]
    return z


def half(random, d):
    z = random.standard_normal(d)
    z[d // 2 : 2 * (d // 2)] = z[: d // 2]
    return z


DEPENDENT = {
    "the second is the first": (_copy(1, 0), "the noise is the same in coordinates 1 and 2"),
    "the last is the first": (_copy(-1, 0), "the noise is the same in coordinates 1 and 40"),
    "the third is the first": (_copy(2, 0), "the noise is the same in coordinates 1 and 3"),
    "half is copied": (half, "the noise is the same in coordinates 1 and 21"),
    "sum zero": (centered, "the noise has a direction without noise: the sum of all coordinates"),
    "a mixture": (mixed, "the noise has a direction without noise: a sum of coordinates with fixed weights"),
    "correlated": (correlated, "the noise is not independent in coordinates 2 and 5"),
}


class Shuffled:
    """Each second draw of a round is the first one in another order, as of clients that share a seed."""

    def __init__(self):
        self.last = None

    def __call__(self, random, d):
        z = random.standard_normal(d) if self.last is None else np.roll(self.last, d // 3)
        self.last = z if self.last is None else None
        return z


def test_the_noise_of_a_client_in_another_order_is_not_that_of_a_second_one():
    def federated(x, clients, settings, random):
        return private(Shuffled())(x, clients, settings, random)

    first = _noise_of(conform(federated, like="dp_fedavg"))
    assert first.slip == "noise_shared"
    assert "without noise" in first.cause or "not independent in coordinates" in first.cause


def _noise_of(found):
    return next(line.observation for line in found.lines if line.line.part is Part.NOISE)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", DEPENDENT)
def test_noise_that_leaves_a_sum_of_coordinates_bare_differs(name):
    draw, cause = DEPENDENT[name]
    found = conform(private(draw), like="dp_fedavg")
    assert [line.line.locator for line in found.differing] == ["B.alg1.10"]
    first = _noise_of(found)
    assert first.slip == "noise_shared"
    assert first.cause.startswith(cause)
    assert first.conversion is None


def test_no_epsilon_is_printed_for_noise_that_leaves_a_coordinate_bare():
    """Also if the noise has the wrong size besides, which alone would have an epsilon."""
    claim = Claim(clients=20, clients_per_round=5, threshold=1.0, noise_scale=1.0, rounds=3, delta=1e-5)
    for scale in (1.0, 2.0):
        found = conform(private(_copy(1, 0), scale), like="dp_fedavg", claim=claim)
        assert "same in coordinates 1 and 2" in _noise_of(found).cause
        assert found.privacy["measured"]["epsilon"] is None
        assert found.privacy["as_server"]["epsilon"] is None


def _again(random, rounds, d):
    z = random.standard_normal((rounds + 4, d))
    z[2::4] = z[0::4][: len(z[2::4])]
    return z[:rounds]


def _taken_back(random, rounds, d):
    z = random.standard_normal((rounds + 2, d))
    return (z[2:] - z[:-2]) / np.sqrt(2)


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("draw", "cause"),
    [
        (_again, "the noise is the same in rounds 1 and 3"),
        (_taken_back, "that of the round 2 rounds before"),
    ],
    ids=["again", "taken back"],
)
def test_noise_that_is_used_again_in_a_later_round_differs(draw, cause):
    first = _noise_of(conform(stochastic(draw), like="stochastic_gradient_descent"))
    assert first.slip == "noise_repeated"
    assert cause in first.cause


def box_muller(random, d):
    radius = np.sqrt(-2 * np.log(1 - random.random((d + 1) // 2)))
    angle = 2 * np.pi * random.random((d + 1) // 2)
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:d]


def rotated(random, d):
    axes = np.linalg.qr(np.random.default_rng(d).standard_normal((d, d)))[0]
    return axes @ random.standard_normal(d)


INDEPENDENT = {
    "normal": normal,
    "scaled": lambda random, d: random.normal(0.0, 1.0, size=(2, d)).sum(axis=0) / np.sqrt(2),
    "of a covariance": lambda random, d: random.multivariate_normal(np.zeros(d), np.eye(d)),
    "from uniform numbers": box_muller,
    "rotated": rotated,
    "single precision": lambda random, d: random.standard_normal(d, dtype=np.float32).astype(np.float64),
    "backwards": lambda random, d: -random.standard_normal(d)[::-1],
}


@pytest.mark.thinned(40)
@pytest.mark.parametrize("seed", [1, 20, 300])
@pytest.mark.parametrize("name", INDEPENDENT)
def test_independent_noise_agrees(name, seed):
    found = conform(private(INDEPENDENT[name]), like="dp_fedavg", seed=seed)
    assert found.agrees, found.differing


def test_limits_are_beyond_what_independent_noise_has():
    """And below what a dependence has: a repeated row has cosine 1, a bare direction eigenvalue 0."""
    random = np.random.default_rng(8)
    for rounds, d in ((240, 40), (1600, 144)):
        for _ in range(5):
            moves = random.standard_normal((rounds, d))
            assert find_dependence([Noise(values={}, moves=0.3 * moves, expected=0.3)]) is None
        assert largest_cosine(rounds, d * (d - 1) // 2) < 0.5
        least, most = eigenvalues_between(rounds, d)
        assert 0.01 < least < 1 < most


def test_the_largest_cosine_is_rare_by_its_own_law():
    """At a level that can be simulated: the tail of a cosine against its Beta law."""
    one, other = np.random.default_rng(4).standard_normal((2, 20000, 30))
    cosines = np.abs((one * other).sum(axis=1)) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)
    assert cosines.max() < largest_cosine(30, 1)
    limit = largest_cosine(30, SHARE / 0.05)  # 1 in 20 of single pairs
    assert np.isclose((cosines > limit).mean(), 0.05, atol=0.006)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("seed", [1, 20, 300])
@pytest.mark.parametrize("scale", [0.95, 0.97, 1.04])
def test_gaussian_noise_of_a_slightly_wrong_size_is_not_said_to_have_another_law(scale, seed):
    first = _noise_of(conform(private(normal, scale), like="dp_fedavg", seed=seed))
    assert first.slip is None
    assert first.cause.startswith("the deviation of the noise is ")
    assert abs(first.ratio / scale - 1) < 0.04
