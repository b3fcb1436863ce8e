"""Our own listing in a cell that another algorithm violates: is the statement wrong, or it?"""

from dataclasses import replace

from bounds import discovery
from bounds.language.finding import Verdict
from bounds.language.statement import Statement
from verify.cell import Cell
from verify.matching.joined import written_runs
from verify.runs.check import CellResult, run_cell


def ours_in(statement: Statement, cell: Cell, *, level: float, seed: int, replicates: int) -> str | None:
    """One clause on what our listing does in the cell; None where there is none, or it is ours already."""
    written = written_runs(statement)
    if written is None or written.algorithm == statement.algorithm:
        return None
    beside = discovery.adopt(replace(statement, algorithm=written.algorithm))
    again = replace(cell, statement=beside.id, algorithm=written.algorithm)
    return _clause(written.algorithm, run_cell(again, level=level, seed=seed, replicates=replicates))


def _clause(algorithm: str, found: CellResult) -> str:
    if found.verdict is Verdict.VIOLATED:
        return f"our own {algorithm} violates it in this cell too: the statement is false there"
    estimate = "" if found.measured is None else f", measured {found.measured.estimate:.6g}"
    return f"our own {algorithm} does not violate it in this cell ({found.verdict.value}{estimate})"
