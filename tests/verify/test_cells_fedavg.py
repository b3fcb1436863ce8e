"""Cells of FedAVG: exact observables against enumeration and closed forms, and what must be refused."""

import itertools
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from cells_of import some_first

import bounds
from bounds.language.finding import Verdict
from verify.cell import Cell
from verify.matching import STANDARD_ROLES
from verify.matching.joined import get_runs
from verify.matching.measurements.measurement import Exact, Sampled
from verify.papers.fedavg_lojasiewicz import runs_in_a_ball, runs_on_quadratics
from verify.papers.fedavg_lojasiewicz.runs_shared import values_of
from verify.runs.check import CellResult, run_cell

PAPER = "fedavg_lojasiewicz"
STATEMENTS = [*runs_on_quadratics.STATEMENTS, *runs_in_a_ball.STATEMENTS]
WITHOUT_ZETA = ("equation_35", "equation_36", "equation_37")


@cache
def cells(name: str) -> dict[str, Cell]:
    statement = bounds.get(f"{PAPER}.{name}")
    return {cell.role: cell for cell in get_runs(statement).cells(statement)}


def judged(cell: Cell) -> CellResult:
    return run_cell(cell, level=1e-4, seed=5, replicates=2048)


def measured(cell: Cell, replicates: int = 1) -> Exact | Sampled:
    statement = bounds.get(cell.statement)
    found = get_runs(statement).measure(statement, cell, replicates, 3, "test")
    assert isinstance(found, Exact | Sampled)
    return found


def exactly(cell: Cell) -> Fraction:
    (value,) = measured(cell).observables.values()
    assert isinstance(value, Fraction)
    return value


def changed(cell: Cell, **values: Any) -> Cell:
    return replace(cell, parameters=dict(cell.parameters) | values)


def expected(name: str, role: str) -> Verdict:
    if (name, role) in {
        ("theorem_f2", "flat, noisy, started at rest"),
        ("recursions.f4", "far start, exact gradients"),
    }:
        return Verdict.VIOLATED
    excluded = role in ("partial participation", "out of the ball")
    excluded |= role == "different curvatures" and name not in WITHOUT_ZETA
    excluded |= (name, role) == ("unrolled.f3", "strong noise")
    return Verdict.REFUSED if excluded else Verdict.HOLDS


FIRST = ("lemma_f1", "recursions.f4", "theorem_f2", "unrolled.f3")


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", some_first(STATEMENTS, FIRST))
def test_every_cell_has_the_verdict_that_was_derived_for_it(name: str) -> None:
    found = cells(name)
    assert set(found) >= set(STANDARD_ROLES)
    for role, cell in found.items():
        result = judged(cell)
        assert (role, result.verdict, result.certified) == (role, expected(name, role), True), result.sentence


@pytest.mark.parametrize(
    ("name", "role", "reason"),
    [
        ("theorem_f2", "partial participation", "the server averages over all 2 agents"),
        ("theorem_f2", "different curvatures", "the gradient divergence is infinite"),
        ("theorem_f4", "out of the ball", "certified only within 5 of the origin"),
        ("unrolled.f3", "strong noise", "D.F3.s6"),
    ],
)
def test_a_refusal_names_what_excludes_the_cell(name: str, role: str, reason: str) -> None:
    assert reason in judged(cells(name)[role]).sentence


# --- Theorem F.2: f = m x^2/2 from rest has E x_R^2 = (eta sigma)^2 (1 - q^(2R))/(1 - q^2), q = 1 - eta m.


def at_rest(curvature: Fraction, rounds: int) -> Cell:
    cell = cells("theorem_f2")["flat, noisy, started at rest"]
    arguments = dict(cell.problem_arguments) | {"curvatures": [[curvature]]}
    step = Fraction(int(2**20 / (18 * curvature)), 2**20)
    values = {"L": curvature, "mu_1": 2 * curvature, "eta": step, "R": rounds}
    return changed(replace(cell, problem_arguments=arguments), **values)


