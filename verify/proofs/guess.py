"""Guess the reasons of a claim that has none: facts at the points, earlier claims and squares.

A guess is a candidate of the search, as an author would write it; nothing of it is trusted. Squares are of
atoms and of the sums that complete a square in the claim or in a fact.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from verify.proofs.algebra import POSITIVE, Factor, Monomial, Polynomial, Rejected
from verify.proofs.checker import Checker
from verify.proofs.declarations import EQUAL
from verify.proofs.facts import OF_ONE, list_facts

MOST_SQUARES = 60
Guess = tuple[dict[str, Any], bool]  # an entry of a reason, and whether it is an equality


def guess(checker: Checker, claimed: Polynomial) -> Iterator[list[Guess]]:
    """Longer and longer lists of candidates: what is known, then facts, then squares; under operators too."""
    nested = [(), *sorted(_operators(claimed))]
    equal = [name for name, (_, relation) in checker.proved.items() if relation == EQUAL]
    known = [name for name, (_, relation) in checker.proved.items() if relation != EQUAL]
    found: list[Guess] = [({"fact": name, "over": list(over)}, True) for name, over in product(equal, nested)]
    found += [
        ({}, False),
        *(({"facts": [k], "over": list(over)}, False) for k, over in product(known, nested)),
    ]
    yield found
    facts = list(_facts(checker))
    found += [({"facts": [fact], "over": list(over)}, False) for fact, over in product(facts, nested)]
    yield found
    values = [claimed, *(checker.known(f)[0] for f in facts), *(checker.proved[n][0] for n in known)]
    roots = {str(root): root for root in (*_deviations(checker, claimed), *_roots(checker, values))}
    squares = list(roots.values())[:MOST_SQUARES]
    found += [({"squares": [root], "over": list(over)}, False) for root, over in product(squares, nested)]
    yield found
    signs = [n for n in known if all(f[0] == "scalar" for m in checker.proved[n][0] for f, _ in m)]
    yield found + [({"facts": [sign], "squares": [root]}, False) for sign, root in product(signs, squares)]


def _facts(checker: Checker) -> Iterator[list[str]]:
    """Every fact that the properties of a function allow, at every point and pair of points."""
    for p, q in permutations(checker.points, 2):
        if checker.points[p] == checker.points[q]:
            yield from _allowed(checker, p, q)
    for p in checker.points:
        yield from _allowed(checker, p)


def _allowed(checker: Checker, *points: str) -> Iterator[list[str]]:
    function = checker.points[points[0]]
    for name, (needed, _) in list_facts(function, points[0], points[-1]).items():
        if set(needed) <= checker.functions[function].keys() and (name in OF_ONE) == (len(points) == 1):
            try:
                checker.known([name, *points])
            except Rejected:
                continue  # a constant that does not divide
            yield [name, *points]


def _operators(claimed: Polynomial) -> set[tuple[str, ...]]:
    """The operators of the claim, outermost first."""
    found: set[tuple[str, ...]] = set()
    for factor in {f for monomial in claimed for f, _ in monomial if f[0] == "over"}:
        inner = _operators({factor[2]: Fraction(1)}) or {()}
        found |= {(factor[1], *rest) for rest in inner}
    return found


def _roots(checker: Checker, values: list[Polynomial]) -> Iterator[Any]:
    """Vectors and scalars, and the sums of two whose squares have a mixed term of these values."""
    flat = [{_inside(m): c for m, c in value.items()} for value in values]
    atoms = {f[1:] for value in flat for m in value for f, _ in m if f[0] == "inner"}
    for atom in sorted({name for pair in atoms for name in pair}):
        yield {atom: "1"}
    scalars = sorted({f[1] for m in flat[0] for f, e in m if f[0] == "scalar" and e == 2})
    for u, v in permutations(scalars, 2):
        yield ["-", u, v]
    yield from scalars
    for value in flat:
        for u, v in sorted({f[1:] for m in value for f, _ in m if f[0] == "inner" and f[1] != f[2]}):
            for a, b in ((u, v), (v, u)):
                for scale in _scales(checker, value, a, b):
                    yield {a: "1", b: scale}
                    yield {a: "1", b: ["-", scale]}


def _deviations(checker: Checker, claimed: Polynomial) -> Iterator[Any]:
    """What deviates from its mean, of which Jensen's inequality is the square: vectors, and scalars."""
    for (_, name, scalars), mean in checker.means.items():
        if not scalars and len(mean) == 1:
            yield {name: "1", next(iter(mean)): "-1"}
    for factor in {f for monomial in claimed for f, _ in monomial if f[0] == "over"}:
        if len(factor[2]) == 1 and factor[2][0][0][0] == "scalar" and factor[2][0][1] == 1:
            name = factor[2][0][0][1]
            yield ["-", name, ["over", factor[1], name]]


def _inside(monomial: Monomial) -> Monomial:
    """The factors, those under operators too."""
    out: list[tuple[Factor, int]] = []
    for factor, exponent in monomial:
        out += _inside(factor[2]) if factor[0] == "over" else [(factor, exponent)]
    return tuple(sorted(out))


def _scales(checker: Checker, value: Polynomial, u: str, v: str) -> Iterator[Any]:
    """1, and the s for which the square of u + s v has the mixed term of the value beside its square of u."""
    yield "1"
    mixed = [(m, c) for m, c in value.items() if (("inner", *sorted((u, v))), 1) in m]
    own = [(m, c) for m, c in value.items() if (("inner", u, u), 1) in m]
    for (m, c), (n, d) in product(mixed, own):
        powers = {f: e for f, e in m if f[0] == "scalar"}
        for factor, exponent in n:
            if factor[0] == "scalar":
                powers[factor] = powers.get(factor, 0) - exponent
        if all(e > 0 or checker.signs[f[1]] == POSITIVE for f, e in powers.items() if e):
            yield ["*", str(abs(Fraction(c) / d / 2)), *(["^", f[1], e] for f, e in powers.items() if e)]
