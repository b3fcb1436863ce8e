"""Declarations of a lemma: what they print, what they measure, and what they refuse in one sentence."""

from collections.abc import Callable

import numpy as np
import pytest
import sympy
from sympy import Symbol, SympifyError

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, F, X
from bounds.language.lemmas.expressions import Scalar
from bounds.language.quantity import NATURAL, NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, Notation
from bounds.language.statement import Paper, Statement, Term
from fedbounds import (
    assume,
    clip,
    convex_set,
    equals,
    exp,
    expected,
    frobenius,
    function,
    index,
    inner,
    largest,
    largest_eigenvalue,
    lemma,
    log,
    matrix,
    maximum,
    mean,
    median,
    minimum,
    norm,
    number,
    positive_part,
    project,
    random_vector,
    sequence,
    size,
    sqrt,
    total,
    trace,
    vector,
)

L = number("L", POSITIVE)
x, y = vector("x"), vector("y")
f = function("f", convex=True, smooth=L)
i = index("i")
MORE = index("i", 2, 5)
v = vector("v", over=i)
V = random_vector("V")
A = matrix("A")
K = number("K", NATURAL, ONE)
a = sequence("a", last=K, next_at_most=lambda a_k: a_k / 2)


def paper() -> Paper:
    return Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())


def stated(claim: object) -> Statement:
    return lemma(paper(), "it", claim)


def test_a_lemma_prints_both_sides_and_what_it_is_for() -> None:
    line = f(x) + inner(f.gradient(x), y - x)
    found = stated(f(y) <= line + L / 2 * norm(y - x) ** 2)
    assert r"\langle \nabla f(x), y - x\rangle" in found.printed[0]
    assert found.reading == "for all: f convex and L-smooth; vector y; vector x."
    quantities = found.notation.quantities
    assert (quantities["L"].dimension, quantities["f_x"].dimension) == (F / X**2, F)
    assert quantities["norm_y_minus_x"].dimension == X
    assert len(found.terms) == 3


P, Q = np.array([3.0, -4.0]), np.array([[1.0, 2.0], [3.0, -6.0]])
WEIGHTS = np.array([1.0, 3.0])
M = np.array([[1.0, 2.0], [3.0, 4.0]])
# 1 or 3 of one client, 0 or 4 of the other, which is three times as likely
B = random_vector("B", over=i)
OUTCOMES = np.array([[[1.0], [0.0]], [[1.0], [4.0]], [[3.0], [0.0]], [[3.0], [4.0]]])
JOINT = {"B": OUTCOMES, "weights_of_outcomes_of_B": np.array([1.0, 3.0, 1.0, 3.0])}
MEASURED = [
    (norm(x), {"x": P}, 5),
    (norm(x, "1"), {"x": P}, 7),
    (norm(x, "max"), {"x": P}, 4),
    (norm(x - 2 * x), {"x": P}, 5),
    (inner(x, -x), {"x": P}, -25),
    (norm(clip(x, L)), {"x": P, "L": 2.0}, 2),
    (norm(positive_part(x)), {"x": P}, 3),
    (norm(mean(v)), {"v": Q}, np.sqrt(4 + 4)),
    (total(norm(v, "1")), {"v": Q}, 12),
    (largest(norm(v, "max")), {"v": Q}, 6),
    (size(i) * norm(mean(v), "1"), {"v": Q}, 8),
    (norm(median(v), "1"), {"v": np.array([[1.0, 5.0], [2.0, 4.0], [9.0, 0.0]])}, 2 + 4),
    (median(inner(v, v)), {"v": np.array([[2.0], [0.0], [1.0], [3.0]])}, (1 + 4) / 2),
    (norm(expected(V), "1"), {"V": Q, "weights_of_outcomes_of_V": WEIGHTS}, 2.5 + 4),
    (expected(norm(V, "1")), {"V": Q, "weights_of_outcomes_of_V": WEIGHTS}, (3 + 27) / 4),
    (expected(norm(mean(B, i)) ** 2), JOINT, 7.25),  # of 1/2, 5/2, 3/2, 7/2 with weights 1, 3, 1, 3
    (mean(expected(norm(B)), i), JOINT, 2.5),
    (norm(A @ x, "1"), {"A": M, "x": P}, 5 + 7),
    (trace(A), {"A": M}, 5),
    (frobenius(A), {"A": M}, np.sqrt(30)),
    (total(a) + a[K], {"a": np.array([4.0, 2.0, 1.0]), "K": 2}, 8),
    (a[0] - a[-1], {"a": np.array([4.0, 2.0, 1.0]), "K": 2}, 3),
]


