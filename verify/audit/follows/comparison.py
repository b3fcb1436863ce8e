"""Two expressions, compared at points in 50 digits, and for identity by expansion.

Points are floats and enter as the exact rationals that they are; two values are equal when they agree in all
but the last ten digits.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

from mpmath import mp, mpf
from sympy import Expr, expand

from bounds.arithmetic.multiprecision import DIGITS, evaluate_precisely, exact
from bounds.arithmetic.program import compile_expressions

EQUAL = mpf(10) ** (10 - DIGITS)
TOUCHES = mpf(10) ** -9  # a float at the end of a range is beside the end

IDENTITY, EQUAL_TRIED, ABOVE, BELOW, NOWHERE = (
    "identity",
    "equal at all points",
    "at least",
    "below somewhere",
    "no value at any point",
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`own` against `source`: the factor own/source, and the plainest point where it is least or below."""

    verdict: str
    points: int = 0
    smallest: float | None = None
    largest: float | None = None
    touches: bool = True
    witness: Mapping[str, float] | None = None
    values: tuple[float, float] | None = None


def identical(own: Expr, source: Expr) -> bool:
    return bool(own == source or expand(own - source) == 0)


def compare(own: Expr, source: Expr, points: Iterable[Mapping[str, float]]) -> Comparison:
    """`touches` says whether own comes within 1e-9 of the source at some point."""
    if identical(own, source):
        return Comparison(verdict=IDENTITY)
    program = compile_expressions([own, source])
    tried: list[tuple[mpf, mpf, Mapping[str, float]]] = []
    for point in points:
        values = evaluate_precisely(program, {n: exact(point[n]) for n in program.inputs})
        if all(mp.isfinite(v) for v in values):
            tried.append((values[0], values[1], point))
    return _summary(tried)


def _summary(tried: list[tuple[mpf, mpf, Mapping[str, float]]]) -> Comparison:
    if not tried:
        return Comparison(verdict=NOWHERE)
    with mp.workdps(DIGITS):
        apart = [(_excess(a, b), a, b, point) for a, b, point in tried]
        factors = [a / b for a, b, _ in tried if a > 0 and b > 0]
        # That both vanish somewhere says nothing about the factor between them.
        touches = any(excess <= TOUCHES and a != 0 for excess, a, *_ in apart)
        if all(abs(excess) <= EQUAL for excess, *_ in apart):
            verdict = EQUAL_TRIED
        else:
            below = [entry for entry in apart if entry[0] < -EQUAL]
            verdict = BELOW if below else ABOVE
            apart = below or apart
        _, own, source, witness = min(apart, key=lambda entry: plainness(entry[3]))
    return Comparison(
        verdict=verdict,
        points=len(tried),
        smallest=float(min(factors)) if factors else None,
        largest=float(max(factors)) if factors else None,
        touches=touches,
        witness=witness,
        values=(float(own), float(source)),
    )


def _excess(own: mpf, source: mpf) -> mpf:
    """Relative to the larger of the two; zero where both are zero."""
    size = max(abs(own), abs(source))
    return (own - source) / size if size else mpf(0)


def plainness(point: Mapping[str, float]) -> float:
    """Small where all numbers are of moderate size: such a witness is easy to check by hand."""
    return max((max(abs(x), 1 / abs(x)) if x else 1.0 for x in point.values()), default=1.0)
