"""The derivations of docs/amended/als_dpfl.md on numbers, but for runs; the last tests ask the statements."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any, final

import numpy as np
import pytest
from huber_by_hand import SLOPE, Array, huber, largest_divergence, pull

import bounds
from bounds.discovery import forms
from bounds.language.finding import Verdict
from verify.matching.joined import find_runs, get_runs
from verify.runs.check import run_cell

# ---- Lemma 2


def deviation_of_batches(samples: Array, batch: int) -> float:
    """E||(1/B) sum over the drawn - mean||, every subset of the samples with its probability."""
    n, total = len(samples), 0.0
    for drawn in product([0, 1], repeat=n):
        chance = math.prod(batch / n if one else 1 - batch / n for one in drawn)
        total += chance * float(np.linalg.norm(np.array(drawn) @ samples / batch - samples.mean(0)))
    return total


@pytest.mark.parametrize("batch", [1, 2, 5, 8])
def test_a_batch_deviates_by_its_root(batch: int) -> None:
    samples = np.random.default_rng(1).normal(size=(8, 3))
    samples /= np.linalg.norm(samples, axis=1, keepdims=True)
    assert deviation_of_batches(samples, batch) <= 1 / math.sqrt(batch)


def test_without_noise_something_is_left_of_a_batch() -> None:
    assert deviation_of_batches(np.array([[1.0], [-1.0]]), 1) == pytest.approx(0.5 * 1 + 0.5 * 0)


# ---- Lemma 3 and Theorem 1: two clients of samples, simulated step by step


def simulated_distance(batch: int, sigma: float, steps: int) -> tuple[float, float, float, float]:
    """Mean distance of the average and its bound, of the clients and theirs, with the noise of eq. (8)."""
    rng, runs, C, d, eta = np.random.default_rng(2), 4000, SLOPE, 2, 0.3
    centres = rng.normal(size=(2, 4, d))  # clients, samples
    w = np.tile(np.array([2.0, -1.0]), (runs, 2, 1))
    v = np.tile(np.array([2.0, -1.0]), (runs, 1))
    for _ in range(steps):
        drawn = rng.random((runs, 2, 4)) < batch / 4
        slopes = pull(w[:, :, None] - centres)
        noise = sigma * C * rng.normal(size=(runs, 2, d))
        w = w - eta * ((slopes * drawn[..., None]).sum(2) + noise) / batch
        v = v - eta * (pull(v[:, None, None] - centres).mean((1, 2)) + sigma * C * rng.normal(size=(runs, d)))
    xi = largest_divergence(centres)
    nu = C / math.sqrt(batch) + math.sqrt(d) * sigma * C * (1 + 1 / batch)
    bound = (xi + nu) * ((1 + eta) ** steps - 1) - eta * xi * steps
    fresh = eta * C * math.sqrt((1 / batch + d * (sigma / batch) ** 2 + d * sigma**2) * steps)
    apart = float(np.linalg.norm(w - v[:, None], axis=-1).mean())
    return float(np.linalg.norm(w.mean(1) - v, axis=-1).mean()), bound, apart, eta * xi * steps + fresh


@pytest.mark.parametrize(("batch", "sigma"), [(1, 0.0), (4, 0.0), (2, 0.5), (4, 3.0)])
@pytest.mark.parametrize("steps", [1, 5])
def test_the_sequences_stay_within_h(batch: int, sigma: float, steps: int) -> None:
    measured, bound, apart, sharper = simulated_distance(batch, sigma, steps)
    assert measured <= bound
    assert apart <= sharper


def test_one_deviation_over_the_batch_is_too_small() -> None:
    """Full batches: 2 sqrt(d) sigma C/B for both noises, as printed, is below what is measured."""
    measured, *_ = simulated_distance(4, 3.0, 1)
    growth = 0.3 * 2 * math.sqrt(2) * 3.0 * SLOPE / 4
    assert measured > 1.2 * growth


def exact_distances(auxiliary: float, seed: int) -> list[tuple[float, float]]:
    """(mean distance, sum of a geometric series) of a client and of the average: every path, full batches.

    Two clients on the line, noises of two signs: b at a client and `auxiliary` times b at the sequence.
    """
    rng = np.random.default_rng(seed)
    (curved, steps), centres = (rng.uniform(0.2, 1, 2), int(rng.integers(1, 4))), rng.normal(size=2)
    b, eta = rng.uniform(0, 2), rng.uniform(0.1, 1)

    def slope(x: Array) -> Array:
        return curved * np.clip(x[:, None] - centres, -SLOPE, SLOPE)

    signs = np.array(list(product([-1.0, 1.0], repeat=3 * steps))).reshape(-1, steps, 3)
    w, v = np.full((len(signs), 2), 0.5), np.full(len(signs), 0.5)
    for t in range(steps):
        own = curved * np.clip(w - centres, -SLOPE, SLOPE)
        w = w - eta * (own + b * signs[:, t, :2])
        v = v - eta * (slope(v).mean(1) + auxiliary * b * signs[:, t, 2])
    grid = slope(np.linspace(-20, 20, 4001))
    xi = np.abs(grid - grid.mean(1, keepdims=True)).max(0)
    beta = curved.max()
    growth = ((1 + eta * beta) ** steps - 1) / beta
    apart = [(np.abs(w[:, i] - v).mean(), (xi[i] + 2 * b) * growth) for i in (0, 1)]
    return [*apart, (np.abs(w.mean(1) - v).mean(), (xi.mean() + 2 * b) * growth)]


def test_with_full_batches_and_equal_noises_the_printed_bounds_hold() -> None:
    """And not where the auxiliary noise is several times that of a client."""
    for seed in range(200):
        assert all(left <= right * (1 + 1e-6) for left, right in exact_distances(1.0, seed))
    assert any(left > right for seed in range(50) for left, right in exact_distances(8.0, seed))


# ---- Lemmas 4 and 6: exact moments over finitely many outcomes


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Means before and after one noisy step; `small` is the slack of the hypothesis on the noise."""

    gap: float
    next_gap: float
    square: float
    next_square: float
    distance: float
    next_distance: float
    gradient_square: float
    variance: float
    eta: float

    @property
    def small(self) -> float:
        return (2 - self.eta) * self.gradient_square - self.eta * self.variance


