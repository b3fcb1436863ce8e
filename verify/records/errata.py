"""Read the errata files of the papers: where a statement is wrong, what is right, and the evidence.

`verify/papers/P/errata.toml`, or `errata.toml` in an installed package, has one table for each finding that a
person worded. A place is named as `errata` prints it, a locator and a part; if several statements share it,
` of STATEMENT` follows. The evidence is measured elsewhere and named here: a `witness` is a function under
`witnesses`, a `file` is one of `falsify` or `worst` beside the errata file, a `cell` is one of the record
beside it (of `verify/ledger.json` in our papers), and an `audit` words its findings itself, so that its table
only adds what the audit cannot know. Reading our files needs neither NumPy nor sympy.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any, Final, final

from bounds.errors import BrokenPaper, nearest
from bounds.installed_papers import registered
from bounds.language.finding import GRAVE, FindingClass

FOLDER = Path(__file__).parents[1] / "papers"
NAME: Final = "errata.toml"
PROOF: Final = "proof"
CONCLUSION: Final = "conclusion"
WITNESS, FILE, CELL, AUDIT = "witness", "file", "cell", "audit"
AUDITS: Final = ("satisfiable", "follows", "units")

_TEXTS = ("statement", "place", "class", "short", "matters", "why", "right")
_KEYS = (*_TEXTS, "display", "also_at", "evidence")
# The words that a kind of evidence needs beside its numbers.
_NEEDED: Mapping[str, tuple[str, ...]] = {
    WITNESS: ("why", "right"),
    FILE: ("why", "right"),
    CELL: ("why", "right"),
    AUDIT: (),
}
# An audit replaces the words `right` only.
_WORDLESS: Mapping[str, tuple[str, ...]] = {
    WITNESS: (),
    FILE: ("display",),
    CELL: ("display",),
    AUDIT: ("short", "why", "display"),
}
_READINGS = (FindingClass.INTERPRETATION, FindingClass.TYPO)
_BY_AUDIT = (FindingClass.VACUOUS, FindingClass.INCONSISTENT, FindingClass.LOOSE, FindingClass.INTERPRETATION)


class BrokenErrata(BrokenPaper):
    """A table of an errata file breaks a rule; the sentence names the file and the table."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """One table; `display` is the index of the printed fragment that is wrong, None for all of them.

    In a proof, `display` counts the displays of the step's locator. `short` tells a reader of the paper in
    one clause what is wrong; a report opens with it.
    """

    source: str
    statement: str
    place: str
    grade: FindingClass
    kind: str
    evidence: str
    short: str
    matters: str
    why: str
    right: str
    display: int | None
    also_at: tuple[str, ...]

    @property
    def paper(self) -> str:
        return self.statement.partition(".")[0]

    @property
    def locator(self) -> str:
        return self.place.partition(", ")[0]

    @property
    def where(self) -> str:
        return self.place.removesuffix(f" of {self.statement}").partition(", ")[2]

    @property
    def step(self) -> str:
        """The locator of a step of a proof, else nothing."""
        return self.locator if self.where == PROOF else ""

    @property
    def line(self) -> str:
        """A line of a listing, a hypothesis, a case or a term that is read as it is printed, else nothing."""
        return "" if self.where in (PROOF, CONCLUSION) else self.where

    @property
    def label(self) -> str:
        return self.step or " ".join(filter(None, (self.statement, self.line)))


def folder_of(paper: str) -> Path:
    """Where the errata file of a paper lies, and the evidence that it names."""
    package = registered().get(paper)
    try:
        spec = None if package is None else find_spec(package)
    except (ImportError, ValueError):  # whoever asks for its statements is told why
        spec = None
    inside = spec.submodule_search_locations if spec is not None else None
    return Path(inside[0]) if inside else FOLDER / paper


@cache
def of_paper(paper: str) -> tuple[Erratum, ...]:
    """The findings of one paper in the order of its file, without a look at evidence; none without a file."""
    file = folder_of(paper) / NAME
    return read(file, paper) if file.is_file() else ()


@cache
def our_errata() -> tuple[Erratum, ...]:
    """The findings of the papers that come with fedbounds."""
    papers = sorted(file.parent.name for file in FOLDER.glob(f"*/{NAME}"))
    return tuple(erratum for paper in papers for erratum in of_paper(paper))


def matters_at(statement: str, where: str) -> str:
    """Why the finding of an audit at this place matters; empty if no table says so."""
    found = of_paper(statement.partition(".")[0])
    return next((e.matters for e in found if (e.kind, e.statement, e.where) == (AUDIT, statement, where)), "")


def right_instead(statement: str, where: str) -> str:
    """The words that replace those of an audit at this place; empty if the audit's own are kept."""
    place = AUDIT, statement, where
    found = of_paper(statement.partition(".")[0])
    return next((e.right for e in found if (e.kind, e.statement, e.where) == place), "")


