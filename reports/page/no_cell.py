"""Why a record may hold no run of a statement."""

from bounds.statement import Kind, Statement

UNRUN = "no cell is in this record"


def why_no_cell(statement: Statement) -> str:
    if not statement.evaluable:
        return f"a {statement.kind.value} without a number: nothing to run"
    if statement.kind is Kind.RATE:
        return f"its constants are not given: {statement.explicit} is the bound that is run"
    if statement.concrete is not None and statement.algorithm is None:
        return "it speaks of vectors, functions or sequences, not of a run"
    if statement.algorithm is None or statement.kind in (Kind.DEFINITION, Kind.RULE):
        return "it speaks of no run"
    return UNRUN
