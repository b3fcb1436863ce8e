"""The table of all proofs with a machine form; `python -m verify.proofs.make` writes it into the docs."""

from collections import Counter
from pathlib import Path

import bounds
from bounds.discovery import variants
from bounds.language.proof.document import machine_form
from bounds.language.statement import Statement
from verify.proofs import store
from verify.proofs.prove import CERTIFIED, OPEN, PROSE, REFUTED, StepStatus, prove

ORDER = (CERTIFIED, REFUTED, PROSE, OPEN)
PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"
BEGIN, END = "<!-- table of proofs -->\n", "<!-- end of the table -->\n"


def table() -> str:
    """One row for each statement with a machine form, the claims by rule, and all printed steps by status."""
    head = "| statement | form | standing | claims | printed steps | certified | refuted | open | prose |"
    lines, rules, steps = (
        [head, "|---|---|---|---|---|---|---|---|---|"],
        Counter[str](),
        dict[str, StepStatus](),
    )
    for form in (v for s in bounds.statements() for v in variants(s.id)):
        if machine_form(form) is None and not form.steps:
            continue
        found = prove(form)
        printed = found.steps[: len(form.steps)]
        for name, step in zip(_name_displays(form), printed, strict=True):
            steps[name] = min(steps.get(name, step), step, key=lambda one: ORDER.index(one.status))
        if machine_form(form) is None:
            continue
        counts = Counter(step.status for step in printed)
        claims = [step for step in found.steps if step.status == CERTIFIED]
        rules.update(str(step.rule) for step in claims)
        cells = [form.id, form.variant, found.standing.value, len(claims), len(printed)]
        cells += [counts[status] for status in (CERTIFIED, REFUTED, OPEN, PROSE)]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    by_rule = ", ".join(f"{count} by {rule}" for rule, count in sorted(rules.items()))
    return "\n".join(lines) + f"\n\nClaims by rule: {by_rule}.\n\n" + _count_displays(steps)


def _name_displays(form: Statement) -> list[str]:
    """A name for each display of the proof: several may stand under one locator."""
    seen = Counter[str]()
    names = []
    for step in form.steps:
        seen[step.locator] += 1
        names.append(store.name_of(step.locator, seen[step.locator]))
    return names


def _count_displays(steps: dict[str, StepStatus]) -> str:
    """Every printed step of every proof once, with its best status; those that are open by their reason."""
    kinds = Counter(step.status for step in steps.values())
    reasons = Counter(step.detail for step in steps.values() if step.status in (OPEN, PROSE))
    lines = ["| printed steps, each once | how many |", "|---|---|"]
    lines += [f"| {status} | {kinds[status]} |" for status in ORDER if status not in (OPEN, PROSE)]
    lines += [f"| {reason} | {count} |" for reason, count in reasons.most_common()]
    return "\n".join([*lines, f"| all | {len(steps)} |"]) + "\n"


def page(table: str) -> str:
    """The page with this table between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table + END + after
