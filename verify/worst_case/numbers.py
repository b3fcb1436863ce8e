"""Exact numbers of an answer: as text and back, and rounded to one side."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import inf, nextafter

from verify.worst_case.errors import NotAWorstCase

LONGEST = 20_000  # characters of a number: a larger one is no answer of ours


def rounded_up(number: Fraction) -> float:
    nearest = float(number)
    return nearest if Fraction(nearest) >= number else nextafter(nearest, inf)


def rounded_down(number: Fraction) -> float:
    return -rounded_up(-number)


def digits_above(number: Fraction, digits: int) -> str:
    """The number in so many digits, rounded up."""
    return _digits(number, digits, ROUND_CEILING)


def digits_below(number: Fraction, digits: int) -> str:
    """The number in so many digits, rounded down."""
    return _digits(number, digits, ROUND_FLOOR)


def _digits(number: Fraction, digits: int, rounding: str) -> str:
    exact = Context(prec=digits, rounding=rounding)
    shown = exact.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{shown:g}"


def rational(text: object) -> Fraction:
    """As `str` writes a fraction; "1e999999999" would fill the memory."""
    if type(text) is str and len(text) <= LONGEST:
        above, _, below = text.partition("/")
        try:
            value = Fraction(int(above), int(below or "1"))
        except (ValueError, ZeroDivisionError):
            value = None
        if value is not None and str(value) == text:
            return value
    raise NotAWorstCase("a number must be text such as '-3/4', in lowest terms")
