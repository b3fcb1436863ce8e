"""A compiled statement gives the value of `evaluate`, refuses what it refuses, and runs no text."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from types import FunctionType

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sympy import Rational, Symbol

import bounds
from bounds import discovery, errors
from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import compile_expressions, run
from bounds.arithmetic.running_error import Pair, RunningError
from bounds.evaluation import compiled
from bounds.evaluation.resolve import resolve_with
from bounds.language.dimension import ONE, F
from bounds.language.quantity import Role
from bounds.language.statement import Kind, Statement, Term
from verify.parameters.valid import valid_parameters

STATEMENTS = {name: form for name, form in discovery.forms().items() if form.evaluable}
every_statement = pytest.mark.parametrize("identity", STATEMENTS)
ULP = 2.0**-52
UNSHRUNK = (Phase.explicit, Phase.generate)
POINT = {"L": 1.0, "D0": 2.0, "C_hat": 3.0, "K": 50.0, "E": 3.0, "rho": 0.1, "alpha": 2.0}
POINT |= {"Delta_star_max": 0.5, "Delta_star_mean": 0.2}
THEOREM = bounds.get("dp_fedavg.theorem_2")


def differs(function: compiled.Compiled, statement: Statement, point: Mapping[str, float]) -> str:
    """Why the function is not the value: at most 4 ulp, or the bound of the running error analysis, apart."""
    found, value = function(*point.values()), statement.evaluate(**point).value
    if found == value or abs(found - value) <= 4 * ULP * abs(value):
        return ""
    resolved = resolve_with(statement, point)[1]
    inputs = {name: Pair(np.float64(x), np.float64(0)) for name, x in point.items()}
    with np.errstate(all="ignore"):
        (pair,) = run(resolved.only_value, RunningError(), inputs)
    return "" if abs(found - value) <= 2 * pair.error else f"{found} is not {value} at {dict(point)}"


@pytest.mark.sampled
@every_statement
@settings(max_examples=6, phases=UNSHRUNK)
@given(data=st.data())
def test_the_value_is_that_of_evaluate(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    point = data.draw(valid_parameters(statement))
    assert differs(statement.compile(*point), statement, point) == ""
    half = len(point) // 2
    free, fixed = dict(list(point.items())[:half]), dict(list(point.items())[half:])
    assert statement.compile(*free, **fixed)(*free.values()) == pytest.approx(
        statement.compile(*point)(*point.values()), rel=8 * ULP, abs=0, nan_ok=True
    )


@pytest.mark.parametrize("identity", ["dp_fedavg.theorem_2", "textbook.gradient_descent_convex"])
def test_a_changed_coefficient_is_caught(identity: str) -> None:
    statement = bounds.get(identity)
    first, *others = statement.terms
    wrong = replace(first, expression=first.expression * (1 + Rational(1, 10**13)))
    changed = replace(statement, terms=(wrong, *others))
    assert differs(statement.compile(*statement.example), statement, statement.example) == ""
    assert differs(changed.compile(*statement.example), statement, statement.example) != ""


def test_a_wrong_operation_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = dict(compiled._NODES) | {np.divide: compiled._NODES[np.multiply]}
    monkeypatch.setattr(compiled, "_NODES", wrong)
    assert differs(THEOREM.compile(*POINT), THEOREM, POINT) != ""


@pytest.mark.sampled
@every_statement
def test_the_code_knows_no_name_but_ours(identity: str) -> None:
    statement = STATEMENTS[identity]
    resolved = resolve_with(statement, ())[1]
    made = compiled._function(resolved.only_value, tuple(sorted(resolved.required)), {})
    assert isinstance(made, FunctionType)
    assert set(made.__code__.co_names) <= compiled._CALLS.keys()
    assert not [name for name in made.__code__.co_varnames if not re.fullmatch(r"v\d+", name)]
    assert made.__globals__ == {"__builtins__": {}, **compiled._CALLS}
    assert all(c is None or isinstance(c, float) for c in made.__code__.co_consts)


def test_a_quantity_with_a_hostile_name_is_a_number_like_any_other() -> None:
    notation, hostile = THEOREM.notation, "__import__('os').abort()"
    paper = replace(THEOREM.paper, notation=replace(notation, quantities=dict(notation.quantities)))
    entry = notation.quantities["L"]
    symbol = paper.notation.quantity(hostile, "h", "hostile", entry.domain, entry.dimension)
    statement = Statement(
        locator="X", kind=Kind.UPPER_BOUND, paper=paper, title="", printed=(), reading="", left=symbol,
        terms=(Term("only", 2 * symbol, ""),),
    )  # fmt: skip
    assert statement.compile(hostile)(3.0) == 6.0


@pytest.mark.parametrize(
    ("names", "fixed", "refusal", "words"),
    [
        (["K", "alpah"], {}, errors.UnknownName, "no quantity alpah: did you mean alpha?"),
        (["K"], {}, errors.MissingQuantity, "needs a value for .*rho"),
        (["K", "K"], {}, errors.OverdeterminedQuantity, "K is given twice"),
        ([*POINT], {"L": 1}, errors.OverdeterminedQuantity, "L is given twice"),
        ([*POINT, "eta"], {}, errors.PrescribedQuantity, "prescribes eta"),
        ([*POINT][1:], {"L": -1}, errors.OutOfDomain, "L .* must be real > 0"),
        ([*POINT][1:], {"L": "1"}, errors.NotANumber, "L must be a number"),
        ([*POINT][1:], {"L": [1.0, 2.0]}, errors.NotANumber, "L must be a single number"),
        ([*POINT][1:], {"L": math.nan}, errors.NotANumber, "L must be a finite number"),
        ([*POINT, 1], {}, errors.UnknownName, "a name is a string"),
    ],
)
def test_what_cannot_be_compiled(
    names: list[str], fixed: dict[str, float], refusal: type, words: str
) -> None:
    with pytest.raises(refusal, match=words):
        THEOREM.compile(*names, **fixed)


def test_what_gives_no_number_is_not_compiled() -> None:
    without = next(s for s in bounds.statements() if not s.evaluable)
    with pytest.raises(errors.NotEvaluable, match="gives no number"):
        without.compile()


def test_the_constant_of_a_rate_is_needed() -> None:
    rates = [(form, order_constants(form)) for form in STATEMENTS.values() if order_constants(form)]
    assert rates
    for rate, constants in rates:
        free = resolve_with(rate, ())[1].required - constants
        with pytest.raises(errors.MissingQuantity, match=f"value for {', '.join(sorted(constants))}$"):
            rate.compile(*free)


def order_constants(statement: Statement) -> set[str]:
    known = statement.notation.quantities
    needed = resolve_with(statement, ())[1].required
    return {name for name in needed if name in known and known[name].role is Role.ORDER_CONSTANT}


def test_both_variants() -> None:
    printed = bounds.get("fedavg_lojasiewicz.theorem_f2")
    amended = bounds.get("fedavg_lojasiewicz.theorem_f2", "amended")
    point = amended.example
    values = [form.compile(*point)(*point.values()) for form in (printed, amended)]
    assert values == [pytest.approx(form.evaluate(**point).value) for form in (printed, amended)]
    assert values[0] != values[1]


def test_checks_on_request() -> None:
    plain, checked = THEOREM.compile(*POINT), THEOREM.compile(*POINT, checked=True)
    assert checked(*POINT.values()) == THEOREM.evaluate(**POINT).value
    outside = POINT | {"C_hat": 1.0, "E": 40.0}
    assert plain(*outside.values()) == THEOREM.evaluate(**outside).value
    with pytest.raises(errors.OutsideConditions, match=r"B\.thm2\.threshold, .*B\.thm2\.local_steps"):
        checked(*outside.values())
    with pytest.raises(errors.OutOfDomain, match=r"E .* must be integer >= 1, but is 2\.5"):
        checked(*(POINT | {"E": 2.5}).values())
    with pytest.raises(errors.ShapesDisagree, match="single numbers"):
        checked(*(POINT | {"L": [1.0, 2.0]}).values())
    with pytest.raises(errors.MissingQuantity, match="Delta_star_max too, to check its conditions"):
        THEOREM.compile(*(name for name in POINT if name != "Delta_star_max"), checked=True)
    for function in (plain, checked):
        with pytest.raises(TypeError, match=r"takes 9 numbers \(L, D0, .*\), but got 1"):
            function(1.0)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_what_leaves_the_range_on_the_way_is_computed_precisely(scale: float) -> None:
    point = {"L": 1 / scale, "D0": scale, "N": 10.0}  # D0^2 is no float64, the value is
    statement = bounds.get("textbook.gradient_descent_convex")
    value = statement.compile(*point)(*point.values())
    assert value == statement.evaluate(**point).value == pytest.approx(scale / 42)


def test_a_single_point_costs_little_more_than_by_hand() -> None:
    """The target of benchmarks/evaluate.py is 5; here only that nothing of `evaluate` is on the way."""
    import timeit

    function, point = THEOREM.compile(*POINT), tuple(POINT.values())
    plain = min(timeit.repeat(lambda: function(*point), number=500, repeat=5))
    full = min(timeit.repeat(lambda: THEOREM.evaluate(**POINT).value, number=500, repeat=5))
    assert plain < full / 5


def test_a_rounded_number_is_refused_with_what_to_write() -> None:
    gradient_descent = bounds.get("textbook.gradient_descent_convex")
    rounded = replace(
        gradient_descent, terms=(Term("start", 0.4 * gradient_descent.terms[0].expression, "x"),)
    )
    with pytest.raises(errors.MalformedStatement, match=r"0\.4 is rounded; write a fraction"):
        rounded.evaluate(**gradient_descent.example)


def test_the_absolute_value_is_the_larger_of_a_number_and_its_negative() -> None:
    x = Symbol("x", real=True)
    program = compile_expressions([abs(x - 3)])
    assert [run_arrays(program, {"x": value})[0].item() for value in (1.0, 5.0)] == [2.0, 2.0]


def test_one_over_a_dimension_is_a_dimension_and_two_over_it_is_none() -> None:
    assert 1 / F == ONE / F
    with pytest.raises(TypeError):
        2 / F
