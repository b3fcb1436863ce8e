"""When a term of a bound is zero, as values: equations between quantities, and what they tend to."""

from dataclasses import dataclass
from typing import final

from sympy import Expr, Symbol


@final
@dataclass(frozen=True, slots=True)
class Equal:
    """A quantity equals a number, or another quantity."""

    symbol: Symbol
    value: int | Symbol


@final
@dataclass(frozen=True, slots=True)
class Together:
    """Equations that hold at once; `words` name the fact where a paper has a name for it.

    A statement that lacks one of the quantities is asked the others: a named fact lists every quantity of
    its paper that measures it.
    """

    equations: tuple[Equal, ...]
    words: str = ""


@final
@dataclass(frozen=True, slots=True)
class Grows:
    """The term vanishes in the limit of a quantity that grows; of a product, in each factor alone."""

    of: Expr


@final
@dataclass(frozen=True, slots=True)
class ToZero:
    """The term vanishes in the limit of a quantity that goes to zero."""

    of: Symbol


# One alternative: each is enough for the term to vanish.
Vanishing = Equal | Together | Grows | ToZero


def together(*equations: Equal) -> Together:
    return Together(equations)


def equations(vanishing: Vanishing) -> tuple[Equal, ...]:
    """The equations of an alternative; a tendency has none."""
    if isinstance(vanishing, Equal):
        return (vanishing,)
    return vanishing.equations if isinstance(vanishing, Together) else ()
