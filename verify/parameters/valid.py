"""Parameters that satisfy a statement's conditions, constructed and never rejected.

A condition that can be written as a limit on one symbol tells the order of drawing: the symbols of the limit
first, then the symbol inside it. What other limits depend on is drawn inside its range, away from the ends,
where a limit may be zero or have a pole; every other input also takes the ends that belong to its range.

Hypothesis is a test dependency: it is imported where a strategy is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any, final

from mpmath import mp
from sympy import Expr, Symbol, lambdify, sympify

from bounds.evaluation.resolve import resolve, substitution, unfold
from bounds.language.condition import Condition, Relation, Solved
from bounds.language.quantity import Domain
from bounds.language.statement import Statement

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = [
    "Limit",
    "UnsolvableCondition",
    "domain_of",
    "drawing_order",
    "limits_on_inputs",
    "valid_parameters",
]

DECADES = 6.0
# Large enough to matter, small enough that (1 + eta beta)^tau stays a float while eta beta <= 1.
LARGEST_INTEGER = 300
# A strict relation within 4 units in the last place of its limit counts as a tie, and a tie fails.
STRICTLY_INSIDE = 1e-12
DIGITS = 60


class UnsolvableCondition(ValueError):
    """No order of drawing the inputs meets the conditions."""


@final
@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on one input as a function of inputs that are drawn before it."""

    condition: Condition
    solved: Solved
    names: tuple[str, ...]
    function: Callable[..., Any]

    def at(self, point: Mapping[str, float]) -> float:
        """The limit as a float that does not lie outside it."""
        return _round_inwards(self, tuple(point[name] for name in self.names))


@lru_cache(maxsize=4096)  # a search changes one input after the other, and most limits stay
def _round_inwards(limit: Limit, values: tuple[float, ...]) -> float:
    upper = limit.solved.relation.upper
    with mp.workdps(DIGITS):
        exact = limit.function(*map(mp.mpf, values))
        if isinstance(exact, mp.mpc) or not mp.isfinite(exact):  # a root of what may be negative here
            point = dict(zip(limit.names, values, strict=True))
            raise UnsolvableCondition(f"{_shown(limit.condition)}: its limit is {exact} at {point}")
        if limit.solved.relation.strict:
            exact -= (1 if upper else -1) * abs(exact) * STRICTLY_INSIDE
        rounded = float(exact)
        outside = mp.mpf(rounded) > exact if upper else mp.mpf(rounded) < exact
    return math.nextafter(rounded, -math.inf if upper else math.inf) if outside else rounded


@lru_cache(maxsize=1024)  # a test may ask at every example, and compiling the limits takes longer than a draw
def valid_parameters(statement: Statement) -> SearchStrategy[dict[str, float]]:
    """Every input of the statement, inside its domain and inside all conditions."""
    from hypothesis.strategies import composite

    resolved = resolve(statement)
    names = resolved.required | resolved.optional
    limits = limits_on_inputs(statement, names)
    order = drawing_order(names, limits)
    inner = {name for own in limits.values() for limit in own for name in limit.names}
    domains = {name: domain_of(statement, name) for name in names}

    @composite
    def points(draw: DrawFn) -> dict[str, float]:
        point: dict[str, float] = {}
        for name in order:
            point[name] = _draw(draw, domains[name], limits[name], point, ends=name not in inner)
        return point

    return points()


def limits_on_inputs(statement: Statement, names: Iterable[str]) -> Mapping[str, list[Limit]]:
    return _limits_on(statement, tuple(names))


@lru_cache(maxsize=1024)  # every standard cell and every point of a search asks for the same ones
def _limits_on(statement: Statement, names: tuple[str, ...]) -> Mapping[str, list[Limit]]:
    used = substitution(statement)
    limits: dict[str, list[Limit]] = {name: [] for name in names}
    for condition in (*statement.conditions, *_ends_of_derived(statement, used)):
        solved = condition.constructive
        if solved is None or solved.symbol.name not in limits:
            raise UnsolvableCondition(
                f"{_shown(condition)} is not solved for an input of {statement.locator}"
            )
        limit = unfold(solved.limit, used)
        symbols = sorted(limit.free_symbols, key=str)
        limits[solved.symbol.name].append(
            Limit(
                condition, solved, tuple(s.name for s in symbols), lambdify(symbols, limit, modules="mpmath")
            )
        )
    return limits


