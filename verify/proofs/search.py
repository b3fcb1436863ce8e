"""Find the multipliers of a claim: a linear program proposes, exact elimination solves, and the checker
decides.

A candidate is a term, whose multiplier must be at least 0, or an equality, whose multiplier has any sign.
Each may be multiplied by monomials that bring one of its terms onto a term of the claim. The search counts
candidates, not seconds, so that its result does not depend on the machine.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from verify.proofs.algebra import ANY, POSITIVE, Algebra, Factor, Monomial, Polynomial, Rejected
from verify.proofs.checker import Checker
from verify.proofs.guess import guess

LARGEST = 6000  # candidates of one claim
ROUNDS = 3  # of matching terms of candidates with each other
TINY = 1e-9
UNCOUNTED = 10**9


@final
@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry of a reason as it would be written, with its value; `free` if it is an equality."""

    written: dict[str, Any]
    value: Polynomial
    free: bool


@final
@dataclass(frozen=True, slots=True)
class Searched:
    """The reason that was found, or why none was; `tried` counts the candidates."""

    by: dict[str, Any] | None
    tried: int


def find(checker: Checker, step: dict[str, Any]) -> Searched:
    """The reason of a claim whose rule is `search`; without candidates, all that may prove it are tried."""
    spent = checker.work
    checker.work = -UNCOUNTED  # the limit of the checker is for files; a search counts its candidates
    try:
        return _find(checker, step)
    finally:
        checker.work = spent


def _find(checker: Checker, step: dict[str, Any]) -> Searched:
    claimed = checker.scalar(step["claim"])
    written = [(entry, False) for entry in step["by"].get("terms", [])]
    written += [(entry, True) for entry in step["by"].get("equalities", [])]
    tried = 0
    for entries in [written] if written else guess(checker, claimed):
        own = [(entry, free, _value(checker, entry, free)) for entry, free in entries]
        candidates = _multiplied(checker, own, claimed)
        tried += len(candidates)
        weights = _weights(candidates, claimed)
        if weights is None:
            continue
        by = _written(candidates, weights)
        with suppress(Rejected):
            checker.by_combination(claimed, step["relation"], terms=by["terms"], equalities=by["equalities"])
            return Searched(by, tried)
    return Searched(None, tried)


def _value(checker: Checker, entry: dict[str, Any], free: bool) -> Polynomial:
    return checker.multiple(**entry) if free else checker.product(**entry)[0]


def _multiplied(
    checker: Checker, own: Sequence[tuple[dict[str, Any], bool, Polynomial]], claimed: Polynomial
) -> list[Candidate]:
    """Each entry times the monomials that reach a term of the claim, or of another entry so multiplied."""
    factors: list[set[Monomial]] = [{()} for _ in own]
    for _ in range(ROUNDS):
        reached = set(claimed) | {
            m
            for (_, _, value), multipliers in zip(own, factors, strict=True)
            for multiplier in multipliers
            for m in checker.times(value, {multiplier: Fraction(1)})
        }
        more = [
            multipliers | _quotients(checker, reached, value, free)
            for (_, free, value), multipliers in zip(own, factors, strict=True)
        ]
        if sum(map(len, more)) > LARGEST:
            break
        factors = more
    return [
        Candidate(_times(entry, m), checker.times(value, {m: Fraction(1)}), free)
        for (entry, free, value), multipliers in zip(own, factors, strict=True)
        for m in sorted(multipliers)
    ]


def _quotients(algebra: Algebra, targets: set[Monomial], value: Polynomial, free: bool) -> set[Monomial]:
    """What brings a term onto a target. A multiplier of a term has a sign and may move into an operator."""
    divided = {_divide(algebra, target, term) for term in value for target in targets}
    found = {quotient for quotient in divided if quotient is not None}
    return found if free else {quotient for quotient in found if _multiplies_a_term(algebra, quotient)}


def _divide(algebra: Algebra, target: Monomial, term: Monomial) -> Monomial | None:
    """The target over the term, if only positive scalars divide; a target has no other negative powers."""
    powers = dict(target)
    for factor, exponent in term:
        powers[factor] = left = powers.get(factor, 0) - exponent
        if left < 0 and not _divides(algebra, factor):
            return None
    return tuple(sorted((f, e) for f, e in powers.items() if e))


