"""Hand-written runs against the amended forms of Fed-alpha-NormEC, and how near some of them come.

The left sides are computed here from the paper's listing; only the right sides are asked of the statements.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import bounds

Slope = Callable[[float], float]


@dataclass(frozen=True)
class Run:
    """Algorithm 1 on the line, everybody takes part, no noise: a client is the slopes of its local steps."""

    clients: Sequence[Sequence[Slope]]
    gamma: float
    alpha: float
    beta: float
    eta: float

    def update(self, client: Sequence[Slope], x: float) -> float:
        """P_i(x), the mean of the slopes along the local steps."""
        y, total = x, 0.0
        for slope in client:
            total += slope(y)
            y -= self.gamma / len(client) * slope(y)
        return total / len(client)

    def models(self, x: float, errors: Sequence[float], rounds: int) -> list[float]:
        """x^0 to x^K, K + 1 = rounds, from memories that are `errors` off; those never pass their start."""
        memories = [self.update(c, x) - e for c, e in zip(self.clients, errors, strict=True)]
        largest, models = max(map(abs, errors)), []
        for _ in range(rounds):
            models.append(x)
            updates = [self.update(c, x) for c in self.clients]
            off = [p - v for p, v in zip(updates, memories, strict=True)]
            memories = [v + self.beta * e / (self.alpha + abs(e)) for v, e in zip(memories, off, strict=True)]
            assert all(abs(p - v) <= largest * (1 + 1e-12) for p, v in zip(updates, memories, strict=True))
            x -= self.eta * math.copysign(1, sum(memories))
        return models


def evaluate_bound(identity: str, **point: Any) -> float:
    """The right side of the amended form, where L = M = p = 1 without noise unless the point says else."""
    statement = bounds.get(identity, "amended")
    found = statement.evaluate(**{"L": 1, "M": 1, "p": 1, "sigma_DP": 0} | point)
    assert found.applicable
    return float(found.value)


def bend(x: float) -> float:
    """The slope of a Huber function."""
    return max(-1.0, min(1.0, x))


def choose_start(steps: float, gamma: float) -> float:
    """From here all local steps of `steps` of the server stay where the slope is 1."""
    return steps + 1 + gamma


FAR = {
    "fed_norm_ec.theorem_1.main": {"T": 3, "Delta_inf": 0},
    "fed_norm_ec.theorem_2": {"Delta_i_inf_mean": 1e-12},
}


@pytest.mark.parametrize("identity", FAR)
def test_far_away_on_a_slope_the_bound_comes_near_and_is_kept(identity: str) -> None:
    """All gradients are 1, and so is nearly all of the bound: its first term has the smallest factor.

    The memory is at least 1 - R, so that every step leads down; a short run is made, and the long one is
    the same.
    """
    ratios = []
    for rounds in (400, 10**8):
        eta, gamma = 8 / math.sqrt(rounds), 1e-3 / math.sqrt(rounds)
        R = alpha = eta / 1.5
        start = choose_start(rounds * eta, gamma)
        run = Run([[bend] * 3], gamma, alpha, beta=4 * R, eta=eta)
        if rounds < 1000:
            models = run.models(start, [R], rounds)
            assert {bend(x) for x in models} == {1.0}
            assert models[-1] == pytest.approx(start - (rounds - 1) * eta)
        point = {"K": rounds - 1, "eta": eta, "gamma": gamma, "alpha": alpha, "beta": 4 * R, "R": R}
        ratios.append(1 / evaluate_bound(identity, f0_gap=start - 0.5, **point, **FAR[identity]))
    assert ratios[0] < ratios[1] < 1
    assert ratios[1] > 0.99


RATES = {
    "fed_norm_ec.corollary_2": {"T": 2, "Delta_inf": 0},
    "fed_norm_ec.corollary_4": {},
    "fed_norm_ec.corollary_5": {"T": 2, "Delta_i_inf_mean": 1e-12},
}


@pytest.mark.parametrize("identity", RATES)
def test_the_first_constant_of_the_rates_cannot_be_smaller(identity: str) -> None:
    """The same slope with the choices of the corollary, D_1 = D_2 = 1 and alpha = R = 1/n, K + 1 = n^6."""
    n = 10**5
    eta_hat = 3 / (4 * (1 / n + 1))
    start = choose_start(eta_hat * n, 0.5)
    bound = evaluate_bound(
        identity, K=n**6 - 1, f0_gap=start - 0.5, D_1=1, D_2=1, alpha=1 / n, **RATES[identity]
    )
    assert 0.99 < 1 / bound < 1


def test_nearly_half_of_corollary_1_is_reached_whatever_the_noise() -> None:
    """A run moves by gamma beta_hat/4 at most, so that on this slope no noise shortens the gradient.

    One client, little privacy: b is the fourth root of B_2, and R = alpha is small beside the slope.
    """
    b, gamma, f0_gap = 0.01, 0.5, 1.0
    farthest = gamma * math.sqrt(3 * f0_gap / gamma) / b / 4
    # slope (farthest + slope + gamma slope) - slope^2/2 = f0_gap: the slope at the start, and all along.
    slope = (math.sqrt(farthest**2 + 4 * (0.5 + gamma) * f0_gap) - farthest) / (2 * (0.5 + gamma))
    epsilon = math.sqrt(2 * math.log(1e5)) / b**2
    point = {"K": 10**12, "B_hat": 1, "c": 1, "delta": 1e-5, "epsilon": epsilon, "d": 1, "R": 1e-5}
    found = bounds.get("fed_norm_ec.corollary_1.explicit", "amended").evaluate(M=1, L=1, f0_gap=1, **point)
    assert found.applicable
    assert 0.48 < slope / float(found.value) < 0.49


def hat(y: float, height: float = 1.0) -> float:
    return max(0.0, height - abs(y))


def test_clients_that_share_a_minimizer_hold_a_run_all_the_same() -> None:
    """Both functions are lowest below -3, so Delta^inf = 0, and f' is 1/10 on [-1, 1], which no run leaves.

    So no bound whose drift vanishes with Delta^inf is true: here the other terms add up to 0.03.
    """
    clients = [[lambda y: hat(y, 1.2)] * 2, [lambda y: hat(y + 2) - hat(y)] * 2]
    R, eta, rounds = 1 / 128, 1 / 520, 33_280
    models = Run(clients, gamma=0.5, alpha=1, beta=1, eta=eta).models(-0.1, [R, R], rounds)
    assert -1 < min(models) <= max(models) < 1
    slopes = [(clients[0][0](x) + clients[1][0](x)) / 2 for x in models]
    assert min(slopes) == pytest.approx(0.1)
    # f_1 grows by 1.2^2/2 up to 0 and f_2 falls from 1/2 there; f' is 1/10 between.
    point = {"K": rounds - 1, "T": 2, "eta": eta, "gamma": 0.5, "alpha": 1, "beta": 1, "R": R, "M": 2}
    point["Delta_inf"] = 0
    f0_gap = (0.72 + 0.5) / 2 - 0.1 * 0.1
    bound = evaluate_bound("fed_norm_ec.theorem_1.main", f0_gap=f0_gap, **point)
    without_drift = f0_gap / (rounds * eta) + 2 * R + eta / 2
    assert without_drift < 0.03 < 0.1 < bound


def test_a_pass_of_falling_gradients_comes_near_lemma_8() -> None:
    """(x - c_l)^2/2 with c_l falling from 1 to 0: the mean drift is the root of 2/3 of the bound."""
    N, gamma = 1000, 1e-4
    centres, y, drift = 1 - (np.arange(N) + 1) / N, 0.0, 0.0
    for c in centres:
        drift += abs(y) / N
        y -= gamma / N * (y - c)
    mean_gap = float((centres**2).mean()) / 2
    assert 0.81 < drift / (gamma * math.sqrt(mean_gap)) < math.sqrt(2 / 3)


def draw(rng: np.random.Generator) -> tuple[Run, float, list[float], dict[str, Any]]:
    """Clients with slopes between knots that change by at most their distance, and a step at its limit."""
    M, T, width = int(rng.integers(1, 4)), int(rng.choice([1, 2, 3, 10])), float(np.exp(rng.uniform(-2, 2)))
    knots = width * (np.arange(6) - 2.5)
    values = [
        rng.normal() * math.exp(rng.uniform(-2, 2)) + np.r_[0, np.cumsum(rng.uniform(-width, width, 5))]
        for _ in range(M)
    ]
    outer = [np.r_[knots[0] - abs(v[0]), knots, knots[-1] + abs(v[-1])] for v in values]
    slopes = [
        (lambda y, k=k, v=v: float(np.interp(y, k, np.r_[0, v, 0])))
        for k, v in zip(outer, values, strict=True)
    ]
    grid = np.unique(np.r_[np.concatenate(outer), np.linspace(-60, 60, 4001)])
    losses = [
        np.r_[0, np.cumsum(np.diff(grid) * (s[1:] + s[:-1]) / 2)]
        for s in (np.array([slope(y) for y in grid]) for slope in slopes)
    ]
    mean = np.mean(losses, axis=0)
    R, alpha = math.exp(rng.uniform(-6, 0)), math.exp(rng.uniform(-6, 1))
    beta = (math.sqrt(alpha) + math.sqrt(R)) ** 2 * (1 - 1e-12)
    eta, gamma = 0.75 * beta * R / (alpha + R) * (1 - 1e-12), 0.5 * float(rng.choice([1.0, rng.random()]))
    start = float(rng.normal() * 2)
    point = {
        "M": M, "T": T, "eta": eta, "gamma": gamma, "alpha": alpha, "beta": beta, "R": R,
        "f0_gap": float(np.interp(start, grid, mean) - mean.min()),
        "Delta_inf": max(0.0, float(mean.min() - np.mean([f.min() for f in losses]))),
    }  # fmt: skip
    run = Run([[s] * T for s in slopes], gamma, alpha, beta, eta)
    return run, start, [R * float(rng.choice([-1, 1])) for _ in slopes], point


@pytest.mark.slow("hundreds of runs with a step at its limit")
def test_no_random_instance_exceeds_theorem_1() -> None:
    """Seeded draws, with the step at its limit; a third of the bound is exceeded."""
    rng, ratios = np.random.default_rng(26), []
    for _ in range(50):
        run, start, errors, point = draw(rng)
        rounds = int(rng.choice([1, 2, 6, 30]))
        models = run.models(start, errors, rounds)
        least = min(abs(sum(c[0](x) for c in run.clients)) / point["M"] for x in models)
        ratios.append(least / evaluate_bound("fed_norm_ec.theorem_1.main", K=rounds - 1, **point))
    assert 1 / 3 < max(ratios) <= 1


@pytest.mark.parametrize(("p", "sigma"), [(1.0, 2.0), (0.25, 0.0), (0.5, 3.0)])
def test_nearly_all_of_the_noise_of_theorem_1_is_reached(p: float, sigma: float) -> None:
    """The server's memory is off by a walk, followed here for corrections of length 1 in many dimensions.

    The term is twice the mean length of the walk over the rounds: 0.93 of it would not cover that.
    """
    M, K, d, runs = 3, 99, 400, 60
    rng = np.random.default_rng(11)
    walk, lengths = np.zeros((runs, d)), []
    for _ in range(K + 1):
        units = rng.normal(size=(runs, M, d))
        units /= np.linalg.norm(units, axis=-1, keepdims=True)
        noise = sigma / math.sqrt(d) * rng.normal(size=(runs, M, d))
        q = (rng.random((runs, M, 1)) < p) / p
        walk = walk + (q * (units + noise) - units).mean(axis=1)
        lengths.append(np.linalg.norm(walk, axis=-1).mean())
    point = {"T": 1, "L": 1, "f0_gap": 1, "Delta_inf": 0, "eta": 1e-3, "R": 0.1, "alpha": 1, "gamma": 0.1}
    found = bounds.get("fed_norm_ec.theorem_1.main", "amended").evaluate(
        K=K, M=M, beta=1, p=p, sigma_DP=sigma, **point
    )
    share = 2 * float(np.mean(lengths)) / float(found.terms["sampling_and_noise"])
    assert 0.93 < share < 1
