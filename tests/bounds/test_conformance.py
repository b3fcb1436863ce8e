"""What every statement owes, driven by discovery: a new file is tested by being there.

Checks are functions that return what is wrong, so that the same function is shown to catch planted defects.
One file in spite of its length: the suite is one list of duties, in the order of a statement's fields.
"""

import ast
import math
import runpy
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import seed as hypothesis_seed
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from mpmath import mpf
from sympy import Expr, Integer, Symbol

import bounds
import bounds.papers
from bounds import discovery, errors
from bounds.evaluation.decide import decide
from bounds.evaluation.resolve import definitions, resolve
from bounds.language.condition import Condition, Solved, at_most, solved_at_most
from bounds.language.dimension import Dimension, infer, same
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement
from verify.parameters.valid import UnsolvableCondition, valid_parameters

ORACLE = runpy.run_path(str(Path(__file__).with_name("oracle.py")))
EVERYTHING = discovery.forms()
STATEMENTS = {identity: statement for identity, statement in EVERYTHING.items() if statement.evaluable}
every_statement = pytest.mark.parametrize("identity", STATEMENTS)
EPS = 2.0**-52
# The oracle is too slow for hundreds of shrinking steps; the point that is shown is valid as it is.
UNSHRUNK = (Phase.explicit, Phase.generate)

Point = Mapping[str, float]


def tolerance(statement: Statement, *points: Point) -> float:
    """Relative: a few roundings, amplified by the conditioning at the points."""
    needed = resolve(statement).required
    kappas = [ORACLE["kappa"](statement.right, statement, {n: p[n] for n in needed}) for p in points]
    return 1e-12 + 16 * EPS * float(max(kappas))


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
    assert incomplete(replace(statement, terms=())) != []
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
        body = ast.parse(path.read_text(encoding="utf-8")).body
        makers = {"Statement", "replace", "amend"} | {f.name for f in body if _makes_a_statement(f)}
        for node in body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                call = node.value.func
                written += isinstance(call, ast.Name) and call.id in makers
    # One amended form may stand for several printed ones of its locator.
    amended = {(form.locator, form.amendment) for form in EVERYTHING.values() if form.amendment}
    assert len(bounds.statements()) + len(amended) == written
    assert len(STATEMENTS) >= 16
    items: list[Any] = [i for i in collected if i.path == request.path]
    if len(items) == 1 or request.config.option.keyword:
        return  # a selection of tests
    for function in {i.originalname for i in items if "identity" in getattr(i, "callspec", _None()).params}:
        tested = {i.callspec.params["identity"] for i in items if i.originalname == function}
        every = EVERYTHING if function == "test_is_complete" else STATEMENTS
        assert tested == every.keys() or function in PARTIAL, function


def _makes_a_statement(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.FunctionDef)
        and isinstance(node.returns, ast.Name)
        and node.returns.id == "Statement"
    )


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
@settings(max_examples=40, phases=UNSHRUNK)
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


@cache
def seeded_points(statement: Statement) -> list[dict[str, float]]:
    """Valid points as plain values, from ten seeds: within one the later examples repeat much of the earlier.

    What a seed gives depends on the constants that Hypothesis finds in the modules that are loaded.
    """
    found: list[dict[str, float]] = []
    strategy = valid_parameters(statement)
    for number in range(10):

        @hypothesis_seed(number)
        @settings(max_examples=10, database=None)
        @given(strategy)
        def collect(point: dict[str, float]) -> None:
            found.append(point)

        collect()
    return found


def seeded(statement: Statement, seed: int) -> dict[str, float]:
    points = seeded_points(statement)
    return points[(40 + seed) % len(points)]  # without inputs there is one point


# ---- conditions


