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
from bounds.language.assumptions import ONE_CLIENT
from bounds.language.part import Of
from bounds.language.statement import Statement
from synthetic.errors import Refusal
from verify.cell import Cell
from verify.matching.joined import get_runs
from verify.matching.pinned import by_parameter, fixed_in, pinned_in
from verify.runs.linear_bound import inputs
from verify.worst_case.errors import MissingExtra, NoWorstCase
from verify.worst_case.instance_problem import envelope_of
from verify.worst_case.statements import CLIENTS, question
from verify.worst_case.worst import worst_case

MOST: Final = 12  # programs that are solved, some tenths of a second each
ROUNDS: Final = (1, 5, 15)
FEW: Final = 2  # clients: a program grows with each, and its value does not


def worst_cells(statement: Statement, cells: Sequence[Cell]) -> list[Cell]:
    """At the first few points of the standard cells that have a program; none of a statement without one."""
    found: list[Cell] = []
    for cell, given in islice(_points(statement, cells), MOST):
        try:
            made = _on_its_worst_function(statement, cell, given)
        except (NoWorstCase, MissingExtra, Misuse, Refusal, ArithmeticError):
            continue
        found += [] if made is None else [made]
    return found


def _points(statement: Statement, cells: Sequence[Cell]) -> Iterator[tuple[Cell, dict[str, Fraction]]]:
    """Different settings and constants, each with a few numbers of rounds; a start elsewhere adds nothing."""
    seen, named = set(), {assumption.name for assumption in statement.assumptions}
    clients = Fraction(1 if ONE_CLIENT.name in named else FEW)
    for cell, rounds in product(cells, ROUNDS):
        given: dict[str, Fraction] = {}
        for name, value in inputs(statement, cell).items():
            given[name] = Fraction(_count(statement, name, rounds) or value)
        given.setdefault(CLIENTS, clients)
        key = tuple(sorted((n, v) for n, v in given.items() if not _is_of_start(statement, n)))
        if key not in seen:
            seen.add(key)
            yield cell, given


def _count(statement: Statement, name: str, rounds: int) -> int | None:
    """Rounds and clients are few; no other number is another one."""
    quantity = statement.notation.quantities[name]
    if quantity.part is None or quantity.part.name not in ("rounds", "steps", "clients"):
        return None
    return FEW if quantity.part.name == "clients" else rounds


def _is_of_start(statement: Statement, name: str) -> bool:
    quantity = statement.notation.quantities.get(name)
    return quantity is not None and quantity.part is not None and quantity.part.of is Of.START


def _on_its_worst_function(statement: Statement, cell: Cell, given: Mapping[str, Fraction]) -> Cell | None:
    asked = question(statement, given)
    attained = None if asked.failed else worst_case(asked.setting).attained
    written = None if attained is None else envelope_of(asked.setting, attained)
    if written is None:
        return None
    arguments, start = written
    engine: dict[str, Any] = dict(cell.engine) | {"start": start}
    if "participants" in engine:
        engine["participants"] = asked.setting.clients
    shared = given.keys() & cell.parameters.keys()
    made = replace(
        cell,
        role="worst function",
        problem="envelope.envelope",
        problem_arguments=arguments,
        engine=engine,
        parameters={**cell.parameters, **{n: type(cell.parameters[n])(given[n]) for n in shared}},
    )
    required = by_parameter(get_runs(statement).requirements(statement, made))
    pinned = pinned_in(made, required, fixed_in(made, required))
    return replace(
        made,
        parameters={n: pinned.get(n, v) for n, v in made.parameters.items()},
        engine={n: pinned.get(n, v) for n, v in engine.items()},
    )
