"""Commands describe a lemma: its example, words that a proof lacks, a counterexample of a function."""

import re
from typing import Any

import numpy as np
import pytest

from bounds.errors import MalformedStatement
from bounds.language.lemmas.objects import FunctionObject
from bounds.language.quantity import Notation
from bounds.language.statement import Concrete, Kind, Paper, Statement, Term
from fedbounds import (
    NON_NEGATIVE,
    POSITIVE,
    POSITIVE_INTEGER,
    F,
    X,
    at_most,
    drawn,
    equals,
    exp,
    expected,
    function,
    hessian,
    index,
    inner,
    inverse,
    lemma,
    matrix,
    mean,
    mixed,
    mixing_matrix,
    norm,
    number,
    probability,
    prox,
    random_vector,
    sequence,
    sign,
    singular_value,
    size,
    total,
    trace,
    vector,
)
from verify.objects.check import judged
from verify.objects.draw import CASES
from verify.objects.example import example_of
from verify.objects.recipes import draws
from verify.proofs.prove import WITHOUT_FORM, prove

L, eta, K = number("L", POSITIVE), number("eta", POSITIVE, X**2 / F), number("K", POSITIVE_INTEGER)
x, y, i = vector("x"), vector("y"), index("i")
f = function("f", smooth=L)


m, n = number("m", POSITIVE_INTEGER), number("n", POSITIVE_INTEGER)
A, v = matrix("A", rows=m, columns=n), vector("v", size=m)
B, V = matrix("B"), random_vector("V")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: A @ v, "A is m x n, and v is m: they do not fit"),
        (lambda: A @ A, "A is m x n, and A is m x n: they do not fit"),
        (lambda: A + A.T, "A is m x n, and A.T is n x m: they do not fit".replace("A.T", "A^T")),
        (lambda: inner(x, v), "x is d, and v is m: they do not fit"),
        (lambda: trace(A), "A is m x n, and a trace is that of a square matrix"),
        (lambda: f(v), "v has m coordinates, and functions and sets are of points of d"),
        (lambda: matrix("B", rows=m), "B has rows and columns: say both"),
        (lambda: matrix("B", rows=m, columns=n, symmetric=True), "symmetry is that of a square matrix"),
        (lambda: vector("u", size=L), "a size of u is a whole number from 1 on, not L"),
        (lambda: singular_value(A, L), "places are whole numbers from 1 on, the largest first, not L"),
    ],
)
def test_sizes_that_do_not_fit_are_named(wrong: Any, said: str) -> None:
    with pytest.raises(MalformedStatement, match=re.escape(said)):
        wrong()


def paper() -> Paper:
    return Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())


def stated(claim: Any, **more: Any) -> Statement:
    return lemma(paper(), "it", claim, **more)


def walk(gradient: Any, x: Any, eta: Any, K: int, L: Any) -> dict[str, Any]:
    moved = x
    for _ in range(K):
        moved = moved - eta * gradient(moved)
    drift, slope = (np.sqrt((v**2).sum(axis=-1)) for v in (moved - x, gradient(x)))
    return {"eta": eta, "K": K, "L": L, "drift": drift, "slope": slope}


def steps(f: FunctionObject) -> Statement:
    own = paper()
    q = own.notation.quantity
    L, eta = q("L", "L", "smoothness", POSITIVE, F / X**2), q("eta", "e", "step", POSITIVE, X**2 / F)
    K, slope = q("K", "K", "steps", POSITIVE_INTEGER), q("slope", "s", "slope", NON_NEGATIVE, F / X)
    return Statement(
        locator="steps",
        kind=Kind.UPPER_BOUND,
        paper=own,
        title="drift",
        printed=("drift",),
        reading="for all",
        left=q("drift", "d", "drift", NON_NEGATIVE, X),
        terms=(Term("steps", eta * K * slope, "every step as long as the first"),),
        conditions=(at_most(eta, 1 / L, locator="steps", printed="short"),),
        concrete=Concrete(
            objects={"gradient": "of f", "x": "start", "eta": "step", "K": "steps", "L": "smoothness"},
            numbers=walk,
            drawn=drawn(gradient=f.gradient, x=x, eta=eta, K=K, L=L),
        ),
    )


