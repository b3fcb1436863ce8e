"""No name on one side without its partner on the other."""

from dataclasses import replace
from functools import cache

import pytest
from sympy import Rational

import bounds
from bounds.discovery import variants
from bounds.language import assumptions
from bounds.language.condition import Condition
from bounds.language.finding import Verdict
from bounds.language.quantity import Over
from bounds.language.statement import AMENDED, Assumption, Statement
from bounds.papers.als_dpfl.assumptions import bounded_gradients
from synthetic.problems import build, problem_names
from synthetic.run import algorithm_names
from verify.cell import Cell, plain, revived
from verify.matching import STANDARD_ROLES, about_a_run, unfilled, why_not_run
from verify.matching import joined as found
from verify.matching.assumptions import JUDGES, unmet
from verify.matching.cells.largest_allowed import largest
from verify.matching.joined import all_runs, get_runs
from verify.matching.linear_bound import inputs, linear_bound
from verify.matching.measurements.measurement import Sampled
from verify.matching.roles import ON_OBJECTS
from verify.matching.runs import Runs
from verify.runs.check import run_cell

STATEMENTS = bounds.statements()
RUNS = pytest.mark.parametrize("runs", all_runs(), ids=lambda runs: runs.statements[0])


def test_every_assumption_of_the_vocabulary_has_a_judge_and_no_judge_is_idle() -> None:
    vocabulary = {a.name for a in vars(assumptions).values() if isinstance(a, Assumption)}
    assert vocabulary == set(JUDGES)


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.id)
def test_every_assumption_of_a_statement_is_of_the_vocabulary(statement: Statement) -> None:
    assert {a.name for a in statement.assumptions} <= set(JUDGES)


@RUNS
def test_the_runs_of_an_algorithm_are_of_statements_that_name_it(runs: Runs) -> None:
    assert runs.algorithm in algorithm_names()
    for identity in runs.statements:
        assert bounds.get(identity).algorithm == runs.algorithm


@cache
def joined(runs: Runs) -> list[tuple[Statement, tuple[Cell, ...]]]:
    """Every form, printed or amended, that has cells: a rate has none."""
    forms = [form for identity in runs.statements for form in variants(identity)]
    return [(form, cells) for form in forms if (cells := runs.cells(form))]


@pytest.mark.thinned(3)
@RUNS
def test_a_measurement_has_exactly_the_observables_of_its_statement(runs: Runs) -> None:
    for statement, cells in joined(runs):
        wanted = {s.name for s in statement.symbols}
        wanted &= statement.notation.observables.keys()
        cell: Cell = cells[-1]
        measured = runs.measure(statement, cell, 2, 0, "names")
        assert set(measured.observables) == wanted
        bound = linear_bound(statement, cell)
        assert set(bound.left) | set(bound.right) == wanted
        if isinstance(measured, Sampled):
            (name_left, *_) = bound.left
            minimum = statement.notation.observables[name_left].over is Over.MINIMUM_OF_MEANS
            assert measured.observables[name_left].ndim == (2 if minimum else 1)


@pytest.mark.thinned(2)
@RUNS
def test_cells_of_a_form_are_distinct_and_survive_json_with_their_digest(runs: Runs) -> None:
    for statement, cells in joined(runs):
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


@pytest.mark.thinned(4)
@pytest.mark.parametrize("statement", ABOUT_RUNS, ids=lambda s: f"{s.id}-{s.variant}")
def test_every_standard_role_has_a_cell_or_a_reason(statement: Statement) -> None:
    assert [role for role, reason in unfilled(statement).items() if reason is None] == []


def test_a_statement_without_cells_says_why() -> None:
    """The rule is about kinds of statements; these it excuses though there are no objects to test them on."""
    joined = {i for runs in all_runs() for i in runs.statements}
    excused = {s.id: why_not_run(s) or "" for s in STATEMENTS if about_a_run(s) and s.id not in joined}
    assert all(excused.values())
    computed = {identity for identity, reason in excused.items() if reason != ON_OBJECTS}
    assert computed == {f"fed_norm_ec.claims.{name}" for name in ("init", "drift", "ig")}


@pytest.mark.parametrize("role", STANDARD_ROLES)
def test_a_dropped_role_is_missed(role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = bounds.get("fed_norm_ec.theorem_1.main")
    runs = get_runs(statement)
    kept = tuple(cell for cell in runs.cells(statement) if cell.role != role)
    monkeypatch.setattr(found, "find_runs", lambda _: replace(runs, cells=lambda _: kept))
    assert unfilled(statement) == {role: None}


@pytest.mark.slow("makes the cells of every statement")
def test_a_role_of_a_paper_fills_a_standard_one_by_declaration_only() -> None:
    for runs in all_runs():
        assert set(runs.fills.values()) <= set(STANDARD_ROLES)
        made = {cell.role for i in runs.statements for form in variants(i) for cell in runs.cells(form)}
        assert runs.fills.keys() <= made, runs.algorithm


def test_a_statement_that_no_file_joins_misses_every_role() -> None:
    stranger = replace(bounds.get("dp_fedavg.theorem_2"), id="dp_fedavg.unknown")
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
    runs = get_runs(statement)
    (cell,) = [c for c in runs.cells(statement) if c.role == "edge of its conditions"]
    assert cell.variant == AMENDED
    at_edge = inputs(statement, cell)
    assert all(c.holds for c in statement.check(**at_edge))
    assert not all(c.holds for c in statement.check(**at_edge | {name: at_edge[name] * 1.01}))
    printed = inputs(statement, next(c for c in runs.cells(bounds.get(statement.id)) if c.role == cell.role))
    assert printed[name] > 1.5 * at_edge[name]


def test_a_quantity_that_an_amended_form_adds_is_given_on_its_safe_side() -> None:
    """s = (1 - r/n)/r falls as r grows and grows with n."""
    statement = bounds.get("dp_fedavg.theorem_4", AMENDED)
    runs = get_runs(statement)
    cells = {cell.role: cell for cell in runs.cells(statement)}
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
    for cell in get_runs(statement).cells(statement):
        given = {name: float(value) for name, value in cell.parameters.items()}
        assert given["gamma"] * 2 * given["L"] == pytest.approx(1, abs=1e-8)
        assert given["gamma"] * 2 * given["L"] <= 1


def test_nothing_stops_what_no_condition_names() -> None:
    convex = bounds.get("textbook.gradient_descent_convex")
    assert largest(convex, {"L": 1, "D0": 2, "N": 3}, "L") is None
    strong = bounds.get("textbook.gradient_descent_strongly_convex")
    point = {"L": 3, "D0": 2, "N": 3, "mu": 0.001}
    assert largest(strong, point, "mu") == pytest.approx(3, rel=4e-9)
    assert largest(strong, point, "mu") <= 3


def test_bounded_gradients_are_decided_once_there_is_a_bound() -> None:
    """`plan` asks before it has chosen C: nothing is decided then, and nothing raises."""
    statement = replace(bounds.get("als_dpfl.theorem_1.distance"), assumptions=(bounded_gradients,))
    problem = build("logistic.small", l2=0.0)
    lipschitz = float(problem.facts().lipschitz or 0)
    assert lipschitz > 0
    assert unmet(statement, problem, {}) is None
    assert unmet(statement, problem, {"C": 1.01 * lipschitz}) is None
    assert "above the bound C" in str(unmet(statement, problem, {"C": 0.99 * lipschitz}))