@pytest.mark.parametrize(("curvature", "rounds"), [(Fraction(1, 1000), 30), (Fraction(3), 7)])
def test_the_gap_of_the_flat_run_is_the_closed_form(curvature: Fraction, rounds: int) -> None:
    cell = at_rest(curvature, rounds)
    step, sigma = Fraction(cell.parameters["eta"]), Fraction(cell.parameters["sigma"])
    q = 1 - step * curvature
    square = step**2 * sigma**2 * (1 - q ** (2 * rounds)) / (1 - q**2)
    assert exactly(cell) == curvature / 2 * square


@pytest.mark.parametrize(
    ("curvature", "verdict"),
    [
        (Fraction(9, 560) * Fraction(99, 100), Verdict.VIOLATED),
        (Fraction(9, 560) * Fraction(101, 100), Verdict.HOLDS),
    ],
)
def test_theorem_f2_breaks_at_the_derived_curvature(curvature: Fraction, verdict: Verdict) -> None:
    """At eta = 1/(18 m) the stationary gap 9 eta sigma^2/35 meets 16 eta m sigma^2 at m = 9/560."""
    assert judged(at_rest(curvature, 120)).verdict is verdict


# --- One round, all sample paths followed: errors +-sigma e_1, +-sigma e_2 have covariance sigma^2/2 I.


def enumerated(cell: Cell) -> dict[str, Fraction]:
    curvatures = cell.problem_arguments["curvatures"]
    centers = cell.problem_arguments["centers"]
    values = values_of(cell)
    start, step, local = values["start"], Fraction(values["eta"]), int(values["H"])
    noise = [[s * values["sigma"] if i == j else 0 for i in range(2)] for j in range(2) for s in (1, -1)]
    ends, drift = [], Fraction(0)
    for a, c in zip(curvatures, centers, strict=True):
        points = [list(start)]
        for _ in range(local):
            drift += sum(sum((x - y) ** 2 for x, y in zip(p, start, strict=True)) for p in points) / (
                Fraction(len(points)) * local * len(centers)
            )
            points = [
                [p[i] - step * (a[i] * (p[i] - c[i]) + e[i]) for i in range(2)] for p in points for e in noise
            ]
        ends.append(points)
    joint = [[(p[i] + q[i]) / 2 for i in range(2)] for p, q in itertools.product(*ends)]
    slope = [
        sum(a[i] * (start[i] - c[i]) for a, c in zip(curvatures, centers, strict=True)) / 2 for i in range(2)
    ]
    mean = [sum(p[i] for p in joint) / len(joint) for i in range(2)]
    direction = [(start[i] - mean[i]) / (step * local) for i in range(2)]

    def value(x: list[Fraction]) -> Fraction:
        each = (a[i] * (x[i] - c[i]) ** 2 for a, c in zip(curvatures, centers, strict=True) for i in range(2))
        return sum(each, Fraction(0)) / 4

    return {
        "mean_drift": drift,
        "mean_next_gap": sum(map(value, joint), Fraction(0)) / len(joint),
        "direction_error_square": sum(
            ((g - d) ** 2 for g, d in zip(slope, direction, strict=True)), Fraction(0)
        ),
        "gap": value(start),
        "square": sum((g * g for g in slope), Fraction(0)),
        "mean_square_move": sum(sum((x - y) ** 2 for x, y in zip(p, start, strict=True)) for p in joint)
        / len(joint),
    }


@pytest.mark.parametrize("role", ["heterogeneous", "different curvatures"])
@pytest.mark.parametrize("name", ["equation_36", "equation_37", "lemma_f1", "recursions.f2_one_step"])
def test_one_round_is_what_all_sample_paths_give(name: str, role: str) -> None:
    cell = cells(name)[role]
    if "H" in cell.parameters:
        cell = changed(cell, H=2)
    else:
        cell = replace(cell, engine=dict(cell.engine) | {"H": min(2, values_of(cell)["H"])})
    left = str(bounds.get(cell.statement).left)
    assert exactly(cell) == enumerated(cell)[left]


