"""How an expression grows with one of its quantities, the others fixed: by exponents, never by a limit.

An exponent below 0 proves that the expression vanishes as the quantity grows, one of 0 or above that it does
not; None where the rules do not decide. Only where no leading parts can cancel has a sum an exponent. Other
quantities are at no end of their range: where a factor is zero there is nothing to grow.
"""

from collections.abc import Callable

from sympy import Add, Expr, Integer, Max, Min, Mul, Piecewise, Pow, Symbol, expand_power_base, oo

from verify.audit.limits.signs import nonnegative, positive

# Whether a base of which a power with the growing exponent is taken is below 1 in size.
Below = Callable[[Expr], bool]


def exponent(expression: Expr, symbol: Symbol, shrinks: Below) -> Expr | None:
    """e where the expression is of the order symbol^e as the symbol grows."""
    if symbol not in expression.free_symbols:
        return Integer(0)
    if expression == symbol:
        return Integer(1)
    if isinstance(expression, Mul):
        return _product(expression, symbol, shrinks)
    if isinstance(expression, Pow):
        return _power(expression, symbol, shrinks)
    if isinstance(expression, Add):
        return _sum(expression, symbol, shrinks)
    if isinstance(expression, Piecewise):
        branches = [exponent(e, symbol, shrinks) for e, _ in expression.args if e != 0]
        return _largest(branches)
    if isinstance(expression, Max) and all(nonnegative(a) for a in expression.args):
        return _largest([exponent(a, symbol, shrinks) for a in expression.args])
    if isinstance(expression, Min) and all(positive(a) for a in expression.args):
        found = _largest([exponent(1 / a, symbol, shrinks) for a in expression.args])
        return None if found is None else -found
    return None


def _product(expression: Expr, symbol: Symbol, shrinks: Below) -> Expr | None:
    total = Integer(0)
    for factor in expression.args:
        own = exponent(factor, symbol, shrinks)
        if own is None:
            return None
        total = total + own
    return total if total.is_extended_real else None


def _power(expression: Expr, symbol: Symbol, shrinks: Below) -> Expr | None:
    base, power = expression.args
    if symbol in power.free_symbols:
        step = power.diff(symbol)
        steady = symbol not in base.free_symbols and symbol not in step.free_symbols and positive(step)
        return -oo if steady and shrinks(base) else None
    own = exponent(base, symbol, shrinks)
    return None if own is None else own * power


def _sum(expression: Expr, symbol: Symbol, shrinks: Below) -> Expr | None:
    parts = [(part, exponent(part, symbol, shrinks)) for part in expression.args]
    most = _largest([own for _, own in parts])
    if most is None:
        return None
    leading = [part for part, own in parts if own == most]
    one_sign = all(nonnegative(p) for p in leading) or all(nonnegative(-p) for p in leading)
    return most if len(leading) == 1 or one_sign else None


def _largest(exponents: list[Expr | None]) -> Expr | None:
    found: Expr = -oo
    for own in exponents:
        if own is None:
            return None
        if found == -oo or (own != -oo and nonnegative(own - found)):
            found = own
        elif own != -oo and not nonnegative(found - own):
            return None
    return found


def tends(expression: Expr, symbol: Symbol, grows: bool, shrinks: Below) -> bool | None:
    """Whether the expression vanishes as the symbol grows, or goes to 0; None where that is not decided."""
    if not grows:
        expression = expand_power_base(expression.xreplace({symbol: 1 / symbol}), force=True)
    found = exponent(expression, symbol, shrinks)
    if found is None:
        return None
    return True if found == -oo or positive(-found) else False if nonnegative(found) else None
