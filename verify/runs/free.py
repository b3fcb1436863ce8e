"""What the left side of a statement is below without any run, at the parameters of a cell."""

from bounds.language.statement import Statement
from verify.cell import Cell
from verify.runs.linear_bound import NotLinear, linear_bound


def free_value(statement: Statement, cell: Cell) -> float | None:
    """From the free bounds of its observables; None where one of them has none that the cell can evaluate."""
    try:
        bound = linear_bound(statement, cell, free=True)
    except NotLinear:
        return None
    total = sum(float(weight) * float(bound.highest[name]) for name, weight in bound.left.items())
    return total if total < float("inf") else None
