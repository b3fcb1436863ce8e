"""What the audit says of a form of a statement, in sentences, and how the form stands with that."""

from typing import Any

from bounds.finding import Standing
from bounds.statement import Statement
from reports import inspection
from verify.information import Verdict as Informative
from verify.satisfiability.judge import Verdict as Satisfiable

Plain = dict[str, Any]

NOTHING_BUT_TRIVIAL = (Satisfiable.UNSATISFIABLE.value, Satisfiable.TRIVIAL_ONLY.value)


def checks(statement: Statement) -> Plain:
    """Whether anything satisfies what is asked, whether the bound says anything, what tests a claim."""
    satisfiable, informative = inspection.satisfiable(statement), inspection.informative(statement)
    return {
        "judged": [_told("Satisfiable?", satisfiable), _told("Informative?", informative)],
        "tested_by": inspection.tested_by(statement),
        "vacuous": satisfiable["verdict"] in NOTHING_BUT_TRIVIAL,
        "uninformative": informative["verdict"] == Informative.UNINFORMATIVE.value,
    }


def _told(what: str, judged: Plain) -> Plain:
    said = judged["sentence"]
    more = [sentence for sentence in judged["excluded"] if sentence not in said]
    return {"what": what, "verdict": judged["verdict"], "sentence": "; ".join([said, *more])}


def standing(recorded: str, checked: Plain | None) -> str:
    """What is refuted stays refuted; of what holds for trivial problems only, cells say nothing more."""
    if checked is None or recorded.startswith(Standing.REFUTED.value):
        return recorded
    if checked["vacuous"]:
        return Standing.VACUOUS.value
    return Standing.UNINFORMATIVE.value if checked["uninformative"] else recorded