def step(v: Array, noise: Array, eta: float) -> Step:
    """The function is `huber`, with beta = 1 and its minimizer at 0; outcomes are equally likely."""
    after = (v - eta * pull(v))[:, None] - eta * noise
    lengths, later = np.linalg.norm(v, axis=-1), np.linalg.norm(after, axis=-1)
    return Step(
        gap=float(huber(v).mean()), next_gap=float(huber(after).mean()),
        square=float((lengths**2).mean()), next_square=float((later**2).mean()),
        distance=float(lengths.mean()), next_distance=float(later.mean()),
        gradient_square=float((pull(v) ** 2).sum(-1).mean()),
        variance=float((noise**2).sum(-1).mean()), eta=eta,
    )  # fmt: skip


@cache  # at the first test that asks, not at collection
def steps() -> list[Step]:
    rng, out = np.random.default_rng(4), []
    for _ in range(3000):
        d, eta = int(rng.integers(1, 4)), float(rng.uniform(0.05, 1))
        v = 10 ** rng.uniform(-1, 1) * rng.normal(size=(6, d))
        half = 10 ** rng.uniform(-2, 1) * rng.normal(size=(5, d))
        out.append(step(v, np.concatenate([half, -half]), eta))
    return out


def small_steps() -> list[Step]:
    return [q for q in steps() if q.small >= 0]


def test_squares_and_mean_gaps_do_not_grow() -> None:
    assert 500 < len(small_steps()) < len(steps()) - 500
    assert max(q.next_square / q.square for q in small_steps()) <= 1 + 1e-12
    assert max(q.next_gap / q.gap for q in small_steps()) <= 1 + 1e-12


