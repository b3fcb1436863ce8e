"""Special cases: planted defects are seen, textbook controls reduce, declarations and tables are read."""

import json
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from sympy import Expr, Integer, Symbol

import bounds
from bounds.discovery import variants
from bounds.language.finding import FindingClass
from bounds.language.statement import Statement, Term
from bounds.language.vanishing import Equal, Grows, ToZero, Vanishing, equations
from bounds.papers.als_dpfl import notation as als_dpfl
from bounds.papers.fed_norm_ec import notation as fed_norm_ec
from reports.verbs.audit import _audit, _page
from verify.audit.limits.cases import (
    CASES,
    EVERYONE,
    EXPONENT_ONE,
    FIRST_STEP,
    IDENTICAL,
    NO_NOISE,
    NO_ROUNDS,
    ONE_CLIENT,
    ONE_STEP,
    OPTIMUM,
    STARTS,
)
from verify.audit.limits.check import cases, check
from verify.audit.limits.in_case import DIFFERS, OTHER, REDUCES, Form, Limit, is_zero
from verify.audit.limits.known import EXACT_RUNS
from verify.audit.limits.known_runs import OBSERVED, PARTS, runs
from verify.ledger import findings

FORMS = [form for s in bounds.statements() for form in variants(s.id)]
TEXTBOOK = [s for s in bounds.statements() if s.paper.key == "textbook"]
F2 = variants("fedavg_lojasiewicz.theorem_f2")
THEOREM_1 = variants("fed_norm_ec.theorem_1.main")
TOGETHER = f"{EVERYONE} and {NO_NOISE}"


def limits(statement: Statement) -> dict[str, Limit]:
    return {limit.case: limit for limit in check(statement) or ()}


def amended(identity: str) -> Statement:
    return variants(identity)[-1]


def with_term(statement: Statement, name: str, expression: Expr) -> Statement:
    assert name in {t.name for t in statement.terms}
    terms = (replace(t, expression=expression) if t.name == name else t for t in statement.terms)
    return replace(statement, terms=tuple(terms))


def term(statement: Statement, name: str) -> Expr:
    return next(t.expression for t in statement.terms if t.name == name)


def symbol(statement: Statement, name: str) -> Symbol:
    return next(s for s in statement.right.free_symbols if s.name == name)


def test_the_textbook_reduces() -> None:
    for statement in TEXTBOOK:
        found = limits(statement)
        assert all(limit.verdict != DIFFERS for limit in found.values()), statement.id
        assert found[NO_ROUNDS].verdict == REDUCES
        assert found[NO_ROUNDS].detail.startswith("exactly")
        assert found[EXACT_RUNS].verdict == REDUCES
        assert found.get(OPTIMUM, found[EXACT_RUNS]).verdict == REDUCES


def test_tight_bounds_reach_the_exact_value() -> None:
    for name in (
        *("gradient_descent_convex", "federated_averaging_one_client"),
        *("gradient_descent_strongly_convex", "stochastic_gradient_descent"),
    ):
        assert limits(bounds.get(f"textbook.{name}"))[EXACT_RUNS].detail.startswith("1 to ")


def test_sgd_without_noise_is_gradient_descent() -> None:
    found = limits(bounds.get("textbook.stochastic_gradient_descent"))[NO_NOISE]
    assert found == Limit(case=NO_NOISE, verdict=REDUCES, detail="without noise: D0^2*(-eta*mu + 1)^(2*K)")


def test_drift_that_counts_all_local_steps_is_seen() -> None:
    H = symbol(F2[-1], "H")
    planted = with_term(F2[-1], "drift_noise", term(F2[-1], "drift_noise") / (H - 1) * H)
    assert limits(F2[-1])[ONE_STEP].verdict == REDUCES
    assert limits(planted)[ONE_STEP].verdict == DIFFERS
    assert "drift_noise" in limits(planted)[ONE_STEP].detail


def test_drift_of_a_single_step_is_seen() -> None:
    statement = THEOREM_1[-1]
    T = symbol(statement, "T")
    planted = with_term(statement, "drift", term(statement, "drift") * T / (T - 1))
    assert limits(statement)[ONE_STEP].verdict == REDUCES
    assert limits(planted)[ONE_STEP].verdict == DIFFERS


