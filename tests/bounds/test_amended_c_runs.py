"""What docs/amended/als_dpfl.md derives of whole runs: Theorem 2, coupled noise, the best local steps."""

import math
from typing import Any

import numpy as np
import pytest
from huber_by_hand import SLOPE, Array, divergences, huber, largest_divergence, pull

import bounds

# ---- Theorem 2: whole runs, with what its hypotheses ask measured on them


def run(rounds: int, tau: int, sigma: float) -> dict[str, Any]:
    """Two clients with their minima at +-1/4, one sample each, in two dimensions, from distance 2."""
    rng, runs, eta, d = np.random.default_rng(9), 20_000, 0.2, 2
    centres = np.array([[0.25, 0.0], [-0.25, 0.0]])

    def value(points: Array) -> Array:
        return (huber(points - centres[0]) + huber(points - centres[1])) / 2

    def slope(points: Array) -> Array:
        return (pull(points - centres[0]) + pull(points - centres[1])) / 2

    lowest, C = float(value(np.zeros(2))), SLOPE
    averaged = np.tile(np.array([2.0, 0.0]), (runs, 1))
    squares, gradients, ends, aggregations = [], [], [], []
    for _ in range(rounds):
        squares.append(float((averaged**2).sum(-1).mean()))
        w, v = np.repeat(averaged[:, None], 2, axis=1), averaged
        for _ in range(tau):
            gradients.append(float((slope(v) ** 2).sum(-1).mean()))
            v = v - eta * (slope(v) + sigma * C * rng.normal(size=(runs, d)))
            w = w - eta * (pull(w - centres) + sigma * C * rng.normal(size=(runs, 2, d)))
        averaged = w.mean(1)
        ends.append(float(value(v).mean()) - lowest)
        aggregations.append(float(value(averaged).mean()) - lowest)
    return {
        "eta": eta, "d": d, "C": C, "xi": 0.25, "tau": tau, "T": rounds * tau, "sigma": sigma,
        "omega": 1 / max(squares), "gradient": min(gradients), "lam": min(ends + aggregations),
        "final": aggregations[-1],
    }  # fmt: skip


@pytest.mark.parametrize(("rounds", "tau"), [(1, 1), (3, 1), (2, 2)])
def test_the_last_gap_of_a_run(rounds: int, tau: int) -> None:
    """Full batches of one sample: nothing is drawn, and nu is noise alone. beta = 1, rho = C."""
    q = run(rounds, tau, sigma=0.001)
    assert (2 - q["eta"]) * q["gradient"] >= q["eta"] * (q["sigma"] * q["C"]) ** 2 * q["d"]
    noise = math.sqrt(q["d"]) * q["sigma"] * q["C"]
    h = (q["xi"] + 2 * noise) * ((1 + q["eta"]) ** tau - 1)
    progress = q["omega"] * q["eta"] * (1 - q["eta"] / 2)
    paid = q["eta"] ** 2 * (q["sigma"] * q["C"]) ** 2 * q["d"] / (2 * q["lam"] ** 2)
    speed = progress - paid - q["C"] * h / (tau * q["lam"] ** 2)
    bound = 1 / (q["T"] * speed) if speed > 0 else math.inf
    assert q["final"] <= bound
    # The noise and the divergence of this run leave something of the recursion.
    assert progress > paid


def test_a_step_of_the_recursion_is_not_empty() -> None:
    """One client: h is noise alone, the bracket is positive and the bound a number above the gap."""
    rng, eta, sigma, rounds = np.random.default_rng(6), 0.2, 1e-4, 6
    x = np.full(50_000, 2.0)
    for _ in range(rounds):
        x = x - eta * (x + sigma * SLOPE * rng.normal(size=x.shape))
    final = float((x**2).mean()) / 2
    h = eta * 2 * sigma * SLOPE
    paid = eta**2 * (sigma * SLOPE) ** 2 / (2 * final**2) + SLOPE * h / final**2
    speed = eta * (1 - eta / 2) / 4 - paid
    assert speed > 0
    assert final <= 1 / (rounds * speed)


