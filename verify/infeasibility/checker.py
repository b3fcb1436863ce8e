"""Certificates that a system of polynomial inequalities has no solution, and the reader that checks them.

The system: variables with a sign, and constraints p >= 0 or p > 0. The certificate: positive rationals c_j
and products P_j of constraints and of variables with a sign, each at least 0 wherever the system holds. If no
coefficient of sum_j c_j P_j is positive, the sum is at most 0 there too. That is a contradiction as soon as
one P_j is above 0, or a coefficient below 0 stands before a product of variables that are above 0.

Rational arithmetic, and nothing but the standard library: who wants to believe it has this file to read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

Monomial = tuple[tuple[str, int], ...]  # sorted by name, exponents above 0
Polynomial = dict[Monomial, Fraction]

# Signs of variables.
POSITIVE, NON_NEGATIVE, ANY = ">", ">=", "real"

# Whole numbers are exact at any size; no power of a paper is as large as this, so a larger one is a mistake.
LARGEST_EXPONENT = 1000


class NotACertificate(ValueError):
    """A document that `written` does not write; the sentence says what is wrong with it."""


@final
@dataclass(frozen=True, slots=True)
class Constraint:
    """`polynomial` is at least 0, or above 0 if `strict`; `name` says where it comes from."""

    name: str
    polynomial: Polynomial
    strict: bool


@final
@dataclass(frozen=True, slots=True)
class System:
    signs: Mapping[str, str]
    constraints: tuple[Constraint, ...]


@final
@dataclass(frozen=True, slots=True)
class Product:
    """`coefficient` times the constraints with these indices times a monomial."""

    coefficient: Fraction
    factors: tuple[int, ...]
    monomial: Monomial = ()


Certificate = tuple[Product, ...]


def refutes(system: System, certificate: Certificate) -> bool:
    """Whether the certificate proves that the system has no solution."""
    total: Polynomial = {}
    strict = False
    for part in certificate:
        if part.coefficient <= 0 or sign_of(system, part.monomial) == ANY:
            return False
        product: Polynomial = {part.monomial: part.coefficient}
        above = sign_of(system, part.monomial) == POSITIVE
        for index in part.factors:
            if not 0 <= index < len(system.constraints):
                return False
            product = times(product, system.constraints[index].polynomial)
            above = above and system.constraints[index].strict
        total = plus(total, product)
        strict = strict or above
    for monomial, coefficient in total.items():
        # A coefficient of either sign may stand only where it is 0; a negative one needs a known sign.
        if coefficient > 0 or (coefficient < 0 and sign_of(system, monomial) == ANY):
            return False
        strict = strict or (coefficient < 0 and sign_of(system, monomial) == POSITIVE)
    return strict


def sign_of(system: System, monomial: Monomial) -> str:
    """The sign of a product of powers: known where every odd power is of a variable with a sign."""
    worst = POSITIVE
    for name, exponent in monomial:
        sign = system.signs[name]
        # A float forgets: 1e17 + 1 is 1e17, and x^1e17 times x would be x^1e17.
        if type(exponent) is not int or exponent < 1:
            return ANY
        if sign not in (POSITIVE, NON_NEGATIVE) and exponent % 2:
            return ANY
        if sign != POSITIVE:
            worst = NON_NEGATIVE
    return worst


def plus(first: Polynomial, second: Polynomial) -> Polynomial:
    total = dict(first)
    for monomial, coefficient in second.items():
        total[monomial] = total.get(monomial, Fraction(0)) + coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def times(first: Polynomial, second: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for one, a in first.items():
        for other, b in second.items():
            total = plus(total, {joined(one, other): a * b})
    return total


def joined(one: Monomial, other: Monomial) -> Monomial:
    exponents = dict(one)
    for name, exponent in other:
        exponents[name] = exponents.get(name, 0) + exponent
    return tuple(sorted(exponents.items()))


def written(system: System, certificate: Certificate) -> dict[str, Any]:
    """As JSON, with the system, so that a file is complete by itself."""
    return {
        "signs": dict(system.signs),
        "constraints": [
            {"name": c.name, "strict": c.strict, "polynomial": _listed(c.polynomial)}
            for c in system.constraints
        ],
        "products": [
            {"coefficient": str(p.coefficient), "factors": [*p.factors], "monomial": dict(p.monomial)}
            for p in certificate
        ],
    }


def _listed(polynomial: Polynomial) -> list[list[Any]]:
    return [[str(c), dict(monomial)] for monomial, c in sorted(polynomial.items())]


def read(document: object) -> tuple[System, Certificate]:
    """The inverse of `written`: what `written` does not write is refused, and nothing is executed."""
    signs, constraints, products = _fields(document, signs=dict, constraints=list, products=list)
    for name, sign in signs.items():
        _need(type(name) is str, "the name of a variable must be text")
        _need(sign in (POSITIVE, NON_NEGATIVE, ANY), f"the sign of {name} must be '>', '>=' or 'real'")
    system = System(dict(signs), tuple(_constraint(entry, signs) for entry in constraints))
    return system, tuple(_product(entry, signs) for entry in products)


def _constraint(document: object, signs: Mapping[str, str]) -> Constraint:
    name, strict, terms = _fields(document, name=str, strict=bool, polynomial=list)
    polynomial: Polynomial = {}
    for term in terms:
        _need(type(term) is list and len(term) == 2, f"{name}: a term must be a coefficient and its powers")
        monomial = _monomial(term[1], signs)
        _need(monomial not in polynomial, f"{name}: a monomial may stand there only once")
        polynomial[monomial] = _rational(term[0])
    return Constraint(name, polynomial, strict)


def _product(document: object, signs: Mapping[str, str]) -> Product:
    coefficient, factors, powers = _fields(document, coefficient=str, factors=list, monomial=dict)
    _need(all(type(index) is int for index in factors), "the factors must be whole numbers")
    return Product(_rational(coefficient), tuple(factors), _monomial(powers, signs))


def _fields(document: object, **types: type) -> list[Any]:
    """The values under these keys, of exactly these types: True is no number here, and 1.0 is no 1."""
    if type(document) is not dict or document.keys() != types.keys():
        raise NotACertificate(f"an object with {', '.join(types)} is needed, and no other key")
    for name, kind in types.items():
        _need(type(document[name]) is kind, f"{name} must be of type {kind.__name__}")
    return [document[name] for name in types]


def _monomial(powers: object, signs: Mapping[str, str]) -> Monomial:
    if type(powers) is not dict:
        raise NotACertificate("a monomial must be an object, from variable to exponent")
    for name, exponent in powers.items():
        _need(name in signs, f"the variable {name} has no sign")
        known = type(exponent) is int and 1 <= exponent <= LARGEST_EXPONENT
        _need(known, f"the exponent of {name} must be a whole number from 1 to {LARGEST_EXPONENT}")
    return tuple(sorted(powers.items()))


def _rational(text: object) -> Fraction:
    """As `str` writes a fraction: `Fraction` reads more, and "1e999999999" would fill the memory."""
    try:
        above, _, below = str(text).partition("/")
        value = Fraction(int(above), int(below or "1"))
        if str(value) == text:
            return value
    except (ValueError, ZeroDivisionError):
        pass
    raise NotACertificate("a coefficient must be text like '-3/4', in lowest terms")


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise NotACertificate(what)