def test_reciprocals_of_mean_gaps_grow() -> None:
    for q in small_steps():
        lam, omega = q.next_gap, 1 / q.square
        growth = 1 / q.next_gap - 1 / q.gap
        promised = omega * q.eta * (1 - q.eta / 2) - q.eta**2 * q.variance / (2 * lam**2)
        assert growth >= promised - 1e-12 / q.next_gap


def test_gaussian_noise_refutes_the_printed_lemma_6_of_mean_gaps() -> None:
    """F = ||x||^2/2 in three dimensions with eta = beta = 1: a step from anywhere ends at minus its noise."""
    r = np.linspace(1e-6, 12, 1_200_001)
    density = math.sqrt(2 / math.pi) * r**2 * np.exp(-(r**2) / 2)

    def mean(values: Array) -> float:
        return float((values * density).sum() * (r[1] - r[0]))

    assert mean(np.ones_like(r)) == pytest.approx(1)
    reciprocal, lam, omega, d = mean(2 / r**2), mean(r**2 / 2), 1 / 0.1**2, 3
    assert (reciprocal, lam) == (pytest.approx(2, abs=1e-4), pytest.approx(1.5))
    change, promised = reciprocal - reciprocal, omega * (1 - 1 / 2) - d / lam**2
    assert promised > 48 > change


def test_some_hypothesis_on_the_noise_is_needed() -> None:
    large = [q for q in steps() if q.small < 0]
    assert max(q.next_square / q.square for q in large) > 1.1
    assert max(q.next_gap / q.gap for q in large) > 1.1


def test_squares_are_needed() -> None:
    """10 with probability 1/100 and 0 else, noise 9/10 up or down, eta = 1: F = x^2/2 up to there."""
    v = np.zeros(100)
    v[0] = 10
    after = (v - v)[:, None] - np.array([0.9, -0.9])
    assert (2 - 1) * (v**2).mean() >= 0.81
    assert (after**2).mean() <= (v**2).mean()
    assert np.abs(after).mean() > 8 * np.abs(v).mean()


# ---- h over tau, Jensen, the largest difference


def test_the_difference_can_grow_within_one_interval() -> None:
    """The other reading of C.claim.exp, by Algorithm 1 and the auxiliary sequence in fractions."""
    slope = Fraction(2) ** 120  # of the Huber client; the other client is flat
    bent = flat = auxiliary = Fraction(1)
    differences = [Fraction(0)]
    for _ in range(100):  # eta beta = 3
        bent -= 3 * max(-slope, min(slope, bent))
        auxiliary -= 3 * max(-slope, min(slope, auxiliary)) / 2
        differences.append(abs((bent + flat) / 2 - auxiliary))
    assert Fraction(2) ** 98 < differences[100] < Fraction(2) ** 100
    assert all(after > Fraction(19, 10) * before for before, after in pairwise(differences[10:]))


def test_h_grows_faster_than_tau() -> None:
    for growth in (1e-6, 0.01, 0.5, 1.0):
        ratios = [((1 + growth) ** tau - 1) / tau for tau in range(1, 60)]
        assert ratios == sorted(ratios)


def test_numbers_about_cubes() -> None:
    gaps = np.array([0.5, 0.1, 3.0])
    assert 1 / np.mean(gaps**3) <= np.mean(1 / gaps**3)
    x = np.linspace(0, 1, 100_001)
    assert np.max(x - x**3) == pytest.approx(2 * math.sqrt(3) / 9, abs=1e-9)


# ---- the statements: what refutes the printed form does not refute the amended one


def amended(identity: str) -> Any:
    return bounds.get(identity, "amended")


def test_the_witness_of_lemma_4_no_longer_applies() -> None:
    found = amended("als_dpfl.lemma_4").on(
        gradient=lambda x: np.asarray(x) * 0.01, v=np.array([[1.0]]),
        noise=np.array([[0.4999], [-0.4999]]), minimizer=np.zeros(1), eta=50.0, beta=0.01,
    )  # fmt: skip
    assert not np.all(found.evaluation.applicable)
    assert found.left > 100 * found.right


