"""An evaluation as plain data, at one point or over a grid."""

import math
from typing import TYPE_CHECKING, Any

from bounds.evaluation.decide import Checked
from bounds.evaluation.evaluate import Evaluation
from bounds.language.expression import condition_text
from bounds.language.statement import Edge
from reports.documents.description import observables
from reports.documents.json_border import not_finite

if TYPE_CHECKING:
    from reports.documents.types import eval as types
    from reports.documents.types.statement import CheckedCondition


def describe_point(evaluation: Evaluation) -> "types.EvaluatedPoint":
    statement, value = evaluation.statement, evaluation.value
    checked = [checked_condition(c) for c in (*evaluation.conditions, *evaluation.left_domains)]
    condition_number = evaluation.condition_number
    out: types.EvaluatedPoint = {
        "id": statement.id,
        "variant": statement.variant,
        "locator": statement.locator,
        "value": value,
        "unit": statement.unit,
        "condition_number": condition_number,
        "terms": [_term(evaluation, term) for term in statement.terms],
        "conditions": checked,
        "applicable": evaluation.applicable,
        "why_not": why_not(checked),
        "derived": [{"name": name, "value": v} for name, v in evaluation.derived.items()],
        "edges": [e.sentence for e in _edges(evaluation)],
    }
    reason = _reason(evaluation, value, condition_number)
    if reason:
        out["reason"] = reason
    return out


def _reason(evaluation: Evaluation, value: Any, condition_number: float | None) -> str:
    if evaluation.unset:
        names = ", ".join(evaluation.unset)
        return f"the value is an O(.) until its constant is set: --set {names}=..."
    if word := not_finite(value):
        return f"the value is {word} at this point"
    if evaluation.without_slopes:
        return f"condition_number is null: {evaluation.without_slopes}"
    if condition_number is None:
        return "condition_number is null: the value depends on no input, or not as a real number"
    if not_finite(condition_number):
        flat = [name for name, slope in evaluation.elasticities.items() if not math.isfinite(slope)]
        why = "is zero" if value == 0 else f"has no slope in {', '.join(flat)}"
        return f"condition_number is null: the value {why}"
    return ""


def _term(evaluation: Evaluation, term: Any) -> "types.EvaluatedTerm":
    value, total = evaluation.terms[term.name], evaluation.value
    out: types.EvaluatedTerm = {"name": term.name, "value": value, "share": _share(value, total)}
    free = [
        o.name for o in observables(evaluation.statement, term.expression) if o.name not in evaluation.inputs
    ]
    if free:
        # An expectation on the right is replaced by what is known of it without a run.
        out["at_most"] = free
    if value is None:
        out["reason"] = f"depends on {', '.join(evaluation.unset)}"
    elif out["share"] is None:
        out["reason"] = (
            f"value is {not_finite(value)}"
            if not_finite(value)
            else "no share of a total that is not positive"
        )
    return out


def _share(value: Any, total: Any) -> float | None:
    if value is None or total is None or not math.isfinite(value) or not math.isfinite(total) or total <= 0:
        return None
    return float(value / total)


def checked_condition(checked: Checked) -> "CheckedCondition":
    out: CheckedCondition = {
        "id": checked.condition.id,
        "printed": checked.condition.printed,
        "text": condition_text(checked.condition),
        "holds": checked.holds,
        "margin": checked.margin,
        "absolute": bool(checked.absolute),
        "tie": bool(checked.tie),
        "missing": list(checked.missing),
    }
    if checked.needs:
        out["reason"] = f"needs {', '.join(checked.needs)}"
    return out


def why_not(conditions: "list[CheckedCondition]") -> list[str]:
    """A sentence per condition that fails or cannot be decided."""
    out = []
    for c in conditions:
        if c["holds"] is None:
            out.append(f"{c['id']} ({c['text']}) is undecided: it {c['reason']}")
        elif not c["holds"]:
            out.append(f"{c['id']} ({c['text']}) fails: {margin_text(c)}")
    return out


def margin_text(c: "CheckedCondition") -> str:
    """How far from the limit, in words."""
    margin = c["margin"]
    if margin is None:
        return str(c.get("reason", ""))
    if c["tie"]:
        return "at the limit" + (", which counts" if c["holds"] else ", which does not count")
    if math.isnan(margin):
        return "a side has no value"
    side = "inside" if margin > 0 else "outside"
    if c["absolute"]:
        return f"{abs(margin):.3g} {side} (absolute: the limit is 0)"
    if math.isinf(margin):
        return f"infinitely far {side}"
    return (
        f"{abs(margin):.2%} {side} the limit"
        if abs(margin) < 10
        else f"{abs(margin):.3g} times the limit {side}"
    )


def _edges(evaluation: Evaluation) -> list[Edge]:
    known = evaluation.derived | evaluation.inputs
    return [e for e in evaluation.statement.edges if known.get(e.symbol.name) == e.at]
