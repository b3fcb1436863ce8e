"""Rates against their explicit bounds: exponents that are printed pass, planted ones are caught."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Expr, Integer, Rational, Sum, Symbol, log, sqrt

import bounds
from bounds import discovery
from bounds.language.dimension import F
from bounds.language.finding import FindingClass
from bounds.language.part import INDEX, setting
from bounds.language.quantity import NATURAL, POSITIVE_INTEGER, Notation, Over
from bounds.language.statement import Kind, Statement, Term
from verify.audit import rates
from verify.audit.rates import COVERED, EXCEEDS, MATCHED, OPEN, ROUNDS, VANISHES, audit, compare, monomials
from verify.audit.sums_over_rounds import replace_sums
from verify.matching.roles import UNNAMED, why_not_run

RATES = [s for s in bounds.statements() if s.kind is Kind.RATE]


@pytest.mark.parametrize("statement", RATES, ids=lambda s: s.id)
def test_every_term_of_the_explicit_bound_is_compared(statement: Statement) -> None:
    compared = compare(statement)
    assert [c.term for c in compared] == [t.name for t in bounds.get(str(statement.explicit)).terms]
    assert all(c.verdict != OPEN for c in compared)


@pytest.mark.parametrize(
    "name", ["corollary_1.rate", "corollary_1.appendix", "corollary_3.rate", "corollary_6"]
)
def test_the_utility_corollaries_have_the_exponents_of_their_bounds(name: str) -> None:
    """Checked by hand: d^(1/4) B_hat^(1/4) M^(-1/2) epsilon^(-1/2), and nothing that grows with K."""
    statement = bounds.get(f"fed_norm_ec.{name}")
    assert audit(statement) == ()
    memory = next(c for c in compare(statement) if c.term == "memory")
    assert memory.verdict == MATCHED
    for part in ("B_hat^(1/4)", "M^(-1/2)", "d^(1/4)", "epsilon^(-1/2)"):
        assert part in memory.monomials[0]
    assert any(c.verdict == VANISHES for c in compare(statement))


RATE = bounds.get("fed_norm_ec.corollary_3.rate")
UTILITY, DRIFT = RATE.terms


def _with_utility(change: Any) -> Statement:
    return replace(RATE, terms=(replace(UTILITY, expression=change(UTILITY.expression)), DRIFT))


def _symbol(name: str) -> Symbol:
    return next(s for s in UTILITY.expression.free_symbols if s.name == name)


@pytest.mark.parametrize(
    ("name", "power"), [("d", "-1/8"), ("M", "-1/4"), ("B_hat", "-1/4"), ("epsilon", "1/4")]
)
def test_another_exponent_is_caught(name: str, power: str) -> None:
    planted = _with_utility(lambda e: e * _symbol(name) ** Rational(power))
    found = audit(planted)
    assert [f.grade for f in found] != []
    assert {f.grade for f in found} == {FindingClass.INCONSISTENT}


def test_a_rate_that_grows_faster_covers_still() -> None:
    assert audit(_with_utility(lambda e: e * sqrt(_symbol("d")))) == ()


def test_a_dropped_term_is_caught() -> None:
    """Without the drift term the utility term has to cover a constant, which it does not for many clients."""
    verdicts = {c.term: c.verdict for c in compare(replace(RATE, terms=(UTILITY,)))}
    assert verdicts["drift"] == EXCEEDS


def test_fewer_sampled_clients_than_clients_is_what_covers() -> None:
    """B_hat <= M: B_hat/M is at most 1, and M/B_hat is not."""
    M, B_hat = _symbol("M"), _symbol("B_hat")
    one = replace(DRIFT, expression=Integer(1))
    counted = {"M", "B_hat"}
    for ratio, covered in ((B_hat / M, True), (M / B_hat, False)):
        (small,) = monomials(ratio, counted)
        assert rates._covers(monomials(one.expression, counted)[0], small, RATE) is covered


def test_monomials_of_sums_roots_and_logarithms() -> None:
    n, c = Symbol("n", positive=True), Symbol("c", positive=True)
    assert monomials(sqrt(c + n), {"n"}) == [{}, {"n": Rational(1, 2)}] or monomials(sqrt(c + n), {"n"}) == [
        {"n": Rational(1, 2)},
        {},
    ]
    assert monomials(c * n**-2, {"n"}) == [{"n": Integer(-2)}]
    assert monomials(log(n) * n, {"n"}) == [{"log(n)": 1, "n": 1}]
    assert monomials(Integer(0), {"n"}) == []
    with pytest.raises(rates.NotMonomials):
        monomials(1 / (1 + n), {"n"})


def test_only_rates_are_compared() -> None:
    with pytest.raises(ValueError, match="no rate"):
        compare(bounds.get("fed_norm_ec.theorem_2"))
    assert audit(bounds.get("fed_norm_ec.theorem_2")) == ()


def test_a_rate_that_names_no_explicit_bound_is_not_compared() -> None:
    """An author may state a rate alone; it is no defect, and the audit says what to add."""
    alone = replace(RATE, explicit=None)
    assert compare(alone) == () == audit(alone)
    assert UNNAMED in str(why_not_run(alone))


def test_rounds_are_known_by_their_part_whatever_their_letter() -> None:
    notation = Notation()
    T = notation.quantity("T", "T", "iterations", POSITIVE_INTEGER, part=setting("rounds"))
    (D,) = enter(notation, "D")
    of, gap = paper("letters", notation), notation.observable("gap", "g", "gap", F, Over.LAST)
    explicit = discovery.adopt(state(of, gap, Term("start", D / T, "distance")))

    def compared(power: int) -> str:
        terms = Term("start", D / T**power, "distance")
        return compare(state(of, gap, terms, kind=Kind.RATE, explicit=explicit.id))[0].verdict

    assert [compared(1), compared(2)] == [MATCHED, EXCEEDS]


K, k = Symbol("K", positive=True, integer=True), Symbol("k", integer=True, nonnegative=True)
NOTATION = Notation()
T, D, q = enter(NOTATION, "K", "D", "p")
i = NOTATION.quantity("i", "i", "round", NATURAL, part=INDEX)
GAP = NOTATION.observable("gap", "g", "gap", F, Over.LAST)
OF = paper("grown", NOTATION)


def find_verdict(explicit: Expr, rate: Expr) -> str:
    """What is said of one term, in each of which D stands for what does not grow."""
    bound = discovery.adopt(state(OF, GAP, Term("all", D * explicit, "x")))
    (found,) = compare(state(OF, GAP, Term("all", D * rate, "x"), kind=Kind.RATE, explicit=bound.id))
    return found.verdict


STEPS = Sum(1 / sqrt(i + 1), (i, 0, T - 1))


@pytest.mark.parametrize(
    ("explicit", "rate", "verdict"),
    [
        (1 / STEPS, 1 / sqrt(T), MATCHED),
        ((1 + log(T)) / STEPS, log(T) / sqrt(T), MATCHED),
        (Sum(1 / (i + 1), (i, 0, T - 1)) / STEPS, log(3 * T + 1) / sqrt(T), MATCHED),
        ((1 + log(T)) / STEPS, 1 / sqrt(T), EXCEEDS),
        ((2 + log(T)) / T, log(2 * T) / T, COVERED),
        (log(T) / T, 1 / sqrt(T), VANISHES),
        (1 / (T + 3), 1 / T, MATCHED),
        (1 / T, 1 / (T + 3), MATCHED),
        (1 / T, 1 / (T + 3) ** 2, EXCEEDS),
        ((1 - q) ** T, (1 - q) ** T, MATCHED),
        ((1 - q) ** T, 1 / T, OPEN),
        (1 / T, (1 - q) ** T, OPEN),
        (1 / T, 1 / (q * T + 1), OPEN),
        (Sum(Sum(1 / (k + 1), (k, 0, i)), (i, 0, T - 1)) / T**2, 1 / T, OPEN),
    ],
)
def test_sums_logarithms_and_powers_accuse_nobody_wrongly(explicit: Expr, rate: Expr, verdict: str) -> None:
    """A true rate of falling steps exceeded by its sum, and (1 - q)^K by exp(-q K), were called defects."""
    assert find_verdict(explicit, rate) in ({MATCHED, COVERED} if verdict == MATCHED else {verdict})


@pytest.mark.parametrize("power", ["-2", "-1", "-1/2", "0", "1/2", "2"])
def test_a_sum_of_powers_is_its_power_up_to_constants(power: str) -> None:
    """Computed at two numbers of rounds, between which the ratio hardly moves."""
    p = Rational(power)
    summed = replace_sums(Sum(3 * (2 * k + 1) ** p, (k, 0, ROUNDS - 1)), ROUNDS)
    ratios = []
    for rounds in (10**3, 10**6):
        value = (3 * (2 * np.arange(rounds) + 1.0) ** float(p)).sum()
        ratios.append(value / float(summed.subs(ROUNDS, rounds)))
    assert 0.5 < ratios[0] / ratios[1] < 2


def test_other_sums_are_left_as_they_are() -> None:
    members = (k - 1, 1 / k, (k + 1) ** ROUNDS, 2**k, (1 + k) * ROUNDS, 1 / (1 + k**2))
    for member in members:
        left = Sum(member, (k, 0, ROUNDS - 1))
        assert replace_sums(left, ROUNDS) == left


def test_a_finding_names_what_exceeds_and_nothing_else() -> None:
    bound = discovery.adopt(state(OF, GAP, Term("all", D * (1 / T + 1 / sqrt(T)), "x")))
    (found,) = audit(state(OF, GAP, Term("all", D / T, "x"), kind=Kind.RATE, explicit=bound.id))
    assert found.right == "a rate that covers rounds^(-1/2)"
