"""Verdicts on whole cells: mutants of statements, false constants, and what is refused."""

from dataclasses import replace
from fractions import Fraction

import pytest

import bounds
from bounds.language.finding import Verdict
from bounds.language.statement import Statement, Term
from verify.cell import Cell
from verify.matching.joined import get_runs
from verify.matching.linear_bound import NotLinear, linear_bound
from verify.runs.check import run_cell, verify

LEVEL = 1e-4


def _mutant(statement: Statement, factor: Fraction, term: int = 0) -> Statement:
    terms = list(statement.terms)
    changed: Term = replace(terms[term], expression=terms[term].expression * factor)
    terms[term] = changed
    return replace(statement, terms=tuple(terms))


@pytest.mark.parametrize(
    ("identity", "role", "term"),
    [
        ("textbook.gradient_descent_convex", "tight", 0),
        ("textbook.stochastic_gradient_descent", "tight", 0),
        ("textbook.stochastic_gradient_descent", "tight", 1),
    ],
)
def test_a_mutant_of_each_control_is_caught(
    identity: str, role: str, term: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One part in 10^9 off the tight constant; the statement itself holds on the same cell."""
    statement = bounds.get(identity)
    runs = get_runs(statement)
    (cell,) = [c for c in runs.cells(statement) if c.role == role]
    assert run_cell(cell, level=LEVEL, seed=1, replicates=2).verdict is Verdict.HOLDS
    mutant = _mutant(statement, 1 - Fraction(1, 10**9), term)
    monkeypatch.setattr("bounds.discovery.get", lambda *_: mutant)
    assert run_cell(cell, level=LEVEL, seed=1, replicates=2).verdict is Verdict.VIOLATED


def test_a_mutant_of_a_sampled_theorem_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Theorem 2 of DP-FedAvg with its initialization term divided by 20."""
    statement = bounds.get("dp_fedavg.theorem_2")
    runs = get_runs(statement)
    cells: tuple[Cell, ...] = runs.cells(statement)
    cell = next(c for c in cells if c.role == "heterogeneous")
    assert run_cell(cell, level=LEVEL, seed=1, replicates=1000).verdict is Verdict.HOLDS
    mutant = _mutant(statement, Fraction(1, 20))
    monkeypatch.setattr("bounds.discovery.get", lambda *_: mutant)
    assert run_cell(cell, level=LEVEL, seed=1, replicates=1000).verdict is Verdict.VIOLATED


def test_theorem_1_of_als_dpfl_is_refuted_at_a_large_batch() -> None:
    """By hand: after one step the gap is eta sigma C times the length of a Gaussian, variance 1 + 1/(N B^2).

    In four dimensions E||N(0, I)|| = sqrt(2) Gamma(5/2)/Gamma(2) = 1.8800, and h(1) is about 0.48.
    """
    results = verify(["als_dpfl.theorem_1.distance"])
    (result,) = [r for r in results if r.cell.role == "strong noise, large batch"]
    p = result.cell.parameters
    by_hand = p["eta"] * p["sigma"] * p["C"] * 1.8799712 * (1 + 1 / (5 * 16**2)) ** 0.5
    assert result.verdict is Verdict.VIOLATED
    assert result.measured is not None
    assert result.measured.lower is not None
    assert result.measured.upper is not None
    assert result.measured.lower < by_hand < result.measured.upper
    assert {r.verdict for r in results if r.cell.role == "homogeneous, batch of 6"} == {Verdict.VIOLATED}
    others = [r for r in results if r.cell.reading != "named reading"]
    assert len(others) == 4
    assert {r.verdict for r in others} == {Verdict.HOLDS}


def test_refused_and_vacuous_name_what_excludes_them() -> None:
    for identity, role, verdict, why in (
        ("als_dpfl.theorem_1.distance", "quadratic clients", Verdict.REFUSED, "lipschitz"),
        ("fed_norm_ec.theorem_1.main", "homogeneous", Verdict.VACUOUS, "A.thm1.h4"),
    ):
        statement = bounds.get(identity)
        (cell,) = (cell for cell in get_runs(statement).cells(statement) if cell.role == role)
        result = run_cell(cell, level=LEVEL, seed=0, replicates=256)
        assert result.verdict is verdict
        assert why in result.sentence


def test_a_side_that_is_not_linear_is_refused() -> None:
    statement = bounds.get("dp_fedavg.theorem_2")
    cell = get_runs(statement).cells(statement)[0]
    with pytest.raises(NotLinear):
        linear_bound(replace(statement, left=statement.left**2), cell)


FALSE_CONSTANTS = [
    ("textbook.gradient_descent_convex", "quadratic", {"D0": Fraction(1, 2)}, "D0"),
    ("textbook.gradient_descent_convex", "tight", {"L": Fraction(1)}, "L"),
    ("textbook.stochastic_gradient_descent", "ill-conditioned", {"mu": Fraction(1, 2)}, "mu"),
    ("textbook.stochastic_gradient_descent", "sampled, noise on a sphere", {"L": 0.5}, "L"),
    ("dp_fedavg.theorem_2", "heterogeneous", {"D0": 1e-3}, "D0"),
    ("dp_fedavg.theorem_2", "heterogeneous", {"Delta_star_mean": 0.0}, "Delta_star_mean"),
    ("fed_norm_ec.theorem_1.main", "heterogeneous", {"f0_gap": 1e-3}, "f0_gap"),
    ("fed_norm_ec.theorem_1.main", "heterogeneous", {"Delta_inf": 100.0}, "Delta_inf"),
    ("als_dpfl.theorem_1.distance", "heterogeneous", {"beta": 1e-3}, "beta"),
    ("als_dpfl.theorem_1.distance", "heterogeneous", {"xi": 0.0}, "xi"),
    ("fed_norm_ec.lemma_1", "smoothing above the memory step", {"memory_error": Fraction(0)}, "memory_error"),
]


@pytest.mark.parametrize(("identity", "role", "wrong", "name"), FALSE_CONSTANTS)
def test_a_cell_that_misstates_a_constant_of_its_problem_is_refused(
    identity: str, role: str, wrong: dict[str, Fraction | float], name: str
) -> None:
    """Else anyone could forge a refutation of a true statement."""
    statement = bounds.get(identity)
    cell = next(c for c in get_runs(statement).cells(statement) if c.role == role)
    forged = replace(cell, parameters={**cell.parameters, **wrong})
    result = run_cell(forged, level=LEVEL, seed=1, replicates=2)
    assert result.verdict is Verdict.REFUSED
    assert name in result.sentence


def test_a_cell_with_an_undecided_condition_is_refused() -> None:
    statement = bounds.get("als_dpfl.theorem_1.distance")
    cell = next(c for c in get_runs(statement).cells(statement) if c.role == "heterogeneous")
    without = {name: value for name, value in cell.parameters.items() if name != "tau"}
    result = run_cell(replace(cell, parameters=without), level=LEVEL, seed=1, replicates=2)
    assert result.verdict is Verdict.REFUSED
    assert "tau" in result.sentence
