"""What docs/amended/fed_norm_ec.md derives, on instances and in recursions made by hand.

The bounds are typed from the derivation; golden_amended_ad.py says that the statements have the same ones.
"""

import runpy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bounds
from bounds.discovery import forms
from bounds.evaluation.resolve import names_taken
from bounds.language.finding import Verdict
from bounds.language.statement import SUFFICIENT
from verify.parameters.valid import valid_parameters
from verify.records.refuted import refuted

AMENDED = {n: s for n, s in forms("fed_norm_ec").items() if s.amendment is not None}
FALSE = {identity for identity in refuted() if identity.startswith("fed_norm_ec.")}
section = runpy.run_path(str(Path(__file__).with_name("test_printed.py")))["section"]


@pytest.mark.parametrize("name", AMENDED)
def test_is_derived_and_says_whether_what_it_adds_is_needed(name: str) -> None:
    statement, printed = AMENDED[name], bounds.get(AMENDED[name].id)
    amendment = statement.amendment
    assert amendment is not None
    assert len(section(amendment.derivation)) > 200
    if name in ADD_A_CONDITION or statement.assumptions != printed.assumptions:
        assert amendment.needed == SUFFICIENT or amendment.needed in FALSE


ADD_A_CONDITION = {f"fed_norm_ec.{name} amended" for name in ("lemma_1", "lemma_8", "claims.rate")}
CHANGED = {n for n, s in AMENDED.items() if s.conditions != bounds.get(s.id).conditions}
ADD_NOTHING = sorted(CHANGED - ADD_A_CONDITION)


@pytest.mark.sampled
@pytest.mark.parametrize("name", ADD_NOTHING)
@settings(max_examples=25)
@given(data=st.data())
def test_what_adds_no_condition_applies_where_the_printed_form_does(name: str, data: st.DataObject) -> None:
    amended, printed = AMENDED[name], bounds.get(AMENDED[name].id)
    point = data.draw(valid_parameters(printed))
    prescribed = {n: v for n, v in printed.evaluate(**point).derived.items() if n == "gamma"}
    taken = {n: v for n, v in {**prescribed, **point}.items() if n in names_taken(amended)}
    assert amended.evaluate(**taken).applicable


def test_what_is_false_has_an_amended_form_or_a_reason_for_none() -> None:
    reasons = section("docs/amended/fed_norm_ec.md#without-an-amended-form")
    left = FALSE - {statement.id for statement in AMENDED.values()}
    assert [identity for identity in left if f"**{bounds.get(identity).locator}**" not in reasons] == []


def errors_after_a_step(t: np.ndarray, alpha: float, beta: float) -> np.ndarray:
    return np.abs(t - beta * t / (alpha + t))


@pytest.mark.parametrize("ratio", [1.0, 0.3, 1e-3])
@pytest.mark.parametrize("C", [1e-3, 1.0, 50.0])
def test_up_to_beta_equal_alpha_no_memory_error_leaves_its_bound(ratio: float, C: float) -> None:
    alpha = 0.7
    beta = ratio * alpha
    t = np.linspace(0, C, 10001)
    assert np.max(errors_after_a_step(t, alpha, beta)) <= C - beta * C / (alpha + C) + 1e-15


def test_the_condition_of_lemma_1_can_be_relaxed_and_not_dropped() -> None:
    """max(0, sqrt(beta) - sqrt(alpha))^2 <= C (1 - beta/(alpha + C)) decides, for every beta < alpha + C."""
    rng = np.random.default_rng(5)
    seen = set()
    for alpha, C, part in 10 ** rng.uniform(-2, 1, (400, 3)) * [1, 1, 0.0999]:
        beta = part * (alpha + C)
        t = np.linspace(0, C, 20001)
        stays = np.max(errors_after_a_step(t, alpha, beta)) + beta * C / (alpha + C) - C
        sharp = max(0.0, beta**0.5 - alpha**0.5) ** 2 - C * (1 - beta / (alpha + C))
        if abs(sharp) > 1e-4 * C:
            assert (stays > 1e-12) == (sharp > 0)
            assert not (beta <= alpha and sharp > 0)
            seen.add(bool(sharp > 0))
    assert seen == {True, False}


def worst_errors(alpha: float, beta: float, moves: np.ndarray, start: float) -> np.ndarray:
    """Of one memory on the line, after each update; between two of them the local update moves.

    A move above 0 is outwards; one below 0 goes towards the error that is overshot most.
    """
    errors, error, overshot = [], start, max(0.0, (alpha * beta) ** 0.5 - alpha)
    for move in moves:
        error = abs(error - beta * error / (alpha + error))
        errors.append(error)
        error += move if move > 0 else np.clip(overshot - error, move, -move)
    return np.array(errors)


