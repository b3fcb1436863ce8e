"""The verdict on what a statement asks: a point with a problem, or a proof that nothing satisfies it.

Proofs come first: a named lemma on the hypotheses, then a certificate over the conditions. A point is decided
as any other is, by `bounds.evaluation.decide`. Beside the verdict stands what the conditions exclude at the
ends of the range: a quantity that may be zero by its domain and by no condition, and what must vanish where
one is tight.
"""

from dataclasses import dataclass
from enum import Enum
from typing import final

import numpy as np

from bounds.evaluation.resolve import resolve
from bounds.language.statement import Statement
from verify.audit.satisfiable import recorded_runs
from verify.audit.satisfiable.excluded import Proved, asked_of, excluded
from verify.audit.satisfiable.problem import Instance, instance
from verify.audit.satisfiable.together import holds_at
from verify.infeasibility.checker import Certificate, System
from verify.infeasibility.finder import certify
from verify.parameters.lemmas import Leaves, Lemma, leaving_nothing, matching
from verify.parameters.region import region
from verify.parameters.valid import UnsolvableCondition
from verify.search.smallest import Point, smallest

CONTRADICTORY = "the conditions contradict each other"


class Verdict(Enum):
    SATISFIABLE = "satisfiable"
    NOTHING_ASKED = "nothing is asked"
    TRIVIAL_ONLY = "only trivial problems"
    UNSATISFIABLE = "unsatisfiable"
    INCONCLUSIVE = "inconclusive"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    verdict: Verdict
    evidence: str
    sentence: str
    point: Point | None = None
    instance: Instance | None = None
    lemmas: tuple[Lemma, ...] = ()
    excluded: tuple[Proved, ...] = ()
    certificate: tuple[System, Certificate] | None = None


def judge(statement: Statement, *, ends: bool = True) -> Judged:
    """ends: with what is excluded at the ends of the range, which takes the longest."""
    lemmas, lemma = matching(statement), leaving_nothing(statement)
    if lemma is not None:
        return Judged(
            verdict=Verdict.TRIVIAL_ONLY if lemma.leaves is Leaves.TRIVIAL else Verdict.UNSATISFIABLE,
            evidence=f"lemma: {lemma.name}",
            sentence=lemma.consequence,
            lemmas=lemmas,
        )
    if not statement.conditions and not statement.assumptions:
        return Judged(
            verdict=Verdict.NOTHING_ASKED, evidence="", sentence="neither conditions nor assumptions"
        )
    contradiction = find_contradiction(statement)
    if contradiction is not None:
        return Judged(
            verdict=Verdict.UNSATISFIABLE,
            evidence="certificate",
            sentence=CONTRADICTORY,
            lemmas=lemmas,
            certificate=contradiction,
        )
    return _with_witness(statement, lemmas, ends)


def find_contradiction(statement: Statement) -> tuple[System, Certificate] | None:
    """A proof that no point meets all conditions, if one is found."""
    if not statement.conditions:
        return None
    asked = asked_of(statement)
    proof = certify(asked)
    return None if proof is None else (asked, proof)


def _with_witness(statement: Statement, lemmas: tuple[Lemma, ...], ends: bool) -> Judged:
    point = _point(statement)
    if statement.conditions and point is None:
        sentence = "no point was found at which all conditions hold, and no proof that there is none"
        return Judged(verdict=Verdict.INCONCLUSIVE, evidence="searched", sentence=sentence, lemmas=lemmas)
    found, reason = instance(statement, point) if statement.assumptions else (None, "")
    if statement.assumptions and found is None:
        return Judged(
            verdict=Verdict.INCONCLUSIVE,
            evidence="point" if point else "",
            sentence=f"no problem of the engine qualifies, with a point of its own: {reason}",
            point=point,
            lemmas=lemmas,
        )
    parts = ["all conditions hold at the point"] if statement.conditions else []
    parts += [f"a problem that satisfies the assumptions: {found.sentence}"] if found else []
    return Judged(
        verdict=Verdict.SATISFIABLE,
        evidence=" and ".join(["point"] * bool(statement.conditions) + ["problem"] * bool(found)),
        sentence="; ".join([*parts, *(lemma.consequence for lemma in lemmas)]),
        point=(point if found is None else found.point) if statement.conditions else None,
        instance=found,
        lemmas=lemmas,
        excluded=tuple(excluded(statement)) if ends else (),
    )


def _point(statement: Statement) -> Point | None:
    """That of a run where one is on file, else the statement's own example, else one that a search made."""
    if not statement.evaluable:
        return None
    run = recorded_runs.point(statement)
    if run and holds_at(statement, run):
        return run
    example = {name: float(value) for name, value in statement.example.items()}
    if (example or not resolve(statement).required) and holds_at(statement, example):
        return example
    try:
        _, point = smallest(
            region(statement), lambda points: np.zeros(len(next(iter(points.values())))), enough=0.0
        )
    except UnsolvableCondition:
        return None
    return point if point and holds_at(statement, point) else None
