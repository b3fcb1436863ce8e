"""A claim about a largest or a least number, case by case: it is one of the numbers that it is of."""

from collections.abc import Sequence
from typing import Any

from bounds.errors import MalformedStatement
from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import Equality, MachineForm, Summand

Reasons = Sequence[Summand | Equality]


def claim_by_cases(proof: MachineForm, name: str, expression: Scalar, of: Scalar, *reasons: Reasons) -> str:
    """The claim, from one claim for each number that `of` is the largest or the least of.

    The reasons of a case are searched for among those that are listed for it, and without a list among all
    that is known.
    """
    entries = [e for e in (*proof.given, *proof.steps) if e.get("kind") == "extreme" and e["name"] == of.form]
    if not entries:
        raise MalformedStatement(f"{of.form} is neither a largest nor a least number of the proof")
    parts = entries[0]["of"]
    if reasons and len(reasons) != len(parts):
        raise MalformedStatement(f"{of.form} is one of {len(parts)}, with reasons for {len(reasons)}")
    cases = [
        proof.search(
            f"{name}, case {place}",
            Scalar(_put(expression.form, of.form, part, proof.abbreviations)),
            *(reasons[place - 1] if reasons else ()),
        )
        for place, part in enumerate(parts, 1)
    ]
    return proof.claim_by(name, expression, ">= 0", {"rule": "cases", "of": of.form, "facts": cases})


def _put(form: Any, name: str, part: Any, abbreviations: dict[str, Any]) -> Any:
    """The expression with the part in the place of the name. The checker makes the same on its own."""
    if isinstance(form, str):
        if form in abbreviations:
            return _put(abbreviations[form], name, part, abbreviations)
        return part if form == name else form
    if isinstance(form, list):
        return [form[0], *(_put(entry, name, part, abbreviations) for entry in form[1:])]
    if isinstance(form, dict):
        return {atom: _put(coefficient, name, part, abbreviations) for atom, coefficient in form.items()}
    return form
