"""Means and sums of sums and of clipped vectors: a form takes before the mean what depends on no entry."""

from collections.abc import Callable
from typing import Any

import pytest
from forms_of_lemmas import check_lemma_and_twin, state
from sympy import Rational

from bounds.language.proof.expression import Scalar
from fedbounds import (
    NON_NEGATIVE,
    POSITIVE,
    LemmaForm,
    X,
    a_square,
    because,
    clip,
    convex_set,
    equals,
    expected,
    function,
    index,
    mean,
    norm,
    number,
    project,
    random_vector,
    size,
    total,
    vector,
)

i, x = index("i"), vector("x")
v, p = vector("v", over=i), number("p", NON_NEGATIVE, over=i, weights=True)
a, C, V = number("a", NON_NEGATIVE, over=i), number("C", POSITIVE, X), random_vector("V")
cut = clip(V - x, C)


def search(own: LemmaForm) -> None:
    own.proof.conclude(search=True)


def bound_the_clipped(own: LemmaForm) -> None:
    """No outcome is longer than C, and the square of a mean is at most the mean of the squares."""
    proof, u, most = own.proof, own.vector(cut), own.scalar(C)
    (name,) = (entry["name"] for entry in proof.given if entry["kind"] == "extreme")
    longer, outcomes = Scalar(name), ["outcomes_of_V"]
    room = because(f"bound 1 of {name}", times=most**2 / longer**2 * (longer + own.scalar(norm(V - x))))
    short = proof.claim("short", most**2 - proof.square(u), room)
    apart = a_square(u - own.vector(expected(cut)), over=outcomes)
    proof.conclude(apart, because(short, over=outcomes), search=True)


def count_them(own: LemmaForm) -> None:
    own.proof.conclude(because("size of i", times=own.scalar(a), over=["i"]), search=True)


CASES: dict[str, tuple[Callable[[Any], Any], tuple[Any, Any], Callable[[LemmaForm], None]]] = {
    "of a difference": (
        lambda c: equals(norm(mean(v - x, i)) ** 2, norm(mean(v, i) - c * x) ** 2),
        (1, 2),
        search,
    ),
    "summed": (
        lambda c: equals(norm(total(v - 2 * x, i)) ** 2, norm(total(v, i) - 2 * size(i) ** c * x) ** 2),
        (1, 2),
        search,
    ),
    "weighted": (
        lambda c: equals(norm(total(p * (v - x), i)) ** 2, norm(total(p * v, i) - c * x) ** 2),
        (1, 2),
        search,
    ),
    "one entry at least": (lambda c: mean(a, i) <= c * total(a, i), (1, Rational(1, 2)), count_them),
    "over the number of them": (
        lambda c: equals(norm(total(v / size(i), i)) ** 2, c * norm(mean(v, i)) ** 2),
        (1, 2),
        search,
    ),
    "clipped": (lambda c: c * norm(expected(cut)) ** 2 <= C**2, (1, Rational(3, 2)), bound_the_clipped),
}


def test_a_function_that_is_called_as_a_projection_is_written_is_none() -> None:
    f, S = function("P_S", convex=True), convex_set("S")
    statement = state("it", f(x) <= norm(project(x, S)))
    own = LemmaForm(statement.id, statement)
    assert own.point(f, x).value != own.scalar(norm(project(x, S)))


@pytest.mark.parametrize("name", CASES)
def test_a_mean_of_sums_is_proved_and_its_twin_is_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_lemma_and_twin(monkeypatch, name, *CASES[name])
