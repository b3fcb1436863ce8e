"""The record of a verification: JSON that is enough to repeat every cell and every property.

Written whole or not at all; read without executing anything.
"""

import json
import os
import platform
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import isfinite
from pathlib import Path
from typing import Any, final

from bounds import discovery
from bounds.errors import Misuse
from bounds.statement import AMENDED
from synthetic.problems import problem_names
from verify.cell import Cell, revived
from verify.instances import can_be_tried
from verify.on_file import decoded, differing
from verify.progress import Progress, silent
from verify.property import Property, run_property
from verify.run import CellResult, as_contract, run_cell
from verify.standings import Entry, apart, summary

SCHEMA = "fedbounds/record/1"
FILE = "record.json"
# Of clients, dimensions, replicates: a file from elsewhere may not ask for all of the memory.
LARGEST = 1_000_000
LARGEST_TRIALS = 1_000


class NotARecord(Misuse):
    """A file is not a record that this version can read."""


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


def entry(result: CellResult) -> Entry:
    """What a record keeps of a judged cell."""
    kept: Entry = finite(as_contract(result))
    return kept


def document(entries: Sequence[Entry], *, level: float, seed: int) -> dict[str, Any]:
    cells, properties = apart(entries)
    return {
        "schema": SCHEMA,
        "error_level": level,
        "seed": seed,
        "environment": environment(),
        "summary": summary(entries),
        "cells": cells,
        "properties": properties,
    }


def environment() -> dict[str, str]:
    names = ("fedbounds", "numpy", "scipy", "sympy", "mpmath")
    return {"python": platform.python_version(), "machine": platform.machine()} | {
        name: _version(name) for name in names
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


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
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise NotARecord(f"cannot read {file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise NotARecord(f"{file} is not JSON: {error}") from error
    data = decoded(text, str(file), NotARecord)
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise NotARecord(f"{file} is not a record of schema {SCHEMA}")
    lists = [data.get("cells"), data.setdefault("properties", [])]
    if not all(isinstance(entries, list) for entries in lists) or not any(lists):
        raise NotARecord(f"{file} has no cells")
    return data


def cell_of(entry: Mapping[str, Any]) -> Cell:
    """The cell behind a recorded result."""
    try:
        if entry["problem"] not in problem_names():
            raise NotARecord(f"the record names the unknown problem {entry['problem']!r}")
        if entry["algorithm"] != discovery.get(entry["id"]).algorithm:
            raise NotARecord(f"{entry['id']} is not about the algorithm {entry['algorithm']!r}")
        _check_tables(entry)
        large = [v for v in (*entry["problem_arguments"].values(), entry["replicates"]) if _too_large(v)]
        if large:
            raise NotARecord(f"the record asks for a size of {large[0]}; the largest allowed is {LARGEST}")
        return Cell(
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
    except (KeyError, TypeError) as error:
        raise NotARecord(f"a recorded cell lacks {error}") from error


def _check_tables(entry: Mapping[str, Any]) -> None:
    for name in ("problem_arguments", "parameters", "engine"):
        if not isinstance(entry[name], Mapping):
            raise NotARecord(f"{name} of a recorded cell is no table of names and values")


def _too_large(value: Any) -> bool:
    return isinstance(value, int) and value > LARGEST


def replay(data: Mapping[str, Any], progress: Progress = silent) -> tuple[Replayed, ...]:
    """Run everything that was recorded again and compare verdict and numbers."""
    cells, tried = data["cells"], data.get("properties", [])
    total, out = len(cells) + len(tried), list[Replayed]()
    for recorded in cells:
        progress(len(out), total, f"{recorded['id']}: {recorded['role']}")
        out.append(_compared(recorded, _cell_again(recorded), str(recorded["role"])))
    for recorded in tried:
        progress(len(out), total, f"{recorded['id']}: tried on objects")
        out.append(_compared(recorded, _property_again(recorded), "tried on objects"))
    return tuple(out)


def _cell_again(recorded: Mapping[str, Any]) -> Entry:
    cell = cell_of(recorded)
    try:
        return entry(run_cell(cell, **{name: recorded[name] for name in ("level", "seed", "replicates")}))
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise NotARecord(f"the recorded cell {recorded.get('id')} cannot be run: {error}") from error


def _property_again(recorded: Mapping[str, Any]) -> Entry:
    try:
        seed, trials = recorded["seed"], recorded["trials"]
        if not isinstance(seed, int) or not isinstance(trials, int) or not 0 < trials <= LARGEST_TRIALS:
            raise NotARecord(f"the record asks for {trials!r} trials from the seed {seed!r}")
        tested = Property(statement=recorded["id"], variant=recorded["variant"])
        if not can_be_tried(discovery.get(tested.statement, tested.variant)):
            raise NotARecord(f"{tested.statement} is tried on no objects")
        return run_property(tested, seed=seed, trials=trials)
    except (KeyError, TypeError) as error:
        raise NotARecord(f"a recorded property lacks {error}") from error


def _compared(recorded: Mapping[str, Any], again: Entry, what: str) -> Replayed:
    unlike = differing(again, recorded)
    agreement = "agrees" if not unlike else f"differs in {', '.join(unlike)}"
    form = f" [{AMENDED}]" if again["variant"] == AMENDED else ""
    return Replayed(
        cell=again,
        recorded=str(recorded.get("verdict")),
        agrees=not unlike,
        sentence=f"{again['id']}, {what}{form}: {again['verdict']}, {agreement}",
    )
