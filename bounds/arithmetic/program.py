"""Expressions compiled once into a list of operations that any arithmetic can run.

The same program runs in float64 arrays (`arrays`), in running error analysis (`rounding`), and in
50-digit or ball arithmetic (`multiprecision`). Equal subexpressions are compiled once. Three forms are
recognised because the naive ones lose digits: (1+u)**n, (1+u)**n - 1 and log(1+u), which become
exp(n log1p(u)), expm1(n log1p(u)) and log1p(u).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final, Protocol, final

from sympy import (
    Abs,
    Add,
    Expr,
    Float,
    Max,
    Min,
    Mul,
    Number,
    Piecewise,
    Pow,
    Rational,
    S,
    Sum,
    Symbol,
    cos,
    exp,
    log,
    sin,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from bounds.errors import MalformedStatement, TooManySummands

DIRECT_POWERS = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3))

KNOWN: Final = (
    "a formula is made of numbers, + - * / **, sqrt, exp, log, cos, sin, pi, abs, maximum, minimum, "
    "Piecewise and Sum(..., (k, 0, K - 1)) over the rounds; what an algorithm computes otherwise, such as an "
    'eigenvalue, may be an observable of it and a quantity with part=at_start("...")'
)
MOST_SUMMANDS: Final = 100_000
HALF: Final = Fraction(1, 2)  # by which a whole number is told from the next one, whatever was rounded


@final
@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    arguments: tuple[int, ...] = ()
    parameter: Any = None


@final
@dataclass(frozen=True, slots=True)
class Program:
    inputs: tuple[str, ...]
    operations: tuple[Operation, ...]
    outputs: tuple[int, ...]

    def find_needed(self, results: Iterable[int]) -> set[int]:
        """The operations whose results these need, themselves among them."""
        needed = set(results)
        for index in range(len(self.operations) - 1, -1, -1):
            if index in needed:
                needed.update(self.operations[index].arguments)
        return needed


@final
@dataclass(frozen=True, slots=True)
class Summand:
    """The body of a sum over `index`; the others of its inputs, in this order, are given to the sum."""

    body: Program
    index: str
    others: tuple[str, ...]


class Arithmetic(Protocol):
    """What a number system must offer to run a program one operation at a time."""

    def number(self, value: Fraction) -> Any: ...
    def add(self, values: Sequence[Any], signs: Sequence[int]) -> Any: ...
    def multiply(self, above: Sequence[Any], below: Sequence[Any]) -> Any: ...
    def power(self, base: Any, exponent: Fraction) -> Any: ...
    def raise_to(self, base: Any, exponent: Any) -> Any: ...
    def compound(self, u: Any, n: Any) -> Any: ...
    def compound_minus_one(self, u: Any, n: Any) -> Any: ...
    def exp(self, x: Any) -> Any: ...
    def log(self, x: Any) -> Any: ...
    def log1p(self, x: Any) -> Any: ...
    def cos(self, x: Any) -> Any: ...
    def sin(self, x: Any) -> Any: ...
    def pi(self) -> Any: ...
    def maximum(self, values: Sequence[Any]) -> Any: ...
    def minimum(self, values: Sequence[Any]) -> Any: ...
    def compare(self, left: Any, right: Any, relation: str) -> Any: ...
    def select(self, condition: Any, value: Any, otherwise: Any) -> Any: ...

    def total(self, low: Any, high: Any, summand: Callable[[Any], Any]) -> Any: ...


def compile_expressions(
    expressions: Sequence[Expr], definitions: Mapping[Symbol, Expr] | None = None
) -> Program:
    """A symbol with a definition stands for it, and is computed once wherever it occurs."""
    builder = _Builder(definitions or {})
    outputs = tuple(builder.visit(expression) for expression in expressions)
    inputs = tuple(op.parameter for op in builder.operations if op.name == "input")
    return Program(inputs, tuple(builder.operations), outputs)


def run(program: Program, arithmetic: Arithmetic, values: dict[str, Any]) -> list[Any]:
    """Run one operation after the other; `arrays.run` is the fast way for large arrays."""
    needed = program.find_needed(program.outputs)
    results: dict[int, Any] = {}
    for index, op in enumerate(program.operations):
        if index in needed:
            arguments = [results[i] for i in op.arguments]
            results[index] = _STEP[op.name](arithmetic, arguments, op.parameter, values)
    return [results[index] for index in program.outputs]


def add_up(
    arithmetic: Arithmetic,
    ends: tuple[Any, Any],
    numbers: range,
    summand: Callable[[Any], Any],
    most: int = MOST_SUMMANDS,
) -> Any:
    """One summand after the other; of many sums at once each selects those between its own ends."""
    count = numbers.stop - numbers.start  # `len` knows no number that does not fit into 63 bits
    if count > most:
        raise TooManySummands(f"a sum of {count} summands takes too long in many digits: at most {most}")
    zero, half = arithmetic.number(Fraction(0)), arithmetic.number(HALF)
    below, above = arithmetic.add([ends[0], half], (1, -1)), arithmetic.add([ends[1], half], (1, 1))
    total = zero
    for number in numbers:
        at = arithmetic.number(Fraction(number))
        value = summand(at)
        for end, relation in ((below, ">"), (above, "<")):
            value = arithmetic.select(arithmetic.compare(at, end, relation), value, zero)
        total = arithmetic.add([total, value], (1, 1))
    return total


def _sum(arithmetic: Arithmetic, arguments: list[Any], parts: Summand) -> Any:
    low, high, *given = arguments
    known = dict(zip(parts.others, given, strict=True))
    return arithmetic.total(low, high, lambda at: run(parts.body, arithmetic, known | {parts.index: at})[0])


def list_whole_numbers(low: float, high: float) -> range:
    """From the first to the last of a sum."""
    return range(ceil(low - HALF), floor(high + HALF) + 1)


def find_counts_of_summands(program: Program) -> set[str]:
    """The inputs that say how many summands a sum has."""
    outer: set[int] = set()
    for op in program.operations:
        if op.name == "sum":
            within = find_counts_of_summands(op.parameter.body)
            others = zip(op.arguments[2:], op.parameter.others, strict=True)
            outer.update(op.arguments[:2], (i for i, name in others if name in within))
    needed = program.find_needed(outer)
    return {program.operations[i].parameter for i in needed if program.operations[i].name == "input"}


_STEP: dict[str, Callable[[Arithmetic, list[Any], Any, dict[str, Any]], Any]] = {
    "input": lambda a, x, p, values: values[p],
    "number": lambda a, x, p, _: a.number(p),
    "add": lambda a, x, p, _: a.add(x, p),
    "multiply": lambda a, x, p, _: a.multiply(x[:p], x[p:]),
    "power": lambda a, x, p, _: a.power(x[0], p),
    "raise_to": lambda a, x, p, _: a.raise_to(x[0], x[1]),
    "compound": lambda a, x, p, _: a.compound(x[0], x[1]),
    "compound_minus_one": lambda a, x, p, _: a.compound_minus_one(x[0], x[1]),
    "exp": lambda a, x, p, _: a.exp(x[0]),
    "log": lambda a, x, p, _: a.log(x[0]),
    "log1p": lambda a, x, p, _: a.log1p(x[0]),
    "cos": lambda a, x, p, _: a.cos(x[0]),
    "sin": lambda a, x, p, _: a.sin(x[0]),
    "pi": lambda a, x, p, _: a.pi(),
    "maximum": lambda a, x, p, _: a.maximum(x),
    "minimum": lambda a, x, p, _: a.minimum(x),
    "compare": lambda a, x, p, _: a.compare(x[0], x[1], p),
    "select": lambda a, x, p, _: a.select(x[0], x[1], x[2]),
    "sum": lambda a, x, p, _: _sum(a, x, p),
}


@final
@dataclass(slots=True)
class _Builder:
    definitions: Mapping[Symbol, Expr]
    operations: list[Operation] = field(default_factory=list)
    index: dict[Operation, int] = field(default_factory=dict)
    seen: dict[Expr, int] = field(default_factory=dict)

    def emit(self, name: str, arguments: Sequence[int] = (), parameter: Any = None) -> int:
        operation = Operation(name, tuple(arguments), parameter)
        if operation not in self.index:
            self.index[operation] = len(self.operations)
            self.operations.append(operation)
        return self.index[operation]

    def visit(self, expression: Expr) -> int:
        if expression not in self.seen:
            self.seen[expression] = self._visit(expression)
        return self.seen[expression]

    def _visit(self, e: Expr) -> int:
        if isinstance(e, Symbol):
            if e in self.definitions:
                return self.visit(self.definitions[e])
            return self.emit("input", parameter=e.name)
        if isinstance(e, Rational):
            return self.emit("number", parameter=Fraction(int(e.p), int(e.q)))
        if isinstance(e, Add):
            return self._add(e)
        if isinstance(e, Mul):
            return self._multiply(e)
        if isinstance(e, Pow):
            return self._power(e)
        if isinstance(e, exp) or e is S.Exp1:
            return self.emit("exp", [self.visit(S.One if e is S.Exp1 else e.args[0])])
        if isinstance(e, log):
            u = self.excess_over_one(e.args[0])
            return self.emit("log", [self.visit(e.args[0])]) if u is None else self._log1p(u)
        if isinstance(e, cos | sin):
            return self.emit("cos" if isinstance(e, cos) else "sin", [self.visit(e.args[0])])
        if e is S.Pi:
            return self.emit("pi")
        if isinstance(e, Max | Min):
            name = "maximum" if isinstance(e, Max) else "minimum"
            return self.emit(name, [self.visit(a) for a in e.args])
        if isinstance(e, Piecewise):
            return self._piecewise(e)
        if isinstance(e, Sum):
            return self._sum(e)
        if isinstance(e, Float):
            written = "write a fraction, such as Rational(2, 5) of sympy for 0.4"
            raise MalformedStatement(f"the number {float(e)!r} is rounded; {written}")
        if isinstance(e, Abs) and e.args[0].is_real is not False:
            return self.visit(Max(e.args[0], -e.args[0]))
        raise MalformedStatement(f"no rule to evaluate {type(e).__name__} in {e}; {KNOWN}")

    def _log1p(self, u: Expr) -> int:
        return self.emit("log1p", [self.visit(u)])

    def _add(self, e: Expr) -> int:
        arguments, signs = [], []
        for sign, part in self._pair_off_ones(list(e.args)):
            if isinstance(part, tuple):
                coefficient, u, n = part
                node = self._less_one(u, n)
                if abs(coefficient) != 1:
                    scale = self.visit(abs(coefficient))
                    node = self.emit("multiply", [scale, node], 2)
                arguments.append(node)
            else:
                arguments.append(self.visit(part))
            signs.append(sign)
        if len(arguments) == 1 and signs == [1]:
            return arguments[0]
        return self.emit("add", arguments, tuple(signs))

    def _less_one(self, u: Expr, n: Expr) -> int:
        """(1+u)**n - 1; a square is u (2 + u), also where 1 + u is not positive."""
        if n == 2:
            return self.emit("multiply", [self.visit(u), self.visit(u + 2)], 2)
        return self.emit("compound_minus_one", [self.visit(u), self.visit(n)])

    def _multiply(self, e: Expr) -> int:
        above, below = [], []
        for factor in e.args:
            base, power = factor.as_base_exp()
            if isinstance(power, Rational) and power.is_negative and not isinstance(factor, Rational):
                below.append(self.visit(Pow(base, -power)))
            elif isinstance(factor, Rational) and factor.q != 1 and abs(factor.p) == 1:
                below.append(self.visit(Rational(factor.p * factor.q)))
            else:
                above.append(self.visit(factor))
        if not above:
            above.append(self.emit("number", parameter=Fraction(1)))
        return self.emit("multiply", [*above, *below], len(above))

    def _power(self, e: Expr) -> int:
        base, power = e.args
        if isinstance(power, Rational):
            exponent = Fraction(int(power.p), int(power.q))
            u = self.excess_over_one(base)
            if u is not None and exponent.denominator != 1 and abs(exponent) not in DIRECT_POWERS:
                return self.emit("compound", [self.visit(u), self.visit(power)])
            if exponent < 0:
                one = self.emit("number", parameter=Fraction(1))
                return self.emit("multiply", [one, self.visit(Pow(base, -power))], 1)
            return self.emit("power", [self.visit(base)], exponent)
        u = self.excess_over_one(base)
        if u is not None:
            return self.emit("compound", [self.visit(u), self.visit(power)])
        return self.emit("raise_to", [self.visit(base), self.visit(power)])

    def _piecewise(self, e: Expr) -> int:
        *cases, (last, always) = e.args
        if always not in (True, BooleanTrue()):
            raise MalformedStatement(f"a Piecewise needs a last case that always holds: {e}")
        node = self.visit(last)
        for value, condition in reversed(cases):
            node = self.emit("select", [self._compare(condition), self.visit(value), node])
        return node

    def _sum(self, e: Sum) -> int:
        *inner, (index, low, high) = e.limits  # the innermost first: the sum of a sum is one in sympy
        if not (low.is_integer and high.is_integer):
            raise MalformedStatement(
                f"an index goes from one whole number to another, as (k, 0, K - 1), not {e.limits[-1]}"
            )
        function = Sum(e.function, *inner) if inner else e.function
        others = sorted(function.free_symbols - {index}, key=str)
        summand = Summand(compile_expressions([function]), index.name, tuple(s.name for s in others))
        return self.emit("sum", [self.visit(part) for part in (low, high, *others)], summand)

    def _compare(self, condition: Relational) -> int:
        if isinstance(condition, BooleanTrue | BooleanFalse) or not isinstance(condition, Relational):
            raise MalformedStatement(f"a case must compare two expressions, not {condition}")
        return self.emit("compare", [self.visit(condition.lhs), self.visit(condition.rhs)], condition.rel_op)

    def excess_over_one(self, base: Expr) -> Expr | None:
        """u where base is 1 + u with u not a number, by itself or by its definition."""
        base = self.definitions.get(base, base)
        if isinstance(base, Add) and base.args[0] == 1:
            return base - 1
        return None

    def _pair_off_ones(self, parts: list[Expr]) -> list[tuple[int, Any]]:
        """Split a sum into signed parts, joining c*(1+u)**n and -c into one compound-minus-one part."""
        number = parts[0] if isinstance(parts[0], Number) else None
        out: list[tuple[int, Any]] = []
        for part in parts:
            coefficient, rest = part.as_coeff_Mul()
            if number is not None and part is not number and coefficient == -number and isinstance(rest, Pow):
                u = self.excess_over_one(rest.args[0])
                # A number as exponent may stand over a negative base, which has no logarithm.
                if u is not None and (rest.args[1] == 2 or not rest.args[1].is_number):
                    out = [entry for entry in out if entry[1] is not number]
                    out.append((1 if coefficient > 0 else -1, (coefficient, u, rest.args[1])))
                    number = None
                    continue
            if isinstance(part, Number):
                out.append((1, part))
            else:
                out.append((-1, -part) if coefficient.is_negative else (1, part))
        return out