# ---- coupled noise


def coupled(
    seed: int, batch: int, sigma: float, steps: int, spread: float = 1.0
) -> tuple[Array, Array, float]:
    """Models and the auxiliary sequence, which takes the mean of the clients' errors, and the divergence."""
    rng, runs, d, eta = np.random.default_rng(seed), 4000, 2, 0.3
    centres = spread * rng.normal(size=(2, 4, d))  # clients, samples
    w, v = np.tile(np.array([2.0, -1.0]), (runs, 2, 1)), np.tile(np.array([2.0, -1.0]), (runs, 1))
    for _ in range(steps):
        drawn = rng.random((runs, 2, 4)) < batch / 4
        slopes = pull(w[:, :, None] - centres)
        noisy = ((slopes * drawn[..., None]).sum(2) + sigma * SLOPE * rng.normal(size=(runs, 2, d))) / batch
        errors = noisy - slopes.mean(2)
        v = v - eta * (pull(v[:, None, None] - centres).mean((1, 2)) + errors.mean(1))
        w = w - eta * noisy
    return w, v, largest_divergence(centres)


def coupled_distance(batch: int, sigma: float, steps: int) -> tuple[float, float]:
    """(mean distance, bound)."""
    w, v, xi = coupled(12, batch, sigma, steps)
    s = SLOPE / batch * math.sqrt(batch + sigma**2 * 2)
    parted = 0.3**2 / 4 * (steps - 1) * (xi * steps + s * math.sqrt(2 * steps))
    return float(np.linalg.norm(w.mean(1) - v, axis=-1).mean()), parted


@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize("sigma", [0.0, 1.1])
def test_with_coupled_noise_nothing_is_left_after_one_step(batch: int, sigma: float) -> None:
    assert coupled_distance(batch, sigma, 1) == (pytest.approx(0, abs=1e-12), 0)
    for steps in (2, 5):
        distance, bound = coupled_distance(batch, sigma, steps)
        assert 0 < distance <= bound


def long_distances(steps: int, spread: float) -> dict[str, float]:
    """Mean distances, their bounds, and the bound of the form before, at batch size 1 and sigma = 1.1."""
    C, d, eta, sigma = SLOPE, 2, 0.3, 1.1
    w, v, xi = coupled(5, 1, sigma, steps, spread)
    s = C * math.sqrt(1 + d * sigma**2)
    return {
        "client": float(np.linalg.norm(w - v[:, None], axis=-1).mean()),
        "client bound": eta * (xi * steps + s * math.sqrt(steps)),
        "mean": float(np.linalg.norm(w.mean(1) - v, axis=-1).mean()),
        "h": eta**2 / 4 * (steps - 1) * (xi * steps + s * math.sqrt(2 * steps)),
        "before": eta**2 / 4 * (xi + C + math.sqrt(d) * sigma * C) * steps * (steps - 1),
    }


@pytest.mark.parametrize(("steps", "share"), [(2, 0.75), (5, 0.5), (40, 0.2)])
def test_fresh_errors_part_the_models_like_roots(steps: int, share: float) -> None:
    """Each bound is above the distance that is measured, also with clients that differ."""
    near, far = long_distances(steps, spread=0.05), long_distances(steps, spread=1.0)
    assert near["h"] <= share * near["before"]
    for found in (near, far):
        assert found["mean"] <= found["h"]
        assert found["client"] <= found["client bound"]
    total = sum(math.sqrt(x) for x in range(steps))
    assert total <= (steps - 1) * math.sqrt(steps / 2) <= 1.07 * total