def test_a_function_of_drawn_objects_has_a_short_counterexample() -> None:
    """For f(x) = -c x^2 steps of eta lead to (1 + 2 c eta)^K x, which is further than K of the first one."""
    statement = steps(f)
    found = judged(statement, list(draws(statement, seed=1, trials=2)), seed=1, trials=2)
    assert found["verdict"] == "violated"
    lines = found["counterexample"]["lines"]
    assert [line.split(" = ")[0] for line in lines[:-1]] == ["f(x)", "L", "eta", "K", "x"]
    assert max(len(line) for line in lines) < 90
    convex = steps(function("f", convex=True, smooth=L))
    assert "counterexample" not in judged(convex, list(draws(convex, seed=1, trials=2)), seed=1, trials=2)


def test_the_example_of_a_lemma_is_of_small_objects_that_meet_its_conditions() -> None:
    step = norm(x - eta * f.gradient(x) - y + eta * f.gradient(y))
    found = example_of(stated(step <= 2 * norm(x - y), conditions=[eta <= 1 / L]))
    assert found is not None
    assert found.given.keys() == {"norm_x_minus_y", "eta", "L"}
    assert found.given["eta"] <= 1 / found.given["L"]
    assert found.given["norm_x_minus_y"] > 0
    assert [line.split(" = ")[0] for line in found.lines] == ["f(x)", "eta", "L", "x", "y"]


def test_a_lemma_of_which_nothing_is_drawn_has_no_example() -> None:
    lost = function("f", lipschitz=L, strongly_convex=number("mu", POSITIVE))
    assert example_of(stated(lost(x) <= norm(x))) is None


@pytest.mark.parametrize(
    ("claim", "word"),
    [
        (norm(matrix("A") @ x) <= norm(x), "the matrix A"),
        (total(sequence("w", last=K, equal_to=lambda k: k)) <= 1, "the formula of the sequence w"),
        (trace(hessian(function("c", self_concordant=True), x)) <= 1, "the hessian of c"),
        (norm(mean(mixed(mixing_matrix("W", i), vector("v", over=i)), i)) <= 1, "the mixing matrix W"),
    ],
)
def test_a_proof_says_what_it_has_no_words_for(claim: Any, word: str) -> None:
    found = prove(stated(claim))
    assert not found.concluded
    assert f"{WITHOUT_FORM}, and a machine form has no words for {word}:" in found.detail


def test_a_proof_of_functions_and_vectors_is_missing_only() -> None:
    assert prove(stated(inner(f.gradient(x), y) <= norm(x))).detail == WITHOUT_FORM


def test_a_recursion_that_leads_below_zero_is_no_case() -> None:
    """a_(k+1) <= a_k - e_k spends no more than a_0: a case that does is not a declared sequence."""
    e = sequence("e", last=K)
    a = sequence("a", last=K, next_at_most=lambda a_k, k: a_k - e[k])
    counted = tight = 0
    for _, given in draws(stated(total(e) - e[K] <= a[0]), seed=4, trials=3):
        defined = ~np.isnan(given["a"]).any(axis=-1)
        assert np.all(np.isnan(given["a"]).all(axis=-1) == ~defined)
        assert np.all(given["a"][defined] >= 0)
        spent = given["e"][:, :-1].sum(axis=-1)
        assert np.all(spent[defined] <= given["a"][defined, 0] * (1 + 1e-12))
        counted += int(defined.sum())
        tight += int(np.sum(spent[defined] >= 0.9 * given["a"][defined, 0]))
    assert counted > 0.9 * 3 * 16 * CASES
    assert tight > 20


