"""What an author writes in the wrong kind is told where it is written, with what belongs there."""

from dataclasses import replace
from typing import Any, cast

import pytest

import bounds
from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, F
from bounds.language.quantity import POSITIVE, Notation, Over
from bounds.language.statement import Assumption, Paper, Term, sets

STATEMENT = bounds.get("textbook.gradient_descent_convex")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"paper": "mine"}, r"the statement .*: paper='mine' is a str, and a Paper is needed"),
        ({"kind": "upper bound"}, r"kind='upper bound' is a str, and a Kind is needed"),
        ({"printed": "x"}, r"printed='x' is a str, and a tuple of str, such as \(A, B\)"),
        ({"terms": STATEMENT.terms[0]}, r"terms=.* is a Term, and a tuple of Term"),
        ({"terms": [*STATEMENT.terms]}, r"terms=.* is a list, and a tuple of Term"),
        ({"assumptions": ("convex",)}, r"assumptions=\('convex',\) is a tuple of str, and a tuple of Assump"),
        ({"terms": (*STATEMENT.terms, True)}, r"terms=.* is a tuple of Term, bool, and"),
        ({"algorithm": print}, r"algorithm=.* is a builtin_function_or_method, and a str is needed"),
        ({"example": [1]}, r"example=\[1\] is a list, and a dict is needed"),
        ({"left": 1}, r"left=1 is an int, and an Expr is needed"),
        ({"terms": ()}, r"has a left side and no terms; a right side of 0 is terms=\(Term\("),
    ],
)  # fmt: skip
def test_a_field_of_another_kind_is_refused(change, sentence):
    with pytest.raises(MalformedStatement, match=sentence):
        replace(STATEMENT, **change)


def test_so_are_those_of_its_parts() -> None:
    paper = STATEMENT.paper
    wrong: list[Any] = [1]
    certified: dict[str, Any] = {"certified_by": True}
    with pytest.raises(MalformedStatement, match=r"the paper textbook: notation=None is a NoneType"):
        replace(paper, notation=None)
    with pytest.raises(MalformedStatement, match="the term t: pays_for=1 is an int, and a str"):
        Term("t", STATEMENT.right, *wrong)
    with pytest.raises(MalformedStatement, match="the assumption a: certified_by=True is a bool, and a func"):
        Assumption("a", "b", "c", **certified)
    assert isinstance(replace(paper, url="x"), Paper)


def test_so_are_those_of_a_quantity_an_observable_and_a_choice() -> None:
    """A word for a part or for what is measured was accepted, and the quantity was then a free number."""
    notation = Notation()
    word: dict[str, Any] = {"part": "local_step"}
    with pytest.raises(MalformedStatement, match="the quantity eta: part='local_step' is a str, and a Part"):
        notation.quantity("eta", "e", "step", POSITIVE, **word)
    last, positive, eta = "last", "positive", "eta"
    with pytest.raises(MalformedStatement, match="the observable gap: over='last' is a str, and an Over"):
        notation.observable("gap", "g", "gap", F, cast(Any, last))
    with pytest.raises(
        MalformedStatement, match="the quantity eta: domain='positive' is a str, and a Domain"
    ):
        notation.quantity("eta", "e", "step", cast(Any, positive))
    with pytest.raises(MalformedStatement, match="the choice of eta: symbol='eta' is a str, and a Symbol"):
        sets(cast(Any, eta), 1, locator="x")


def test_a_dimension_is_made_of_f_and_x_or_is_one() -> None:
    notation, one = Notation(), list[Any]([1])
    wrong: list[Any] = ["F/X", 2, POSITIVE]
    notation.observable("count", "T", "a count", *one, Over.LAST)
    notation.quantity("p", "p", "a share", POSITIVE, *one)
    notation.quantity("r", "r", "its inverse", POSITIVE, 1 / F)
    assert notation.observables["count"].dimension == notation.quantities["p"].dimension == ONE
    for given in wrong:
        with pytest.raises(MalformedStatement, match=r"the dimension of the quantity q is .*, or 1"):
            notation.quantity("q", "q", "a number", POSITIVE, given)
        with pytest.raises(MalformedStatement, match=r"the dimension of the observable o is .*, or 1"):
            notation.observable("o", "o", "a measure", given, Over.LAST)
