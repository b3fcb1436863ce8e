"""Expressions as one line of text, in the ASCII names that --set takes.

This is the machine form: sympy reorders what it is given. The printed form is the paper's LaTeX.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from sympy import Expr
from sympy.core.relational import Relational
from sympy.printing.str import StrPrinter

from bounds.language.condition import Condition


class _Line(StrPrinter):  # type: ignore[misc]  # sympy ships no annotations
    def _print_Piecewise(self, e: Any) -> str:
        parts = [
            self._print(value) if condition == True else f"{self._print(value)} if {self._print(condition)}"  # noqa: E712  # sympy's own true
            for value, condition in e.args
        ]
        return f"({' else '.join(parts)})"

    def _print_Relational(self, e: Relational) -> str:
        sign = "!=" if e.rel_op == "!=" else ("=" if e.rel_op == "==" else e.rel_op)
        return f"{self._print(e.lhs)} {sign} {self._print(e.rhs)}"

    def _print_Max(self, e: Any) -> str:
        return f"max({', '.join(sorted(self._print(a) for a in e.args))})"

    def _print_Min(self, e: Any) -> str:
        return f"min({', '.join(sorted(self._print(a) for a in e.args))})"


@cache
def _printer() -> Callable[[Any], str]:
    return cast(Callable[[Any], str], _Line().doprint)


def text(expression: Expr) -> str:
    return _printer()(expression).replace("**", "^")


def condition_text(condition: Condition) -> str:
    return f"{text(condition.value)} {condition.relation.value} {text(condition.limit)}"
