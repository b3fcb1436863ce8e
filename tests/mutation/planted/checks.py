"""Which checks object to a statement that is given as an object: the audit's and the quick verification's."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

from bounds import discovery
from bounds.evaluation.resolve import names_taken
from bounds.language.finding import Finding, FindingClass, Verdict
from bounds.language.statement import Statement
from verify.audit import rates, units
from verify.audit.follows import check as substitution
from verify.audit.informative import judge
from verify.audit.limits import check as limits
from verify.audit.limits.cases import NO_ROUNDS
from verify.audit.limits.in_case import DIFFERS
from verify.audit.limits.known import EXACT_RUNS
from verify.audit.satisfiable import judge as satisfiability
from verify.cell import Cell
from verify.matching.joined import find_runs
from verify.objects.check import TRIALS, judged
from verify.objects.recipes import can_be_tried, draws
from verify.runs.check import LEVEL, QUICK_REPLICATES, SEED, decides, run_cell
from verify.statistics.error_level import per_cell

HARMLESS = (FindingClass.LOOSE, FindingClass.INTERPRETATION, FindingClass.TYPO)


def grave(findings: tuple[Finding, ...]) -> bool:
    return any(finding.grade not in HARMLESS for finding in findings)


def by_units(statement: Statement) -> bool:
    return grave(units.audit(statement))


def by_rate(statement: Statement) -> bool:
    return grave(rates.audit(statement))


def by_substitution(statement: Statement) -> bool:
    return grave(substitution.audit(statement))


def by_satisfiability(statement: Statement) -> bool:
    empty = (satisfiability.Verdict.UNSATISFIABLE, satisfiability.Verdict.TRIVIAL_ONLY)
    return satisfiability.judge(statement).verdict in empty


def by_information(statement: Statement) -> bool:
    return judge.judge(statement).verdict is judge.Verdict.UNINFORMATIVE


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
    runs = find_runs(statement)
    if runs is None:
        return []
    taken = names_taken(statement)
    with given(statement):
        cells = list(runs.cells(statement))
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
