"""The constants of a problem under the names of a paper's quantities, each on its safe side.

A quantity of the notation table says which constant it stands for (`bounds.language.part`).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from bounds import discovery
from bounds.language.part import Of, Part
from bounds.language.quantity import Notation
from synthetic.certified.facts import Constant, Number, Value, certified_lower, certified_upper, exactly
from synthetic.errors import NotCertified

Known = Mapping[str, Constant | None]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """value is the safe bound; None, with the reason, where nothing is proved.

    exact is the bound without its rounding, and before its root where the quantity is one.
    """

    value: float | None
    lower: float | None
    upper: float | None
    provenance: str
    constant: str
    reason: str | None = None
    exact: Fraction | None = None


def parts_of(notation: Notation, of: Of) -> dict[str, Part]:
    """The quantities of a notation table that are numbers of this kind."""
    found = {name: quantity.part for name, quantity in notation.quantities.items()}
    return {name: part for name, part in found.items() if part is not None and part.of is of}


def quantities(constants: Known, *, clients: int, dimension: int) -> dict[str, dict[str, Offered]]:
    """Quantities by paper and name; one is left out where the problem does not know the constant at all."""
    tables = {
        paper: offered(notation, constants, clients=clients, dimension=dimension)
        for paper, notation in discovery.notations().items()
    }
    return {paper: table for paper, table in tables.items() if table}


def offer_sizes(notation: Notation, *, clients: int, dimension: int) -> dict[str, float]:
    """The quantities that are the number of clients or of coordinates, or follow from one of them."""
    found = offered(notation, {}, clients=clients, dimension=dimension)
    return {name: each.value for name, each in found.items() if each.value is not None}


def offered(notation: Notation, constants: Known, *, clients: int, dimension: int) -> dict[str, Offered]:
    """What a problem offers for the quantities of one notation table."""
    known = {**constants, "clients": exactly(clients), "dimension": exactly(dimension)}
    parts = parts_of(notation, Of.CONSTANT)
    return {
        quantity: _find_other_exponent(known, part, parts)
        or _offered(None if _undefined(known, part) else known[name], part, name)
        for quantity, part in parts.items()
        for name in [next((n for n in (part.name, part.or_else) if n in known), None)]
        if name is not None
    }


def _undefined(known: Known, part: Part) -> bool:
    return bool(part.only_with) and known.get(part.only_with) is None


def _find_other_exponent(known: Known, part: Part, parts: Mapping[str, Part]) -> Offered | None:
    """A constant of an inequality whose exponent no quantity takes is that of the exponent 1."""
    exponent = known.get("lojasiewicz_exponent")
    if part.name != "lojasiewicz" or exponent is None or exponent.value == 1:
        return None
    if any(other.name == "lojasiewicz_exponent" for other in parts.values()):
        return None
    taken = 'which no quantity takes with constant("lojasiewicz_exponent")'
    return _unknown(part.name, exponent.provenance, f"its exponent here is {exponent.value}, {taken}")


def _offered(constant: Constant | None, part: Part, name: str) -> Offered:
    if constant is None:
        return _unknown(name, "none", f"{name} is infinite or not defined on this problem")
    certified = certified_lower if part.lower else certified_upper
    try:
        exact = _scale(certified(name, constant), part)
    except NotCertified as error:
        return _unknown(name, constant.provenance, str(error))
    safe = _round_to_its_side(exact, part)
    if part.lower and safe <= 0:
        return _unknown(name, constant.provenance, f"{name} is not certified positive")
    ends = (constant.lower, constant.upper)
    lower, upper = (None if end is None else _round_to_its_side(_scale(end, part), part) for end in ends)
    return Offered(
        value=safe, lower=lower, upper=upper, provenance=constant.provenance, constant=name, exact=exact
    )


def _unknown(name: str, provenance: str, reason: str) -> Offered:
    return Offered(value=None, lower=None, upper=None, provenance=provenance, constant=name, reason=reason)


def _scale(value: Value, part: Part) -> Fraction:
    """The quantity that the constant stands for, before its root."""
    if isinstance(value, tuple):
        worst = min(value) if part.lower else max(value)
        value = sum((Fraction(e) for e in value), Fraction(0)) / len(value) if part.mean else worst
    return part.times * Fraction(value)


def _round_to_its_side(exact: Fraction, part: Part) -> float:
    """Its value on the safe side."""
    return rooted(_outwards(exact, part), part)


def rooted(number: float, part: Part) -> float:
    """The root, where the part is one: a unit outwards, because a root is rounded to either side."""
    if not part.root or number <= 0:
        return number
    return math.nextafter(math.sqrt(number), 0.0 if part.lower else math.inf)


def _outwards(number: Number, part: Part) -> float:
    nearest = float(number)
    if nearest == number or (nearest > number) != part.lower:
        return nearest
    return math.nextafter(nearest, -math.inf if part.lower else math.inf)
