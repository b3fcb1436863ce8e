"""Sums over the rounds as powers of their number, where a rate is compared: up to constants, from both sides.

Let a > 0 and a k + s > 0 from the first k on. The sum of (a k + s)^p over k < K is between constant multiples
of K^(p + 1) if p > -1 and of 1 if p < -1, and of log K if p = -1: it lies between the integrals of a monotone
function over [0, K - 1] and [1, K], but for one member.
"""

from sympy import Expr, Mul, Sum, Symbol, log


def replace_sums(expression: Expr, rounds: Symbol) -> Expr:
    """The expression with these sums as powers or logarithms; any other sum stays as it is."""
    sums = {found: _as_power(found, rounds) for found in expression.atoms(Sum)}
    known: Expr = expression.xreplace({found: power for found, power in sums.items() if power is not None})
    return known


def _as_power(found: Sum, rounds: Symbol) -> Expr | None:
    if len(found.limits) != 1:
        return None
    index, first, last = found.limits[0]
    if not first.is_number or not (last - rounds).is_number:
        return None
    factor, moving = found.function.as_independent(index, as_Add=False)
    power = _power_of(moving, index, first)
    if power is None or rounds in factor.free_symbols:
        return None
    if power == -1:
        return factor * log(rounds)
    return factor * rounds ** (power + 1) if power > -1 else factor


def _power_of(moving: Expr, index: Symbol, first: Expr) -> Expr | None:
    """p, if it is a product of powers of positive linear functions of the index, whose exponents make p."""
    total: Expr = moving * 0
    for factor in Mul.make_args(moving):
        base, exponent = factor.as_base_exp()
        if index not in factor.free_symbols:
            continue
        slope = base.diff(index)
        linear = slope.is_number and slope > 0 and exponent.is_number
        if not linear or not base.subs(index, first).is_positive:
            return None
        total += exponent
    return total
