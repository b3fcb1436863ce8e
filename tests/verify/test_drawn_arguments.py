"""Statements whose numbers are a function of objects: `drawn` says from what its arguments are drawn."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sympy import Symbol

import bounds
from bounds.errors import MalformedStatement
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.matrices import matrix
from bounds.language.lemmas.measures import largest, norm
from bounds.language.lemmas.nearest import convex_set
from bounds.language.lemmas.objects import function, number, vector
from bounds.language.lemmas.sequences import sequence
from bounds.language.quantity import OPEN_UNIT, POSITIVE, POSITIVE_INTEGER
from bounds.language.statement import Concrete
from bounds.papers.fed_norm_ec.notation import L
from verify.objects.check import judged
from verify.objects.declared import why_not_drawn
from verify.objects.draw import CASES
from verify.objects.recipes import can_be_tried, draws

MOVED = bounds.get("fed_norm_ec.lemma_7.c2")


def test_a_sum_of_vectors_is_drawn_with_what_it_is_made_of() -> None:
    """A move is at most eta long, and just so long in some cases."""
    longest = []
    for _, given in draws(MOVED, seed=3, trials=3):
        moves = np.linalg.norm(given["x_next"] - given["x"], axis=-1)
        rounding = 1e-12 * np.linalg.norm(given["x"], axis=-1).max()
        assert moves.shape == (CASES,)
        assert np.all(moves <= given["eta"] + rounding)
        longest.append(moves.max() > given["eta"] - rounding)
        assert isinstance(given["T"], int)
        assert 0 < given["gamma"] <= 1 / (2 * given["L"])
    assert any(longest)


def test_the_families_of_a_declaration_are_drawn() -> None:
    """Many coordinates, many clients and numbers that lie decades apart, as for a lemma in a formula."""
    given = dict(draws(MOVED, seed=3, trials=1))
    assert {"eight dimensions", "many", "far apart", "apart"} <= given.keys()
    assert given["many"]["x"].shape == (CASES, 120)
    assert dict(draws(bounds.get("fedavg_lojasiewicz.lemma_c1"), seed=3, trials=1)).keys() == given.keys()


def test_matrices_sequences_and_sets_are_arguments() -> None:
    K = number("K", POSITIVE_INTEGER)
    p = number("p", POSITIVE)
    a = sequence("a", last=K, next_at_most=lambda a_k, k: p * a_k / (k + 1))
    given = drawn(A=matrix("A"), a=a, S=convex_set("S"), K=K)
    assert given.declaration.constants == ("p", "K")
    assert dict(given.arguments) == {"A": "A", "a": "a", "S": "S", "K": "K"}
    assert given.declaration.matrices
    assert {thing.name for thing in given.declaration.objects} == {"A", "a", "S"}


def test_an_argument_that_no_object_is_named_after_is_refused() -> None:
    with pytest.raises(MalformedStatement, match="x, y, and objects= x"):
        Concrete(objects={"x": "a vector"}, numbers=dict, drawn=drawn(x=vector("x"), y=vector("y")))
    beside = drawn({"most": norm(vector("y"))}, x=vector("x"))
    assert Concrete(objects={"x": "a vector"}, numbers=dict, drawn=beside).drawn is beside


def test_a_number_may_be_a_formula_of_numbers_and_objects() -> None:
    """One number for all cases, one for each, one for each entry of an index; 1/(2 L) is never passed."""
    i, x = index("i", low=2), vector("x")
    a = number("a", POSITIVE, over=i)
    share = number("share", OPEN_UNIT)
    asked = drawn(
        x=x, step=share / (2 * L), length=norm(x), a=a, sizes=2 * a * norm(x), most=largest(a, i), L=L
    )
    assert set(asked.declaration.constants) == {"share", "L"}
    statement = replace(
        MOVED, concrete=Concrete(objects=dict.fromkeys(asked.arguments, ""), numbers=dict, drawn=asked)
    )
    for _, given in draws(statement, seed=5, trials=2):
        assert isinstance(given["step"], float)
        assert 0 < given["step"] < 1 / (2 * given["L"])
        lengths = np.linalg.norm(given["x"], axis=-1)
        assert np.allclose(given["length"], lengths)
        assert np.allclose(given["sizes"], 2 * given["a"] * lengths[:, None])
        assert np.all(given["most"] == given["a"].max(axis=-1))


def test_a_class_of_which_nothing_is_drawn_is_named() -> None:
    L, G = Symbol("L"), Symbol("G")
    f = function("f", strongly_convex=L, lipschitz=G)
    assert MOVED.concrete is not None
    other = replace(MOVED, concrete=Concrete(objects={"f": ""}, numbers=dict, drawn=drawn(f=f)))
    assert "no function is drawn for f" in str(why_not_drawn(other))
    assert not can_be_tried(other)


def test_an_excess_that_a_rounding_makes_refutes_nothing_and_a_real_one_does() -> None:
    """f(x) - f* of a function far above zero is all rounding; one part in a thousand less is not."""
    fact = bounds.get("dp_fedavg.fact_1")
    found = list(draws(fact, seed=1, trials=6))
    assert judged(fact, found, seed=1, trials=6)["verdict"] == "holds"
    (term,) = fact.terms
    less = replace(fact, terms=(replace(term, expression=term.expression * 999 / 1000),))
    assert judged(less, found, seed=1, trials=6)["verdict"] == "violated"


def test_numbers_of_an_index_go_with_its_vectors() -> None:
    c = index("c", low=2)
    given = drawn(g=vector("g", over=c), a=number("a", POSITIVE, over=c))
    made: dict[str, Any] = {"g": np.ones((CASES, 3, 2)), "a": np.ones((CASES, 3))}
    assert given.take(made) == made