@pytest.mark.parametrize(
    ("identity", "name", "missing", "case"),
    [
        ("textbook.stochastic_gradient_descent", "noise", "sigma", NO_NOISE),
        ("fedavg_lojasiewicz.theorem_f2", "noise", "sigma", NO_NOISE),
        ("fedavg_lojasiewicz.theorem_f2", "heterogeneity", "zeta", IDENTICAL),
        ("dp_fedavg.theorem_4", "heterogeneity", "unclipped_scaled_delta", IDENTICAL),
        ("als_dpfl.theorem_1.distance", "client_noise", "sigma", NO_NOISE),
        ("als_dpfl.theorem_1.distance", "divergence", "xi", IDENTICAL),
    ],
)
def test_what_survives_the_absence_of_what_it_pays_for_is_seen(
    identity: str, name: str, missing: str, case: str
) -> None:
    statement = amended(identity)
    gone = symbol(statement, missing)
    planted = with_term(statement, name, term(statement, name).subs(gone, gone + 1))
    assert limits(statement)[case].verdict == REDUCES
    assert limits(planted)[case].verdict == DIFFERS
    assert name in limits(planted)[case].detail


@pytest.mark.parametrize(("added", "zero"), [(1, True), (2, False)])
def test_fractions_that_cancel_are_zero(added: int, zero: bool) -> None:
    n = Symbol("n", positive=True)
    assert is_zero(n / (n + 1) + 1 / (n + 1) - added) is zero


def test_sampling_that_survives_full_participation_is_seen() -> None:
    statement = THEOREM_1[-1]
    found = next(d for d in statement.where if d.symbol.name == "B")
    worse = replace(found, expression=found.expression + symbol(statement, "beta") ** 2)
    planted = replace(statement, where=tuple(worse if d is found else d for d in statement.where))
    assert limits(statement)[TOGETHER].verdict == REDUCES
    assert limits(planted)[TOGETHER].verdict == DIFFERS


@pytest.mark.parametrize(
    "identity", ["textbook.gradient_descent_convex", "fedavg_lojasiewicz.theorem_f2", "fed_norm_ec.theorem_2"]
)
def test_a_bound_halved_before_the_first_round_is_seen(identity: str) -> None:
    # The amended f0/eta + L eta/2 touches the free bound, by a square that the terms alone do not show.
    statement = bounds.get(identity) if identity == "fed_norm_ec.theorem_2" else amended(identity)
    name = "initialization"
    # 3 f0/eta + L eta/2 is at least sqrt(6 L f0), three times what is asked of its square.
    share = Integer(300) if identity == "fed_norm_ec.theorem_2" else Integer(2)
    planted = with_term(statement, name, term(statement, name) / share)
    assert limits(statement)[NO_ROUNDS].verdict == REDUCES
    assert limits(planted)[NO_ROUNDS].verdict != REDUCES
    if share == 2:
        assert limits(planted)[NO_ROUNDS].verdict == DIFFERS


def test_a_bound_that_is_too_good_is_below_an_exact_run() -> None:
    for identity, name in (
        ("textbook.gradient_descent_convex", "initialization"),
        ("textbook.gradient_descent_nonconvex", "initialization"),
        ("textbook.federated_averaging_one_client", "initialization"),
        ("textbook.stochastic_gradient_descent", "noise"),
    ):
        statement = bounds.get(identity)
        share = Fraction(1, 3) if identity.endswith("nonconvex") else Fraction(1000, 1001)
        factor = Integer(share.numerator) / share.denominator
        planted = with_term(statement, name, factor * term(statement, name))
        assert limits(planted)[EXACT_RUNS].verdict == DIFFERS, identity


def test_the_noise_of_theorem_f2_is_below_what_is_exact_as_printed_alone() -> None:
    printed, mended = F2
    assert limits(printed)[EXACT_RUNS].verdict == DIFFERS
    assert limits(mended)[EXACT_RUNS].verdict == REDUCES


def test_a_declaration_that_is_not_so_is_seen() -> None:
    statement = bounds.get("textbook.gradient_descent_convex")
    L, D0 = symbol(statement, "L"), symbol(statement, "D0")
    planted = with_term(statement, "initialization", L * D0**2)
    assert limits(statement)["N grows, for initialization"].verdict == REDUCES
    lost = limits(planted)["N grows, for initialization"]
    assert lost.verdict == DIFFERS
    assert lost.detail == "D0^2*L does not contain N"
    claimed = replace(planted, terms=(replace(planted.terms[0], vanishes=(Equal(L, 0),)),))
    assert limits(claimed).get("L = 0", Limit(case="", verdict=OTHER, detail="")).verdict == OTHER
    N = symbol(statement, "N")
    grows = with_term(statement, "initialization", L * D0**2 * (N + 1))
    assert limits(grows)["N grows, for initialization"].verdict == DIFFERS
    bare = replace(statement, terms=(Term("one", L + D0, "anything", (Equal(D0, 0),)),))
    assert "one pays for anything" in limits(bare)[OPTIMUM].detail


