"""Looking for a certificate: a linear program over products of one constraint and one monomial.

Floats find, rationals decide: what the program proposes is rounded to fractions and handed to the reader of
`verify.infeasibility.checker`, and only what that accepts leaves this file.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from verify.infeasibility.checker import (
    ANY,
    Certificate,
    Monomial,
    Polynomial,
    Product,
    System,
    joined,
    refutes,
    sign_of,
)

ROUNDS = 2  # of matching monomials with each other
LARGEST = 1500  # candidates
ONE = ""  # every monomial holds it
DENOMINATORS = (1, 2, 3, 4, 6, 12, 1000, 10**6)


def certify(system: System) -> Certificate | None:
    """A certificate that the system has no solution, or None where none of this form was found."""
    return weighted(system, _candidates(system))


def weighted(system: System, candidates: Sequence[Product]) -> Certificate | None:
    """Weights with which a sum of these products is a certificate; None where there are none."""
    from scipy.optimize import linprog

    if not candidates:
        return None
    products = [_expanded(system, c) for c in candidates]
    monomials = sorted({m for p in products for m in p})
    rows = {monomial: row for row, monomial in enumerate(monomials)}
    matrix = np.zeros((len(monomials), len(candidates)))
    for column, product in enumerate(products):
        for monomial, coefficient in product.items():
            matrix[rows[monomial], column] = float(coefficient)
    # No coefficient above 0, none at all where the sign is unknown; the most of weights that sum to 1.
    free = np.array([sign_of(system, m) == ANY for m in monomials])
    gain = np.array([_gain(system, m) for m in monomials])
    strict = np.array([_strict(system, c) for c in candidates], dtype=float)
    found = linprog(
        gain @ matrix - strict,
        A_ub=matrix[~free],
        b_ub=np.zeros(int((~free).sum())),
        A_eq=np.vstack([matrix[free], np.ones(len(candidates))]),
        b_eq=np.append(np.zeros(int(free.sum())), 1.0),
        method="highs",
    )
    if found.status != 0 or found.fun > -1e-9:
        return None
    return _rounded(system, candidates, found.x)


def _rounded(system: System, candidates: Sequence[Product], weights: np.ndarray) -> Certificate | None:
    used = [index for index in range(len(candidates)) if weights[index] > 1e-9]
    smallest = min(weights[index] for index in used)
    for denominator in DENOMINATORS:
        certificate = tuple(
            Product(
                Fraction(float(weights[i] / smallest)).limit_denominator(denominator),
                candidates[i].factors,
                candidates[i].monomial,
            )
            for i in used
        )
        if refutes(system, certificate):
            return certificate
    return None


def _gain(system: System, monomial: Monomial) -> float:
    """What a coefficient below 0 is worth: only before what is above 0 does it contradict."""
    return 1.0 if all(system.signs[name] == ">" for name, _ in monomial) else 0.0


def _strict(system: System, product: Product) -> bool:
    above = all(system.signs[name] == ">" for name, _ in product.monomial)
    return above and all(system.constraints[index].strict for index in product.factors)


def _expanded(system: System, product: Product) -> Polynomial:
    (index,) = product.factors
    return {joined(m, product.monomial): c for m, c in system.constraints[index].polynomial.items()}


def _candidates(system: System) -> list[Product]:
    """Each constraint times the monomials that bring one of its terms onto a term of another."""
    own: list[set[Monomial]] = [{()} for _ in system.constraints]
    for _ in range(ROUNDS):
        reached = {
            joined(term, factor)
            for constraint, factors in zip(system.constraints, own, strict=True)
            for term in constraint.polynomial
            for factor in factors
        }
        holding = _by_variable(reached)
        more = [
            factors | {q for q in _quotients(holding, constraint.polynomial) if sign_of(system, q) != ANY}
            for constraint, factors in zip(system.constraints, own, strict=True)
        ]
        if sum(map(len, more)) > LARGEST:
            break
        own = more
    return [Product(Fraction(1), (i,), factor) for i, factors in enumerate(own) for factor in sorted(factors)]


def _by_variable(targets: set[Monomial]) -> dict[str, list[dict[str, int]]]:
    """The targets, as powers, that hold a variable: most terms divide few of them."""
    holding: dict[str, list[dict[str, int]]] = {ONE: []}
    for target in targets:
        powers = dict(target)
        for name in (ONE, *powers):
            holding.setdefault(name, []).append(powers)
    return holding


def _quotients(holding: Mapping[str, list[dict[str, int]]], polynomial: Polynomial) -> Iterator[Monomial]:
    for term in polynomial:
        rarest = min((holding.get(name, []) for name, _ in term), key=len, default=holding[ONE])
        for powers in rarest:
            if all(powers.get(name, 0) >= exponent for name, exponent in term):
                left = dict(powers)
                for name, exponent in term:
                    left[name] -= exponent
                yield tuple(item for item in left.items() if item[1])
