"""No name on one side without its partner on the other."""

import pkgutil
from dataclasses import replace
from functools import cache

import pytest
from sympy import Rational

import bounds
from bounds import assumptions
from bounds.condition import Condition
from bounds.discovery import variants
from bounds.finding import Verdict
from bounds.quantity import Over
from bounds.statement import AMENDED, Assumption, Statement
from synthetic.problems import problem_names
from synthetic.run import algorithm_names
from verify import matching as package
from verify.cell import Cell, plain, revived
from verify.linear import inputs, linear_bound
from verify.matching import STANDARD_ROLES, about_a_run, unfilled, why_not_run
from verify.matching._limits import largest
from verify.matching._roles import ON_OBJECTS
from verify.matching.assumptions import JUDGES
from verify.measurement import Sampled
from verify.run import matching, run_cell

STATEMENTS = bounds.statements()
# Beside the files of algorithms are tables that join other words: assumptions, constants, privacy.
MODULES = [m.name for m in pkgutil.iter_modules(package.__path__) if m.name in algorithm_names()]


def test_every_assumption_of_the_vocabulary_has_a_judge_and_no_judge_is_idle() -> None:
    vocabulary = {a.name for a in vars(assumptions).values() if isinstance(a, Assumption)}
    assert vocabulary == set(JUDGES)


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.id)
def test_every_assumption_of_a_statement_is_of_the_vocabulary(statement: Statement) -> None:
    assert {a.name for a in statement.assumptions} <= set(JUDGES)


@pytest.mark.parametrize("name", MODULES)
def test_a_matched_algorithm_names_statements_that_name_it(name: str) -> None:
    module = matching(name)
    for identity in module.STATEMENTS:
        assert bounds.get(identity).algorithm == name


@cache
def joined(name: str) -> list[tuple[Statement, tuple[Cell, ...]]]:
    """Every form, printed or amended, that has cells: a rate has none."""
    module = matching(name)
    forms = [form for identity in module.STATEMENTS for form in variants(identity)]
    return [(form, cells) for form in forms if (cells := module.cells(form))]


@pytest.mark.parametrize("name", MODULES)
def test_a_measurement_has_exactly_the_observables_of_its_statement(name: str) -> None:
    for statement, cells in joined(name):
        wanted = {s.name for s in statement.symbols}
        wanted &= statement.notation.observables.keys()
        cell: Cell = cells[-1]
        measured = matching(name).measure(statement, cell, 2, 0, "names")
        assert set(measured.observables) == wanted
        bound = linear_bound(statement, cell)
        assert set(bound.left) | set(bound.right) == wanted
        if isinstance(measured, Sampled):
            (name_left, *_) = bound.left
            minimum = statement.notation.observables[name_left].over is Over.MINIMUM_OF_MEANS
            assert measured.observables[name_left].ndim == (2 if minimum else 1)


@pytest.mark.parametrize("name", MODULES)
def test_cells_of_a_form_are_distinct_and_survive_json_with_their_digest(name: str) -> None:
    for statement, cells in joined(name):
        assert {cell.variant for cell in cells} == {statement.variant}
        for cell in cells:
            assert cell.problem in problem_names()
            again = Cell(
                statement=cell.statement,
                variant=cell.variant,
                algorithm=cell.algorithm,
                role=cell.role,
                problem=cell.problem,
                problem_arguments=revived(plain(cell.problem_arguments)),
                parameters=revived(plain(cell.parameters)),
                engine=revived(plain(cell.engine)),
                reading=cell.reading,
            )
            assert again.digest == cell.digest
        digests = [cell.digest for cell in cells]
        assert len(set(digests)) == len(digests)


# ---- every standard role has its cell, or a reason

ABOUT_RUNS = [v for s in STATEMENTS for v in variants(s.id) if about_a_run(v) and why_not_run(v) is None]


@pytest.mark.parametrize("statement", ABOUT_RUNS, ids=lambda s: f"{s.id}-{s.variant}")
def test_every_standard_role_has_a_cell_or_a_reason(statement: Statement) -> None:
    assert [role for role, reason in unfilled(statement).items() if reason is None] == []


def test_a_statement_without_cells_says_why() -> None:
    """The rule is about kinds of statements; these it excuses though there are no objects to test them on."""
    joined = {i for name in MODULES for i in matching(name).STATEMENTS}
    excused = {s.id: why_not_run(s) or "" for s in STATEMENTS if about_a_run(s) and s.id not in joined}
    assert all(excused.values())
    computed = {identity for identity, reason in excused.items() if reason != ON_OBJECTS}
    assert computed == {f"fed_norm_ec.claims.{name}" for name in ("init", "drift", "ig")}


