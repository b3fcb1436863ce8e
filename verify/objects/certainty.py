"""Whether an excess of a statement that declares its objects is one, and whether enough was tried to say so.

Numbers are drawn as floats, so a hypothesis such as mu <= L may be off by a rounding. An excess that such a
rounding could have made changes when the numbers are moved in their last digits: then it proves nothing.
"""

from typing import Any, Final

import numpy as np
from mpmath import mpf

from bounds.language.lemmas.values import formula_at
from bounds.language.statement import Statement
from verify.objects.both_sides import Objects, is_equality, on_objects
from verify.objects.declared import MET, declaration_of
from verify.objects.draw import CASES
from verify.objects.fifty_digits import NotInDigits
from verify.objects.in_digits import Case, Unsettled, sides_in_digits
from verify.objects.inside import limit_by_classes

MOVED: Final = 1e-11  # of each number: ten thousand roundings
LASTING: Final = 0.5  # of the excess
WANTED, MOST_TRIED = 4, 40  # points nearby that meet the conditions
FEW, RARE = 30, 0.02  # cases that meet the assumptions, and their share of all that were drawn


def survives(statement: Statement, objects: Objects, case: int, excess: float) -> bool:
    """Whether at least half of the excess stays where the numbers move a little, up and down.

    Points nearby that meet the conditions count before those that do not: of eta = 1/L and mu = L a rounding
    makes a negative 1 - eta mu, whose powers are no excess of a lemma.
    """
    concrete = statement.concrete
    if concrete is None or (concrete.declared is None and concrete.drawn is None):
        return True
    counted, elsewhere = 0, list[float]()
    for seed in range(MOST_TRIED):
        moved, met = _moved_excess(statement, objects, case, seed)
        if not met:
            elsewhere.append(moved)
        elif moved < LASTING * excess:
            return False
        counted += met
        if counted == WANTED:
            return True
    return counted > 0 or all(moved >= LASTING * excess for moved in elsewhere[:WANTED])


def _moved_excess(statement: Statement, objects: Objects, case: int, seed: int) -> tuple[float, bool]:
    """The excess of numbers that are moved a little, and whether they meet what is asked of them."""
    random = np.random.default_rng(seed)
    integers = {name for name, q in statement.notation.quantities.items() if q.domain.integer}
    drawn = None if statement.concrete is None else statement.concrete.drawn
    integers |= set() if drawn is None else {n for n, thing in drawn.arguments.items() if thing in integers}
    moved = {n: thing if n == MET or n in integers else _moved(thing, random) for n, thing in objects.items()}
    seen = on_objects(statement, "", moved)
    if seen is None or seen.left.size <= case:
        return 0.0, False
    difference = float(seen.left[case] - seen.right[case])
    met = bool(seen.share[case] > -np.inf) and _keeps_limits(statement, moved)
    return abs(difference) if is_equality(statement) else difference, met


def _keeps_limits(statement: Statement, numbers: Objects) -> bool:
    """Whether the constants of one class are in order still, as mu <= L."""
    declaration = declaration_of(statement)
    limits = [] if declaration is None else limit_by_classes(declaration)
    for solved in limits:
        names = {symbol.name for symbol in solved.limit.free_symbols}
        if not {solved.symbol.name, *names} <= numbers.keys():
            continue
        known = {symbol: numbers[symbol.name] for symbol in solved.limit.free_symbols}
        limit, value = formula_at(solved.limit, known, np.float64(1)), numbers[solved.symbol.name]
        if np.any(value > limit if solved.relation.upper else value < limit):
            return False
    return True


def _moved(thing: Any, random: np.random.Generator) -> Any:
    if isinstance(thing, float):
        return thing * (1 + MOVED * random.uniform(-1, 1))
    if isinstance(thing, np.ndarray) and thing.dtype.kind == "f":
        return thing * (1 + MOVED * random.uniform(-1, 1, thing.shape))
    return thing


def excess_in_digits(statement: Statement, objects: Objects, case: int, cases: int) -> tuple[Any, Any] | None:
    """Left and right with 50 digits from the objects on; None where something on the way has fewer.

    Nothing is left of a case that no digits settle, or that meets a condition by a rounding alone.
    """
    if declaration_of(statement) is None:
        return None
    try:
        left, right, applicable = sides_in_digits(statement, Case(objects=objects, case=case, cases=cases))
    except Unsettled:
        return mpf(0), mpf(0)
    except (NotInDigits, ArithmeticError):
        return None
    return (left, right) if applicable else (mpf(0), mpf(0))


def too_few(statement: Statement, counted: int, draws: int) -> str | None:
    """The sentence where almost nothing of what is drawn meets what is asked, or is defined."""
    declaration = declaration_of(statement)
    if declaration is None:
        return None
    drawn = draws * CASES
    assumptions = [p.text for p in declaration.predicates] or [c.printed for c in statement.conditions]
    if counted >= RARE * drawn and (counted >= FEW or not assumptions):
        return None
    asked = "; ".join(assumptions) or "no rounding decides an event or a sign, and what is written is defined"
    return f"{counted} of {drawn} drawn cases meet what is asked ({asked}), too few to say more"
