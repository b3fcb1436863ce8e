"""From what a person names to statements, and to the variant whose number is true."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

import bounds
from bounds.discovery import variants
from bounds.statement import AMENDED, Statement
from reports.errors import EmptySelection


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

    An amended form exists only where the printed one is refuted, vacuous or has a broken proof.
    """
    if variant is not None:
        return bounds.get(identity, variant), None
    known = variants(identity)
    amended = next((s for s in known if s.variant == AMENDED), None)
    if amended is None:
        return known[0], None
    return (
        amended,
        f"{amended.id}: the amended form, since the printed one is not true; --variant printed overrides",
    )