@pytest.mark.parametrize("role", STANDARD_ROLES)
def test_a_dropped_role_is_missed(role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = bounds.get("fed_norm_ec.theorem_1.main")
    module = matching(statement.algorithm)
    kept = tuple(cell for cell in module.cells(statement) if cell.role != role)
    monkeypatch.setattr(module, "cells", lambda _: kept)
    assert unfilled(statement) == {role: None}


def test_a_statement_that_no_file_joins_misses_every_role() -> None:
    stranger = replace(bounds.get("textbook.gradient_descent_convex"), id="textbook.unknown")
    assert unfilled(stranger) == dict.fromkeys(STANDARD_ROLES)


# ---- amended forms: other conditions, other edges


def _with(statement: Statement, condition: Condition) -> Statement:
    """As amended: one more condition, stricter than what is printed."""
    return replace(statement, variant=AMENDED, conditions=(*statement.conditions, condition))


def _narrow(identity: str, text: str, factor: Rational) -> Statement:
    """The condition whose value is `text`, with its limit a factor lower."""
    statement = bounds.get(identity)
    (found, *_) = [c for c in statement.conditions if str(c.value) == text]
    return _with(statement, replace(found, limit=found.limit * factor, part="narrow"))


def _wide(identity: str, factor: int) -> Statement:
    statement = bounds.get(identity)
    (found,) = [c for c in statement.conditions if str(c.value) == "K"]
    return _with(statement, replace(found, limit=found.limit * factor, part="more"))


AMENDED_FORMS = {
    "eta of Theorem 1": (_narrow("fed_norm_ec.theorem_1.main", "eta", Rational(1, 7)), "eta"),
    "epsilon through beta": (
        _narrow("fed_norm_ec.corollary_1.explicit", "beta/(R + alpha)", Rational(1, 50)),
        "epsilon",
    ),
    "D_2 through beta": (_narrow("fed_norm_ec.corollary_2", "beta/(R + alpha)", Rational(1, 9)), "D_2"),
    "gamma of Theorem 5": (_wide("dp_fedavg.theorem_5.general", 5), "gamma"),
    "gamma of Theorem 6": (_wide("dp_fedavg.theorem_6.general", 5), "gamma"),
    "eta of Theorem F2": (_narrow("fedavg_lojasiewicz.theorem_f2", "eta", Rational(1, 3)), "eta"),
    "eta of Theorem F4": (_narrow("fedavg_lojasiewicz.theorem_f4", "eta", Rational(1, 3)), "eta"),
}


@pytest.mark.parametrize("form", AMENDED_FORMS)
def test_the_edge_is_that_of_the_amended_conditions(form: str) -> None:
    """Every condition holds there, and no longer where the quantity is 1% larger."""
    statement, name = AMENDED_FORMS[form]
    module = matching(statement.algorithm)
    (cell,) = [c for c in module.cells(statement) if c.role == "edge of its conditions"]
    assert cell.variant == AMENDED
    at_edge = inputs(statement, cell)
    assert all(c.holds for c in statement.check(**at_edge))
    assert not all(c.holds for c in statement.check(**at_edge | {name: at_edge[name] * 1.01}))
    printed = inputs(
        statement, next(c for c in module.cells(bounds.get(statement.id)) if c.role == cell.role)
    )
    assert printed[name] > 1.5 * at_edge[name]


def test_a_quantity_that_an_amended_form_adds_is_given_on_its_safe_side() -> None:
    """s = (1 - r/n)/r falls as r grows and grows with n."""
    statement = bounds.get("dp_fedavg.theorem_4", AMENDED)
    module = matching(statement.algorithm)
    cells = {cell.role: cell for cell in module.cells(statement)}
    cell = cells["partial participation"]
    assert (cell.parameters["n"], cell.parameters["r"]) == (5, 1.0)
    assert cells["heterogeneous"].parameters["r"] == 5.0
    for wrong in ({"r": 2.0}, {"n": 4}):
        forged = replace(cell, parameters={**cell.parameters, **wrong})
        result = run_cell(forged, level=1e-6, seed=1, replicates=2)
        assert result.verdict is Verdict.REFUSED
        assert next(iter(wrong)) in result.sentence


def test_a_free_gamma_is_the_longest_local_step() -> None:
    statement = bounds.get("fed_norm_ec.theorem_1.main", AMENDED)
    for cell in matching(statement.algorithm).cells(statement):
        given = {name: float(value) for name, value in cell.parameters.items()}
        assert given["gamma"] * 2 * given["L"] == pytest.approx(1, abs=1e-8)
        assert given["gamma"] * 2 * given["L"] <= 1


def test_nothing_stops_what_no_condition_names() -> None:
    convex = bounds.get("textbook.gradient_descent_convex")
    assert largest(convex, {"L": 1, "D0": 2, "N": 3}, "L") is None
    strong = bounds.get("textbook.gradient_descent_strongly_convex")
    point = {"L": 3, "D0": 2, "N": 3, "mu": 0.001}
    assert largest(strong, point, "mu") == pytest.approx(3, rel=4e-9)
    assert largest(strong, point, "mu") <= 3  # type: ignore[operator]  # a number: the line above says so
