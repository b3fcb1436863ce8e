"""How a record was made, and the commands that make it, or one of its cells, again."""

import json
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from bounds.language.statement import Statement
from reports.documents import record
from reports.page import standard
from verify.cell import Cell
from verify.matching.privacy import STANDARD, Target, target_of
from verify.records.part import Parent, take_part

Plain = dict[str, Any]

FOLDER = "replay"
_SAFE = re.compile(r"[0-9a-z][0-9a-z_.]{0,120}")


def is_safe(name: str) -> bool:
    """Whether it is the same on every file system and leads nowhere else."""
    return _SAFE.fullmatch(name) is not None


def replay(target: Path | str) -> str:
    return shlex.join(["fedbounds", "replay", str(target)])


def command(data: Plain, directory: Path) -> str:
    """The `verify` that runs the same cells at the same level; empty where none of them would."""
    from verify.runs.check import QUICK_REPLICATES, REPLICATES, SEED

    cells, properties = data["cells"], record.properties(data)
    counts = {cell.get("replicates") for cell in cells if isinstance(cell.get("replicates"), int)}
    level, seed = data.get("error_level"), data.get("seed")
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in (level, seed))
    if not numbers or counts not in ({REPLICATES}, {QUICK_REPLICATES}):
        return ""
    try:
        target = _target(cells)
        selection = _selection(cells, [entry["id"] for entry in properties], target)
    except (KeyError, TypeError, ValueError):  # a privacy that cannot be read, or that nothing here counts
        return ""
    if selection is None:
        return ""
    options = ["--level", f"{level!r}"]
    options += [] if seed == SEED else ["--seed", str(seed)]
    options += ["--quick"] if counts == {QUICK_REPLICATES} else []
    for name, value in {} if target == STANDARD else target.plain().items():
        options += [f"--{name}", f"{value}"]
    return shlex.join(["fedbounds", "verify", *selection, *options, "--out", str(directory)])


def _target(cells: Sequence[Plain]) -> Target:
    """What the private cells were to keep: what the first of them says, the usual where there are none."""
    engines = (cell.get("engine") for cell in cells)
    asked = [engine["privacy"] for engine in engines if isinstance(engine, dict) and "privacy" in engine]
    return target_of(asked[0]) if asked else STANDARD


def _selection(cells: Sequence[Plain], tried: Sequence[str], target: Target) -> list[str] | None:
    """Words for `verify` that select these cells and what was tried: none, ids, or ids and an option."""
    import bounds
    from verify.runs.check import forms

    known = {statement.id: statement for statement in bounds.statements()}
    ids = list(dict.fromkeys([*(cell["id"] for cell in cells), *tried]))
    if not set(ids) <= known.keys():
        return None
    wanted = {cell.get("digest") for cell in cells if isinstance(cell.get("digest"), str)}

    def cells_of(statements: Iterable[Statement]) -> list[Cell]:
        every = forms(list(statements))
        return [cell for form in every for cell in standard.cells(form.id, form.variant, target)]

    # the cells of all statements take long: a record without a paper that is here is not of all of them
    papers = {identity.partition(".")[0] for identity in ids}
    is_all = {statement.paper.key for statement in known.values()} <= papers
    of_these = cells_of(statement for statement in known.values() if statement.id in ids)
    for words, chosen in (
        *([([], cells_of(known.values()))] if is_all else []),
        (ids, of_these),
        *(
            ([*ids, f"--{name}", value], [c for c in of_these if getattr(c, name) == value])
            for name in (("variant",) if tried else ("variant", "problem", "algorithm"))
            for value in sorted({str(cell.get(name)) for cell in cells})
        ),
    ):
        if {cell.digest for cell in chosen} == wanted:
            return list(words)
    return None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """What runs one entry again: a file of its own, or the whole record where it cannot stand alone."""

    command: str
    file: str = ""
    text: str = ""


def alone(data: Plain, entry: Plain, directory: Path, parent: Parent) -> Alone:
    """A part of the record with this entry only, under a name that is safe in a file system."""
    from verify.records.record import cell_of

    run = "digest" in entry
    name = str(entry["digest"]) if run else f"{entry['id']}.{entry['variant']}"
    try:
        if run:
            cell_of(entry)
    except ValueError:  # nothing here runs it
        return Alone(command=replay(directory))
    if not is_safe(name):
        return Alone(command=replay(directory))
    file = f"{FOLDER}/{name}.json"
    text = json.dumps(take_part(data, [entry], of=parent), indent=1) + "\n"
    return Alone(command=replay(directory / "report" / file), file=file, text=text)
