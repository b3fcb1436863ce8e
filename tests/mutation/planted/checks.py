"""Which checks object to a statement that is given as an object: the audit's and the quick verification's."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

from bounds import discovery
from bounds.evaluate import names_taken
from bounds.finding import Finding, FindingClass, Verdict
from bounds.statement import Statement
from verify import dimension, information, limits, rate, substitution
from verify.cell import Cell
from verify.instances import can_be_tried, draws
from verify.level import per_cell
from verify.limits_cases import NO_ROUNDS
from verify.limits_in_case import DIFFERS
from verify.limits_known import EXACT_RUNS
from verify.property import TRIALS, judged
from verify.run import LEVEL, QUICK_REPLICATES, SEED, decides, matching, run_cell
from verify.satisfiability import judge as satisfiability

HARMLESS = (FindingClass.LOOSE, FindingClass.INTERPRETATION, FindingClass.TYPO)


def grave(findings: tuple[Finding, ...]) -> bool:
    return any(finding.grade not in HARMLESS for finding in findings)


def by_units(statement: Statement) -> bool:
    return grave(dimension.audit(statement))


def by_rate(statement: Statement) -> bool:
    return grave(rate.audit(statement))


def by_substitution(statement: Statement) -> bool:
    return grave(substitution.audit(statement))


def by_satisfiability(statement: Statement) -> bool:
    empty = (satisfiability.Verdict.UNSATISFIABLE, satisfiability.Verdict.TRIVIAL_ONLY)
    return satisfiability.judge(statement).verdict in empty


def by_information(statement: Statement) -> bool:
    return information.judge(statement).verdict is information.Verdict.UNINFORMATIVE


def by_limits(statement: Statement) -> bool:
    """Below what is known exactly. A term that does not vanish where its words say so is a place to look."""
    return any(
        limit.verdict == DIFFERS and limit.case in (NO_ROUNDS, EXACT_RUNS)
        for limit in limits.check(statement) or ()
    )


def by_objects(statement: Statement) -> bool:
    if not can_be_tried(statement):
        return False
    drawn = list(draws(statement, seed=SEED, trials=TRIALS))
    entry = judged(statement, drawn, seed=SEED, trials=TRIALS)
    return Verdict(entry["verdict"]) is Verdict.VIOLATED


def by_cells(statement: Statement) -> bool:
    cells = own_cells(statement)
    level = per_cell(LEVEL, max(1, len(cells)))
    with given(statement):
        results = (run_cell(c, level=level, seed=SEED, replicates=QUICK_REPLICATES) for c in cells)
        return any(r.verdict is Verdict.VIOLATED and decides(r) for r in results)


def own_cells(statement: Statement) -> list[Cell]:
    """The statement's own standard cells, with the numbers that it takes; a mutant may need fewer."""
    module = matching(statement.algorithm)
    if module is None or statement.id not in module.STATEMENTS:
        return []
    taken = names_taken(statement)
    with given(statement):
        cells: list[Cell] = list(module.cells(statement))
    return [replace(c, parameters={n: v for n, v in c.parameters.items() if n in taken}) for c in cells]


@contextmanager
def given(statement: Statement) -> Iterator[None]:
    """Whoever asks for this form by its id gets the object: a mutant is nowhere to be discovered."""
    discovered = discovery.get

    def get(identity: str, variant: str = "printed") -> Statement:
        same = (identity, variant) == (statement.id, statement.variant)
        return statement if same else discovered(identity, variant)

    with patch.object(discovery, "get", get):
        yield


AUDIT: dict[str, Callable[[Statement], bool]] = {
    "units": by_units,
    "rate": by_rate,
    "substitution": by_substitution,
    "satisfiability": by_satisfiability,
    "information": by_information,
    "limits": by_limits,
}
VERIFICATION: dict[str, Callable[[Statement], bool]] = {"objects": by_objects, "cells": by_cells}
CHECKS = AUDIT | VERIFICATION


def objections(statement: Statement) -> dict[str, bool | str]:
    """Per check: whether it objects, or why it could not read the statement, which is no objection."""
    out: dict[str, bool | str] = {}
    for name, check in CHECKS.items():
        try:
            out[name] = check(statement)
        except Exception as error:  # whatever a mutant breaks is told
            out[name] = f"{type(error).__name__}: {error}"
    return out


def objecting(statement: Statement) -> tuple[str, ...]:
    return tuple(name for name, said in objections(statement).items() if said is True)
