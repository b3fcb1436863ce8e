"""Which statements are refuted, and the numbers behind it: reading the files computes nothing."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bounds import discovery
from bounds.errors import Misuse
from bounds.installed_papers import registered
from bounds.language.finding import FindingClass
from verify.json_numbers import agree, load
from verify.records import errata
from verify.records.errata import CELL, BrokenErrata, Erratum
from verify.records.field_types import NotARecord

FILE = Path(__file__).parents[1] / "ledger.json"
MEASURED = Path(__file__).parents[1] / "witnesses.json"


@cache
def refutations() -> dict[str, dict[str, Any]]:
    """The recorded cell of every statement that a run refutes."""
    data = load(FILE)
    return {cell["id"]: cell for cell in data["cells"]}


@cache
def measurements() -> dict[str, dict[str, Any]]:
    """Both sides of what each witness measured, by the name of its function."""
    numbers: dict[str, dict[str, Any]] = load(MEASURED)
    return numbers


@cache
def _cells_beside(paper: str) -> tuple[Path, dict[str, dict[str, Any]]]:
    """The record of a paper, and its cells that refute, by statement and role."""
    if paper not in registered():
        return FILE, {_named(cell["id"], cell["role"]): cell for cell in refutations().values()}
    from verify.cell import NAMED
    from verify.records.record import FILE as NAME
    from verify.records.record import read

    file, refutes = errata.folder_of(paper) / NAME, ("violated", "printed", NAMED)
    cells = [c for c in read(file)["cells"] if (c["verdict"], c["variant"], c["reading"]) == refutes]
    for cell in cells:
        if (unlike := find_forged(cell)) is not None:
            which = f"the {unlike} of {_named(cell['id'], cell['role'])}"
            raise NotARecord(f"{file}: {which} is not what the statement and its other numbers lead to")
    return file, {_named(cell["id"], cell["role"]): cell for cell in cells}


def find_forged(cell: Mapping[str, Any]) -> str | None:
    """A key that the others contradict, or today's statement; only a run tells whether it was measured so."""
    from verify.matching.linear_bound import linear_bound
    from verify.records.follows import find_contradiction
    from verify.records.record import cell_of

    if (name := find_contradiction(cell)) is not None:
        return name
    again = cell_of(cell)
    if again.digest != cell["digest"]:
        return "digest"
    bound = linear_bound(discovery.get(cell["id"], cell["variant"]), again)
    return None if agree(float(bound.constant), cell["bound"]["value"]) else "bound"


def _named(identity: str, role: str) -> str:
    return f"cell {role!r} of {identity}"


def recorded_cell(erratum: Erratum) -> dict[str, Any]:
    """The cell that a finding names by its role."""
    name = _named(erratum.statement, erratum.evidence)
    try:
        file, known = _cells_beside(erratum.paper)
    except Misuse as error:
        raise BrokenErrata(f"{erratum.source}: {name}: {error}") from error
    if name not in known:
        raise BrokenErrata(
            f"{erratum.source}: {name} is not in {file.name}, or does not refute there; "
            f"{_which(known, erratum)}"
        )
    return known[name]


def _which(known: Mapping[str, Any], erratum: Erratum) -> str:
    roles = [repr(cell["role"]) for cell in known.values() if cell["id"] == erratum.statement]
    return f"those that do are {', '.join(roles)}" if roles else "no cell of it does"


def refuting_cell(identity: str) -> dict[str, Any] | None:
    """The recorded cell that the finding on the conclusion of a statement names, if it names one."""
    erratum = worded(identity)
    return recorded_cell(erratum) if erratum is not None and erratum.kind == CELL else None


def worded(statement: str) -> Erratum | None:
    """The finding on the conclusion of a statement, if a witness or a cell is against it."""
    found = errata.of_paper(statement.partition(".")[0])
    conclusions = (e for e in found if e.where == errata.CONCLUSION and e.kind != errata.AUDIT)
    return next((e for e in conclusions if e.statement == statement), None)


def rests_on_record(identity: str) -> bool:
    """Whether a package's cell is all that refutes the statement: what it measured is believed until run."""
    paper = identity.partition(".")[0]
    found = errata.of_paper(paper) if paper in registered() else ()
    kinds = {e.kind for e in found if e.statement == identity and e.grade is FindingClass.FALSE}
    return kinds == {CELL}


def refuted() -> set[str]:
    """Statements of our papers that are false as printed, under their named reading."""
    return _false(errata.our_errata())


def refuted_in(paper: str) -> set[str]:
    """Those of one paper, which may be a package's."""
    return _false(errata.of_paper(paper))


def _false(found: Iterable[Erratum]) -> set[str]:
    return {e.statement for e in found if e.grade is FindingClass.FALSE}
