"""Writing to a terminal, a pipe or a file: widths, colours, and a reader that leaves early.

A verb composes its whole output before it writes: nothing is on stdout when something was wrong.
"""

import os
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, TextIO, final

from reports.cli.codes import add_code
from reports.cli.sentence import one_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

NO_BREAK = "\u00a0"
NARROWEST = 40
WIDEST = 110  # longer lines are hard to read, whatever the window allows


class CannotPrint(Exception):
    """Standard output takes nothing: a full disk, or closed by who called."""


_STDOUT: ContextVar[TextIO | None] = ContextVar("_STDOUT", default=None)


@contextmanager
def writing_to(stream: TextIO | None) -> Iterator[None]:
    """Where `sys.stdout` is what an author's code prints to, documents go to this stream."""
    token = _STDOUT.set(stream)
    try:
        yield
    finally:
        _STDOUT.reset(token)


def stdout() -> TextIO:
    return _STDOUT.get() or sys.stdout


def is_terminal() -> bool:
    return _is_open(stdout()) and stdout().isatty()


def _is_open(stream: TextIO | None) -> bool:
    """Python has None for a stream that was closed before it began (`>&-`)."""
    return stream is not None


def is_styled() -> bool:
    # NO_COLOR is about colour, but who sets it wants plain text: no escape codes at all.
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns to write in; COLUMNS overrides, and a pipe has 80."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((80, 24)).columns))


def console(stream: TextIO, columns: int | None = None) -> "Console":
    from rich.console import Console

    return Console(
        file=stream,
        width=columns or width(),
        force_terminal=is_styled(),
        highlight=False,
        emoji=False,
        markup=False,
        legacy_windows=False,
    )


def render(renderable: "RenderableType", columns: int | None = None) -> str:
    buffer = StringIO()
    console(buffer, columns).print(renderable)
    # Padding at the right of a cell is nothing that a reader or a diff wants.
    return "".join(f"{line.rstrip()}\n" for line in buffer.getvalue().splitlines())


_CAPTURED: ContextVar[list[str] | None] = ContextVar("_CAPTURED", default=None)


@contextmanager
def captured() -> Iterator[list[str]]:
    """Collect output in a list; stdout itself belongs to the caller's process."""
    written: list[str] = []
    token = _CAPTURED.set(written)
    try:
        yield written
    finally:
        _CAPTURED.reset(token)


def write(text: str) -> None:
    """To stdout. A reader that has left (`| head`) is no error: the rest goes nowhere."""
    if (instead := _CAPTURED.get()) is not None:
        instead.append(text)
        return
    stream = stdout()
    if not _is_open(stream):
        raise CannotPrint("cannot write to standard output: it is closed")
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        _discard(stream)
    except OSError as error:
        _discard(stream)
        why = (error.strerror or str(error)).lower()
        raise CannotPrint(f"cannot write to standard output: {why}") from error


def _discard(stream: TextIO) -> None:
    # Python flushes its streams once more at exit; without this it would complain then.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


@final
class Stdout:
    """Standard output for who prints by himself, as rich does: errors are told as `write` tells them."""

    def write(self, text: str) -> int:
        write(text)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(stdout(), name)


def say(text: str) -> None:
    """To stderr: progress, notes, errors."""
    _tell(f"{text}\n")


def note(text: str) -> None:
    """A sentence beside the answer, to stderr; wrapped to the terminal."""
    page = Page()
    page.item(text, indent=0)
    _tell(str(page))


def refuse(error: object) -> None:
    """Why nothing is done, or a part of it is not, in one line of stderr."""
    say(f"fedbounds: {one_line(add_code(error))}")


def _tell(text: str) -> None:
    """There is nowhere left to say that stderr itself takes nothing."""
    if not _is_open(sys.stderr):
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)


def _is_moving() -> bool:
    return _is_open(sys.stderr) and sys.stderr.isatty()


