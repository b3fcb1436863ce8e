"""What the audit says of a form of a statement, in sentences, and how the form stands with that."""

from collections.abc import Sequence
from typing import Any

from bounds.language.finding import Standing, Status
from bounds.language.statement import Statement
from reports.documents import inspection
from verify.audit import evidence
from verify.audit.informative.judge import Verdict as Informative
from verify.audit.satisfiable.judge import Verdict as Satisfiable
from verify.audit.satisfiable.judge import judge

Plain = dict[str, Any]

PRINTED = "printed"
NOTHING_BUT_TRIVIAL = (Satisfiable.UNSATISFIABLE, Satisfiable.TRIVIAL_ONLY)


def checks(statement: Statement) -> Plain:
    """Whether anything satisfies what is asked, whether the bound says anything, what tests a claim.

    What the ends of the range exclude is read from the certificates on file, not proved anew.
    """
    satisfiable, informative = judge(statement, ends=False), inspection.informative(statement)
    printed = statement.variant == PRINTED
    ends = [entry["shows"] for entry in evidence.certified(statement.id)] if printed else []
    return {
        "judged": [
            _describe("Satisfiable?", satisfiable.verdict.value, [satisfiable.sentence, *ends]),
            _describe(
                "Informative?", informative["verdict"], [informative["sentence"], *informative["excluded"]]
            ),
        ],
        "tested_by": inspection.tested_by(statement),
        "vacuous": satisfiable.verdict in NOTHING_BUT_TRIVIAL,
        "uninformative": informative["verdict"] == Informative.UNINFORMATIVE.value,
    }


def _describe(what: str, verdict: str, sentences: Sequence[str]) -> Plain:
    """Each sentence once, also where another holds it."""
    lines: list[str] = []
    for sentence in sentences:
        if not any(sentence in line for line in lines):
            lines.append(sentence)
    return {"what": what, "verdict": verdict, "sentence": "; ".join(lines)}


def standing(recorded: Standing, checked: Plain | None) -> Standing:
    """The standing after the audit; refuted stays refuted, and trivial problems prove nothing."""
    if checked is None or recorded.status is Status.REFUTED:
        return recorded
    if checked["vacuous"]:
        return Standing(status=Status.VACUOUS)
    return Standing(status=Status.UNINFORMATIVE) if checked["uninformative"] else recorded
