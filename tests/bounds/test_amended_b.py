"""The derivations of docs/amended/dp_fedavg.md, on numbers: only the last test asks the statements."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm as normal

from bounds.discovery import forms
from bounds.language.finding import Verdict
from reports.verbs import show
from verify.matching.joined import find_runs, get_runs
from verify.runs.check import run_cell

Vector = NDArray[np.float64]


# ---- coins


def second_moment(vectors: Vector, r: float) -> float:
    """E||(1/r) sum over the drawn||^2, every subset of clients with its probability."""
    n, total = len(vectors), 0.0
    for drawn in product([0, 1], repeat=n):
        chance = math.prod(r / n if one else 1 - r / n for one in drawn)
        total += chance * float(np.sum((np.array(drawn) @ vectors / r) ** 2))
    return total


@pytest.mark.parametrize("r", [1.0, 1.7, 3.0, 4.0])
def test_what_an_average_over_coins_scatters(r: float) -> None:
    vectors = np.random.default_rng(1).normal(size=(4, 3))
    mean, squares = np.sum(vectors.mean(0) ** 2), np.sum(vectors**2) / 4
    s = (1 - r / 4) / r
    assert second_moment(vectors, r) == pytest.approx(mean + s * squares, rel=1e-12)
    assert second_moment(vectors, r) <= (1 + s) * squares
    alike = np.ones((4, 1))
    assert second_moment(alike, r) == pytest.approx(1 + s)  # equality: s cannot be smaller
    assert (second_moment(alike, r) > 1 + 1e-9) == (r < 4)  # what Fact 2 would allow


# ---- one client in one round


Client = tuple[Callable[[Vector], float], Callable[[Vector], Vector], float, float]


def bowl(curvature: Vector, centre: Vector) -> Client:
    return (
        lambda w: float(curvature @ (w - centre) ** 2) / 2,
        lambda w: curvature * (w - centre),
        1.0,
        0.0,
    )


def huber(radius: float, centre: Vector) -> Client:
    def value(w: Vector) -> float:
        x = float(np.linalg.norm(w - centre))
        return x**2 / 2 if x <= radius else radius * (x - radius / 2)

    def gradient(w: Vector) -> Vector:
        return (w - centre) * min(1.0, radius / max(float(np.linalg.norm(w - centre)), 1e-300))

    return value, gradient, 1.0, 0.0


def valley(slope: Vector, centre: Vector) -> Client:
    return (
        lambda w: float(np.log(np.cosh(slope @ (w - centre)))),
        lambda w: slope * np.tanh(slope @ (w - centre)),
        float(slope @ slope),
        0.0,
    )


def clients(rng: np.random.Generator) -> list[Client]:
    """(f, gradient, L, minimum) of a quadratic, a Huber loss and a log-cosh, in two dimensions."""
    curvature = rng.uniform(0.05, 1, 2)
    centre, radius, slope = rng.normal(size=2), rng.uniform(0.3, 2), rng.normal(size=2)
    return [bowl(curvature, centre), huber(radius, centre), valley(slope, centre)]


def one_round(rng: np.random.Generator, client: Client) -> dict[str, Any]:
    """Numbers of a round with eta L E <= 1/4 and C >= 4 E sqrt(L Delta); w* is anywhere."""
    f, gradient, L, lowest = client
    E = int(rng.integers(1, 9))
    eta = rng.uniform(0.02, 0.25) / (L * E)
    w, optimum = 4 * rng.normal(size=2), rng.normal(size=2)
    x = w
    for _ in range(E):
        x = x - eta * gradient(x)
    u, delta = (w - x) / eta, f(optimum) - lowest
    # As often longer than the update as shorter, where the hypothesis leaves the choice.
    C = max(4 * E * math.sqrt(L * delta), float(np.linalg.norm(u)) * 2 ** rng.uniform(-3, 3))
    return {
        "L": L, "E": E, "eta": eta, "u": u, "C": C, "delta": delta, "s": rng.uniform(0, 1),
        "gap": f(w) - f(optimum), "inner": float(u @ (w - optimum)), "length": float(np.linalg.norm(u)),
    }  # fmt: skip


def drift(q: dict[str, Any], size: float, extra: float) -> float:
    """-2 eta <g, w - w*> + (1 + extra) eta^2 ||g||^2 for the update u scaled by `size`."""
    return float(-2 * q["eta"] * size * q["inner"] + (1 + extra) * (q["eta"] * size * q["length"]) ** 2)


@cache  # at the first test that asks, not at collection
def rounds() -> list[dict[str, Any]]:
    rng = np.random.default_rng(7)
    return [one_round(rng, client) for _ in range(1500) for client in clients(rng)]


def long_ones() -> list[dict[str, Any]]:
    return [q for q in rounds() if q["length"] > q["C"]]


def short_ones() -> list[dict[str, Any]]:
    return [q for q in rounds() if 0 < q["length"] <= q["C"]]


def excess_of_a_long_update(q: dict[str, Any], part: float = 3 / 8) -> float:
    return drift(q, q["C"] / q["length"], q["s"]) + part * q["eta"] * q["C"] * q["length"] / (q["L"] * q["E"])


def excess_of_a_clipped_short_update(q: dict[str, Any], extra: float) -> float:
    cost = 2 * q["eta"] * q["L"] * q["E"]
    paid = q["eta"] * q["E"] * ((2 - cost) * q["gap"] - cost * q["delta"])
    return drift(q, 1.0, extra) + paid


def excess_of_a_stretched_update(q: dict[str, Any], extra: float) -> float:
    gain, step = q["C"] / q["length"], q["eta"] * q["L"] * q["E"]
    weighed = 2 * gain * ((1 - 2 * step**2) * q["gap"] - 2 * step**2 * q["delta"])
    return drift(q, gain, q["s"]) + q["eta"] * q["E"] * weighed - (1 + extra) * (q["eta"] * q["C"]) ** 2


def test_a_long_update_pays_for_its_own_scatter() -> None:
    assert len(long_ones()) > 300
    assert max(excess_of_a_long_update(q) / q["C"] ** 2 for q in long_ones()) <= 1e-12


def test_a_short_update_that_is_clipped() -> None:
    assert len(short_ones()) > 1000
    assert max(excess_of_a_clipped_short_update(q, 0.0) for q in short_ones()) <= 1e-12


def test_a_short_update_that_is_stretched() -> None:
    assert max(excess_of_a_stretched_update(q, q["s"]) / q["C"] ** 2 for q in short_ones()) <= 1e-12


def test_the_rounds_can_refute_what_is_too_small() -> None:
    """One short client does not pay for its own scatter, clipped or stretched, nor a long one four times."""
    assert max(excess_of_a_clipped_short_update(q, q["s"]) for q in short_ones()) > 1e-9
    assert max(excess_of_a_stretched_update(q, 0.0) for q in short_ones()) > 1e-9
    assert max(excess_of_a_long_update(q, 3 / 2) for q in long_ones()) > 1e-9


# ---- all clients of a round, clipped: the gradients at w* cancel, and pay for what coins scatter


def crowd(rng: np.random.Generator) -> list[Client]:
    """Clients of L = 1; the last one, a quadratic, makes 0 the minimizer of the mean."""
    found: list[Client] = []
    for _ in range(int(rng.integers(1, 5))):
        direction, kind = rng.normal(size=2), int(rng.integers(3))
        one = [
            bowl(rng.uniform(0.05, 1, 2), rng.normal(size=2)),
            huber(rng.uniform(0.3, 2), rng.normal(size=2)),
            valley(direction / np.linalg.norm(direction), rng.normal(size=2)),
        ]
        found.append(one[kind])
    curvature = rng.uniform(0.3, 1, 2)
    pull = sum((gradient(np.zeros(2)) for _, gradient, _, _ in found), np.zeros(2))
    return [*found, bowl(curvature, pull / curvature)]


def crowded_round(rng: np.random.Generator) -> dict[str, Any]:
    """Exact mean over the coins of ||w' - w*||^2 - ||w - w*||^2 less the noise, and what it is bounded by."""
    members, E = crowd(rng), int(rng.integers(1, 7))
    eta, w = rng.uniform(0.02, 0.25) / E, 10 ** rng.uniform(-1.5, 1.5) * rng.normal(size=2)
    updates, deltas, gaps = [], [], []
    for f, gradient, _, lowest in members:
        x = w
        for _ in range(E):
            x = x - eta * gradient(x)
        updates.append((w - x) / eta)
        deltas.append(f(np.zeros(2)) - lowest)
        gaps.append(f(w) - f(np.zeros(2)))
    lengths = np.linalg.norm(updates, axis=1)
    C = 4 * E * math.sqrt(max(deltas)) * 10 ** rng.choice([0.0, rng.uniform(0, 0.6)])
    sent = np.array(updates) * np.minimum(1, C / np.maximum(lengths, 1e-300))[:, None]
    r, a = float(rng.uniform(1, len(members))), 2 * eta * E
    moved = -2 * eta * float(sent.mean(0) @ w) + eta**2 * second_moment(sent, r)
    per_client = [
        3 * eta * C * u / (8 * E) if u > C else eta * E * ((2 - a) * gap - a * delta)
        for u, gap, delta in zip(lengths, gaps, deltas, strict=True)
    ]
    scatter = eta**2 * (1 / r - 1 / len(members)) * float((sent**2).sum(1).mean())
    return {"moved": moved, "paid": float(np.mean(per_client)), "size": max(C, lengths.max()) ** 2,
            "scatter": scatter, "clipped": int((lengths > C).sum()), "members": len(members)}  # fmt: skip


