"""A counterexample to a lemma, line by line, as it fits into a review."""

from typing import Any

from reports.cli.terminal import Page


def lines_of(found: Any) -> list[str]:
    """The lines in a record or a witness, which may come from elsewhere and hold anything."""
    lines = found.get("lines") if isinstance(found, dict) else None
    return [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []


def print_counterexample(page: Page, found: Any, variant: str = "printed") -> None:
    """Name the form that it is against, where that is not the printed one."""
    lines = lines_of(found)
    if lines:
        page.item("Counterexample:" if variant == "printed" else f"Counterexample to the {variant} form:")
        page.verbatim("\n".join(lines))
