"""Proofs about largest and least numbers, clipping, projections and proximal points, and forged ones."""

from collections.abc import Callable
from typing import Any

import pytest
from forms_of_lemmas import check_lemma_and_twin, prove_by, state
from sympy import Rational

from bounds.errors import MalformedStatement
from bounds.language.proof.expression import Scalar
from fedbounds import (
    NON_NEGATIVE,
    POSITIVE,
    REAL,
    F,
    LemmaForm,
    X,
    a_square,
    because,
    claim_by_cases,
    clip,
    convex_set,
    equals,
    function,
    index,
    inner,
    maximum,
    mean,
    minimum,
    norm,
    number,
    positive_part,
    project,
    prox,
    vector,
)

a, b, c = number("a", REAL), number("b", REAL), number("c", NON_NEGATIVE)
C, eta = number("C", POSITIVE, X), number("eta", POSITIVE, X**2 / F)
L, rho = number("L", POSITIVE), number("rho", POSITIVE)
x, y, z = vector("x"), vector("y"), vector("z")
S, T = convex_set("S", diameter=C), convex_set("T")
k, smooth = function("k", convex=True), function("s", convex=True, smooth=L)
weak = function("w", weakly_convex=rho)
i = index("i")
level, v = number("level", REAL, over=i), vector("v", over=i)
larger, smaller = maximum(a, b), minimum(a, b)
p, q = project(x, S), project(y, S)
P, Q, R = prox(k, x, eta), prox(k, y, eta), prox(smooth, x, eta)

HALF = Rational(1, 2)
Steps = Callable[[LemmaForm], Any]


def searched(own: LemmaForm) -> None:
    own.proof.conclude(search=True)


def cases(of: Any, expression: Callable[[LemmaForm], Scalar], over: tuple[str, ...] = ()) -> Steps:
    def steps(own: LemmaForm) -> None:
        name = claim_by_cases(own.proof, "by cases", expression(own), own.scalar(of))
        own.proof.conclude(because(name, over=over), search=True)

    return steps


def read_in_numbers(e: Any) -> Callable[[LemmaForm], Scalar]:
    return lambda own: own.scalar(e)


def moved_less(own: LemmaForm) -> None:
    turn = own.vector(x) - own.vector(y) - own.vector(p) + own.vector(q)
    near = [because(e["name"]) for e in own.proof.given if "is nearest" in str(e.get("name"))]
    own.proof.conclude(a_square(turn), *near, search=True)


# The claim with a constant, the true constant, a false one, and the steps of the proof.
LEMMAS: dict[str, tuple[Callable[[Any], Any], Any, Any, Steps]] = {
    "above the mean": (lambda t: (a + t * b) / (1 + t) <= larger, 1, -3, searched),
    "below the mean": (lambda t: t * smaller <= a + b, 2, 3, searched),
    "squares": (
        lambda t: larger**2 <= t * (a**2 + b**2),
        1,
        HALF,
        cases(larger, read_in_numbers(a**2 + b**2 - larger**2)),
    ),
    "triangle": (
        lambda t: abs(a + b) <= abs(a) + t * abs(b),
        1,
        0,
        cases(abs(a + b), read_in_numbers(abs(a) + abs(b) - abs(a + b))),
    ),
    "mean of parts": (
        lambda t: mean(positive_part(level)) <= t * mean(abs(level)),
        1,
        0,
        cases(positive_part(level), read_in_numbers(abs(level) - positive_part(level)), ("i",)),
    ),
    "clipped": (lambda t: norm(clip(x, C)) ** 2 <= t * C**2, 1, HALF, searched),
    "shorter": (lambda t: norm(clip(x, C)) ** 2 <= t * norm(x) ** 2, 1, HALF, searched),
    "acute": (lambda t: inner(clip(x, C), x) >= t * norm(x) ** 2, 0, 1, searched),
    "firm": (lambda t: t * norm(p - q) ** 2 <= inner(p - q, x - y), 1, 2, searched),
    "nearer": (lambda t: t * norm(p - q) ** 2 <= norm(x - y) ** 2, 1, 2, moved_less),
    "small": (lambda t: norm(p - q) ** 2 <= t * C**2, 1, HALF, searched),
    "resolvent": (lambda t: t * norm(P - Q) ** 2 <= inner(P - Q, x - y), 1, 2, searched),
    "lower": (lambda t: k(P) + t * norm(P - x) ** 2 / eta <= k(x), 1, 2, searched),
    "step": (
        lambda t: equals(t * eta**2 * norm(smooth.gradient(R)) ** 2, norm(x - R) ** 2),
        1,
        2,
        searched,
    ),
}


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_is_proved_and_its_twin_is_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claim, true, false, steps = LEMMAS[name]
    check_lemma_and_twin(monkeypatch, name, claim, (true, false), steps)


