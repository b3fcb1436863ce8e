"""Cells of the textbook controls: the extremal examples attain the constants, by loops written here."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import bounds
from bounds.language.finding import Verdict
from bounds.language.statement import Statement
from verify.cell import Cell
from verify.matching.constants import certified
from verify.matching.joined import get_runs
from verify.papers.textbook import runs_gradient_descent
from verify.runs.check import run_cell

CONTROLS = [s.id for s in bounds.statements("textbook")]
EXACT = [i for i in CONTROLS if i != "textbook.federated_averaging_one_client"]


def cells(identity: str) -> tuple[Cell, ...]:
    statement = bounds.get(identity)
    found: tuple[Cell, ...] = get_runs(statement).cells(statement)
    return found


def tight(identity: str) -> Cell:
    (cell,) = [c for c in cells(identity) if c.role == "tight"]
    return cell


@pytest.mark.parametrize("identity", CONTROLS)
def test_every_cell_holds_or_is_refused_and_the_tight_one_attains_the_bound(identity: str) -> None:
    judged = {c.role: run_cell(c, level=1e-6, seed=2, replicates=2048) for c in cells(identity)}
    assert {r.verdict for r in judged.values()} <= {Verdict.HOLDS, Verdict.REFUSED}
    ratio = judged["tight"].ratio
    assert ratio is not None
    assert 1 - 1e-8 < ratio <= 1
    if identity in EXACT:
        assert judged["tight"].sentence.startswith("holds with equality")
    assert max(r.ratio or 0 for r in judged.values()) <= 1


def _sawtooth_slope(x: Fraction, c: Fraction, smoothness: Fraction, steps: int) -> Fraction:
    """The display of T.gd.nonconvex.tight."""
    h = c / smoothness
    if x >= 0:
        return c
    for k in range(1, steps + 1):
        if -k * h <= x <= -(k - 1) * h:
            return c - smoothness * min(x + k * h, h - x - k * h)
    return max(Fraction(0), smoothness * (x + (steps + 1) * h))


@pytest.mark.parametrize("steps", [1, 2, 3, 7])
def test_the_sawtooth_is_the_function_of_the_derivation(steps: int) -> None:
    smoothness, c = Fraction(3), Fraction(5, 2)
    instance = runs_gradient_descent.sawtooth(smoothness, c, steps)
    statement = bounds.get("textbook.gradient_descent_nonconvex")
    cell = replace(tight(statement.id), problem=instance.problem, problem_arguments=instance.arguments)
    problem, h = cell.build_problem(), c / smoothness
    for part in range(-8 * (steps + 2), 9):
        x = Fraction(part, 8) * h
        slope = problem.gradient(certified.as_points([x]))[0, 0]
        assert slope == _sawtooth_slope(x, c, smoothness, steps)
    curvature = problem.constants()["mean_smoothness"]
    assert curvature is not None
    assert curvature.value == smoothness
    start = problem.value(certified.as_points([Fraction(0)]))[0]
    assert start - problem.minimum() == Fraction(3 * steps + 2, 4) * c * c / smoothness


def _descend(slope: Any, start: Fraction, step: Fraction, steps: int) -> list[Fraction]:
    points = [start]
    for _ in range(steps):
        points.append(points[-1] - step * slope(points[-1]))
    return points


def test_the_tight_cells_measure_what_a_loop_finds() -> None:
    """The Huber function, mu/2 ||x||^2 and the sawtooth, each stepped through by its own formula."""
    smoothness, distance, steps = Fraction(2), Fraction(3, 2), 5
    bend = distance / (2 * steps + 1)
    path = _descend(lambda x: smoothness * max(-bend, min(bend, x)), distance, 1 / smoothness, steps)
    gap = smoothness * bend * path[-1] - smoothness * bend**2 / 2
    flat = distance * (1 - Fraction(1, 4) / smoothness) ** steps

    def slope(x: Fraction) -> Fraction:
        return _sawtooth_slope(x, Fraction(3), smoothness, steps)

    squares = [slope(x) ** 2 for x in _descend(slope, Fraction(0), 1 / smoothness, steps)]
    expected = {"convex": gap, "strongly_convex": flat**2, "nonconvex": min(squares)}
    for name, value in expected.items():
        identity = f"textbook.gradient_descent_{name}"
        statement = bounds.get(identity)
        measured = get_runs(statement).measure(statement, tight(identity), 1, 0, "loop")
        assert list(measured.observables.values()) == [value]


def _mutant(statement: Statement, factor: Fraction) -> Statement:
    (term,) = statement.terms
    return replace(statement, terms=(replace(term, expression=term.expression * factor),))


@pytest.mark.parametrize(
    ("name", "defect"),
    [
        ("gradient_descent_strongly_convex", Fraction(1, 10**12)),
        ("gradient_descent_nonconvex", Fraction(1, 10**12)),
        ("federated_averaging_one_client", Fraction(1, 10**6)),  # in float64, with D0 rounded up
    ],
)
def test_a_smaller_constant_is_refuted(name: str, defect: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = bounds.get(f"textbook.{name}")
    cell = tight(statement.id)
    monkeypatch.setattr("bounds.discovery.get", lambda *_: _mutant(statement, 1 - defect))
    assert run_cell(cell, level=1e-6, seed=2, replicates=2048).verdict is Verdict.VIOLATED


FORGED = [
    ("gradient_descent_strongly_convex", "tight", {"mu": Fraction(1, 2)}, "mu"),
    ("gradient_descent_strongly_convex", "heterogeneous", {"D0": Fraction(1)}, "D0"),
    ("gradient_descent_nonconvex", "tight", {"f0_gap": Fraction(19)}, "f0_gap"),
    ("gradient_descent_nonconvex", "tight", {"L": Fraction(1)}, "L"),
    ("federated_averaging_one_client", "tight", {"D0": 1.49}, "D0"),
    ("federated_averaging_one_client", "homogeneous", {"L": 0.5}, "L"),
]


@pytest.mark.parametrize(("name", "role", "wrong", "told"), FORGED)
def test_a_misstated_constant_is_refused(name: str, role: str, wrong: dict[str, Any], told: str) -> None:
    cell = next(c for c in cells(f"textbook.{name}") if c.role == role)
    result = run_cell(
        replace(cell, parameters={**cell.parameters, **wrong}), level=1e-6, seed=2, replicates=2
    )
    assert result.verdict is Verdict.REFUSED
    assert f"{told}" in result.sentence


def test_two_clients_are_refused_by_name() -> None:
    cell = next(c for c in cells("textbook.federated_averaging_one_client") if c.role == "heterogeneous")
    result = run_cell(cell, level=1e-6, seed=2, replicates=2)
    assert result.verdict is Verdict.REFUSED
    assert "one client" in result.sentence
