"""Witness files: an instance on which a statement is false, and what was measured on it.

Replaying makes the instance again from the file and confirms it anew; the search takes no part in that.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from bounds import discovery
from bounds.errors import Misuse
from bounds.language.statement import Statement
from verify.falsify.confirm import confirm
from verify.falsify.outcome import Confirmation, NotAnInstance
from verify.records.json_numbers import close, decoded, is_number
from verify.records.record import finite

SCHEMA: Final = "fedbounds/falsify-witness/1"
FOLDER: Final = Path(__file__).parent.parent / "falsified"


class NotAWitness(Misuse):
    """A file is no witness that this version can read."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """`agrees` where the instance refutes again, with the same two sides."""

    witness: Mapping[str, Any]
    confirmation: Confirmation
    agrees: bool

    @property
    def sentence(self) -> str:
        told = "agrees" if self.agrees else "differs"
        return f"{self.witness['id']}: {self.confirmation.sentence}, {told}"


def document(
    statement: Statement, family: str, instance: Mapping[str, Any], found: Confirmation
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "id": statement.id,
        "variant": statement.variant,
        "locator": statement.locator,
        "printed": list(statement.printed),
        "family": family,
        "instance": dict(instance),
        "left": found.left,
        "right": found.right,
        "method": found.method,
        "sentence": found.sentence,
        "details": dict(found.details),
    }


def is_witness(data: Any) -> bool:
    return isinstance(data, dict) and data.get("schema") == SCHEMA


def read(file: Path) -> dict[str, Any]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise NotAWitness(f"cannot read {file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise NotAWitness(f"{file} is not valid JSON: {error}") from error
    data = decoded(text, str(file), NotAWitness)
    if not is_witness(data):
        raise NotAWitness(f"{file} is no witness of schema {SCHEMA}")
    return dict(data)


def replay(data: Mapping[str, Any]) -> Replayed:
    try:
        statement = discovery.get(str(data["id"]), str(data["variant"]))
        instance, kept = data["instance"], (data["left"], data["right"])
    except KeyError as error:
        raise NotAWitness(f"the witness lacks {error}") from error
    if not isinstance(instance, Mapping):
        raise NotAnInstance("the instance of the witness is no table of its parts")
    found = confirm(statement, instance)
    same = all(_same(now, then) for now, then in zip((found.left, found.right), kept, strict=True))
    return Replayed(witness=data, confirmation=found, agrees=found.refutes and same)


def _same(now: float | None, then: Any) -> bool:
    if now is None or not is_number(then):  # no side where all instances at once are refuted
        return now is None and then is None
    return close(now, then)


def file_of(identity: str, variant: str) -> Path:
    """One for each statement and form."""
    return FOLDER / f"{identity}{'' if variant == 'printed' else f'.{variant}'}.json"


def write_kept(found: Mapping[str, Any]) -> Path:
    """Into the distribution."""
    FOLDER.mkdir(exist_ok=True)
    file = file_of(found["id"], found["variant"])
    file.write_text(as_text(found), encoding="utf-8")
    return file


def as_text(found: Mapping[str, Any]) -> str:
    return json.dumps(finite(found), indent=1, allow_nan=False) + "\n"


def kept_witnesses() -> tuple[Path, ...]:
    """The files that are part of the distribution: one per statement and form."""
    return tuple(sorted(FOLDER.glob("*.json")))
