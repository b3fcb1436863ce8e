"""A rate against the explicit bound behind it: arithmetic of exponents, never a limit.

Each term of the explicit bound, after the rate's own choices, is at most a constant times a sum of
monomials in what is counted: the pure numbers that the rate shows, those that can grow (K, d, M, ...), and
the rounds. Such a monomial is covered if a term of the rate is at least a constant times it wherever the
quantities are in their ranges, or if it has a smaller power of the rounds than the rate, so that it
vanishes beside it as they go on. What has a dimension is a constant here, as in the papers. Where a
sum or a power, such as q^K, is no monomial, nothing is said to exceed a rate: that is undecided.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
from sympy import Add, Expr, Max, Min, Mul, Piecewise, Pow, Rational, Symbol, log

import bounds
from bounds.evaluation.resolve import substitution, unfold
from bounds.language.condition import Relation
from bounds.language.dimension import ONE, same
from bounds.language.expression import text
from bounds.language.finding import Finding, FindingClass
from bounds.language.quantity import Quantity, Role
from bounds.language.statement import Kind, Statement
from verify.audit.sums_over_rounds import replace_sums

Monomial = Mapping[str, Rational]
ROUNDS = Symbol("rounds", positive=True)
LOGARITHM = text(log(ROUNDS))
MATCHED, COVERED, VANISHES, EXCEEDS, OPEN = (
    "same exponents",
    "covered",
    "vanishes as the rounds go on",
    "exceeds the rate",
    "undecided",
)


@final
class Unknown(str):
    """The name of a factor that may grow or fall: a power q^K, a sum of unknown size."""

    __slots__ = ()


class NotMonomials(ValueError):
    """A denominator with several summands has no single monomial below it."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One term of the explicit bound: its monomials, the worst that is found of them, and which exceed."""

    term: str
    monomials: tuple[str, ...]
    verdict: str
    exceeding: tuple[str, ...] = ()


def audit(statement: Statement) -> tuple[Finding, ...]:
    """One finding for each term of the explicit bound that the rate does not cover."""
    if statement.kind is not Kind.RATE:
        return ()
    return tuple(
        Finding(
            id=f"{statement.id}:rate:{c.term}",
            statement=statement.id,
            locator=statement.locator,
            grade=FindingClass.INCONSISTENT,
            where=f"term {c.term} of {statement.explicit}",
            printed=statement.printed[0],
            right=f"a rate that covers {', '.join(c.exceeding)}",
            evidence=f"exponents: the term grows like {', '.join(c.exceeding)}, and no term of the rate does",
        )
        for c in compare(statement)
        if c.verdict == EXCEEDS
    )


def compare(rate: Statement) -> tuple[Comparison, ...]:
    """Every term of the explicit bound of a rate; none where the rate names no such bound."""
    if rate.kind is not Kind.RATE:
        raise ValueError(f"{rate.id} is no rate")
    if rate.explicit is None:
        return ()
    explicit = bounds.get(rate.explicit)
    # The quantity that absorbs K is the free constant of the papers: K follows from it, not it from K.
    absorbing = {c.symbol for c in (*explicit.choices, *rate.choices) if c.absorbed is not None}
    known = substitution(explicit) | substitution(rate)
    used = {symbol: e for symbol, e in known.items() if symbol not in absorbing}
    declared = _declared(rate)
    # A prefactor with a dimension is a constant under its own name; what is a pure number is taken apart.
    apart = {s: e for s, e in used.items() if s not in rate.right.free_symbols or _pure(s.name, rate)}
    used, apart = ({s: e for s, e in known.items() if s.name not in declared} for known in (used, apart))
    right = [_write_in_rounds(term.expression, rate, apart) for term in rate.terms]
    left = [_write_in_rounds(term.expression, rate, used) for term in explicit.terms]
    counted = declared or {s.name for e in right for s in e.free_symbols if _pure(s.name, rate)}
    if not declared:
        # Numbers that can grow count also where the rate does not show them; constants like c do not.
        counted |= {s.name for e in left for s in e.free_symbols if _at_least_one(s.name, rate)}
    counted = counted | {ROUNDS.name}
    try:
        allowed = [m for side in right for m in monomials(side, counted)]
    except NotMonomials:
        return tuple(Comparison(term=term.name, monomials=(), verdict=OPEN) for term in explicit.terms)
    return tuple(
        _comparison(term.name, expression, allowed, counted, rate)
        for term, expression in zip(explicit.terms, left, strict=True)
    )


