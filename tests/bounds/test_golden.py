"""Against numbers that were typed from the transcriptions, with no line in common with the statements.

Every file golden*.py beside this one has a table `POINTS`: key to (formula, points). The key is a locator
("B.thm4"), or an id where one locator prints several relations ("als_dpfl.theorem_2.theorem_omega"); for an
amended form " amended" follows ("B.thm4 amended"), and its formula is typed from docs/amended by hand.
A formula takes the inputs `q` and returns (terms by name, derived quantities by name, [(value, relation,
limit)] in the order of the conditions); the points are three dictionaries of inputs.
"""

import math
import runpy
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mpmath import mpf
from sympy import Integer
from typed_points import golden

from bounds.discovery import forms
from bounds.evaluation.resolve import resolve
from bounds.language.condition import Relation
from bounds.language.statement import Statement

HERE = Path(__file__).parent
# Not merged by key: a statement that two files type is counted twice, and noticed.
CASES = [
    case for file in sorted(HERE.glob("golden*.py")) for case in golden(runpy.run_path(str(file))["POINTS"])
]
EVALUABLE = {name: form for name, form in forms().items() if form.evaluable}
# By locator too: it goes before what follows the id in the name.
STATEMENTS = {name.replace(s.id, s.locator): s for name, s in EVALUABLE.items()} | EVALUABLE
LABELS = [f"{case[0]}-{number}" for number, case in enumerate(CASES)]
# Inputs of moderate size: the only cancellations are those of a margin close to zero, and 1 - q^2.
RELATIVE, MARGIN = 1e-13, 1e-12


def sources(statement: Statement) -> set[str]:
    """Names that only serve to derive what a user may also give directly."""
    return {s.name for d in statement.where if not d.needed for s in d.expression.free_symbols}


def disagreements(statement: Statement, case: Any) -> list[str]:
    _, point, terms, value, derived, conditions = case
    known = resolve(statement).required | resolve(statement).optional | sources(statement)
    evaluation = statement.evaluate(**{name: value for name, value in point.items() if name in known})
    pairs: dict[str, tuple[Any, Any]] = {"value": (evaluation.value, value)}
    wrong = []
    if list(evaluation.terms) != list(terms) and set(evaluation.terms) != set(terms):
        wrong.append(f"terms {list(evaluation.terms)}, typed {list(terms)}")
    pairs |= {name: (evaluation.terms.get(name, math.nan), truth) for name, truth in terms.items()}
    pairs |= {name: (evaluation.derived.get(name, math.nan), truth) for name, truth in derived.items()}
    for name, (computed, truth) in pairs.items():
        scale = max(abs(t) for t in terms.values()) if name == "value" else abs(truth)
        if not abs(mpf(computed) - truth) <= RELATIVE * max(scale, mpf(10) ** -30):
            wrong.append(f"{name}: {computed}, typed {float(truth)}")
    if len(evaluation.conditions) != len(conditions):
        return [*wrong, f"{len(evaluation.conditions)} conditions, typed {len(conditions)}"]
    for checked, (holds, size) in zip(evaluation.conditions, conditions, strict=True):
        if checked.holds is not bool(holds):
            wrong.append(f"{checked.condition.locator}: holds is {checked.holds}, typed {holds}")
        if not abs(mpf(checked.margin) - size) <= MARGIN * (1 + abs(size)):
            wrong.append(f"{checked.condition.locator}: margin {checked.margin}, typed {float(size)}")
    return wrong


@pytest.mark.parametrize("case", CASES, ids=LABELS)
def test_agrees_with_the_typed_numbers(case: Any) -> None:
    assert disagreements(STATEMENTS[case[0]], case) == []


def test_every_statement_has_three_points() -> None:
    names = {(form.id, form.variant): name for name, form in EVALUABLE.items()}
    typed = [STATEMENTS[case[0]] for case in CASES]
    assert Counter(names[form.id, form.variant] for form in typed) == dict.fromkeys(EVALUABLE, 3)


# ---- the comparison can fail

CASE = next(case for case in CASES if case[0] == "A.thm1")
THEOREM = STATEMENTS["A.thm1"]


def _with_first_term(change: Any) -> Statement:
    first, *others = THEOREM.terms
    return replace(THEOREM, terms=(replace(first, expression=change(first.expression)), *others))


def _with_first_condition(**changes: Any) -> Statement:
    first, *others = THEOREM.conditions
    return replace(THEOREM, conditions=(replace(first, **changes), *others))


def _twice(symbol: str) -> Statement:
    factor = {s: 2 * s for s in THEOREM.right.free_symbols if s.name == symbol}
    terms = tuple(replace(term, expression=term.expression.xreplace(factor)) for term in THEOREM.terms)
    return replace(THEOREM, terms=terms)


MUTANTS = {
    "a constant": _with_first_term(lambda e: e * Integer(4) / 3),
    "a sign": _with_first_term(lambda e: -e),
    "a tiny factor": _with_first_term(lambda e: e * (1 + Integer(10) ** -12)),
    "a dropped term": replace(THEOREM, terms=THEOREM.terms[1:]),
    "a dropped condition": replace(THEOREM, conditions=THEOREM.conditions[1:]),
    "a turned relation": _with_first_condition(relation=Relation.ABOVE),
    "another limit": _with_first_condition(limit=Integer(2)),
    "another definition": replace(
        THEOREM, where=tuple(replace(d, expression=d.expression + 1) for d in THEOREM.where)
    ),
    "another choice": replace(
        THEOREM, choices=tuple(replace(c, expression=2 * c.expression) for c in THEOREM.choices)
    ),
    **{f"twice {name}": _twice(name) for name in ("f0_gap", "R", "beta", "M", "eta", "L")},
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_planted_defect_is_caught(mutant: str) -> None:
    assert disagreements(MUTANTS[mutant], CASE) != []