def _ends_of_derived(statement: Statement, used: Mapping[Symbol, Expr]) -> Iterator[Condition]:
    """Domains of derived quantities, solved where the expression is a power of a real input still free.

    An end at zero is a question of sign, which the inputs' own domains settle. What is no such power has to
    follow from the conditions; a test asks whether the points are applicable.
    """
    taken = {c.constructive.symbol for c in statement.conditions if c.constructive}
    for symbol in used:
        quantity = statement.notation.quantities.get(symbol.name)
        expression = unfold(symbol, used)
        for end, relation in _ends(quantity.domain) if quantity else ():
            for free in sorted(expression.free_symbols - taken, key=str):
                rest, part = expression.as_independent(free, as_Add=False)
                base, power = part.as_base_exp()
                if base == free and power.is_number and not free.is_integer:
                    taken.add(free)
                    turned = relation if power.is_positive else relation.turned
                    yield Condition(
                        value=expression,
                        relation=relation,
                        limit=end,
                        locator=symbol.name,
                        printed=str(quantity.domain) if quantity else "",
                        solved=Solved(free, turned, (end / rest) ** (1 / power)),
                    )
                    break


def _ends(domain: Domain) -> Iterator[tuple[Expr, Relation]]:
    if domain.lower not in (0, -math.inf):
        yield sympify(domain.lower), Relation.AT_LEAST if domain.lower_included else Relation.ABOVE
    if domain.upper not in (0, math.inf):
        yield sympify(domain.upper), Relation.AT_MOST if domain.upper_included else Relation.BELOW


def drawing_order(names: Iterable[str], limits: Mapping[str, list[Limit]]) -> list[str]:
    # Sorted: the order of a set is another one in every process, and with it what a seed draws.
    graph = {name: sorted({n for limit in limits[name] for n in limit.names}) for name in sorted(names)}
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        circle: list[str] = error.args[1]
        involved = {
            _shown(limit.condition) for name in circle for limit in limits[name] if {*limit.names} & {*circle}
        }
        raise UnsolvableCondition(
            f"the limits on {' -> '.join(circle)} refer to each other: {'; '.join(sorted(involved))}"
        ) from error


def domain_of(statement: Statement, name: str) -> Domain:
    quantity = statement.notation.quantities.get(name)
    return quantity.domain if quantity is not None else Domain(lower=0)


def _shown(condition: Condition) -> str:
    return f"condition {condition.locator} ({condition.printed})"


def _draw(
    draw: DrawFn, domain: Domain, limits: list[Limit], point: Mapping[str, float], *, ends: bool
) -> float:
    uppers = [limit.at(point) for limit in limits if limit.solved.relation.upper]
    lowers = [limit.at(point) for limit in limits if not limit.solved.relation.upper]
    low = max([domain.lower, *lowers])
    high = min([domain.upper, *uppers])
    # A strict limit is kept a little inside, which it cannot be at zero.
    strict = any(limit.solved.relation.strict for limit in limits)
    low_is_allowed = (low > domain.lower or domain.lower_included) and not (strict and low == 0)
    high_is_allowed = (high < domain.upper or domain.upper_included) and not (strict and high == 0)
    empty = low > high or (low == high and not (low_is_allowed and high_is_allowed))
    if empty or math.inf in (low, -high):
        involved = "; ".join(_shown(limit.condition) for limit in limits)
        raise UnsolvableCondition(f"nothing lies between {low} and {high} at {dict(point)}: {involved}")
    if domain.integer:
        return _integer(draw, low, high)
    return _real(draw, low, high, (low_is_allowed, high_is_allowed), ends=ends)


def _integer(draw: DrawFn, low: float, high: float) -> float:
    from hypothesis.strategies import integers

    least = math.ceil(low)
    most = min(math.floor(high), max(least, 1) * LARGEST_INTEGER) if math.isfinite(high) else None
    return float(draw(integers(least, max(least, 1) * LARGEST_INTEGER if most is None else most)))


def _real(draw: DrawFn, low: float, high: float, allowed: tuple[bool, bool], *, ends: bool) -> float:
    """Log-uniform in the distance from an end of the range; the ends themselves now and then."""
    from hypothesis.strategies import booleans, floats, integers

    exponent = draw(floats(-DECADES, DECADES))
    if math.isinf(low) and math.isinf(high):
        return math.copysign(math.pow(10, exponent), 1 if draw(booleans()) else -1)
    if ends and draw(integers(0, 9)) == 0:
        closed = [
            end for end, is_in in zip((low, high), allowed, strict=True) if is_in and math.isfinite(end)
        ]
        if closed:
            return closed[draw(integers(0, len(closed) - 1))]
    if math.isinf(high):
        value = low + (abs(low) or 1.0) * math.pow(10, exponent)
    elif math.isinf(low):
        value = high - (abs(high) or 1.0) * math.pow(10, exponent)
    else:
        # Between 1e-6 and 0.999 of the way from one end to the other.
        part = min(math.pow(10, -abs(exponent)), 0.999)
        near_high = low != 0 and draw(booleans())
        value = high - (high - low) * part if near_high else low + (high - low) * part
    inside_low = low if allowed[0] else math.nextafter(low, math.inf)
    inside_high = high if allowed[1] else math.nextafter(high, -math.inf)
    return min(max(value, inside_low), inside_high)