@cache  # at the first test that asks, not at collection
def crowded_rounds() -> list[dict[str, Any]]:
    rng = np.random.default_rng(17)
    return [crowded_round(rng) for _ in range(2000)]


def test_a_round_of_clipped_clients_drawn_by_coins() -> None:
    """E||w' - w*||^2 <= ||w - w*||^2 + noise - mean of what Theorem 5 amended counts, without 1 + s."""
    assert sum(q["clipped"] == 0 for q in crowded_rounds()) > 200
    assert sum(0 < q["clipped"] < q["members"] for q in crowded_rounds()) > 200
    assert max((q["moved"] + q["paid"]) / q["size"] for q in crowded_rounds()) <= 1e-12


def test_the_bound_of_a_round_can_fail() -> None:
    """Four times the scatter of the coins is more than the clients have left over."""
    assert max((q["moved"] + 3 * q["scatter"] + q["paid"]) / q["size"] for q in crowded_rounds()) > 1e-6


@pytest.mark.parametrize("s", [0.0, 0.5, 1.0])
def test_what_a_clipped_client_has_left(s: float) -> None:
    """eta L = eta L E = 1/4: 1 - 1/4 - 1/8 + (1 - q)^2 - s (1 + q)^2/4 with q = 1/sqrt 8; asked: 3/8."""
    at_w_star = 1 / math.sqrt(8)
    left = 1 - 1 / 4 - 1 / 8 + (1 - at_w_star) ** 2 - s * (1 + at_w_star) ** 2 / 4
    assert left >= 0.584


