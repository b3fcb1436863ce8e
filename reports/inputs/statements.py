"""From what a person names to statements, and to the variant whose number is true."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bounds
from bounds.discovery import variants
from bounds.errors import MissingQuantity, UnknownName
from bounds.language.finding import GRAVE, Finding, FindingClass
from bounds.language.statement import AMENDED, Statement
from reports.errors import EmptySelection
from reports.inputs.names import is_glob, matching


def select(names: Iterable[str]) -> tuple[Statement, ...]:
    """Statements by id, module (`fed_norm_ec.theorem_1`), paper or glob (`*.lemma_?`); all without names."""
    everything = bounds.statements()
    wanted = list(names)
    if not wanted:
        if not everything:
            raise EmptySelection("no statement is installed")
        return everything
    chosen: dict[str, Statement] = {}
    known = {s.id: s for s in everything}
    for name in wanted:
        inside = [known[identity] for identity in matching(name, known)]
        if not inside and is_glob(name):
            raise EmptySelection(f"no statement's id matches {name}")
        # An unknown name gets discovery's own sentence, with the nearest id.
        for statement in inside or [bounds.get(name)]:
            chosen.setdefault(statement.id, statement)
    return tuple(chosen.values())


def trusted(identity: str, variant: str | None) -> tuple[Statement, str | None]:
    """The variant to compute with, and one line when that is not the printed one.

    The amended form, where one exists and a finding takes the ground from the printed number, or names a
    misprint in the conclusion itself.
    """
    if variant is not None:
        return bounds.get(identity, variant), None
    known = variants(identity)
    amended = next((s for s in known if s.variant == AMENDED), None)
    if amended is None:
        return known[0], None
    from reports.documents.inspection import findings

    printed = bounds.get(identity)
    found = findings(printed)
    grave = [f for f in found if f.grade in GRAVE]
    misprinted = any(f.of_conclusion and f.grade is FindingClass.TYPO for f in found)
    if not grave and not misprinted:
        return printed, None
    why = _why_not_printed(min(grave, key=lambda f: GRAVE.index(f.grade), default=None))
    return amended, f"{amended.id}: the amended form, since {why}; --variant printed overrides"


def _why_not_printed(gravest: Finding | None) -> str:
    if gravest is None:
        return "the printed one has a misprint"
    if gravest.grade is FindingClass.PROOF_BROKEN:
        return f"the printed one's proof is broken ({gravest.locator})"
    return f"the printed one is {gravest.grade.value} ({gravest.where})"


@contextmanager
def telling_the_form(statement: Statement, note: str | None, given: Iterable[str]) -> Iterator[None]:
    """What only the amended form asks, or does not know, is told of it where nobody asked for that form."""
    try:
        yield
    except (MissingQuantity, UnknownName) as error:
        named = set(given)
        of_it = note is not None and str(error).startswith(statement.id)
        ask = _alone_in_print if isinstance(error, UnknownName) else _not_asked_in_print
        why = ask(statement, bounds.get(statement.id), named) if of_it else None
        if why is None:
            raise
        raise type(error)(
            f"{error}; the amended form is evaluated, {why}: --variant printed overrides"
        ) from error


def _alone_in_print(amended: Statement, printed: Statement, given: set[str]) -> str | None:
    from bounds.evaluation.resolve import names_taken

    names = (given - names_taken(amended)) & names_taken(printed)
    return f"and only the printed one has {', '.join(sorted(names))}" if names else None


def _not_asked_in_print(amended: Statement, printed: Statement, given: set[str]) -> str | None:
    from bounds.evaluation.resolve import resolve_with

    missing = [resolve_with(form, given)[1].required - given for form in (amended, printed)]
    names = missing[0] - missing[1]
    return f"and the printed one does without {', '.join(sorted(names))}" if names else None
