"""Whether an amended form of a package outlives the counterexample that refutes the printed one.

A user who computes with a false statement is given the number of its amended form. So the counterexample that
a finding names is put to that form too: the instance must lie outside of what it asks, or meet it.
"""

from collections.abc import Mapping
from typing import Any

from bounds import discovery
from bounds.errors import Misuse, OutOfDomain
from bounds.language.finding import FindingClass
from bounds.language.statement import AMENDED, Statement
from verify.ledger import witness_files, witnesses
from verify.objects.members import list_untried
from verify.records import refuted
from verify.records.errata import CELL, CONCLUSION, FILE, WITNESS, Erratum
from verify.worst_case.document import is_worst_case, judge_other_form
from verify.worst_case.verdict import HOLDS, VIOLATED

Judged = tuple[str, bool, str]  # the statement, whether nothing speaks against the form, a sentence


class Undecided(Misuse):
    """The evidence decides nothing of the amended form."""


def judge_amended(erratum: Erratum) -> list[Judged]:
    """A sentence for each amended form of a statement that is false; none where there is no such form."""
    if erratum.grade is not FindingClass.FALSE or erratum.where != CONCLUSION:
        return []
    amended = [form for form in discovery.variants(erratum.statement) if form.variant == AMENDED]
    return [_judge(erratum, form) for form in amended]


def _judge(erratum: Erratum, form: Statement) -> Judged:
    refuting = ""
    try:
        refuting = _EVIDENCE[erratum.kind](erratum, form)
        what = f"falls to {erratum.evidence} too: {refuting}" if refuting else f"outlives {erratum.evidence}"
    except OutOfDomain as error:
        what = f"outlives {erratum.evidence}, which lies outside: {error}"
    except Misuse as error:  # also of a form about other objects or other symbols
        what = f"is not decided by {erratum.evidence}: {error}"
    return erratum.statement, not refuting, f"{erratum.statement} [amended]: {what}"


def _refute_by_file(erratum: Erratum, form: Statement) -> str:
    from verify.falsify.confirm import confirm

    data = witness_files.read_evidence(erratum)
    if is_worst_case(data):
        return _refute_by_worst_case(data, form)
    found = confirm(form, data["instance"])
    if found.left is None and not found.refutes:
        raise Undecided(found.sentence)
    return found.sentence if found.refutes else ""


def _refute_by_worst_case(data: Mapping[str, Any], form: Statement) -> str:
    verdict = judge_other_form(data, form)
    if verdict == VIOLATED:
        return f"an instance attains {data['lower']:.9g}, which is above its bound"
    if verdict != HOLDS:
        raise Undecided("it asks about another class" if verdict is None else f"the bound is {verdict}")
    return ""


def _refute_by_cell(erratum: Erratum, form: Statement) -> str:
    from verify.records import record

    cell: dict[str, Any] = refuted.recorded_cell(erratum) | {"variant": form.variant}
    (again,) = record.replay({"cells": [cell]})
    if again.cell["verdict"] in ("refused", "inconclusive"):
        raise Undecided(again.cell["sentence"])
    return str(again.cell["sentence"]) if again.cell["verdict"] == "violated" else ""


def _refute_by_witness(erratum: Erratum, form: Statement) -> str:
    found = witnesses.measured(erratum)
    if found.again is None:
        raise Undecided("its numbers are written by hand")
    now = found.again(form)
    if now.refutes and (more := _list_asked_more(form, discovery.get(erratum.statement))):
        raise Undecided(f"nothing tells whether the instance has what this form asks beside: {more}")
    return f"{now.left:.6g}, where at most {now.right:.6g} is claimed" if now.refutes else ""


def _list_asked_more(form: Statement, printed: Statement) -> str:
    """Assumptions on the problem, and classes of objects, that the instance is not tried for."""
    assumed = {a.name for a in form.assumptions} - {a.name for a in printed.assumptions}
    untried = list_untried(form) - list_untried(printed)
    return "; ".join(sorted(assumed | {f"{name}: {what}" for name, what in untried}))


_EVIDENCE = {FILE: _refute_by_file, CELL: _refute_by_cell, WITNESS: _refute_by_witness}
