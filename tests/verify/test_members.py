"""A function that is given for a lemma is tried at points: one that leaves its class is named."""

from typing import Any

import numpy as np
import pytest

from bounds.language.lemmas.declaration import assume
from bounds.language.lemmas.functions_of_numbers import maximum
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.lemma import lemma
from bounds.language.lemmas.matrices import matrix
from bounds.language.lemmas.measures import expected, inner, largest, norm, total
from bounds.language.lemmas.mixing import mixed, mixing_matrix
from bounds.language.lemmas.objects import function, number, vector
from bounds.language.lemmas.random_vectors import random_vector
from bounds.language.quantity import POSITIVE, Notation
from bounds.language.statement import Paper, Statement
from synthetic.errors import AuthorMistake
from verify.objects.members import why_outside
from verify.objects.predicates import find_met

PAPER = Paper(key="m", title="", authors="", bibtex="", package="m", notation=Notation())
L, mu, G, rho = (number(name, POSITIVE) for name in ("L", "mu", "G", "rho"))
x = vector("x")


def stated(**classes: Any) -> Statement:
    f = function("f", **classes)
    return lemma(PAPER, "m", f(x - f.gradient(x)) <= f(x) + norm(f.gradient(x)) ** 2)


SQUARE = (lambda p: (p**2).sum() / 2, lambda p: p)
DOUBLE = (lambda p: (p**2).sum(), lambda p: 2 * p)
CONCAVE = (lambda p: -(p**2).sum() / 2, lambda p: -p)
FLAT = (lambda p: np.sqrt(1 + (p**2).sum()), lambda p: p / np.sqrt(1 + (p**2).sum()))
JUMP = (lambda p: (p**2).sum() / 2 + float(p[0] > 0.9), lambda p: p)
FAR = (lambda p: 1e6 + (p**2).sum() / 2, lambda p: p)
CLASSES: dict[str, dict[str, Any]] = {
    "smooth": {"smooth": L},
    "convex": {"convex": True, "smooth": L},
    "strong": {"strongly_convex": mu, "smooth": L},
    "short": {"lipschitz": G},
    "weak": {"weakly_convex": rho},
}


@pytest.mark.parametrize(
    ("name", "f", "constants", "said"),
    [
        ("smooth", SQUARE, {"L": 1.0}, ""),
        ("smooth", CONCAVE, {"L": 1.0}, ""),
        ("smooth", FAR, {"L": 1.0}, ""),
        ("smooth", DOUBLE, {"L": 1.0}, "f is not smooth with the constant 1"),
        ("smooth", JUMP, {"L": 1.0}, "f is not smooth with the constant 1"),
        ("convex", FLAT, {"L": 1.0}, ""),
        ("convex", CONCAVE, {"L": 1.0}, "f is not convex"),
        ("strong", SQUARE, {"L": 1.0, "mu": 1.0}, ""),
        ("strong", FLAT, {"L": 1.0, "mu": 0.5}, "f is not strongly convex with the constant 0.5"),
        ("short", FLAT, {"G": 1.0}, ""),
        ("short", SQUARE, {"G": 1.0}, "f is not Lipschitz with the constant 1"),
        ("weak", CONCAVE, {"rho": 1.0}, ""),
        ("weak", CONCAVE, {"rho": 0.9}, "f is not weakly convex with the constant 0.9"),
    ],
)
def test_a_function_outside_of_its_class_is_named(
    name: str, f: Any, constants: dict[str, float], said: str
) -> None:
    given = {"f": f[0], "gradient_of_f": f[1], "x": np.array([1.0, -0.5]), **constants}
    found = why_outside(stated(**CLASSES[name]), given)
    assert found.partition(": see")[0] == said


def square(p: Any) -> Any:
    return (p**2).sum(axis=-1)


@pytest.mark.parametrize(
    ("classes", "value", "constants", "said"),
    [
        ({"convex": True}, lambda p: -square(p), {}, "f is not convex"),
        ({"convex": True}, lambda p: 1e6 + square(p), {}, ""),
        ({"strongly_convex": mu}, square, {"mu": 2.1}, "f is not strongly convex with the constant 2.1"),
        ({"strongly_convex": mu}, square, {"mu": 2.0}, ""),
        ({"smooth": L}, lambda p: -5 * square(p), {"L": 9.0}, "f is not smooth with the constant 9"),
        ({"smooth": L}, lambda p: -5 * square(p), {"L": 10.0}, ""),
        ({"lipschitz": G}, lambda p: 3 * p[0], {"G": 2.0}, "f is not Lipschitz with the constant 2"),
        ({"lipschitz": G}, lambda p: 3 * p[0], {"G": 3.0}, ""),
        ({"quasi_convex": True}, lambda p: -square(p), {}, "f is not quasi-convex"),
        ({"quasi_convex": True}, lambda p: p[0] ** 3, {}, ""),
    ],
)
def test_a_lemma_without_gradients_has_its_functions_tried_by_values(
    classes: dict[str, Any], value: Any, constants: dict[str, float], said: str
) -> None:
    f, y = function("f", **classes), vector("y")
    statement = lemma(PAPER, "m", f((x + y) / 2) <= maximum(f(x), f(y)))
    found = why_outside(statement, {"f": value, "x": np.array([1.0]), "y": np.array([-1.0]), **constants})
    assert found.partition(": see")[0] == said


def explain(claim: Any, **given: Any) -> str:
    assumed = given.pop("assumed", ())
    arrays = {n: np.array(v) if isinstance(v, list) else v for n, v in given.items()}
    return why_outside(lemma(PAPER, "m", claim, assumptions=assumed), arrays)


