"""Reading docs/theory: where an id is introduced, and the text that belongs to it.

A locator's text goes from where its id is introduced to the next introduction of the same or a higher level.
An id is introduced as the first word of a heading, in bold, in backticks at the start of a line or of a list
item (also `h4`, which belongs to the heading above it), or as the first cell of a table row.
"""

import re
from functools import cache
from pathlib import Path

THEORY = Path(__file__).parents[2] / "docs" / "theory"

ID = r"[ABCDT]\.[A-Za-z0-9_.]*[A-Za-z0-9_]"
# Levels: headings 1 to 6, bold and backticked ids 7, hypotheses and other items of a list 8.
HEADING = re.compile(rf"^(#+) +`?({ID})?")
BOLD = re.compile(rf"\*\*`?({ID})(?: \([A-Z]+\))?`?\*\*")
BACKTICKED = re.compile(rf"^`({ID})`", re.MULTILINE)
ROW = re.compile(rf"^\| ({ID}) \|")
ITEM = re.compile(rf"^- (?:`({ID}|h\d+)`|({ID}):)")


@cache
def introductions(transcription: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The text, and (position, level, id) of all that is introduced; an id may be "" (a plain heading)."""
    text = (THEORY / transcription).read_text(encoding="utf-8")
    found = []
    position, heading = 0, ""
    for line in text.splitlines(keepends=True):
        if match := HEADING.match(line):
            heading = match[2] or heading
            found.append((position, len(match[1]), match[2] or ""))
        elif match := BACKTICKED.match(line):
            found.append((position, 7, match[1]))
        elif match := ROW.match(line):
            found.append((position, 8, match[1]))
        elif match := ITEM.match(line):
            name = match[1] or match[2]
            found.append((position, 8, f"{heading}.{name}" if name.startswith("h") else name))
        elif line.startswith(("Conclusion", "Used in")):
            found.append((position, 8, ""))
        for match in BOLD.finditer(line):
            before = line[: match.start()].strip(" -")
            alias = before in ("", *(f"**{name}** =" for _, _, name in found[-1:]))
            found.append((position + (0 if alias else match.start()), 7, match[1]))
        position += len(line)
    return text, found


def under(transcription: str, locator: str) -> str:
    """The text of a locator, or of several introductions of one; empty when there is none."""
    text, found = introductions(transcription)
    parts = []
    for start, level, name in found:
        if name == locator:
            ends = [p for p, other, _ in found if p > start and other <= level]
            parts.append(text[start : min(ends, default=len(text))])
    return "\n".join(parts)
