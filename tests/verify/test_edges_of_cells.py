"""A cell at the edge of its conditions is there, and one beyond them is outside."""

import pytest

import bounds
from bounds.errors import MissingQuantity
from bounds.evaluation.decide import Checked
from bounds.language.statement import Statement
from verify.cell import Cell
from verify.matching.joined import find_runs

NEAR = 0.01  # relative to the limit: one that a run is measured against is kept a little farther than a tie


def checked(statement: Statement, cell: Cell) -> tuple[Checked, ...]:
    try:
        return statement.check(**{name: float(value) for name, value in cell.parameters.items()})
    except MissingQuantity:  # the run measures it
        return ()


PAPERS = [paper for paper in dict.fromkeys(s.paper.key for s in bounds.statements()) if paper != "textbook"]


@pytest.mark.parametrize(
    "paper",
    ["textbook", *(pytest.param(p, marks=pytest.mark.slow("the cells of a whole paper")) for p in PAPERS)],
)
def test_cells_at_an_edge_and_beyond_it_are_there(paper: str) -> None:
    far, inside, seen = [], [], 0
    for statement in bounds.statements(paper):
        runs = find_runs(statement)
        for cell in () if runs is None else runs.cells(statement):
            margins = [c.margin for c in checked(statement, cell) if c.margin is not None]
            name = f"{statement.id}, {cell.role}"
            if cell.role.startswith("edge of its conditions") and margins:
                seen += 1
                far += [name] if min(map(abs, margins)) > NEAR else []
            elif cell.role.startswith("beyond its conditions"):
                inside += [name] if min(margins) >= 0 else []
    assert (far, inside) == ([], [])
    assert seen >= 2
