"""What is said to follow: planted defects are caught, textbook controls pass, results by hand come out.

One file in spite of its length: one list of what is said to follow from what.
"""

from dataclasses import replace

import pytest
from sympy import Expr, Integer, Rational, Symbol

import bounds
from bounds.evaluation.resolve import resolve
from bounds.language.condition import at_most
from bounds.language.finding import FindingClass
from bounds.language.statement import Statement, define, sets
from reports.verbs.audit import _audit
from verify.audit.follows.check import (
    BY_ITSELF,
    DIFFERS,
    FAILS,
    HOLDS,
    LEFT_FREE,
    LOOSE,
    ORDER,
    POINTS,
    UNDECIDED,
    Item,
    audit,
    check,
)
from verify.audit.follows.comparison import ABOVE, BELOW, EQUAL_TRIED, IDENTITY
from verify.audit.follows.derivation import derive
from verify.parameters.points import points
from verify.records.errata import our_errata

FOLLOWERS = {s.id: s for s in bounds.statements() if s.follows_from}


def items(statement: Statement) -> dict[str, Item]:
    return {item.name: item for item in check(statement) or ()}


def verdicts(statement: Statement) -> dict[str, str]:
    return {name: item.verdict for name, item in items(statement).items()}


def grades(statement: Statement) -> set[FindingClass]:
    return {finding.grade for finding in audit(statement)}


def symbol(statement: Statement, name: str) -> Symbol:
    everything = [t.expression for t in statement.terms] + [c.symbol for c in statement.choices]
    return next(s for e in everything for s in e.free_symbols if s.name == name)


def with_term(statement: Statement, name: str, factor: Expr | float) -> Statement:
    terms = (replace(t, expression=t.expression * factor) if t.name == name else t for t in statement.terms)
    return replace(statement, terms=tuple(terms))


def with_choice(statement: Statement, name: str, factor: Expr) -> Statement:
    choices = (
        replace(c, expression=c.expression * factor) if c.symbol.name == name else c
        for c in statement.choices
    )
    return replace(statement, choices=tuple(choices))


def without_condition(statement: Statement, part: str) -> Statement:
    return replace(statement, conditions=tuple(c for c in statement.conditions if c.part != part))


# ---- the chain of what follows from what


def test_every_source_exists_and_no_circle_closes() -> None:
    for identity in FOLLOWERS:
        seen = [identity]
        while bounds.get(seen[-1]).follows_from:
            seen.append(bounds.get(seen[-1]).follows_from)
            assert seen[-1] not in seen[:-1]


@pytest.mark.thinned(3)
@pytest.mark.parametrize("identity", FOLLOWERS)
def test_points_meet_every_condition_and_stay_the_same(identity: str) -> None:
    follower = derive(FOLLOWERS[identity]).follower
    drawn = list(points(follower, (), POINTS))
    assert drawn == list(points(follower, (), POINTS))
    assert len(drawn) == POINTS
    taken = resolve(follower).required | resolve(follower).optional
    for point in drawn[:16]:
        given = {n: x for n, x in point.items() if n in taken}
        assert all(c.holds is not False for c in follower.check(**given)), given


def test_other_points_come_from_another_seed_and_corners_are_among_them() -> None:
    follower = bounds.get("dp_fedavg.equation_8")
    drawn = list(points(follower, (), POINTS))
    assert drawn != list(points(follower, (), POINTS, seed=1))
    at_the_limit = [p for p in drawn if p["D0"] == 0]
    assert 0 < len(at_the_limit) < POINTS


def test_a_mean_does_not_exceed_the_largest() -> None:
    follower = bounds.get("dp_fedavg.equation_15")
    drawn = list(points(follower, ("Delta_star_mean",), POINTS))
    assert all(p["Delta_star_mean"] <= p["Delta_star_max"] for p in drawn)
    assert any(0 < p["Delta_star_mean"] < p["Delta_star_max"] for p in drawn)


