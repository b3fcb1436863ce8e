"""What a problem and a start are certified to have, and what that requires of a cell.

Both follow from the parts that the quantities of a statement declare. They are in fractions where the problem
and the start are exact.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from bounds.language.part import Of, Part
from bounds.language.statement import Statement
from synthetic.problem import Problem
from verify.cell import Cell, revived
from verify.matching.constants.at_start import (
    ask_at_start,
    measure_powers_at_start,
    measured_at_start,
    parts_at_start,
)
from verify.matching.constants.certified import Requirement, rational_root
from verify.matching.constants.constants import Offered, parts_of
from verify.matching.constants.offered import offer_constants
from verify.matching.measurements.own_at_start import require_own_start
from verify.matching.run_settings import COUNTS_OF_CLIENTS, settings_that_are_quantities


def certify_numbers(statement: Statement, problem: Problem, start: Sequence[Any]) -> dict[str, Any]:
    """Constants of the problem and measures of the start, on their safe side; counts as whole numbers."""
    table, exact = statement.notation.quantities, is_exact(problem, start)
    found: dict[str, Any] = {}
    offers = offer_constants(statement, problem)
    for name, part in parts_of(statement.notation, Of.CONSTANT).items():
        known = offers.get(name)
        if known is None or known.value is None:
            continue
        if table[name].domain.integer:
            found[name] = int(known.value)
        elif exact and known.exact is not None:
            found[name] = _take_root(known.exact, 2 if part.root else 1, below=part.lower)
        else:  # the end of a constant that is 0 may be a little below it
            found[name] = max(known.value, table[name].domain.lower)
    if not exact:
        return found | measured_at_start(statement, problem, start)
    ends = measure_powers_at_start(statement, problem, start)
    lower = _find_lower(statement)
    return found | {name: _take_root(end, power, below=name in lower) for name, (end, power) in ends.items()}


def _find_lower(statement: Statement) -> set[str]:
    """The measures of the start that may be taken too small."""
    return {name for name, part in parts_at_start(statement).items() if part.lower}


def _take_root(value: Fraction, power: int, *, below: bool) -> Fraction:
    """The number whose power is given, on its safe side."""
    while power > 1:
        value, power = rational_root(value, below=below), power // 2
    return value


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    """Constants on their certified side, the measures of the start, how many clients can take part."""
    problem, given = cell.build_problem(), cell.parameters
    known, declared = offer_constants(statement, problem), parts_of(statement.notation, Of.CONSTANT)
    held = [
        _require_constant(declared[name], name, given[name], known.get(name))
        for name in declared
        if name in given
    ]
    held += _require_start(statement, problem, cell) + require_own_start(statement, cell)
    return held + _limit_clients(statement, given, problem.clients)


def is_exact(problem: Problem, start: Any) -> bool:
    """Whether what is measured at the start is a fraction."""
    return problem.exact and not any(isinstance(x, float) for x in start)


def _require_constant(part: Part, name: str, value: Any, known: Offered | None) -> Requirement:
    """No number fits where the problem does not know the constant, or does not certify it."""
    if known is None or known.value is None:
        because = f"{part.name} is not certified on this problem"
        return Requirement(name, float(value), at_least=float(value) + 1, because=because)
    if part.name in ("clients", "dimension"):
        return Requirement(name, float(value), at_least=known.value, at_most=known.value)
    number: float | Fraction = float(value)
    end: float | Fraction = known.value
    named = name
    if isinstance(value, Fraction) and known.exact is not None:
        power = 2 if part.root else 1
        number, end, named = value**power, known.exact, _name_power(name, power)
    if part.within:
        return Requirement(named, number, at_least=known.lower, at_most=end)
    return Requirement(named, number, at_most=end) if part.lower else Requirement(named, number, at_least=end)


def _name_power(name: str, power: int) -> str:
    """A root is compared by its square, which alone is a fraction."""
    return name if power == 1 else f"{name}^{power}"


def _require_start(statement: Statement, problem: Problem, cell: Cell) -> list[Requirement]:
    given, start, lower = cell.parameters, revived(cell.engine["start"]), _find_lower(statement)
    parts = parts_at_start(statement)

    def require(name: str, number: float | Fraction, end: float | Fraction, power: int = 1) -> Requirement:
        least, most = (None, end) if name in lower else (end, None)
        unknown = None if isfinite(end) else f"{parts[name].name} at the start is not known on this problem"
        return Requirement(_name_power(name, power), number, least, most, unknown)

    if not is_exact(problem, start):
        ends = ask_at_start(statement, problem, start)
        return [require(n, float(given[n]), end) for n, end in ends.items() if n in given]
    powers = measure_powers_at_start(statement, problem, start)
    return [
        require(name, Fraction(given[name]) ** power, end, power)
        for name, (end, power) in powers.items()
        if name in given
    ]


def _limit_clients(statement: Statement, given: Mapping[str, Any], clients: int) -> list[Requirement]:
    """No more clients take part in a round than there are."""
    settings = settings_that_are_quantities(statement)
    named = [settings[s] for s in COUNTS_OF_CLIENTS if settings.get(s) in given]
    return [Requirement(name, float(given[name]), at_most=clients) for name in named]
