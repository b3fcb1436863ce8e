"""A left-hand side before any run: its size at the starting point, which costs nothing.

A method that returns its start reaches this value without a round, a client or a bit of privacy. A bound
above it says less than doing nothing.
"""

from dataclasses import dataclass
from typing import final

from sympy import Expr


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeAnyRun:
    """The left-hand side at the start is at most `expression`; `because` derives it in one line."""

    expression: Expr
    because: str


def before(expression: Expr, because: str) -> BeforeAnyRun:
    return BeforeAnyRun(expression=expression, because=because)
