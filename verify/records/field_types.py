"""What the fields of a record may be: type, range and size, checked before anything is built from them.

A field that is missing or of another type is refused in one sentence that names it. Whether its value is the
right one is not decided here: that takes a replay. A field that no record has is left to the replay too,
which reports it as a difference.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from bounds.errors import Misuse
from verify.json_numbers import is_finite
from verify.record_limits import DEEPEST, LONGEST, MOST_NUMBERS

MADE_BY: Final = frozenset(("python", "machine", "fedbounds", "numpy", "scipy", "sympy", "mpmath"))
WORDS: Final = {"object": "table", "array": "list", "str": "text", "int": "integer", "float": "number"}


class NotARecord(Misuse):
    """A file is not a record that this version can read."""


def check(data: Mapping[str, Any], source: str) -> None:
    """Refuse a record that could not have been written by this version."""
    from verify.records.types import Record

    check_types(data, Record, source, NotARecord)
    for position, cell in enumerate(data["cells"], start=1):
        if "kind" in cell:
            raise NotARecord(f"{source}: cell {position} has a kind, which only properties have")
        for name in ("problem_arguments", "engine"):
            if not 0 <= _count(cell[name]) <= MOST_NUMBERS:
                wanted = f"a table of at most {MOST_NUMBERS} numbers and texts"
                raise NotARecord(f"{source}: cell {position}: {name} must be {wanted}")
    if not data["environment"].keys() >= MADE_BY:
        raise NotARecord(f"{source}: environment must be a table of texts for {', '.join(sorted(MADE_BY))}")


def check_types(data: Any, kind: type[Any], source: str, refusal: type[Misuse]) -> None:
    """Refuse a document of another type, in a sentence that names the place."""
    import msgspec

    if _is_deep(data):
        raise refusal(f"{source} has more than {DEEPEST} tables and lists inside each other")
    try:
        msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise refusal(f"{source}: {_explain(str(error))}") from error
    except UnicodeEncodeError as error:  # half of a surrogate pair where no text belongs
        raise refusal(f"{source} holds a text of invalid Unicode in the place of another value") from error


def _explain(message: str) -> str:
    """The sentence of the reader, with the place first and the words of JSON."""
    what, _, place = message.partition(" - at ")
    what = what.replace("Object missing required field", "missing key")
    what = re.sub(r"`(\w+)", lambda found: f"`{WORDS.get(found[1], found[1])}", what).replace("`", "")
    named = _name_place(place.strip("`").removeprefix("$.")) or "the record"
    return f"{named}: {what[:1].lower()}{what[1:]}"


def _name_place(place: str) -> str:
    """Entries of a list are counted from 1, as everywhere else: cells[0].verdict is cell 1: verdict."""
    cell = re.fullmatch(r"(cell|propert|worst_case)(?:s|ies)\[(\d+)\](?:\.(.*))?", place)
    if cell is None:
        return re.sub(r"\[(\d+)\]", lambda found: f", entry {int(found[1]) + 1}", place)
    word = {"propert": "property", "worst_case": "worst case"}.get(cell[1], cell[1])
    inside = _name_place(cell[3] or "")
    return f"{word} {int(cell[2]) + 1}" + (f": {inside}" if inside else "")


def _is_deep(data: Any) -> bool:
    """Level by level, so that no depth exhausts the stack."""
    level = [data]
    for _ in range(DEEPEST + 1):
        parts = (
            (v.values() if isinstance(v, Mapping) else v) for v in level if isinstance(v, Mapping | list)
        )
        level = [part for inside in parts for part in inside]
    return bool(level)


def _count(value: Any) -> int:
    """How many numbers and texts; -1 if something else is among them."""
    if isinstance(value, Mapping | list):
        counts = [_count(part) for part in (value.values() if isinstance(value, Mapping) else value)]
        return -1 if -1 in counts else sum(counts)
    return 1 if is_finite(value) or (isinstance(value, str) and len(value) <= LONGEST) else -1
