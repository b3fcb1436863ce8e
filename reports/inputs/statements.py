"""From what a person names to statements, and what to say where the amended form is evaluated."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bounds
from bounds.errors import MissingQuantity, UnknownName, UnknownStatement
from bounds.language.statement import Statement
from reports.errors import EmptySelection
from reports.inputs.names import is_glob, matching
from verify.ledger.errata_check import check_package, is_readable


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


def select_with_findings(names: Iterable[str]) -> tuple[Statement, ...]:
    """The same, for what shows findings."""
    wanted = list(names)
    return with_readable_findings(select(wanted), named=bool(wanted))


def find_with_findings(names: Iterable[str]) -> tuple[Statement, ...]:
    """Select by name, or by words that all occur if one of them is no id."""
    wanted = list(names)
    try:
        return select_with_findings(wanted)
    except UnknownStatement:
        found = bounds.statements().search(" ".join(wanted))
        if not found:
            raise
        return with_readable_findings(found, named=False)


def with_readable_findings(chosen: Iterable[Statement], *, named: bool) -> tuple[Statement, ...]:
    """A package whose errata file is broken is refused if it is named, and left out of all others."""
    found = tuple(chosen)
    for paper in {statement.paper.key for statement in found} if named else ():
        check_package(paper)
    return tuple(statement for statement in found if is_readable(statement.paper.key))


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
