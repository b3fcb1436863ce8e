"""50-digit and ball arithmetic over compiled programs.

Floats enter as the exact rationals that they are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, final

from mpmath import iv, mp, mpf
from mpmath.ctx_iv import MPIntervalContext
from mpmath.ctx_mp import MPContext

from bounds.arithmetic.program import MOST_SUMMANDS, Program, add_up, list_whole_numbers, run
from bounds.errors import TooManySummands

DIGITS = 50
# Guard digits absorb the cancellation of the naive forms below; arguments down to 1e-300 stay exact.
GUARD = 320
MOST_WITH_A_SLOPE = 2_000  # summands: up to a second for each slope, and a value has a slope for each input


def exact(value: float | int | Fraction) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(value)


class Multiprecision:
    """mpmath numbers, or mpmath intervals when given the interval context."""

    most_summands = MOST_SUMMANDS

    def __init__(self, context: "MPContext | MPIntervalContext") -> None:
        self.context = context

    def number(self, value: Fraction | mpf) -> Any:
        if isinstance(value, mpf):
            return self.context.mpf(value)
        return self.context.mpf(value.numerator) / self.context.mpf(value.denominator)

    def add(self, values: Sequence[Any], signs: Sequence[int]) -> Any:
        total = self.context.mpf(0)
        for value, sign in zip(values, signs, strict=True):
            total = total + value if sign > 0 else total - value
        return total

    def multiply(self, above: Sequence[Any], below: Sequence[Any]) -> Any:
        product = self.context.mpf(1)
        for value in above:
            product = product * value
        for value in below:
            product = product / value
        return product

    def power(self, base: Any, exponent: Fraction) -> Any:
        if exponent.denominator == 1:
            return base**exponent.numerator
        if exponent == Fraction(1, 2):
            return self.context.sqrt(base)
        return self.raise_to(base, self.number(exponent))

    def raise_to(self, base: Any, exponent: Any) -> Any:
        if _positive(base):
            return self.context.exp(exponent * self.context.log(base))
        integer = _as_integer(exponent)
        if integer is not None:
            return base**integer
        if _is_zero(base) and _positive(exponent):
            return base
        raise ValueError("a power of a base that may be negative needs an integer exponent")

    def compound(self, u: Any, n: Any) -> Any:
        return self.raise_to(1 + u, n)

    def compound_minus_one(self, u: Any, n: Any) -> Any:
        return self.raise_to(1 + u, n) - 1

    def exp(self, x: Any) -> Any:
        return self.context.exp(x)

    def log(self, x: Any) -> Any:
        return self.context.log(x)

    def log1p(self, x: Any) -> Any:
        return self.context.log(1 + x)

    def cos(self, x: Any) -> Any:
        return self.context.cos(x)

    def sin(self, x: Any) -> Any:
        return self.context.sin(x)

    def pi(self) -> Any:
        return +self.context.pi  # in the precision that is set now

    def maximum(self, values: Sequence[Any]) -> Any:
        return _extreme(self.context, values, upper=True)

    def minimum(self, values: Sequence[Any]) -> Any:
        return _extreme(self.context, values, upper=False)

    def compare(self, left: Any, right: Any, relation: str) -> Any:
        return {
            "<": lambda: left < right,
            "<=": lambda: left <= right,
            ">": lambda: left > right,
            ">=": lambda: left >= right,
            "==": lambda: left == right,
            "!=": lambda: left != right,
        }[relation]()

    def select(self, condition: Any, value: Any, otherwise: Any) -> Any:
        if condition is None:  # intervals overlap: every case stays possible
            hull = self.context.mpf([min(value.a, otherwise.a), max(value.b, otherwise.b)])
            return hull
        return value if condition else otherwise

    def total(self, low: Any, high: Any, summand: Callable[[Any], Any]) -> Any:
        numbers = list_whole_numbers(float(mp.mpf(_ends(low)[0])), float(mp.mpf(_ends(high)[1])))
        return add_up(self, (low, high), numbers, summand, self.most_summands)


def _ends(x: Any) -> tuple[Any, Any]:
    return (x.a, x.b) if hasattr(x, "delta") else (x, x)


def _is_zero(base: Any) -> bool:
    return all(end == 0 for end in _ends(base))


def _positive(base: Any) -> bool:
    return bool(_ends(base)[0] > 0)


def _as_integer(exponent: Any) -> int | None:
    low, high = _ends(exponent)
    return int(low) if low == high and low == int(low) else None


def _extreme(context: Any, values: Sequence[Any], *, upper: bool) -> Any:
    pick = max if upper else min
    if not hasattr(values[0], "delta"):
        return pick(values)
    return context.mpf([pick(v.a for v in values), pick(v.b for v in values)])


@final
class SameCases(Multiprecision):
    """Takes the cases of a Piecewise that another point took: a slope lies within one case."""

    most_summands = MOST_WITH_A_SLOPE

    def __init__(self, context: MPContext) -> None:
        super().__init__(context)
        self.cases: list[bool] = []
        self.replayed: Iterator[bool] | None = None

    def compare(self, left: Any, right: Any, relation: str) -> Any:
        if self.replayed is not None:
            return next(self.replayed)
        self.cases.append(super().compare(left, right, relation))
        return self.cases[-1]


def evaluate_precisely(
    program: Program, values: Mapping[str, Fraction | mpf], digits: int = DIGITS
) -> list[mpf]:
    with mp.workdps(digits + GUARD):
        return _values(program, Multiprecision(mp), values)


def evaluate_side_by_side(
    program: Program, point: Mapping[str, Fraction], moved: Mapping[str, Fraction], digits: int
) -> tuple[mpf, mpf]:
    """The first output at a point and near it, in the cases of the point."""
    with mp.workdps(digits + GUARD):
        arithmetic = SameCases(mp)
        base = _values(program, arithmetic, point)[0]
        arithmetic.replayed = iter(arithmetic.cases)
        return base, _values(program, arithmetic, moved)[0]


def _values(program: Program, arithmetic: Multiprecision, values: Mapping[str, Fraction | mpf]) -> list[mpf]:
    try:
        results = run(program, arithmetic, {name: arithmetic.number(v) for name, v in values.items()})
    except (ZeroDivisionError, ValueError, TypeError) as error:  # TypeError: complex numbers have no order
        if isinstance(error, TooManySummands) and isinstance(arithmetic, SameCases):
            raise  # the value has a slope, which merely takes too long
        if len(program.outputs) == 1:
            return [mp.nan]
        # A pole of one term leaves the others their values.
        alone = [replace(program, outputs=(output,)) for output in program.outputs]
        return [_values(part, arithmetic, values)[0] for part in alone]
    # Where a root or power leaves the reals there is no value.
    return [r if isinstance(r, mpf) else mp.nan for r in results]


def enclose(program: Program, values: dict[str, Fraction], digits: int = DIGITS) -> list[tuple[mpf, mpf]]:
    """Certified lower and upper ends of every output."""
    saved = iv.dps
    iv.dps = digits + GUARD
    try:
        arithmetic = Multiprecision(iv)
        results = run(program, arithmetic, {name: arithmetic.number(v) for name, v in values.items()})
        with mp.workdps(digits + GUARD):  # the ends keep their digits on the way out
            return [(mp.mpf(r.a), mp.mpf(r.b)) for r in results]
    finally:
        iv.dps = saved
