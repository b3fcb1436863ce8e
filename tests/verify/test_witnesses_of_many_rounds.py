"""Clients that disagree, over many rounds: both algorithms run literally beside what fractions say."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.typing import NDArray

from verify.falsify.witness_folder import WITNESSES
from verify.papers.dp_fedavg.witnesses.many_rounds import (
    RUN,
    Median,
    TwoRounds,
    each_over_its_own_run,
    updates_that_cancel,
)
from verify.papers.several import claims_as_numbers
from verify.records.errata import CONCLUSION, of_paper

Array = NDArray[np.float64]
FIVE = 5  # deviations of a mean: one in three million
SHORT = Median(
    b=Fraction(3),
    start=Fraction(1, 4),
    C_hat=Fraction(20),
    K=600,
    alpha=Fraction(1),
    rho=Fraction(1, 100),
)


def clipped(u: Array, C: float) -> Array:
    return np.asarray(u * np.minimum(1.0, C / np.linalg.norm(u, axis=-1, keepdims=True)))


def normalized(u: Array, C: float) -> Array:
    return np.asarray(C * u / np.linalg.norm(u, axis=-1, keepdims=True))


def mean_gaps(run: Median, bounded: Any, d: int, runs: int = 300) -> Array:
    """Of each run, over its rounds; every client adds its own noise N(0, r sigma^2 I)."""
    rng = default_rng(20)
    C, K, eta = float(run.C_hat), run.K, float(run.rho / run.alpha) / 2
    sigma = math.sqrt(K * float(run.rho) ** 2 * C**2 / d)
    centers = np.zeros((3, d))
    centers[2, 0] = float(run.b)
    best = centers.mean(axis=0)
    w = np.tile(best, (runs, 1))
    w[:, 0] += float(run.start)
    total = np.zeros(runs)
    for _ in range(K):
        total += ((w - best) ** 2).sum(axis=-1) / 2
        noise = rng.normal(0, math.sqrt(3) * sigma, (runs, 3, d))
        w = w - eta * (bounded(w[:, None] - centers, C) + noise).mean(axis=1)
    return total / K


@pytest.mark.parametrize("d", [1, 2])
def test_both_algorithms_stay_on_their_side(d: int) -> None:
    """And each is outside what is said of the other."""
    assert SHORT.applicable()
    below, above = float(SHORT.clipped()), float(SHORT.normalized())
    assert below < above / 4
    clip, norm = (mean_gaps(SHORT, bounded, d) for bounded in (clipped, normalized))
    error = FIVE * max(clip.std(), norm.std()) / math.sqrt(len(clip))
    assert clip.mean() - error < below < norm.mean() - error
    assert clip.mean() + error < above < norm.mean() + error


def test_the_bounds_are_those_of_the_derivation() -> None:
    """With gamma as the free constant, as docs/amended/dp_fedavg.md writes them."""
    for run in (RUN, SHORT):
        C, alpha, rho, D, best = map(float, (run.C_hat, run.alpha, run.rho, run.start, run.b / 3))
        gamma = run.K * C * rho**2 / (2 * alpha)
        near = C * rho / (2 - rho / (2 * alpha)) * (D**2 / gamma + gamma)
        far = (D**4 + 6 * gamma**2 * D**2 + 3 * gamma**4) / (C - 2 * best) ** 2
        away = 1.5 * rho * ((best + D) ** 2 / gamma + C / (2 * alpha) + gamma)
        assert float(run.clipped()) == pytest.approx((near + far) / 2, rel=1e-12)
        assert float(run.normalized()) == pytest.approx(best**2 / 2 - best * away, rel=1e-12)


def test_more_rounds_make_it_plainer() -> None:
    """A larger alpha with the K that goes with it, everything else kept."""
    runs = [replace(RUN, alpha=RUN.alpha * m, K=RUN.K * m) for m in (1, 2, 10, 1000)]
    assert {run.gamma for run in runs} == {RUN.gamma}
    excess = [run.normalized() - run.clipped() for run in runs]
    assert excess == sorted(excess)
    assert excess[0] > 0


def test_clients_that_agree_or_a_low_threshold_refute_nothing() -> None:
    agree = replace(RUN, b=Fraction(0))
    assert agree.normalized() <= 0 <= agree.clipped()
    assert not replace(RUN, C_hat=Fraction(5)).applicable()
    assert not replace(RUN, start=-RUN.b / 3).applicable()


def gaps_without_disagreement(bounded: Any, hessians: Array, start: Array) -> float:
    """Clients w'Hw/2, L = E = alpha = 1, C_hat = 3/2, rho = 1/100, gamma = 3 C_hat rho: K = 600; 40 runs."""
    rng, rho, C, n = default_rng(23), 0.01, 1.5, len(hessians)
    gamma = 3 * C * rho
    K, eta = round(2 * gamma / (C * rho**2)), rho / 2
    w, total = np.tile(start, (40, 1)), 0.0
    for _ in range(K):
        updates = np.einsum("nij,rj->rni", hessians, w)
        total += float(np.einsum("ri,rni->r", w, updates).mean()) / (2 * n)
        noise = rng.normal(0, math.sqrt(K / 2) * rho * C, w.shape)
        w = w - eta * (bounded(updates, C).mean(axis=1) + noise)
    return total / K