@pytest.mark.parametrize(("number", "objects", "value"), MEASURED)
def test_what_is_measured_is_what_is_computed_by_hand(number: object, objects: dict, value: float) -> None:
    assert stated(equals(number, 0)).on(**objects).left == pytest.approx(value, rel=1e-14)


B, C, S = number("B", POSITIVE), number("C", POSITIVE), convex_set("S")
IN_BRACKETS = [
    (norm(project(x, S) - y), norm(project(x - y, S))),
    (norm(f.gradient(x) - y), norm(f.gradient(x - y))),
    (norm(total(v, i) - x), norm(total(v - x, i))),
    (norm((B * L + C) * x), norm(B * (L + C) * x)),
    (f((B * L + C) * x), f(B * (L + C) * x)),
    (norm(clip(x, B * L + C)), norm(clip(x, B * (L + C)))),
]


@pytest.mark.parametrize(("one", "other"), IN_BRACKETS)
def test_what_differs_in_brackets_alone_has_two_names(one: Scalar, other: Scalar) -> None:
    """Under one name both sides would be one symbol, and the left at most the right, whatever they are."""
    found = stated(one <= other)
    assert found.left != found.right


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: stated(norm(v) <= 1), "still depends on i: take mean, total or largest over i"),
    (lambda: stated(norm(V) <= 1), r"take expected\(...\)"),
    (lambda: stated(norm(x) < 1), "is strict"),
    (lambda: stated(norm(x)), "is no relation of two numbers"),
    (lambda: stated(equals(1, 1)), "speaks of no object"),
    (lambda: stated(norm(x) + norm(vector("x")) <= 1), "two objects are named x"),
    (lambda: stated(size(i) <= 1 + norm(mean(vector("w", over=MORE), MORE))), "two indices are named i"),
    (lambda: size(MORE) + size(i), "two indices are named i"),
    (lambda: stated(mean(norm(v), MORE) <= 1), "two indices are named i"),
    (lambda: stated(norm(vector("x_minus_y")) <= norm(x - y)), "have one name, norm_x_minus_y"),
    (
        lambda: stated(norm(f(x) * y) <= norm(number("f_x", dimension=F) * y)),
        "have one name, f_x",
    ),
    (lambda: stated(size(i) <= mean(number("q", over=i), i) * number("q_i")), "two things are written q_i"),
    (lambda: stated(norm(mean(v, i)) <= norm(mean(vector("v_i"), i))), "two objects are named v_i"),
    (lambda: norm(x) <= norm(y) <= 1, "write a chain"),
    (lambda: norm(L), "L is no vector"),
    (lambda: norm(x, "3"), "a norm is"),
    (lambda: norm(x) * "a", "is no number"),
    (lambda: f.lowest, "need not have a lowest value"),
    (lambda: a[1], "can be named"),
    (lambda: expected(norm(x)), "is random"),
    (lambda: mean(norm(x)), "needs the index"),
    (lambda: stated(mean(norm(x), index("j")) <= 1), "nothing of the lemma is numbered by j"),
    (lambda: stated(norm(x) <= size(index("j"))), "nothing of the lemma is numbered by j"),
    (lambda: number("p", weights=True), r"say by which index, as number\('p', over=i\)"),
    (lambda: number("p", POSITIVE_INTEGER, over=i), "is REAL, NON_NEGATIVE or POSITIVE"),
    (lambda: matrix("B", smallest=L), "symmetric=True"),
    (lambda: norm(x) + A, "A is no number"),
    (lambda: maximum(x, y), "x is no number: of vectors there are"),
    (lambda: abs(x), "x is a vector: write norm"),
    (lambda: x[0], r"x has no entry \[0\]: a coordinate is inner"),
    (lambda: number("p", over=i)[0], r"p_i has no entry \[0\]: of numbers over an index there are"),
    (lambda: median(a), "a median is of numbers or vectors"),
    (lambda: A + x, "x is no matrix"),
    (lambda: A**-1, "write inverse"),
    (lambda: largest_eigenvalue(A), "need not be one: say symmetric=True"),
    (lambda: mean(V), "needs the index: it has none"),
    (lambda: stated(function("g", smooth=2 * L)(x) <= 1), "is a number or one symbol, not 2[*]L"),
    (lambda: stated(total(sequence("b", last=number("T", POSITIVE))) >= 0), "need not be a whole number"),
    (lambda: stated(total(sequence("b", last=K - 1)) >= 0), "K - 1, which may be below 0"),
    (lambda: lemma(paper(), "it", norm(x) <= 1, assumptions=[assume("p", lambda z: z)]), "asks for z"),
    (lambda: lemma(paper(), "it", norm(x) <= 1, conditions=[equals(L, 1)]), "is an equation"),
]