def test_theorem_2_can_be_used_at_batch_size_1_and_the_noise_of_the_experiments() -> None:
    point = {"T": 10_000, "tau": 2, "eta": 1e-5, "beta": 1, "rho": 1, "d": 4, "xi": 0.5, "C": 1, "B": 1}
    point |= {"sigma": 1.1, "lam": 0.1, "f0_gap": 0.5, "omega_mean": 1.0, "gradient_square": 0.01}
    given = point | {"auxiliary_gap_mean": 0.1, "averaged_gap_mean": 0.1}
    found = bounds.get("als_dpfl.theorem_2.theorem_omega", "amended").evaluate(**given)
    assert found.applicable
    assert found.value < 0.5
    long = bounds.get("als_dpfl.theorem_2.theorem_omega", "amended").evaluate(**given | {"eta": 1e-2})
    assert not long.applicable


def far_run(steps: int) -> dict[str, float]:
    """Two clients of four samples each, batch size 1, sigma = 1.1, two local steps, from 1000 away."""
    rng, runs, d, eta = np.random.default_rng(3), 400, 2, 0.1
    centres = rng.normal(size=(2, 4, d))
    averaged = np.tile(np.array([1000.0, 0.0]), (runs, 1))

    def gap(points: Array) -> float:  # the least value is not negative
        return float(huber(points[:, None, None] - centres).mean())

    squares, gaps, gradients = [], [], []
    for _ in range(steps // 2):
        squares.append(float((averaged**2).sum(-1).mean()))
        w, v = np.repeat(averaged[:, None], 2, axis=1), averaged
        for _ in range(2):
            slopes = pull(w[:, :, None] - centres)
            drawn = rng.random((runs, 2, 4)) < 1 / 4
            noisy = (slopes * drawn[..., None]).sum(2) + 1.1 * SLOPE * rng.normal(size=(runs, 2, d))
            central = pull(v[:, None, None] - centres).mean((1, 2))
            gradients.append(float((central**2).sum(-1).mean()))
            v, w = v - eta * (central + (noisy - slopes.mean(2)).mean(1)), w - eta * noisy
        averaged = w.mean(1)
        gaps += [gap(v), gap(averaged)]
    xi = float(divergences(centres).max())
    hypotheses = {"lam": 0.98 * min(gaps), "omega_mean": 0.98 / max(squares), "xi": xi, "T": steps}
    means = {"auxiliary_gap_mean": min(gaps[::2]), "averaged_gap_mean": min(gaps[1::2])}
    given = {"eta": eta, "beta": 1, "rho": SLOPE, "d": d, "C": SLOPE, "B": 1, "sigma": 1.1, "tau": 2}
    start = {"gradient_square": 0.98 * min(gradients), "f0_gap": gap(np.array([[1000.0, 0.0]]))}
    return given | hypotheses | means | start | {"final": gaps[-1]}


def test_theorem_2_says_more_than_the_start_of_a_run_with_batches_and_noise() -> None:
    told = far_run(400)
    final = told.pop("final")
    found = bounds.get("als_dpfl.theorem_2.theorem_omega", "amended").evaluate(**told)
    assert found.applicable
    assert final <= found.value <= 0.95 * told["f0_gap"]


def test_the_best_tau_where_communication_is_scarce() -> None:
    """tau times the bracket is largest next to the zero of its slope, which both ends know in closed form."""

    def slope(tau: float) -> float:
        return p - b * xi * (2 * tau - 1) - b * s / math.sqrt(2) * (3 * math.sqrt(tau) - 1 / math.sqrt(tau))

    for p, b, xi, s in ((1.0, 0.1, 1.0, 0.0), (1.0, 0.02, 0.5, 2.0), (1.0, 0.02, 0.0, 4.0)):
        values = [tau * (p - b * (tau - 1) * (xi + s * math.sqrt(2 / tau))) for tau in range(1, 2000)]
        best = values.index(max(values)) + 1
        assert slope(best - 1 + 1e-9) > 0 > slope(best + 1)
        if xi == 0:
            assert best == pytest.approx(2 / 9 * (p / (b * s)) ** 2, rel=0.03)
        if s == 0:
            assert abs(best - (0.5 + p / (2 * b * xi))) <= 0.5 + 1e-9
