"""The digest of a record, and records that hold a part of another one.

A part keeps the error level of its parent and the levels of its cells, and names the parent by digest under
`part_of`, with the numbers of cells and properties there: the level was shared by that many cells. Its
summary is that of its own entries.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, final

from verify.json_numbers import is_count
from verify.records.standings import Entry, apart, summary

KEY: Final = "part_of"
WORST_CASES: Final = "worst_cases"  # certified for the whole class: of statements, not of cells
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """What a part says of the record that it was taken from."""

    digest: str
    cells: int
    properties: int

    @property
    def sentence(self) -> str:
        counts = f"{self.cells} cells and {self.properties} properties"
        return f"the record {self.digest}, which has {counts}"


def digest(data: Mapping[str, Any]) -> str:
    """SHA-256 of the content as JSON with sorted keys and no spaces, whatever the layout of the file is.

    Numbers are written with the fewest digits that give the same float64, so a file that is read and written
    again keeps its digest.
    """
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def parent_of(data: Mapping[str, Any]) -> Parent | None:
    """The parent that a record names; None if it names none. A ValueError if the value has another form."""
    if KEY not in data:
        return None
    named = data[KEY]
    if not isinstance(named, Mapping) or named.keys() != {"digest", "cells", "properties"}:
        raise ValueError(f"{KEY} must have a digest, a number of cells and a number of properties")
    if not isinstance(named["digest"], str) or not _DIGEST.fullmatch(named["digest"]):
        raise ValueError(f"the digest of {KEY} must be 64 hexadecimal digits")
    if not is_count(named["cells"]) or not is_count(named["properties"]):
        raise ValueError(f"the numbers of {KEY} must be integers >= 0")
    return Parent(**named)


def take_part(
    data: Mapping[str, Any], entries: Sequence[Entry], *, of: Parent | None = None
) -> dict[str, Any]:
    """A record of some entries of `data`; `of` is its `as_parent`, computed once for many parts."""
    cells, properties = apart(entries)
    left = (KEY, WORST_CASES, "summary", "cells", "properties")
    header = {key: value for key, value in data.items() if key not in left}
    return header | {
        KEY: asdict(of or as_parent(data)),
        "summary": summary(entries),
        "cells": cells,
        "properties": properties,
    }


def as_parent(data: Mapping[str, Any]) -> Parent:
    """What the parts of a record say of it. A part of a part names the same parent as the part."""
    counts = {name: len(data.get(name, [])) for name in ("cells", "properties")}
    return parent_of(data) or Parent(digest=digest(data), **counts)