@pytest.mark.parametrize("strongly", [0.0, 0.001])
def test_a_shared_minimizer_is_no_order(strongly: float) -> None:
    """Two clients that pull nearly against each other, both with their minimum at 0, and it alone."""
    pulls = np.array([[1.0, 0.0], [-0.99, math.sqrt(1 - 0.99**2)]])
    hessians = (1 - strongly) * pulls[:, :, None] * pulls[:, None, :] + strongly * np.eye(2)
    assert np.linalg.eigvalsh(hessians).max() <= 1 + 1e-12
    start = np.linalg.solve(pulls, [0.001, 1.0])
    clip, norm = (gaps_without_disagreement(bounded, hessians, start) for bounded in (clipped, normalized))
    assert norm > 1.2 * clip


def test_updates_in_one_direction_are_an_order() -> None:
    """One objective and a tenth of it: the same path, faster; and that is what is told."""
    steep = np.diag([1.0, 0.05])
    hessians, start = np.array([steep, steep / 10]), np.array([0.5, 5.0])
    clip, norm = (gaps_without_disagreement(bounded, hessians, start) for bounded in (clipped, normalized))
    assert norm < clip
    expects = ("dp_fedavg.equation_17_comparison.initialization", "dp_fedavg.remark_1.advice")
    told = [e.right for e in of_paper("dp_fedavg") if e.statement in expects and e.where == CONCLUSION]
    assert len(told) == 2
    assert all("point in one direction" in right for right in told)


def test_the_search_finds_such_a_run() -> None:
    kept = json.loads((WITNESSES / "dp_fedavg.claims.many_rounds.json").read_text())
    made = claims_as_numbers.after_many_rounds(kept["instance"]["coordinates"])
    assert made is not None
    assert made.left > made.right
    shown = made.shown
    named = {name: shown[name] for name in ("b", "C_hat", "K", "alpha", "rho")}
    run = Median(start=shown["w_0 - w*"], **named)
    assert run.applicable()
    assert (run.normalized(), run.clipped()) == (made.left, made.right)


def runs_that_stay(start: float, runs: int = 4000) -> float:
    """The share of runs in which the ratio of clipping is the larger one in every round."""
    rng, K, C, rho = default_rng(21), 333, 3.0, 0.01
    sigma, eta = math.sqrt(K) * C * rho, rho / 2
    w, v, always = np.full(runs, start), np.full(runs, start), np.ones(runs, dtype=bool)
    for _ in range(K):
        noise = sigma * rng.normal(size=runs)
        clip = (np.clip(w - 1, -C, C) + np.clip(w + 1, -C, C)) / 2
        norm = C * (np.sign(v - 1) + np.sign(v + 1)) / 2
        always &= abs(norm / noise) < abs(clip / noise)
        w, v = w - eta * (clip + noise), v - eta * (norm + noise)
    return float(always.mean())


def test_normalized_updates_cancel_in_every_round() -> None:
    claimed = updates_that_cancel()
    assert claimed.refutes
    share = runs_that_stay(0.5)
    assert share > claimed.left - FIVE * math.sqrt((1 - claimed.left) / 4000)
    assert runs_that_stay(1.5) < claimed.right


def terms_over_two_rounds(bounded: Any, C: float, runs: int = 200) -> tuple[float, float]:
    """B and B_2 over the run of one of the algorithms, with its noise, client by client."""
    rng, rho, n = default_rng(22), 1e-4, 101
    eta, sigma = rho / 2, math.sqrt(2 * C**2 * rho**2 / 2)
    centers = np.array([[6.0, 0.0], *[[0.0, 1.0]] * 50, *[[0.0, -1.0]] * 50])
    curvatures = np.array([1e-3, *[1.0] * 100])
    best = curvatures @ centers / curvatures.sum()
    deltas = curvatures * ((best - centers) ** 2).sum(axis=-1) / 2
    w, B, B_2 = np.tile([3.0, 0.0], (runs, 1)), 0.0, 0.0
    for _ in range(2):
        u = curvatures[:, None] * (w[:, None] - centers)
        lengths = np.linalg.norm(u, axis=-1)
        short = lengths <= C
        B += 1.5 * rho * (short * deltas).mean() / 2
        B_2 += rho * (short * (C**2 / 2 + C / lengths * deltas * rho)).mean() / 2
        noise = rng.normal(0, math.sqrt(n) * sigma, (runs, n, 2))
        w = w - eta * (bounded(u, C) + noise).mean(axis=1)
    return float(B), float(B_2)


def test_the_terms_of_two_runs_are_those_of_the_runs() -> None:
    """And at the iterates of one run, whichever, B is below B_2."""
    seen, C = each_over_its_own_run(), TwoRounds().C_hat
    (B, own), (same, B_2) = (terms_over_two_rounds(bounded, C) for bounded in (clipped, normalized))
    assert (seen.left, seen.right) == pytest.approx((B, B_2), rel=1e-6)
    assert own > B
    assert same < B_2
    assert seen.refutes
