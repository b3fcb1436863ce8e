"""Compare the errata files with the statements: every place exists, and all evidence is there and is used."""

from collections.abc import Callable, Mapping

import bounds
from bounds.errors import UnknownStatement
from bounds.language.finding import Finding
from bounds.language.statement import Statement
from verify.ledger.findings import condition
from verify.ledger.witnesses import all_witnesses
from verify.records import refuted
from verify.records.errata import AUDIT, CELL, CONCLUSION, WITNESS, BrokenErrata, Erratum, all_errata


def check() -> None:
    """Raise `BrokenErrata` at the first table that breaks a rule."""
    all_witnesses()
    for erratum in all_errata():
        statement = _statement(erratum)
        if erratum.kind == AUDIT:
            _check_audit(erratum, statement)
            continue
        _check_place(erratum, statement)
        if erratum.kind == CELL:
            refuted.recorded_cell(erratum)
        else:
            refuted.measurement(erratum)
    _check_files()


def _statement(erratum: Erratum) -> Statement:
    try:
        return bounds.get(erratum.statement)
    except UnknownStatement as error:
        raise BrokenErrata(f"{erratum.source}: {error}") from error


def _check_place(erratum: Erratum, statement: Statement) -> None:
    if erratum.step:
        displays = [step.printed for step in statement.steps if step.locator == erratum.step]
        _check_display(erratum, erratum.display or 0, len(displays))
    elif erratum.locator != statement.locator:
        raise BrokenErrata(f"{erratum.source}: the locator of {statement.id} is {statement.locator}")
    elif erratum.display is not None:
        _check_display(erratum, erratum.display, len(statement.printed))
    elif erratum.where != CONCLUSION and condition(statement, erratum) is None:
        raise BrokenErrata(f"{erratum.source}: not a condition of {statement.id}; name a 'display'")


def _check_display(erratum: Erratum, display: int, printed: int) -> None:
    if display >= printed:
        count = f"{erratum.statement} prints {printed} displays there"
        raise BrokenErrata(f"{erratum.source}: {count}, and none has index {display}")


def _check_audit(erratum: Erratum, statement: Statement) -> None:
    place = erratum.locator, erratum.where
    here = [f for f in _audits()[erratum.evidence](statement) if (f.locator, f.where) == place]
    if not here:
        raise BrokenErrata(f"{erratum.source}: the audit {erratum.evidence!r} finds nothing there")
    if all(f.grade is not erratum.grade for f in here):
        proved = here[0].grade.value
        raise BrokenErrata(
            f"{erratum.source}: the audit proves class {proved!r}, not {erratum.grade.value!r}"
        )


def _audits() -> Mapping[str, Callable[[Statement], tuple[Finding, ...]]]:
    from verify.audit import units
    from verify.audit.follows import check as follows
    from verify.audit.satisfiable import evidence

    return {"satisfiable": evidence.findings, "follows": follows.audit, "units": units.audit}


def _check_files() -> None:
    """Evidence on file that no finding names would be kept and never read."""
    named = {kind: {e for e in all_errata() if e.kind == kind} for kind in (CELL, WITNESS)}
    for name in refuted.refutations().keys() - {e.statement for e in named[CELL]}:
        raise BrokenErrata(f"no finding names the cell of {name} in {refuted.FILE.name}")
    for name in refuted.measurements().keys() - {e.evidence for e in named[WITNESS]}:
        raise BrokenErrata(f"no finding names {name} in {refuted.MEASURED.name}")
