"""The threshold of an event beside an outcome, where a bound on a chance is nearest."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from sympy import Expr, expand

from bounds.language.lemmas.declaration import Declaration
from bounds.language.lemmas.events import Happens
from bounds.language.lemmas.expressions import Scalar, walk
from bounds.language.lemmas.objects import Number
from bounds.language.lemmas.values import GivenObjects, Numbers
from bounds.language.quantity import Domain, Quantity
from bounds.language.statement import Statement
from verify.objects.draw import Draw

# Not on an outcome, where a rounding decides, but in plain numbers, which have none.
BESIDE: Final = (1 - 2**-10, 1 + 2**-10)
PLAINLY_BESIDE: Final = (0.75, 1.0, 1.25)


def move_thresholds(
    draw: Draw, statement: Statement, declaration: Declaration, made: Mapping[str, Any]
) -> dict[str, float]:
    """Numbers of events, of three in four draws, for which an outcome meets the event or misses it barely."""
    numbers = None if statement.concrete is None else statement.concrete.numbers
    if not isinstance(numbers, Numbers) or statement.concrete is None or statement.concrete.drawn is not None:
        return {}
    out: dict[str, float] = {}
    fixed = {node.quantity.name for node in walk(declaration.objects) if isinstance(node, Number)}
    for event in [node for node in walk(list(numbers.atoms)) if isinstance(node, Happens)]:
        for quantity, slope, rest in _linear_in(event.left - event.right, fixed | out.keys()):
            if draw.chance(0.25):
                break
            world = GivenObjects(dict(made) | out, numbers.axes)
            with np.errstate(all="ignore"):
                found = _pick(draw, -world.number(rest) / world.number(slope), quantity.domain)
            if found is not None:
                out[quantity.name] = found
            break
    return out


def _linear_in(difference: Scalar, fixed: set[str]) -> list[tuple[Quantity, Scalar, Scalar]]:
    """The free numbers in which it is linear, each with what it is multiplied by and with the rest."""
    whole: Expr = expand(difference.formula)
    found = []
    for symbol in sorted(whole.free_symbols, key=str):
        atom = difference.atoms.get(symbol)
        slope = whole.coeff(symbol)
        rest = expand(whole - slope * symbol)
        if not isinstance(atom, Number) or symbol.name in fixed or symbol.is_integer:
            continue
        if symbol not in slope.free_symbols | rest.free_symbols and slope != 0:
            found.append((atom.quantity, Scalar(slope, difference.atoms), Scalar(rest, difference.atoms)))
    return found


def _pick(draw: Draw, values: Any, domain: Domain) -> float | None:
    """One of the values of the domain, the largest as often as all others, or beside it."""
    beside = np.array(PLAINLY_BESIDE if draw.plain else BESIDE)
    values = (np.asarray(values, dtype=float).ravel()[:, None] * beside).ravel()
    values = values[(values > domain.lower) & (values < domain.upper)]
    if not values.size:
        return None
    return float(values.max() if draw.chance(0.5) else values[int(draw.random.integers(values.size))])
