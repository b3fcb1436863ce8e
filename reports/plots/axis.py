"""--over: the points at which a quantity is taken, and what is written beside the axis."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from sympy import Symbol

from bounds.language.dimension import ONE
from bounds.language.expression import text
from bounds.language.quantity import Quantity
from bounds.language.statement import Statement
from reports.errors import BadGrid
from reports.inputs import numerals
from reports.inputs.numerals import number

MOST = 10_000
USUAL = 41
SHAPES = "NAME=START:STOP, NAME=START:STOP:COUNT, NAME=START:STOP:COUNT:log or NAME=A,B,..."


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    name: str
    label: str
    values: tuple[float, ...]
    logarithmic: bool = False


def axes(words: Iterable[str] | None, statement: Statement, *, most: int) -> tuple[Axis, ...]:
    """One axis per word; a whole-numbered quantity gets whole numbers."""
    texts = list(words or [])
    if not 1 <= len(texts) <= most:
        count = "one axis" if most == 1 else "one or two axes"
        raise BadGrid(f"--over takes {count}, not {len(texts)}: {SHAPES}")
    found = tuple(_axis(text, statement) for text in texts)
    if len({axis.name for axis in found}) < len(found):
        raise BadGrid(f"--over names {found[0].name} twice")
    return found


def _axis(word: str, statement: Statement) -> Axis:
    name, equals, text = (part.strip() for part in word.partition("="))
    if not equals or not name or not text:
        raise BadGrid(f"--over takes {SHAPES}, not {word!r}")
    quantity = statement.notation.quantities.get(name)
    integral = quantity is not None and quantity.domain.integer
    parts = [part.strip() for part in text.split(":")]
    values = _range(name, parts, integral) if len(parts) > 1 else _listed(name, text)
    if len(values) < 2:
        raise BadGrid(f"--over {name} needs at least two points, not {len(values)}")
    return Axis(name=name, label=label_of(name, quantity), values=values, logarithmic=parts[-1] == "log")


def _listed(name: str, text: str) -> tuple[float, ...]:
    values = [number(part.strip(), name) for part in text.split(",")]
    if len(set(values)) < len(values):
        raise BadGrid(f"--over {name} gives a point twice")
    return tuple(sorted(values))


def _range(name: str, parts: list[str], integral: bool) -> tuple[float, ...]:
    spaced = parts[-1] == "log"
    numbers = parts[:-1] if spaced else parts
    if len(numbers) not in (2, 3):
        raise BadGrid(f"--over {name} takes {SHAPES}, not {name}={':'.join(parts)}")
    start, stop = (number(part, name) for part in numbers[:2])
    if not start < stop:
        raise BadGrid(f"--over {name} needs start < stop, not {start:g} and {stop:g}")
    if spaced and start <= 0:
        raise BadGrid(f"--over {name} needs a positive start for a log axis, not {start:g}")
    if not math.isfinite(stop / start if spaced else stop - start):
        raise BadGrid(f"--over {name} has ends that are too far apart: {start:g} and {stop:g}")
    every = math.floor(stop - start) + 1 if integral and not spaced else USUAL
    count = _count(name, numbers[2]) if len(numbers) == 3 else every
    if count > MOST:
        raise BadGrid(f"--over {name} has {count} points; at most {MOST} are taken")
    return tuple(dict.fromkeys(_spread(start, stop, count, spaced, integral)))


def _count(name: str, text: str) -> int:
    count = numerals.read_integer(text, f"the COUNT of --over {name}")
    if count < 0:
        raise BadGrid(f"the COUNT of --over {name} must be a whole number >= 0, not {count}")
    return count


def _spread(start: float, stop: float, count: int, spaced: bool, integral: bool) -> list[float]:
    """Both ends exactly as they were given; what is counted is taken at whole numbers between them."""
    shares = [i / (count - 1) for i in range(1, count - 1)]
    if spaced:
        inner = [start * (stop / start) ** share for share in shares]
    else:
        inner = [start + (stop - start) * share for share in shares]
    inner = [float(round(point)) for point in inner] if integral else inner
    return [start, *inner, stop][:count]


def label_of(name: str, quantity: Quantity | None) -> str:
    """Meaning, symbol, unit; a quantity without unit says so."""
    if quantity is None:
        return name
    unit = "no unit" if quantity.dimension == ONE else str(quantity.dimension)
    return f"{quantity.meaning}, {symbol(name, quantity.latex)} [{unit}]"


def left_label(statement: Statement) -> tuple[str, tuple[str, ...]]:
    """What the values are: a lone symbol by its meaning; a longer left-hand side stands in a note."""
    left, notation = statement.left, statement.notation
    if left is None:
        return "value", ()
    if isinstance(left, Symbol) and left.name in notation.observables:
        return notation.observables[left.name].meaning, ()
    if isinstance(left, Symbol):
        entry = notation.quantities[left.name]
        return f"{entry.meaning}, {symbol(entry.name, entry.latex)}", ()
    return "bound", (f"a bound of {text(left)}",)


def symbol(name: str, latex: str) -> str:
    """As the paper writes it; matplotlib knows one bold font only."""
    return f"${latex.replace('bm{', 'mathbf{')}$" if latex else name
