r"""The steps of a proof, read from the transcription of its paper.

The transcription has the formula of every step, and often the reason. `steps.txt` beside it lists the steps
in the order of the proofs, one a line, with what the transcription does not have:

    LOCATOR | PART | USES | REASON

USES are the locators that the step uses. Without a REASON the words behind the id in the transcription are
the reason. PART says which part of the text under the locator the step quotes; numbers count from 1:

    (nothing)    the one display under the locator
    display N    the Nth display, of several
    unnumbered   the one display, without an equation number such as `\quad (24)` at its end
    rows N-M     rows of the one display, without the alignment mark in front and the break behind
    lines N-M    the same rows with both, as the transcription has them
    formula N    the Nth formula in the text, displays not counted
    words N-M    words of the line of the id, ids not counted: a step that has no formula

`rows N` is short for `rows N-N`.

A package without the table has a step for every id with one display of its own: the display, the words behind
the id as its reason, and the ids among these words as what it uses.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TypeVar, final

from bounds.errors import MalformedStatement
from bounds.language.step import Step
from bounds.language.transcription import (
    ID,
    Transcription,
    has_data,
    path,
    read_data,
    read_transcription,
)
from bounds.language.transcription import NAME as TEXT

T = TypeVar("T")
NAME = "steps.txt"
_DISPLAY = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)
_FORMULA = re.compile(r"\$([^$]+)\$")
_TAG = re.compile(r"\s*\\tag\{[^}]*\}\s*\Z")
_NUMBER = re.compile(r"\s*\\quad \(\d+\)\Z")
_ALIGNED = re.compile(r"\s*\\begin\{(aligned|gathered)\}(.*?)\\end\{\1\}", re.DOTALL)
_INTRODUCTION = re.compile(rf"(?:- )?[*`]+{ID}[*`]+(?: = \*\*{ID}\*\*)?(?: —|,)? *([^\n]*)")
_SOURCE = re.compile(r"\. \(src [\d,]+\)\Z")  # where the line stands in the text of the paper
_PART = re.compile(
    r"|unnumbered|(?P<one>display|formula) (?P<n>\d+)"
    r"|(?P<many>rows|lines|words) (?P<first>\d+)(?:-(?P<last>\d+))?"
)


@final
@dataclass(frozen=True, slots=True)
class _Place:
    """The text of a step in the transcription, and how an error names it: both files, both lines."""

    text: str
    asked: str

    def refuse(self, why: str) -> MalformedStatement:
        return MalformedStatement(f"{self.asked}: {why}")


def steps_of(package: str, proof: tuple[str | Step, ...]) -> tuple[Step, ...]:
    """The steps that a proof names: `FIRST..LAST`, or one locator, or a step that is in no transcription."""
    return tuple(
        step
        for entry in proof
        for step in ((entry,) if isinstance(entry, Step) else _between(package, entry))
    )


@cache
def _between(package: str, entry: str) -> tuple[Step, ...]:
    first, _, last = entry.partition("..")
    steps = read_steps(package)
    locators = [step.locator for step in steps]
    for locator in (first, last or first):
        if locator not in locators:
            known = NAME if has_data(package, NAME) else TEXT
            raise MalformedStatement(f"{path(package, known)} lists no step {locator}, which a proof names")
    start, end = locators.index(first), len(locators) - locators[::-1].index(last or first)
    if end <= start:
        raise MalformedStatement(f"{path(package, NAME)} lists {last} before {first}; a proof names {entry}")
    return steps[start:end]


@cache
def read_steps(package: str) -> tuple[Step, ...]:
    """Every step of a paper, in the order of its table, or of its transcription where it has none."""
    if not has_data(package, NAME):
        return list_steps(read_transcription(package))
    return parse_steps(path(package, NAME), read_data(package, NAME), read_transcription(package))


def list_steps(transcription: Transcription) -> tuple[Step, ...]:
    """The steps of a transcription that has no table."""
    known = {found.locator for found in transcription.introductions}
    steps: list[Step] = []
    for locator in dict.fromkeys(found.locator for found in transcription.introductions if found.locator):
        place = _find(locator, transcription.name, transcription)
        if len(_DISPLAY.findall(place.text)) != 1:
            continue
        reason = _behind_the_id(place)
        uses = (word for word in re.findall(ID, reason) if word in known)
        steps.append(Step(locator, _quote("", place), reason, tuple(dict.fromkeys(uses))))
    return tuple(steps)


def parse_steps(name: str, table: str, transcription: Transcription) -> tuple[Step, ...]:
    """The steps that a table lists; the first line that is wrong is named."""
    steps: dict[tuple[str, str], Step] = {}
    for number, line in enumerate(table.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{name}:{number}"
        cells = [cell.strip() for cell in line.split("|", 3)]
        if len(cells) != 4 or not re.fullmatch(ID, cells[0]):
            raise MalformedStatement(f"{where}: a step is LOCATOR | PART | USES | REASON")
        locator, part, uses, reason = cells
        if (locator, part) in steps:
            raise MalformedStatement(f"{where}: {locator} is listed a second time with the same part")
        place = _find(locator, where, transcription)
        printed = _quote(part, place)
        steps[locator, part] = Step(locator, printed, reason or _reason(place), tuple(uses.split()))
    return tuple(steps.values())


def _find(locator: str, where: str, transcription: Transcription) -> _Place:
    spans = transcription.spans(locator)
    if not spans:
        raise MalformedStatement(f"{where}: {transcription.name} introduces no step {locator}")
    lines = [f"{transcription.name}:{transcription.line(start)}" for start, _ in spans]
    if len(spans) > 1:
        raise MalformedStatement(f"{lines[1]}: {locator} is introduced a second time, first at {lines[0]}")
    place = _Place(transcription.text[slice(*spans[0])], f"{lines[0]}: {locator}, listed at {where}")
    if place.text.count("$$") % 2:
        raise place.refuse("a display is opened or closed without its other $$")
    return place


def _quote(part: str, place: _Place) -> str:
    """The part of the text under the locator that is the step."""
    asked = _PART.fullmatch(part)
    if asked is None:
        raise place.refuse(f"{part!r} names no part of a text")
    if asked["one"] == "formula":
        formulas: list[str] = _FORMULA.findall(_DISPLAY.sub("", place.text))
        return _pick(formulas, int(asked["n"]), "formulas", place)
    if asked["many"] == "words":
        words = list(re.finditer(r"\S+", _behind_the_id(place)))
        start, end = (_pick(words, number, "words", place) for number in _range(asked, place))
        return _behind_the_id(place)[start.start() : end.end()]
    displays: list[str] = _DISPLAY.findall(place.text)
    if asked["one"] != "display" and len(displays) != 1:
        raise place.refuse(f"one display is expected, and there are {len(displays)}")
    display = _TAG.sub("", _pick(displays, int(asked["n"] or 1), "displays", place)).strip()
    if asked["many"]:
        return _rows(display, _range(asked, place), asked["many"] == "lines", place)
    return _NUMBER.sub("", display) if part == "unnumbered" else display


def _range(asked: re.Match[str], place: _Place) -> tuple[int, int]:
    first, last = int(asked["first"]), int(asked["last"] or asked["first"])
    if last < first:
        raise place.refuse(f"{asked[0]!r} ends before it begins")
    return first, last


def _rows(display: str, wanted: tuple[int, int], with_marks: bool, place: _Place) -> str:
    aligned = _ALIGNED.match(display)
    body = aligned[2] if aligned else display
    breaks = [0, *(match.end() for match in re.finditer(r"\\\\", body)), len(body)]
    rows = [body[start:end] for start, end in pairwise(breaks)]
    for number in wanted:
        _pick(rows, number, "rows", place)
    chosen = "".join(rows[wanted[0] - 1 : wanted[1]]).strip()
    return chosen if with_marks else chosen.removesuffix(r"\\").strip().removeprefix("&").lstrip()


def _pick(found: list[T], number: int, what: str, place: _Place) -> T:
    if not 1 <= number <= len(found):
        raise place.refuse(f"number {number} of {len(found)} {what} is asked for")
    return found[number - 1]


def _reason(place: _Place) -> str:
    reason = _SOURCE.sub("", _behind_the_id(place))
    if not reason:
        raise place.refuse("there is no reason, neither in the table nor behind the id")
    return reason


def _behind_the_id(place: _Place) -> str:
    """The rest of the line that introduces the step."""
    match = _INTRODUCTION.match(place.text)
    return match[1].rstrip() if match else ""
