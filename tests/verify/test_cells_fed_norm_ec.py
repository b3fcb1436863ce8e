"""Cells of Fed-alpha-NormEC: what runs is what the statements prescribe, and certificates hold."""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from cells_of import some_first

import bounds
from bounds.language.finding import Verdict
from synthetic.participation import Full, Independent
from synthetic.run import run
from verify.cell import Cell
from verify.matching import STANDARD_ROLES
from verify.matching.measurements import observed
from verify.matching.measurements.measurement import Sampled
from verify.papers.fed_norm_ec import runs as joined
from verify.runs.check import run_cell

PAPER = "fed_norm_ec"
STATEMENTS = [identity.partition(".")[2] for identity in joined.STATEMENTS]
APART = "heterogeneous"
EDGE = "edge of its conditions"


@cache
def cells(name: str) -> dict[str, Cell]:
    return {cell.role: cell for cell in joined.cells(bounds.get(f"{PAPER}.{name}"))}


def judged(cell: Cell, replicates: int = 128) -> Any:
    return run_cell(cell, level=1e-4, seed=5, replicates=replicates)


def expected(name: str, role: str) -> Verdict:
    """Clients that share their infimum leave no step, except where none of it depends on Delta^inf."""
    if role == "homogeneous" and name not in ("corollary_4", "lemma_3"):
        return Verdict.VACUOUS
    prescribed = name == "claims.full" and role in ("partial participation", "strong noise", "local steps")
    return Verdict.REFUSED if prescribed else Verdict.HOLDS


FIRST = ("theorem_1.main", "theorem_2", "claims.full", "lemma_3")


@pytest.mark.parametrize("name", some_first(STATEMENTS, FIRST))
def test_every_cell_has_the_verdict_that_was_derived_for_it(name: str) -> None:
    assert set(cells(name)) >= set(STANDARD_ROLES)
    for role, cell in cells(name).items():
        result = judged(cell)
        assert (role, result.verdict, result.certified) == (role, expected(name, role), True), result.sentence


@pytest.mark.parametrize(
    ("name", "role", "reason"),
    [
        ("theorem_1.main", "homogeneous", "A.thm1.h4.heterogeneity"),
        ("theorem_2", "homogeneous", "A.thm2.h5.heterogeneity"),
        ("corollary_1.explicit", "homogeneous", "A.cor1.h5"),
        ("corollary_2", "homogeneous", "domain of eta"),
        ("corollary_3.explicit", "homogeneous", "A.cor3.h4"),
        ("claims.full", "partial participation", "p = 0.5"),
        ("claims.full", "strong noise", "sigma_DP = 1"),
        ("claims.full", "local steps", "T = 5"),
    ],
)
def test_an_excluded_cell_names_what_excludes_it(name: str, role: str, reason: str) -> None:
    assert reason in judged(cells(name)[role]).sentence


# --- At the edge: the free parameter is where its conditions end, by the printed formulas.


def close_below(value: float, limit: float) -> bool:
    return limit * (1 - 1e-8) <= value <= limit


@pytest.mark.parametrize(
    ("name", "memory"),
    [("theorem_1.main", 4), ("theorem_1.appendix", 4), ("claims.full", 4), ("theorem_2", 6)],
)
def test_the_longest_step_of_the_theorems(name: str, memory: int) -> None:
    v = cells(name)[EDGE].parameters
    alone = v["Delta_inf"] / (2 * math.sqrt(2 * v["L"])) / (v["K"] + 1)
    assert close_below(v["eta"], min(alone, v["beta"] * v["R"] / (memory * v["L"] * (v["alpha"] + v["R"]))))


@pytest.mark.parametrize("name", ["corollary_2", "corollary_4", "corollary_5"])
def test_the_largest_memory_step_of_the_rates(name: str) -> None:
    v, short = cells(name)[EDGE].parameters, 1 / 6 if name == "corollary_4" else 1 / 8
    middle = 2 / 3 if name == "corollary_4" else 5 / 8
    largest = (v["alpha"] + v["D_1"] / (v["K"] + 1) ** short) * (v["K"] + 1) ** middle
    assert close_below(v["D_2"], largest)


def noise_part(v: Any) -> float:
    return 2 * v["c"] ** 2 * v["B_hat"] / v["M"] * math.log(1 / v["delta"]) / v["epsilon"] ** 2


def numerator(v: Any) -> float:
    """beta_hat, with gamma = 1/(2L)."""
    return math.sqrt(3 * v["f0_gap"] * 2 * v["L"]) * (v["M"] / noise_part(v)) ** 0.25