# ---- the left sides of eqs. (15) and (16)


def left_sides(w: float) -> tuple[float, float]:
    """f_1 = (w-1)^2/2 and f_2 = (w+1)^2/2, C_hat = 4 sqrt(1/2), L = E = K = alpha = 1, rho = 1/10."""
    gaps = [((w - c) ** 2 - 1) / 2 for c in (1, -1)]
    gains = [4 * math.sqrt(0.5) / abs(w - c) for c in (1, -1)]
    assert min(gains) >= 1  # nobody is clipped
    return (
        (2 - 0.1 - 0.01) * sum(gaps) / 2,
        (2 - 0.01) * sum(x * gain for x, gain in zip(gaps, gains, strict=True)) / 2,
    )


def test_the_left_side_of_normalization_may_be_the_smaller_one() -> None:
    clipping, normalization = left_sides(0.9)  # K = 1: both algorithms are at their start
    assert clipping == pytest.approx(0.76545)
    assert normalization < -11.9


# ---- Lemma 3, Definition 2, Proposition 1, Theorem 3


def test_a_step_on_a_convex_client_flattens() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        for _, gradient, L, _ in clients(rng):
            w, eta = 3 * rng.normal(size=2), rng.uniform(0.1, 4) / L
            before = gradient(w)
            after = gradient(w - eta * before)
            limit = before @ before - (2 / (eta * L) - 1) * float(np.sum((after - before) ** 2))
            assert after @ after <= limit + 1e-12 * (1 + before @ before)


