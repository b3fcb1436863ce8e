"""A bound as a linear form in expectations: sum_j a_j E[O_j] <= sum_l t_l + sum_m b_m E[O_m], or an equality.

The coefficients and the constant are evaluated exactly as rationals where they are rational, so that an
equality is seen as one; else in float64, or in multiprecision where float64 loses digits.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, isfinite
from typing import Any, final

import numpy as np
from sympy import Expr, Symbol

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.multiprecision import evaluate_precisely
from bounds.arithmetic.program import Program, add_up, compile_expressions, list_whole_numbers, run
from bounds.arithmetic.running_error import Pair, RunningError
from bounds.evaluation.resolve import definitions, unfold
from bounds.language.part import Of
from bounds.language.quantity import Observable, Role
from bounds.language.statement import Kind, Statement
from verify.cell import Cell
from verify.matching.constants.offered import measure_widths

# Constants and measures of the start are rounded by this share at least: `matching.constants.at_start`.
ROUNDED = 4e-12
LOST = 1e-13  # of a number: with a larger error it is computed in multiprecision


class NotLinear(ValueError):
    """A statement's side is not linear in its observables."""


class Irrational(ValueError):
    """An expression leaves the rational numbers."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LinearBound:
    """Numbers: coefficients by observable, the constant part of the right, certified ends of observables.

    An end that needs a quantity which the cell does not give is infinite. `second_moment` bounds the mean
    square of `combine` on the author's word. An equality claims that the two sides have the same value; its
    right one changes by `blur` with the constants, which are rounded to the side that is safe for a bound.
    """

    left: Mapping[str, Any]
    right: Mapping[str, Any]
    constant: Any
    lowest: Mapping[str, Any]
    highest: Mapping[str, Any]
    equality: bool = False
    second_moment: float | None = None
    blur: float = 0.0

    def combine(self, observables: Mapping[str, Any]) -> Any:
        """Left-hand side minus the random part of the right-hand side."""
        total: Any = 0
        for name, coefficient in self.left.items():
            total = total + coefficient * observables[name]
        for name, coefficient in self.right.items():
            total = total - coefficient * observables[name]
        return total

    def size(self, observables: Mapping[str, Any]) -> float:
        """The sum of the magnitudes on both sides, of which their difference has the roundings."""
        terms = [a * observables[name] for side in (self.left, self.right) for name, a in side.items()]
        return sum(abs(float(term)) for term in (*terms, self.constant))

    def floor(self) -> Any:
        """The certified lower end of `combine`."""
        return self._end(self.lowest, self.highest, -inf)

    def ceiling(self) -> Any:
        """The certified upper end of `combine`."""
        return self._end(self.highest, self.lowest, inf)

    def _end(self, ends: Mapping[str, Any], others: Mapping[str, Any], unknown: float) -> Any:
        """The sum of `ends`, and of `others` for what is subtracted."""
        added = [(a, name) for name, a in self.left.items()] + [(-b, name) for name, b in self.right.items()]
        return sum(
            a * (ends.get(name, unknown) if a > 0 else others.get(name, -unknown)) for a, name in added if a
        )


def measured_quantities(statement: Statement, cell: Cell) -> frozenset[str]:
    """Quantities of the trajectory that the cell leaves to its run: measured on the same replicates."""
    named = {symbol.name for symbol in statement.right.free_symbols}
    quantities = statement.notation.quantities
    of_runs = {name for name in named & quantities.keys() if quantities[name].role is Role.RUN}
    conditional = {s.name for c in statement.conditions for s in (c.value - c.limit).free_symbols}
    return frozenset(of_runs - conditional - cell.parameters.keys())


def inputs(statement: Statement, cell: Cell) -> dict[str, float]:
    """The parameters in float64. What the run measures stands at 0: no condition depends on it."""
    unknown = dict.fromkeys(measured_quantities(statement, cell), 0.0)
    return {name: float(value) for name, value in cell.parameters.items()} | unknown


def not_linear(statement: Statement) -> str | None:
    """Why the sides are no sums of observables with factors; None where they are."""
    try:
        for side in (statement.right, statement.left):
            if side is not None:
                _, alone = _split(side, statement, frozenset(statement.notation.observables))
    except NotLinear as error:
        return f"a side is judged as a sum of observables, each with a factor: {error}"
    moved = f"the left side has the part {alone} without an observable: move it to the right"
    return moved if statement.left is not None and alone != 0 else None


def linear_bound(statement: Statement, cell: Cell, *, free: bool = False) -> LinearBound:
    """Both sides of a cell; with `free`, the left side's observables end at their free bounds too."""
    given = dict(cell.parameters)
    observables = statement.notation.observables
    measured = measured_quantities(statement, cell)
    if statement.left is None:
        raise NotLinear(f"{statement.id} has no left-hand side")
    random = frozenset(observables) | measured
    left, nothing = _split(statement.left, statement, random)
    right, constant = _split(statement.right, statement, random)
    if nothing != 0:
        raise NotLinear(f"{statement.id}: the left-hand side has the constant part {nothing}")
    known = {name: observables[name] for name in (*left, *right) if name not in measured}
    highest = _list_highest(statement, known, frozenset(known) if free else frozenset(right))
    square = known[next(iter(left))].second_moment if len(known) == 1 and not right else None

    substitutions = _list_prescriptions(statement, frozenset(given))

    def number(expression: Expr) -> Any:
        return _number(_substitute(expression, substitutions), given)

    def end(expression: Expr | None, unknown: float) -> Any:
        if expression is None:
            return unknown
        names = {symbol.name for symbol in _substitute(expression, substitutions).free_symbols}
        return number(expression) if names <= given.keys() else unknown

    coefficients = {n: number(e) for n, e in left.items()}
    moment = None if square is None else sum(a * a for a in coefficients.values()) * end(square, inf)
    return LinearBound(
        left=coefficients,
        right={n: number(e) for n, e in right.items()},
        constant=number(constant),
        lowest={n: end(o.lowest, -inf) for n, o in known.items()} | dict.fromkeys(measured, -inf),
        highest={n: end(e, inf) for n, e in highest.items()} | dict.fromkeys(measured, inf),
        equality=statement.kind is Kind.EQUALITY,
        second_moment=moment,
        blur=_blur(statement, cell, _substitute(constant, substitutions)),
    )


