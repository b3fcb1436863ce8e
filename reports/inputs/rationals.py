"""Exact numbers from people: 0.1 is one tenth, and an axis of fractions stays one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from reports.errors import BadAssignment, BadGrid
from reports.inputs.assigned import read_assigned
from reports.inputs.numerals import number

EXTENT = re.compile(r"[eE]([+-]?[0-9]+)")
LARGEST_POWER = 30  # of ten: an exact program keeps every digit
MOST_POINTS = 200
SHAPES = "NAME=START:STOP, NAME=START:STOP:COUNT or NAME=A,B,..."


def rational(text: str, name: str) -> Fraction:
    """The number that a text spells, without rounding; what is no number is refused as everywhere."""
    number(text, name)
    powers = [abs(int(power)) for power in EXTENT.findall(text)]
    if any(power > LARGEST_POWER for power in powers):
        raise BadAssignment(f"{name} must keep to powers of ten up to {LARGEST_POWER}, not {text}")
    above, _, below = text.strip().partition("/")
    return Fraction(above) / Fraction(below or "1")


def assigned(words: Iterable[str] | None) -> dict[str, Fraction]:
    """The `NAME=VALUE` words of --set, each name once."""
    return read_assigned(words, rational)


@final
@dataclass(frozen=True, slots=True)
class RationalAxis:
    name: str
    values: tuple[Fraction, ...]


def axis(word: str) -> RationalAxis:
    """Points of a quantity. START:STOP alone takes every whole number between them."""
    name, equals, text = (part.strip() for part in word.partition("="))
    if not equals or not name or not text:
        raise BadGrid(f"--over takes {SHAPES}, not {word!r}")
    parts = text.split(":")
    values = [rational(part, name) for part in text.split(",")] if len(parts) == 1 else _spaced(name, parts)
    if not 2 <= len(values) <= MOST_POINTS:
        raise BadGrid(f"--over {name} needs from 2 to {MOST_POINTS} points, not {len(values)}")
    if len(set(values)) < len(values):
        raise BadGrid(f"--over {name} gives a point twice")
    return RationalAxis(name, tuple(values))


def _spaced(name: str, parts: list[str]) -> list[Fraction]:
    if len(parts) > 3:
        raise BadGrid(f"--over takes {SHAPES}, not {name}={':'.join(parts)}")
    start, stop = rational(parts[0], name), rational(parts[1], name)
    if len(parts) == 3:
        count = rational(parts[2], f"the count of {name}")
        if count.denominator != 1 or not 2 <= count <= MOST_POINTS:
            raise BadGrid(f"--over {name} needs from 2 to {MOST_POINTS} points, not {parts[2]}")
        return [start + (stop - start) * Fraction(k, int(count) - 1) for k in range(int(count))]
    if start.denominator != 1 or stop.denominator != 1 or not 0 < stop - start < MOST_POINTS:
        raise BadGrid(f"--over {name}=START:STOP takes whole numbers that rise, not {':'.join(parts)}")
    return [start + k for k in range(int(stop - start) + 1)]