@pytest.mark.sampled
@every_statement
@settings(max_examples=40, phases=UNSHRUNK)
@given(data=st.data())
def test_conditions_hold_at_valid_parameters(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    evaluation = statement.evaluate(**data.draw(valid_parameters(statement)))
    failed = [(c.condition.locator, c.holds, c.margin) for c in evaluation.conditions if c.holds is not True]
    assert failed == []
    assert evaluation.applicable is True
    for checked in evaluation.conditions:
        assert checked.margin >= 0 or checked.tie


@pytest.mark.sampled
@every_statement
@settings(max_examples=20, phases=UNSHRUNK)
@given(data=st.data())
def test_derived_quantities_are_in_their_domains(identity: str, data: st.DataObject) -> None:
    """Where all conditions hold: what a paper assumes of a derived quantity is a condition or follows."""
    statement = STATEMENTS[identity]
    evaluation = statement.evaluate(**data.draw(valid_parameters(statement)))
    outside = {}
    for name, value in evaluation.derived.items():
        quantity = statement.notation.quantities.get(name)
        if quantity is not None and math.isfinite(value):
            domain = quantity.domain
            low = value > domain.lower or (domain.lower_included and value == domain.lower)
            high = value < domain.upper or (domain.upper_included and value == domain.upper)
            if not (low and high):
                outside[name] = value
    assert outside == {}


def limit_in_inputs(statement: Statement, condition: Condition) -> Expr:
    substitution = {c.symbol: c.expression for c in statement.choices} | dict(definitions(statement))
    assert condition.constructive is not None
    limit = condition.constructive.limit
    while limit.free_symbols & substitution.keys():
        limit = limit.xreplace(substitution)
    return limit


def disagreeing(statement: Statement, point: Point, factor: float) -> list[str]:
    """Conditions that do not turn where their solved form says that they turn."""
    wrong = []
    for condition, sides in zip(statement.conditions, resolve(statement).conditions, strict=True):
        solved = condition.constructive
        assert solved is not None
        limit_expression = limit_in_inputs(statement, condition)
        given_values = {s.name: point[s.name] for s in limit_expression.free_symbols}
        limit = float(ORACLE["value"](limit_expression, statement, given_values))
        away = abs(limit) * factor or factor
        for side, expected in ((-away, solved.relation.upper), (away, not solved.relation.upper)):
            at = dict(point) | {solved.symbol.name: limit + side}
            checked = decide(condition, *sides, at)
            if checked.holds is not expected:
                wrong.append(
                    f"{condition.id}: {solved.symbol} = {limit + side}, limit {limit}: {checked.holds}"
                )
    return wrong


@pytest.mark.sampled
@every_statement
@settings(max_examples=20, phases=UNSHRUNK)
@given(data=st.data())
def test_solved_form_agrees_with_the_condition(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    point = data.draw(valid_parameters(statement))
    assert disagreeing(statement, point, data.draw(st.sampled_from([1e-6, 1e-3, 0.5]))) == []


def test_a_wrong_solved_form_is_caught() -> None:
    statement = STATEMENTS["dp_fedavg.theorem_2"]
    point = seeded(statement, 3)
    assert disagreeing(statement, point, 1e-6) == []
    *others, last = statement.conditions
    assert last.solved is not None
    solved = last.solved
    for mutant in (
        Solved(solved.symbol, solved.relation, solved.limit * Integer(1001) / 1000),
        Solved(solved.symbol, at_most(Integer(0), 0, locator="", printed="").relation, solved.limit),
    ):
        wrong = replace(statement, conditions=(*others, replace(last, solved=mutant)))
        assert disagreeing(wrong, point, 1e-6) != []


def test_a_dropped_condition_is_missed_by_valid_parameters() -> None:
    """Without eta <= 1/L the strategy leaves it: the condition is what keeps the points inside."""
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    without = replace(statement, conditions=())
    verdicts = {statement.evaluate(**seeded(without, seed)).applicable for seed in range(40)}
    assert False in verdicts


def test_a_circle_of_conditions_is_named() -> None:
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    symbols = {s.name: s for s in statement.right.free_symbols}
    back = at_most(symbols["L"], 1 / symbols["eta"], locator="X.back", printed="L at most 1/eta")
    with pytest.raises(UnsolvableCondition, match=r"X\.back"):
        valid_parameters(replace(statement, conditions=(*statement.conditions, back)))


def test_a_condition_without_solved_form_is_named() -> None:
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    symbols = {s.name: s for s in statement.right.free_symbols}
    product = at_most(symbols["L"] * symbols["eta"], 1, locator="X.product", printed="eta L at most 1")
    with pytest.raises(UnsolvableCondition, match=r"X\.product"):
        valid_parameters(replace(statement, conditions=(product,)))
    derived = replace(product, solved=solved_at_most(Symbol("not_an_input"), 1))
    with pytest.raises(UnsolvableCondition, match=r"X\.product"):
        valid_parameters(replace(statement, conditions=(derived,)))


@settings(max_examples=30, phases=UNSHRUNK)
@given(data=st.data())
def test_several_limits_on_one_symbol_combine(data: st.DataObject) -> None:
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    symbols = {s.name: s for s in statement.right.free_symbols}
    more = (
        at_most(symbols["eta"], 1 / symbols["mu"], locator="X.1", printed="-"),
        at_most(symbols["eta"], Integer(3), locator="X.2", printed="-"),
    )
    point = data.draw(valid_parameters(replace(statement, conditions=(*statement.conditions, *more))))
    assert 0 < point["eta"] <= min(1 / point["L"], 1 / point["mu"], 3) * (1 + 4 * EPS)


# ---- units


def mismatches(statement: Statement) -> list[str]:
    """What the bookkeeping of dimensions says of the value, after choices and definitions."""
    known = {n: q.dimension for n, q in statement.notation.quantities.items()}
    known |= {n: o.dimension for n, o in statement.notation.observables.items()}
    right = sum(resolve(statement).terms, Integer(0))
    dimension, found = infer(right, known)
    assert statement.left is not None
    left, inside = infer(statement.left, known)
    if right == 0:  # zero has every unit
        return [str(m) for m in inside]
    wrong = [str(m) for m in (*found, *inside)]
    return wrong if same(dimension, left) else [*wrong, f"left is {left}, right is {dimension}"]


def scale(dimension: Dimension, a: float, b: float, point: Point) -> mpf:
    def exponent(e: Expr) -> float:
        return float(e.subs({s: point[s.name] for s in e.free_symbols}))

    return mpf(a) ** exponent(dimension.value) * mpf(b) ** exponent(dimension.distance)


def scales_wrongly(statement: Statement, point: Point, a: float, b: float) -> bool:
    """f -> a f, x -> b x in every input; the value must scale as the left side does."""
    quantities = statement.notation.quantities
    known = {n: q.dimension for n, q in quantities.items()}
    known |= {n: o.dimension for n, o in statement.notation.observables.items()}
    needed = {name: point[name] for name in resolve(statement).required}
    scaled = {n: float(x * scale(quantities[n].dimension, a, b, point)) for n, x in needed.items()}
    assert statement.left is not None
    factor = scale(infer(statement.left, known)[0], a, b, point)
    expected = statement.evaluate(**needed).value * factor
    value = statement.evaluate(**scaled).value
    if value == expected:
        return False
    # Scaled inputs are rounded: that alone moves the value by kappa units.
    limit = tolerance(statement, needed, scaled)
    return not (abs(value - expected) <= limit * abs(expected) or not math.isfinite(expected))


# Powers of four: scaling by them rounds nothing, so that a value of 0 (mu = L) stays 0.
POWERS_OF_FOUR = st.sampled_from([0.25, 16.0, 256.0])


@every_statement
def test_the_example_meets_every_condition(identity: str) -> None:
    statement = STATEMENTS[identity]
    evaluation = statement.evaluate(**statement.example)
    assert evaluation.applicable is True, evaluation.conditions
    assert math.isfinite(evaluation.value)


@pytest.mark.sampled
@every_statement
@settings(max_examples=8, phases=UNSHRUNK)
@given(data=st.data())
def test_clean_units_scale(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    if mismatches(statement):
        return  # the next test is about these
    point = data.draw(valid_parameters(statement))
    assert not scales_wrongly(statement, point, data.draw(POWERS_OF_FOUR), data.draw(POWERS_OF_FOUR))


@pytest.mark.sampled
@every_statement
def test_mismatched_units_do_not_scale(identity: str) -> None:
    statement = STATEMENTS[identity]
    wrong = any(scales_wrongly(statement, seeded(statement, seed), 256.0, 4.0) for seed in range(20))
    assert wrong == bool(mismatches(statement)), mismatches(statement)


def test_which_statements_have_mismatched_units() -> None:
    """Printed as the papers print them; a change here is a change of the mathematics."""
    assert {identity for identity, s in STATEMENTS.items() if mismatches(s)} == {
        "als_dpfl.claims_on_tau.minimizer",
        "als_dpfl.claims_on_tau.optimal",
        "als_dpfl.control_objective",
        "als_dpfl.control_parameter.theorem",
        "als_dpfl.optimal_tau",
        "als_dpfl.theorem_2.lemma_6_omega",
        "als_dpfl.theorem_2.theorem_omega",
        "dp_fedavg.equation_15",
        "fed_norm_ec.claims.drift",
        "fed_norm_ec.corollary_1.appendix",
        "fed_norm_ec.corollary_1.rate",
        "fed_norm_ec.corollary_2",
        "fed_norm_ec.corollary_3.rate",
        "fed_norm_ec.corollary_5",
        "fed_norm_ec.corollary_6",
        "fedavg_lojasiewicz.claims_of_theorem_f2.h1end",
        "fedavg_lojasiewicz.claims_of_theorem_f2.unroll",
        "fedavg_lojasiewicz.recursions.f4",
        "fedavg_lojasiewicz.theorem_f2",
    }


def test_a_unit_error_is_caught_by_both() -> None:
    statement = STATEMENTS["fed_norm_ec.theorem_1.main"]
    first, *others = statement.terms
    symbols = {s.name: s for s in statement.right.free_symbols}
    for factor in (symbols["L"], symbols["eta"] ** -1):
        wrong = replace(statement, terms=(replace(first, expression=first.expression * factor), *others))
        assert mismatches(wrong) != []
        assert scales_wrongly(wrong, statement.example, 100.0, 3.0)


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
    point = seeded(statement, 5)
    for edge in statement.edges:
        assert unlike_declared(statement, edge, point) is None
        for outcome in EdgeOutcome:
            declared = unlike_declared(statement, replace(edge, outcome=outcome), point)
            regular_too = {edge.outcome, outcome} == {EdgeOutcome.REGULAR, EdgeOutcome.NOT_APPLICABLE}
            assert outcome is edge.outcome or regular_too or declared is not None


# ---- one object, printed twice


@settings(max_examples=50, phases=UNSHRUNK)
@given(data=st.data())
def test_the_two_forms_of_theorem_1_agree(data: st.DataObject) -> None:
    main, appendix = (STATEMENTS[f"fed_norm_ec.theorem_1.{form}"] for form in ("main", "appendix"))
    point = data.draw(valid_parameters(main))
    assert appendix.evaluate(**point).applicable is True
    assert appendix.evaluate(**point).value == pytest.approx(
        main.evaluate(**point).value, rel=tolerance(main, point)
    )


@settings(max_examples=50, phases=UNSHRUNK)
@given(data=st.data())
def test_the_two_forms_of_h_agree(data: st.DataObject) -> None:
    main, appendix = (STATEMENTS[f"als_dpfl.h.{form}"] for form in ("main", "appendix"))
    point = data.draw(valid_parameters(main))
    assert appendix.evaluate(**point).value == main.evaluate(**point).value


@settings(max_examples=50, phases=UNSHRUNK)
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


# ---- the strategy itself


@pytest.mark.sampled
@every_statement
def test_valid_parameters_are_spread_and_reach_their_ends(identity: str) -> None:
    """Zero is drawn where nothing depends on its being positive."""
    statement = STATEMENTS[identity]
    limited = {c.constructive.symbol.name for c in statement.conditions if c.constructive}
    depended_on = set()
    for condition in statement.conditions:
        depended_on |= {s.name for s in limit_in_inputs(statement, condition).free_symbols}
    for name in resolve(statement).required | resolve(statement).optional:
        values = np.array([point[name] for point in seeded_points(statement)])
        domain = statement.notation.quantities[name].domain
        assert len(set(values)) > 10
        if domain.lower == 0 and domain.lower_included and name not in limited | depended_on:
            assert (values == 0).any(), name
        if domain.upper == math.inf and domain.lower == 0 and not domain.integer:
            positive = values[values > 0]
            assert positive.max() / positive.min() > 1e3, name


def test_no_such_example_is_not_swallowed() -> None:
    """An empty range is named, not filtered."""
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    symbols = {s.name: s for s in statement.right.free_symbols}
    impossible = at_most(symbols["eta"], Integer(-1), locator="X.empty", printed="eta at most -1")

    @settings(max_examples=1, database=None)
    @given(valid_parameters(replace(statement, conditions=(impossible,))))
    def draw(point: dict[str, float]) -> None:
        raise NoSuchExample(str(point))

    with pytest.raises(UnsolvableCondition, match=r"X\.empty"):
        draw()
