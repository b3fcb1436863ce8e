"""The privacy that a run keeps: counted from what it releases, under both relations."""

from typing import Any

from bounds.errors import Misuse
from bounds.language.statement import Statement
from synthetic.errors import Refusal
from synthetic.problem import Problem
from synthetic.releases import NoisySum, noisy_sum
from verify.matching.privacy import Target, done, rule_refusal, rules_of, spent
from verify.privacy.accountants import Accountant
from verify.privacy.errors import Unaccountable
from verify.privacy.guarantee import facts
from verify.privacy.mechanism import Full, Relation

Plain = dict[str, Any]


def document(algorithm: str, settings: Any, problem: Problem, delta: float) -> Plain:
    """Where noise is added, and for each relation what the run keeps at `delta` or why nothing counts it.

    `rules` are those of papers for the noise of this algorithm, each with why it is not about the run.
    """
    try:
        release = noisy_sum(settings, problem)
    except Refusal as error:
        return {"placement": None, "delta": delta, "guarantees": [], "rules": [], "reason": str(error)}
    return {
        "placement": release.placement,
        "delta": delta,
        "guarantees": [_under(relation, release, delta) for relation in Relation],
        "rules": [
            {"id": rule.id, "locator": rule.locator, "refusal": _refusal(rule, settings, release)}
            for rule in rules_of(algorithm)
        ],
    }


def _refusal(rule: Statement, settings: Any, release: NoisySum) -> str | None:
    try:
        return rule_refusal(rule, settings, release)
    except Misuse as error:  # no noise at all
        return str(error)


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
    counted = [(entry["relation"], _line(entry, body)) for entry in body["guarantees"]]
    return counted + [("rule", _about(rule)) for rule in body["rules"]]


def _about(rule: Plain) -> str:
    named = f"{rule['id']} ({rule['locator']})"
    if rule["refusal"] is None:
        return f"{named} is about noise of this form"
    return f"{named} says nothing of this run; {rule['refusal']}"


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
