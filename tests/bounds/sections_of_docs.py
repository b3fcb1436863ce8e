"""The section of a page of docs that a derivation names."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def section(reference: str) -> str:
    """What stands under the heading of "FILE#anchor", spelled as a link to it is; empty without one."""
    path, _, anchor = reference.partition("#")
    if not anchor or not (ROOT / path).is_file():
        return ""
    pieces = re.split(r"^(#+ .*)$", (ROOT / path).read_text(encoding="utf-8"), flags=re.MULTILINE)
    for heading, text in zip(pieces[1::2], pieces[2::2], strict=True):
        words = re.sub(r"[^\w\- ]", "", heading.lstrip("# ").lower())
        if words.replace(" ", "-") == anchor:
            return text
    return ""