# ---- by hand


def test_a_restatement_is_identical() -> None:
    for identity in (
        "fed_norm_ec.theorem_1.appendix",
        "fed_norm_ec.variance.appendix",
        "dp_fedavg.theorem_2",
        "dp_fedavg.theorem_4",
        "dp_fedavg.equation_16.rate",
        "als_dpfl.h.appendix",
    ):
        statement = bounds.get(identity)
        assert verdicts(statement)["value"] == IDENTITY
        assert audit(statement) == ()


def test_the_drift_of_corollary_5_is_twice_that_of_its_theorem() -> None:
    """gamma 8 L sqrt(2L) = 4 sqrt(2L)/(K+1)^(1/8) with its gamma, and 8 is printed; all else agrees."""
    value = items(bounds.get("fed_norm_ec.corollary_5"))["value"]
    assert value.verdict == LOOSE
    assert "term drift: between 2 and 2 times" in value.detail
    assert "term component_drift: between 2 and 2 times" in value.detail
    assert value.detail.count(IDENTITY) == 4
    halved = with_term(bounds.get("fed_norm_ec.corollary_5"), "drift", Rational(1, 2))
    halved = with_term(halved, "component_drift", Rational(1, 2))
    assert verdicts(halved)["value"] in (IDENTITY, EQUAL_TRIED)


def test_the_step_of_corollary_5_meets_its_theorem_from_some_round_on() -> None:
    """With s = (K+1)^(1/8) and the second member of the minimum: 3 (alpha + D_1/s) <= 2 s (alpha + D_1).

    False at s = 1, true from s = 3/2 on, which is K + 1 >= 25.6.
    """
    item = items(bounds.get("fed_norm_ec.corollary_5"))["condition A.thm2.h5.memory"]
    assert item.verdict == FAILS
    assert 1 <= int(item.detail.rpartition("there it holds from K = ")[2].split()[0]) <= 25


def test_the_step_of_corollary_2_leaves_its_theorem_as_rounds_go_on() -> None:
    """eta_hat/(K+1)^(7/8) against Delta/(2 sqrt(2L) (K+1)): the second falls faster."""
    item = items(bounds.get("fed_norm_ec.corollary_2"))["condition A.thm1.h4.heterogeneity"]
    assert item.verdict == FAILS
    assert "there it holds up to K = " in item.detail


@pytest.mark.slow("audits every statement")
def test_what_is_said_by_hand_is_said_of_findings() -> None:
    said = {(e.statement, e.where): e.right for e in our_errata() if e.evidence == "follows"}
    assert said
    found = {(f.statement, f.where): f.right for s in FOLLOWERS.values() for f in audit(s)}
    assert {i: found.get(i) for i in said} == said


def test_corollary_2_limits_the_product_of_its_steps() -> None:
    """A.cor2.s3 with eta_hat at the first member of its minimum, L = Delta_inf = 1: met for every K."""
    for rounds in (1, 10, 10**6):
        eta, gamma = 1 / (2 * 2**0.5) / rounds ** (7 / 8), 1 / (2 * rounds ** (1 / 8))
        assert eta * gamma == pytest.approx(1 / (4 * 2**0.5 * rounds), rel=1e-12)


def test_the_step_of_corollary_6_never_meets_its_theorem() -> None:
    """eta = gamma beta R/(2 (alpha+R)) = beta R/(4 L (alpha+R)), and 1/6 in place of 1/4 is asked."""
    item = items(bounds.get("fed_norm_ec.corollary_6"))["condition A.thm2.h5.memory"]
    assert item.verdict == FAILS
    assert f"{POINTS} of {POINTS} points" in item.detail
    assert "holds for no K" in item.detail


