"""What every statement owes, driven by discovery: a new file is tested by being there.

Checks are functions that return what is wrong, so that the same function is shown to catch planted defects.
Conditions and units have files of their own.
"""

import ast
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from every_statement import (
    EPS,
    EVERYTHING,
    STATEMENTS,
    UNSHRUNK,
    Point,
    every_statement,
    seeded_points,
    statement_makers,
    tolerance,
)
from example_count import count_examples
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Symbol

import bounds
import bounds.papers
from bounds import errors
from bounds.evaluation.resolve import definitions, resolve
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement
from verify.parameters.valid import valid_parameters

# ---- what a statement consists of


def incomplete(statement: Statement) -> list[str]:
    known = statement.notation.quantities.keys() | statement.notation.observables.keys()
    parts = {
        "title": statement.title,
        "reading": statement.reading,
        "printed": statement.printed and all(statement.printed),
        "locator": statement.locator,
        "names of conditions": len({c.id for c in statement.conditions}) == len(statement.conditions),
        "names of terms": len({t.name for t in statement.terms}) == len(statement.terms),
    }
    missing = [name for name, part in parts.items() if not part]
    missing += [f"{s} is in no table" for s in statement.symbols if s.name not in known]
    missing += [f"locator of {c}" for c in statement.conditions if not (c.locator and c.printed)]
    missing += [f"locator of {c}" for c in (*statement.choices, *statement.where) if not c.locator]
    missing += _without_number(statement) if statement.left is None else _with_number(statement)
    if (statement.kind is Kind.RATE) != (statement.explicit is not None):
        missing.append("an explicit bound exactly where there is an O(.)")
    inputs = resolve(statement).required | resolve(statement).optional
    for symbol in (*statement.increasing, *statement.decreasing):
        if symbol.name not in inputs | {s.name for s, _ in definitions(statement)}:
            missing.append(f"{symbol.name}, declared monotone")
    return missing


def _with_number(statement: Statement) -> list[str]:
    assert statement.left is not None
    symbols = {s.name for s in statement.left.free_symbols}
    missing = [] if symbols and statement.terms else ["symbols on both sides"]
    bound = statement.kind in (Kind.UPPER_BOUND, Kind.RATE)
    if bound and not symbols & statement.notation.observables.keys():
        missing.append("an observable on the left")
    return missing


def _without_number(statement: Statement) -> list[str]:
    """Maps, listings and claims in prose."""
    missing = [] if not statement.terms else ["a left-hand side"]
    if statement.kind not in (Kind.CLAIM, Kind.DEFINITION, Kind.RULE) and statement.concrete is None:
        missing.append("a number, or objects on which it gives one")
    if statement.kind is Kind.CLAIM and bool(statement.refuted_by) == bool(statement.not_checkable):
        missing.append("either what would refute the claim or why nothing could")
    return missing


@pytest.mark.parametrize("identity", EVERYTHING)
def test_is_complete(identity: str) -> None:
    assert incomplete(EVERYTHING[identity]) == []


def test_what_is_missing_is_caught() -> None:
    statement = STATEMENTS["fed_norm_ec.theorem_1.main"]
    first, *others = statement.conditions
    assert incomplete(replace(statement, reading="")) != []
    assert incomplete(replace(statement, printed=())) != []
    assert incomplete(replace(statement, left=Symbol("nobody_knows"))) != []
    assert incomplete(replace(statement, left=None)) != []
    # of a bound the statement asks itself
    assert "symbols on both sides" in incomplete(replace(statement, kind=Kind.RULE, terms=()))
    claim = replace(statement, kind=Kind.CLAIM, left=None, terms=(), increasing=(), decreasing=())
    assert incomplete(claim) != []
    assert incomplete(replace(claim, refuted_by="a run")) == []
    assert incomplete(replace(claim, refuted_by="a run", not_checkable="it is an opinion")) != []
    assert incomplete(replace(statement, conditions=(replace(first, locator=""), *others))) != []
    assert incomplete(replace(statement, terms=(statement.terms[0], statement.terms[0]))) != []


@every_statement
def test_explicit_bound_of_a_rate_exists(identity: str) -> None:
    explicit = STATEMENTS[identity].explicit
    assert explicit is None or bounds.get(explicit).kind is not Kind.RATE


