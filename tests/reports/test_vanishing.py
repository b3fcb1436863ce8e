"""When a term vanishes is a value; its words are made in one place and read by no program."""

import ast
from pathlib import Path

import pytest
from sympy import Integer, Symbol

from bounds.discovery import forms
from bounds.language.statement import Term
from bounds.language.vanishing import Equal, Grows, Together, ToZero, Vanishing, together
from reports.documents.vanishing import words

T, p, x, xi, sigma = (Symbol(name) for name in ("T", "p", "x", "xi", "sigma"))


@pytest.mark.parametrize(
    ("vanishes", "remark", "expected"),
    [
        ((), "", ""),
        ((), "at F*", "at F*"),
        ((Equal(T, 1), Equal(xi, 0)), "", "when T = 1 or xi = 0"),
        ((Equal(p, T),), "", "when p = T"),
        ((Equal(x, 0), together(Equal(xi, 0), Equal(sigma, 0))), "", "when x = 0, or xi = sigma = 0"),
        ((together(Equal(p, 1), Equal(sigma, 0)),), "", "when p = 1 and sigma = 0"),
        ((Together((Equal(xi, 0),), "every client is alike"),), "", "when every client is alike"),
        ((Equal(sigma, 0), Grows(T * x)), "", "when sigma = 0, or as T*x grows"),
        ((Grows(T), Grows(x), ToZero(p)), "", "as T or x grows, or as p -> 0"),
        ((Grows(T),), "when no update is clipped", "when no update is clipped, or as T grows"),
    ],
)
def test_the_words_of_a_term(vanishes: tuple[Vanishing, ...], remark: str, expected: str) -> None:
    assert words(Term("one", Integer(1), "anything", vanishes, remark=remark)) == expected


def test_every_term_says_when_it_vanishes_in_values() -> None:
    kinds = (Equal, Together, Grows, ToZero)
    for form in forms().values():
        for term in form.terms:
            assert isinstance(term.vanishes, tuple), (form.id, term.name)
            assert all(isinstance(v, kinds) for v in term.vanishes), (form.id, term.name)


def test_no_check_reads_words_of_a_term() -> None:
    """`remark` is for readers, and the limits audit imports nothing that takes words apart."""
    for file in sorted(Path("verify").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert "remark" not in read, file
        if file.parent.name == "limits":
            imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
            assert "re" not in imported, file