def test_theorem_1_of_normalization_asks_less_than_its_lemma() -> None:
    """gamma/(1 + rho) = 1/(6L) with rho = 2, and 1/(4L) is printed; Theorem 2 prints 1/(6L)."""
    assert verdicts(bounds.get("fed_norm_ec.theorem_1.main"))["condition A.lem1.h6"] == FAILS
    found = items(bounds.get("fed_norm_ec.theorem_2"))["condition A.lem1.h6"]
    assert (found.verdict, found.detail) == (HOLDS, BY_ITSELF)


@pytest.mark.parametrize("number", [2, 5])
def test_another_gamma_than_the_theorem_prescribes_is_reported(number: int) -> None:
    assert verdicts(bounds.get(f"fed_norm_ec.corollary_{number}"))["choice of gamma"] == DIFFERS


def test_corollary_2_is_its_theorem_with_its_own_gamma() -> None:
    """By hand: 3 f0/((K+1) eta) = 3 f0/(eta_hat s), 2 beta sqrt(B(K+1)/M) = 2 D_2 sqrt(B/M)/s, and so on."""
    assert verdicts(bounds.get("fed_norm_ec.corollary_2"))["value"] in (IDENTITY, EQUAL_TRIED)


def test_a_missing_factor_in_a_restatement_is_below_where_the_factor_is_above_one() -> None:
    item = items(bounds.get("dp_fedavg.equation_15"))["value"]
    assert item.verdict == BELOW
    assert "Delta_star_mean" in item.detail


def test_a_coefficient_replaced_by_its_largest_value_is_no_finding() -> None:
    """1/(2 - x - x^2) is between 1/2 and 4/5 on (0, 1/2]: eq. (8) is reached at the end of its range."""
    item = items(bounds.get("dp_fedavg.equation_8"))["value"]
    assert item.verdict == ABOVE
    assert item.detail.startswith("between 1 and 1.")
    assert audit(bounds.get("dp_fedavg.equation_8")) == ()


def test_eq_11_is_looser_than_its_argument() -> None:
    """2 G D0 rho against 2 C_hat D0 rho/(2 - x - x^2), which is at most 8/5 G D0 rho: a factor of 5/4."""
    item = items(bounds.get("dp_fedavg.equation_11"))["value"]
    assert item.verdict == LOOSE
    assert "term initialization: between 1.25 " in item.detail


def test_an_absorbed_prescription_says_what_the_integer_is() -> None:
    """K = 2 gamma/(C_hat E rho^2) exceeds 2 gamma/(C_hat E rho) as rho < 1: no point is drawn for K."""
    statement = replace(bounds.get("dp_fedavg.equation_11"), follows_from="dp_fedavg.theorem_5.specific")
    found = verdicts(statement)
    assert found["condition B.thm5.general.rounds"] == HOLDS
    assert all(v != FAILS for v in found.values())


def test_h_does_not_vanish_at_one_and_does_at_zero() -> None:
    assert verdicts(bounds.get("als_dpfl.claims.h_starts_at_zero"))["value"] == IDENTITY
    assert verdicts(bounds.get("als_dpfl.claims.h_vanishes_at_one"))["value"] == BELOW


def test_a_factor_that_a_special_case_shows_to_be_missing() -> None:
    """16 eta L sigma^2/M against 2 L eta sigma^2/(mu M) for one local step: below where mu < 1/8.

    With 1/mu, and with the mu <= 2L that the assumptions imply, each term is at least that of the one step.
    """
    statement = bounds.get("fedavg_lojasiewicz.theorem_f2")
    assert verdicts(statement)["value"] == BELOW
    mu, L = symbol(statement, "mu_1"), symbol(statement, "L")
    possible = at_most(mu, 2 * L, locator="D.F2", printed="implied")
    limited = replace(statement, conditions=(*statement.conditions, possible))
    assert verdicts(limited)["value"] == BELOW
    mended = with_term(limited, "noise", 1 / mu)
    assert verdicts(mended)["value"] == ABOVE


