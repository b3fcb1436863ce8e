"""Statements as a table that can be searched: a tuple that shows itself."""

from typing import Any, final

from bounds.language import view
from bounds.language.statement import Statement

SHOWN = 40  # rows of the table
WIDEST = 70  # characters of a title


@final
class Catalogue(tuple[Statement, ...]):
    """What `statements()` returns. It is a tuple of statements; `search` returns a smaller one."""

    __slots__ = ()

    def search(self, words: str) -> "Catalogue":
        """The statements that have every one of these words in id, locator, title, kind, text or terms."""
        wanted = words.lower().split()
        return Catalogue(s for s in self if all(word in _text(s) for word in wanted))

    def __repr__(self) -> str:
        rows = [(s.id, s.locator, s.kind.value, s.title[:WIDEST]) for s in self[:SHOWN]]
        sizes = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
        lines = ["  ".join([*map(str.ljust, row[:3], sizes), row[3]]).rstrip() for row in rows]
        if len(self) > SHOWN:
            lines.append(f"... and {len(self) - SHOWN} more; .search('clip') finds some of them")
        return "\n".join([f"{len(self)} statement{'' if len(self) == 1 else 's'}", *lines])

    def _repr_html_(self) -> str | None:
        return view.html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """IPython would print a tuple item by item."""
        printer.text(repr(self))


def _text(statement: Statement) -> str:
    parts = [statement.id, statement.locator, statement.title, statement.kind.value, statement.reading]
    parts += [*statement.printed, *(term.name for term in statement.terms)]
    parts += [term.pays_for for term in statement.terms]
    return " ".join(parts).lower()
