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
    """Of a product of powers: known where every odd power is of a variable with a sign."""
    worst = POSITIVE
    for name, exponent in monomial:
        sign = system.signs[name]
        if exponent < 1:
            return ANY
        if sign == ANY and exponent % 2:
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


def read(document: Mapping[str, Any]) -> tuple[System, Certificate]:
    """The inverse of `written`: fractions from text, and nothing executed."""
    constraints = tuple(
        Constraint(
            entry["name"],
            {tuple(sorted(powers.items())): Fraction(text) for text, powers in entry["polynomial"]},
            entry["strict"],
        )
        for entry in document["constraints"]
    )
    products = tuple(
        Product(Fraction(p["coefficient"]), tuple(p["factors"]), tuple(sorted(p["monomial"].items())))
        for p in document["products"]
    )
    return System(document["signs"], constraints), products