def test_the_constant_of_an_order_may_be_chosen_but_not_with_the_rounds() -> None:
    """eta = c/sqrt(K+1) exceeds a constant over K+1 in the end, whatever c is; it is below 1 in the end."""
    found = verdicts(bounds.get("fed_norm_ec.claims.rate"))
    assert found["condition A.thm1.h4.heterogeneity"] == FAILS
    assert found["condition A.alg1"] == ORDER
    assert found["condition A.thm1.h2"] == ORDER


# ---- planted defects, in copies of statements that pass

COROLLARY_4 = bounds.get("fed_norm_ec.corollary_4")
SPECIFIC = bounds.get("dp_fedavg.theorem_5.specific")
FULL = bounds.get("fed_norm_ec.claims.full")


def test_the_unchanged_copies_pass() -> None:
    assert verdicts(COROLLARY_4)["value"] in (IDENTITY, EQUAL_TRIED)
    assert audit(SPECIFIC) == ()
    assert audit(FULL) == ()


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", [t.name for t in COROLLARY_4.terms])
@pytest.mark.parametrize(("factor", "verdict"), [(Rational(99, 100), BELOW), (Rational(101, 100), LOOSE)])
def test_a_changed_constant_is_caught(name: str, factor: Expr, verdict: str) -> None:
    planted = with_term(COROLLARY_4, name, factor)
    assert verdicts(planted)["value"] == verdict
    expected = FindingClass.INCONSISTENT if verdict == BELOW else FindingClass.LOOSE
    assert expected in grades(planted)


@pytest.mark.parametrize("name", [t.name for t in COROLLARY_4.terms])
def test_a_changed_exponent_is_caught(name: str) -> None:
    K = symbol(COROLLARY_4, "K")
    assert verdicts(with_term(COROLLARY_4, name, (K + 1) ** Rational(-1, 30)))["value"] == BELOW


def test_a_flipped_sign_and_a_dropped_term_are_caught() -> None:
    assert verdicts(with_term(COROLLARY_4, "memory", Integer(-1)))["value"] == BELOW
    assert verdicts(replace(COROLLARY_4, terms=COROLLARY_4.terms[1:]))["value"] == BELOW


@pytest.mark.parametrize("part", ["threshold", "local_steps"])
def test_a_dropped_condition_is_caught(part: str) -> None:
    planted = without_condition(bounds.get("dp_fedavg.theorem_2"), part)
    failed = [name for name, verdict in verdicts(planted).items() if verdict == FAILS]
    assert any(name.endswith(part) for name in failed)
    assert grades(planted) == {FindingClass.INCONSISTENT}


def test_a_weaker_condition_is_caught_and_a_stronger_one_is_not() -> None:
    statement = bounds.get("dp_fedavg.theorem_2")
    for factor, expected in ((Rational(1, 2), FAILS), (Integer(2), HOLDS)):
        conditions = tuple(
            replace(c, limit=c.limit * factor) if c.part == "threshold" else c for c in statement.conditions
        )
        found = verdicts(replace(statement, conditions=conditions))
        assert found["condition B.thm5.general.threshold"] == expected


def test_another_choice_is_caught() -> None:
    planted = with_choice(SPECIFIC, "eta", Integer(2))
    assert verdicts(planted)["choice of eta"] == DIFFERS
    longer = with_choice(COROLLARY_4, "eta_hat", Rational(11, 10))
    assert verdicts(longer)["condition A.thm1.h4.memory"] == FAILS


def test_a_choice_left_free_is_caught() -> None:
    planted = replace(FULL, choices=tuple(c for c in FULL.choices if c.symbol.name != "gamma"))
    gamma = symbol(FULL, "gamma")
    drift = replace(FULL.terms[0], name="drift", expression=gamma)
    found = items(replace(planted, terms=(*planted.terms, drift)))
    assert found["choice of gamma"].verdict == LEFT_FREE