def test_vectors_and_numbers_that_are_not_what_is_declared_are_named() -> None:
    u, v, w, i = vector("u", unit=True), vector("v"), vector("w", longest=G), index("i")
    unit = inner(u, v) <= norm(v)
    assert explain(unit, u=[20.0, 0.0], v=[1.0, 0.0]) == "u is not of length one: it is 20 long"
    assert explain(unit, u=[0.6, 0.8], v=[1.0, 0.0]) == ""
    assert explain(inner(w, v) <= G * norm(v), w=[2.0], v=[1.0], G=1.0) == "w is longer than 1: it is 2 long"
    assert explain(inner(w, v) <= G * norm(v), w=[2.0], v=[1.0], G=2.0) == ""
    p, z = number("p", over=i, weights=True), vector("z", over=i)
    convex = norm(total(p * z)) <= largest(norm(z))
    assert explain(convex, p=[1.0, 1.0], z=[[1.0], [1.0]]) == "p does not add up to one, but to 2"
    assert explain(convex, p=[1.5, -0.5], z=[[1.0], [1.0]]).startswith("p leaves its domain: -0.5")
    assert explain(convex, p=[0.9, 0.1], z=[[1.0], [1.0]]) == ""
    a = number("a", over=i, increasing=True)
    assert explain(total(a) <= total(a), a=[2.0, 1.0]) == "a is not increasing"
    assert explain(total(a) <= total(a), a=[1.0, 1.0]) == ""


def test_matrices_that_are_not_what_is_declared_are_named() -> None:
    i = index("i")
    semidefinite, bounded = (
        matrix("A", semidefinite=True),
        matrix("B", symmetric=True, smallest=mu, largest=L),
    )
    falls, grows = -inner(x, semidefinite @ x) <= norm(x), norm(bounded @ x) <= L * norm(x)
    assert explain(falls, A=[[-1.0]], x=[1.0]) == "A is not semidefinite: it has the eigenvalue -1"
    assert explain(falls, A=[[1.0, 1.0], [0.0, 1.0]], x=[1.0, 0.0]) == "A is not symmetric"
    assert explain(falls, A=[[1.0, 1.0], [1.0, 1.0]], x=[1.0, 0.0]) == ""
    assert "a larger eigenvalue, or singular value, than 1: 3" in explain(
        grows, B=[[3.0]], x=[1.0], L=1.0, mu=0.5
    )
    assert "a smaller eigenvalue, or singular value, than 1: 0.5" in explain(
        grows, B=[[0.5]], x=[1.0], L=1.0, mu=1.0
    )
    assert explain(grows, B=[[1.0, 0.0], [0.0, 0.5]], x=[1.0, 0.0], L=1.0, mu=0.5) == ""
    z = vector("z", over=i)
    mixing = mixing_matrix("W", over=i, gap=mu)
    shrinks = largest(norm(mixed(mixing, z))) <= largest(norm(z)) + mu
    given: dict[str, Any] = {"z": [[1.0], [1.0]], "mu": 0.5}
    assert "does not add up to one" in explain(shrinks, W=[[1.0, 1.0], [1.0, 1.0]], **given)
    assert explain(shrinks, W=[[0.9, 0.1], [0.1, 0.9]], **given) == "W has a smaller gap than 0.5"
    assert explain(shrinks, W=[[0.7, 0.3], [0.3, 0.7]], **given) == ""


def test_an_assumption_that_does_not_hold_is_named() -> None:
    y = vector("y")
    near = assume("x is shorter than y", lambda x, y: square(x) <= square(y))
    claim = norm(x) <= norm(y)
    assert explain(claim, x=[2.0], y=[1.0], assumed=[near]) == "'x is shorter than y' does not hold"
    assert explain(claim, x=[1.0], y=[2.0], assumed=[near]) == ""


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (lambda x: 1.0 - square(x), "array of float64"),  # a margin, which is true where it is below zero
        (lambda x: "no", "'no'"),
        (lambda x: float("nan"), "nan"),
        (lambda x: None, "None"),
        (lambda x: abs(x) <= 1, "array of bool of the shape"),
        (lambda x: [[True], [True, False]], "[[True], [True, False]]"),
    ],
)
def test_an_assumption_answers_with_truth_values(answer: Any, shown: str) -> None:
    """Otherwise a true lemma is refuted by a case that it does not speak of."""
    with pytest.raises(AuthorMistake) as refused:
        find_met(assume("x is short", answer), {"x": np.ones((3, 2))}, 3)
    assert "the answer is no truth value" in str(refused.value)
    assert shown in str(refused.value)
    assert "test_members.py, line" in str(refused.value)


@pytest.mark.parametrize("answer", [lambda x: square(x) <= 1, lambda x: True, lambda x: np.True_])
def test_truth_values_of_every_kind_are_taken(answer: Any) -> None:
    assert find_met(assume("x is short", answer), {"x": np.array([[0.5], [-1.0]])}, 2).tolist() == [True] * 2


def test_outcomes_count_by_their_shares() -> None:
    r = random_vector("r")
    jensen = norm(expected(r)) <= expected(norm(r))
    weights = next(name for name in lemma(PAPER, "m", jensen).concrete.objects if name != "r")
    assert explain(jensen, r=[[1.0], [3.0]], **{weights: [3.0, 1.0]}) == ""
    assert "negative weight" in explain(jensen, r=[[1.0], [3.0]], **{weights: [3.0, -1.0]})


def test_constants_of_numpy_are_read_and_those_of_each_case_are_passed() -> None:
    longest = norm(vector("w", longest=G)) <= G
    assert explain(longest, w=[2.0], G=np.int64(1)) == "w is longer than 1: it is 2 long"
    assert explain(longest, w=[[2.0], [1.0]], G=[2.0, 1.0]) == ""
