"""The normal form of proofs: polynomials in scalars, inner products and means, with rational coefficients.

A factor is `("scalar", name)`, `("inner", u, v)` for two atomic vectors, or `("over", operator, monomial)`
for a positive linear operator (an expectation, a mean over clients, a sum) applied to factors that depend on
it. `depends` says of each atom on which operators: everything else moves out of an operator, as a constant.

The checker of proofs rests on this file. It imports the standard library only.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Factor = tuple[Any, ...]
Monomial = tuple[tuple[Factor, int], ...]
Number = int | Fraction  # a whole number is an int, which multiplies faster
Polynomial = dict[Monomial, Number]
Vector = dict[str, Polynomial]

POSITIVE, NON_NEGATIVE, ANY = ">", ">=", "real"
MOST_TERMS, LARGEST_EXPONENT, LONGEST_NUMBER = 5_000, 64, 4096  # the last in bits
MOST_WORK = 60_000


class Rejected(ValueError):
    """The proof is not one; the sentence says where and why."""


class Differs(Rejected):
    """The claim is not the sum of its reasons; `left` is the rest."""

    def __init__(self, left: "Polynomial") -> None:
        super().__init__(f"the claim and its reasons differ by {len(left)} terms")
        self.left = left


class Unsigned(Rejected):
    """A multiplier of which no sign is proved."""

    def __init__(self, value: "Polynomial") -> None:
        super().__init__("a multiplier has no proven sign; `named` gives it one")
        self.left = value


def need(holds: bool, what: str) -> None:
    if not holds:
        raise Rejected(what)


def number(value: Number) -> Polynomial:
    return {(): value.numerator if value.denominator == 1 else value} if value else {}


def add(first: Polynomial, second: Polynomial, scale: int = 1) -> Polynomial:
    total = dict(first)
    for monomial, coefficient in second.items():
        total[monomial] = total.get(monomial, 0) + scale * coefficient
    need(len(total) <= MOST_TERMS, "an expression has too many terms")
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


@dataclass(slots=True)
class Algebra:
    """The properties of the atoms: signs, dependences, squares of roots, means of vectors, masses."""

    signs: dict[str, str] = field(default_factory=dict)
    depends: dict[str, frozenset[str]] = field(default_factory=dict)  # of scalars and of vectors
    roots: dict[str, Polynomial] = field(default_factory=dict)  # the square of a root
    means: dict[tuple[str, str, Monomial], Vector] = field(default_factory=dict)
    masses: dict[str, Polynomial | None] = field(default_factory=dict)  # None: an index, never summed over
    work: int = 0  # products of two terms, and parts of expressions that were read

    @staticmethod
    def symbol(*factor: Any) -> Polynomial:
        return {((factor, 1),): 1}

    def spend(self, work: int) -> None:
        """Count work, so that a hostile file ends."""
        self.work += work
        need(self.work <= MOST_WORK, "the proof multiplies too many terms")

    def times(self, first: Polynomial, second: Polynomial) -> Polynomial:
        self.spend(len(first) * len(second))
        total: Polynomial = {}
        for one, a in first.items():
            for other, b in second.items():
                c = a * b
                above, below = c.numerator, c.denominator
                need(max(above.bit_length(), below.bit_length()) <= LONGEST_NUMBER, "a number is too long")
                c = above if below == 1 else c
                for monomial, d in self._joined(one, other).items():
                    total[monomial] = total.get(monomial, 0) + c * d
        return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}

    def _joined(self, one: Monomial, other: Monomial) -> Polynomial:
        """The product of two monomials; whole squares of a root become what it is the root of."""
        if not (one and other):  # every second product is by a number
            return {one or other: 1}
        powers = dict(one)
        for factor, exponent in other:
            powers[factor] = powers.get(factor, 0) + exponent
            need(abs(powers[factor]) <= LARGEST_EXPONENT, "an exponent is too large")
        roots = [f for f, e in powers.items() if e >= 2 and f[0] == "scalar" and f[1] in self.roots]
        squares = [self.power(self.roots[f[1]], powers[f] // 2) for f in roots]
        powers |= {f: powers[f] % 2 for f in roots}
        product: Polynomial = {tuple(sorted((f, e) for f, e in powers.items() if e)): 1}
        for square in squares:
            product = self.times(product, square)
        return product

    def power(self, base: Polynomial, exponent: int) -> Polynomial:
        need(abs(exponent) <= LARGEST_EXPONENT, "an exponent is too large")
        if exponent < 0:
            base, exponent = self.inverse(base), -exponent
        out = number(1)
        for _ in range(exponent):
            out = self.times(out, base)
        return out

    def inverse(self, base: Polynomial) -> Polynomial:
        """One over a number times powers of scalars above 0; nothing else is divided by."""
        need(len(base) == 1, "only a product of positive scalars divides; name the divisor with a definition")
        ((monomial, coefficient),) = base.items()
        positive = all(f[0] == "scalar" and self.signs[f[1]] == POSITIVE for f, _ in monomial)
        need(positive, "a divisor is not positive")
        return {tuple((f, -e) for f, e in monomial): Fraction(1) / coefficient}

    def inner(self, u: Vector, v: Vector) -> Polynomial:
        total: Polynomial = {}
        for one, a in u.items():
            for other, b in v.items():
                pair = self.symbol("inner", *sorted((one, other)))
                total = add(total, self.times(self.times(a, b), pair))
        return total

    def combined(self, u: Vector, v: Vector, scale: Polynomial) -> Vector:
        out = dict(u)
        for name, coefficient in v.items():
            out[name] = add(out.get(name, {}), self.times(scale, coefficient))
        return {name: c for name, c in out.items() if c}

    def of_monomial(self, monomial: Monomial) -> frozenset[str]:
        return frozenset[str]().union(*(self._list_dependences_of_factor(f) for f, _ in monomial))

    def _list_dependences_of_factor(self, factor: Factor) -> frozenset[str]:
        if factor[0] == "over":
            return self.of_monomial(factor[2]) - {factor[1]}
        return frozenset[str]().union(*(self.depends[name] for name in factor[1:]))

    def dependences(self, *polynomials: Polynomial) -> frozenset[str]:
        return frozenset[str]().union(*(self.of_monomial(m) for p in polynomials for m in p))

    def of_vector(self, vector: Vector) -> frozenset[str]:
        return self.dependences(*vector.values()).union(*(self.depends[name] for name in vector))

    def atoms(self, polynomial: Polynomial) -> set[str]:
        """Every scalar and every vector of an expression."""
        found: set[str] = set()
        for factor in {f for m in polynomial for f, _ in m}:
            found |= self.atoms({factor[2]: 1}) if factor[0] == "over" else set(factor[1:])
        return found

    def over(self, operator: str, polynomial: Polynomial) -> Polynomial:
        """The operator applied to every monomial, by linearity."""
        total: Polynomial = {}
        for monomial, coefficient in polynomial.items():
            inside = tuple((f, e) for f, e in monomial if operator in self._list_dependences_of_factor(f))
            outside: Polynomial = {tuple(item for item in monomial if item not in inside): coefficient}
            total = add(total, self.times(outside, self._applied(operator, inside)))
        return total

    def _applied(self, operator: str, inside: Monomial) -> Polynomial:
        mass = self.masses.get(operator)
        if mass is None:
            raise Rejected(f"{operator} is an index, over which nothing is summed")
        if not inside:
            return mass
        vectors = [f for f, e in inside if f[0] != "scalar" for _ in range(e)]
        if len(vectors) == 1:
            (factor,) = vectors
            scalars = tuple(item for item in inside if item[0] is not factor)
            if factor[0] == "inner":
                for u, v in (factor[1:], factor[:0:-1]):
                    mean = self.means.get((operator, u, scalars))
                    if mean is not None and operator not in self.depends[v]:
                        return self.inner(mean, {v: number(1)})
            elif not scalars and factor[1] < operator:
                return self.over(factor[1], self.over(operator, {factor[2]: 1}))  # they commute
        return self.symbol("over", operator, inside)

    def sign(self, polynomial: Polynomial) -> str:
        """The sign that the coefficients and the signs of the factors show, term by term."""
        signs = {self._sign(monomial) for monomial in polynomial}
        if ANY in signs or any(coefficient < 0 for coefficient in polynomial.values()):
            return ANY
        return POSITIVE if POSITIVE in signs else NON_NEGATIVE

    def _sign(self, monomial: Monomial) -> str:
        signs = {
            NON_NEGATIVE if e % 2 == 0 and self._sign_of(f) == ANY else self._sign_of(f) for f, e in monomial
        }
        return ANY if ANY in signs else NON_NEGATIVE if NON_NEGATIVE in signs else POSITIVE

    def _sign_of(self, factor: Factor) -> str:
        if factor[0] == "scalar":
            return self.signs[factor[1]]
        if factor[0] == "inner":
            return NON_NEGATIVE if factor[1] == factor[2] else ANY
        return ANY if self._sign(factor[2]) == ANY else NON_NEGATIVE
