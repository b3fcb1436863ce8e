"""Shapes of definitions of one symbol: each is met by some value of it, whatever the other symbols are."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from verify.proofs.algebra import (
    ANY,
    NON_NEGATIVE,
    POSITIVE,
    Monomial,
    Number,
    Polynomial,
    add,
    number,
)
from verify.proofs.checker import Checker
from verify.proofs.declarations import ABOVE, AT_LEAST, EQUAL

UP, DOWN = 1, -1  # a bound from below, and from above


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """One hypothesis whose source is the form itself; with its factors if it is written as a product."""

    name: str
    value: Polynomial
    relation: str
    factors: tuple[Polynomial, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Shapes:
    """`ranges` are expressions that are at least 0 since an index has an end, `assumed` by hypothesis."""

    checker: Checker
    ranges: tuple[Polynomial, ...]
    assumed: tuple[Polynomial, ...]

    # The symbol has one value.

    def is_formula(self, name: str, own: Sequence[Definition]) -> bool:
        """It is e, or a root of e: c s^n = e with c > 0, where a power of s by a letter counts too."""
        if len(own) != 1 or own[0].relation != EQUAL:
            return False
        base = self.checker.scalar(name)
        names = {name, *(p for p, (of, _) in self.checker.powers.items() if of == base)}
        parts: dict[Monomial, Polynomial] = {}
        for monomial, coefficient in own[0].value.items():
            of = tuple(item for item in monomial if item[0][0] == "scalar" and item[0][1] in names)
            rest = tuple(item for item in monomial if item not in of)
            parts.setdefault(of, {})[rest] = coefficient
        constant = parts.pop((), {})
        if len(parts) != 1:
            return False
        ((of, factor),) = parts.items()
        if self.sign(factor) != POSITIVE:
            factor, constant = scale(factor, -1), scale(constant, -1)
        value = scale(constant, -1)
        fits = self.sign(factor) == POSITIVE and all(exponent > 0 for _, exponent in of)
        linear = of == ((("scalar", name), 1),)
        signed = linear or self.checker.signs[name] != ANY
        return fits and signed and self._is_apart(name, factor, value) and self._has_its_sign(name, value)

    def is_one_of_two(self, name: str, own: Sequence[Definition]) -> bool:
        """It is the larger or the smaller of two: bounds by them, and a product that is 0."""
        products = [one for one in own if one.relation == EQUAL and len(one.factors) == 2]
        bounds = [split(name, one.value) for one in own if one.relation == AT_LEAST]
        if len(products) != 1 or len(bounds) + 1 != len(own):
            return False
        (one_way, first), (other_way, second) = (split(name, factor) for factor in products[0].factors)
        ways = {way for way, _ in bounds}
        if not (one_way and other_way) or ways not in ({UP}, {DOWN}):
            return False
        ends = (first, second)
        signed = [self._has_its_sign(name, end) for end in ends]
        right = any(signed) if ways == {UP} else all(signed)
        return right and all(end in ends for _, end in bounds) and self._is_apart(name, *ends)

    def find_other_part(self, name: str, own: Sequence[Definition]) -> str:
        """The part of a formula below 0 whose part above 0 is the symbol, or the other way about."""
        products = [one for one in own if one.relation == EQUAL and len(one.value) == 1]
        if len(own) != 2 or len(products) != 1:
            return ""
        ((monomial, _),) = products[0].value.items()
        names = {str(factor[1]) for factor, exponent in monomial if factor[0] == "scalar" and exponent == 1}
        if len(monomial) != 2 or len(names) != 2 or name not in names:
            return ""
        (other,) = names - {name}
        (difference,) = (one for one in own if one is not products[0])
        way, value = split(name, difference.value)  # the other part and a formula
        formula = add(value, self.checker.scalar(other), -1)
        same = way and difference.relation == EQUAL and self._is_apart(name, formula)
        signed = all(self.checker.signs[each] == NON_NEGATIVE for each in names)
        return other if same and signed and self._is_apart(other, formula) else ""

    # Several values may do, so nothing else may be assumed of the symbol.

    def is_bounded(self, name: str, own: Sequence[Definition]) -> bool:
        """It is bounded on one side, by some numbers or by those of all members of a sequence."""
        bounds = [split(name, one.value) for one in own]
        ways, ends = {way for way, _ in bounds}, [end for _, end in bounds]
        if ways not in ({UP}, {DOWN}) or any(one.relation != AT_LEAST for one in own):
            return False
        sign = self.checker.signs[name]
        at_least_0 = sign == NON_NEGATIVE and all(self.sign(end) != ANY for end in ends)
        reached = ways == {UP} or sign == ANY or at_least_0
        return reached and self._is_apart(name, *ends, but_for_indices=True)

    def is_met_by_number(self, name: str, own: Sequence[Definition]) -> bool:
        """0 or 1 meets all of them."""
        numbers = (1,) if self.checker.signs[name] == POSITIVE else (0, 1)
        return any(all(self._is_met(name, value, one) for one in own) for value in numbers)

    def _is_met(self, name: str, value: int, one: Definition) -> bool:
        total: Polynomial = {}
        for exponent, coefficient in list_powers(name, one.value).items():
            if exponent < 0 or name in self.checker.atoms(coefficient):
                return False
            total = add(total, scale(coefficient, value**exponent))
        if one.relation == EQUAL:
            return not total
        return self.sign(total) == POSITIVE if one.relation == ABOVE else self.sign(total) != ANY

    def is_guarded(self, name: str, own: Sequence[Definition]) -> bool:
        """(s - e) g = 0 with e >= |g|, for a symbol above 0: it is e where g is not 0, and else 1."""
        if len(own) != 1 or own[0].relation != EQUAL or len(own[0].factors) != 2:
            return False
        (way, value), guard = split(name, own[0].factors[0]), own[0].factors[1]
        squares = [self.checker.times(each, each) for each in (value, guard)]
        larger = self.sign(value) != ANY and self.sign(add(squares[0], squares[1], -1)) != ANY
        return way != 0 and larger and self._is_apart(name, value, guard)

    # What the shapes ask.

    def sign(self, value: Polynomial) -> str:
        """The sign of a value, also of one that is larger than what the range of an index gives."""
        sign = self.checker.sign(value)
        for known in self.ranges:
            sign = self.checker.sign(add(value, known, -1)) if sign == ANY else sign
        return sign

    def _has_its_sign(self, name: str, value: Polynomial) -> bool:
        """Whether the value has the sign of the symbol, or other hypotheses say it of the symbol."""
        needed = self.checker.signs[name]
        if needed == ANY or self.sign(value) in (POSITIVE, needed):
            return True
        symbol, known = self.checker.scalar(name), [{}, *self.assumed]
        first = [add(symbol, one, -1) for one in known if name in self.checker.atoms(one)]
        return any(self.sign(add(one, other, -1)) in (POSITIVE, needed) for one in first for other in known)

    def _is_apart(self, name: str, *values: Polynomial, but_for_indices: bool = False) -> bool:
        """Whether the values do without the symbol, and depend on nothing on which it does not."""
        more = self.checker.dependences(*values) - self.checker.depends[name]
        fixed = not more or (but_for_indices and all(self.checker.masses[one] is None for one in more))
        return fixed and not any(name in self.checker.atoms(value) for value in values)


def split(name: str, value: Polynomial) -> tuple[int, Polynomial]:
    """UP and e for a multiple of s - e, DOWN and e for one of e - s; 0 for anything else."""
    powers = list_powers(name, value)
    factor = get_number(powers.get(1, {}))
    if not factor or powers.keys() - {0, 1}:
        return 0, {}
    rest = {
        monomial: coefficient * (Fraction(-1) / factor) for monomial, coefficient in powers.get(0, {}).items()
    }
    return (UP if factor > 0 else DOWN), {m: number(c)[()] for m, c in rest.items()}


def list_powers(name: str, value: Polynomial) -> dict[int, Polynomial]:
    """The coefficient of every power of a scalar."""
    found: dict[int, Polynomial] = {}
    for monomial, coefficient in value.items():
        exponent = next((e for f, e in monomial if f == ("scalar", name)), 0)
        rest = tuple((f, e) for f, e in monomial if f != ("scalar", name))
        found.setdefault(exponent, {})[rest] = coefficient
    return found


def scale(value: Polynomial, by: int) -> Polynomial:
    return {monomial: by * coefficient for monomial, coefficient in value.items()} if by else {}


def get_number(value: Polynomial) -> Number:
    """The number that a polynomial is; 0 for any that has a symbol."""
    return value[()] if value.keys() == {()} else 0


def is_multiple(value: Polynomial, of: Polynomial, *, positive: bool = False) -> bool:
    """Whether it is a number other than 0 times the other."""
    if value.keys() != of.keys() or not value:
        return False
    one = next(iter(value))
    same = all(value[m] * of[one] == of[m] * value[one] for m in value)
    return same and (value[one] * of[one] > 0 or not positive)


def names_in(value: Any) -> set[str]:
    """All names in an expression of a proof."""
    if isinstance(value, dict):
        return set(value).union(*map(names_in, value.values()))
    if isinstance(value, list):
        return set[str]().union(*map(names_in, value))
    return {value} if isinstance(value, str) else set()
