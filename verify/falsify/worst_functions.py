"""Standard cells on the worst functions at their parameters: where a linear method has a worst-case program.

The solver proposes a function, and nothing else: it is written down as an envelope of bowls, whose constants
are known exactly, and the run on it is judged as any other. Without clarabel there are no such cells.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from typing import Any, Final

from bounds.errors import Misuse
from bounds.evaluation.resolve import names_taken
from bounds.language.assumptions import ONE_CLIENT
from bounds.language.part import Of
from bounds.language.statement import Statement
from synthetic.errors import Refusal
from verify.cell import Cell
from verify.matching.constants.pinned import by_parameter, fixed_in, pinned_in
from verify.matching.joined import get_runs
from verify.matching.linear_bound import inputs
from verify.worst_case.errors import MissingExtra, NoWorstCase
from verify.worst_case.instance_problem import envelope_of
from verify.worst_case.statements import CLIENTS, question, settings_beside
from verify.worst_case.worst import worst_case

MOST: Final = 12  # programs that are solved, some tenths of a second each
ROUNDS: Final = (1, 4, 10)
LONGEST: Final = 20  # gradients in one Gram matrix: a longer program takes seconds
SPREAD: Final = "mean_squared_client_gradient_at_minimiser"
FEW: Final = 2  # clients: a program grows with each, and its value does not


def worst_cells(statement: Statement, cells: Sequence[Cell]) -> list[Cell]:
    """At the first few points of the standard cells that have a program; none of a statement without one."""
    found: list[Cell] = []
    for cell, given in islice(_points(statement, cells), MOST):
        try:
            moved = _move_to_worst_function(statement, cell, given)
        except (NoWorstCase, MissingExtra, Misuse, Refusal, ArithmeticError):
            continue
        found += [] if moved is None else [moved]
    return found


def _points(statement: Statement, cells: Sequence[Cell]) -> Iterator[tuple[Cell, dict[str, Fraction]]]:
    """Different settings and constants, each with a few numbers of rounds; a start elsewhere adds nothing."""
    seen, clients = set(), _clients(statement)
    for cell, rounds in product(cells, ROUNDS):
        given = {n: Fraction(_count(statement, n, rounds) or v) for n, v in inputs(statement, cell).items()}
        for name in settings_beside(statement) & cell.engine.keys():
            given[name] = Fraction(rounds if name == "rounds" else cell.engine[name])
        given.setdefault(CLIENTS, clients)
        key = tuple(sorted((n, v) for n, v in given.items() if not _is_of_start(statement, n)))
        if key not in seen:
            seen.add(key)
            yield cell, given


def _clients(statement: Statement) -> Fraction:
    """One, unless a quantity limits how far apart they are: several without a limit have no worst case."""
    quantities = [statement.notation.quantities.get(name) for name in names_taken(statement)]
    parts = [q.part.name for q in quantities if q is not None and q.part is not None]
    return Fraction(FEW if SPREAD in parts and not _is_alone(statement) else 1)


def _is_alone(statement: Statement) -> bool:
    return ONE_CLIENT.name in {assumption.name for assumption in statement.assumptions}


def _count(statement: Statement, name: str, rounds: int) -> int | None:
    """Rounds and clients are few; no other number is another one."""
    quantity = statement.notation.quantities[name]
    if quantity.part is None or quantity.part.name not in ("rounds", "steps", "clients"):
        return None
    return rounds if quantity.part.name != "clients" else 1 if _is_alone(statement) else FEW


def _is_of_start(statement: Statement, name: str) -> bool:
    quantity = statement.notation.quantities.get(name)
    return quantity is not None and quantity.part is not None and quantity.part.of is Of.START


def _move_to_worst_function(statement: Statement, cell: Cell, given: Mapping[str, Fraction]) -> Cell | None:
    asked = question(statement, given)
    is_short = asked.setting.gradients <= LONGEST
    attained = worst_case(asked.setting).attained if is_short and not asked.failed else None
    written = None if attained is None else envelope_of(asked.setting, attained)
    if written is None:
        return None
    arguments, start = written
    engine: dict[str, Any] = _replace_given(cell.engine, given) | {"start": start}
    if "participants" in engine:
        engine["participants"] = asked.setting.clients
    moved = replace(
        cell,
        role="worst function",
        problem="envelope.envelope",
        problem_arguments=arguments,
        engine=engine,
        parameters=_replace_given(cell.parameters, given),
    )
    required = by_parameter(get_runs(statement).requirements(statement, moved))
    pinned = pinned_in(moved, required, fixed_in(moved, required))
    return replace(
        moved,
        parameters={n: pinned.get(n, v) for n, v in moved.parameters.items()},
        engine={n: pinned.get(n, v) for n, v in engine.items()},
    )


def _replace_given(values: Mapping[str, Any], given: Mapping[str, Fraction]) -> dict[str, Any]:
    """Put what is given in the place of what was there, as a number of the same kind."""
    return {name: type(v)(given[name]) if name in given else v for name, v in values.items()}