def _write_in_rounds(expression: Expr, rate: Statement, used: Mapping[Symbol, Expr]) -> Expr:
    """In inputs, with K+1 (or K) as one symbol."""
    expression = unfold(expression, used)
    for symbol in expression.free_symbols:
        quantity = rate.notation.quantities.get(symbol.name)
        if quantity is not None and _counts_rounds(quantity):
            first = quantity.domain.lower == 0
            expression = expression.xreplace({symbol: ROUNDS - 1 if first else ROUNDS})
    return replace_sums(expression, ROUNDS)


def _counts_rounds(quantity: Quantity) -> bool:
    """Its part in a run decides, whatever an author calls it; without one, the letter of the papers does."""
    return quantity.name == "K" if quantity.part is None else quantity.part.name in ("rounds", "steps")


def _declared(rate: Statement) -> set[str]:
    """What the constants of the O(.) may not depend on, where the paper says it of every term."""
    table = rate.notation.quantities
    terms = [{s.name for s in term.expression.free_symbols} & table.keys() for term in rate.terms]
    independent_of = [{other for name in names for other in table[name].independent_of} for names in terms]
    return set().union(*independent_of) if all(independent_of) else set()


def _pure(name: str, rate: Statement) -> bool:
    """A number without a dimension, other than the constant of an O(.)."""
    quantity = rate.notation.quantities.get(name)
    return quantity is not None and quantity.role is not Role.ORDER_CONSTANT and same(quantity.dimension, ONE)


def monomials(expression: Expr, counted: set[str]) -> list[Monomial]:
    """Monomials whose sum, times a constant, is at least the absolute value of the expression."""
    if expression.is_number:
        return [{}] if expression != 0 else []
    if isinstance(expression, Symbol):
        return [{expression.name: Rational(1)}] if expression.name in counted else [{}]
    if isinstance(expression, Add | Max):
        return _distinct(m for part in expression.args for m in monomials(part, counted))
    if isinstance(expression, Piecewise):
        return _distinct(m for part, _ in expression.args for m in monomials(part, counted))
    if isinstance(expression, Mul):
        out: list[Monomial] = [{}]
        for factor in expression.args:
            out = _distinct(_times(a, b) for a in out for b in monomials(factor, counted))
        return out
    if isinstance(expression, Pow) and expression.exp.is_number:
        return _power(monomials(expression.base, counted), expression.exp)
    if isinstance(expression, Min):
        return monomials(expression.args[0], counted)
    inside = {s.name for s in expression.free_symbols} & counted
    if isinstance(expression, log) and inside == {ROUNDS.name} and _is_power(expression.args[0], counted):
        return [{LOGARITHM: Rational(1)}]
    # logarithms of pure numbers count as quantities of their own
    name = text(expression) if isinstance(expression, log) else Unknown(text(expression))
    return [{name: Rational(1)}] if inside else [{}]


def _is_power(expression: Expr, counted: set[str]) -> bool:
    """Whether its logarithm is that of the rounds, but for a factor and a constant."""
    try:
        found = monomials(expression, counted)
    except NotMonomials:
        return False
    return any(found) and all(m.keys() <= {ROUNDS.name} for m in found)


