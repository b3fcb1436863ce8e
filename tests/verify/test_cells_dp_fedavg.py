"""Cells of clipped and of normalised private averaging: which there are, and what is judged of them."""

from dataclasses import replace
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from cells_of import cell_of, cells_of

import bounds
from bounds.language.finding import Verdict
from verify.matching import STANDARD_ROLES
from verify.matching.joined import all_runs
from verify.matching.linear_bound import linear_bound
from verify.papers.dp_fedavg import runs_clipping, runs_normalization
from verify.runs.check import decides, run_cell
from verify.runs.judge import judge

LEVEL = 1e-6
SEED = 11
CLIPPED, NORMALISED = runs_clipping.STATEMENTS, runs_normalization.STATEMENTS
# Theorem 3 is a rate as printed; its amended form is a bound.
EVERY = tuple(i for i in (*CLIPPED, *NORMALISED) if i != runs_clipping.SIMPLIFIED)
OVERSHOOT = "overshoot, partial participation"


@pytest.mark.parametrize("identity", EVERY)
def test_every_statement_has_every_role(identity: str) -> None:
    roles = [cell.role for cell in cells_of(identity)]
    assert set(STANDARD_ROLES) <= set(roles)
    assert len(set(roles)) == len(roles)


def test_the_runs_of_a_paper_are_found_and_what_they_share_is_none() -> None:
    """`runs_shared` has no RUNS of its own."""
    found = {id(runs) for runs in all_runs() if runs.statements[0].startswith("dp_fedavg.")}
    assert found == {id(runs_clipping.RUNS), id(runs_normalization.RUNS)}


def test_equation_15_in_closed_form() -> None:
    """f_1 = (w - 100)^2/2, f_2 = (w + 1000)^2/20: without noise the run stands still at its start."""
    cell = cell_of("dp_fedavg.equation_15", "clients with far minima")
    contraction = [(1 - 0.0005 * curvature) ** 500 for curvature in (1.0, 0.1)]
    weights = [1 - c for c in contraction]
    balance = (weights[0] * 100 - weights[1] * 1000) / sum(weights)
    assert cell.engine["start"] == pytest.approx([balance], abs=0.01)
    # mean f = 0.275 w^2 + its minimum at 0; the largest Delta is 0.05 * 1000^2; rho E/alpha = 1/2
    left = (2 - 0.5 - 0.25) * 0.275 * balance**2
    threshold, rho, rounds = 4 * sqrt(50_000.0), 0.001, 40
    gamma = rounds * threshold * 500 * rho**2 / 2
    right = threshold * (balance**2 / gamma + gamma) * rho + 0.75
    assert left > 1.9 * right
    result = run_cell(cell, level=LEVEL, seed=SEED, replicates=512)
    assert result.verdict is Verdict.VIOLATED
    # noise adds 0.55/2 E(w - balance)^2 at the most a few units; term B is random and measured
    assert result.bound == pytest.approx(right - 0.75, rel=1e-2)
    assert result.measured is not None
    assert left - 0.75 < result.measured.estimate < left + 5


@pytest.mark.thinned(2)
@pytest.mark.parametrize("identity", NORMALISED)
def test_independent_sampling_refutes_normalisation_and_fixed_size_does_not(identity: str) -> None:
    violated = run_cell(cell_of(identity, OVERSHOOT), level=LEVEL, seed=SEED, replicates=512)
    assert violated.verdict is Verdict.VIOLATED
    assert decides(violated)
    one = run_cell(cell_of(identity, "exactly one client"), level=1e-4, seed=SEED, replicates=2048)
    assert one.verdict is Verdict.HOLDS
    assert one.certified
    other = run_cell(cell_of(identity, "overshoot, one client"), level=LEVEL, seed=SEED, replicates=512)
    assert other.verdict is not Verdict.VIOLATED
    assert not decides(other)


@pytest.mark.sampled
@pytest.mark.parametrize("identity", [i for i in EVERY if i != "dp_fedavg.equation_11"])
@pytest.mark.parametrize("role", ["homogeneous", "strong noise"])
def test_certified_holds(identity: str, role: str) -> None:
    result = run_cell(cell_of(identity, role), level=1e-4, seed=SEED, replicates=2048)
    assert result.verdict is Verdict.HOLDS, result.sentence
    assert result.certified, result.method


def test_a_planted_defect_is_caught() -> None:
    """Theorem 2 with a hundredth of its right-hand side."""
    statement, cell = bounds.get("dp_fedavg.theorem_2"), cell_of("dp_fedavg.theorem_2", "heterogeneous")
    small = tuple(replace(t, expression=t.expression / 100) for t in statement.terms)
    planted = replace(statement, terms=small)

    def run(purpose: str, count: int) -> Any:
        return runs_clipping.RUNS.measure(planted, cell, count, SEED, purpose)

    assert judge(linear_bound(planted, cell), run, 512, LEVEL).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("role", STANDARD_ROLES)
def test_equation_11_is_refused_by_its_assumption(role: str) -> None:
    result = run_cell(cell_of("dp_fedavg.equation_11", role), level=LEVEL, seed=SEED, replicates=2)
    assert result.verdict is Verdict.REFUSED
    assert "B.asm1" in result.sentence