def tolerate_any_encoding() -> None:
    """A terminal without Unicode shows a question mark, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


SEEN: Final = 3  # pieces, before the time that the others will take is estimated


@final
class Progress:
    """One moving line in a terminal, every tenth part of the way in a log."""

    def __init__(self) -> None:
        self.tenth = -1
        self.began = time.monotonic()
        self.first: int | None = None  # what an earlier run had done says nothing of this one's pace

    def __call__(self, done: int, total: int, what: str) -> None:
        self.first = max(done - 1, 0) if self.first is None else self.first
        line = f"{done}/{total}{self._left(done, total)} {what}"
        if _is_moving():
            _tell(f"\r\x1b[K{line[: width() - 1]}")
            return
        tenth = 10 * done // total if total else 10
        if tenth > self.tenth:
            self.tenth = tenth
            say(line)

    def _left(self, done: int, total: int) -> str:
        completed = done - (self.first or 0)
        if completed < SEEN or done >= total:
            return ""
        return f", about {(time.monotonic() - self.began) / completed * (total - done):.0f} s left:"

    def took(self, results: int) -> str:
        return f"{results} {'result' if results == 1 else 'results'} in {time.monotonic() - self.began:.1f} s"

    def close(self) -> None:
        """Leave an empty line to whatever comes next."""
        if _is_moving():
            _tell("\r\x1b[K")


@final
class Page:
    """Headings, paragraphs and items with a hanging indent; wrapped to the terminal."""

    def __init__(self) -> None:
        self.columns = width()
        self.lines: list[str] = []
        self.styled = is_styled()

    def title(self, text: str) -> None:
        self.lines += [self._strong(line) for line in self._wrap(text, "", "")]

    def heading(self, text: str) -> None:
        if self.lines:
            self.lines.append("")
        self.title(text)

    def paragraph(self, text: str, indent: int = 2) -> None:
        self.lines += self._wrap(text, " " * indent, " " * indent)

    def item(self, label: str, *details: str, indent: int = 2) -> None:
        """A label on its own line, what is said about it beneath."""
        lead = " " * indent
        self.lines += self._wrap(label, lead, lead + "    ")
        for detail in details:
            if detail:
                self.lines += self._wrap(detail, lead + "  ", lead + "    ")

    def verbatim(self, text: str, indent: int = 4) -> None:
        self.lines += [" " * indent + line for line in text.splitlines()]

    def columns_of(self, rows: Iterable[tuple[str, ...]]) -> None:
        """Left-aligned columns; the last one wraps under itself, or below where too little room is left."""
        table = [tuple(row) for row in rows]
        if not table:
            return
        sizes = [max(len(row[i]) for row in table) for i in range(len(table[0]) - 1)]
        for row in table:
            first = "".join(f"{cell:<{size}}  " for cell, size in zip(row, sizes, strict=False))
            if len(first) + 26 <= self.columns:
                self.lines += self._wrap(row[-1], "  " + first, " " * (len(first) + 2))
            else:
                self.item(first.rstrip(), row[-1], indent=2)

    def _wrap(self, text: str, first: str, rest: str) -> list[str]:
        room = self.columns - max(len(first), len(rest))
        # `>= 0` stays in one line: textwrap does not break at a no-break space.
        joined = re.sub(r"(?<= [<>=]|[<>!]=) (?=\S)", NO_BREAK, text)
        lines = textwrap.wrap(
            " ".join(_broken(word, room) for word in joined.split(" ")),
            width=self.columns,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return [line.replace(NO_BREAK, " ").rstrip() for line in lines] or [first.rstrip()]

    def _strong(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.styled else text

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"


def _broken(word: str, room: int) -> str:
    """A product too long for a line, with a space after the factors that fill one."""
    if len(word) <= room:
        return word
    lines = [""]
    for factor in re.split(r"(?<=[*/])", word):
        if lines[-1] and len(lines[-1]) + len(factor) > room:
            lines.append("")
        lines[-1] += factor
    return " ".join(lines)


def write_replayed(document: str | None, agrees: bool, sentence: str) -> None:
    """Write the document of what was checked again; without one, a page of one line."""
    page = Page()
    page.title("Replayed")
    page.columns_of([("agrees" if agrees else "DIFFERS", sentence)])
    write(document or str(page))
