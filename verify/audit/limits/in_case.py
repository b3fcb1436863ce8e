"""A statement in a special case: quantities replaced, what it prescribes and asks kept."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import final

from sympy import Expr, Integer, Symbol, expand, fraction, together

from bounds.evaluation.resolve import definitions, substitution, unfold
from bounds.language.condition import Condition
from bounds.language.expression import condition_text, text
from bounds.language.quantity import Domain
from bounds.language.statement import Statement
from bounds.language.vanishing import Equal
from verify.audit.limits.cases import Values
from verify.audit.limits.signs import nonnegative, positive

REDUCES, DIFFERS, OTHER = "reduces", "does not reduce", "not comparable"


def as_values(equations: Iterable[Equal]) -> dict[str, int | str]:
    return {e.symbol.name: e.value if isinstance(e.value, int) else e.value.name for e in equations}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What a statement says in one special case."""

    case: str
    verdict: str
    detail: str


class ShutOut(Exception):
    """The statement excludes the case by its own domains, conditions or choices."""


@final
class Form:
    """A statement with its symbols by name."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement

    @cached_property
    def symbols(self) -> dict[str, Symbol]:
        s = self.statement
        sides = [s.right, *(side for c in s.conditions for side in (c.value, c.limit))]
        sides += [side for c in s.choices for side in (c.symbol, c.expression)]
        sides += [side for d in s.where for side in (d.symbol, d.expression)]
        sides += [expression for _, expression in definitions(s)]
        return {symbol.name: symbol for side in sides for symbol in side.free_symbols}

    @cached_property
    def used(self) -> dict[Symbol, Expr]:
        return substitution(self.statement)

    @cached_property
    def reached(self) -> tuple[tuple[Condition, frozenset[Symbol]], ...]:
        """Every condition with all symbols that it depends on, prescribed and derived ones among them."""
        return tuple((c, self._reach(c.value) | self._reach(c.limit)) for c in self.statement.conditions)

    def _reach(self, expression: Expr) -> frozenset[Symbol]:
        found: frozenset[Symbol] = frozenset(expression.free_symbols)
        for _ in self.used:
            found = found.union(*(self.used[s].free_symbols for s in found & self.used.keys()))
        return found

    def own(self, values: Values) -> dict[str, int | str]:
        """What the statement has of a case; what it does not have is not replaced."""
        return {
            name: value
            for name, value in values.items()
            if name in self.symbols and (isinstance(value, int) or value in self.symbols)
        }

    def in_case(self, values: Values) -> "InCase":
        return InCase(self, values)

    def shifts(self, unshifted: set[Symbol]) -> dict[Symbol, Expr]:
        """alpha > 1 as 1 + something positive, 0 < delta < 1 as 1/(1 + something): then signs are known."""
        out = {}
        for name, symbol in self.symbols.items():
            quantity = self.statement.notation.quantities.get(name)
            if quantity is not None and symbol not in unshifted:
                shifted = _shifted(symbol, quantity.domain)
                if shifted is not None:
                    out[symbol] = shifted
        return out


def _shifted(symbol: Symbol, domain: Domain) -> Expr | None:
    if 0 < domain.lower < inf:
        sign = {"nonnegative": True} if domain.lower_included else {"positive": True}
        return int(domain.lower) + Symbol(f"{symbol.name}_above", integer=symbol.is_integer, **sign)
    if (domain.lower, domain.upper, domain.upper_included) == (0, 1, False) and not domain.lower_included:
        return 1 / (1 + Symbol(f"{symbol.name}_odds", positive=True))
    return None


@final
class InCase:
    """The statement where some quantities are replaced; refuses a case that the statement excludes."""

    def __init__(self, form: Form, values: Values) -> None:
        self.form, self.statement = form, form.statement
        self.case = {
            form.symbols[name]: Integer(value) if isinstance(value, int) else form.symbols[value]
            for name, value in values.items()
        }
        self.used: dict[Symbol, Expr] = {**form.used, **self.case}
        self.signed = self.used | form.shifts(set(self.used))
        self._check_domains()
        self._check_choices()
        self._check_conditions()

    def shown(self, expression: Expr) -> Expr:
        return unfold(expression, self.used)

    def decided(self, expression: Expr) -> Expr:
        """In quantities whose signs are known."""
        return unfold(expression, self.signed)

    def _check_domains(self) -> None:
        for symbol, value in self.case.items():
            for end in self._ends(symbol) if value.is_number else ():
                if not may_hold(end, value, end.limit):
                    raise ShutOut(f"{symbol} = {value} is outside its domain, {condition_text(end)}")

    def _check_choices(self) -> None:
        for choice in self.statement.choices:
            prescribed, symbol = self.decided(choice.expression), choice.symbol
            if symbol in self.case and not is_zero(prescribed - self.decided(self.case[symbol])):
                raise ShutOut(f"it prescribes {symbol} = {text(choice.expression)}")
            for end in self._ends(symbol) if prescribed.is_number else ():
                if not prescribed.is_finite or not may_hold(end, prescribed, end.limit):
                    raise ShutOut(f"it prescribes {symbol} = {prescribed}, outside the domain")

    def _ends(self, symbol: Symbol) -> tuple[Condition, ...]:
        quantity = self.statement.notation.quantities.get(symbol.name)
        return () if quantity is None else quantity.domain.ends(symbol.name)

    def _check_conditions(self) -> None:
        for condition, reached in self.form.reached:
            sides = self.decided(condition.value), self.decided(condition.limit)
            if reached & self.case.keys() and not may_hold(condition, *sides):
                raise ShutOut(f"its condition {condition.id}, {condition_text(condition)}")


def is_zero(expression: Expr) -> bool:
    """Expand it, fractions over one denominator: n/(n - 1) - 1/(n - 1) - 1 is 0 too."""
    if expression == 0 or expand(expression) == 0:
        return True
    return bool(expand(fraction(together(expression))[0]) == 0)


def may_hold(condition: Condition, value: Expr, limit: Expr) -> bool:
    """False only where the signs of the quantities show that the relation cannot hold."""
    excess = expand(value - limit if condition.relation.upper else limit - value)
    return not (nonnegative(excess) if condition.relation.strict else positive(excess))