def memory(rng: np.random.Generator, part: float) -> tuple[float, float, float, np.ndarray]:
    """`part` of the largest beta that h2 allows, and moves of length 2 L eta."""
    alpha, R = 10 ** rng.uniform(-4, 2, 2)
    beta = part * (alpha + R)
    return alpha, beta, R, beta * R / (alpha + R) * rng.choice([-1.0, 1.0], 60)


def test_after_an_update_no_memory_error_exceeds_R_under_the_printed_condition_on_beta() -> None:
    """Lemma 1 is false there: before the update the error may exceed R, and no step needs that one."""
    rng, before = np.random.default_rng(8), 0.0
    for _ in range(2000):
        alpha, beta, R, moves = memory(rng, 1 - 10 ** rng.uniform(-8, 0))
        errors = worst_errors(alpha, beta, moves, R * rng.uniform(0, 1))
        assert errors.max() <= R * (1 + 1e-12)
        before = max(before, float((errors[:-1] + moves[:-1]).max() / R))
    assert before > 1.5


@pytest.mark.parametrize(("part", "factor"), [(4.5, 1), (0.9, 3)])
def test_for_a_larger_beta_or_longer_moves_errors_grow(part: float, factor: float) -> None:
    rng, grown = np.random.default_rng(9), 0
    for _ in range(300):
        alpha, beta, R, moves = memory(rng, part)
        grown += bool(worst_errors(alpha, beta, factor * moves, R).max() > R * (1 + 1e-9))
    assert grown > 30


def test_the_second_conclusion_of_lemma_1_holds_under_its_printed_condition() -> None:
    rng = np.random.default_rng(10)
    for alpha, C, part in 10 ** rng.uniform([-4, -4, -8], [2, 2, 0], (2000, 3)):
        beta = (1 - part) * (alpha + C)
        t = np.append(np.linspace(0, C, 1001), np.clip((alpha * beta) ** 0.5 - alpha, 0, C))
        assert errors_after_a_step(t, alpha, beta).max() <= C * (1 + 1e-12)


def quadratics(rng: np.random.Generator, clients: int, data: int) -> tuple[np.ndarray, np.ndarray]:
    """Curvatures at most 1 and centers of f_ij = a_ij (x - c_ij)^2/2 on the line: f_ij^inf = 0."""
    return rng.uniform(0, 1, (clients, data)), rng.normal(0, 3, (clients, data))


def passes(a: np.ndarray, c: np.ndarray, x: float, gamma: float) -> np.ndarray:
    """The iterates of every client, (M, N + 1)."""
    points = [np.full(len(a), x)]
    for j in range(a.shape[1]):
        points.append(points[-1] - gamma / a.shape[1] * a[:, j] * (points[-1] - c[:, j]))
    return np.stack(points, axis=1)