def read(file: Path, paper: str) -> tuple[Erratum, ...]:
    """Every table of one file, checked as far as the file alone allows."""
    short = f"{file.parent.name}/{file.name}"
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BrokenErrata(f"{short} cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BrokenErrata(f"{short} is not valid TOML: {error}") from error
    tables = document.get("finding")
    if document.keys() != {"finding"} or not isinstance(tables, list):
        raise BrokenErrata(f"{short} must hold tables [[finding]] and nothing else")
    found = [_erratum(f"{short}, finding {n}", paper, t) for n, t in enumerate(tables, 1)]
    first: dict[tuple[str, str], Erratum] = {}
    for erratum in found:
        other = first.setdefault((erratum.statement, erratum.place), erratum)
        if other is not erratum:
            raise BrokenErrata(f"{erratum.source} repeats the place of {other.source}")
    return tuple(found)


def _erratum(number: str, paper: str, table: Any) -> Erratum:
    if not isinstance(table, dict):
        raise BrokenErrata(f"{number} is not a table")
    source = f"{number} ({table.get('place', 'without a place')})"
    for key in table:
        if key not in _KEYS:
            raise BrokenErrata(f"{source}: unknown key {key!r}; {nearest(key, _KEYS)}")
    kind, evidence = _evidence(source, table.get("evidence"))
    texts = {key: _text(source, key, table.get(key, "")) for key in _TEXTS}
    for key in ("statement", "place", "class", *_NEEDED[kind]):
        if not texts[key]:
            raise BrokenErrata(f"{source} has no {key!r}")
    for key in _WORDLESS[kind]:
        if key in table:
            raise BrokenErrata(f"{source}: the {kind} gives what {key!r} would say; remove the key")
    if kind == WITNESS and evidence.count(".") == 1:
        evidence = f"{paper}.{evidence}"
    erratum = Erratum(
        source=source,
        statement=texts["statement"],
        place=texts["place"],
        grade=_grade(source, texts["class"]),
        kind=kind,
        evidence=evidence,
        short=texts["short"],
        matters=texts["matters"],
        why=texts["why"],
        right=texts["right"],
        display=_display(source, table.get("display")),
        also_at=_places(source, table.get("also_at", [])),
    )
    _check_place(erratum, paper)
    _check_class(erratum)
    if erratum.grade in GRAVE and not erratum.matters:
        raise BrokenErrata(f"{source} is of class {erratum.grade.value!r} and has no 'matters'")
    return erratum


def _text(source: str, key: str, value: object) -> str:
    if not isinstance(value, str) or "\n" in value:
        raise BrokenErrata(f"{source}: {key!r} must be one line of text")
    return value


def _evidence(source: str, value: object) -> tuple[str, str]:
    """The kind of evidence and its name."""
    if not isinstance(value, dict) or len(value) != 1:
        raise BrokenErrata(f"{source} must name one piece of evidence: {', '.join(_NEEDED)}")
    ((kind, name),) = value.items()
    if kind not in _NEEDED:
        raise BrokenErrata(f"{source}: {kind!r} is not a kind of evidence; {nearest(kind, _NEEDED)}")
    if not isinstance(name, str) or not name:
        raise BrokenErrata(f"{source} has no name for its {kind}")
    if kind == FILE and (PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts):
        raise BrokenErrata(f"{source}: the file {name} must lie in the folder of the errata file")
    if kind == AUDIT and name not in AUDITS:
        raise BrokenErrata(f"{source}: no audit is called {name!r}; {nearest(name, AUDITS)}")
    return kind, name


def _grade(source: str, value: str) -> FindingClass:
    known = [grade.value for grade in FindingClass]
    if value not in known:
        raise BrokenErrata(f"{source}: {value!r} is not a class of finding; {nearest(value, known)}")
    return FindingClass(value)


def _display(source: str, value: object) -> int | None:
    if value is None or (type(value) is int and value >= 0):
        return value
    raise BrokenErrata(f"{source}: 'display' must be an index from 0 on")


def _places(source: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and ", " in v for v in value):
        raise BrokenErrata(f"{source}: 'also_at' must be a list of places, each a locator and a part")
    return tuple(value)


def _check_place(erratum: Erratum, paper: str) -> None:
    if not erratum.statement.startswith(f"{paper}."):
        raise BrokenErrata(f"{erratum.source}: {erratum.statement} is not a statement of {paper}")
    if not erratum.where:
        raise BrokenErrata(f"{erratum.source}: a place is a locator and a part, such as 'B.thm4, conclusion'")


def _check_class(erratum: Erratum) -> None:
    """A class that this kind of evidence cannot prove at this kind of place."""
    if erratum.kind == AUDIT:
        proved: tuple[FindingClass, ...] = _BY_AUDIT
    elif erratum.kind in (FILE, CELL):
        proved = (FindingClass.FALSE, *_READINGS) if erratum.where == CONCLUSION else ()
    elif erratum.where == CONCLUSION:
        proved = (FindingClass.FALSE, FindingClass.INCONSISTENT, *_READINGS)
    elif erratum.where == PROOF:
        proved = (FindingClass.PROOF_BROKEN, FindingClass.LOOSE, *_READINGS)
    else:
        proved = (FindingClass.INCONSISTENT, FindingClass.LOOSE, *_READINGS)
    if erratum.grade not in proved:
        what = f"class {erratum.grade.value!r}"
        raise BrokenErrata(f"{erratum.source}: evidence of kind {erratum.kind!r} cannot prove {what} here")
