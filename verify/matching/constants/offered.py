"""What a problem is certified to have under the names of a statement's quantities, and how closely."""

from math import isfinite

from bounds.language.statement import Statement
from synthetic.problem import Problem
from verify.cell import Cell, revived
from verify.matching.constants.at_start import measured_at_start
from verify.matching.constants.constants import Offered, offered
from verify.matching.constants.known import constants_of


def offer_constants(statement: Statement, problem: Problem) -> dict[str, Offered]:
    """The certified constants of the problem under the names of the statement's quantities."""
    counts = {"clients": problem.clients, "dimension": problem.dimension}
    return offered(statement.notation, constants_of(problem), **counts)


def measure_widths(statement: Statement, cell: Cell) -> dict[str, float]:
    """How far the two sides of constants and of measures of the start are apart, where both are known."""
    problem, start = cell.build_problem(), revived(cell.engine["start"])
    constants = offer_constants(statement, problem)
    ends = {name: (known.lower, known.upper) for name, known in constants.items()}
    one, other = (measured_at_start(statement, problem, start, other_side=side) for side in (False, True))
    ends |= {name: (one[name], other[name]) for name in one}
    widths = {name: abs(b - a) for name, (a, b) in ends.items() if a is not None and b is not None}
    return {name: width for name, width in widths.items() if isfinite(width)}