def _power(base: list[Monomial], exponent: Rational) -> list[Monomial]:
    """(a + b)^q is at most a constant times a^q + b^q for q > 0.

    Of powers of the rounds alone, as in K + 3, the largest decides in a denominator too.
    """
    if exponent < 0 and base and all(m.keys() <= {ROUNDS.name} for m in base):
        base = [max(base, key=lambda m: m.get(ROUNDS.name, Rational(0)))]
    if exponent < 0 and len(base) != 1:
        raise NotMonomials(f"a denominator of {len(base)} summands")
    return _distinct({name: power * exponent for name, power in m.items()} for m in base)


def _times(a: Monomial, b: Monomial) -> Monomial:
    total = {name: a.get(name, Rational(0)) + b.get(name, Rational(0)) for name in {*a, *b}}
    return {name: power for name, power in total.items() if power != 0}


def _distinct(found: Iterable[Monomial]) -> list[Monomial]:
    out: list[Monomial] = []
    for monomial in found:
        if monomial not in out:
            out.append(monomial)
    return out


def _comparison(
    name: str, expression: Expr, allowed: list[Monomial], counted: set[str], rate: Statement
) -> Comparison:
    try:
        found = monomials(expression, counted)
    except NotMonomials:
        return Comparison(term=name, monomials=(), verdict=OPEN)
    order = (MATCHED, COVERED, VANISHES, OPEN, EXCEEDS)
    verdicts = [_verdict(m, allowed, rate) for m in found]
    return Comparison(
        term=name,
        monomials=tuple(_shown(m) for m in found),
        verdict=max(verdicts, key=order.index, default=COVERED),
        exceeding=tuple(_shown(m) for m, verdict in zip(found, verdicts, strict=True) if verdict == EXCEEDS),
    )


def _verdict(monomial: Monomial, allowed: list[Monomial], rate: Statement) -> str:
    if any(monomial == other for other in allowed):
        return MATCHED
    if any(_covers(other, monomial, rate) for other in allowed):
        return COVERED
    if any(isinstance(name, Unknown) for m in (monomial, *allowed) for name in m):
        return OPEN
    slowest = max(other.get(ROUNDS.name, Rational(0)) for other in allowed)
    return VANISHES if monomial.get(ROUNDS.name, Rational(0)) < slowest else EXCEEDS


def _covers(large: Monomial, small: Monomial, rate: Statement) -> bool:
    """Whether large/small is at least a constant on the whole range: a linear programme in the logarithms."""
    from scipy.optimize import linprog  # only here: it takes as long to load as everything else

    ratio = _times(large, {name: -power for name, power in small.items()})
    names = sorted({*ratio, *(s.name for c in rate.conditions for s in (c.value, c.limit) if s.is_Symbol)})
    if not ratio:
        return True
    cost = np.array([float(ratio.get(name, 0)) for name in names])
    rows = []
    for c in rate.conditions:
        if c.relation is Relation.AT_MOST and c.value.is_Symbol and c.limit.is_Symbol:
            row = np.zeros(len(names))
            row[names.index(c.value.name)] = 1.0
            if not _constant(c.limit.name, rate):  # E = O(1): what a constant limits is none of the growing
                row[names.index(c.limit.name)] = -1.0
            rows.append(row)
    ranges = [(0 if _at_least_one(name, rate) else None, None) for name in names]
    limits = {"A_ub": np.array(rows), "b_ub": np.zeros(len(rows))} if rows else {}
    return bool(linprog(cost, bounds=ranges, **limits).status == 0)


def _constant(name: str, rate: Statement) -> bool:
    quantity = rate.notation.quantities.get(name)
    return quantity is not None and quantity.role is Role.ORDER_CONSTANT


def _at_least_one(name: str, rate: Statement) -> bool:
    quantity = rate.notation.quantities.get(name)
    grows = name in (ROUNDS.name, LOGARITHM)  # the logarithm too, as the rounds go on
    return grows or (quantity is not None and quantity.domain.lower >= 1)


def _shown(monomial: Monomial) -> str:
    parts = [f"{name}^({power})" if power != 1 else name for name, power in sorted(monomial.items())]
    return " ".join(parts) or "1"
