"""Lemmas on random and adversarial objects: right ones hold, false ones are refuted, defects are caught."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sympy import Rational

import bounds
from bounds.language.finding import REFUTED, UNCHECKED, Standing, Status, Verdict
from bounds.language.statement import Statement
from verify.campaign.campaign import run_campaign
from verify.campaign.store import Store
from verify.objects import check as tested
from verify.objects.both_sides import on_objects
from verify.objects.check import Property, judged, properties, run_property
from verify.objects.draw import CASES, FAMILIES, Draw
from verify.objects.functions import CURVES, SLACK, function
from verify.objects.recipes import can_be_tried, draws
from verify.records import record
from verify.records.errata import CONCLUSION, WITNESS, our_errata
from verify.records.refuted import refuted
from verify.records.standings import standing, standings, summary
from verify.runs.check import forms
from verify.workers.processes import Processes

SEED, TRIALS = 20240601, 6
TRIED = {s.id: s for s in bounds.statements() if can_be_tried(s)}
# False on an instance followed by hand in the tests of their papers; the ledger may not have them yet.
BY_HAND = {
    "dp_fedavg.equation_16_comparison.left_sides",
    "fed_norm_ec.lemma_9.c4",
    "fedavg_lojasiewicz.claims_of_lemma_f1.complete",
    "fedavg_lojasiewicz.claims_of_lemma_f3.twice_the_floor",
    "fedavg_lojasiewicz.claims_of_theorem_f4.same",
}
# Their witnesses, of class interpretation or typo, take another reading than the one that is tried.
OF_ANOTHER_READING = {
    "als_dpfl.claims_on_tau.minimizer",  # with the T of Algorithm 2, which grows with tau
    "dp_fedavg.equation_17_comparison.terms_b",  # each number over a run of its own
    "fed_norm_ec.lemma_7.c1",  # with the index of the summand as printed, which is not that of the sum
    "fed_norm_ec.lemma_9.c1",  # the same
}


# Only trivial problems meet it: whatever is drawn breaks a hypothesis, and says nothing either way.
EMPTY = "dp_fedavg.proposition_1"


def measured() -> set[str]:
    """Statements of which a witness measures the conclusion."""
    return {e.statement for e in our_errata() if e.kind == WITNESS and e.where == CONCLUSION}


def verdict(entry: dict[str, Any]) -> Verdict:
    return Verdict(entry["verdict"])


def tried_with(statement: Statement, *, trials: int = TRIALS) -> Verdict:
    drawn = list(draws(statement, seed=SEED, trials=trials))
    return verdict(judged(statement, drawn, seed=SEED, trials=trials))


def known_to_be_false(identity: str) -> bool:
    return identity in (refuted() | measured() | BY_HAND) - OF_ANOTHER_READING


AMENDED = {form.id: form for form in forms(bounds.statements(), "amended") if can_be_tried(form)}


@pytest.mark.sampled
@pytest.mark.parametrize("identity", AMENDED)
def test_no_object_refutes_an_amended_form(identity: str) -> None:
    """On the same objects, but for those that the amendment excludes or speaks of otherwise."""
    assert tried_with(AMENDED[identity]) is Verdict.HOLDS


def test_a_form_that_speaks_of_other_objects_does_not_take_those_of_the_printed_one() -> None:
    statement = TRIED["fedavg_lojasiewicz.equation_33.bound"]
    assert statement.concrete is not None
    other = replace(statement.concrete, objects={"deviations": "one long vector"})
    assert not can_be_tried(replace(statement, variant="amended", concrete=other))
    assert can_be_tried(replace(statement, variant="amended"))


@pytest.mark.sampled(each=2)
@pytest.mark.parametrize(
    ("identity", "expected"),
    [
        (i, Verdict.VIOLATED if known_to_be_false(i) else Verdict.VACUOUS if i == EMPTY else Verdict.HOLDS)
        for i in TRIED
    ],
)
def test_what_is_violated_is_known_to_be_false_and_the_reverse(identity: str, expected: Verdict) -> None:
    """The two are found in different ways: by drawing objects, and by hand with a reason."""
    assert tried_with(TRIED[identity]) is expected


def test_what_only_another_reading_refutes_is_not_called_false() -> None:
    assert not refuted() & OF_ANOTHER_READING
    assert measured() >= OF_ANOTHER_READING


def test_every_relation_on_objects_is_tried() -> None:
    on_objects = {s.id for s in bounds.statements() if s.concrete is not None and s.evaluable}
    assert on_objects <= TRIED.keys()


def scaled(statement: Statement, factor: Rational) -> Statement:
    terms = tuple(replace(term, expression=term.expression * factor) for term in statement.terms)
    return replace(statement, terms=terms)


TIGHT = [
    "als_dpfl.equation_9",
    "als_dpfl.lemma_1.lipschitz",
    "als_dpfl.lemma_1.smooth",
    "als_dpfl.lemma_1.convex",
    "als_dpfl.omega.theorem_2",
    "als_dpfl.definition_1.equation_4",
    "dp_fedavg.definitions.quadratic_bound",
    "dp_fedavg.fact_1",
    "dp_fedavg.fact_2",
    "dp_fedavg.fact_3",
    "dp_fedavg.lemma_1",
    "dp_fedavg.lemma_2.move",
    "dp_fedavg.lemma_2.update",
    "fed_norm_ec.lemma_2",
    "fed_norm_ec.lemma_4",
    "fed_norm_ec.lemma_6",
    "fed_norm_ec.smoothed_normalization",
    "fedavg_lojasiewicz.claims_of_theorem_f2.polar",
    "fedavg_lojasiewicz.equation_33.equality",
    "fedavg_lojasiewicz.lemma_d1",
]


@pytest.mark.thinned(3)
@pytest.mark.parametrize("identity", TIGHT)
def test_one_percent_of_a_tight_constant_is_caught(identity: str) -> None:
    """These hold with equality on some object; the first test shows that they hold."""
    assert tried_with(scaled(TRIED[identity], Rational(99, 100))) is Verdict.VIOLATED


@pytest.mark.sampled
@pytest.mark.parametrize(
    "identity",
    [i for i, s in TRIED.items() if s.right != 0 and not known_to_be_false(i)],
)
def test_a_twentieth_of_the_right_side_is_exceeded(identity: str) -> None:
    """So that the objects are no easy ones. Of a negative right side it is twenty times as much."""
    statement = (AMENDED if identity == EMPTY else TRIED)[identity]
    shrunk = (scaled(statement, factor) for factor in (Rational(1, 20), Rational(20)))
    assert any(tried_with(statement, trials=2) is Verdict.VIOLATED for statement in shrunk)


# ---- rounding is told from an excess


def bound(left_numbers: Callable[..., Any]) -> Statement:
    """Fact 2 with numbers computed otherwise: ||sum y||^2 against p sum ||y||^2."""
    fact = TRIED["dp_fedavg.fact_2"]
    assert fact.concrete is not None
    return replace(fact, concrete=replace(fact.concrete, numbers=left_numbers))


def plain_sums(y: Any, error: float = 0.0) -> dict[str, Any]:
    total = y.sum(axis=-2)
    squares = (y**2).sum(axis=(-1, -2))
    return {
        "p_vectors": y.shape[-2],
        "vectors_squared": squares,
        "vector_sum_squared": (total**2).sum(axis=-1) * (1 + error),
    }


def cancelled_sums(y: Any) -> dict[str, Any]:
    """Right in exact arithmetic; in float64 all digits are lost against 1e12."""
    numbers = plain_sums(y)
    return numbers | {"vector_sum_squared": (numbers["vector_sum_squared"] + 1e12) - 1e12}


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (plain_sums, Verdict.HOLDS),
        (lambda y: plain_sums(y, 1e-14), Verdict.HOLDS),  # within 4096 roundings: nothing can be said
        (lambda y: plain_sums(y, 1e-11), Verdict.INCONCLUSIVE),  # stays in more digits, yet is too small
        (lambda y: plain_sums(y, 1e-6), Verdict.VIOLATED),
    ],
)
def test_how_large_an_excess_must_be(numbers: Callable[..., Any], expected: Verdict) -> None:
    assert tried_with(bound(numbers)) is expected


def test_an_excess_made_of_rounding_shrinks_in_more_digits() -> None:
    statement = bound(cancelled_sums)
    drawn = [(f, o) for f, o in draws(statement, seed=SEED, trials=4) if f == "identical"]
    seen = [on_objects(statement, family, objects) for family, objects in drawn]
    assert max(float(t.share.max()) for t in seen if t is not None) > tested.CLEAR
    assert verdict(judged(statement, drawn, seed=SEED, trials=4)) is Verdict.HOLDS


def test_without_more_digits_a_large_excess_is_told_with_its_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "is_extended", lambda *_: False)
    for error, expected in ((1e-6, Verdict.VIOLATED), (1e-11, Verdict.INCONCLUSIVE)):
        statement = bound(lambda y, e=error: plain_sums(y, e))
        assert tried_with(statement, trials=2) is expected
    entry = judged(statement, list(draws(statement, seed=SEED, trials=2)), seed=SEED, trials=2)
    assert "rounding" in entry["sentence"]


def test_a_condition_that_the_objects_do_not_decide_leaves_an_excess_open() -> None:
    """Without Delta_star_max nothing says whether the threshold is long enough."""
    statement = TRIED["dp_fedavg.equation_16_comparison.left_sides"]
    drawn = [
        (family, {name: thing for name, thing in objects.items() if name != "Delta_star_max"})
        for family, objects in draws(statement, seed=SEED, trials=2)
    ]
    entry = judged(statement, drawn, seed=SEED, trials=2)
    assert verdict(entry) is Verdict.INCONCLUSIVE
    assert "no object" in entry["sentence"]


def test_no_case_inside_the_conditions_is_refused() -> None:
    statement = TRIED["dp_fedavg.equivalence.one_update"]
    drawn = [("short", {"u": np.ones((CASES, 2)), "C": 10.0})]
    entry = judged(statement, drawn, seed=SEED, trials=1)
    assert (verdict(entry), entry["cases"], entry["worst"]) == (Verdict.REFUSED, 0, None)


# ---- what is drawn


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("d", [1, 3])
def test_the_constants_of_a_function_are_right(name: str, d: int) -> None:
    """By differences: gradient, smoothness, minimum, convexity, Lipschitz constant."""
    for seed in range(20):
        draw = Draw(FAMILIES[0], np.random.default_rng(seed))
        f = CURVES[name](draw, d, 2.0)
        x, y = draw.points(d, 40), draw.points(d, 40)
        way, h = draw.directions(d, 40), 1e-5
        slope = (f.value(x + h * way) - f.value(x - h * way)) / (2 * h)
        assert slope == pytest.approx((f.gradient(x) * way).sum(axis=-1), abs=2 * f.L * h)
        steep = np.linalg.norm(f.gradient(x) - f.gradient(y), axis=-1)
        assert np.all(steep <= f.L * SLACK * np.linalg.norm(x - y, axis=-1) + 1e-12)
        if f.lowest is not None and f.minimizer is not None:
            assert np.all(f.value(x) >= f.lowest)
            assert f.value(f.minimizer) == pytest.approx(f.lowest, abs=1e-15)
        if f.convex:
            assert np.all(f.value((x + y) / 2) <= (f.value(x) + f.value(y)) / 2 + 1e-12)
        if f.lipschitz is not None:
            assert np.all(np.linalg.norm(f.gradient(x), axis=-1) <= f.lipschitz * SLACK)


def test_a_function_has_the_properties_asked_for() -> None:
    for number, family in enumerate(FAMILIES):
        for seed in range(30):
            draw = Draw(family, np.random.default_rng([number, seed]))
            f = function(draw, 2, 1.0, convex=True, lipschitz=True)
            assert f.convex
            assert f.lipschitz is not None
            assert f.lowest is not None


def test_families_do_what_their_names_say() -> None:
    draw = {f.name: Draw(f, np.random.default_rng(1)) for f in FAMILIES}
    assert np.ptp(draw["identical"].agents(4, 2), axis=-2).max() == 0
    assert np.ptp(draw["one apart"].agents(4, 2)[:, 1:], axis=-2).max() == 0
    assert np.ptp(draw["one apart"].agents(4, 2), axis=-2).min() > 0
    assert (draw["zeros"].agents(4, 2) == 0).any()
    assert draw["one dimension"].dimension() == 1
    assert draw["edge of the conditions"].share() == 1
    assert np.abs(draw["huge"].points(2)).max() > 1e4
    assert np.abs(draw["tiny"].points(2)).max() < 1e-3
    x = draw["edge of the conditions"].points(2)
    moved = draw["edge of the conditions"].moved(x, 0.5)
    assert np.linalg.norm(moved - x, axis=-1) == pytest.approx(0.5)


# ---- the record


IDS = ("dp_fedavg.fact_2", "fedavg_lojasiewicz.equation_37", "als_dpfl.claims.bernoulli")


def jobs() -> tuple[Property, ...]:
    return properties([TRIED[i] for i in IDS])


def test_stored_read_and_replayed_to_the_same_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path) as kept:
        first = run_campaign(jobs(), kept, level=1e-3, seed=1, replicates=8, trials=2)
    data = record.document(first, level=1e-3, seed=1)
    assert (data["cells"], [e["id"] for e in data["properties"]]) == ([], list(IDS))
    again = record.read(record.write(data, tmp_path))
    assert again["properties"] == first == json.loads(json.dumps(first))
    assert all(r.agrees for r in record.replay(again))
    monkeypatch.setattr(
        "verify.campaign.campaign.judge", lambda *_: pytest.fail("a stored property is tried again")
    )
    with Store(tmp_path) as kept:
        assert run_campaign(jobs(), kept, level=1e-3, seed=1, replicates=8, trials=2) == first


@pytest.mark.slow("starts workers")
def test_workers_give_the_same_bits() -> None:
    alone = run_campaign(jobs(), None, level=1e-3, seed=1, replicates=8, trials=1)
    assert run_campaign(jobs(), None, level=1e-3, seed=1, replicates=8, trials=1, place=Processes(2)) == alone


@pytest.mark.parametrize(
    ("key", "value"),
    [("verdict", "violated"), ("cases", 7), ("seed", 4), ("trials", 1), ("sentence", "all is well")],
)
def test_a_tampered_property_does_not_agree(key: str, value: object) -> None:
    entry = run_property(jobs()[0], seed=1, trials=2) | {key: value}
    assert [r.agrees for r in record.replay({"cells": [], "properties": [entry]})] == [False]


@pytest.mark.parametrize(
    "change",
    [{"trials": 10**9}, {"trials": "x"}, {"id": "no.such"}, {"id": "dp_fedavg.theorem_2"}, {"seed": None}],
)
def test_a_malformed_property_is_refused(change: dict[str, Any]) -> None:
    entry = run_property(jobs()[0], seed=1, trials=1) | change
    with pytest.raises(ValueError, match=r"."):
        record.replay({"cells": [], "properties": [entry]})


def test_standings_count_cells_and_cases() -> None:
    held = {"reading": "named reading", "verdict": "holds", "certified": True, "ratio": 0.5}
    tried = {"kind": "property", "verdict": "holds", "cases": 30, "worst": {"ratio": 0.9}}
    unrefuted = Standing(status=Status.UNREFUTED, cases=30, best_ratio=0.9)
    assert standing([tried]) == unrefuted
    assert standing([held, tried]) == replace(unrefuted, cells=1)
    loose = held | {"certified": False}
    assert standing([held, loose, tried]) == replace(unrefuted, cells=2, asymptotic=1)
    assert standing([held, tried | {"verdict": "violated"}]) == REFUTED
    assert standing([tried | {"verdict": "inconclusive"}]) == UNCHECKED


def test_a_certified_worst_case_counts_and_refutes() -> None:
    entry = {"id": "a.b", "variant": "printed", "verdict": "tight"}
    tight = Standing(status=Status.UNREFUTED, tight=1)
    assert standings([], [entry, entry | {"variant": "amended"}]) == {"a.b": tight}
    assert str(tight) == "unrefuted (1 tight to 1e-6 for the whole class)"
    holds = entry | {"verdict": "holds"}
    both = standings([], [entry, holds, holds])["a.b"]
    assert both == replace(tight, certified=2)
    assert str(both) == "unrefuted (2 certified for the whole class, 1 tight to 1e-6 for the whole class)"
    violated = entry | {"verdict": "violated"}
    assert standings([], [entry, violated]) == {"a.b": REFUTED}
    assert summary([], [violated])["standings"] == {"a.b": "refuted"}
    undecided = [entry | {"verdict": verdict} for verdict in ("inconclusive", "refused", ["holds"], None)]
    assert standings([], [*undecided, {"verdict": "holds"}, {}]) == {}


def test_the_words_of_a_standing() -> None:
    assert str(REFUTED) == "refuted"
    every = Standing(status=Status.UNREFUTED, cells=2, asymptotic=1, cases=30, best_ratio=0.98765)
    assert str(every) == "unrefuted (2 cells, 1 asymptotic, 30 cases, best ratio 0.988)"
    assert str(Standing(status=Status.UNREFUTED, cells=1)) == "unrefuted (1 cell)"


def test_amended_forms_stand_apart() -> None:
    entry = run_property(jobs()[0], seed=1, trials=1)
    found = summary([entry, entry | {"variant": "amended", "verdict": "violated"}])
    assert found["standings"]["dp_fedavg.fact_2"].startswith("unrefuted")
    assert found["amended"] == {"dp_fedavg.fact_2": "refuted"}
