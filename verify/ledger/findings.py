"""The ledger: what is wrong in the printed mathematics, with evidence that runs again.

The errata files of the papers hold the words of the findings and name the evidence. `ledger.json` holds a
replayable cell for each statement that a run refutes. It is a part of the record of all cells of printed
statements: `fedbounds replay verify/ledger.json` runs it again. `witnesses.json` keeps the numbers that the
witnesses measured, of statements and of steps of proofs, `certificates` what excludes parameters, and
`experiments.json` what the papers' experiments violate, so that reading the ledger computes nothing.
`fedbounds errata --recheck` and a test do all of it anew; `python -m verify.ledger.recheck` makes the first
two, `python -m verify.audit.evidence` and `python -m verify.audit.experiments` the others.
"""

from dataclasses import replace

import bounds
from bounds.installed_papers import registered
from bounds.language.finding import Finding
from bounds.language.statement import Statement
from verify.ledger.errata_check import check_package
from verify.ledger.quotations import quotations
from verify.records import refuted
from verify.records.errata import (
    CELL,
    FILE,
    WITNESS,
    Erratum,
    matters_at,
    of_paper,
    right_instead,
)

REFUTED = "refuted"  # in the id of the finding about the whole statement


def findings(statement: Statement) -> tuple[Finding, ...]:
    """Findings about the statement, the steps of its proof, its hypotheses and experiments with it."""
    if statement.variant != "printed":
        return ()
    check_package(statement.paper.key)
    # Not above: who only asks what is refuted, as `list` does, waits for none of these, nor for NumPy.
    from verify.audit import evidence, experiments, open_privacy_facts

    return (
        *_find_in_statement(statement),
        *_find_in_lines(statement),
        *_find_in_steps(statement),
        *map(_with_words, evidence.findings(statement)),
        *experiments.findings(statement),
        *open_privacy_facts.findings(statement),
    )


def _with_words(finding: Finding) -> Finding:
    """An audit's finding with what the errata file says of its place."""
    place = finding.statement, finding.where
    return replace(finding, matters=matters_at(*place), right=right_instead(*place) or finding.right)


def _find_in_statement(statement: Statement) -> tuple[Finding, ...]:
    """What a cell or a witness shows of the whole statement, under its named reading."""
    erratum = refuted.worded(statement.id)
    if erratum is None:
        return ()
    return (_finding(statement, erratum, REFUTED),)


def _find_in_lines(statement: Statement) -> tuple[Finding, ...]:
    """Lines of a listing that do something else than is meant where they are carried out as printed."""
    return tuple(
        _finding(statement, erratum, erratum.line)
        for erratum in of_paper(statement.paper.key)
        if erratum.kind == WITNESS and erratum.line and erratum.statement == statement.id
    )


def _find_in_steps(statement: Statement) -> tuple[Finding, ...]:
    """A step belongs to every statement whose proof displays it."""
    steps = {step.locator for step in statement.steps}
    return tuple(
        _finding(statement, erratum, f"step:{erratum.step}")
        for erratum in of_paper(statement.paper.key)
        if erratum.step in steps
    )


def broken_steps(paper: str) -> dict[str, str]:
    """The class of what a witness shows of a step, by the step's locator: two papers may share locators."""
    return {erratum.step: erratum.grade.value for erratum in of_paper(paper) if erratum.step}


def refuted_locators(paper: str) -> set[str]:
    return {bounds.get(identity).locator for identity in refuted.refuted_in(paper)}


def _finding(statement: Statement, erratum: Erratum, name: str) -> Finding:
    return Finding(
        id=f"{statement.id}:{name}",
        statement=statement.id,
        locator=erratum.step or statement.locator,
        grade=erratum.grade,
        where=erratum.where,
        of_conclusion=name == REFUTED,
        printed="\n".join(quotations(statement, erratum)),
        right=erratum.right,
        evidence=_describe(erratum),
        matters=erratum.matters,
    )


def _describe(erratum: Erratum) -> str:
    """The evidence in words: what a cell says, or what a witness measured, and why."""
    if erratum.kind == CELL:
        cell = refuted.recorded_cell(erratum)
        believed = " (as recorded; --recheck runs it)" if erratum.paper in registered() else ""
        return f"{cell['method']}, cell {cell['role']!r}: {cell['sentence']}{believed}: {erratum.why}"
    if erratum.kind == FILE:
        from verify.ledger.witness_files import confirmed  # with all that it replays on

        return f"{erratum.evidence}, {confirmed(erratum).seen}: {erratum.why}"
    from verify.ledger.witnesses import measurement

    seen = measurement(erratum)
    claimed = f"{'' if seen['equality'] else 'at most '}{seen['right']:.6g}"
    return f"witness: {seen['left']:.6g}, where {claimed} is claimed: {erratum.why}"
