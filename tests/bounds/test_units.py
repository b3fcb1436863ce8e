"""Units of every statement: values scale with their inputs, or the bookkeeping of dimensions says why not."""

import math
from dataclasses import replace

import pytest
from every_statement import STATEMENTS, UNSHRUNK, Point, every_statement, seeded_points, tolerance
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from sympy import Expr, Integer

from bounds.evaluation.resolve import resolve
from bounds.language.dimension import Dimension, infer, same
from bounds.language.statement import Statement
from verify.parameters.valid import valid_parameters


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
    wrong = any(scales_wrongly(statement, point, 256.0, 4.0) for point in seeded_points(statement)[:20])
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