@pytest.mark.parametrize(
    ("identity", "name", "missing", "constant", "case"),
    [
        ("fed_norm_ec.theorem_1.main", "initialization", "K", 0, "K grows, for initialization"),
        ("fed_norm_ec.corollary_3.rate", "sampling", "K", 0, "K grows, for sampling"),
        ("textbook.stochastic_gradient_descent", "noise", "sigma", 1, "sigma = 0, for noise"),
        ("als_dpfl.theorem_1.distance", "sampling", "B", 1, "B grows, for sampling"),
        ("als_dpfl.lemma_6", "progress", "omega_mean", 1, "omega_mean -> 0, for progress"),
    ],
)
def test_a_term_that_lost_what_it_vanishes_with_is_seen(
    identity: str, name: str, missing: str, constant: int, case: str
) -> None:
    statement = amended(identity)
    lost = with_term(statement, name, term(statement, name).subs(symbol(statement, missing), constant))
    assert all(limit.verdict != DIFFERS for limit in limits(statement).values() if name in limit.case)
    assert limits(lost)[case].verdict == DIFFERS
    assert f"does not contain {missing}" in limits(lost)[case].detail


def test_a_term_of_the_run_need_not_show_what_it_vanishes_with() -> None:
    statement = amended("als_dpfl.lemma_6")
    run = symbol(statement, "omega_mean")
    said = replace(statement, terms=(Term("progress", run, "one step", (Grows(als_dpfl.eta),)),))
    assert limits(said)["eta grows, for progress"].verdict == OTHER


def test_the_constant_of_an_order_hides_only_what_it_may_depend_on() -> None:
    """That of the sampling may depend on everything but K; that of the drift is a number."""
    statement = amended("fed_norm_ec.corollary_3.rate")
    assert limits(statement)[EVERYONE].verdict == OTHER
    everyone = (Equal(fed_norm_ec.p, 1),)
    both = replace(statement, terms=tuple(replace(t, vanishes=everyone) for t in statement.terms))
    assert limits(both)[EVERYONE].verdict == DIFFERS
    assert "sampling" not in limits(both)[EVERYONE].detail


def test_cases_that_a_statement_excludes_say_by_what() -> None:
    printed, mended = THEOREM_1
    assert limits(printed)[IDENTICAL].verdict == OTHER
    assert "A.thm1.h4.heterogeneity" in limits(printed)[IDENTICAL].detail
    # Clients that share a minimizing sequence drift towards it all the same.
    assert limits(mended)[IDENTICAL].verdict == OTHER
    assert "A.thm1.h4" not in limits(mended)[IDENTICAL].detail
    noise = limits(bounds.get("dp_fedavg.theorem_2"))[NO_NOISE]
    assert noise.verdict == OTHER
    assert "rho = 0 is outside its domain" in noise.detail
    prescribed = limits(bounds.get("fed_norm_ec.corollary_1.explicit"))[NO_NOISE]
    assert "it prescribes sigma_DP" in prescribed.detail
    drift = limits(bounds.get("fed_norm_ec.corollary_2"))[ONE_STEP]
    assert "A.cor2.h1" in drift.detail


def test_near_exponent_one_the_last_simplification_of_theorem_f4_keeps_nothing() -> None:
    """f0/(1 + f0 (R H eta mu/(4 n))^n) with exponent 1 + 1/n comes to f0; D.F4.s2 before it does not."""
    n, start = 1024, 2
    speed = Fraction(10000 * 5) * Fraction(1, 5000) * Fraction(1, 2) / (4 * n)
    assert start - start / (1 + start * speed**n) < Fraction(1, 10**300)
    printed, mended = variants("fedavg_lojasiewicz.theorem_f4")
    assert limits(printed)[EXPONENT_ONE].verdict == DIFFERS
    assert limits(mended)[EXPONENT_ONE].verdict == REDUCES
    assert limits(bounds.get("fedavg_lojasiewicz.unrolled.f4"))[EXPONENT_ONE].verdict == REDUCES
    assert limits(bounds.get("fedavg_lojasiewicz.lemma_f3"))[EXPONENT_ONE].verdict == REDUCES


def test_differences_of_clients_average_out_in_the_first_step() -> None:
    """Two clients x^2/2 and (x-2)^2/2 from a common point: the mean of their steps is a step of the mean."""
    start, eta = Fraction(5), Fraction(1, 3)
    mean_of_steps = ((start - eta * start) + (start - eta * (start - 2))) / 2
    assert mean_of_steps == start - eta * (start - 1)
    for form in variants("als_dpfl.theorem_1.distance"):
        assert limits(form)[FIRST_STEP].verdict == DIFFERS
    for form in variants("als_dpfl.lemma_3.lemma"):  # of one client, nothing averages out
        assert FIRST_STEP not in limits(form)
    mended = amended("als_dpfl.theorem_1.distance")
    x, eta_, xi = (symbol(mended, name) for name in ("x", "eta", "xi"))
    tight = with_term(mended, "divergence", term(mended, "divergence") - eta_ * x * xi)
    assert limits(tight)[FIRST_STEP].verdict == REDUCES