def test_gradients_grow_backwards_under_curvature_along_them() -> None:
    """The proof that Assumption 1 leaves only constant clients, on quadratics: w' = (I - eta A)^(-1) w."""
    random = np.random.default_rng(1)
    for _ in range(50):
        basis, _ = np.linalg.qr(random.standard_normal((4, 4)))
        curvatures = random.uniform(0.1, 1.0, size=4)
        hessian, step = (basis * curvatures) @ basis.T, random.uniform(0.1, 0.9)
        w = random.standard_normal(4)
        before = np.linalg.solve(np.eye(4) - step * hessian, w)
        forward, backward = (float(np.linalg.norm(hessian @ x)) for x in (w, before))
        assert forward**2 <= (1 - (step * curvatures.min()) ** 2) * backward**2 * (1 + 1e-12)


@pytest.mark.parametrize("identity", NORMALISED)
def test_no_moments_on_the_line(identity: str) -> None:
    cell = cell_of(identity, "heterogeneous on the line")
    result = run_cell(cell, level=LEVEL, seed=SEED, replicates=2)
    assert result.verdict is Verdict.REFUSED
    assert "1/||u||" in result.sentence


@pytest.mark.parametrize("identity", NORMALISED)
def test_heterogeneous_normalisation_can_hold_and_cannot_be_refuted(identity: str) -> None:
    cell = cell_of(identity, "heterogeneous")
    bound = linear_bound(bounds.get(identity), cell)
    assert "unclipped_scaled_delta" in bound.right
    assert bound.floor() == -np.inf
    result = run_cell(cell, level=1e-4, seed=SEED, replicates=2048)
    assert result.verdict is Verdict.HOLDS
    assert result.certified
    assert result.measured is not None
    assert result.measured.lower is None
    assert "nothing could refute" in result.method


def test_a_heterogeneous_cell_may_not_state_its_own_right_hand_side() -> None:
    cell = cell_of("dp_fedavg.theorem_4", "heterogeneous")
    cell = replace(cell, parameters={**cell.parameters, "unclipped_scaled_delta": 1e9})
    result = run_cell(cell, level=LEVEL, seed=SEED, replicates=2)
    assert result.verdict is Verdict.REFUSED
    assert "unclipped_scaled_delta" in result.sentence


@pytest.mark.parametrize("name", ["L", "D0", "Delta_star_max", "Delta_star_mean"])
def test_understated_constants_are_refused(name: str) -> None:
    cell = cell_of("dp_fedavg.theorem_2", "heterogeneous")
    low = {**cell.parameters, name: float(cell.parameters[name]) * 0.99}
    result = run_cell(replace(cell, parameters=low), level=LEVEL, seed=SEED, replicates=2)
    assert result.verdict is Verdict.REFUSED
    assert name in result.sentence


def test_edges_sit_on_their_conditions() -> None:
    for cell in (cell_of(identity, "edge of its conditions") for identity in EVERY):
        p = {name: float(value) for name, value in cell.parameters.items()}
        smallest = 4 * sqrt(p["L"] * p["Delta_star_max"])
        if "lam" not in p:
            assert p.get("C_hat", p.get("G", 0.0)) == pytest.approx(smallest, rel=1e-9)
        if "gamma" in p:
            margin = 1 - 2 * p["gamma"] / (p["C_hat"] * p["E"] * p["rho"]) / p["K"]
            assert 0 < margin < 1e-5
            assert log(margin) < -10
        elif "alpha" in p:
            assert p["E"] == p["alpha"] / (2 * p["rho"])


@pytest.mark.parametrize("role", STANDARD_ROLES)
def test_theorem_3_amended_measures_its_own_minimum_and_holds(role: str) -> None:
    """min(f_i(w) - f_i(w*), (3/16) sqrt(7/32) (C_hat/L) ||grad f_i(w)||), at the start alone where K = 1."""
    statement = bounds.get(runs_clipping.SIMPLIFIED, "amended")
    (cell,) = [c for c in runs_clipping.cells(statement) if c.role == role]
    problem, start, p = cell.build_problem(), np.array(cell.engine["start"]), dict(cell.parameters)
    least = 0.0
    for i in range(problem.clients):
        value, best = (float(problem.client_value(i, x[None])[0]) for x in (start, problem.minimiser()))
        slope = float(np.sqrt((problem.client_gradient(i, start[None])[0] ** 2).sum()))
        scale = 3 / 16 * sqrt(7 / 32) * float(p["C_hat"]) / float(p["L"])
        least += min(value - best, scale * slope) / problem.clients
    once = replace(cell, parameters=p | {"K": 1})
    (measured,) = runs_clipping.RUNS.measure(statement, once, 3, SEED, "one round").observables.values()
    np.testing.assert_allclose(measured, least, rtol=1e-10)
    assert run_cell(cell, level=LEVEL, seed=SEED, replicates=1024).verdict is Verdict.HOLDS
    given = {name: float(value) for name, value in p.items()}
    assert not all(c.holds for c in statement.check(**given | {"c_gamma": given["c_gamma"] * 0.99}))