@pytest.mark.parametrize("role", ["homogeneous", "heterogeneous"])
def test_quantities_of_the_round_are_those_of_its_paths(role: str) -> None:
    found = cells("recursions.f2_one_step")[role]
    paths = enumerated(found)
    assert found.parameters["gap"] == paths["gap"]
    slope = Fraction(cells("equation_35")[role].parameters["gradient_norm"])
    assert slope**2 == paths["square"]
    apart = [Fraction(3, 10), Fraction(4, 10)] if role == "heterogeneous" else [Fraction(0), Fraction(0)]
    assert Fraction(found.parameters["zeta"]) ** 2 == sum(x * x for x in apart)


def test_the_edge_is_the_printed_step_from_below() -> None:
    for name, factor in {"theorem_f2": 18 * 4, "lemma_f1": 4, "unrolled.f2_one_step": 2}.items():
        parameters = cells(name)["edge of its conditions"].parameters
        largest = 1 / (factor * Fraction(parameters["L"]))
        assert largest * (1 - Fraction(1, 2**14)) <= parameters["eta"] <= largest
    parameters = cells("theorem_f4")["edge of its conditions"].parameters
    largest = 1 / (18 * 4 * 3 * Fraction(parameters["L"]))
    assert largest * (1 - Fraction(1, 2**14)) <= parameters["eta"] <= largest


# --- In the ball: what is certified holds in every replicate.

BALL = runs_in_a_ball.STATEMENTS


@pytest.mark.parametrize("name", BALL)
def test_no_replicate_exceeds_the_certified_ceiling(name: str) -> None:
    for role in ("heterogeneous", "strong noise"):
        sample = measured(cells(name)[role], 200)
        assert isinstance(sample, Sampled)
        assert sample.ceiling is not None
        (values,) = sample.observables.values()
        assert (values <= sample.ceiling).all()


@pytest.mark.parametrize("name", BALL)
def test_reach_and_ceiling_are_the_derived_numbers(name: str) -> None:
    """Steps of noise add up; h(r) = r^2/6 - 1/12 outside a core of radius 1, with power 4 and L = 1."""
    cell = cells(name)["strong noise"]
    v, centers = values_of(cell), cell.build_problem().centers
    far = 2 + v["R"] * v["H"] * float(v["eta"]) * v["sigma"]
    assert cell.engine["reach"] == pytest.approx(far, rel=1e-11)
    highest = np.mean((far + np.linalg.norm(centers, axis=1)) ** 2 / 6 - 1 / 12)
    sample = measured(cell, 2)
    assert isinstance(sample, Sampled)
    assert sample.ceiling == pytest.approx(highest, rel=1e-8)
    assert v["H"] == (1 if name in ("equation_40", "recursions.f3", "lemma_f3", "unrolled.f3") else 3)


def walks(cell: Cell, replicates: int) -> tuple[float, list[float]]:
    """Largest distance of an iterate from the origin, and the mean gaps, by a loop of the test's own."""
    values, random = values_of(cell), np.random.default_rng(1)
    problem = cell.build_problem()
    x = np.tile(np.array(values["start"]), (replicates, 1))
    far, gaps = [np.linalg.norm(x, axis=-1).max()], [problem.value(x).mean()]
    for _ in range(int(values["R"])):
        points = np.tile(x, (problem.clients, 1, 1))
        for _ in range(int(values["H"])):
            noise = random.standard_normal(points.shape)
            noise *= float(values["sigma"]) / np.linalg.norm(noise, axis=-1, keepdims=True)
            points = points - float(values["eta"]) * (problem.client_gradients(points) + noise)
            far.append(np.linalg.norm(points, axis=-1).max())
        x = points.mean(axis=0)
        gaps.append(problem.value(x).mean())
    return max(far), gaps


