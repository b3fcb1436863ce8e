"""Compare the errata files with the statements: places are printed, and all evidence is there and is used."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache

import bounds
from bounds.discovery import leave_out
from bounds.errors import BrokenPaper, UnknownStatement
from bounds.installed_papers import registered
from bounds.language.finding import Finding, FindingClass
from bounds.language.statement import Statement
from bounds.language.transcription import NAME as TEXT
from bounds.language.transcription import has_data, path, read_transcription
from verify.ledger.quotations import condition, quotations
from verify.records import refuted
from verify.records.errata import (
    AUDIT,
    CELL,
    CONCLUSION,
    FILE,
    WITNESS,
    BrokenErrata,
    Erratum,
    of_paper,
    our_errata,
)


def check() -> None:
    """Raise `BrokenErrata` at the first table of ours that breaks a rule."""
    from verify.ledger.witnesses import all_witnesses

    all_witnesses()
    check_tables(our_errata())
    _check_files()


@cache
def check_package(paper: str) -> None:
    """Raise `BrokenErrata` at the first table of a package that breaks a rule; a test checks ours."""
    if paper in registered():
        check_tables(of_paper(paper))


@cache
def is_readable(paper: str) -> bool:
    """Whether the errata file of a paper, if there is one, breaks no rule; a broken one is named once."""
    try:
        check_package(paper)
    except BrokenPaper as error:
        leave_out(paper, error)
        return False
    return True


def check_tables(errata: Iterable[Erratum]) -> None:
    """Raise `BrokenErrata` at the first of these that breaks a rule; what is measured is measured once."""
    for erratum in errata:
        statement = _statement(erratum)
        if erratum.kind == AUDIT:
            _check_audit(erratum, statement)
            continue
        _check_place(erratum, statement)
        _check_quotation(erratum, statement)
        _check_evidence(erratum)
        if erratum.grade is FindingClass.FALSE and erratum.paper in registered():
            _check_proof(erratum, statement)


def _check_proof(erratum: Erratum, statement: Statement) -> None:
    """A certificate beside the machine form and a counterexample contradict each other."""
    from verify.proofs import store

    certificate = store.on_file(statement)
    if certificate is not None and store.concludes(certificate) and not store.differs(statement, certificate):
        raise contradiction(erratum)


def finding_against(statement: Statement) -> Erratum | None:
    """The finding that calls the printed form of a statement false, if there is one."""
    if statement.variant != "printed":
        return None
    found = of_paper(statement.paper.key)
    return next((e for e in found if e.statement == statement.id and e.grade is FindingClass.FALSE), None)


def contradiction(erratum: Erratum) -> BrokenErrata:
    return BrokenErrata(
        f"{erratum.source}: {erratum.statement} is proved, by a certificate that holds, so that the evidence "
        "does not show what the finding says, or the form reads another statement; look at both"
    )


def _check_evidence(erratum: Erratum) -> None:
    if erratum.kind == CELL:
        refuted.recorded_cell(erratum)
        return
    # Not above: who only asks what is refuted, as `list` does, must not wait for what measures.
    from verify.ledger import witness_files, witnesses

    measure: Callable[[Erratum], object] = (
        witness_files.confirmed if erratum.kind == FILE else witnesses.measurement
    )
    measure(erratum)


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
    from verify.audit import evidence, units
    from verify.audit.follows import check as follows

    return {"satisfiable": evidence.findings, "follows": follows.audit, "units": units.audit}


def _check_files() -> None:
    """Evidence of ours on file that no finding names would be kept and never read."""
    named = {kind: {e for e in our_errata() if e.kind == kind} for kind in (CELL, WITNESS)}
    for name in refuted.refutations().keys() - {e.statement for e in named[CELL]}:
        raise BrokenErrata(f"no finding names the cell of {name} in {refuted.FILE.name}")
    for name in refuted.measurements().keys() - {e.evidence for e in named[WITNESS]}:
        raise BrokenErrata(f"no finding names {name} in {refuted.MEASURED.name}")
