"""Measurements of a declared statement: its constants, its start, its states and their roundings."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from declared_statements import NOTATION, PAPER, local

import bounds
from bounds.language.dimension import X
from bounds.language.finding import Verdict
from bounds.language.part import Part, at_start, constant, lower_constant, setting
from bounds.language.quantity import (
    NON_NEGATIVE,
    POSITIVE,
    POSITIVE_INTEGER,
    Notation,
    Over,
    States,
)
from bounds.language.statement import Term
from synthetic.problems import build
from verify.matching.cells import standard
from verify.matching.cells.required import _require_constant
from verify.matching.constants.at_start import measured_at_start
from verify.matching.constants.certified import unfit
from verify.matching.constants.known import constants_of, known
from verify.matching.constants.offered import offer_constants
from verify.matching.declared import why_not_declared
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements.measurement import Computed
from verify.matching.run_settings import settings_of, settings_that_are_quantities
from verify.runs.judge import judge


@pytest.mark.parametrize(
    "part", [constant("smoothness"), lower_constant("strong_convexity")], ids=["above", "below"]
)
def test_a_constant_declared_on_the_wrong_side_would_be_seen(part: Part) -> None:
    """The planted defect: the sides exchanged. A cell is then held to the wrong end."""
    from verify.matching.constants.constants import offered

    notation = Notation()
    notation.quantity("c", "c", "c", POSITIVE, part=part)
    problem: Any = build("quadratic.small")
    entry = problem.constants()[part.name]
    counts = {"clients": problem.clients, "dimension": problem.dimension}
    value = offered(notation, constants_of(problem), **counts)["c"].value
    assert entry is not None
    assert value == float(entry.lower if part.lower else entry.upper)
    assert entry.lower != entry.upper


def points(problem: Any, count: int = 400) -> Any:
    scale = np.exp(np.random.default_rng(0).uniform(-6, 6, (count, 1)))
    return np.random.default_rng(1).normal(size=(count, problem.dimension)) * scale


@pytest.mark.parametrize("name", ["quadratic.small", "logistic.small", "huber.small"])
def test_the_derived_constants_bound_what_they_say(name: str) -> None:
    """mean ||grad f_i||^2 <= G^2 + B^2 ||grad f||^2, and grad f_i - grad f is delta-Lipschitz."""
    problem = build(name)
    told = known(problem, {})
    x, y = points(problem), points(problem)[::-1].copy()
    gradients, others = problem.client_gradients(x), problem.client_gradients(y)
    mean = (gradients**2).sum(axis=2).mean(axis=0)
    whole = (gradients.mean(axis=0) ** 2).sum(axis=1)
    factor, floor = told.upper("gradient_dissimilarity_factor"), told.upper("gradient_dissimilarity_floor")
    if factor is not None and floor is not None:
        assert (mean <= (floor**2 + factor**2 * whole) * (1 + 1e-9)).all()
    delta = told.upper("gradient_difference_smoothness")
    assert delta is not None
    moved = (gradients - gradients.mean(axis=0)) - (others - others.mean(axis=0))
    assert (
        np.sqrt((moved**2).sum(axis=2)) <= delta * np.linalg.norm(x - y, axis=1) * (1 + 1e-9) + 1e-9
    ).all()


def test_measures_of_the_start_are_those_of_a_bowl() -> None:
    """f = x^2/2 from x = 3: distance 3, gap 9/2, gradient 3; never below."""
    notation = Notation()
    wanted = {
        "distance": 3.0,
        "squared_distance": 9.0,
        "gap": 4.5,
        "gradient_norm": 3.0,
        "squared_gradient_norm": 9.0,
    }
    for name in wanted:
        notation.quantity(name, name, name, NON_NEGATIVE, part=at_start(name))
    statement = local(paper=replace(PAPER, notation=notation))
    bowl = build("quadratic.diagonal", curvatures=[[1.0]], centers=[[0.0]])
    for name, value in measured_at_start(statement, bowl, [3.0]).items():
        assert value >= wanted[name]
        assert value == pytest.approx(wanted[name], rel=1e-9)


@pytest.mark.parametrize(
    ("states", "expected"),
    [(States.ALL, (1 + 1 / 4 + 1 / 16) / 3), (States.BEFORE_A_ROUND, 5 / 8), (States.AFTER_A_ROUND, 5 / 32)],
)
def test_the_states_are_those_that_are_named(states: States, expected: float) -> None:
    """Squared distances 1, 1/4, 1/16 of two halving steps on x^2/2."""
    from verify.matching.measurements.observed import measure

    notation = Notation()
    rounds = notation.quantity("n", "n", "steps", POSITIVE_INTEGER, part=setting("steps"))
    by = notation.quantity("by", "b", "step", POSITIVE, part=setting("step"))
    seen = notation.observable(
        "seen", "s", "s", X**2, Over.UNIFORM_ROUND, measured="squared_distance", states=states
    )
    statement = local(
        paper=replace(PAPER, notation=notation),
        algorithm="gradient_descent",
        left=seen,
        terms=(Term("t", rounds * by, "t"),),
        conditions=(),
        run_with={},
    )
    from verify.cell import Cell

    cell = Cell(
        statement="",
        variant="printed",
        algorithm="gradient_descent",
        role="",
        problem="quadratic.diagonal",
        problem_arguments={"curvatures": [[1.0]], "centers": [[0.0]]},
        parameters={"n": 2, "by": 0.5},
        engine={"start": [1.0]},
    )
    found = measure(statement, cell, settings_of(statement, cell), 8, 0, "s")
    assert isinstance(found, Computed)
    assert float(found.observables["seen"]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (1 + 1e-6, Verdict.VIOLATED),
        (1 - 1e-6, Verdict.HOLDS),
        (1 + 2e-9, Verdict.VIOLATED),
        (1 + 5e-10, Verdict.INCONCLUSIVE),  # far above the fixed rounding of sums, below the one of the run
        (1 - 5e-10, Verdict.INCONCLUSIVE),
        (1 + 1e-13, Verdict.INCONCLUSIVE),
    ],
)
def test_a_computed_value_is_judged_up_to_its_rounding(value: float, verdict: Verdict) -> None:
    bound = LinearBound(left={"o": 1.0}, right={}, constant=1.0, lowest={"o": 0.0}, highest={})
    seen = Computed(observables={"o": np.array(value)}, rounding=lambda: {"o": 1e-9})
    assert judge(bound, lambda *_: seen, 8, 1e-3).verdict is verdict


def test_a_constant_that_is_safe_on_neither_side_is_held_between_its_ends() -> None:
    problem, notation = build("logistic.small"), Notation()
    entry = problem.constants()["infimum_gap"]
    assert entry is not None
    assert entry.lower < entry.upper
    part = constant("infimum_gap", within=True)
    notation.quantity("c", "c", "c", NON_NEGATIVE, part=part)
    statement = local(paper=replace(PAPER, notation=notation))
    held = offer_constants(statement, problem)["c"]
    for value, fits in ((entry.lower, True), (entry.upper, True), (entry.lower / 2, False), (1e3, False)):
        requirement = _require_constant(part, "c", float(value), held)
        assert (unfit([requirement]) is None) is fits


def test_a_theorem_about_our_algorithm_that_counts_from_round_0_needs_no_file() -> None:
    """The setting is the last round, one less than the rounds; a slip by one would run another number."""
    theorem = bounds.get("fed_norm_ec.theorem_1.main")
    assert why_not_declared(theorem) is None
    (cell, *_) = standard.cells(theorem)
    told = settings_of(theorem, cell)
    assert told.last_round == cell.parameters["K"] == 19
    assert told.private
    counted = local(algorithm="fed_alpha_norm_ec", run_with={"participation": "full"})
    own = {name: getattr(told, name) for name in ("memory_step", "server_step", "smoothing")}
    (other, *_) = standard.cells(local())
    assert settings_that_are_quantities(counted)["last_round"] == "K"
    in_rounds = replace(other, algorithm="fed_alpha_norm_ec")
    assert settings_of(counted, in_rounds, **own).last_round == other.parameters["K"] - 1


def test_a_theorem_that_names_its_last_round_runs_one_round_more_where_rounds_are_counted() -> None:
    notation = Notation(dict(NOTATION.quantities), dict(NOTATION.observables))
    notation.quantities["K"] = replace(notation.quantities["K"], part=setting("last_round"))
    numbered = local(paper=replace(PAPER, notation=notation))
    (cell, *_) = standard.cells(numbered)
    assert settings_of(numbered, cell).rounds == cell.parameters["K"] + 1