def test_another_definition_is_caught() -> None:
    changed = tuple(replace(d, expression=2 * d.expression) for d in COROLLARY_4.where)
    assert verdicts(replace(COROLLARY_4, where=changed))["definition of B"] == DIFFERS


# ---- controls


def test_textbook_statements_and_a_true_corollary_of_one_give_nothing() -> None:
    for statement in bounds.statements("textbook"):
        assert audit(statement) == ()
    descent = bounds.get("textbook.gradient_descent_convex")
    rounds = next(s for s in descent.right.free_symbols if s.is_integer)
    after_ten = replace(
        descent,
        follows_from=descent.id,
        choices=(*descent.choices, sets(rounds, 10, locator="T.gd.convex")),
        terms=tuple(replace(t, expression=t.expression.subs(rounds, 10)) for t in descent.terms),
    )
    assert verdicts(after_ten)["value"] == IDENTITY
    assert audit(after_ten) == ()
    claimed = with_term(after_ten, after_ten.terms[0].name, Rational(20, 21))
    assert verdicts(claimed)["value"] == BELOW


def test_what_follows_from_nothing_is_not_compared() -> None:
    assert check(bounds.get("textbook.gradient_descent_convex")) is None
    assert audit(bounds.get("dp_fedavg.lemma_1")) == ()


def test_two_left_sides_are_divided() -> None:
    """left = 3 gap <= t says gap <= t/3."""
    descent = bounds.get("textbook.gradient_descent_convex")
    assert descent.left is not None
    tripled = replace(
        descent,
        follows_from=descent.id,
        left=3 * descent.left,
        terms=tuple(replace(t, expression=3 * t.expression) for t in descent.terms),
    )
    assert verdicts(tripled)["value"] == IDENTITY
    assert verdicts(replace(tripled, left=descent.left))["value"] == LOOSE


def test_a_special_case_replaces_symbols_on_both_sides() -> None:
    descent = bounds.get("textbook.gradient_descent_convex")
    rounds = next(s for s in descent.right.free_symbols if s.is_integer)
    one = replace(descent, follows_from=descent.id, in_the_case=(define(rounds, 1, locator="T"),))
    assert rounds not in {s for e in derive(one).own_terms.values() for s in e.free_symbols}
    assert verdicts(one)["value"] == IDENTITY


def test_a_general_statement_may_be_loose_in_the_special_case_that_is_compared() -> None:
    """One round of a bound for all rounds: tight or not elsewhere, which this comparison does not see."""
    descent = bounds.get("textbook.gradient_descent_convex")
    rounds = next(s for s in descent.right.free_symbols if s.is_integer)
    one = replace(descent, follows_from=descent.id, in_the_case=(define(rounds, 1, locator="T"),))
    assert verdicts(with_term(one, one.terms[0].name, Integer(2)))["value"] == ABOVE
    assert verdicts(with_term(one, one.terms[0].name, Rational(1, 2)))["value"] == BELOW


def test_without_points_only_identities_are_seen() -> None:
    """A condition that is solved for no input leaves no order of drawing; that is no finding."""
    statement = bounds.get("dp_fedavg.theorem_2")
    odd = at_most(symbol(statement, "alpha") ** 2 + 1, 5, locator="T", printed="odd")
    stuck = replace(statement, conditions=(*statement.conditions, odd))
    assert verdicts(stuck)["value"] == IDENTITY
    assert verdicts(with_term(stuck, "initialization", Integer(2)))["value"] == UNDECIDED
    assert audit(with_choice(stuck, "eta", Integer(2))) == ()


def test_the_verb_shows_every_comparison() -> None:
    shown = _audit(COROLLARY_4)["substitution"]
    assert [entry["name"] for entry in shown] == list(items(COROLLARY_4))
    assert {entry["of"] for entry in shown} == {"fed_norm_ec.theorem_1.appendix"}
    assert _audit(bounds.get("textbook.gradient_descent_convex"))["substitution"] is None


# ---- parts
