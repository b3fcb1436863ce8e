"""Proofs about sequences of a lemma: recursions that are unrolled, sums, powers; and forged ones."""

from collections.abc import Callable
from typing import Any

import pytest
from forms_of_lemmas import check_lemma_and_twin, prove_by, state
from sympy import Rational

from bounds.errors import MalformedStatement
from bounds.language.proof.expression import Scalar
from fedbounds import (
    NON_NEGATIVE,
    OPEN_UNIT,
    POSITIVE,
    POSITIVE_INTEGER,
    Equality,
    LemmaForm,
    because,
    function,
    index,
    maximum,
    mean,
    number,
    sequence,
    total,
    vector,
)

HALF = Rational(1, 2)
q, K = number("q", OPEN_UNIT), number("K", POSITIVE_INTEGER)
b, c = number("b", NON_NEGATIVE), number("c", POSITIVE)
r = sequence("r", last=K, next_at_most=lambda r_k: (1 - q) * r_k + b)
e = sequence("e", last=K, first=c, next_equal_to=lambda e_k: e_k + b)
d = sequence("d", last=K)
h = sequence("h", last=K, next_at_most=lambda h_k, k: h_k - d[k])
w = sequence("w", last=K, next_at_most=lambda w_k, k: (1 - 1 / (k + 2)) * w_k + b / (k + 2))
u: Any = sequence("u", last=K, non_negative=False, next_at_most=lambda u_k, k: u_k + v[k] - b)
v: Any = sequence("v", last=K, non_negative=False, next_at_most=lambda v_k, k: v_k - u[k])
s = sequence("s", last=K, next_at_most=lambda s_k: s_k)
falling = sequence("falling", last=K, first=1, next_equal_to=lambda a_k: a_k - 1)
i, x = index("i"), vector("x")
p, f = number("p", NON_NEGATIVE, over=i), function("f", convex=True, bounded_below=True)
Form = Callable[[LemmaForm], None]


def place(own: LemmaForm) -> Scalar:
    return Scalar(f"place.{own.sequence(r)[0]}")


def unrolled(own: LemmaForm, times: int = 1) -> None:
    """(1 - q)^k r_0 + b/q at every k; the power is the last member of a recursion."""
    index, member = own.sequence(r)
    proof = own.proof
    rate = proof.named("rate", 1 - own.scalar(q), proof.domain("q", upper=True))
    power, power_K = proof.recursion("power", index, lambda p: rate * p, 1, sign=">=")
    proof.reads[((1 - q) ** (times * K)).formula] = power_K
    most = power * own.scalar(r[0]) + own.scalar(b / q)
    reasons = because("rule of r"), Equality("definition of rate")
    proof.induct("unrolled", index, most - member, *reasons, times=rate, search=True)
    proof.conclude(because("unrolled"), search=True)


def driven(own: LemmaForm) -> None:
    index, member = own.sequence(e)
    said = own.scalar(c) + place(own) * own.scalar(b) - member
    reasons = Equality("rule of e"), Equality("start of e")
    own.proof.induct("said", index, said, *reasons, start=reasons, search=True)
    own.proof.conclude(because("said"), search=True)


def summed(own: LemmaForm) -> None:
    index, member = own.sequence(h)
    spent = own.scalar(h[0]) - own.partial_sum(d) - member
    own.proof.induct("spent", index, spent, because("rule of h"), search=True)
    own.proof.conclude(because("spent"), search=True)


def weighted(own: LemmaForm) -> None:
    index, member = own.sequence(w)
    said = own.scalar(w[0]) + place(own) * own.scalar(b) - (place(own) + 1) * member
    own.proof.induct("said", index, said, because("rule of w"), search=True)
    own.proof.conclude(because("said"), search=True)


