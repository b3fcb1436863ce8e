"""Whether a mutant is false, from numbers that its checks never see.

An instance holds all numbers that both sides and the conditions speak of; literal/ computes it by hand. The
mutant is false where its conditions hold there and its left side is above its right one, in 40 digits.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import literal
import numpy as np
from mpmath import mp, mpf
from sympy import Expr, Symbol, lambdify

from bounds.language.condition import Condition, Relation
from bounds.language.statement import Kind, Statement

Numbers = Mapping[str, float]
SEED = 8
DIGITS = 40
STANDARD_ERRORS = 6
CLEAR = 1e-7  # of the sum of the magnitudes: far above the rounding of an instance


@cache
def makers() -> dict[str, Callable[[np.random.Generator], dict[str, Any]]]:
    out: dict[str, Callable[[np.random.Generator], dict[str, Any]]] = {}
    for module in pkgutil.iter_modules(literal.__path__):
        out |= getattr(importlib.import_module(f"literal.{module.name}"), "INSTANCES", {})
    return out


def instance(identity: str, index: int) -> dict[str, Any]:
    """Empty where this draw makes none. `errors` are standard errors of what was sampled."""
    return makers()[identity](np.random.default_rng([SEED, index]))


def relation(statement: Statement) -> tuple[Expr, Expr]:
    left = statement.left
    assert left is not None  # a statement with terms has a left side
    return left, statement.right


def in_inputs(statement: Statement, expression: Expr, given: set[str]) -> Expr:
    """What is not given is what the statement's choices and definitions say."""
    own = {c.symbol: c.expression for c in statement.choices}
    own |= {d.symbol: d.expression for d in statement.where}
    own = {symbol: e for symbol, e in own.items() if symbol.name not in given}
    while expression.free_symbols & own.keys():
        expression = expression.xreplace(own)
    return expression


def excess(left: Any, right: Any, *, equality: bool) -> Any:
    return abs(left - right) if equality else left - right


def equality(statement: Statement) -> bool:
    return statement.kind in (Kind.EQUALITY, Kind.DEFINITION)


def refutes(statement: Statement, found: dict[str, Any]) -> bool:
    """Decided in 40 digits from the numbers as they are; what was sampled is moved by six standard errors."""
    errors = found.get("errors", {})
    numbers = {n: x for n, x in found.items() if n != "errors"}
    with mp.workdps(DIGITS):
        if not all(_holds(statement, c, numbers) for c in statement.conditions):
            return False
        seen = _excess(statement, numbers)
        if seen is None:
            return False
        least, magnitude = seen
        for name, error in errors.items():
            other = _excess(statement, numbers | {name: numbers[name] + STANDARD_ERRORS * error})
            if other is None:
                return False
            least -= abs(other[0] - seen[0])
        return bool(least > CLEAR * magnitude)


def _excess(statement: Statement, numbers: Numbers) -> tuple[mpf, mpf] | None:
    """With the sum of the magnitudes; None where a side has no value."""
    left, right = (_value(statement, side, numbers) for side in relation(statement))
    if left is None or right is None:
        return None
    return excess(left, right, equality=equality(statement)), abs(left) + abs(right)


def _value(statement: Statement, expression: Expr, numbers: Numbers) -> mpf | None:
    """None where it has no finite real value."""
    expanded = in_inputs(statement, expression, set(numbers))
    missing = {s.name for s in expanded.free_symbols} - numbers.keys()
    if missing:
        return None
    symbols = sorted(expanded.free_symbols, key=str)
    try:
        value = lambdify(symbols, expanded, "mpmath")(*(mpf(float(numbers[s.name])) for s in symbols))
        value = mpf(value)
    except (ZeroDivisionError, TypeError, ValueError):
        return None
    return value if mp.isfinite(value) else None


def _holds(statement: Statement, condition: Condition, numbers: Numbers) -> bool:
    value, limit = (_value(statement, side, numbers) for side in (condition.value, condition.limit))
    if value is None or limit is None:
        return False
    return bool(
        {
            Relation.AT_MOST: value <= limit,
            Relation.BELOW: value < limit,
            Relation.AT_LEAST: value >= limit,
            Relation.ABOVE: value > limit,
        }[condition.relation]
    )


# ---- the search for a counterexample: many instances in floats, then one in 40 digits


COUNT = 400
PROMISING = 20


@cache
def instances(identity: str, count: int) -> tuple[tuple[int, dict[str, Any]], ...]:
    if identity not in makers():
        return ()
    return tuple((i, found) for i in range(count) if (found := instance(identity, i)))


def counterexample(statement: Statement, count: int = COUNT) -> int | None:
    """The index of an instance that refutes the statement."""
    known = instances(statement.id, count)
    if not known:
        return None
    with np.errstate(all="ignore"):
        shares = np.nan_to_num(_shares(statement, [found for _, found in known]), nan=-np.inf)
    for k in np.argsort(-shares)[:PROMISING]:
        index, found = known[k]
        if shares[k] > CLEAR and refutes(statement, found):
            return index
    return None


def _shares(statement: Statement, found: list[dict[str, Any]]) -> Any:
    """Excess over the magnitudes; minus infinity where a condition fails by more than rounding."""
    names = [n for n in found[0] if n != "errors"]
    arrays = {n: np.array([float(f[n]) for f in found]) for n in names}

    def value(expression: Expr) -> Any:
        expanded = in_inputs(statement, expression, set(names))
        symbols: list[Symbol] = sorted(expanded.free_symbols, key=str)
        if {s.name for s in symbols} - arrays.keys():
            return np.full(len(found), np.nan)
        out = lambdify(symbols, expanded, "numpy")(*(arrays[s.name] for s in symbols))
        return np.broadcast_to(np.asarray(out, dtype=float), len(found))

    left, right = (value(side) for side in relation(statement))
    share = excess(left, right, equality=equality(statement)) / (np.abs(left) + np.abs(right))
    for condition in statement.conditions:
        apart = value(condition.limit) - value(condition.value)
        room = apart if condition.relation.upper else -apart
        share = np.where(room >= -1e-9 * np.abs(value(condition.limit)), share, -np.inf)
    return share
