"""A mutant with everything that is known of it: an instance that refutes it, and which checks object."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, final

from planted.checks import given, objections
from planted.operators import Mutant
from planted.truth import counterexample, instance

from bounds.language.statement import Statement
from verify.falsify.attempt import falsify_statement

# What `make mutants` found; tests hold the checks to it.
KNOWN = Path(__file__).resolve().parent.parent / "known.json"
SEARCH = "search"
EVALUATIONS = 500


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """`instance` numbers the draw in literal/ that refutes the mutant, `numbers` is what it comes to."""

    name: str
    operator: str
    stronger: bool = False
    defines: bool = False
    instance: int | None = None
    numbers: dict[str, Any] = field(default_factory=dict)
    caught_by: tuple[str, ...] = ()
    unreadable: dict[str, str] = field(default_factory=dict)

    @property
    def shown_false(self) -> bool:
        return self.instance is not None


def by_search(statement: Statement) -> bool:
    """For a mutant shown false to which no other check objects: a search inside its conditions."""
    with given(statement):
        return falsify_statement(statement, evaluations=EVALUATIONS).refuted


def judge(mutant: Mutant, *, stronger: bool) -> Judged:
    found = counterexample(mutant.mutated)
    said = objections(mutant.mutated)
    caught_by = tuple(name for name, what in said.items() if what is True)
    if found is not None and not caught_by and by_search(mutant.mutated):
        caught_by = (SEARCH,)
    return Judged(
        name=mutant.name,
        operator=mutant.operator,
        stronger=stronger,
        defines=mutant.defines,
        instance=found,
        numbers={} if found is None else instance(mutant.original.id, found),
        caught_by=caught_by,
        unreadable={name: what for name, what in said.items() if isinstance(what, str)},
    )


def write(every: list[Judged]) -> None:
    """A field that is as in most mutants is left out."""
    usual = asdict(Judged(name="", operator=""))
    rows = [{name: value for name, value in asdict(j).items() if value != usual[name]} for j in every]
    KNOWN.write_text(json.dumps(rows, indent=1) + "\n")


def read() -> tuple[Judged, ...]:
    return tuple(map(read_one, json.loads(KNOWN.read_text())))


def read_one(row: dict[str, Any]) -> Judged:
    return Judged(**row | {"caught_by": tuple(row.get("caught_by", ()))})
