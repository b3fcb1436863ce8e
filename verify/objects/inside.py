"""Numbers of a lemma, one after the other, each inside its domain and the limits that are known by then."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from sympy import Integer

from bounds.language.condition import Relation, Solved
from bounds.language.lemmas.declaration import SIZES, Declaration
from bounds.language.lemmas.expressions import Scalar
from bounds.language.lemmas.matrices import MatrixObject
from bounds.language.lemmas.measures import size
from bounds.language.lemmas.objects import FunctionObject
from bounds.language.lemmas.random_vectors import SubsetObject
from bounds.language.lemmas.values import formula_at
from bounds.language.quantity import Domain
from bounds.language.statement import Statement
from verify.objects.draw import MOST_STEPS, Draw

LONGEST_LOOP: Final = 200  # rounds or steps of an object
LARGEST: Final = 10**6
MOST_ROWS: Final = 12  # or columns of a matrix, or coordinates of a vector, where a lemma numbers them
OPEN: Final = 1e-6  # of an interval, at an end that does not belong to it

Ends = tuple[float, float, bool, bool]


def drawn_numbers(
    draw: Draw, statement: Statement, declaration: Declaration, sizes: Mapping[str, int]
) -> dict[str, Any]:
    """`sizes` are known before: of vectors and indices, by the names that `size` gives them."""
    limits = [*_limits(statement), *limit_by_classes(declaration)]
    numbers: dict[str, Any] = {**sizes}
    formulas_alone = (
        not declaration.objects
        and statement.concrete is not None
        and statement.concrete.declared is declaration
    )
    longest = LARGEST if formulas_alone else LONGEST_LOOP
    given = (getattr(thing, size, None) for thing in declaration.objects for size in SIZES)
    sizes_of_objects = {size.text for size in given if isinstance(size, Scalar)}
    for name in _order_names(list(declaration.constants), limits):
        known = [s for s in limits if s.symbol.name == name and _names(s) <= numbers.keys()]
        known_there = statement.notation.quantities.get(name)
        domain = declaration.domains[name] if known_there is None else known_there.domain
        most = MOST_ROWS - 1 if name in sizes_of_objects else longest
        numbers[name] = _drawn(draw, domain, _ends(domain, known, numbers), most)
    return {name: number for name, number in numbers.items() if name not in sizes}


def value_of(constant: Scalar | None, numbers: Mapping[str, Any]) -> float | None:
    """The constant of a class as a number."""
    if constant is None:
        return None
    known = {symbol: numbers[symbol.name] for symbol in constant.formula.free_symbols}
    return float(formula_at(constant.formula, known, np.float64(1)))


def _limits(statement: Statement) -> list[Solved]:
    return [s for c in statement.conditions if (s := c.constructive) is not None]


def limit_by_classes(declaration: Declaration) -> list[Solved]:
    """Limit mu by L, the smallest eigenvalue of a matrix by the largest, and a subset by the whole."""
    out = []
    for thing in declaration.objects:
        if isinstance(thing, FunctionObject):
            pairs = [(thing.strongly_convex, thing.smooth), (thing.lojasiewicz, thing.smooth)]
        elif isinstance(thing, MatrixObject):
            pairs = [(thing.smallest, thing.largest)]
        elif isinstance(thing, SubsetObject):
            pairs = [(thing.members, size(thing.each))]
        else:
            continue
        exponent = getattr(thing, "exponent", None)
        if exponent is not None:
            out.append(Solved(exponent.formula, Relation.AT_MOST, Integer(1)))
        for low, high in pairs:
            if low is not None and high is not None and low.formula.is_Symbol:
                out.append(Solved(low.formula, Relation.AT_MOST, high.formula))
    return out


def _names(limit: Solved) -> set[str]:
    return {symbol.name for symbol in limit.limit.free_symbols}


def _order_names(names: list[str], limits: list[Solved]) -> list[str]:
    """First what no open limit speaks of; in a circle the first one in the lemma."""
    out: list[str] = []
    while names:
        free = (
            n for n in names if not any(s.symbol.name == n and _names(s) & set(names) - {n} for s in limits)
        )
        chosen = next(free, names[0])
        out.append(chosen)
        names.remove(chosen)
    return out


def _ends(domain: Domain, limits: list[Solved], numbers: dict[str, Any]) -> Ends:
    low, high = domain.lower, domain.upper
    low_in, high_in = domain.lower_included, domain.upper_included
    for solved in limits:
        known = {symbol: numbers[symbol.name] for symbol in solved.limit.free_symbols}
        limit = float(formula_at(solved.limit, known, np.float64(1)))
        if solved.relation.upper and limit <= high:
            high, high_in = limit, not solved.relation.strict
        elif not solved.relation.upper and limit >= low:
            low, low_in = limit, not solved.relation.strict
    return low, high, low_in, high_in


def _drawn(draw: Draw, domain: Domain, ends: Ends, longest: int) -> Any:
    low, high, low_in, high_in = ends
    if domain.integer:
        least = int(np.ceil(low)) if np.isfinite(low) else -MOST_STEPS
        return draw.integer(least, max(least, int(min(high, least + longest))))
    if np.isfinite(low) and np.isfinite(high):
        return _between(draw, ends)
    if np.isfinite(low):
        return low if low_in and draw.chance(0.15) else low + draw.size()
    if np.isfinite(high):
        return high if high_in and draw.chance(0.3) else high - draw.size()
    return draw.size() * float(draw.random.choice([-1, 1]))


def _between(draw: Draw, ends: Ends) -> float:
    low, high, low_in, high_in = ends
    share = draw.share()
    if low_in and draw.chance(0.1):
        return low
    if share >= 1:
        return high if high_in else high - OPEN * (high - low)
    return low + share * (high - low)
