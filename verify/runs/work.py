"""How much a cell from a file asks for, estimated before anything is built or run.

A record comes from elsewhere and may name any size. What standard cells ask for is far below these limits.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import prod
from typing import Any, Final, TypeGuard

from bounds import discovery
from verify.cell import Cell

# Sizes that are no loops of a run: a batch enters through its noise, the others through the problem.
NO_LOOPS: Final = frozenset(("B", "d", "n", "M"))
STEPS: Final = 20_000  # rounds times local steps: what the longest of our own cells asks for
WORK: Final = 10**9  # steps x clients x dimension x replicates; seconds to a minute
CALLS: Final = 200_000  # of an author's function that a longer run may make
DATA: Final = 10**6  # clients x dimension, whatever else the arguments count
MATRICES: Final = 4 * 10**6  # the same times the dimension: one of 2,000 takes ten seconds to be decomposed
EXACT_STEPS: Final = 2_000  # fractions grow with every one


def asks_too_much(cell: Cell, replicates: int) -> str | None:
    """Why the cell would take minutes or all of the memory; None where it does not."""
    data = _data(cell.problem_arguments)
    if data > DATA:
        return f"the problem of a recorded cell has {data:.3g} numbers; at most {DATA} are allowed"
    matrices = data * _dimension(cell.problem_arguments)
    if matrices > MATRICES:
        return (
            f"the matrices of a recorded cell may have {matrices:.3g} numbers; at most {MATRICES} are allowed"
        )
    steps, limit = _steps(cell), EXACT_STEPS if _computes_in_fractions(cell) else STEPS
    if steps > limit:
        return f"a recorded cell asks for {steps:.3g} steps; at most {limit} are allowed"
    if replicates > most_replicates(cell):
        work = steps * data * replicates
        return f"a recorded cell asks for {work:.3g} numbers; at most {WORK} are allowed"
    return None


def most_replicates(cell: Cell) -> int:
    """As many as a record may ask for."""
    return int(WORK / (_steps(cell) * _data(cell.problem_arguments)))


def most_calls(cell: Cell) -> int:
    """Replicates of an author's algorithm, each round of which is a call: about a minute of them."""
    return int(CALLS / _steps(cell))


def _data(arguments: Mapping[str, Any]) -> float:
    """The entries of lists, times the product of counts."""
    listed = sum(1 for value in arguments.values() for _ in _leaves(value) if isinstance(value, list))
    counts = [abs(n) for name, n in arguments.items() if name != "seed" and _is_integer(n) and abs(n) > 1]
    return float(max(1, listed)) * prod(map(float, counts))


def _dimension(arguments: Mapping[str, Any]) -> int:
    dimension = arguments.get("dimension")
    return abs(dimension) if _is_integer(dimension) else 1


def _leaves(value: Any) -> Iterable[Any]:
    if isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def _steps(cell: Cell) -> float:
    """The product of all whole quantities of the statement that may count rounds or local steps."""
    quantities = discovery.get(cell.statement, cell.variant).notation.quantities

    def counts(name: str, value: Any) -> bool:
        integral = name == "rounds" or (name in quantities and quantities[name].domain.integer)
        return integral and name not in NO_LOOPS and isinstance(value, int | float | Fraction)

    values = {**cell.parameters, **cell.engine}
    return prod(max(1.0, abs(float(value))) for name, value in values.items() if counts(name, value))


def _computes_in_fractions(cell: Cell) -> bool:
    return any(isinstance(value, Fraction) for value in cell.parameters.values())


def _is_integer(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