def test_the_largest_epsilon_of_the_utilities() -> None:
    v = cells("corollary_1.explicit")[EDGE].parameters
    # gamma = 1/(2L) against Delta (alpha + R)/(sqrt(2L) beta_hat R), alpha = R
    assert close_below(1 / (2 * v["L"]), 2 * v["Delta_inf"] / (math.sqrt(2 * v["L"]) * numerator(v)))
    v = cells("corollary_3.explicit")[EDGE].parameters
    limit = 2 * v["Delta_inf"] ** 2 / (3 * v["L"] * v["f0_gap"] * math.sqrt(v["M"] / noise_part(v)))
    assert close_below(1 / (2 * v["L"]), limit)


# --- What is run.


def settings_of(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> Any:
    seen = []

    def watched(name: str, problem: Any, settings: Any, **others: Any) -> Any:
        seen.append(settings)
        return run(name, problem, settings, **others)

    monkeypatch.setattr(observed, "run", watched)
    joined.RUNS.measure(bounds.get(cell.statement), cell, 2, 0, "settings")
    return seen[0]


def test_the_utility_of_several_steps_runs_what_it_prescribes(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = cells("corollary_3.explicit")["partial participation"]
    v, s = cell.parameters, settings_of(cell, monkeypatch)
    p = v["B_hat"] / v["M"]
    assert s.participation == Independent(probability=p)
    assert p == 0.4
    assert s.noise_scale == pytest.approx(
        v["c"] * p * math.sqrt((v["K"] + 1) * math.log(1 / v["delta"])) / v["epsilon"], rel=1e-12
    )
    assert s.memory_step == pytest.approx(numerator(v) / (v["K"] + 1), rel=1e-12)
    assert (s.smoothing, s.local_steps, s.last_round) == (v["R"], 5, 8)
    assert s.local_step == pytest.approx(1 / (2 * v["L"]), rel=1e-15)
    step = 1 / (2 * v["L"]) / 2 * numerator(v) / 2 / (v["K"] + 1)
    assert s.server_step == pytest.approx(step, rel=1e-12)
    assert (s.private, s.noise_variance, s.normalise_server) == (True, "total", True)


def test_the_rate_of_several_steps_runs_what_it_prescribes(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = cells("corollary_2")["strong noise"]
    v, s = cell.parameters, settings_of(cell, monkeypatch)
    rounds, product = v["K"] + 1, v["D_1"] * v["D_2"]
    longest = min(
        v["Delta_inf"] / (2 * math.sqrt(2 * v["L"])), product / (4 * v["L"] * (v["alpha"] + v["D_1"]))
    )
    assert s.local_step == pytest.approx(1 / (2 * v["L"] * rounds**0.125), rel=1e-12)
    assert s.memory_step == pytest.approx(v["D_2"] / rounds**0.625, rel=1e-12)
    assert s.server_step == pytest.approx(longest / rounds**0.875, rel=1e-12)
    assert (s.participation, s.noise_scale) == (Full(), 1.0)


def initial_error(name: str) -> float:
    v = cells(name)[APART].parameters
    if name in ("corollary_2", "corollary_5"):
        return float(v["D_1"] / (v["K"] + 1) ** 0.125)
    if name == "corollary_4":
        return float(v["D_1"] / (v["K"] + 1) ** (1 / 6))
    return 0.5


@pytest.mark.parametrize("name", STATEMENTS)
def test_memories_start_at_the_stated_distance(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = cells(name)[APART]
    problem, s = cell.build_problem(), settings_of(cell, monkeypatch)
    incremental = name in ("theorem_2", "corollary_5")
    assert s.local_operator == ("incremental" if incremental else "gradient_descent")
    errors = []
    for client in range(problem.clients):
        x = np.array(cell.engine["start"])
        for j in range(s.local_steps):
            if incremental:
                part = problem.client_parts(client)
                slope = part.hessians[j] @ (x - part.centers[j])
            else:
                slope = problem.client_gradient(client, x[None, :])[0]
            x = x - s.local_step / s.local_steps * slope
        update = (cell.engine["start"] - x) / s.local_step
        errors.append(np.linalg.norm(update - s.initial_memory[client]))
    assert max(errors) == pytest.approx(initial_error(name), rel=1e-9)
    assert max(errors) <= initial_error(name) * (1 + 1e-14)


def test_constants_of_component_sums_are_those_of_the_components() -> None:
    v, arguments = cells("theorem_2")[APART].parameters, cells("theorem_2")[APART].problem_arguments
    hessians, centers = np.array(arguments["hessians"]), np.array(arguments["centers"])
    offsets = np.array(arguments["offsets"])
    assert v["L"] == pytest.approx(np.linalg.eigvalsh(hessians).max(), rel=1e-9)
    pull = np.einsum("cjab,cjb->a", hessians, centers)
    best = np.linalg.solve(hessians.sum(axis=(0, 1)), pull)
    away = best - centers
    lowest = (np.einsum("cja,cjab,cjb->cj", away, hessians, away) / 2 + offsets).mean()
    assert v["Delta_i_inf_mean"] == pytest.approx(lowest - offsets.mean(), rel=1e-9)
    identical = np.array(cells("theorem_2")["homogeneous"].problem_arguments["hessians"])
    assert (identical == identical[0]).all()
    assert not (hessians == hessians[0]).all()


# --- Certificates.


@pytest.mark.parametrize("name", [n for n in STATEMENTS if n != "lemma_3"])
def test_no_replicate_exceeds_its_certified_range(name: str) -> None:
    for role in (APART, EDGE) if name == "claims.full" else (APART, EDGE, "strong noise"):
        cell = cells(name)[role]
        sample = joined.RUNS.measure(bounds.get(cell.statement), cell, 50, 1, "range")
        assert sample.ceiling is not None
        assert (sample.observables["min_gradient_norm"] <= sample.ceiling[:, None]).all()


def test_a_run_that_is_sent_away_reaches_its_certified_range() -> None:
    """f(x) = 2 x^2 from -1: the memory -4 + R = 6 has the wrong sign, and each step of 1/2 adds L eta = 2."""
    cell = cells("theorem_1.main")[APART]
    parameters = dict(cell.parameters) | {"M": 1, "L": 4.0, "K": 3, "R": 10.0, "beta": 1e-3, "eta": 0.5}
    away = replace(
        cell,
        problem="quadratic.diagonal",
        problem_arguments={"curvatures": [[4.0]], "centers": [[0.0]]},
        parameters=parameters,
        engine=dict(cell.engine) | {"start": [-1.0]},
    )
    sample = joined.RUNS.measure(bounds.get(cell.statement), away, 2, 1, "away")
    by_hand = [4.0, 6.0, 8.0, 10.0]
    for replicate in sample.observables["min_gradient_norm"].T:
        np.testing.assert_allclose(replicate, by_hand, rtol=1e-12)
    assert sample.ceiling is not None
    np.testing.assert_allclose(sample.ceiling, by_hand, rtol=2e-9)
    assert (sample.ceiling >= by_hand).all()


def test_the_second_moment_of_the_memory_gap_is_exact_under_full_participation() -> None:
    """Then only the noise separates the memories, and its squares add up."""
    cell, size = cells("lemma_3")["heterogeneous"], 20_000
    sample = joined.RUNS.measure(bounds.get(cell.statement), cell, size, 1, "moment")
    squares = sample.observables["memory_gap"] ** 2
    error = 5 * squares.std() / math.sqrt(size)
    v = cell.parameters
    assert sample.second_moment == pytest.approx(
        v["beta"] ** 2 * (v["K"] + 1) * v["sigma_DP"] ** 2 / v["M"], rel=1e-8
    )
    assert abs(squares.mean() - sample.second_moment) <= error


def test_the_second_moment_of_the_memory_gap_is_an_upper_bound_under_sampling() -> None:
    cell, size = cells("lemma_3")["local steps"], 5_000
    sample = joined.RUNS.measure(bounds.get(cell.statement), cell, size, 1, "moment")
    assert isinstance(sample, Sampled)
    assert sample.second_moment is not None
    squares = sample.observables["memory_gap"] ** 2
    assert squares.mean() <= sample.second_moment + 5 * squares.std() / math.sqrt(size)
    assert squares.mean() >= sample.second_moment / 10


# --- Planted defects.


@pytest.mark.parametrize(
    ("name", "parameter", "factor"),
    [
        ("theorem_1.main", "L", 0.99),
        ("theorem_1.main", "Delta_inf", 1.01),
        ("theorem_1.main", "Delta_inf", 0.99),
        ("theorem_1.main", "M", 2),
        ("theorem_2", "L", 0.999),
        ("theorem_2", "Delta_i_inf_mean", 0.99),
        ("corollary_4", "f0_gap", 0.99),
        ("corollary_2", "Delta_inf", 1.01),
        ("lemma_3", "M", 2),
    ],
)
def test_a_parameter_on_the_wrong_side_is_refused(name: str, parameter: str, factor: float) -> None:
    cell = cells(name)[APART]
    values = dict(cell.parameters) | {parameter: cell.parameters[parameter] * factor}
    result = judged(replace(cell, parameters=values))
    assert result.verdict is Verdict.REFUSED
    assert f"{parameter} = " in result.sentence
