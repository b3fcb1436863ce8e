"""Printed LaTeX in a window and on a page; expressions as text; the wrapping page."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from sympy import Integer, Max, Min, Ne, Piecewise, symbols

import bounds
from bounds.language import expression
from bounds.language.finding import Verdict
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.documents.quotation import is_prose
from reports.formula import fold, mathml

PRINTED = [
    formula
    for s in bounds.statements()
    for formula in (*s.printed, *(c.printed for c in s.conditions), *(step.printed for step in s.steps))
]


@pytest.mark.parametrize("columns", [44, 74])
def test_folding_breaks_lines_and_nothing_else(columns: int) -> None:
    for formula in PRINTED:
        folded = fold(formula, columns)
        assert re.sub(r"\s", "", folded) == re.sub(r"\s", "", formula)
        commands = re.findall(r"\\(?:[a-zA-Z]+|.)", formula)
        assert re.findall(r"\\(?:[a-zA-Z]+|[^\n])", folded) == commands, "no name is broken"
        assert max(map(len, folded.splitlines())) <= columns


def test_every_printed_formula_converts() -> None:
    for formula in PRINTED:
        shown = mathml(formula)
        assert is_prose(formula) or shown.startswith("<math ")
        assert "\\" not in shown
        assert "<code" not in shown


def test_prose_keeps_its_words_and_only_its_formulas_are_converted() -> None:
    shown = mathml(r"for $T>1$ the bound has <one> more error term")
    assert shown.startswith("for <math ")
    assert shown.endswith("</math> the bound has &lt;one&gt; more error term")
    assert not is_prose(r"\text{for $i\in[1,M]$ and }k\geq 0,")
    assert is_prose("client-level privacy by subsampling")


@pytest.mark.parametrize(
    ("latex", "inside"),
    [
        (r"\mathbbm{1}", "𝟙"),
        (r"\bm{w}", "𝒘"),
        (r"\bm{\theta}", "𝜽"),
        (r"\textup{A(effect of {noise})}", "noise)"),
        (r"\nicefrac{1}{2}", "<mfrac>"),
        (r"{\rm E}", 'mathvariant="normal"'),
    ],
)
def test_what_the_converter_lacks_is_substituted(latex: str, inside: str) -> None:
    assert inside in mathml(latex)


@pytest.mark.parametrize("latex", [r"a\leq &b\\", r"x \tag{3}"])
def test_marks_of_an_alignment_are_dropped(latex: str) -> None:
    assert "&amp;" not in mathml(latex)
    assert "linebreak" not in mathml(latex)


@pytest.mark.parametrize(
    "latex", [r"\text{<script>alert(1)</script>}", r"\text{<b onclick=x>}", r"\frac{", r"\left("]
)
def test_what_is_no_formula_is_shown_as_code(latex: str) -> None:
    shown = mathml(latex)
    assert shown.startswith("<code>")
    assert "<script" not in shown
    assert "<b" not in shown


def test_links_do_not_pass() -> None:
    assert "javascript" not in mathml(r"\href{javascript:alert(1)}{x}")


def test_expressions() -> None:
    x, y = symbols("x y", positive=True)
    assert expression.text(x**2 / (2 * y)) == "x^2/(2*y)"
    assert expression.text(Max(x, 2) + Min(y, 1)) == "max(2, x) + min(1, y)"
    assert expression.text(Piecewise((x, Ne(y, 1)), (Integer(0), True))) == "(x if y != 1 else 0)"
    assert expression.text(Piecewise((x, y < 1))) == "(x if y < 1)"


def test_the_border_has_no_number_that_json_lacks() -> None:
    content = json_border.plain(
        {
            "a": float("nan"),
            "b": {"c": float("-inf"), "d": 1.5},
            "e": [1.0, float("inf")],
            "f": np.float64("inf"),
            "g": np.array([1, 2]),
            "h": Verdict.HOLDS,
            "i": Fraction(1, 2),
            "j": Path("x"),
            "k": {2, 1},
            "l": True,
        }
    )
    assert content["b"] == {"c": None, "d": 1.5, "reason": "c is minus infinite"}
    assert content["reason"] == "a is not a number; e is partly infinite; f is infinite"
    assert (content["a"], content["e"], content["f"]) == (None, [1.0, None], None)
    assert [content[key] for key in "ghijkl"] == [[1, 2], "holds", 0.5, "x", [1, 2], True]


def test_a_heading_stays_within_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    page = Page()
    page.heading("Families, by the best (left - right)/(|left| + |right|) that was seen")
    assert max(map(len, page.lines[-2:])) <= 50


def test_a_page_wraps_under_its_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    page = Page()
    page.columns_of([("name", "F/X", "a meaning that is longer than what is left of the line; real >= 0")])
    assert page.lines[1].startswith(" " * len("  name  F/X  ") + "w") or page.lines[1].startswith(
        "             "
    )
    assert not any(line.endswith(">=") for line in page.lines)
    page.columns_of([("a name that takes nearly all of the line", "so this goes below")])
    assert page.lines[-1] == "    so this goes below"
    page.columns_of([])
