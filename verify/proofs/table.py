"""The table of all proofs with a machine form; `python -m verify.proofs.make` writes it into the docs."""

from collections import Counter
from pathlib import Path

import bounds
from bounds.discovery import variants
from bounds.language.proof.document import machine_form
from verify.proofs.prove import CERTIFIED, OPEN, PROSE, REFUTED, prove

PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"
BEGIN, END = "<!-- table of proofs -->\n", "<!-- end of the table -->\n"


def table() -> str:
    """One row for each statement with a machine form, the totals, and the claims by rule."""
    head = "| statement | form | standing | claims | printed steps | certified | refuted | open | prose |"
    lines, rules, total = [head, "|---|---|---|---|---|---|---|---|---|"], Counter[str](), Counter[str]()
    for form in (v for s in bounds.statements() for v in variants(s.id)):
        if machine_form(form) is None:
            continue
        found = prove(form)
        printed = len(form.steps)
        counts = Counter(step.status for step in found.steps[:printed])
        claims = [step for step in found.steps if step.status == CERTIFIED]
        rules.update(str(step.rule) for step in claims)
        total.update(counts)
        total["claims"] += len(claims)
        cells = [form.id, form.variant, found.standing.value, len(claims), printed]
        cells += [counts[status] for status in (CERTIFIED, REFUTED, OPEN, PROSE)]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    sums = [total["claims"], sum(total[s] for s in (CERTIFIED, REFUTED, OPEN, PROSE))]
    sums += [total[status] for status in (CERTIFIED, REFUTED, OPEN, PROSE)]
    lines.append("| all | | | " + " | ".join(map(str, sums)) + " |")
    by_rule = ", ".join(f"{count} by {rule}" for rule, count in sorted(rules.items()))
    return "\n".join(lines) + f"\n\nClaims by rule: {by_rule}.\n"


def page(table: str) -> str:
    """The page with this table between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table + END + after
