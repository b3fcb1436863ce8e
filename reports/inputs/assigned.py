"""The `NAME=VALUE` words after --set, for every verb."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from reports.errors import BadAssignment

Value = TypeVar("Value")


def read_assigned(words: Iterable[str] | None, read: Callable[[str, str], Value]) -> dict[str, Value]:
    """Each name once, with what `read` makes of the text and the name; nothing where --set is absent."""
    if words is None:
        return {}
    found: dict[str, Value] = {}
    for word in words:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not name or not value:
            raise BadAssignment(f"--set takes NAME=VALUE, not {word!r}")
        if name in found:
            raise BadAssignment(f"--set names {name} twice")
        found[name] = read(value, name)
    if not found:
        raise BadAssignment("--set needs NAME=VALUE after it")
    return found
