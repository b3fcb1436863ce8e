"""Judged cells and properties that outlive the process: one sqlite file, a row for each.

The key names everything that decides a result: the cell, its level, seed and replicates (of a property the
seed and the trials), the code that acts and judges, the files of the statement, and the libraries, kernels
and plan that compute, because a stored result is claimed to the bit. A row is written in one transaction, so
that a killed process loses at most what it had in hand, and two processes may fill one store.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, final

from bounds.errors import Misuse
from bounds.language.finding import Verdict
from verify import sources
from verify.cell import Cell, plain
from verify.json_numbers import decoded
from verify.objects.check import KIND, Property
from verify.records import types
from verify.records.field_types import check_types
from verify.records.follows import find_contradiction
from verify.runs.longer import list_lengths

FILE = "cells.sqlite"
TABLE = "CREATE TABLE IF NOT EXISTS cells (key TEXT PRIMARY KEY, result TEXT NOT NULL) WITHOUT ROWID"
# Another process holds the file for one short transaction at a time.
PATIENCE = 60.0


class StoreUnusable(Misuse):
    """The store cannot be opened, read or written."""


def key(job: Cell | Property, environment: Mapping[str, str], **run: Any) -> str:
    """`run` is the level, the seed and the number of replicates, or the seed and the number of trials."""
    parts = {
        "job": plain(asdict(job)),
        "run": run,
        "code": sources.code(),
        "statement": sources.statement(job.statement),
        "packages": sources.packages_of(*_names_in(job)),
        "environment": dict(environment),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _list_differing(found: Mapping[str, Any], job: Cell | Property, run: Mapping[str, Any]) -> list[str]:
    """What a result says of its job and its run that is not so."""
    named = {"id": job.statement, "variant": job.variant, **run}
    own = {"digest": job.digest} if isinstance(job, Cell) else {"kind": KIND}
    longer = [] if "replicates" not in run else list_lengths(run["replicates"])
    if found.get("verdict") == Verdict.VIOLATED.value and found.get("replicates") in longer:
        del named["replicates"]
    return [name for name, value in (named | own).items() if found.get(name) != value]


def _names_in(job: Cell | Property) -> tuple[str, ...]:
    return (job.algorithm, job.problem) if isinstance(job, Cell) else ()


@final
class Store:
    """Opened for the length of a `with`; every failure of the file is one sentence."""

    def __init__(self, directory: Path, *, reading: bool = False) -> None:
        """`reading`: a store that must be there."""
        self.path = directory / FILE
        self._reading = reading

    def __enter__(self) -> "Store":
        if self._reading and not self.path.is_file():
            raise StoreUnusable(f"{self.path.parent} has no store: there is no {FILE} in it")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnusable(f"cannot write {self.path}: {error.strerror or error}") from error
        with self._translated_errors():
            self._connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            self._connection.execute(TABLE)
            self._check_table()
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _check_table(self) -> None:
        """A table of another form may hold two results under one key, and values that are no text."""
        found = self._connection.execute("SELECT sql FROM sqlite_master WHERE name = 'cells'").fetchone()
        if found[0] != TABLE.replace("IF NOT EXISTS ", ""):
            self._connection.close()
            raise StoreUnusable(f"{self.path} is not a store of fedbounds: its table has another form")

    def get(self, name: str, job: Cell | Property, run: Mapping[str, Any]) -> dict[str, Any] | None:
        """The result of this job; a result of another one under its key is refused."""
        with self._translated_errors():
            row = self._connection.execute("SELECT result FROM cells WHERE key = ?", (name,)).fetchone()
        if row is None:
            return None
        found = self._read(row[0])
        if differing := _list_differing(found, job, run):
            raise StoreUnusable(
                f"a result in {self.path} is under the key of {job.statement}, but differs in "
                f"{differing[0]}: the file was changed; verify into another folder"
            )
        return found

    def put(self, name: str, result: Mapping[str, Any]) -> None:
        """The first result stays: a second process that ran the same cell has the same one."""
        text = json.dumps(result, allow_nan=False)
        with self._translated_errors():
            self._connection.execute("INSERT OR IGNORE INTO cells VALUES (?, ?)", (name, text))

    def rows(self) -> dict[str, str]:
        """Every result as it is stored, by key."""
        with self._translated_errors():
            found = dict(self._connection.execute("SELECT key, result FROM cells"))
        for text in found.values():
            self._read(text)
        return dict(found)

    def _read(self, text: str) -> dict[str, Any]:
        source = f"a result in {self.path}"
        found = decoded(text, source, StoreUnusable)
        on_objects = isinstance(found, dict) and "kind" in found
        check_types(found, types.Property if on_objects else types.JudgedCell, source, StoreUnusable)
        if (name := find_contradiction(found)) is not None:
            raise StoreUnusable(
                f"{source}, of {found['id']}, has a {name} that its own numbers contradict: the file was "
                "changed; verify into another folder"
            )
        return dict(found)

    def put_all(self, rows: Mapping[str, str]) -> None:
        """All of them or, where the disk is full, none."""
        with self._translated_errors():
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT OR IGNORE INTO cells VALUES (?, ?)", rows.items())
            self._connection.execute("COMMIT")

    def __len__(self) -> int:
        with self._translated_errors():
            return int(self._connection.execute("SELECT count(*) FROM cells").fetchone()[0])

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreUnusable(f"cannot use {self.path}: {error}") from error
