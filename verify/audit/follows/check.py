"""Audit of what is said to follow: a corollary against its theorem under the corollary's own choices.

Three questions. Does it choose what the theorem prescribes? Do the theorem's conditions hold under its
choices, and from which K on? Is its right-hand side what the theorem gives? The class is `inconsistent`: two
places of the paper disagree, and the follower may still be true for another reason.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

from sympy import Expr, Integer

from bounds.evaluation.decide import decide
from bounds.language.expression import condition_text, text
from bounds.language.finding import Finding, FindingClass
from bounds.language.statement import Statement
from verify.audit.follows.comparison import (
    ABOVE,
    BELOW,
    EQUAL_TRIED,
    IDENTITY,
    NOWHERE,
    Comparison,
    compare,
    plainness,
)
from verify.audit.follows.derivation import Derivation, compared_by_value, derive, order_constants
from verify.audit.follows.rounds import far, where_it_holds
from verify.parameters.points import points
from verify.parameters.valid import UnsolvableCondition
from verify.records.errata import right_instead

POINTS = 64
BY_ITSELF = "asked here too, or an equality"
HOLDS, FAILS, UNDECIDED, DIFFERS, LEFT_FREE, LOOSE, ORDER, OTHER = (
    "holds at all points",
    "fails",
    "undecided",
    "differs",
    "left free",
    "looser everywhere",
    "left to the constant of an O(.)",
    "not comparable",
)


VALUE = "value"  # the item that compares the right-hand sides


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One comparison of the follower with what it follows from."""

    name: str
    locator: str
    verdict: str
    detail: str
    printed: str = ""
    right: str = ""


def audit(statement: Statement) -> tuple[Finding, ...]:
    """One finding for each choice, condition or value that is not that of the source."""
    grades = {
        FAILS: FindingClass.INCONSISTENT,
        DIFFERS: FindingClass.INCONSISTENT,
        LEFT_FREE: FindingClass.INCONSISTENT,
        BELOW: FindingClass.INCONSISTENT,
        LOOSE: FindingClass.LOOSE,
    }
    return tuple(
        _finding(statement, item, grades[item.verdict])
        for item in check(statement) or ()
        if item.verdict in grades
    )


def _finding(statement: Statement, item: Item, grade: FindingClass) -> Finding:
    """A choice that meets a limit which the source does not need may lose the follower's rate.

    So the errata file of the paper may replace the advice to meet it.
    """
    where = f"{item.name} of {statement.follows_from} ({item.locator})"
    return Finding(
        id=f"{statement.id}:substitution:{item.name}",
        statement=statement.id,
        locator=statement.locator,
        grade=grade,
        where=where,
        # A value that the source does not give is a defect of the conclusion, as a counterexample is.
        of_conclusion=item.name == VALUE,
        printed=item.printed or statement.printed[0],
        right=right_instead(statement.id, where) or item.right,
        evidence=f"substitution: {item.detail}",
    )


@lru_cache(maxsize=256)
def check(statement: Statement) -> tuple[Item, ...] | None:
    """Every comparison; None where the statement is not said to follow from another."""
    if not statement.follows_from:
        return None
    derivation = derive(statement)
    names = {s.name for e in _expressions(derivation) for s in e.free_symbols}
    tried = _points(derivation.follower, names)
    return (
        *_choices(derivation, tried),
        *(_condition(derivation, index, tried) for index in range(len(derivation.conditions))),
        _value(derivation, tried),
    )


def _points(follower: Statement, names: set[str]) -> tuple[Mapping[str, float], ...]:
    """None where no order of drawing meets the conditions: then only identities are seen."""
    try:
        return tuple(points(follower, names, POINTS))
    except UnsolvableCondition:
        return ()


def _expressions(derivation: Derivation) -> Iterator[Expr]:
    yield from (e for pair in derivation.prescribed for e in (pair.own, pair.source))
    yield from (e for _, value, limit in derivation.conditions for e in (value, limit))
    yield from derivation.own_terms.values()
    yield from derivation.source_terms.values()


def _choices(derivation: Derivation, tried: tuple[Mapping[str, float], ...]) -> Iterator[Item]:
    for pair in derivation.prescribed:
        found = compare(pair.own, pair.source, tried)
        same = found.verdict in (IDENTITY, EQUAL_TRIED)
        other = UNDECIDED if found.verdict == NOWHERE else DIFFERS
        yield Item(
            name=pair.name,
            locator=pair.locator,
            verdict=found.verdict if same else other,
            detail=_counted(found) if same else f"{text(pair.own)} here; {_range(found)}",
            printed=text(pair.own),
            right=f"{text(pair.source)}, as {pair.locator} has it",
        )
    for choice in derivation.left_free:
        yield Item(
            name=f"choice of {choice.symbol}",
            locator=choice.locator,
            verdict=LEFT_FREE,
            detail=f"{choice.symbol} is prescribed by {derivation.source.id} and free here",
            right=f"{text(choice.expression)}, as {choice.locator} has it",
        )