@pytest.mark.parametrize(("act", "sentence"), REFUSED)
def test_what_makes_no_lemma_is_refused_in_one_sentence(act: Callable[[], object], sentence: str) -> None:
    with pytest.raises(MalformedStatement, match=sentence):
        act()


def test_functions_of_numbers_keep_what_they_are_measured_on() -> None:
    """sympy's own lose it, and say what to import; they take symbols of a theorem as sympy's do."""
    stated(abs(norm(x) - norm(y)) <= maximum(norm(x), norm(y)) + minimum(norm(x), 0) + sqrt(norm(x) ** 2))
    assert exp(Symbol("t")) == sympy.exp(Symbol("t"))
    assert log(norm(x)).atoms.keys() == norm(x).atoms.keys()
    with pytest.raises(SympifyError, match="import exp, log, sqrt, maximum or minimum from fedbounds"):
        sympy.sqrt(norm(x))


def test_the_size_of_a_vector_is_its_number_of_coordinates() -> None:
    found = stated(norm(x, "1") <= sqrt(size(x)) * norm(x))
    assert found.concrete is not None
    numbers = found.concrete.numbers(x=np.ones((2, 7)))
    assert numbers["coordinates_of_x"] == 7


def test_a_lemma_is_measured_on_the_objects_that_it_names_alone() -> None:
    """How many functions there are is counted from what is named of them, here from their gradients."""
    each = function("f", over=i, convex=True)
    found = stated(norm(mean(each.gradient(x), i)) ** 2 <= mean(norm(each.gradient(x)) ** 2, i))
    assert found.concrete is not None
    doubled_and_turned = [lambda point: 2 * point, lambda point: -point]
    numbers = found.concrete.numbers(gradient_of_f=doubled_and_turned, x=np.array([[3.0, 4.0]]))
    assert sorted(numbers.values()) == [pytest.approx(2.5), pytest.approx((100 + 25) / 2)]


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (lambda: norm(x) <= sympy.pi * norm(y), "pi has no exact value here; write a fraction"),
        (lambda: largest(L, norm(x)) <= 1, "is no index: write index(...), or maximum(a, b)"),
    ],
)
def test_what_cannot_be_written_is_named(claim: Callable[[], object], said: str) -> None:
    with pytest.raises(MalformedStatement) as refusal:
        claim()
    assert said in str(refusal.value)


def test_a_sequence_is_told_its_place_by_a_name_of_its_own() -> None:
    c, j = number("c", NON_NEGATIVE), number("j", NON_NEGATIVE)
    fading = sequence("e", last=K, next_at_most=lambda e_k, j: e_k + c / (j + 1))
    assert "e_(k+1) <= c/(j + 1) + e_k e." in stated(fading[K] <= fading[0] + c * K).reading
    with pytest.raises(MalformedStatement, match="j is a number of the lemma and what a rule calls"):
        stated(fading[K] <= fading[0] + j)
    with pytest.raises(MalformedStatement, match="next_at_most of e takes e_k, or e_k and k"):
        sequence("e", last=K, next_at_most=lambda: 0)


def test_a_term_may_be_a_plain_number() -> None:
    assert Term("nothing", 0, "nothing").expression.free_symbols == set()
    with pytest.raises(MalformedStatement, match="the term a text is 'L', which is no formula"):
        Term("a text", "L", "nothing")