def test_a_sequence_that_leaves_float64_is_no_case_where_no_start_is_free() -> None:
    """Zero times infinity is no number, and no other start can mend it: the other cases are drawn."""
    ways = sequence("ways", last=K, first=1, next_equal_to=lambda ways_k, k: ways_k * (K - k) / (k + 1))
    part = sequence("part", last=K, equal_to=lambda k: ways[k] * L**k * exp(k**2 / L**2))
    given = [given["part"] for _, given in draws(stated(total(part) >= 1), seed=4, trials=3)]
    defined = np.concatenate([~np.isnan(part).any(axis=-1) for part in given])
    assert not defined.all()
    assert defined.mean() > 0.5


def test_rows_of_a_mixing_matrix_add_up_to_one_and_its_gap_is_met() -> None:
    v, p = vector("v", over=i), number("p", POSITIVE)
    W = mixing_matrix("W", i, gap=p)
    claim = equals(norm(mean(mixed(W, v), i)), norm(mean(v, i)))
    exact = []
    for _, given in draws(stated(claim, conditions=[p <= 1]), seed=4, trials=3):
        weights = given["W"]
        assert np.all(weights >= 0)
        assert np.allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-12)
        assert np.array_equal(weights, np.swapaxes(weights, -1, -2))
        rest = np.abs(np.linalg.eigvalsh(weights - 1 / weights.shape[-1])).max(axis=-1)
        assert np.all(rest <= 1 - given["p"] + 1e-12)
        exact.append(np.any(rest >= (1 - given["p"]) * (1 - 1e-9)))
    assert np.mean(exact) > 0.5


def test_a_rounding_of_two_equal_sides_is_no_counterexample() -> None:
    """x = y, 0 <= 0: float64 and 50 digits see 0 against a rounding, which is all of both sides."""
    rho = number("rho", POSITIVE)
    w = function("w", weakly_convex=rho)
    apart = (x - prox(w, x, eta)) / eta - (y - prox(w, y, eta)) / eta
    statement = stated(norm(apart) <= norm(x - y) / eta, conditions=[eta < 1 / rho])
    found = judged(statement, list(draws(statement, seed=1, trials=6)), seed=1, trials=6)
    shown = found["counterexample"]
    assert found["verdict"] == "violated"
    assert shown["left"]["value"] - shown["right"]["value"] > 1e-3


@pytest.mark.parametrize(
    "claim",
    [
        lambda: probability(norm(V) ** 2 >= inner(V, V)) >= 1,
        lambda: probability(norm(V) ** 2 <= inner(V, V)) >= 1,
        lambda: probability(norm(x + V) ** 2 - 2 * inner(x, V) >= norm(x) ** 2 + norm(V) ** 2) >= 1,
        # Where V is constant, its difference from its mean is a rounding, below zero or above.
        lambda: (
            size(x) * probability(inner(V - expected(V), x) >= 0) >= probability(norm(V - expected(V)) <= 0)
        ),
        lambda: norm(sign((x + y / 3) * 3 - y - 3 * x), "1") <= 0 * norm(x),
        lambda: norm(sign(B @ (inverse(B) @ x) - x), "1") <= 0 * norm(x),
        lambda: norm(sign(norm(x) ** 2 * y - inner(x, x) * y), "1") <= 0 * norm(x),
    ],
)
def test_a_rounding_decides_no_event_and_no_sign(claim: Any) -> None:
    """What is equal is no false alarm: a case in which a rounding may decide is not counted."""
    statement = stated(claim())
    found = judged(statement, list(draws(statement, seed=1, trials=4)), seed=1, trials=4)
    assert found["verdict"] in ("holds", "inconclusive"), found["sentence"]


def test_an_event_is_a_relation_of_what_is_random() -> None:
    with pytest.raises(MalformedStatement, match=r"the event .* is an equation"):
        probability(equals(norm(V), 1))
    with pytest.raises(MalformedStatement, match=r"nothing in .* is random"):
        probability(norm(x) >= 1)
