"""From what a person names to statements, and to the variant whose number is true."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

import bounds
from bounds.discovery import variants
from bounds.finding import FindingClass
from bounds.statement import AMENDED, Statement
from reports.errors import EmptySelection

# Where a finding has one of these classes nobody vouches for the printed number.
GROUNDLESS = (
    FindingClass.FALSE,
    FindingClass.VACUOUS,
    FindingClass.UNINFORMATIVE,
    FindingClass.PROOF_BROKEN,
)


def select(names: Iterable[str]) -> tuple[Statement, ...]:
    """Statements by id, module (`fed_norm_ec.theorem_1`), paper or glob (`*.lemma_?`); all without names."""
    everything = bounds.statements()
    wanted = list(names)
    if not wanted:
        if not everything:
            raise EmptySelection("no statement is installed")
        return everything
    chosen: dict[str, Statement] = {}
    for name in wanted:
        prefix = name.replace("/", ".").replace("-", "_")
        inside = [s for s in everything if s.id == prefix or s.id.startswith(f"{prefix}.")]
        inside += [s for s in everything if fnmatchcase(s.id, prefix)]
        if not inside and set(prefix) & set("*?["):
            raise EmptySelection(f"no statement's id matches {name}")
        # An unknown name gets discovery's own sentence, with the nearest id.
        for statement in inside or [bounds.get(name)]:
            chosen.setdefault(statement.id, statement)
    return tuple(chosen.values())


def trusted(identity: str, variant: str | None) -> tuple[Statement, str | None]:
    """The variant to compute with, and one line when that is not the printed one.

    The amended form, where one exists and a finding takes the ground from the printed number.
    """
    if variant is not None:
        return bounds.get(identity, variant), None
    known = variants(identity)
    amended = next((s for s in known if s.variant == AMENDED), None)
    if amended is None:
        return known[0], None
    from reports.inspection import findings

    printed = bounds.get(identity)
    grave = [f for f in findings(printed) if f.grade in GROUNDLESS]
    if not grave:
        return printed, None
    gravest = min(grave, key=lambda f: GROUNDLESS.index(f.grade))
    why = f"the printed one is {gravest.grade.value} ({gravest.where})"
    if gravest.grade is FindingClass.PROOF_BROKEN:
        why = f"the printed one's proof is broken ({gravest.locator})"
    return amended, f"{amended.id}: the amended form, since {why}; --variant printed overrides"
