"""Audit of units: every sum, comparison, logarithm, exponential and power of a statement.

A bound has the unit of what it bounds, a condition compares like with like, a definition has the unit of what
it defines. What follows from a mismatch is that two places of the paper, or two units, disagree: the class is
`inconsistent` until something stronger is shown. A quantity beside a bare number, such as eta < 1, is an
`interpretation`: it is meant in some fixed unit, which the paper does not name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from sympy import Expr

from bounds.language.dimension import Dimension, infer, same
from bounds.language.expression import text
from bounds.language.finding import Finding, FindingClass
from bounds.language.statement import Statement
from verify.records.errata import matters_at, right_instead


@final
@dataclass(frozen=True, slots=True)
class Place:
    """One relation of a statement whose two sides must have the same unit.

    A mismatch in one that is `copied` from statement to statement, a term or a definition, is one defect.
    """

    name: str
    locator: str
    printed: str
    left: Expr
    right: Expr
    copied: bool = False


def audit(statement: Statement) -> tuple[Finding, ...]:
    """One finding for each place of the statement where units disagree."""
    return tuple(_finding(statement, place, problem) for place, problem in disagreements(statement))


def disagreements(statement: Statement) -> "Iterator[tuple[Place, Disagreement]]":
    """Each place where units disagree, and how."""
    known = _dimensions(statement)
    for place in places(statement):
        problem = _disagreement(place, known)
        if problem is not None:
            yield place, problem


def places(statement: Statement) -> Iterator[Place]:
    for term in statement.terms if statement.left is not None else ():
        yield Place(
            f"term {term.name}",
            statement.locator,
            statement.printed[0],
            statement.left,
            term.expression,
            copied=True,
        )
    for condition in statement.conditions:
        name = f"condition {condition.id}"
        yield Place(name, condition.locator, condition.printed, condition.value, condition.limit)
    for choice in statement.choices:
        yield Place(f"choice of {choice.symbol}", choice.locator, "", choice.symbol, choice.expression)
    for definition in statement.where:
        yield Place(
            f"definition of {definition.symbol}",
            definition.locator,
            "",
            definition.symbol,
            definition.expression,
            copied=True,
        )
    for symbol in sorted(statement.symbols, key=str):
        observable = statement.notation.observables.get(symbol.name)
        if observable is None:
            continue
        for what, end in (("lowest value", observable.lowest), ("free bound", observable.free_bound)):
            if end is not None:
                yield Place(f"{what} of {symbol}", statement.locator, "", symbol, end)


def _dimensions(statement: Statement) -> dict[str, Dimension]:
    notation = statement.notation
    quantities = {name: quantity.dimension for name, quantity in notation.quantities.items()}
    return quantities | {name: observable.dimension for name, observable in notation.observables.items()}


@final
@dataclass(frozen=True, slots=True)
class Disagreement:
    """A disagreement of units: the operands, the last of them with its unit, and the right unit."""

    found: str
    last: str
    right: str
    grade: FindingClass = FindingClass.INCONSISTENT


def _disagreement(place: Place, known: dict[str, Dimension]) -> Disagreement | None:
    left, inside_left = infer(place.left, known)
    right, inside_right = infer(place.right, known)
    inside = (*inside_left, *inside_right)
    # Zero has every unit: `x >= 0` and a certified lowest value 0 compare nothing.
    apart = place.left != 0 and place.right != 0 and not same(left, right)
    if inside:
        right_would_be = "every summand of a sum, and every operand of max or min, has one unit"
        return Disagreement("; ".join(map(str, inside)), inside[-1].last, right_would_be)
    if apart:
        last = f"{text(place.right)} is {right}"
        found = f"{text(place.left)} is {left}; {last}"
        return Disagreement(found, last, f"both sides have the unit {left}", _grade(place))
    return None


def _grade(place: Place) -> FindingClass:
    bare = place.left.is_number or place.right.is_number
    return FindingClass.INTERPRETATION if bare else FindingClass.INCONSISTENT


def _finding(statement: Statement, place: Place, problem: Disagreement) -> Finding:
    return Finding(
        id=f"{statement.id}:dimension:{place.name}",
        statement=statement.id,
        locator=place.locator,
        grade=problem.grade,
        where=place.name,
        printed=place.printed or f"{text(place.left)} = {text(place.right)}",
        # A unit that is right is no correction: the errata file of the paper may say what to print instead.
        right=right_instead(statement.id, place.name) or problem.right,
        matters=matters_at(statement.id, place.name),
        evidence=f"units: {problem.found}",
        defect=problem.last if place.copied else "",
    )
