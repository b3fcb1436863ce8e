"""Every finding about a statement, and the form of it whose number is true."""

import bounds
from bounds.discovery import variants
from bounds.installed_papers import registered
from bounds.language.finding import GRAVE, Finding, FindingClass
from bounds.language.statement import AMENDED, Statement
from verify.proofs.store import is_proved, on_file

GRAVITY = tuple(FindingClass)


def findings(statement: Statement) -> tuple[Finding, ...]:
    """Gravest first."""
    from verify.audit import rates, units
    from verify.audit.follows import check
    from verify.ledger import findings as ledger

    found = (
        *ledger.findings(statement),
        *units.audit(statement),
        *rates.audit(statement),
        *check.audit(statement),
    )
    return tuple(sorted(found, key=lambda one: GRAVITY.index(one.grade)))


def trusted(identity: str, variant: str | None) -> tuple[Statement, str | None]:
    """The variant to compute with, and one line when that is not the printed one."""
    if variant is not None:
        return bounds.get(identity, variant), None
    if len(variants(identity)) == 1:
        return variants(identity)[0], None
    form, why = choose_form(identity)
    if form.variant != AMENDED:
        return form, None
    unproved = form.paper.key in registered() and on_file(form) is None
    proof = ", which no certificate proves" if unproved else ""
    return form, f"{form.id}: the amended form{proof}, since {why}; --variant printed overrides"


def choose_form(identity: str) -> tuple[Statement, str | None]:
    """The form to compute with, and what is wrong with the printed one; None where nothing grave is.

    The amended form, where one exists and a finding takes the ground from the printed number, or names a
    misprint in the conclusion itself. A broken proof does not, where a certificate proves what is printed.
    """
    amended = next((s for s in variants(identity) if s.variant == AMENDED), None)
    printed = variants(identity)[0] if amended is None else bounds.get(identity)
    found = findings(printed)
    grave = [f for f in found if f.grade in GRAVE]
    if all(f.grade is FindingClass.PROOF_BROKEN for f in grave) and is_proved(printed):
        return printed, None  # by another argument than the printed one
    misprinted = any(f.of_conclusion and f.grade is FindingClass.TYPO for f in found)
    if not grave and not misprinted:
        return printed, None
    why = _why_not_printed(min(grave, key=lambda f: GRAVE.index(f.grade), default=None))
    return amended or printed, why


def _why_not_printed(gravest: Finding | None) -> str:
    if gravest is None:
        return "the printed form has a misprint"
    if gravest.grade is FindingClass.PROOF_BROKEN:
        return f"the proof of the printed form is broken ({gravest.locator})"
    return f"the printed form is {gravest.grade.value} ({gravest.where})"