def _list_highest(
    statement: Statement, known: Mapping[str, Observable], free: frozenset[str]
) -> dict[str, Expr | None]:
    """The declared upper end of each observable; of the `free` ones their free bound, which they need."""
    if any(o.free_bound is None for name, o in known.items() if name in free):
        raise NotLinear(f"{statement.id}: a random right-hand side needs a free bound")
    return {name: o.free_bound if name in free else o.highest for name, o in known.items()}


def _list_rounded(statement: Statement, cell: Cell) -> dict[str, float]:
    """How far constants of the problem and measures of the start may be off; not if counted or exact."""
    table, given = statement.notation.quantities, cell.parameters
    parts = {name: table[name].part for name in given if name in table and not table[name].domain.integer}
    rounded = [
        name
        for name, part in parts.items()
        if part is not None and part.of in (Of.CONSTANT, Of.START) and not isinstance(given[name], Fraction)
    ]
    widths = measure_widths(statement, cell) if rounded else {}
    return {name: max(ROUNDED * abs(float(given[name])), widths.get(name, 0.0)) for name in rounded}


def _blur(statement: Statement, cell: Cell, side: Expr) -> float:
    """How much the side of an equality changes if each rounded number is as far off as it may be."""
    if statement.kind is not Kind.EQUALITY:
        return 0.0
    given = dict(cell.parameters)
    value, change = float(_number(side, given)), 0.0
    for name, off in _list_rounded(statement, cell).items():
        beside = [{**given, name: float(given[name]) + moved} for moved in (-off, off)]
        moved = [abs(float(_number(side, numbers)) - value) for numbers in beside]
        change += max((amount for amount in moved if isfinite(amount)), default=0.0)
    return change


def compute_exactly(statement: Statement, cell: Cell, name: str) -> Any:
    """A quantity that the cell gives or the statement prescribes, as a fraction where it is one."""
    if name in cell.parameters:
        return cell.parameters[name]
    substitutions = _list_prescriptions(statement, frozenset(cell.parameters))
    (symbol,) = [symbol for symbol, _ in substitutions if symbol.name == name]
    return _number(_substitute(symbol, substitutions), dict(cell.parameters))


def _list_prescriptions(statement: Statement, given: frozenset[str]) -> frozenset[tuple[Symbol, Expr]]:
    """Choices, and definitions of what is not given."""
    found = {c.symbol: c.expression for c in statement.choices}
    unknown = statement.notation.observables.keys() | given
    found |= {
        symbol: expression for symbol, expression in definitions(statement) if symbol.name not in unknown
    }
    return frozenset(found.items())