def _multiplies_a_term(algebra: Algebra, quotient: Monomial) -> bool:
    known = algebra.sign({quotient: Fraction(1)}) != ANY
    return known and all(_is_constant(algebra, factor) for factor, _ in quotient)


def _divides(algebra: Algebra, factor: Factor) -> bool:
    return bool(factor[0] == "scalar" and algebra.signs[factor[1]] == POSITIVE)


def _is_constant(algebra: Algebra, factor: Factor) -> bool:
    bound = any(algebra.masses[operator] is not None for operator in algebra.depends.get(factor[1], ()))
    return factor[0] == "scalar" and not bound


def _times(entry: dict[str, Any], monomial: Monomial) -> dict[str, Any]:
    if not monomial:
        return entry
    return entry | {"times": ["*", entry.get("times", "1"), *_written_factors(monomial)]}


def _written_factors(monomial: Monomial) -> list[Any]:
    return [["^", _written_factor(f), e] if e != 1 else _written_factor(f) for f, e in monomial]


def _written_factor(factor: Factor) -> Any:
    if factor[0] == "scalar":
        return factor[1]
    if factor[0] == "inner":
        return ["inner", factor[1], factor[2]]
    return ["over", factor[1], ["*", "1", *_written_factors(factor[2])]]


def _weights(candidates: Sequence[Candidate], claimed: Polynomial) -> dict[int, Fraction] | None:
    """Weights with which the candidates add up to the claim, those of terms at least 0."""
    from scipy.optimize import linprog
    from scipy.sparse import csc_matrix, hstack

    if not candidates:
        return None if claimed else {}
    monomials = sorted({m for c in candidates for m in c.value} | set(claimed))
    rows = {monomial: row for row, monomial in enumerate(monomials)}
    entries = [
        (float(c), rows[m], column) for column, one in enumerate(candidates) for m, c in one.value.items()
    ]
    values, places, columns = zip(*entries, strict=True) if entries else ((), (), ())
    matrix = csc_matrix((values, (places, columns)), shape=(len(monomials), len(candidates)))
    target = np.array([float(claimed.get(m, 0)) for m in monomials])
    # a free weight is the difference of two, and a small sum of weights means few candidates
    free = [column for column, c in enumerate(candidates) if c.free]
    both = hstack([matrix, -matrix[:, free]], format="csc")
    found = linprog(np.ones(both.shape[1]), A_eq=both, b_eq=target, bounds=(0, None), method="highs")
    if found.status != 0:
        return None
    used = [i for i in range(len(candidates)) if found.x[i] > TINY]
    used += [c for n, c in enumerate(free) if found.x[len(candidates) + n] > TINY and c not in used]
    return _exact([candidates[i] for i in used], claimed, used)


def _exact(
    chosen: Sequence[Candidate], claimed: Polynomial, numbers: Sequence[int]
) -> dict[int, Fraction] | None:
    """The weights by elimination in rationals; a weight that is not determined is 0."""
    monomials = sorted({m for c in chosen for m in c.value} | set(claimed))
    rows = [[Fraction(value.get(m, 0)) for value in (*(c.value for c in chosen), claimed)] for m in monomials]
    pivots: list[int] = []
    for column in range(len(chosen)):
        at = len(pivots)
        pivot = next((r for r in range(at, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [value / rows[at][column] for value in rows[at]]
        for r in range(len(rows)):
            if r != at and rows[r][column]:
                scale = rows[r][column]
                rows[r] = [a - scale * b for a, b in zip(rows[r], rows[at], strict=True)]
        pivots.append(column)
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    weights = {numbers[column]: rows[r][-1] for r, column in enumerate(pivots) if rows[r][-1]}
    terms = [numbers[i] for i, c in enumerate(chosen) if not c.free]
    return None if any(weights.get(i, 0) < 0 for i in terms) else weights


def _written(candidates: Sequence[Candidate], weights: dict[int, Fraction]) -> dict[str, Any]:
    """The reason, with one entry for each candidate that is used."""
    by: dict[str, Any] = {"rule": "combination", "terms": [], "equalities": []}
    for index, weight in sorted(weights.items()):
        entry = candidates[index].written
        times = ["*", str(weight), entry.get("times", "1")]
        by["equalities" if candidates[index].free else "terms"].append(entry | {"times": times})
    return by
