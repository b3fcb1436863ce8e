"""Compare the errata files with the statements: places are printed, and all evidence is there and is used."""

from collections.abc import Callable, Iterable, Mapping

import bounds
from bounds.errors import UnknownStatement
from bounds.language.finding import Finding
from bounds.language.statement import Statement
from bounds.language.transcription import NAME as TEXT
from bounds.language.transcription import has_data, path, read_transcription
from verify.ledger import witness_files
from verify.ledger.findings import condition, quotations
from verify.ledger.witnesses import all_witnesses
from verify.records import refuted
from verify.records.errata import (
    AUDIT,
    CELL,
    CONCLUSION,
    FILE,
    WITNESS,
    BrokenErrata,
    Erratum,
    our_errata,
)


def check() -> None:
    """Raise `BrokenErrata` at the first table of ours that breaks a rule."""
    all_witnesses()
    check_tables(our_errata())
    _check_files()


def check_tables(errata: Iterable[Erratum]) -> None:
    """Raise `BrokenErrata` at the first of these that breaks a rule; what is measured is measured once."""
    for erratum in errata:
        statement = _statement(erratum)
        if erratum.kind == AUDIT:
            _check_audit(erratum, statement)
            continue
        _check_place(erratum, statement)
        _check_quotation(erratum, statement)
        _EVIDENCE[erratum.kind](erratum)


_EVIDENCE: Mapping[str, Callable[[Erratum], object]] = {
    WITNESS: refuted.measurement,
    FILE: witness_files.confirmed,
    CELL: refuted.recorded_cell,
}


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


def _check_quotation(erratum: Erratum, statement: Statement) -> None:
    """A finding is about what is printed: the transcription has the words that it quotes, at its place."""
    package = statement.paper.package
    if not has_data(package, TEXT):
        raise BrokenErrata(f"{erratum.source}: there is no {path(package, TEXT)} that has what is printed")
    locator = erratum.step or statement.locator
    under = read_transcription(package).under(locator)
    for quoted in quotations(statement, erratum):
        if quoted not in under:
            raise BrokenErrata(
                f"{erratum.source}: {path(package, TEXT)} does not have, under {locator}: {quoted}"
            )


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
    """Evidence of ours on file that no finding names would be kept and never read."""
    named = {kind: {e for e in our_errata() if e.kind == kind} for kind in (CELL, WITNESS)}
    for name in refuted.refutations().keys() - {e.statement for e in named[CELL]}:
        raise BrokenErrata(f"no finding names the cell of {name} in {refuted.FILE.name}")
    for name in refuted.measurements().keys() - {e.evidence for e in named[WITNESS]}:
        raise BrokenErrata(f"no finding names {name} in {refuted.MEASURED.name}")
