"""A plan as plain data: the setting, the bound, what is known without it, the run."""

from math import isclose
from typing import TYPE_CHECKING

from bounds.language.dimension import ONE
from reports.documents import informative
from reports.documents.evaluation import checked_condition
from verify.planning.numbers import participation
from verify.planning.of_records import protects_records
from verify.planning.planned import Plan, find_weights, weigh
from verify.planning.simulated import Band
from verify.planning.sources import find_sources
from verify.planning.tuned import plain
from verify.planning.worth import terms_of
from verify.privacy.guarantee import facts

if TYPE_CHECKING:
    from reports.documents.types import plan as types

CONSTANTS_GIVEN = "the constants that were given are taken to be public"
CONSTANTS_OF_DATA = (
    "not counted: the setting follows from constants of the clients' data; "
    "take them from public data, or count them apart"
)

ROW_BY_ROW = (
    "the privacy is that of the listing, which clips the gradient of each record; the run here clips a "
    "client's mean gradient, and none is longer than C"
)


def document(plan: Plan, note: str | None) -> "types.Planned":
    """`setting` is in the statement's words, `algorithm` in those of the run."""
    statement, task = plan.statement, plan.task
    value = float(plan.evaluation.value)
    known = informative.plain(value, plan.worth.informed, plan.statement.unit)
    settings = dict(plain(plan.settings)) if plan.settings else {}
    return {
        "id": statement.id,
        "variant": statement.variant,
        "locator": statement.locator,
        "problem": task.problem,
        "arguments": dict(task.arguments),
        "clients": task.clients,
        "dimension": task.dimension,
        "rounds": task.rounds,
        "start": task.start[0] if task.start else None,
        "setting": dict(plan.choice.values),
        "prescribed": dict(plan.evaluation.derived),
        "participation": _participation(plan),
        "units": _units(plan),
        "known": dict(plan.fixed),
        "sources": find_sources(statement, task, plan.fixed, plan.given),
        "assumptions": [assumption.text for assumption in statement.assumptions],
        "certified": plan.choice.certified,
        "how": plan.choice.how,
        "weighs_left": find_weights(plan),
        "quotient": _divide(plan),
        "bound": {"value": value, "unit": statement.unit, "terms": _terms(plan)},
        "free_bound": known["free_bound"],
        "informative": known["informative"],
        "informative_because": known["informative_because"],
        "dominating_term": plan.worth.dominating,
        "informative_from": _describe_turn(plan),
        "algorithm": {"name": statement.algorithm, "settings": settings},
        "privacy": _privacy(plan),
        "run": _run(plan),
        "best_by_simulation": _tuned(plan),
        "note": note,
        "files": [],
    }


def _participation(plan: Plan) -> dict[str, float]:
    """The quantities of the statement that the sampling decides, unless another value was given."""
    drawn = participation(plan.statement, plan.task)
    return {name: value for name, value in drawn.items() if isclose(plan.fixed.get(name, 0.0), value)}


def _units(plan: Plan) -> dict[str, str]:
    """The unit of each number of the setting, where it has one."""
    known = plan.statement.notation.quantities
    names = (*plan.choice.values, *plan.evaluation.derived, *plan.fixed)
    return {n: str(known[n].dimension) for n in names if n in known and known[n].dimension != ONE}


def _terms(plan: Plan) -> "list[types.PlannedTerm]":
    total = float(plan.evaluation.value)
    return [
        {"name": n, "value": v, "share": v / total if total > 0 else None, "pays_for": why}
        for n, v, why in terms_of(plan.evaluation)
    ]


def _divide(plan: Plan) -> "types.PlannedQuotient | None":
    found = weigh(plan)
    if found is None:
        return None
    return {
        "observable": found.observable,
        "coefficient": found.coefficient,
        "value": found.value,
        "unit": found.unit,
    }


def _describe_turn(plan: Plan) -> "types.InformativeFrom | None":
    if plan.worth.informed.informative is not False or not plan.worth.searched:
        return None
    least = plan.worth.least
    entry: types.LeastShare | None = least and {
        "share": least.share,
        "names": list(least.names),
        "binding_conditions": [checked_condition(c) for c in least.binding],
    }
    return {"rounds": plan.worth.rounds, "epsilon": plan.worth.epsilon, "least": entry}


def _privacy(plan: Plan) -> "types.PlannedPrivacy":
    of_records = protects_records(plan.statement)
    entry: types.PlannedPrivacy = {
        "noise_multiplier": plan.multiplier,
        "placement": "clients" if of_records else "server",
        "guarantee": None if plan.guarantee is None else facts(plan.guarantee),
    }
    if plan.guarantee is None:
        entry["reason"] = plan.uncounted
    else:
        of_data = f"{CONSTANTS_OF_DATA}; {ROW_BY_ROW}" if of_records else CONSTANTS_OF_DATA
        entry["not_counted"] = CONSTANTS_GIVEN if plan.task.problem is None else of_data
    return entry


def _run(plan: Plan) -> "types.PlannedRun | None":
    found = plan.simulated
    if found is None:
        return None
    left = None if found.left is None else dict(zip(("estimate", "lower", "upper"), found.left, strict=True))
    return {
        "replicates": found.replicates,
        "seed": found.seed,
        "left": left,
        "gap_at_start": float(found.gap.mean[0]),
        "gap": _read_last(found.gap),
    }


def _read_last(band: Band) -> "types.Band":
    return {"mean": float(band.mean[-1]), "lower": float(band.lower[-1]), "upper": float(band.upper[-1])}


def _tuned(plan: Plan) -> "types.BestBySimulation | None":
    if plan.tuned is None:
        return None
    return {
        "settings": dict(plain(plan.tuned.settings)),
        "gap": _read_last(plan.tuned.gap),
        "tried": plan.tuned.tried,
    }