def test_every_statement_of_every_file_is_discovered_and_tested(
    request: pytest.FixtureRequest, collected: list[pytest.Item]
) -> None:
    """Counted in the source text, where discovery does not look; the cases are those of both tiers."""
    written = 0
    for path in Path(bounds.papers.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        makers = statement_makers(tree)
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                call = node.value.func
                written += isinstance(call, ast.Name) and call.id in makers
    # One amended form may stand for several printed ones of its locator.
    amended = {(form.locator, form.amendment) for form in EVERYTHING.values() if form.amendment}
    assert len(bounds.statements()) + len(amended) == written
    assert len(STATEMENTS) >= 16
    suite = {request.path.with_name(f"test_{name}.py") for name in ("conformance", "conditions", "units")}
    items: list[Any] = [i for i in collected if i.path in suite]
    if len(items) == 1 or request.config.option.keyword:
        return  # a selection of tests
    for function in {i.originalname for i in items if "identity" in getattr(i, "callspec", _None()).params}:
        tested = {i.callspec.params["identity"] for i in items if i.originalname == function}
        every = EVERYTHING if function == "test_is_complete" else STATEMENTS
        assert tested == every.keys() or function in PARTIAL, function


class _None:
    params: Mapping[str, Any] = {}


PARTIAL = frozenset({"test_edge"})


# ---- terms


def wrong_terms(statement: Statement, point: Point) -> list[str]:
    evaluation = statement.evaluate(**point)
    terms, value = evaluation.terms, evaluation.value
    wrong = [
        f"{term.name} = {terms[term.name]} is claimed non-negative"
        for term in statement.terms
        if term.non_negative and terms[term.name] < 0
    ]
    total, size = math.fsum(terms.values()), math.fsum(abs(t) for t in terms.values())
    if math.isfinite(size) and not abs(total - value) <= 4 * len(terms) * EPS * size:
        wrong.append(f"terms sum to {total}, the value is {value}")
    return wrong


@pytest.mark.sampled
@every_statement
@settings(max_examples=count_examples(40), phases=UNSHRUNK)
@given(data=st.data())
def test_terms_sum_to_the_value_and_have_their_sign(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    assert wrong_terms(statement, data.draw(valid_parameters(statement))) == []


@settings(max_examples=5, phases=UNSHRUNK)
@given(data=st.data())
def test_a_wrong_sign_is_caught(data: st.DataObject) -> None:
    statement = STATEMENTS["fed_norm_ec.lemma_4"]
    claimed = tuple(replace(term, non_negative=True) for term in statement.terms)
    point = dict(data.draw(valid_parameters(statement)), gradient_norm=1.0)
    assert wrong_terms(replace(statement, terms=claimed), point) != []


# ---- monotony


def wrong_way(statement: Statement, point: Point, factor: int) -> list[str]:
    """Symbols along which the value moves against what is declared; each moves towards a smaller bound."""
    wrong = []
    for symbol, sign in [(s, -1) for s in statement.increasing] + [(s, 1) for s in statement.decreasing]:
        if symbol.name not in point:
            continue
        x = point[symbol.name]
        moved = x * factor ** (sign if x > 0 else -sign)
        domain = statement.notation.quantities[symbol.name].domain
        if domain.integer:
            moved = math.floor(moved)
        moved = min(max(moved, domain.lower), domain.upper)
        inside = moved > domain.lower or domain.lower_included
        if moved == x or not inside or (moved == domain.upper and not domain.upper_included):
            continue
        other = dict(point) | {symbol.name: moved}
        before, after = statement.evaluate(**point).value, statement.evaluate(**other).value
        if not math.isfinite(before):
            continue
        if not after <= before and not after <= before + tolerance(statement, point, other) * abs(before):
            wrong.append(f"{symbol}: {before} at {x}, {after} at {moved}")
    return wrong


@pytest.mark.sampled
@every_statement
@settings(max_examples=10, phases=UNSHRUNK)
@given(data=st.data())
def test_monotony(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    point = data.draw(valid_parameters(statement))
    assert wrong_way(statement, point, data.draw(st.sampled_from([2, 3, 10]))) == []


@pytest.mark.thinned(3)
@pytest.mark.sampled
@every_statement
def test_the_opposite_of_a_declared_monotony_is_caught(identity: str) -> None:
    """So that no declaration is empty: somewhere the value does move."""
    statement = STATEMENTS[identity]
    points = seeded_points(statement)
    for name in ("increasing", "decreasing"):
        for symbol in getattr(statement, name):
            other = {"increasing": (), "decreasing": ()}
            other["decreasing" if name == "increasing" else "increasing"] = (symbol,)
            turned = replace(statement, **other)
            caught = any(_moved_against(turned, point) for point in points)
            assert caught or symbol.name not in points[0], symbol


def _moved_against(turned: Statement, point: Point) -> bool:
    return wrong_way(turned, point, 10) != []


# ---- edges


EDGES = [(identity, edge) for identity, s in STATEMENTS.items() for edge in s.edges]


def unlike_declared(statement: Statement, edge: Edge, point: Point) -> str | None:
    derived = {s.name: e for s, e in definitions(statement)}
    at = {n: x for n, x in point.items() if n != edge.symbol.name} | {edge.symbol.name: float(edge.at)}
    if edge.symbol.name in derived:  # given directly, and then not its sources
        given_directly = resolve(statement, frozenset({edge.symbol.name}))
        at = {n: x for n, x in at.items() if n in given_directly.required | given_directly.optional}
    try:
        evaluation = statement.evaluate(**at)
    except errors.OutOfDomain:
        return None if edge.outcome is EdgeOutcome.OUT_OF_DOMAIN else "out of domain"
    value, applicable = evaluation.value, evaluation.applicable
    fits = {
        EdgeOutcome.REGULAR: math.isfinite(value),
        EdgeOutcome.NOT_APPLICABLE: applicable is False,
        EdgeOutcome.NO_VALUE: not math.isfinite(value),
        EdgeOutcome.OUT_OF_DOMAIN: False,
    }
    return None if fits[edge.outcome] else f"declared {edge.outcome.value}: value {value}, {applicable=}"


@pytest.mark.sampled
@pytest.mark.parametrize(("identity", "edge"), EDGES, ids=[f"{i}-{e.symbol}={e.at}" for i, e in EDGES])
@settings(max_examples=10, phases=UNSHRUNK)
@given(data=st.data())
def test_edge(identity: str, edge: Edge, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    assert edge.sentence
    point = data.draw(valid_parameters(statement))
    if not math.isfinite(statement.evaluate(**point).value):
        return  # overflow, and not for the edge's sake
    assert unlike_declared(statement, edge, point) is None


def test_a_wrong_edge_is_caught() -> None:
    statement = STATEMENTS["fed_norm_ec.theorem_1.main"]
    point = seeded_points(statement)[4]
    for edge in statement.edges:
        assert unlike_declared(statement, edge, point) is None
        for outcome in EdgeOutcome:
            declared = unlike_declared(statement, replace(edge, outcome=outcome), point)
            regular_too = {edge.outcome, outcome} == {EdgeOutcome.REGULAR, EdgeOutcome.NOT_APPLICABLE}
            assert outcome is edge.outcome or regular_too or declared is not None


# ---- one object, printed twice


@settings(max_examples=count_examples(50), phases=UNSHRUNK)
@given(data=st.data())
def test_the_two_forms_of_theorem_1_agree(data: st.DataObject) -> None:
    main, appendix = (STATEMENTS[f"fed_norm_ec.theorem_1.{form}"] for form in ("main", "appendix"))
    point = data.draw(valid_parameters(main))
    assert appendix.evaluate(**point).applicable is True
    assert appendix.evaluate(**point).value == pytest.approx(
        main.evaluate(**point).value, rel=tolerance(main, point)
    )


@settings(max_examples=count_examples(50), phases=UNSHRUNK)
@given(data=st.data())
def test_the_two_forms_of_h_agree(data: st.DataObject) -> None:
    main, appendix = (STATEMENTS[f"als_dpfl.h.{form}"] for form in ("main", "appendix"))
    point = data.draw(valid_parameters(main))
    assert appendix.evaluate(**point).value == main.evaluate(**point).value


@settings(max_examples=count_examples(50), phases=UNSHRUNK)
@given(data=st.data())
def test_the_two_omegas_give_the_same_bound_where_they_are_the_same_number(data: st.DataObject) -> None:
    theorem, lemma = (STATEMENTS[f"als_dpfl.theorem_2.{form}"] for form in ("theorem_omega", "lemma_6_omega"))
    point = data.draw(valid_parameters(theorem))
    renamed = {"omega_lemma_6" if name == "omega" else name: x for name, x in point.items()}
    ours, theirs = theorem.evaluate(**point), lemma.evaluate(**renamed)
    assert theirs.value == ours.value
    assert [c.margin for c in theirs.conditions] == [c.margin for c in ours.conditions]


def test_forms_that_differ_are_told_apart() -> None:
    main = STATEMENTS["als_dpfl.h.main"]
    growth, linear = main.terms
    other = replace(main, terms=(growth, replace(linear, expression=linear.expression / 2)))
    point = main.example
    assert other.evaluate(**point).value != main.evaluate(**point).value
