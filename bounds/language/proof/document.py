"""A machine form and its statement, joined to the document that a checker reads.

The conditions and the conclusion come from the formulas of the statement, and so do the claims about what the
form reads for their roots and definitions.
"""

from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from typing import Any

from bounds.errors import MalformedStatement
from bounds.language.condition import Condition
from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import CONCLUSION, MachineForm
from bounds.language.proof.formulas import list_unknown, translate
from bounds.language.proof.readings import claim_readings
from bounds.language.statement import Kind, Statement

SCHEMA = "fedbounds/proof/1"


def machine_form(statement: Statement) -> MachineForm | None:
    """The machine form of a proof of the statement, from the package `proofs` beside it, if it has one."""
    module, forms = _forms(statement)
    own = [f for f in forms if (f.statement, f.variant) == (statement.id, statement.variant)]
    if len(own) > 1:
        raise MalformedStatement(f"{module} has {len(own)} proofs of {statement.id}, {statement.variant}")
    return own[0] if own else None


def forms_beside(statement: Statement) -> list[str]:
    """What the machine forms in the file of a proof of the statement call theirs."""
    return list(dict.fromkeys(form.statement for form in _forms(statement)[1]))


def file_without_forms(statement: Statement) -> str | None:
    """The module of a proof of the statement, where it is there and has no machine form in a variable."""
    module, forms = _forms(statement)
    return module if not forms and _is_there(module) else None


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _forms(statement: Statement) -> tuple[str, list[MachineForm]]:
    inside = statement.id.partition(".")[2] or statement.id
    module = f"{statement.paper.package}.proofs.{inside.partition('.')[0]}"
    if not _is_there(module):
        return module, []
    named = vars(import_module(module)).values()
    return module, list({id(v): v for v in named if isinstance(v, MachineForm)}.values())


def document(form: MachineForm, statement: Statement) -> dict[str, Any]:
    """The whole proof, with the conditions and the conclusion of the statement."""
    given = [_condition(entry, form, statement) for entry in form.given]
    relation = "= 0" if statement.kind is Kind.EQUALITY else ">= 0"
    for entry in form.steps:
        if entry.get("name") == "conclusion" and entry.get("claim") != CONCLUSION:
            raise MalformedStatement(
                f"the proof of {statement.id} calls a claim of its own conclusion, which is that of the two "
                "sides of the statement: write proof.conclude(...), and give the claim another name"
            )
    steps = [
        entry | {"claim": conclusion(form, statement).form, "relation": relation}
        if entry.get("claim") == CONCLUSION
        else entry
        for entry in form.steps
    ]
    steps += claim_readings(form, statement)
    head = {"schema": SCHEMA, "id": statement.id, "variant": statement.variant}
    return head | {"given": given, "steps": steps}


def conclusion(form: MachineForm, statement: Statement) -> Scalar:
    """The right side minus the left side, times the square of the divisor."""
    if statement.left is None or not statement.terms:
        raise MalformedStatement(f"{statement.id} has no two sides, so it has no conclusion to prove")
    sides = statement.right - statement.left
    if unknown := list_unknown(sides, statement, form):
        raise MalformedStatement(
            f"the proof of {statement.id} does not say what {unknown[0]} is: set it in `reads`, or declare it"
        )
    return translate(sides, statement, form)


def _condition(entry: dict[str, Any], form: MachineForm, statement: Statement) -> dict[str, Any]:
    if entry["kind"] == "domain":
        return _domain(entry, statement)
    if entry["kind"] != "condition":
        return entry
    found = [c for c in statement.conditions if c.id == entry["name"]]
    if len(found) != 1:
        raise MalformedStatement(f"{statement.id} has no condition {entry['name']}, which its proof uses")
    condition: Condition = found[0]
    difference = (
        condition.limit - condition.value if condition.relation.upper else condition.value - condition.limit
    )
    assumed = translate(difference, statement, form)
    relation = "> 0" if condition.relation.strict else ">= 0"
    return {"kind": "hypothesis", "name": condition.id, "assumed": assumed.form, "relation": relation}


def _domain(entry: dict[str, Any], statement: Statement) -> dict[str, Any]:
    domain = statement.notation.quantities[entry["quantity"]].domain
    upper = entry["upper"]
    end, included = (domain.upper, domain.upper_included) if upper else (domain.lower, domain.lower_included)
    if not isfinite(end):
        raise MalformedStatement(
            f"{entry['quantity']} has no {'upper' if upper else 'lower'} end, which a proof of "
            f"{statement.id} uses"
        )
    difference = Scalar(entry["quantity"]) - Fraction(end)
    assumed = -difference if upper else difference
    relation = ">= 0" if included else "> 0"
    return {"kind": "hypothesis", "name": entry["name"], "assumed": assumed.form, "relation": relation}
