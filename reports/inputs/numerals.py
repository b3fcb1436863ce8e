"""From text to numbers, in one place: ASCII decimals and fractions of them, of a size that a machine holds.

Python's own readers take more than a person means (1_000, digits of other scripts), compute powers of ten of
any size, and round 1.5 where a count is wanted.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

from bounds.errors import NotANumber
from reports.errors import BadAssignment, MalformedFile

DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
INTEGER = re.compile(r"[+-]?[0-9]+")
NOT_FINITE = re.compile(r"[+-]?(?:inf|infinity|nan)", re.IGNORECASE)
LONGEST = 1000  # characters of a decimal
LARGEST = 2**63 - 1  # what fits 64 bits, as arrays and other readers of JSON want it


def number(text: str, name: str) -> float:
    """Read a decimal number, or a fraction a/b of two of them; a/b/c is refused."""
    value = numeral(text.strip(), name)
    if value is None:
        raise NotANumber(f"{name} must be a number such as 3, 0.5, 1e-3 or 1/3, not {text!r}")
    return _float(value, name, text)


def finite(value: float, name: str, shown: object) -> float:
    if value != value or value in (float("inf"), float("-inf")):
        raise NotANumber(f"{name} must be a finite number, not {shown}")
    return value


def read_number(name: str, value: object, path: Path) -> float:
    """A number of a file, whatever its kind there."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MalformedFile(f"{path}: {name} must be a number, not {value!r}")
    try:
        return finite(float(value), f"{path}: {name}", value)
    except OverflowError:
        raise MalformedFile(f"{path}: {name} is too large for a float") from None


def read_integer(text: str, name: str) -> int:
    """Read a count or a seed; 1.5 is refused, and nothing is rounded."""
    if not INTEGER.fullmatch(text.strip()) or len(text) > LONGEST:
        raise NotANumber(f"{name} must be a whole number such as 3, not {text!r}")
    return small(int(text), name)


def small(value: int, name: str) -> int:
    if abs(value) > LARGEST:
        raise NotANumber(f"{name} must be at most {LARGEST:,} in size, not {value}")
    return value


def numeral(text: str, name: str) -> int | float | Fraction | None:
    """The number that a text spells, exactly where it can be; None where it spells none."""
    if NOT_FINITE.fullmatch(text):
        return float(text)
    above, slash, below = text.partition("/")
    if not DECIMAL.fullmatch(above) or len(text) > LONGEST or (slash and not DECIMAL.fullmatch(below)):
        return None
    if not slash:
        return int(text) if INTEGER.fullmatch(text) else finite(float(text), name, text)
    divisor = Fraction(below)
    if divisor == 0:
        raise NotANumber(f"{name} must be a finite number, but {text} divides by zero")
    return Fraction(above) / divisor


@contextmanager
def inside_floats(asked: str) -> Iterator[None]:
    """Numbers that floats hold may still lead out of their range."""
    try:
        yield
    except ArithmeticError as error:
        raise NotANumber(f"{asked} leaves the range of floats; choose numbers nearer to 1") from error


def real(value: int | float | Fraction, name: str) -> int | float | Fraction:
    """A number as arithmetic in float64 takes it: one that no integer of 64 bits holds becomes a float."""
    if isinstance(value, Fraction) or (isinstance(value, int) and abs(value) > LARGEST):
        nearest = _float(value, name, value)
        return value if isinstance(value, Fraction) else nearest
    return value


def _float(value: int | float | Fraction, name: str, shown: object) -> float:
    try:
        return finite(float(value), name, shown)
    except OverflowError:
        raise NotANumber(f"{name} must be a finite number that fits a float, not {shown}") from None


def fitting(value: object, name: str, *, integer: bool) -> object:
    """A value of --set, a list entry by entry, as the field or the argument that it is for can hold it."""
    if isinstance(value, list):
        return [fitting(entry, name, integer=integer) for entry in value]
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return value
    if not integer:
        return real(value, name)
    if isinstance(value, Fraction):
        raise BadAssignment(f"{name} must be a whole number, not {value}")
    return small(value, name)
