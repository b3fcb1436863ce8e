"""The record of a verification: JSON that is enough to repeat every cell and every property.

Written whole or not at all; read without executing anything.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias, final

import numpy as np

from bounds import discovery
from bounds.errors import Misuse
from bounds.language.statement import AMENDED
from synthetic.problems import known_problem_names
from synthetic.problems.from_data.problem import is_data
from verify.cell import Cell, revived
from verify.environment import environment
from verify.json_numbers import describe_schema, is_count, read_decoded
from verify.objects.check import Property, has_case, run_property
from verify.objects.recipes import can_be_tried
from verify.progress import Progress, silent
from verify.record_limits import MOST_TRIALS
from verify.records.agreement import compare
from verify.records.field_types import NotARecord, check
from verify.records.file_mode import usual_mode
from verify.records.part import WORST_CASES, parent_of
from verify.records.standings import Entry, apart, summary
from verify.runs.check import CellResult, as_contract, run_cell
from verify.runs.work import asks_too_much
from verify.workers.processes import Processes, Task

SCHEMA = "fedbounds/record/1"
FILE = "record.json"
HERE = Processes()
CarryOut: TypeAlias = Callable[[Callable[..., Any], Iterable[Task]], Iterator[tuple[int, Any]]]
# The engine raises these for values that are of the right type and do not fit each other.
IMPOSSIBLE = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, AssertionError)


class CannotWrite(Misuse):
    """The record's directory cannot be written."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """`cell` is what came out this time, of a cell or of a property."""

    cell: dict[str, Any]
    recorded: str
    agrees: bool
    sentence: str
    largest: float = 0.0  # of the differences that are within rounding


def entry(result: CellResult) -> Entry:
    """What a record keeps of a judged cell."""
    found: Entry = finite(as_contract(result))
    return found


def document(
    entries: Sequence[Entry], *, level: float, seed: int, worst_cases: Sequence[Entry] = ()
) -> dict[str, Any]:
    """The record of these entries and of certified worst cases, if there are any."""
    cells, properties = apart(entries)
    certified = {WORST_CASES: [*worst_cases]} if worst_cases else {}
    return {
        "schema": SCHEMA,
        "error_level": level,
        "seed": seed,
        "environment": environment(),
        "summary": summary(entries, worst_cases),
        "cells": cells,
        "properties": properties,
        **certified,
    }


