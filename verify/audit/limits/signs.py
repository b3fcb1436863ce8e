"""The sign of an expression from the signs of its symbols, by its structure alone.

The assumptions of sympy answer the same for small expressions; on a long sum they ask each other in an order
that is drawn, and may take minutes. A no here is no proof of the opposite.
"""

from sympy import Add, Expr, Max, Min, Mul, Piecewise, Pow, Sum, Symbol, exp, log


def nonnegative(expression: Expr) -> bool:
    """Whether it is at least 0 wherever it has a value."""
    if expression.is_number or isinstance(expression, Symbol):
        return bool(expression.is_nonnegative)
    if isinstance(expression, Add | Mul | Min):
        return all(nonnegative(a) for a in expression.args)
    if isinstance(expression, Max):
        return any(nonnegative(a) for a in expression.args)
    if isinstance(expression, Pow):
        even = expression.exp.is_Integer and expression.exp % 2 == 0
        return bool(even) or nonnegative(expression.base)
    if isinstance(expression, Piecewise):
        return all(nonnegative(value) for value, _ in expression.args)
    if isinstance(expression, Sum):
        return nonnegative(expression.function)
    if isinstance(expression, log):
        return nonnegative(expression.args[0] - 1)
    return isinstance(expression, exp)


def positive(expression: Expr) -> bool:
    """Whether it is above 0 wherever it has a value."""
    if expression.is_number or isinstance(expression, Symbol):
        return bool(expression.is_positive)
    if isinstance(expression, Add):
        return nonnegative(expression) and any(positive(a) for a in expression.args)
    if isinstance(expression, Mul | Min):
        return all(positive(a) for a in expression.args)
    if isinstance(expression, Max):
        return any(positive(a) for a in expression.args)
    if isinstance(expression, Pow):
        return positive(expression.base)
    if isinstance(expression, Piecewise):
        return all(positive(value) for value, _ in expression.args)
    if isinstance(expression, log):
        return positive(expression.args[0] - 1)
    return isinstance(expression, exp)
