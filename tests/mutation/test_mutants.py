"""Planted defects: what is false is shown so by hand, and the checks object to it and to nothing else.

All mutants: `make mutants`, whose findings are committed. Here are 30 of them, and every counterexample.
"""

import ast
from pathlib import Path

import pytest
from planted.checks import CHECKS, by_cells, by_objects, grave, objecting
from planted.drawn import SAMPLE, every, originals, sample, without_terms
from planted.judged import SEARCH, read
from planted.operators import LOOSENING, STRENGTHENING
from planted.truth import CLEAR, counterexample, instance, instances, makers, refutes

from bounds.language.finding import FindingClass
from bounds.language.statement import Statement
from verify.audit import rates, units
from verify.audit.follows import check as substitution

KNOWN = {judged.name: judged for judged in read()}
STRONGER = [judged for judged in KNOWN.values() if judged.stronger]
FALSE = [judged for judged in STRONGER if judged.shown_false]
OBJECTED = [name for name in sample(KNOWN) if set(KNOWN[name].caught_by) - {SEARCH}]
LEFT_ALONE = [name for name in sample(KNOWN) if name not in OBJECTED]
TEXTBOOK = [s for s in originals() if s.id.startswith("textbook.")]
INSTANCES = 25


# ---- the mutants


def test_what_is_committed_speaks_of_the_mutants_that_are_drawn() -> None:
    """After a change of a statement: `make mutants`."""
    assert list(KNOWN) == list(every())
    assert len(every()) >= 200
    assert {judged.operator for judged in KNOWN.values()} == {*STRENGTHENING, *LOOSENING}
    assert len({*sample(KNOWN)}) == SAMPLE == len(OBJECTED) + len(LEFT_ALONE)


def test_a_mutant_differs_from_its_original_in_what_it_says() -> None:
    for mutant in every().values():
        own, other = mutant.mutated, mutant.original
        assert (own.id, own.variant) == (other.id, other.variant)
        assert (own.left, own.terms, own.conditions) != (other.left, other.terms, other.conditions)


def test_what_has_no_mutant_has_no_term() -> None:
    assert {m.original.id for m in every().values()} == {s.id for s in originals()} - {*without_terms()}


# ---- the truth of a mutant


@pytest.mark.slow("computes every counterexample again")
def test_counterexamples_refute_as_committed_and_as_computed_again() -> None:
    for judged in FALSE:
        mutant = every()[judged.name]
        assert judged.instance is not None
        assert refutes(mutant.mutated, judged.numbers), judged.name
        assert refutes(mutant.mutated, instance(mutant.original.id, judged.instance)), judged.name


@pytest.mark.thinned(3)
@pytest.mark.sampled
@pytest.mark.parametrize("identity", sorted(makers()))
def test_no_instance_refutes_what_was_not_changed(identity: str) -> None:
    """Nor has one a number outside the domain of its quantity."""
    (statement,) = [s for s in originals() if s.id == identity]
    assert counterexample(statement, INSTANCES) is None
    for _, found in instances(identity, INSTANCES):
        for symbol, number in found.items():
            quantity = statement.notation.quantities.get(symbol)
            if quantity is not None:
                domain = quantity.domain
                assert domain.lower <= number <= domain.upper, symbol
                assert number != domain.lower or domain.lower_included, symbol
                assert not domain.integer or float(number).is_integer(), symbol


def test_a_counterexample_needs_its_conditions_and_a_clear_excess() -> None:
    mutant = next(
        m for m in every().values() if m.name.startswith("textbook.gradient_descent_convex: term halved")
    )
    found = KNOWN[mutant.name].numbers
    assert refutes(mutant.mutated, found)
    assert not refutes(mutant.original, found)
    assert not refutes(mutant.mutated, found | {"final_gap": found["final_gap"] / 2 * (1 + CLEAR)})
    assert not refutes(mutant.mutated, found | {"errors": {"final_gap": found["final_gap"] / 10}})
    assert not refutes(mutant.mutated, {n: x for n, x in found.items() if n != "L"})


def test_instances_are_computed_without_what_they_judge() -> None:
    for file in (Path(__file__).parent / "literal").glob("*.py"):
        nodes = [*ast.walk(ast.parse(file.read_text()))]
        found = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
        found |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        assert found <= {"math", "numpy", "numpy.typing", "collections.abc", "typing"}, file.name


# ---- what the checks say


def test_at_least_nine_tenths_of_what_is_false_was_caught() -> None:
    assert len(FALSE) >= 100
    assert sum(bool(judged.caught_by) for judged in FALSE) >= 0.9 * len(FALSE)


def test_no_loosening_is_false() -> None:
    assert [j.name for j in KNOWN.values() if not j.stronger and j.shown_false] == []


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", OBJECTED)
def test_what_was_objected_to_still_is(name: str) -> None:
    """By one of the same checks; which one is asked first does not matter."""
    assert any(CHECKS[check](every()[name].mutated) for check in KNOWN[name].caught_by)


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if n % 3 == 0 else pytest.mark.slow("every check, to the end"))
        for n, name in enumerate(LEFT_ALONE)
    ],
)
def test_what_was_left_alone_still_is(name: str) -> None:
    """A check that begins to object to one of these is either better or wrong: `make mutants` tells."""
    assert objecting(every()[name].mutated) == ()


@pytest.mark.parametrize("statement", TEXTBOOK, ids=lambda statement: statement.id)
def test_no_textbook_statement_gets_a_finding_graver_than_loose(statement: Statement) -> None:
    found = (*units.audit(statement), *rates.audit(statement), *substitution.audit(statement))
    assert {finding.grade for finding in found} <= {FindingClass.LOOSE}
    assert not grave(found)
    assert objecting(statement) == ()


def test_a_mutant_is_judged_as_an_object_and_never_discovered() -> None:
    """The same cell and the same objects hold once the mutant is gone."""
    halved = next(
        m for m in every().values() if m.name.startswith("textbook.gradient_descent_convex: term halved")
    )
    assert by_cells(halved.mutated)
    assert not by_cells(halved.original)
    smaller = next(m for m in every().values() if m.name.startswith("als_dpfl.claims.jensen: term halved"))
    assert by_objects(smaller.mutated)
    assert not by_objects(smaller.original)
