"""float64 against hundreds of digits: every term and value is as accurate as its conditioning allows."""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import oracle
import pytest
from example_count import count_examples
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from sympy import Expr, Integer, Max, Min, Rational, Symbol, preorder_traversal, sqrt

from bounds.arithmetic.program import compile_expressions
from bounds.discovery import forms
from bounds.evaluation.evaluate import elasticity
from bounds.evaluation.resolve import resolve
from bounds.language.quantity import Domain
from bounds.language.statement import Statement, Term
from verify.parameters.valid import valid_parameters

conditioning, NoValue = oracle.conditioning, oracle.NoValue

EPS = 2.0**-52
x = Symbol("x", real=True)
# Between these no intermediate result overflows or underflows at the sizes that are drawn here.
LARGEST, SMALLEST = 1e250, 1e-250
STATEMENTS = {name: form for name, form in forms().items() if form.evaluable}
# Hundreds of digits are too slow for hundreds of shrinking steps; the point that is shown is valid as it is.
UNSHRUNK = (Phase.explicit, Phase.generate)
every_statement = pytest.mark.parametrize("identity", STATEMENTS)


def inaccurate(
    statement: Statement, point: Mapping[str, float], *, truth: Statement | None = None, floor: float = 1e-12
) -> list[str]:
    """What is less accurate than max(floor, 8 eps kappa); `truth` is what a mutant is compared with."""
    right = truth or statement
    point = {name: point[name] for name in resolve(statement).required}
    evaluation = statement.evaluate(**point)
    wrong = []
    parts = {term.name: (term.expression, evaluation.terms[term.name]) for term in right.terms}
    parts["value"] = right.right, evaluation.value
    alone = statement.evaluate(**point).value  # without the terms another program runs
    if alone != evaluation.value and not (math.isnan(alone) and math.isnan(evaluation.value)):
        wrong.append(f"value {evaluation.value!r} after the terms, {alone!r} alone")
    for name, (expression, computed) in parts.items():
        try:
            exact = oracle.value(expression, right, point)
        except NoValue:
            if math.isfinite(computed):
                wrong.append(f"{name}: {computed!r} where there is no value")
            continue
        if abs(exact) > LARGEST or 0 < abs(exact) < SMALLEST:
            continue
        error = abs(mpf(computed) - exact)
        if error <= floor * abs(exact):
            continue
        kappa = float(oracle.kappa(expression, right, point))
        if not error <= 8 * EPS * kappa * abs(exact):
            relative = float(error / abs(exact)) if exact else float(error)
            shown = f"{name}: {computed!r}, truth {float(exact)!r}"
            wrong.append(f"{shown}, off by {relative:.2g}, kappa {kappa:.2g}")
    return wrong


def spread(domain: Domain) -> st.SearchStrategy[float]:
    """The whole domain over many decades, with no regard to the conditions."""
    if domain.integer:
        return st.integers(int(domain.lower), 2000).map(float)
    exponents = st.floats(-9, 9)
    if domain.lower == -math.inf:
        return exponents.map(lambda e: 10.0**e) | exponents.map(lambda e: -(10.0**e))
    if domain.upper == math.inf:
        return exponents.map(lambda e: domain.lower + 10.0**e)
    width = domain.upper - domain.lower
    low = exponents.map(lambda e: domain.lower + width * 10.0 ** -abs(e) * 0.999)
    high = exponents.map(lambda e: domain.upper - width * 10.0 ** -abs(e) * 0.999)
    return low | high


def anywhere(statement: Statement) -> st.SearchStrategy[dict[str, float]]:
    required = resolve(statement).required
    quantities = statement.notation.quantities
    return st.fixed_dictionaries({name: spread(quantities[name].domain) for name in sorted(required)})


