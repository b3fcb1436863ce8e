"""What a statement asks, as polynomial inequalities in variables with a sign.

A root of a quantity becomes a variable of its own of which the quantity is a power; what is no polynomial (a
power with a symbolic exponent, a maximum, a case distinction) becomes a variable of which only the sign is
kept. That forgets relations: a system without solution proves that the statement's own has none, and not the
reverse.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import final

from sympy import QQ, Add, Expr, Mul, Poly, Pow, Rational, Symbol, fraction, together

from bounds.evaluation.resolve import resolve
from bounds.language.condition import Condition
from bounds.language.expression import text
from bounds.language.statement import Statement
from verify.infeasibility.checker import ANY, NON_NEGATIVE, POSITIVE, Constraint, Polynomial, Product, System
from verify.parameters.valid import domain_of

LARGEST = 400  # monomials of a polynomial; a larger one is left out, which only forgets


@final
@dataclass(frozen=True, slots=True)
class Inequality:
    """`difference` is at least 0, or above 0 if `strict`."""

    name: str
    difference: Expr
    strict: bool


@lru_cache(maxsize=256)
def inequalities(statement: Statement, given: frozenset[str] = frozenset()) -> tuple[Inequality, ...]:
    """Every condition and every end of a domain, in terms of the statement's inputs.

    A derived quantity among `given` stays a variable with its own domain: less is known of it, and the
    system is smaller.
    """
    resolved = resolve(statement, given)
    pairs = [(c, *sides) for c, sides in zip(statement.conditions, resolved.conditions, strict=True)]
    pairs += [(c, expression, c.limit) for c, expression in resolved.domains]
    for name in sorted(resolved.required | resolved.optional):
        # An end at zero is a sign, which the variable carries.
        ends = domain_of(statement, name).ends(name)
        pairs += [(c, c.value, c.limit) for c in ends if c.limit != 0 or c.relation.upper]
    return tuple(_inequality(*pair) for pair in pairs)


def _inequality(condition: Condition, value: Expr, limit: Expr) -> Inequality:
    difference = limit - value if condition.relation.upper else value - limit
    return Inequality(condition.id, difference, condition.relation.strict)


def system(items: Iterable[Inequality], signs: Mapping[str, str]) -> System:
    """`signs` are those of the quantities; what stands for a root or a function brings its own."""
    items = list(items)
    names = _Names(signs=dict(signs), roots=_roots(item.difference for item in items))
    constraints = []
    for item in items:
        polynomial = names.polynomial(item.difference)
        if polynomial is not None:
            constraints.append(Constraint(item.name, polynomial, item.strict))
    constraints += [
        Constraint(f"sign of {name}", {((name, 1),): Fraction(1)}, sign == POSITIVE)
        for name, sign in sorted(names.signs.items())
        if sign != ANY
    ]
    return System(names.signs, tuple(constraints))


def name_products(asked: System, factors: Iterable[tuple[str, Mapping[str, int]]]) -> tuple[Product, ...]:
    """The constraint of each name times a monomial, which is a variable's power by its name."""
    places = {c.name: i for i, c in enumerate(asked.constraints)}
    return tuple(
        Product(Fraction(1), (places[name],), tuple(sorted((n, e) for n, e in powers.items() if e)))
        for name, powers in factors
    )


def signs_of(statement: Statement, given: frozenset[str] = frozenset()) -> dict[str, str]:
    resolved = resolve(statement, given)
    out = {}
    for name in sorted(resolved.required | resolved.optional):
        domain = domain_of(statement, name)
        above = domain.lower > 0 or (domain.lower == 0 and not domain.lower_included)
        out[name] = POSITIVE if above else NON_NEGATIVE if domain.lower == 0 else ANY
    return out


def _roots(expressions: Iterable[Expr]) -> dict[str, int]:
    """The common denominator of the exponents of each symbol."""
    found: dict[str, int] = {}
    for expression in expressions:
        for power in expression.atoms(Pow):
            if isinstance(power.base, Symbol) and isinstance(power.exp, Rational):
                name = power.base.name
                found[name] = lcm(found.get(name, 1), int(power.exp.q))
    return found


@final
@dataclass(slots=True)
class _Names:
    """The variables of one system."""

    signs: dict[str, str]
    roots: Mapping[str, int]
    symbols: dict[Expr, Symbol] = field(default_factory=dict)

    def polynomial(self, expression: Expr) -> Polynomial | None:
        """A polynomial with the sign of the expression wherever that has a value; None if it is too large."""
        above, below = fraction(together(self._rational(expression)))
        if below.free_symbols and not self._positive(below):
            above = above * below
        variables = sorted(above.free_symbols, key=str)
        if not variables:
            return {(): Fraction(int(above.p), int(above.q))} if above.is_Rational else None
        polynomial = Poly(above, *variables, domain=QQ)
        if len(polynomial.monoms()) > LARGEST:
            return None
        for variable in variables:
            self.signs.setdefault(variable.name, ANY)
        return {
            tuple((v.name, e) for v, e in zip(variables, exponents, strict=True) if e): Fraction(
                int(coefficient.numerator), int(coefficient.denominator)
            )
            for exponents, coefficient in ((m, QQ.convert(c)) for m, c in polynomial.terms())
        }

    def _positive(self, expression: Expr) -> bool:
        """A number above 0 times powers of variables that are above 0."""
        return all(
            (factor.is_Rational and factor > 0) or (base.is_Symbol and self.signs.get(base.name) == POSITIVE)
            for factor, base in ((f, f.as_base_exp()[0]) for f in Mul.make_args(expression))
        )

    def _rational(self, expression: Expr) -> Expr:
        """Whole powers of variables, sums and products of them; anything else by a variable."""
        if isinstance(expression, Symbol):
            return self._root(expression) ** self.roots.get(expression.name, 1)
        if expression.is_Rational:
            return expression
        if isinstance(expression, Add | Mul):
            return expression.func(*(self._rational(a) for a in expression.args))
        if isinstance(expression, Pow) and isinstance(expression.exp, Rational):
            if isinstance(expression.base, Symbol):
                power = expression.exp * self.roots.get(expression.base.name, 1)
                return self._root(expression.base) ** power
            if expression.exp.q == 1:
                return self._rational(expression.base) ** expression.exp
        return self._other(expression)

    def _root(self, symbol: Symbol) -> Symbol:
        order = self.roots.get(symbol.name, 1)
        if order == 1:
            return Symbol(symbol.name)
        name = f"{symbol.name}^(1/{order})"
        self.signs.setdefault(name, self.signs.get(symbol.name, ANY))
        return Symbol(name)

    def _other(self, expression: Expr) -> Symbol:
        if expression not in self.symbols:
            name = f"<{text(expression)}>"
            sign = POSITIVE if expression.is_positive else NON_NEGATIVE if expression.is_nonnegative else ANY
            self.signs[name] = sign
            self.symbols[expression] = Symbol(name)
        return self.symbols[expression]