# What does not reduce, in every form of every statement; all others reduce or are not comparable.
DOES_NOT = {
    ("als_dpfl.theorem_1.distance", "printed", FIRST_STEP),
    ("als_dpfl.theorem_1.distance", "amended", FIRST_STEP),
    ("als_dpfl.theorem_1.value", "printed", FIRST_STEP),
    ("als_dpfl.theorem_1.value", "amended", FIRST_STEP),
    ("als_dpfl.theorem_2.theorem_omega", "printed", EXACT_RUNS),
    ("dp_fedavg.equation_15", "printed", IDENTICAL),
    ("dp_fedavg.equation_15", "printed", ONE_CLIENT),
    ("fedavg_lojasiewicz.claims_of_theorem_f2.unroll", "printed", EXACT_RUNS),
    ("fedavg_lojasiewicz.recursions.f4", "printed", EXACT_RUNS),
    ("fedavg_lojasiewicz.theorem_f2", "printed", EXACT_RUNS),
    ("fedavg_lojasiewicz.theorem_f4", "printed", EXPONENT_ONE),
}


@pytest.mark.slow("long substitutions")
def test_what_does_not_reduce() -> None:
    found = {(s.id, s.variant, i.case) for s in FORMS for i in check(s) or () if i.verdict == DIFFERS}
    assert found == DOES_NOT


def test_a_bound_below_an_exact_run_belongs_to_a_refuted_statement() -> None:
    for identity, variant, case in DOES_NOT:
        if case in (EXACT_RUNS, NO_ROUNDS, IDENTICAL):
            form = next(f for f in variants(identity) if f.variant == variant)
            wrong = (f for f in findings.findings(form) if f.grade is FindingClass.FALSE or f.of_conclusion)
            assert any(wrong), identity


def test_nothing_is_said_of_what_bounds_nothing() -> None:
    assert check(bounds.get("dp_fedavg.definitions.rho")) is None
    assert _audit(bounds.get("dp_fedavg.definitions.rho"))["limits"] is None


def test_the_audit_shows_it() -> None:
    shown = _audit(F2[0])
    schema = json.loads(Path("reports/schemas/audit.json").read_text())
    assert "limits" in schema["$defs"]["AuditedStatement"]["required"]
    assert {"case", "verdict", "detail"} == set(shown["limits"][0])
    assert {limit["verdict"] for limit in shown["limits"]} <= {REDUCES, DIFFERS, OTHER}
    page = str(_page([shown]))
    assert f"1 {DIFFERS}" in page
    assert EXACT_RUNS in page


def test_every_quantity_in_a_declaration_is_in_its_statement() -> None:
    """A fact with a name of its own lists several quantities, of which a statement has one at least."""
    for statement in FORMS:
        own = set(Form(statement).symbols.values())
        for vanishing in (v for t in statement.terms for v in t.vanishes):
            named = {e.symbol for e in equations(vanishing)}
            if getattr(vanishing, "words", ""):
                assert named & own, (statement.id, vanishing)
            else:
                assert symbols_of(vanishing) <= own, (statement.id, vanishing)


def symbols_of(vanishing: Vanishing) -> set[Symbol]:
    if isinstance(vanishing, Grows | ToZero):
        return set(vanishing.of.free_symbols)
    values = {e.value for e in equations(vanishing) if isinstance(e.value, Symbol)}
    return values | {e.symbol for e in equations(vanishing)}


@pytest.mark.slow("audits every term")
def test_the_documentation_counts_the_terms_that_no_rule_asks() -> None:
    judged = [form for form in FORMS if check(form) is not None]
    asked = [
        any(t in case.gone for case in cases(Form(form))) or any(not equations(v) for v in t.vanishes)
        for form in judged
        for t in form.terms
    ]
    told = f"{asked.count(False)} of the {len(asked)} terms of the judged forms"
    assert told in " ".join(Path("docs/audit.md").read_text().split())


def test_tables_name_quantities() -> None:
    papers = {s.paper.key: s.notation for s in bounds.statements()}

    def check_names(names: Iterable[str]) -> None:
        for name in names:
            paper, _, own = name.partition(".")
            assert own in papers[paper].quantities or own in papers[paper].observables, name

    for values in CASES.values():
        check_names(values)
    check_names(STARTS)
    check_names(OBSERVED)
    check_names(f"{paper}.{name}" for paper, parts in PARTS.items() for name in parts)
    known = {part for run in runs() for part in run.facts}
    assert {part for parts in PARTS.values() for part in parts.values()} <= known
    assert set(OBSERVED.values()) <= {name for run in runs() for name in run.values}