def smallest_delta(epsilon: float, delta: float) -> float:
    c = math.sqrt(2 * math.log(1.25 / delta))
    return float(normal.sf(c - epsilon / (2 * c)) - math.exp(epsilon) * normal.sf(c + epsilon / (2 * c)))


def test_the_gaussian_mechanism_up_to_one() -> None:
    for delta in (1e-12, 1e-5, 0.1, 0.5, 0.9, 0.97, 0.974, 0.99, 1 - 1e-9):
        assert max(smallest_delta(e, delta) for e in np.linspace(0.01, 1, 40)) <= delta
    assert smallest_delta(20.0, 1e-5) > 1e-4


def test_an_update_in_a_round_that_meets_the_hypotheses() -> None:
    rng, met = np.random.default_rng(5), 0
    for _ in range(400):
        for _, gradient, L, _ in clients(rng):
            rho = float(rng.uniform(0.02, 0.5))
            E = int(rng.integers(1, int(1 / (2 * rho)) + 1))
            eta, slopes, x = rho / (2 * L), [], 2 * rng.normal(size=2)
            start = x
            for _ in range(E):
                slopes.append(gradient(x))
                x = x - eta * slopes[-1]
            length = np.linalg.norm(slopes, axis=1)
            moves = np.linalg.norm(np.diff(slopes, axis=0), axis=1)
            lam = float(np.min(moves / (eta * length[:-1]), initial=L))
            G = length[0]
            limit = G * (1 - 11 * (E - 1) * rho / 64 * (lam / L) ** 2) * E
            update = float(np.linalg.norm(start - x)) / eta
            assert update <= limit * (1 + 1e-12)
            met += lam > 0.3 * L and E > 2
    assert met > 50


def test_a_small_gamma_refutes_theorem_3() -> None:
    """f = w^2/2 from 1, K = E = alpha = C_hat = 1: the only round returns the start, whatever rho is."""
    constant = 3 / 16 * math.sqrt(7 / 32)
    left = min(0.5, constant * 1.0 * 1.0)
    for c_O in (1.0, 10.0, 1e6):
        rho = left / c_O / 2
        gamma = rho**2 / 2
        assert 2 * gamma / rho**2 == pytest.approx(1)  # the prescribed K
        assert gamma <= 1  # gamma = O(L ||w_0 - w*||)
        assert left > c_O * rho  # the right side of eq. (7)
        assert left <= 4 / 3 * (1 / gamma) * rho  # of the amended form, whose c_gamma is at least 1/gamma


# ---- runs

RUN = [name for name, form in forms("dp_fedavg").items() if form.amendment and form.algorithm]


def with_cells() -> list[str]:
    return [name for name in RUN if find_runs(forms()[name]) is not None]


@pytest.mark.sampled
@pytest.mark.parametrize("name", with_cells())
def test_no_standard_cell_refutes_an_amended_form(name: str) -> None:
    form = forms()[name]
    cells = get_runs(form).cells(form)
    verdicts = {cell.role: run_cell(cell, level=1e-6, seed=11, replicates=256).verdict for cell in cells}
    assert {cell.variant for cell in cells} == {"amended"}
    assert Verdict.VIOLATED not in verdicts.values(), verdicts
    assert list(verdicts.values()).count(Verdict.REFUSED) <= 1


def test_show_says_what_is_amended(capsys: pytest.CaptureFixture[str]) -> None:
    for variant, shown in (("amended", True), ("printed", False)):
        show.run("dp_fedavg.theorem_4", variant=variant)
        out = capsys.readouterr().out
        assert ("the cost of stretching grows by 1 + s" in out) == shown
        assert ("docs/amended/dp_fedavg.md#theorem-4" in out) == shown


@pytest.mark.parametrize("wrong", [{"r": 5.0}, {"n": 3}])
def test_a_cell_with_less_scatter_than_its_run_is_refused(wrong: dict[str, float]) -> None:
    form = forms()["dp_fedavg.theorem_4 amended"]
    cell = next(c for c in get_runs(form).cells(form) if c.role == "partial participation")
    changed = replace(cell, parameters={**cell.parameters, **wrong})
    assert run_cell(changed, level=1e-6, seed=1, replicates=64).verdict is Verdict.REFUSED
