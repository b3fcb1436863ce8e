"""What docs/amended/fed_norm_ec.md derives, on instances and in recursions made by hand.

The bounds are typed from the derivation; golden_amended_a.py says that the statements have the same ones.
"""

import numpy as np
import pytest
from example_count import count_examples
from hypothesis import given, settings
from hypothesis import strategies as st
from sections_of_docs import section

import bounds
from bounds.discovery import forms
from bounds.evaluation.resolve import names_taken
from bounds.language.finding import Verdict
from bounds.language.statement import SUFFICIENT
from verify.parameters.valid import valid_parameters
from verify.records.refuted import refuted

AMENDED = {n: s for n, s in forms("fed_norm_ec").items() if s.amendment is not None}
FALSE = {identity for identity in refuted() if identity.startswith("fed_norm_ec.")}


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
@settings(max_examples=count_examples(25))
@given(data=st.data())
def test_what_adds_no_condition_applies_where_the_printed_form_does(name: str, data: st.DataObject) -> None:
    amended, printed = AMENDED[name], bounds.get(AMENDED[name].id)
    point = data.draw(valid_parameters(printed))
    prescribed = {n: v for n, v in printed.evaluate(**point).derived.items() if n == "gamma"}
    one_dimension = {"d": 1}  # where the noise of the printed form has no d
    taken = {n: v for n, v in {**one_dimension, **prescribed, **point}.items() if n in names_taken(amended)}
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


def test_the_condition_of_lemma_1_is_exact_at_the_largest_step() -> None:
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


def test_lemma_1_holds_for_the_papers_own_memories_and_beyond_its_printed_limit() -> None:
    """alpha = 0.01 and beta = 0.1 of the experiments, and a beta above alpha + C."""
    for alpha, beta, C in ((0.01, 0.1, 0.15), (1.0, 2.25, 1.0)):
        t = np.linspace(0, C, 100001)
        after = float(np.max(errors_after_a_step(t, alpha, beta)))
        step = min(beta * C / (alpha + C), C - (beta**0.5 - alpha**0.5) ** 2)
        assert step > 0
        assert after + step <= C * (1 + 1e-12)
        given = {"C": C, "alpha": alpha, "beta": beta, "gamma": 1, "rho": 2, "eta": step / 3}
        point = given | {"memory_error": C, "server_move": step / 3, "operator_move": 2 * step / 3}
        assert bounds.get("fed_norm_ec.lemma_1", "amended").evaluate(**point).applicable
    assert not bounds.get("fed_norm_ec.lemma_1").evaluate(**point).applicable


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
    """`part` of the largest beta that h2 as amended allows, and moves of length 4 L eta/3."""
    alpha, R = 10 ** rng.uniform(-4, 2, 2)
    beta = part * (alpha**0.5 + R**0.5) ** 2
    return alpha, beta, R, beta * R / (alpha + R) * rng.choice([-1.0, 1.0], 60)


def test_after_an_update_no_memory_error_exceeds_R_under_the_amended_condition_on_beta() -> None:
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
        amended = gamma * above**0.5
        assert drift <= amended + 1e-12
        f = [((a * (z - c) ** 2) / 2).mean() for z in ((a * c).sum() / a.sum(), x)]
        for Delta in (1e-3, 0.5, 20.0):
            printed = 2 * 2**0.5 * gamma * (f[1] - f[0]) / Delta**0.5 + 2**0.5 * gamma * Delta**0.5
            assert amended <= printed + 2 * gamma * f[0] ** 0.5 + 1e-12
        closest = max(closest, drift / (gamma * above**0.5))
    assert data == 1 or closest > 0.4  # the instances are not all far below the bound


def test_local_updates_are_lipschitz_whatever_the_operator() -> None:
    """||P(x) - P(y)|| <= L (e^q - 1)/q ||x - y|| with q = gamma L, for 1-smooth and non-convex data."""
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
        assert abs(ends[0] - ends[1]) <= abs(x - y) * np.expm1(gamma) / gamma + 1e-12
    assert np.expm1(0.5) / 0.5 <= 4 / 3


