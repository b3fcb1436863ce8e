"""Reading the transcription of a paper: where an id is introduced, and the text that belongs to it.

A locator's text goes from where its id is introduced to the next introduction of the same or a higher level.
An id is introduced as the first word of a heading, in bold, in backticks at the start of a line or of a list
item (also `h4`, which belongs to the heading above it), or as the first cell of a table row.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import final

from bounds.errors import MalformedStatement

NAME = "transcription.md"
ID = r"[A-Za-z]\w*(?:\.\w+)+"
# Levels: headings 1 to 6, bold and backticked ids 7, hypotheses and other items of a list 8.
HEADING = re.compile(rf"^(#+) +`?({ID})?")
BOLD = re.compile(rf"\*\*`?({ID})(?: \([A-Z]+\))?`?\*\*")
BACKTICKED = re.compile(rf"^`({ID})`", re.MULTILINE)
ROW = re.compile(rf"^\| ({ID}) \|")
ITEM = re.compile(rf"^- (?:`({ID}|h\d+)`|({ID}):)")


@final
@dataclass(frozen=True, slots=True)
class Introduction:
    """Where an id begins. The id is empty at a plain heading, which only ends what is above it."""

    position: int
    level: int
    locator: str


@final
@dataclass(frozen=True, slots=True)
class Transcription:
    """The text of one file, and everything that it introduces. Errors call the file `name`."""

    name: str
    text: str
    introductions: tuple[Introduction, ...]

    def spans(self, locator: str) -> list[tuple[int, int]]:
        """Start and end of every text that belongs to a locator."""
        return [
            (
                found.position,
                min(
                    (i.position for i in self.introductions if _closes(i, found)),
                    default=len(self.text),
                ),
            )
            for found in self.introductions
            if found.locator == locator
        ]

    def under(self, locator: str) -> str:
        """The text of a locator, or of several introductions of one; empty when there is none."""
        return "\n".join(self.text[start:end] for start, end in self.spans(locator))

    def line(self, position: int) -> int:
        """The number of a line, counted from 1."""
        return self.text.count("\n", 0, position) + 1


def _closes(later: Introduction, opened: Introduction) -> bool:
    return later.position > opened.position and later.level <= opened.level


def read_data(package: str, name: str) -> str:
    """The text of a data file that lies beside the statements of a paper."""
    try:
        return (files(package) / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedStatement(f"{path(package, name)} cannot be read: {error}") from error


def has_data(package: str, name: str) -> bool:
    """Whether the package ships such a file."""
    return (files(package) / name).is_file()


def path(package: str, name: str) -> str:
    """How errors name a data file: by the import path of its package, the same on every machine."""
    return f"{package.replace('.', '/')}/{name}"


@cache
def read_transcription(package: str) -> Transcription:
    """The transcription that the package of a paper ships."""
    return parse(path(package, NAME), read_data(package, NAME))


def parse(name: str, text: str) -> Transcription:
    """Find the introductions line by line."""
    found: list[Introduction] = []
    position, heading = 0, ""
    for line in text.splitlines(keepends=True):
        if match := HEADING.match(line):
            heading = match[2] or heading
            found.append(Introduction(position, len(match[1]), match[2] or ""))
        elif match := BACKTICKED.match(line):
            found.append(Introduction(position, 7, match[1]))
        elif match := ROW.match(line):
            found.append(Introduction(position, 8, match[1]))
        elif match := ITEM.match(line):
            item = match[1] or match[2]
            locator = f"{heading}.{item}" if re.fullmatch(r"h\d+", item) else item
            found.append(Introduction(position, 8, locator))
        elif line.startswith(("Conclusion", "Used in")):
            found.append(Introduction(position, 8, ""))
        found += _read_bold(line, position, found[-1:])
        position += len(line)
    return Transcription(name, text, tuple(found))


def _read_bold(line: str, position: int, last: list[Introduction]) -> list[Introduction]:
    """The bold ids of a line. One that follows another with `=` is its second name and begins with it."""
    found: list[Introduction] = []
    for match in BOLD.finditer(line):
        before = line[: match.start()].strip(" -")
        names = [i.locator for i in (found or last)[-1:]]
        alias = before in ("", *(f"**{name}** =" for name in names))
        found.append(Introduction(position + (0 if alias else match.start()), 7, match[1]))
    return found