def test_a_proximal_point_depends_on_what_its_step_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the mean of its squares would be the square of its mean."""
    steps = number("steps", POSITIVE, X**2 / F, over=i)
    each = prox(k, x, steps)
    statement = state("one point", mean(norm(each) ** 2, i) <= norm(mean(each, i)) ** 2)
    own = LemmaForm(statement.id, statement)
    own.proof.conclude(search=True)
    assert not prove_by(monkeypatch, own, statement).concluded


@pytest.mark.parametrize("other", [vector("v_i"), vector("P_S(x)"), vector("x+y")])
def test_two_vectors_that_are_written_alike_have_no_form(other: Any) -> None:
    """prox(k, v, eta) of the vector v_i and of another one of this name would be one point."""
    apart = norm(prox(k, v, eta) - prox(k, other, eta)) ** 2
    statement = state("alike", mean(apart, i) + norm(p + x - y) <= 0)
    with pytest.raises(MalformedStatement, match=r"are written v_i|a machine form has no words for"):
        LemmaForm(statement.id, statement)


def test_a_gradient_at_a_kink_is_not_that_of_the_step() -> None:
    statement = state("kink", equals(eta**2 * norm(k.gradient(P)) ** 2, norm(x - P) ** 2))
    with pytest.raises(MalformedStatement, match="no words for grad k"):
        LemmaForm(statement.id, statement)


# Forged proofs of false lemmas.

OF_MEAN = mean(positive_part(level)) <= positive_part(mean(level))
APART = norm(p - q) ** 2 <= inner(p - q, x - y) / 2


def an_extreme_under_a_mean(own: LemmaForm) -> None:
    part, whole = own.scalar(positive_part(level)), own.scalar(positive_part(mean(level)))
    claim_by_cases(own.proof, "of the mean", whole - own.proof.over("i", part), part)
    own.proof.conclude(because("of the mean"))


def read_as_a_part(own: LemmaForm) -> None:
    own.proof.reads[next(key for key in own.proof.reads if "Max" in str(key))] = Scalar("a")
    own.proof.conclude(search=True)


def another_part(own: LemmaForm) -> None:
    for entry in own.proof.given:
        if entry["kind"] == "extreme":
            entry["of"] = ["a", "a"]
    own.proof.conclude(search=True)


def the_least_one(own: LemmaForm) -> None:
    for entry in own.proof.given:
        if entry["kind"] == "extreme":
            entry["least"] = True
    own.proof.conclude(search=True)


def a_second_one(own: LemmaForm) -> None:
    other = own.proof.extreme("other", Scalar("a"), Scalar("a"))
    own.proof.reads[next(key for key in own.proof.reads if "Max" in str(key))] = other
    own.proof.conclude(search=True)


def a_nearer_point(own: LemmaForm) -> None:
    own.proof.assume("nearer", -own.proof.square(own.vector(p) - own.vector(q)), source="definition")
    own.proof.conclude(because("nearer"), search=True)


def one_set_for_two(own: LemmaForm) -> None:
    u, w = own.vector(project(x, S)), own.vector(project(y, T))
    own.proof.assume("beside", own.proof.inner(own.vector(x) - u, u - w), source="definition")
    own.proof.assume("beside too", own.proof.inner(own.vector(y) - w, w - u), source="definition")
    own.proof.conclude(search=True)


def a_smaller_set(own: LemmaForm) -> None:
    for entry in own.proof.given:
        if str(entry.get("name", "")).endswith("are in S"):
            entry["assumed"] = ["/", entry["assumed"], "4"]
    own.proof.assume("small", -own.proof.square(own.vector(p) - own.vector(q)), source="definition")
    own.proof.conclude(because("small"), search=True)


def a_longer_step(own: LemmaForm) -> None:
    for entry in own.proof.given:
        if entry["kind"] == "known point":
            entry["known_gradient"] = {n: ["*", "2", e] for n, e in entry["known_gradient"].items()}
    own.proof.conclude(search=True)


def a_convex_one(own: LemmaForm) -> None:
    for entry in own.proof.given:
        if entry["kind"] == "function":
            entry["properties"] = {"convex": "1"}
    own.proof.conclude(search=True)


def a_point_of_the_step(own: LemmaForm) -> None:
    """A second proximal point of the same place, with a gradient of the forger's own."""
    again = own.proof.known_point("again", "k", own.point(k, P).at, own.vector(x), own.proof.scalar("v"))
    own.proof.conclude(because(["convex", own.point(k, x).name, again.name]), search=True)


def a_clipped_vector_of_no_length(own: LemmaForm) -> None:
    (symbol,) = own.proof.reads.keys() - {key for key in own.proof.reads if str(key) != "norm_clip_x_C"}
    own.proof.reads[symbol] = own.proof.norm("short", own.vector(x) - own.vector(x))
    own.proof.conclude(search=True)


Forge = Callable[[LemmaForm], None]
FORGED: dict[str, tuple[Any, Forge, str]] = {
    "mean": (OF_MEAN, an_extreme_under_a_mean, "is under an operator"),
    "part": (larger <= (a + b) / 2, read_as_a_part, "is neither measured"),
    "parts": (larger <= (a + b) / 2, another_part, "is not given as the lemma declares it"),
    "least": (larger <= (a + b) / 2, the_least_one, "is not given as the lemma declares it"),
    "second": (larger <= a, a_second_one, "is neither measured"),
    "nearer": (APART, a_nearer_point, "nearer is given, and the lemma does not declare it"),
    "two sets": (
        norm(project(x, S) - project(y, T)) ** 2 <= norm(x - y) ** 2,
        one_set_for_two,
        "beside is given, and the lemma does not declare it",
    ),
    "small": (norm(p - q) ** 2 <= C**2 / 4, a_smaller_set, "is not given as the lemma declares it"),
    "step": (k(P) + 2 * norm(P - x) ** 2 / eta <= k(x), a_longer_step, "is not given as the lemma"),
    "weak": (
        weak(prox(weak, x, eta)) + norm(prox(weak, x, eta) - x) ** 2 / eta <= weak(x),
        a_convex_one,
        "w is not given as the lemma declares it",
    ),
    "again": (
        k(P) + 2 * norm(P - x) ** 2 / eta <= k(x),
        a_point_of_the_step,
        "the known point again is given",
    ),
    "short": (norm(clip(x, C)) <= 0, a_clipped_vector_of_no_length, "is read as something else"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_proof_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claim, forge, why = FORGED[name]
    statement = state(name, claim)
    own = LemmaForm(statement.id, statement)
    forge(own)
    found = prove_by(monkeypatch, own, statement)
    assert not found.concluded
    assert why in found.detail or any(why in step.detail for step in found.steps)
