"""The privacy that a run keeps: counted from what it releases, under both relations."""

from typing import Any

from bounds.errors import Misuse
from synthetic.errors import Refusal
from synthetic.problem import Problem
from synthetic.releases import noisy_sum
from verify.matching.privacy import Target, done, spent
from verify.privacy.accountants import Accountant
from verify.privacy.errors import Unaccountable
from verify.privacy.guarantee import facts
from verify.privacy.mechanism import Full, Relation

Plain = dict[str, Any]


def document(settings: Any, problem: Problem, delta: float) -> Plain:
    """Where noise is added, and for each relation what the run keeps at `delta` or why nothing counts it."""
    try:
        release = noisy_sum(settings, problem)
    except Refusal as error:
        return {"placement": None, "delta": delta, "guarantees": [], "reason": str(error)}
    return {
        "placement": release.placement,
        "delta": delta,
        "guarantees": [_under(relation, release, delta) for relation in Relation],
    }


def _under(relation: Relation, release: Any, delta: float) -> Plain:
    try:
        full = isinstance(done(release, relation).sampling, Full)
        counted = Accountant.EXACT if full else Accountant.RDP
        target = Target(epsilon=1.0, delta=delta, relation=relation, accountant=counted)
        return {"relation": relation.value, "guarantee": facts(spent(release, target))}
    except (Unaccountable, Misuse) as error:  # no noise at all is among them
        return {"relation": relation.value, "guarantee": None, "reason": str(error)}


def rows(body: Plain) -> list[tuple[str, str]]:
    """One row for each relation."""
    if not body["guarantees"]:
        return [("no guarantee", body["reason"])]
    return [(entry["relation"], _line(entry, body)) for entry in body["guarantees"]]


def _line(entry: Plain, body: Plain) -> str:
    guarantee = entry["guarantee"]
    if guarantee is None:
        return f"no guarantee: {entry['reason']}"
    return (
        f"epsilon {guarantee['epsilon']:.6g} at delta {guarantee['delta']:g} for a "
        f"{guarantee['unit']}; noise of the {body['placement']}, {guarantee['sigma']:.6g} times the "
        f"largest contribution, {guarantee['sampling_implemented']['text']}, {guarantee['rounds']} rounds, "
        f"accountant {guarantee['accountant']}"
    )