@pytest.mark.thinned(2)
@pytest.mark.sampled
@every_statement
@settings(max_examples=count_examples(30), phases=UNSHRUNK)
@given(data=st.data())
def test_valid_parameters(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    assert inaccurate(statement, data.draw(valid_parameters(statement))) == []


@pytest.mark.thinned(2)
@pytest.mark.sampled
@every_statement
@settings(max_examples=count_examples(30), phases=UNSHRUNK)
@given(data=st.data())
def test_whole_domain(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    assert inaccurate(statement, data.draw(anywhere(statement))) == []


def at_a_kink(statement: Statement, point: Mapping[str, float]) -> bool:
    """Whether two operands of a maximum or minimum are equal: there is no slope there to compare."""
    parts = [part for term in resolve(statement).terms for part in preorder_traversal(term)]
    ends = [part for part in parts if isinstance(part, Max | Min)]
    operands = [[oracle.value(a, statement, point) for a in end.args] for end in ends]
    return any(len(set(values)) < len(values) for values in operands)


@pytest.mark.thinned(2)
@pytest.mark.sampled
@every_statement
@settings(max_examples=15, phases=UNSHRUNK)
@given(data=st.data())
def test_reported_condition_number(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    point = data.draw(valid_parameters(statement))
    point = {name: point[name] for name in resolve(statement).required}
    if at_a_kink(statement, point):
        return
    truth, elasticities = conditioning(statement.right, statement, point)
    reported = statement.evaluate(**point)
    kappa = float(sum(abs(e) for e in elasticities.values()))
    if not elasticities:  # a constant
        assert reported.condition_number is None
        return
    if truth == 0 or kappa > 1e12:  # a root at zero, as in p = 1 without noise: its slope is infinite
        assert reported.condition_number is None or not reported.condition_number < 1e10
        return
    for name, slope in elasticities.items():
        assert reported.elasticities.get(name, 0.0) == pytest.approx(float(slope), rel=1e-6, abs=1e-9)
    assert reported.condition_number == pytest.approx(kappa, rel=1e-6, abs=1e-9)


# ---- where naive forms lose everything

tiny = st.floats(-16, -10).map(lambda e: 10.0**e)
sizes = st.floats(-3, 3).map(lambda e: 10.0**e)


@settings(max_examples=count_examples(40), phases=UNSHRUNK)
@given(eta_mu=tiny, mu=sizes, K=st.integers(0, 10**6), sigma=sizes, D0=sizes)
def test_hardly_contracting_descent(eta_mu: float, mu: float, K: int, sigma: float, D0: float) -> None:
    statement = STATEMENTS["textbook.stochastic_gradient_descent"]
    point = {"eta": eta_mu / mu, "mu": mu, "K": K, "sigma": sigma, "D0": D0}
    assert inaccurate(statement, point) == []


@settings(max_examples=count_examples(40), phases=UNSHRUNK)
@given(
    excess=st.floats(-9, -6).map(lambda e: 10.0**e),
    f0_gap=sizes,
    eta=sizes,
    mu=sizes,
    R=st.integers(0, 1000),
)
def test_exponent_close_to_one(excess: float, f0_gap: float, eta: float, mu: float, R: int) -> None:
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    others = {"L": 1.0, "M": 3, "zeta": 0.1, "sigma": 0.2}
    point = others | {"alpha": 1 + excess, "f0_gap": f0_gap, "eta": eta / 1000, "mu": mu, "R": R}
    assert inaccurate(statement, point) == []


@pytest.mark.parametrize("form", ["main", "appendix"])
@settings(max_examples=count_examples(30), phases=UNSHRUNK)
@given(eta_beta=tiny, beta=sizes, x=st.integers(0, 10**6), xi=sizes, sigma=sizes)
def test_many_steps_of_tiny_growth(
    form: str, eta_beta: float, beta: float, x: int, xi: float, sigma: float
) -> None:
    statement = STATEMENTS[f"als_dpfl.h.{form}"]
    others = {"C": 2.0, "B": 7, "d": 50}
    point = others | {"eta": eta_beta / beta, "beta": beta, "x": x, "xi": xi, "sigma": sigma}
    assert inaccurate(statement, point) == []


@pytest.mark.parametrize("form", ["main", "appendix"])
@pytest.mark.parametrize("p", [1.0, 1 - 2.0**-53, 1 - 1e-12, 1 - 1e-6, 0.5, 1e-6, 1e-12, 1e-100])
@pytest.mark.parametrize("sigma_DP", [0.0, 1e-8, 1.0])
def test_nearly_full_and_nearly_no_participation(form: str, p: float, sigma_DP: float) -> None:
    statement = STATEMENTS[f"fed_norm_ec.theorem_1.{form}"]
    point = {"K": 30, "M": 9, "L": 0.3, "R": 1e-9, "T": 1, "beta": 3.0, "eta": 1e6, "f0_gap": 1e-6}
    assert inaccurate(statement, point | {"p": p, "sigma_DP": sigma_DP, "Delta_inf": 0.0}) == []


@pytest.mark.parametrize("M", [1, 2, 3, 1000])
@pytest.mark.parametrize("missing", [0.0, 1e-12, 1e-6, 0.5])
def test_nearly_all_clients(M: int, missing: float) -> None:
    statement = STATEMENTS["fed_norm_ec.corollary_1.explicit"]
    point = {"K": 5, "L": 2.0, "M": M, "R": 1e-3, "c": 1.5, "delta": 1e-5, "epsilon": 2.0, "f0_gap": 0.7}
    assert inaccurate(statement, point | {"B_hat": max(1.0, M - missing)}) == []


@pytest.mark.parametrize(("K", "eta"), [(0, 1.0), (1, 1.0), (7, 1.0), (0, 0.5)])
def test_contraction_factor_zero(K: int, eta: float) -> None:
    """mu = L and eta = 1/L reach the minimizer in one step: q = 0, and 0^0 = 1 as the text says."""
    statement = STATEMENTS["textbook.stochastic_gradient_descent"]
    assert inaccurate(statement, {"eta": eta, "mu": 1 / eta, "K": K, "sigma": 0.3, "D0": 2.0}) == []


@pytest.mark.parametrize("K", [0, 1, 5])
def test_beyond_the_step_size_limit_the_formula_still_has_a_value(K: int) -> None:
    statement = STATEMENTS["textbook.stochastic_gradient_descent"]
    point = {"eta": 3.0, "mu": 1.0, "K": K, "sigma": 0.3, "D0": 2.0}
    assert inaccurate(statement, point) == []
    assert statement.evaluate(**point).condition_number is not None


# ---- the checks can fail

POINT = {
    "K": 3, "M": 4, "L": 1.0, "R": 1.0, "T": 2, "beta": 0.5, "eta": 0.01, "f0_gap": 1.0, "p": 0.5,
    "sigma_DP": 0.1, "Delta_inf": 1.0,
}  # fmt: skip


@pytest.mark.parametrize("term", range(5))
@pytest.mark.parametrize(
    "change",
    [lambda e: e * (1 + Rational(1, 10**11)), lambda e: -e, lambda e: e + Rational(1, 10**9)],
    ids=["factor", "sign", "offset"],
)
def test_a_planted_error_is_caught(term: int, change: Any) -> None:
    statement = STATEMENTS["fed_norm_ec.theorem_1.main"]
    terms = list(statement.terms)
    terms[term] = replace(terms[term], expression=change(terms[term].expression))
    assert inaccurate(replace(statement, terms=tuple(terms)), POINT, truth=statement) != []
    assert inaccurate(statement, POINT) == []


def test_a_naive_form_is_caught() -> None:
    """(1+u)^n - 1 written so that no rule recognises it loses its digits, and the check says so."""
    statement = STATEMENTS["als_dpfl.h.main"]
    symbols = {s.name: s for s in statement.right.free_symbols}
    grown = (symbols["eta"] * symbols["beta"] + 1) ** symbols["x"]
    recognised = replace(statement, terms=(Term("growth", grown - 1, ""),))
    naive = replace(statement, terms=(Term("growth", Max(grown, Rational(1, 2)) - 1, ""),))
    point = {"eta": 1e-12, "beta": 1.0, "x": 10.0}
    assert inaccurate(recognised, point) == []
    assert inaccurate(naive, point) != []


def test_the_oracle_knows_what_it_should() -> None:
    statement: Any = replace(STATEMENTS["fed_norm_ec.lemma_4"], choices=(), where=())
    with mp.workdps(60):
        root = oracle.value(x ** (Integer(1) / 3), statement, {"x": 2})
        assert abs(root**3 - 2) < mpf(10) ** -50
    _, elasticities = conditioning(x**5 + 0 * x, statement, {"x": 3})
    assert float(elasticities["x"]) == pytest.approx(5)
    with pytest.raises(NoValue):
        oracle.value(x**-1, statement, {"x": 0})


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        (2 + sqrt(x - 1), math.inf),
        (2 - sqrt(x - 1), -math.inf),
        (2 + sqrt(1 - x), -math.inf),  # whose domain is on the other side
        (2 - sqrt(1 - x), math.inf),
    ],
)
def test_an_infinite_elasticity_has_the_sign_of_the_slope(side: Expr, expected: float) -> None:
    assert elasticity(compile_expressions([side]), {"x": Fraction(1)}, "x") == expected


def test_a_pole_of_one_term_leaves_the_others_their_values() -> None:
    """Lemma 6 where clients share their infimum: one summand divides by zero, the other is zero."""
    evaluation = STATEMENTS["fed_norm_ec.lemma_6"].evaluate(L=2.0, Delta_inf=0.0, gap_x=1.0)
    assert not math.isfinite(evaluation.value)
    assert not math.isfinite(evaluation.terms["gap"])
    assert evaluation.terms["heterogeneity"] == 0.0
