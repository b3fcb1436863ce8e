"""The numbers of a cell that its problem and its start decide, at the ends where they are certified."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import nextafter, sqrt
from typing import Any, Final

from bounds import discovery
from verify.cell import Cell, Scalar
from verify.matching.constants.certified import Requirement, rational_root
from verify.matching.constants.lojasiewicz import names

ABOVE: Final = 1 + 1e-12
# Requirements call the settings that they limit by these names.
COUNTED: Final = {"rounds": "R", "local steps": "H", "agents in a round": "participants"}

Required = Mapping[str, Requirement]


def by_parameter(held: Sequence[Requirement]) -> dict[str, Requirement]:
    """The requirements by parameter; one on a square is one on its root."""
    return {COUNTED.get(r.parameter, r.parameter.removesuffix("^2")): r for r in held}


def fixed_in(cell: Cell, required: Required) -> set[str]:
    """The constants of the problem and of the point where the run starts.

    A parameter that the standard cell has strictly below its only limit, such as a step, is free.
    """
    known = {n for n, r in required.items() if r.at_least is not None or _attains(r)}
    return known | _pin_lojasiewicz(cell).keys()


def _pin_lojasiewicz(cell: Cell) -> dict[str, Scalar]:
    """The constants of the inequality, which a problem certifies among its facts, not its constants."""
    facts = cell.build_problem().facts().lojasiewicz
    if facts is None:
        return {}
    certified = {"exponent": float(facts.exponent), "constant": float(facts.constant)}
    statement = discovery.get(cell.statement, cell.variant)
    return {name: certified[role] for name, role in names(statement).items() if name in cell.parameters}


def _attains(required: Requirement) -> bool:
    return required.at_most is not None and required.value >= required.at_most * (1 - 1e-6)


def pinned_in(cell: Cell, required: Required, names: set[str]) -> dict[str, Scalar]:
    """The values of these names at the certified ends that make the bound smallest."""
    out: dict[str, Scalar] = {}
    for name, held in required.items():
        end = held.at_least if held.at_least is not None else held.at_most
        if end is None or name not in names:
            continue
        below = held.at_least is None
        out[name] = _root(end, below=below) if held.parameter.endswith("^2") else end
    out |= _pin_lojasiewicz(cell)
    return {n: _like(cell.parameters.get(n, cell.engine.get(n)), v) for n, v in out.items()}


def _like(before: Any, value: Any) -> Any:
    return int(value) if isinstance(before, int) and value == int(value) else value


def _root(square: float | Fraction, *, below: bool) -> float | Fraction:
    """The root where it is rational, else on the safe side of it."""
    if isinstance(square, Fraction):
        return rational_root(square, below=below)
    return nextafter(sqrt(square), 0.0) if below else sqrt(square) * ABOVE
