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
from verify.falsify.short_counterexample import add_counterexample
from verify.falsify.witness_folder import WITNESSES, file_of
from verify.json_numbers import differing
from verify.records.agreement import same_words
from verify.records.record import finite

SCHEMA: Final = "fedbounds/falsify-witness/1"


class NotAWitness(Misuse):
    """A file is no witness that this version can read."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """`unlike` are the keys of the file that differ from what the instance gives now."""

    witness: Mapping[str, Any]
    confirmation: Confirmation
    unlike: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the instance refutes again, and the file says of it what it gives."""
        return self.confirmation.refutes and not self.unlike

    @property
    def sentence(self) -> str:
        keys = f" in {', '.join(self.unlike)}" if self.confirmation.refutes and self.unlike else ""
        verdict = "agrees" if self.agrees else f"differs{keys}"
        return f"{self.witness['id']}: {self.confirmation.sentence}, {verdict}"


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


def replay(data: Mapping[str, Any]) -> Replayed:
    try:
        statement = discovery.get(str(data["id"]), str(data["variant"]))
        instance, family = data["instance"], data["family"]
    except KeyError as error:
        raise NotAWitness(f"the witness lacks {error}") from error
    if not isinstance(instance, Mapping):
        raise NotAnInstance("the instance of the witness is no table of its parts")
    for name in ("family", "method", "sentence"):
        if not isinstance(data.get(name), str):
            raise NotAWitness(f"the {name} of the witness is no text")
    found = confirm(statement, instance)
    if _counterexample_in(data) is not None:
        found = add_counterexample(statement, instance, found)
    again = finite(document(statement, family, instance, found))
    # of a run both name the level of its search, which shared it with other searches and is not in the file
    passed_over = ("method", "sentence") if instance.get("kind") == "run" else ()
    unlike = [
        k for k in differing(again, data) if k not in passed_over and not _has_same_words(k, again, data)
    ]
    return Replayed(witness=data, confirmation=found, unlike=tuple(unlike))


def _counterexample_in(data: Mapping[str, Any]) -> Any:
    """The text for a review, of a lemma that declares its objects; the file may lack it."""
    details = data.get("details")
    return details.get("counterexample") if isinstance(details, Mapping) else None


def _has_same_words(key: str, again: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """A sentence shows numbers with digits that another kernel may round."""
    return key == "sentence" and same_words(again[key], data.get(key), 0.0)


def write_witness(found: Mapping[str, Any]) -> Path:
    """Into the distribution."""
    WITNESSES.mkdir(exist_ok=True)
    file = file_of(found["id"], found["variant"])
    file.write_text(as_text(found), encoding="utf-8")
    return file


def as_text(found: Mapping[str, Any]) -> str:
    return json.dumps(finite(found), indent=1, allow_nan=False) + "\n"
