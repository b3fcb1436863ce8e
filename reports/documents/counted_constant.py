"""`eval --accountant`: the constant that a paper leaves open, its noise, and what that noise keeps."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.language.statement import Statement
from reports.cli.terminal import Page
from reports.errors import BadOption

if TYPE_CHECKING:
    from reports.documents.types.privacy import PrivacyAtAPoint


def counted(
    statement: Statement, given: dict[str, float], words: Mapping[str, str | None], grid: Path | None
) -> "tuple[dict[str, float], PrivacyAtAPoint | None]":
    """The given values with the computed constant, and the facts about it."""
    if words["accountant"] is None:
        idle = [name for name, word in words.items() if word is not None]
        if idle:
            raise BadOption(f"--{idle[0]} goes with --accountant, which is missing")
        return given, None
    if grid is not None:
        raise BadOption("--accountant counts at a single point, not over a --grid")
    if words["relation"] is None:
        raise BadOption("--accountant needs --relation: add-or-remove or replace-one; there is no default")
    found = _accounted(statement, given, words)
    return given | {found.name: found.value}, _body(found, _placement(statement))


def _accounted(statement: Statement, given: dict[str, float], words: Mapping[str, str | None]) -> Any:
    from reports.inputs.privacy_words import drawing, optional_count
    from verify.privacy.accountants import Accountant
    from verify.privacy.mechanism import Relation
    from verify.privacy.utility import accounted

    return accounted(
        statement,
        given,
        accountant=Accountant(str(words["accountant"])),
        relation=Relation(str(words["relation"])),
        sampling=None if words["sampling"] is None else drawing(words["sampling"]),
        dimension=optional_count(words["dimension"], "--dimension"),
    )


def _placement(statement: Statement) -> str:
    """What the paper says of where its noise is added; the accountant counts one noise on the sum."""
    import bounds

    rules = [s.mechanism for s in bounds.statements(statement.paper.key) if s.mechanism is not None]
    return next((rule.said["placement"] for rule in rules if "placement" in rule.said), "")


def _body(found: Any, placement: str) -> "PrivacyAtAPoint":
    from verify.privacy.guarantee import facts

    guarantee: Any = facts(found.guarantee)
    return {
        "constant": {"name": found.name, "value": found.value},
        "conventions": [
            {
                "symbol": c.symbol,
                "value": c.value,
                "reading": c.reading,
                "text": c.text,
                "used": c == found.noise,
            }
            for c in found.conventions
        ],
        "guarantee": guarantee,
        "placement": placement,
    }


def add_privacy(page: Page, body: "PrivacyAtAPoint") -> Page:
    from reports.documents.privacy_answers import lines

    constant = body["constant"]
    page.heading("Privacy guarantee")
    page.paragraph(f"{constant['name']} = {constant['value']:.6g}: the rule then gives the required noise")
    page.columns_of(lines(body["guarantee"]))
    if body["placement"]:
        page.paragraph(f"computed for one noise on the sum. The paper: {body['placement']}")
    page.heading(
        "That noise in the paper's conventions (s is its deviation in the sum over one contribution)"
    )
    for row in body["conventions"]:
        value = "(not decided)" if row["value"] is None else f"{row['value']:.6g}"
        used = "; this one sets the constant" if row["used"] else ""
        page.item(f"{row['symbol']} = {value}", f"{row['reading']}{used}", row["text"])
    return page