@pytest.mark.parametrize("data", [1, 2, 7, 40])
def test_drift_of_a_short_pass(data: int) -> None:
    """f - f^inf + Delta-bar is f less the mean of the f_ij^inf, so that the sharper root needs no infimum."""
    rng, closest = np.random.default_rng(data), 0.0
    for _ in range(300):
        a, c = quadratics(rng, 3, data)
        a[:, data // 3 + 1 :] *= rng.choice([0.0, 1.0])
        x, gamma = rng.normal(0, 3), 0.5 * rng.choice([1.0, rng.uniform()])
        above = (a * (x - c) ** 2 / 2).mean()
        points = passes(a, c, x, gamma)
        drift = np.abs(points[:, :-1] - x).mean()
        assert drift <= (8 / 3) ** 0.5 * gamma * above**0.5 + 1e-12
        f = [((a * (z - c) ** 2) / 2).mean() for z in ((a * c).sum() / a.sum(), x)]
        amended = 2 * gamma * (f[1] - f[0]) ** 0.5 + 2 * gamma * f[0] ** 0.5
        assert drift <= amended + 1e-12
        for Delta in (1e-3, 0.5, 20.0):
            printed = 2 * 2**0.5 * gamma * (f[1] - f[0]) / Delta**0.5 + 2**0.5 * gamma * Delta**0.5
            assert amended <= printed + 2 * gamma * f[0] ** 0.5 + 1e-12
        closest = max(closest, drift / (gamma * above**0.5))
    assert data == 1 or closest > 0.4  # the instances are not all far below the bound


def test_local_updates_are_lipschitz_whatever_the_operator() -> None:
    """||P(x) - P(y)|| <= L/(1 - gamma L) ||x - y||, with 1-smooth and non-convex data."""
    rng = np.random.default_rng(1)
    for _ in range(300):
        steps, gamma = rng.integers(1, 9), rng.uniform(0.01, 0.5)
        phase, sign = rng.uniform(0, 6, steps), rng.choice([-1, 1], steps)
        x, y = rng.normal(0, 2, 2)
        ends = []
        for start in (x, y):
            z = start
            for j in range(steps):
                z = z - gamma / steps * sign[j] * np.sin(z + phase[j])
            ends.append((start - z) / gamma)
        assert abs(ends[0] - ends[1]) <= abs(x - y) / (1 - gamma) + 1e-12


def test_the_recursion_unrolls_to_the_bound() -> None:
    """W^k as large as phi^(k+1) >= 0 allows, for ever the same, without Lemma 5."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        rounds, eta, start, error = rng.integers(1, 60), *10 ** rng.uniform(-2, 1, 3)
        growth = 1 + 1 / rounds
        # phi^K = growth^K start + (error - W) eta (growth^K - 1)/(growth - 1) >= 0
        total = growth**rounds
        worst = error + total * start / (eta * rounds * (total - 1))
        assert worst <= 3 * start / (rounds * eta) + error
    assert (1 + 1 / 10**9) ** (10**9) < 3


def test_splits_of_the_roots() -> None:
    rng = np.random.default_rng(3)
    phi, Delta, L, length = 10 ** rng.uniform(-4, 4, (4, 10000))
    slack = 1 + 1e-12
    split = phi / length + L * length / 2 + np.sqrt(2 * L * Delta)
    assert np.all(np.sqrt(2 * L * (phi + Delta)) <= split * slack)
    assert np.all(np.sqrt(L * phi) <= (phi / length + L * length / 4) * slack)


def test_the_amended_theorems_contain_the_printed_ones_with_the_root() -> None:
    """Under eta gamma (K+1) <= sqrt(Delta)/(4 L sqrt(2L)), growth and drift against the printed drift."""
    rng = np.random.default_rng(4)
    L, Delta, gamma, part = 10 ** rng.uniform(-3, 3, (4, 1000))
    steps = np.minimum(part, 1) * np.sqrt(Delta) / (4 * L * np.sqrt(2 * L)) / gamma
    growth, drift = 8 * L**3 * gamma**2 * steps, 4 * L * np.sqrt(2 * L) * gamma * np.sqrt(Delta)
    printed = 8 * L * np.sqrt(2 * L) * gamma * np.sqrt(Delta)
    assert np.all(growth + drift <= 5 / 8 * printed * (1 + 1e-12))
    assert np.all(growth / 2 <= printed / 16 * (1 + 1e-12))


def over_its_free_bound(variant: str, parts: tuple[str, ...], **point: float | np.ndarray) -> np.ndarray:
    """Of the terms named, over sqrt(2 L (f(x^0) - f^inf))."""
    found = bounds.get("fed_norm_ec.theorem_2", variant=variant).evaluate(**point)
    free = np.sqrt(2 * np.asarray(point["L"]) * point["f0_gap"])
    return np.asarray(sum(np.asarray(found.terms[name]) for name in parts) / free)


@pytest.mark.parametrize("L", [0.25, 1.0, 8.0])
def test_with_the_prescribed_gamma_a_pass_says_nothing(L: float) -> None:
    """3 g/h + L h >= 2 sqrt(3 L g) for a gap g and h = eta (K + 1); with the root 6/s + 4 s >= 4 sqrt(6)."""
    gap, length = 3.0, np.geomspace(1e-3, 1e3, 4001)
    point = {"K": 9, "M": 10, "L": L, "f0_gap": gap, "R": 1.0, "alpha": 1.0, "beta": 1.0, "p": 1.0}
    point |= {"sigma_DP": 0.0, "Delta_i_inf_mean": 1.0}
    pass_ = ("initialization", "growth")
    amended = over_its_free_bound("amended", pass_, **point, eta=length / 10, gamma=1 / (2 * L))
    assert amended.min() == pytest.approx(6**0.5, rel=1e-5)
    # The longest way that the root allows is sqrt(Delta_inf/(8 L)).
    root = {"eta": length / 10, "Delta_inf": 8 * L * length**2}
    printed = over_its_free_bound("printed", ("initialization", "drift"), **point, **root)
    assert printed.min() == pytest.approx(4 * 6**0.5, rel=1e-5)
    # A quarter of that gamma leaves a bound that says something: the growth falls with its square.
    some = over_its_free_bound("amended", pass_, **point, eta=(48 * gap / L) ** 0.5 / 10, gamma=1 / (8 * L))
    assert some == pytest.approx(6**0.5 / 4, rel=1e-9)


@pytest.mark.parametrize("identity", ["fed_norm_ec.theorem_1.main", "fed_norm_ec.theorem_2"])
def test_a_run_by_hand_stays_below_the_bound_on_clients_that_share_their_minimum(identity: str) -> None:
    """f_ij = a_ij x^2/2, all take part, no noise: Delta_inf = 0, where the printed forms allow no step."""
    rng, rounds, eta, alpha, R = np.random.default_rng(6), 400, 0.01, 0.2, 0.5
    a, beta, gamma, x = rng.uniform(0.2, 1, (4, 5)), 0.2, 0.1, 4.0
    incremental = identity.endswith("theorem_2")
    a = a if incremental else np.repeat(a.mean(axis=1, keepdims=True), 5, axis=1)
    assert eta <= beta * R / (4 * (alpha + R))
    v = (x - passes(a, 0 * a, x, gamma)[:, -1]) / gamma + R * np.array([1, -1, 1, -1])
    start, smallest = a.mean() * x**2 / 2, np.inf
    for _ in range(rounds):
        smallest = min(smallest, a.mean() * abs(x))
        error = (x - passes(a, 0 * a, x, gamma)[:, -1]) / gamma - v
        assert np.max(np.abs(error)) <= R * (1 + 1e-12)
        v = v + beta * error / (alpha + np.abs(error))
        x = x - eta * np.sign(v.mean())
    bound = 3 * start / (rounds * eta) + 2 * R + eta / 2 + (4 if incremental else 8) * gamma**2 * eta * rounds
    assert smallest <= bound
    given = {"K": rounds - 1, "M": 4, "L": 1, "p": 1, "sigma_DP": 0, "f0_gap": start} | {
        "eta": eta, "R": R, "alpha": alpha, "beta": beta, "gamma": gamma,
    }  # fmt: skip
    # Delta_i^inf > 0 is asked: as little as there is.
    own = {"Delta_i_inf_mean": 1e-300} if incremental else {"T": 5, "Delta_inf": 0}
    found = bounds.get(identity, "amended").evaluate(**given, **own)
    assert found.applicable
    assert found.value == pytest.approx(bound, rel=1e-12)
    taken = {n: value for n, value in given.items() if n != "gamma"}
    assert bounds.get(identity).evaluate(**taken, **own | {"Delta_inf": 0}).applicable is False


@pytest.mark.thinned(2)
@pytest.mark.parametrize("n", ["theorem_1.main", "theorem_2", "corollary_4", "claims.full"])
def test_standard_cells_hold_or_are_refused(n: str) -> None:
    from verify.matching.joined import get_runs
    from verify.runs.check import run_cell

    statement = bounds.get(f"fed_norm_ec.{n}", "amended")
    cells = get_runs(statement).cells(statement)
    verdicts = {c.role: run_cell(c, level=1e-6, seed=1, replicates=64).verdict for c in cells}
    assert set(verdicts.values()) <= {Verdict.HOLDS, Verdict.INCONCLUSIVE, Verdict.REFUSED}
    assert verdicts["homogeneous"] is not Verdict.REFUSED


def test_infima_are_shared_in_the_mean_exactly_where_a_minimizing_sequence_is() -> None:
    """Pairs of clients: one minimizer and two values, one value and two minimizers, no minimizer."""
    x = np.linspace(-60, 60, 240001)
    pairs = {
        "one minimizer": (x**2, 3 * x**2 + 7),
        "one value": ((x - 1) ** 2, (x + 1) ** 2),
        "one sequence": (np.exp(-x), 2 * np.exp(-x / 2)),
    }
    gaps = {name: (f + g).min() - f.min() - g.min() for name, (f, g) in pairs.items()}
    assert gaps["one minimizer"] == pytest.approx(0, abs=1e-9)
    assert gaps["one value"] == pytest.approx(2, abs=1e-6)
    assert gaps["one sequence"] == pytest.approx(0, abs=1e-9)