LEMMAS: dict[str, tuple[Callable[[Any], Any], Any, Any, Form]] = {
    "unrolled": (lambda t: r[K] <= (1 - q) ** K * t * r[0] + b / q, 1, HALF, unrolled),
    "driven": (lambda t: e[K] <= c + t * K * b, 1, HALF, driven),
    "summed": (lambda t: h[K] + total(d) - t * d[K] <= h[0], 1, 0, summed),
    "weighted": (lambda t: w[K] <= (w[0] + t * K * b) / (K + 1), 1, HALF, weighted),
}


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_on_sequences_is_proved_and_its_twin_is_not(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, true, false, steps = LEMMAS[name]
    check_lemma_and_twin(monkeypatch, name, claim, (true, false), steps)


@pytest.mark.parametrize(
    ("claim", "said"),
    [(lambda: falling[K] >= 0, ", where no number of falling is below 0"), (lambda: u[K] <= u[K] + b, "")],
)
def test_a_proof_says_which_sequences_it_takes_to_be_at_least_0(
    claim: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first lemma says nothing beyond one step, since its rule leads below 0."""
    own = LemmaForm((statement := state("it", claim())).id, statement)
    own.sequence(falling if said else u)
    own.proof.conclude(search=True)
    found = prove_by(monkeypatch, own, statement)
    assert found.concluded
    assert found.detail == "every claim up to the conclusion is certified" + said


@pytest.mark.parametrize(
    "claim",
    [
        lambda: total(sequence("g", last=K, equal_to=lambda k: 1 / (k + 1))) >= 1,
        lambda: sequence("g", last=K, next_at_most=lambda g_k: g_k / (1 - c))[K] >= 0,
    ],
)
def test_a_formula_of_the_place_and_a_divisor_without_a_sign_have_no_words(claim: Any) -> None:
    statement = state("it", claim())
    with pytest.raises(MalformedStatement, match="no words for g"):
        LemmaForm(statement.id, statement)


def test_maxima_of_the_places_of_two_indices_are_two() -> None:
    first = sequence("first", last=K, next_at_most=lambda a, k: a + maximum(k, 3))
    later = sequence("later", last=K + 1, next_at_most=lambda a, k: a + maximum(k, 3))
    statement = state("two", first[K] <= later[K + 1])
    made = [e for e in LemmaForm(statement.id, statement).proof.given if e["kind"] == "extreme"]
    assert len(made) == 2
    assert made[0]["of"] != made[1]["of"]


# Forged proofs of false lemmas.

FASTER = r[K] <= (1 - q) ** (2 * K) * r[0] + b / q
LOWER = e[K] <= c + K * b / 2
SPENT = h[K] + total(d) <= h[0]


def entries(own: LemmaForm, **wanted: Any) -> list[dict[str, Any]]:
    return [g for g in own.proof.given if all(g.get(key) == value for key, value in wanted.items())]


def a_power_of_twice_the_steps(own: LemmaForm) -> None:
    unrolled(own, times=2)


def a_power_from_a_half(own: LemmaForm) -> None:
    unrolled(own)
    for entry in (*own.proof.given, *own.proof.steps):
        if entry.get("name") == "power":
            entry["first"] = "1/2"


def a_power_of_no_steps(own: LemmaForm) -> None:
    """A second index, which counts as many steps as one likes."""
    proof, index = own.proof, own.proof.index("n")
    proof.recursion("power", index, lambda p: (1 - own.scalar(q)) * p, 1)
    proof.reads[((1 - q) ** (2 * K)).formula] = Scalar("power.last")
    proof.sequence(index, proof.scalar("steps", ">=", [index]), Scalar("steps") + 1, 0, 2 * own.scalar(K))
    proof.conclude(search=True)


def a_power_that_is_large(own: LemmaForm) -> None:
    own.proof.reads[((1 - q) ** (2 * K)).formula] = own.proof.scalar("large")
    own.proof.assume("large", own.proof.scalar("larger") - Scalar("large"), source="definition")
    own.proof.conclude(search=True)


def a_power_that_is_one(own: LemmaForm) -> None:
    own.proof.reads[((1 - q) ** (2 * K)).formula] = Scalar("1")
    own.proof.conclude(search=True)


def another_rule(own: LemmaForm) -> None:
    for entry in entries(own, name="rule of r"):
        entry["assumed"] = ["-", entry["assumed"], "b"]
    unrolled(own)


def another_start(own: LemmaForm) -> None:
    for entry in entries(own, name="start of e"):
        entry["assumed"] = ["-", "e.first", ["/", "c", "2"]]
    driven(own)


def half_as_many_steps(own: LemmaForm) -> None:
    for entry in entries(own, kind="sequence", name="place.rounds.K"):
        entry["last"] = ["/", "K", "2"]
    driven(own)


def a_rule_twice(own: LemmaForm) -> None:
    own.proof.assume("again", own.scalar(b) - Scalar("e.next") + Scalar("e.at"), source="definition")
    driven(own)


def a_last_member_that_is_the_first(own: LemmaForm) -> None:
    for entry in entries(own, kind="sequence", name="e.at"):
        entry["last"] = "e.first"
    own.proof.conclude(Equality("start of e"), search=True)


def a_sum_without_the_last(own: LemmaForm) -> None:
    (symbol,) = (key for key in own.proof.reads if "sum" in str(key))
    own.proof.reads[symbol] = own.proof.reads[symbol] - own.scalar(d[K])
    summed(own)


def a_sign_that_is_not_declared(own: LemmaForm) -> None:
    for entry in entries(own, kind="scalar"):
        entry["sign"] = ">=" if entry["sign"] == "real" else entry["sign"]
    own.proof.conclude(search=True)


def a_rule_with_equality(own: LemmaForm) -> None:
    for entry in entries(own, name="rule of h"):
        entry["relation"] = "= 0"
    index, member = own.sequence(h)
    less = member + own.partial_sum(d) - own.scalar(h[0])
    own.proof.induct("less", index, less, Equality("rule of h"), search=True)
    own.proof.conclude(because("less"), search=True)


def a_member_read_as_another(own: LemmaForm) -> None:
    (symbol,) = (key for key in own.proof.reads if str(key) == "e_K")
    own.proof.reads[symbol] = Scalar("e.first")
    own.proof.conclude(Equality("start of e"), search=True)


def a_power_that_is_a_member(own: LemmaForm) -> None:
    """The lemma does not name r[0], so that nothing else is read as it."""
    index, member = own.sequence(s)
    own.proof.reads[((1 - q) ** K).formula] = own.scalar(s[0])
    own.proof.induct("falls", index, own.scalar(s[0]) - member, because("rule of s"), search=True)
    own.proof.conclude(because("falls"), search=True)


def a_power_that_is_a_size(own: LemmaForm) -> None:
    own.proof.reads[((1 - q) ** K).formula] = Scalar("size.i")
    own.proof.conclude(search=True)


def a_power_that_is_a_lowest_value(own: LemmaForm) -> None:
    own.proof.reads[((1 - q) ** K).formula] = Scalar("lowest.f")
    own.proof.conclude(search=True)


FORGED: dict[str, tuple[Any, Form, str]] = {
    "twice": (FASTER, a_power_of_twice_the_steps, "is read as"),
    "from a half": (
        r[K] <= (1 - q) ** K * r[0] / 2 + b / q,
        a_power_from_a_half,
        "is open|does not begin at 1",
    ),
    "no steps": (FASTER, a_power_of_no_steps, "the lemma does not declare it"),
    "large": (FASTER, a_power_that_is_large, "large is given, and the lemma does not declare it"),
    "first": (s[K] <= (1 - q) ** K, a_power_that_is_a_member, "is a number of the lemma's objects"),
    "size": (
        total(p, i) <= (1 - q) ** K * mean(p, i),
        a_power_that_is_a_size,
        "is a number of the lemma's objects",
    ),
    "lowest": (
        (1 - q) ** K <= f(x),
        a_power_that_is_a_lowest_value,
        "is a number of the lemma's objects",
    ),
    "one": (FASTER, a_power_that_is_one, "is open|is read as"),
    "rule": (r[K] <= (1 - q) ** K * r[0], another_rule, "rule of r is not given as the lemma declares it"),
    "start": (LOWER, another_start, "start of e is not given as the lemma declares it"),
    "steps": (LOWER, half_as_many_steps, "place.rounds.K is not given as the lemma declares it"),
    "again": (LOWER, a_rule_twice, "again is given, and the lemma does not declare it"),
    "last": (LOWER, a_last_member_that_is_the_first, "e.at is not given as the lemma declares it"),
    "sum": (SPENT, a_sum_without_the_last, "is read as something else"),
    "sign": (u[K] >= 0, a_sign_that_is_not_declared, "is not given as the lemma declares it"),
    "equal": (h[K] + total(d) - d[K] >= h[0], a_rule_with_equality, "rule of h is not given as the lemma"),
    "member": (LOWER, a_member_read_as_another, "is read as something else"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_proof_on_sequences_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claim, forge, why = FORGED[name]
    statement = state(name, claim)
    own = LemmaForm(statement.id, statement)
    forge(own)
    found = prove_by(monkeypatch, own, statement)
    assert not found.concluded
    assert any(part in found.detail for part in why.split("|")), found.detail


def test_two_numbers_of_steps_that_differ_by_an_underscore_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """One index for both would let an induction along the first reach the end of the second."""
    K1, K_1 = number("K1", POSITIVE_INTEGER), number("K_1", POSITIVE_INTEGER)
    one = sequence("one", last=K1, first=0, next_equal_to=lambda a: a + 1)
    other = sequence("other", last=K_1, first=0, next_equal_to=lambda a: a + 1)
    statement = state("alias", one[K1] <= other[K_1])
    own = LemmaForm(statement.id, statement)
    (index, a), (second, b) = own.sequence(one), own.sequence(other)
    assert index != second
    rules = Equality("rule of one"), Equality("rule of other", -1)
    starts = Equality("start of one", -1), Equality("start of other")
    own.proof.induct("same", index, b - a, *rules, start=starts)
    own.proof.conclude(because("same"), search=True)
    assert not prove_by(monkeypatch, own, statement).concluded