def finite(value: Any) -> Any:
    """Non-finite numbers become null, with a reason beside them."""
    if isinstance(value, Mapping):
        out: dict[str, Any] = {}
        for key, entry in value.items():
            out[key] = finite(entry)
            if isinstance(entry, float) and not isfinite(entry):
                out["reason"] = f"{key} is {entry}"
        return out
    if isinstance(value, list | tuple):
        return [finite(entry) for entry in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def make_folder(directory: Path) -> None:
    """Refuse a folder that takes no record, where the work is still to be done."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError as error:
        raise CannotWrite(f"cannot write {directory / FILE}: {error.strerror or error}") from error


def write(data: Mapping[str, Any], directory: Path) -> Path:
    """Through a temporary file in the same directory, so that a reader never sees half a record."""
    target = directory / FILE
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", dir=directory, prefix=".record-", delete=False, encoding="utf-8"
        ) as file:
            try:
                json.dump(data, file, indent=1, allow_nan=False)
                file.write("\n")
                file.close()
                os.chmod(file.name, usual_mode())
                os.replace(file.name, target)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise CannotWrite(f"cannot write {target}: {error.strerror or error}") from error
    return target


def read(path: Path) -> dict[str, Any]:
    """A record, from its file or from the directory that holds it."""
    file = path / FILE if path.is_dir() else path
    data = read_decoded(file, NotARecord)
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise NotARecord(f"{file} {describe_schema(data, SCHEMA)}")
    lists = [data.get("cells"), data.setdefault("properties", [])]
    if not all(isinstance(entries, list) for entries in lists) or not any(lists):
        raise NotARecord(f"{file} has no cells")
    check(data, str(file))
    try:
        parent_of(data)
    except ValueError as error:
        raise NotARecord(f"{file}: {error}") from error
    return data


def cell_of(entry: Mapping[str, Any]) -> Cell:
    """The cell behind a recorded result."""
    try:
        if entry["problem"] not in known_problem_names() and not is_data(entry["problem"]):
            raise NotARecord(f"the record names the unknown problem {entry['problem']!r}")
        if entry["algorithm"] != discovery.get(entry["id"]).algorithm:
            raise NotARecord(f"{entry['id']} is not about the algorithm {entry['algorithm']!r}")
        _check_tables(entry)
        cell = Cell(
            statement=entry["id"],
            variant=entry["variant"],
            algorithm=entry["algorithm"],
            role=entry["role"],
            reading=entry["reading"],
            problem=entry["problem"],
            problem_arguments=revived(entry["problem_arguments"]),
            parameters=revived(entry["parameters"]),
            engine=revived(entry["engine"]),
        )
        if reason := asks_too_much(cell, entry["replicates"]):
            raise NotARecord(reason)
        return cell
    except (KeyError, TypeError) as error:
        raise NotARecord(f"a recorded cell lacks {error}") from error
    except ArithmeticError as error:
        raise NotARecord(f"a number of a recorded cell is out of range: {error}") from error


def _check_tables(entry: Mapping[str, Any]) -> None:
    for name in ("problem_arguments", "parameters", "engine"):
        if not isinstance(entry[name], Mapping):
            raise NotARecord(f"{name} of a recorded cell must be a table of names and values")


def replay(
    data: Mapping[str, Any], progress: Progress = silent, carry_out: CarryOut = HERE.carry_out
) -> tuple[Replayed, ...]:
    """Run everything that was recorded again and compare verdict and numbers."""
    cells, tried = data["cells"], data.get("properties", [])
    for cell in cells:  # what cannot be run is refused before anything is
        cell_of(cell)
    tasks = [(entry, False) for entry in cells] + [(entry, True) for entry in tried]
    found: dict[int, Replayed] = {}
    if tasks:
        progress(0, len(tasks), f"{tasks[0][0]['id']}: {_what(*tasks[0])}")
    for number, replayed in carry_out(_replayed, enumerate(tasks)):
        found[number] = replayed
        progress(len(found), len(tasks), f"{replayed.cell['id']}: {_what(*tasks[number])}")
    return tuple(found[number] for number in range(len(tasks)))


def _replayed(recorded: Mapping[str, Any], is_property: bool) -> Replayed:
    again = _property_again(recorded) if is_property else _cell_again(recorded)
    return compared(recorded, is_property, again)


def _what(recorded: Mapping[str, Any], is_property: bool) -> str:
    return "tried on objects" if is_property else str(recorded["role"])


def _cell_again(recorded: Mapping[str, Any]) -> Entry:
    cell = cell_of(recorded)
    try:
        # A changed number may leave the range of float64; then the cell differs.
        with np.errstate(all="ignore"):
            return entry(run_cell(cell, **{name: recorded[name] for name in ("level", "seed", "replicates")}))
    except NotARecord:
        raise
    except IMPOSSIBLE as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise NotARecord(f"the recorded cell {recorded.get('id')} cannot be run: {why}") from error


def _property_again(recorded: Mapping[str, Any]) -> Entry:
    try:
        seed, trials = recorded["seed"], recorded["trials"]
        if not is_count(seed) or not is_count(trials) or not 0 < trials <= MOST_TRIALS:
            raise NotARecord(f"the record asks for {trials!r} trials from the seed {seed!r}")
        tested = Property(statement=recorded["id"], variant=recorded["variant"])
        if not can_be_tried(discovery.get(tested.statement, tested.variant)):
            raise NotARecord(f"{tested.statement} is not a statement that is tried on objects")
        return run_property(tested, seed=seed, trials=trials)
    except (KeyError, TypeError) as error:
        raise NotARecord(f"a recorded property lacks {error}") from error


def compared(recorded: Mapping[str, Any], is_property: bool, again: Entry) -> Replayed:
    def draws(worst: Mapping[str, Any]) -> bool:
        tested = Property(statement=again["id"], variant=again["variant"])
        return has_case(tested, worst, seed=again["seed"], trials=again["trials"])

    found = compare(again, recorded, draws)
    form = f" [{AMENDED}]" if again["variant"] == AMENDED else ""
    return Replayed(
        cell=again,
        recorded=str(recorded.get("verdict")),
        agrees=found.agrees,
        sentence=f"{again['id']}, {_what(recorded, is_property)}{form}: {again['verdict']}, {found.sentence}",
        largest=found.largest,
    )
