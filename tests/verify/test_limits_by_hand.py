"""Under the special cases: runs are exact, growth and signs are decided, as by hand."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from sympy import Expr, Integer, Max, Min, Piecewise, Symbol, exp, log, sqrt

import bounds
from bounds.discovery import variants
from bounds.language.statement import Statement
from verify.audit.limits import known as limits_known
from verify.audit.limits.growth import exponent, tends
from verify.audit.limits.in_case import DIFFERS, REDUCES, Limit
from verify.audit.limits.known import below_one
from verify.audit.limits.known_runs import FIXED_LENGTH, HUBER, QUADRATIC, Run, down, runs
from verify.audit.limits.signs import nonnegative, positive

F2 = variants("fedavg_lojasiewicz.theorem_f2")


def of_kind(name: str) -> list[Run]:
    return [run for run in runs() if run.name == name]


def slope_of_huber(x: Fraction, L: Fraction, width: Fraction) -> Fraction:
    return L * max(-width, min(width, x))


def value_of_huber(x: Fraction, L: Fraction, width: Fraction) -> Fraction:
    return L * x**2 / 2 if abs(x) <= width else L * width * (abs(x) - width / 2)


def test_runs_on_the_huber_function_are_what_a_literal_run_gives() -> None:
    for run in of_kind(HUBER):
        L, eta, D = run.facts["L"], run.facts["eta"], run.facts["D0"]
        width = run.facts["slope"] / L
        assert run.facts["f0_gap"] == value_of_huber(D, L, width)
        path = [D]
        for _ in range(int(run.facts["rounds"] * run.facts["local"])):
            path.append(path[-1] - eta * slope_of_huber(path[-1], L, width))
        gaps = [value_of_huber(x, L, width) for x in path]
        slopes = [slope_of_huber(x, L, width) for x in path]
        assert run.values["gap"] == gaps[-1]
        assert run.values["squared_distance"] == path[-1] ** 2
        assert run.values["least_slope_square"] == min(s**2 for s in slopes)
        assert run.values["gap_after_a_round"] == gaps[int(run.facts["local"])]
        assert run.values["gap_after_a_step"] == gaps[1]
        assert run.values["distance_after_a_step"] == abs(path[1])
        for gap, slope in zip(gaps, slopes, strict=True):
            assert slope**2 >= run.facts["lojasiewicz_1"] * gap
            assert slope**2 >= run.facts["lojasiewicz_2"] * gap**2
        assert run.facts["last_gap"] <= gaps[-1]
        assert run.facts["last_slope_square"] <= slopes[-1] ** 2


def test_runs_on_quadratics_are_what_a_literal_run_gives() -> None:
    """Noise of +1 or -1, every path; the first two steps are enough, a third is one more of the same."""
    for run in of_kind(QUADRATIC):
        c, eta, sigma = (run.facts[name] for name in ("curvature", "eta", "sigma"))
        steps = int(run.facts["rounds"] * run.facts["local"])
        if steps > 4:
            continue
        last = []
        for signs in product((-1, 1), repeat=steps):
            x = run.facts["D0"]
            for sign in signs:
                x -= eta * (c * x + sign * sigma)
            last.append(x)
        square = sum((x**2 for x in last), Fraction(0)) / len(last)
        assert run.values["squared_distance"] == square
        assert run.values["gap"] == c * square / 2
        if not sigma:
            assert run.values["least_slope_square"] == c**2 * square
            gap = run.facts["f0_gap"]
            assert c**2 * run.facts["D0_square"] >= run.facts["lojasiewicz_2"] * gap**2
        assert c <= run.facts["L"]
        assert run.facts["lojasiewicz_1"] == 2 * c
        assert run.facts["stated_curvature"] in (c, c / 4)
        assert (run.facts["stated_curvature"] == c) is ("stated_curvature" not in run.shown)
    assert {run.facts["eta"] * run.facts["L"] for run in of_kind(QUADRATIC)} >= {1, Fraction(15, 8)}


def test_steps_of_a_fixed_length_do_not_leave_the_linear_part() -> None:
    for run in of_kind(FIXED_LENGTH):
        L, length, rounds = run.facts["length_L"], run.facts["length"], int(run.facts["length_rounds"])
        width = run.values["slope_that_stays"] / L
        D = width + rounds * length
        assert value_of_huber(D, L, width) == run.facts["length_gap"]
        assert all(slope_of_huber(D - k * length, L, width) == L * width for k in range(rounds + 1))


def test_facts_are_floats_and_nothing_is_rounded_up() -> None:
    assert down(Fraction(1, 3)) <= Fraction(1, 3) < Fraction(1, 3) * (1 + Fraction(1, 2**50))
    for run in runs():
        assert all(Fraction(float(fact)) == fact for fact in run.facts.values())


def beside(statement: Statement) -> Limit:
    (found,) = limits_known.known(statement)
    return found


def test_where_the_stated_curvature_is_the_curvature_bounds_are_exact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = tuple(run for run in runs() if "stated_curvature" not in run.shown)
    monkeypatch.setattr(limits_known, "runs", lambda: exact)
    for name in ("gradient_descent_strongly_convex", "stochastic_gradient_descent"):
        assert beside(bounds.get(f"textbook.{name}")).detail.startswith("1 to 1 times"), name


def test_a_step_condition_that_is_dropped_is_seen() -> None:
    """Curvature 1 said to be 1/4: a step of 15/8 multiplies the distance by -7/8, and the bound by 17/32."""
    assert (1 - Fraction(15, 8)) ** 2 > (1 - Fraction(15, 8) / 4) ** 2
    statement = bounds.get("textbook.stochastic_gradient_descent")
    assert beside(statement).verdict == REDUCES
    dropped = beside(replace(statement, conditions=()))
    assert dropped.verdict == DIFFERS
    assert "eta = 1.875, mu = 0.25" in dropped.detail


def test_growth_by_hand() -> None:
    x, a, n = Symbol("x", positive=True), Symbol("a", positive=True), Symbol("n", positive=True)

    def never(base: Expr) -> bool:
        return False

    assert exponent(3 * x**2 + a * x, x, never) == 2
    assert exponent(sqrt(x + a) / x, x, never) == -Integer(1) / 2
    assert exponent(x - (x + 1), x, never) == 0
    assert exponent((x**2 + x) - a * x**2, x, never) is None  # the leading parts may cancel
    assert exponent(a**x, x, never) is None
    assert tends(a**x, x, True, lambda base: base == a) is True
    assert tends(1 / (1 + x ** (1 / n)), x, True, never) is True
    assert tends(a / x, x, False, never) is False
    assert tends(a * sqrt(x), x, False, never) is True
    assert tends(a + 1 / x, x, True, never) is False


def test_a_base_below_one_needs_a_certificate() -> None:
    printed, mended = F2
    start = next(t.expression for t in mended.terms if t.name == "initialization")
    base = next(p.base for p in start.atoms(Expr) if p.is_Pow and p.exp.is_Symbol)
    assert below_one(mended, base)
    assert not below_one(printed, base)  # without mu <= 2 L the factor may be below -1
    assert not below_one(mended, 2 - base)


def test_signs_by_structure() -> None:
    a, b = Symbol("a", positive=True), Symbol("b", nonnegative=True)
    c = Symbol("c", real=True)
    either = Piecewise((a, c > 0), (2, True))
    for known in (a + b, a * b, c**2, sqrt(b), Max(c, b), Min(a, b), log(1 + b), exp(c), either):
        assert nonnegative(known)
    for unknown in (a - b, c, a * c, c**3, Min(a, c), log(a), -a, Piecewise((a, c > 0), (c, True))):
        assert not nonnegative(unknown)
    for known in (a + b, a / (1 + b), Max(c, a), log(1 + a), either):
        assert positive(known)
    for unknown in (b, a * b, c**2, a - 1, Min(a, b), Piecewise((a, c > 0), (b, True))):
        assert not positive(unknown)
