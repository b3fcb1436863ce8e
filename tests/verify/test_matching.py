"""No name on one side without its partner on the other."""

import pkgutil

import pytest

import bounds
from bounds import assumptions
from bounds.quantity import Over
from bounds.statement import Assumption, Statement
from synthetic.problems import problem_names
from verify import matching as package
from verify.cell import Cell, plain, revived
from verify.linear import linear_bound
from verify.matching.assumptions import JUDGES
from verify.measurement import Sampled
from verify.run import matching

STATEMENTS = bounds.statements()
MODULES = [
    m.name
    for m in pkgutil.iter_modules(package.__path__)
    if m.name not in ("assumptions", "certified", "constants") and not m.name.startswith("_")
]


def test_every_assumption_of_the_vocabulary_has_a_judge_and_no_judge_is_idle() -> None:
    vocabulary = {a.name for a in vars(assumptions).values() if isinstance(a, Assumption)}
    assert vocabulary == set(JUDGES)


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.id)
def test_every_assumption_of_a_statement_is_of_the_vocabulary(statement: Statement) -> None:
    assert {a.name for a in statement.assumptions} <= set(JUDGES)


@pytest.mark.parametrize("name", MODULES)
def test_a_matched_algorithm_names_statements_that_name_it(name: str) -> None:
    module = matching(name)
    for identity in module.STATEMENTS:
        assert bounds.get(identity).algorithm == name


@pytest.mark.parametrize("name", MODULES)
def test_a_measurement_has_exactly_the_observables_of_its_statement(name: str) -> None:
    module = matching(name)
    for identity in module.STATEMENTS:
        statement = bounds.get(identity)
        wanted = {s.name for s in statement.symbols}
        wanted &= statement.notation.observables.keys()
        cell: Cell = module.cells(statement)[-1]
        measured = module.measure(statement, cell, 2, 0, "names")
        assert set(measured.observables) == wanted
        bound = linear_bound(statement, cell)
        assert set(bound.left) | set(bound.right) == wanted
        if isinstance(measured, Sampled):
            (name_left, *_) = bound.left
            minimum = statement.notation.observables[name_left].over is Over.MINIMUM_OF_MEANS
            assert measured.observables[name_left].ndim == (2 if minimum else 1)


@pytest.mark.parametrize("name", MODULES)
def test_cells_survive_json_and_keep_their_digest(name: str) -> None:
    module = matching(name)
    for identity in module.STATEMENTS:
        for cell in module.cells(bounds.get(identity)):
            assert cell.problem in problem_names()
            again = Cell(
                statement=cell.statement,
                variant=cell.variant,
                algorithm=cell.algorithm,
                role=cell.role,
                problem=cell.problem,
                problem_arguments=revived(plain(cell.problem_arguments)),
                parameters=revived(plain(cell.parameters)),
                engine=revived(plain(cell.engine)),
                reading=cell.reading,
            )
            assert again.digest == cell.digest


def test_cells_of_one_statement_are_distinct() -> None:
    for name in MODULES:
        module = matching(name)
        for identity in module.STATEMENTS:
            digests = [c.digest for c in module.cells(bounds.get(identity))]
            assert len(set(digests)) == len(digests)
