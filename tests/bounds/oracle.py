"""A second evaluator: walks the statement's own sympy expressions in hundreds of digits.

It shares nothing with the compiled programs. A symbol is looked up among the given values, else its choice or
definition is evaluated, so that nothing is substituted and nothing cancels before it is computed.
Loaded by path from the tests, which are no package.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from mpmath import mp, mpf
from sympy import Add, Expr, Max, Min, Mul, Ne, Piecewise, Pow, Rational, Symbol, exp, log
from sympy.core.relational import Eq, Ge, Gt, Le, Lt

DIGITS = 200
# Relative step of the central differences, far above the working precision and far below every scale of x.
STEP = 40

COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    Lt: lambda a, b: a < b,
    Le: lambda a, b: a <= b,
    Gt: lambda a, b: a > b,
    Ge: lambda a, b: a >= b,
    Eq: lambda a, b: a == b,
    Ne: lambda a, b: a != b,
}


class NoValue(ArithmeticError):
    """The expression has no real value there."""


def rational(number: Any) -> mpf:
    fraction = Fraction(number)
    return mpf(fraction.numerator) / fraction.denominator


def definitions(statement: Any) -> dict[str, Expr]:
    """Choices, definitions and free bounds of expectations on the right, read off the statement itself."""
    out = {choice.symbol.name: choice.expression for choice in statement.choices}
    out |= {definition.symbol.name: definition.expression for definition in statement.where}
    for symbol in statement.right.free_symbols:
        observable = statement.notation.observables.get(symbol.name)
        if observable is not None and observable.free_bound is not None:
            out[symbol.name] = observable.free_bound
    return out


def walk(e: Expr, point: Mapping[str, Any], defined: Mapping[str, Expr]) -> mpf:
    """The value at the working precision of mpmath."""
    if isinstance(e, Symbol):
        return point[e.name] if e.name in point else walk(defined[e.name], point, defined)
    if isinstance(e, Rational):
        return mpf(int(e.p)) / int(e.q)
    if isinstance(e, Mul):
        return _product(e, point, defined)
    parts = [walk(a, point, defined) for a in e.args] if not isinstance(e, Piecewise) else []
    if isinstance(e, Add):
        return sum(parts, mpf(0))
    if isinstance(e, Pow):
        return _power(*parts)
    if isinstance(e, exp):
        return mp.exp(parts[0])
    if isinstance(e, log):
        if parts[0] <= 0:
            raise NoValue(f"log of {parts[0]}")
        return mp.log(parts[0])
    if isinstance(e, Max | Min):
        return (max if isinstance(e, Max) else min)(parts)
    if isinstance(e, Piecewise):
        for value, condition in e.args:
            if condition == True or COMPARE[type(condition)](  # noqa: E712 (sympy's own true)
                walk(condition.lhs, point, defined), walk(condition.rhs, point, defined)
            ):
                return walk(value, point, defined)
    raise TypeError(f"the oracle cannot walk {type(e).__name__}: {e}")


def _product(e: Mul, point: Mapping[str, Any], defined: Mapping[str, Expr]) -> mpf:
    """Divides once, at the end: 1000/1000 is then exactly 1."""
    above, below = mpf(1), mpf(1)
    for factor in e.args:
        if isinstance(factor, Pow) and factor.args[1] == -1:
            below *= walk(factor.args[0], point, defined)
        else:
            above *= walk(factor, point, defined)
    if below == 0:
        raise NoValue("division by zero")
    return above / below


def _power(base: mpf, exponent: mpf) -> mpf:
    if exponent == 0:
        return mpf(1)
    if base == 0:
        if exponent < 0:
            raise NoValue("division by zero")
        return mpf(0)
    if exponent == int(exponent) and abs(exponent) < 10**9:
        return base ** int(exponent)
    if base < 0:
        raise NoValue(f"{base} to the power {exponent}")
    return mp.exp(exponent * mp.log(base))


def value(expression: Expr, statement: Any, point: Mapping[str, Any], digits: int = DIGITS) -> mpf:
    with mp.workdps(digits):
        given = {name: rational(number) for name, number in point.items()}
        return walk(expression, given, definitions(statement))


def conditioning(expression: Expr, statement: Any, point: Mapping[str, Any]) -> tuple[mpf, dict[str, mpf]]:
    """The value and x d(log f)/dx for every given x: central differences, one-sided at the end of a range."""
    with mp.workdps(DIGITS):
        defined = definitions(statement)
        given = {name: rational(number) for name, number in point.items()}
        f = walk(expression, given, defined)
        out = {}
        for name, x in given.items():
            ends = []
            for sign in (1, -1):
                try:
                    moved = given | {name: x * (1 + sign * mpf(10) ** -STEP)}
                    ends.append((walk(expression, moved, defined), sign))
                except NoValue:
                    ends.append((f, 0))
            steps = ends[0][1] - ends[1][1]
            slope = (ends[0][0] - ends[1][0]) * mpf(10) ** STEP / steps if steps else mp.inf
            out[name] = slope / f if f else (mpf(0) if slope == 0 else mp.inf)
        return f, out


def kappa(expression: Expr, statement: Any, point: Mapping[str, Any]) -> mpf:
    """sum |x df/dx| / |f|: how much relative errors of the inputs are amplified."""
    return sum((abs(e) for e in conditioning(expression, statement, point)[1].values()), mpf(0))