@pytest.mark.parametrize("steps", [1, 2, 3, 10, 200])
def test_weights_of_a_short_pass(steps: int) -> None:
    """In units of q = gamma L <= 1/2: the drifts of Theorems 1 and 2 and of Lemma 8."""
    for q in np.linspace(0.01, 0.5, 50):
        grown = (1 + q / steps) ** np.arange(steps + 1) - 1
        of_equal_data = grown[:-1].sum() / steps
        assert of_equal_data == pytest.approx(grown[-1] / q - 1, rel=1e-8)
        assert 2 * of_equal_data <= 6 / 5 * (1 - 1 / steps) * q + 1e-15
        assert np.mean((grown[:-1] / q) ** 2) <= 1 / 2


def largest_least_gradient(
    start: float, heterogeneity: float, eta: float, drift: float, errors: np.ndarray
) -> float:
    """The largest length that every gradient can have: the mean gap must not fall below 0."""

    def stays(length: float) -> bool:
        gap = start
        for error in errors:
            gap += eta * (error + drift * (gap + heterogeneity) ** 0.5 - length)
            if gap < 0:
                return False
        return True

    low, high = 0.0, 1e6
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if stays(middle) else (low, middle)
    return low


def test_the_mean_gap_stays_below_that_of_the_start_while_gradients_are_long() -> None:
    rng, nearest = np.random.default_rng(2), 0.0
    for _ in range(100):
        rounds, (eta, start, drift) = int(rng.integers(1, 60)), 10 ** rng.uniform(-2, 1, 3)
        heterogeneity = 10 ** rng.uniform(-2, 2) * rng.choice([0, 1])
        errors = 10 ** rng.uniform(-2, 1) * np.sqrt(np.arange(1, rounds + 1))
        bound = start / (rounds * eta) + errors.mean() + drift * (start + heterogeneity) ** 0.5
        found = largest_least_gradient(start, heterogeneity, eta, drift, errors)
        assert found <= bound * (1 + 1e-9)
        nearest = max(nearest, found / bound)
    assert nearest > 0.9


def test_the_amended_theorems_contain_the_printed_ones_with_the_root() -> None:
    """Under eta gamma (K+1) <= sqrt(Delta)/(4 L sqrt(2L)): first term and drift against the printed ones."""
    rng = np.random.default_rng(4)
    L, Delta, gap, part = 10 ** rng.uniform(-3, 3, (4, 1000))
    gamma = rng.uniform(0.01, 1, 1000) / (2 * L)
    steps = np.minimum(part, 1) * np.sqrt(Delta) / (4 * L * np.sqrt(2 * L)) / gamma
    printed = 3 * gap / steps + 8 * L * np.sqrt(2 * L) * gamma * np.sqrt(Delta)
    one = gap / steps + 6 / 5 * gamma * L * np.sqrt(2 * L * (gap + Delta))
    two = gap / steps + 2 * gamma * L * np.sqrt(L * (gap + Delta))
    assert np.all(one <= printed * (1 + 1e-12))
    assert np.all(two <= printed * (1 + 1e-12))


@pytest.mark.parametrize(("steps", "heterogeneity"), [(2, 10.0), (5, 3.0), (10**6, 1.7)])
def test_with_the_prescribed_gamma_the_amended_form_says_something(steps: int, heterogeneity: float) -> None:
    """A long run with small memory errors, below sqrt(2 L (f(x^0) - f^inf)); with the root no run is."""
    L, gap = 2.0, 3.0
    point = {"K": 10**9, "T": steps, "M": 10, "L": L, "f0_gap": gap, "R": 1e-4, "alpha": 1e-4, "beta": 1e-4}
    point |= {"p": 1, "sigma_DP": 0, "eta": 1e-5, "Delta_inf": heterogeneity * gap}
    found = bounds.get("fed_norm_ec.theorem_1.main", "amended").evaluate(**point, gamma=1 / (2 * L))
    assert found.applicable
    assert found.value < (2 * L * gap) ** 0.5
    # 6/s + 4 s >= 4 sqrt(6) for the longest way s that the root allows, in units of the free bound.
    ways = np.geomspace(1e-3, 1e3, 4001)
    assert (6 / ways + 4 * ways).min() == pytest.approx(4 * 6**0.5, rel=1e-5)


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
    drift = 2 * gamma * start**0.5 if incremental else 6 / 5 * 4 / 5 * gamma * (2 * start) ** 0.5
    bound = start / (rounds * eta) + 2 * R + eta / 2 + drift
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
