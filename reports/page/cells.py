"""A recorded cell as the pages show it: its numbers, its conditions with margins, how it is run again."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from reports.cli.counterexample import lines_of
from reports.documents import record
from reports.documents.evaluation import checked_condition, margin_text

Plain = dict[str, Any]

# A record from elsewhere may lack these fields.
USUAL = (
    *("problem", "algorithm", "method", "level", "replicates", "digest", "certified", "ratio", "seed"),
    *("variant", "cases", "again"),
)
# The scale of the ratio: decades shown, and the share of the width at which ratio 1 stands.
LOWEST, HIGHEST = -3.0, 1.0
WIDTH = 120


def cell(entry: Plain) -> Plain:
    conditions, why_none = _conditions(entry)
    complete = dict.fromkeys(USUAL) | entry
    return complete | {
        "measured": dict.fromkeys(("estimate", "lower", "upper", "exact")) | entry["measured"],
        "bound": {"value": None} | entry["bound"],
        "label": record.label(entry),
        "shown_parameters": shown(entry["parameters"]),
        "told": record.describe_verdict(entry),
        "conditions": conditions,
        "why_no_conditions": why_none,
        "nearest": _nearest(conditions),
        "scale": scale(entry),
    }


def property_(entry: Plain) -> Plain:
    """A statement tried on many objects instead of in a run."""
    worst = entry.get("worst")
    worst = worst if isinstance(worst, dict) else {}
    measure = next((name for name in ("ratio", "excess") if worst.get(name) is not None), "")
    families = entry.get("families")
    drawn = families.items() if isinstance(families, dict) else ()
    return (
        dict.fromkeys(USUAL)
        | entry
        | {
            "told": record.describe_verdict(entry),
            "shown_families": ", ".join(f"{name} ({cases})" for name, cases in drawn),
            "families_tried": len(drawn),
            "worst_measure": measure,
            "worst_value": worst.get(measure),
            "worst_family": worst.get("family", ""),
            "worst_objects": clipped(worst.get("objects")),
            "counterexample_lines": lines_of(entry.get("counterexample")),
        }
    )


def clipped(value: Any, most: int = 200) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= most else f"{text[:most]} ... ({len(text)} characters; the record has them)"


def shown(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_short(value)}" for name, value in parameters.items())


def _short(value: Any) -> str:
    """A parameter in six digits; an exact fraction with a long numerator as the number that it is."""
    try:
        exact = float(Fraction(value)) if isinstance(value, str) else value
    except (ValueError, ZeroDivisionError, OverflowError):
        return str(value)
    if isinstance(exact, float):
        return f"{exact:.6g}"
    return str(exact)


def _conditions(entry: Plain) -> tuple[list[Plain], str]:
    """The conditions with their margins at the parameters of the cell, or why there are no margins."""
    from bounds import discovery
    from verify.matching.linear_bound import inputs
    from verify.records.record import cell_of

    try:
        run = cell_of(entry)
        statement = discovery.get(run.statement, run.variant)
        evaluation = statement.evaluate(**inputs(statement, run))
    except (ValueError, TypeError, AttributeError, ArithmeticError) as error:
        # A record of another version, or one that nobody made with this program.
        return [], f"not evaluated here: {error}"
    found = [checked_condition(c) for c in (*evaluation.conditions, *evaluation.left_domains)]
    return [c | {"told": margin_text(c)} for c in found], "" if found else "the statement has no condition"


def _nearest(conditions: list[Plain]) -> str:
    """The condition that fails, or comes closest to it."""
    decided = [c for c in conditions if isinstance(c["margin"], float) and not math.isnan(c["margin"])]
    relative = [c for c in decided if not c["absolute"]] or decided
    if not relative:
        return ""
    closest = min(relative, key=lambda c: (bool(c["holds"]), c["margin"]))
    return f"{closest['id']}, {closest['told']}"


def scale(entry: Plain) -> Plain | None:
    """Where the ratio and its confidence interval stand on a logarithmic scale; None without a ratio."""
    ratio, bound = _positive(entry.get("ratio")), _positive(entry["bound"].get("value"))
    if ratio is None or bound is None:
        return None
    ends = (_positive(entry["measured"].get(end)) for end in ("lower", "upper"))
    low, high = (ratio if end is None else end / bound for end in ends)
    places = {"at": _place(ratio), "low": _place(low), "high": _place(high), "one": _place(1.0)}
    return places | {"width": WIDTH, "above": ratio > 1}


def _positive(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 < value < math.inf else None


def _place(ratio: float) -> float:
    share = (math.log10(ratio) - LOWEST) / (HIGHEST - LOWEST)
    return round(6 + (WIDTH - 12) * min(1.0, max(0.0, share)), 1)
