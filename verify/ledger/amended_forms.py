"""Whether an amended form of a package outlives the counterexample that refutes the printed one.

A user who computes with a false statement is given the number of its amended form. So the counterexample that
a finding names is put to that form too: the instance must lie outside of what it asks, or meet it.
"""

from typing import Any

from bounds import discovery
from bounds.errors import Misuse
from bounds.language.finding import FindingClass
from bounds.language.statement import AMENDED, Statement
from verify.ledger import witness_files, witnesses
from verify.records import refuted
from verify.records.errata import CELL, CONCLUSION, FILE, WITNESS, Erratum

Judged = tuple[str, bool, str]  # the statement, whether the amended form outlives it, a sentence


def judge_amended(erratum: Erratum) -> list[Judged]:
    """A sentence for the amended form that the evidence can be put to; none where there is no such form."""
    if erratum.grade is not FindingClass.FALSE or erratum.where != CONCLUSION:
        return []
    amended = [form for form in discovery.variants(erratum.statement) if form.variant == AMENDED]
    return [found for form in amended if (found := _judge(erratum, form)) is not None]


def _judge(erratum: Erratum, form: Statement) -> Judged | None:
    try:
        refuting = _EVIDENCE[erratum.kind](erratum, form)
    except Misuse:  # the form is about other objects or other symbols, so this instance is not one of its own
        return None
    what = f"falls to {erratum.evidence} too: {refuting}" if refuting else f"outlives {erratum.evidence}"
    return erratum.statement, not refuting, f"{erratum.statement} [amended]: {what}"


def _refute_by_file(erratum: Erratum, form: Statement) -> str:
    from verify.falsify.confirm import confirm

    instance = witness_files.instance_of(erratum)
    if instance is None:
        return ""
    found = confirm(form, instance)
    return found.sentence if found.refutes else ""


def _refute_by_cell(erratum: Erratum, form: Statement) -> str:
    from verify.records import record

    cell: dict[str, Any] = refuted.recorded_cell(erratum) | {"variant": form.variant}
    (again,) = record.replay({"cells": [cell]})
    return str(again.cell["sentence"]) if again.cell["verdict"] == "violated" else ""


def _refute_by_witness(erratum: Erratum, form: Statement) -> str:
    found = witnesses.measured(erratum)
    if found.again is None:
        return ""
    now = found.again(form)
    return f"{now.left:.6g}, where at most {now.right:.6g} is claimed" if now.refutes else ""


_EVIDENCE = {FILE: _refute_by_file, CELL: _refute_by_cell, WITNESS: _refute_by_witness}