@pytest.mark.parametrize("name", ["lemma_f3", "theorem_f4", "unrolled.f3"])
def test_iterates_stay_within_reach_and_gaps_above_what_is_claimed(name: str) -> None:
    for role in ("heterogeneous", "edge of its conditions", "strong noise"):
        cell = cells(name)[role]
        far, gaps = walks(cell, 100)
        assert far <= cell.engine["reach"] <= 5.0
        assert min(gaps) >= float(cell.parameters.get("s_min", 0))


# --- Planted defects: a parameter on the wrong side of its problem is refused by name.


def wrong(cell: Cell, name: str, factor: Fraction) -> Mapping[str, Any]:
    value = cell.parameters[name]
    assert value
    return {name: type(value)(value * factor) if isinstance(value, float) else Fraction(value) * factor}


@pytest.mark.parametrize(
    ("statement", "name", "factor", "reason"),
    [
        ("theorem_f2", "L", Fraction(99, 100), "L = "),
        ("theorem_f2", "zeta", Fraction(99, 100), "zeta^2 = "),
        ("theorem_f2", "f0_gap", Fraction(99, 100), "f0_gap = "),
        ("theorem_f2", "mu_1", Fraction(101, 100), "certified: exponent 1"),
        ("theorem_f2", "M", Fraction(2), "M = "),
        ("equation_35", "gradient_norm", Fraction(101, 100), "gradient_norm^2 = "),
        ("lemma_f1", "gradient_norm", Fraction(99, 100), "gradient_norm^2 = "),
        ("equation_36", "direction_error", Fraction(99, 100), "direction_error^2 = "),
        ("equation_36", "mean_square_move", Fraction(99, 100), "mean_square_move = "),
        ("equation_36", "mean_move", Fraction(101, 100), "mean_move^2 = "),
        ("equation_37", "drift", Fraction(99, 100), "drift = "),
        ("theorem_f4", "L", Fraction(99, 100), "L = "),
        ("theorem_f4", "zeta", Fraction(99, 100), "zeta = "),
        ("theorem_f4", "f0_gap", Fraction(99, 100), "f0_gap = "),
        ("theorem_f4", "mu", Fraction(101, 100), "certified: exponent 1.5"),
        ("theorem_f4", "alpha", Fraction(101, 100), "certified: exponent 1.5"),
        ("theorem_f4", "R", Fraction(10**5), "reach = "),
        ("recursions.f4", "gradient_norm", Fraction(101, 100), "gradient_norm = "),
        ("recursions.f3", "s_r", Fraction(99, 100), "s_r = "),
        ("unrolled.f3", "s_min", Fraction(101, 100), "s_min = "),
    ],
)
def test_a_parameter_on_the_wrong_side_is_refused(
    statement: str, name: str, factor: Fraction, reason: str
) -> None:
    cell = cells(statement)["heterogeneous"]
    result = judged(changed(cell, **wrong(cell, name, factor)))
    assert result.verdict is Verdict.REFUSED
    assert reason in result.sentence


def test_a_reach_that_is_too_short_is_refused() -> None:
    cell = cells("theorem_f4")["heterogeneous"]
    result = judged(replace(cell, engine=dict(cell.engine) | {"reach": 1.0}))
    assert result.verdict is Verdict.REFUSED
    assert "reach = 1" in result.sentence


@pytest.mark.parametrize(
    ("name", "symbol", "reason"),
    [
        ("equation_35", "H", "local steps = 2"),
        ("lemma_f3", "H", "local steps = 2"),
        ("recursions.f3", "R", "rounds = 2"),
        ("recursions.f4", "R", "rounds = 2"),
    ],
)
def test_a_statement_of_one_step_or_round_is_run_for_no_more(name: str, symbol: str, reason: str) -> None:
    cell = cells(name)["heterogeneous"]
    result = judged(replace(cell, engine=dict(cell.engine) | {symbol: 2}))
    assert result.verdict is Verdict.REFUSED
    assert reason in result.sentence