def _condition(derivation: Derivation, index: int, tried: tuple[Mapping[str, float], ...]) -> Item:
    condition, value, limit = derivation.conditions[index]

    def holds(point: Mapping[str, float]) -> bool:
        return bool(decide(condition, value, limit, dict(point), within_rounding=True).holds)

    decided = _by_itself(derivation, index)
    failing = [] if decided else [point for point in tried if not holds(point)]
    names = {s.name for e in (value, limit) for s in e.free_symbols}
    verdict = FAILS if failing else HOLDS if tried or decided else UNDECIDED
    detail = BY_ITSELF if decided else f"{len(tried)} points"
    if failing:
        witness = {n: x for n, x in min(failing, key=plainness).items() if n in names}
        detail = (
            f"under the choices made here it says {text(value)} {condition.relation.value} {text(limit)}, "
            f"and fails at {len(failing)} of {len(tried)} points, among them {_shown(witness)}"
            f"{where_it_holds(holds, witness, _first_round(derivation))}"
        )
        if names & order_constants(derivation.follower) and any(holds(p) for p in far(tried)):
            verdict = ORDER
    return Item(
        name=f"condition {condition.id}",
        locator=condition.locator,
        verdict=verdict,
        detail=detail,
        printed=condition.printed,
        right=f"choices that meet {condition_text(condition)}",
    )


def _by_itself(derivation: Derivation, index: int) -> bool:
    """No point is needed where the follower asks the same, or where both sides are one expression."""
    condition, value, limit = derivation.conditions[index]
    asked = (condition.relation, value, limit)
    return asked in derivation.asked or (value == limit and not condition.relation.strict)


def _first_round(derivation: Derivation) -> int:
    quantity = derivation.follower.notation.quantities.get("K")
    return 1 if quantity is None else int(quantity.domain.lower)


def _value(derivation: Derivation, tried: tuple[Mapping[str, float], ...]) -> Item:
    source = derivation.source
    if not compared_by_value(derivation):
        reason = "the two bound different things" if derivation.left is None else "an O(.) has no value"
        return Item(name=VALUE, locator=source.locator, verdict=OTHER, detail=reason)
    found = compare(_sum(derivation.own_terms), _sum(derivation.source_terms), tried)
    verdict, detail = found.verdict, _counted(found)
    if found.verdict == ABOVE:
        parts, rest = _apart(derivation, tried)
        detail = f"{_range(found)}; {parts}"
        # A statement that is compared in a special case of its own may be tight elsewhere.
        verdict = ABOVE if rest.touches or derivation.restricted else LOOSE
    elif found.verdict == BELOW and found.witness is not None and found.values is not None:
        claimed, given = found.values
        detail = f"{claimed:.6g} here, {given:.6g} there, at {_shown(found.witness)}; {_range(found)}"
    elif found.verdict == NOWHERE:
        verdict = UNDECIDED
    return Item(
        name=VALUE,
        locator=source.locator,
        verdict=verdict,
        detail=detail,
        right=" + ".join(text(e) for e in derivation.source_terms.values() if e != 0) or "0",
    )


def _apart(derivation: Derivation, tried: tuple[Mapping[str, float], ...]) -> tuple[str, Comparison]:
    """Terms of the same name, each for itself; what is not reached by those that are is compared as a whole.

    A sum comes as near to its source as its largest term does: only term by term is a loose one seen.
    """
    own, source = dict(derivation.own_terms), dict(derivation.source_terms)
    sentences = []
    for name in derivation.own_terms.keys() & derivation.source_terms.keys():
        found = compare(own[name], source[name], tried)
        sentences.append(f"term {name}: {_range(found)}")
        if found.touches and found.verdict != BELOW:
            del own[name], source[name]
    return "; ".join(sorted(sentences)), compare(_sum(own), _sum(source), tried)


def _sum(terms: Mapping[str, Expr]) -> Expr:
    return sum(terms.values(), Integer(0))


def _counted(found: Comparison) -> str:
    return (
        found.verdict if found.verdict == IDENTITY else f"{found.verdict}, {found.points} points, 50 digits"
    )


def _range(found: Comparison) -> str:
    if found.verdict == IDENTITY:
        return IDENTITY
    if found.smallest is None:
        return f"{found.verdict}, {found.points} points"
    return f"between {found.smallest:.6g} and {found.largest:.6g} times it at {found.points} points"


def _shown(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value:.17g}" for name, value in sorted(point.items()))