@lru_cache(maxsize=4096)
def _split(side: Expr, statement: Statement, random: frozenset[str]) -> tuple[dict[str, Expr], Expr]:
    """Coefficients of what a run measures and what is left without it."""
    names = sorted(s.name for s in side.free_symbols if s.name in random)
    symbols = {s.name: s for s in side.free_symbols}
    rest = side
    coefficients = {}
    for name in names:
        coefficients[name] = side.diff(symbols[name])
        rest = rest.subs(symbols[name], 0)
    if any(c.free_symbols & {symbols[n] for n in names} for c in coefficients.values()):
        raise NotLinear(f"{statement.id}: {side} is not linear in {', '.join(names)}")
    return coefficients, rest


@lru_cache(maxsize=4096)
def _substitute(expression: Expr, substitutions: frozenset[tuple[Symbol, Expr]]) -> Expr:
    return unfold(expression, dict(substitutions))


@lru_cache(maxsize=4096)
def _program(expression: Expr) -> Any:
    return compile_expressions([expression])


def _number(expression: Expr, given: Mapping[str, Any]) -> Any:
    """A Fraction where the inputs are rational and no root is taken, else a float."""
    program = _program(expression)
    values = {name: given[name] for name in program.inputs}
    if any(isinstance(v, Fraction) for v in given.values()):
        try:
            return run(program, Rationals(), {n: Fraction(v) for n, v in values.items()})[0]
        except Irrational:
            pass

    known = {n: float(v) for n, v in values.items()}
    rounded: float = run_arrays(program, known)[0].item()
    if _keeps_its_digits(program, known, rounded):
        return rounded
    return float(evaluate_precisely(program, {n: Fraction(v) for n, v in known.items()})[0])


def _keeps_its_digits(program: Program, known: Mapping[str, float], value: float) -> bool:
    """Not if it cancels, as 2 - eta L does where eta is nearly 2/L; what float64 cannot hold stays."""
    if not isfinite(value):
        return True
    with np.errstate(all="ignore"):
        pairs = {name: Pair(np.float64(number), 0.0) for name, number in known.items()}
        error = float(run(program, RunningError(), pairs)[0].error)
    return error <= LOST * abs(value)


@final
class Rationals:
    """Exact arithmetic over compiled programs; refuses what leaves the rational numbers."""

    def number(self, value: Fraction) -> Fraction:
        return value

    def add(self, values: Sequence[Fraction], signs: Sequence[int]) -> Fraction:
        return sum((s * v for s, v in zip(signs, values, strict=True)), Fraction(0))

    def multiply(self, above: Sequence[Fraction], below: Sequence[Fraction]) -> Fraction:
        product = Fraction(1)
        for value in above:
            product *= value
        for value in below:
            product /= value
        return product

    def power(self, base: Fraction, exponent: Fraction) -> Fraction:
        if exponent.denominator != 1:
            raise Irrational(f"{base}^{exponent}")
        return base**exponent.numerator

    def raise_to(self, base: Fraction, exponent: Fraction) -> Fraction:
        return self.power(base, exponent)

    def compound(self, u: Fraction, n: Fraction) -> Fraction:
        return self.power(1 + u, n)

    def compound_minus_one(self, u: Fraction, n: Fraction) -> Fraction:
        return self.power(1 + u, n) - 1

    def exp(self, x: Fraction) -> Fraction:
        raise Irrational(f"exp({x})")

    def log(self, x: Fraction) -> Fraction:
        raise Irrational(f"log({x})")

    def log1p(self, x: Fraction) -> Fraction:
        raise Irrational(f"log(1 + {x})")

    def cos(self, x: Fraction) -> Fraction:
        raise Irrational(f"cos({x})")

    def sin(self, x: Fraction) -> Fraction:
        raise Irrational(f"sin({x})")

    def pi(self) -> Fraction:
        raise Irrational("pi")

    def maximum(self, values: Sequence[Fraction]) -> Fraction:
        return max(values)

    def minimum(self, values: Sequence[Fraction]) -> Fraction:
        return min(values)

    def compare(self, left: Fraction, right: Fraction, relation: str) -> bool:
        return {
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
            "==": left == right,
            "!=": left != right,
        }[relation]

    def select(self, condition: bool, value: Fraction, otherwise: Fraction) -> Fraction:
        return value if condition else otherwise

    def total(self, low: Fraction, high: Fraction, summand: Callable[[Any], Any]) -> Any:
        return add_up(self, (low, high), list_whole_numbers(float(low), float(high)), summand)