NAMED = [
    "lemma_4",
    "lemma_6",
    *(f"claims.{c}" for c in ("loss_decreases", "gap_decreases", "noise_lengthens")),
]


@pytest.mark.parametrize("identity", NAMED)
def test_amended_forms_on_the_steps(identity: str) -> None:
    """Where the hypotheses hold the left side is at most the right one; somewhere they do hold."""
    rng, met = np.random.default_rng(8), 0
    for _ in range(200):
        v, half = rng.normal(size=(6, 2)), 10 ** rng.uniform(-2, 0.5) * rng.normal(size=(4, 2))
        noise, eta = np.concatenate([half, -half]), float(rng.uniform(0.05, 1))
        objects: dict[str, Any] = {"v": v, "noise": noise, "minimizer": np.zeros(2), "eta": eta, "beta": 1.0}
        objects |= {"gradient": pull}
        if identity != "lemma_4":
            objects["loss"] = huber
        if identity == "lemma_6":
            steps, ends = int(rng.integers(1, 3)), v
            for _ in range(steps):
                ends = ((ends - eta * pull(ends))[:, None] - eta * noise).reshape(-1, 2)
            made = int(rng.integers(steps))
            objects |= {"starts": objects.pop("v"), "made": made, "left": steps - 1 - made}
            objects |= {"lam": float(huber(ends).mean()) * 0.999}
        found = amended(f"als_dpfl.{identity}").on(**objects)
        if np.all(found.evaluation.applicable):
            met += 1
            assert found.left <= found.right + 1e-12
    assert met > 30


def test_a_step_far_from_its_interval_is_no_object_of_lemma_6() -> None:
    """v = 1, a start at 1/100 and an end at 1/2 belong to no interval: from v = 1 the start is 1 too."""
    given: dict[str, Any] = {"loss": huber, "gradient": pull, "minimizer": np.zeros(1), "beta": 1.0}
    still = given | {"noise": np.zeros((1, 1)), "eta": 0.5, "lam": 0.1, "made": 0, "left": 0}
    found = amended("als_dpfl.lemma_6").on(starts=np.array([[1.0]]), **still)
    assert found.evaluation.applicable
    assert found.left == pytest.approx(2 - 8)  # gaps 1/2 and 1/8
    assert found.right == pytest.approx(-0.5 * 0.75)
    with pytest.raises(bounds.errors.UnknownName):
        amended("als_dpfl.lemma_6").on(starts=np.array([[0.01]]), v=np.array([[1.0]]), **still)


def test_the_noise_must_be_small_at_every_step_of_the_interval() -> None:
    """F = (x^2 + y^2/100)/2 from (1, 0) with eta = 1, noise 9/10 along y: the second gradient is 0.009."""
    curvature = np.array([1.0, 0.01])
    given: dict[str, Any] = {
        "loss": lambda x: (curvature * np.asarray(x) ** 2).sum(-1) / 2,
        "gradient": lambda x: curvature * x,
    }
    given |= {"minimizer": np.zeros(2), "beta": 1.0, "noise": np.array([[0.0, 0.9], [0.0, -0.9]])}
    for left, holds in ((0, True), (1, False)):
        found = amended("als_dpfl.lemma_6").on(
            starts=np.array([[1.0, 0.0]]), eta=1.0, lam=1e-3, made=0, left=left, **given
        )
        assert bool(found.evaluation.applicable) == holds


WITH_CELLS = [
    name
    for name, form in forms("als_dpfl").items()
    if form.amendment and form.algorithm == "dpfl" and find_runs(form) is not None
]


@pytest.mark.parametrize("name", WITH_CELLS)
def test_no_standard_cell_refutes_an_amended_form(name: str) -> None:
    form = forms()[name]
    verdicts = [
        run_cell(cell, level=1e-6, seed=12, replicates=256).verdict for cell in get_runs(form).cells(form)
    ]
    assert Verdict.VIOLATED not in verdicts
    assert verdicts.count(Verdict.REFUSED) <= 1
