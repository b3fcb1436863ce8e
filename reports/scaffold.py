"""A package of one's own with a theorem, lemma, algorithm or problem that works: whole, or not at all."""

import keyword
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final, final

from reports.errors import BadOption, RefusedTarget
from reports.inputs.files import umask

# Every package has these; the tests of a scaffold run on it as it is.
COMMON = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "@PAPER@/__init__.py": "paper.py.txt",
    "@PAPER@/notation.py": "notation.py.txt",
    "@PAPER@/py.typed": "",
}
THEOREM = {"@PAPER@/@NAME@.py": "theorem.py.txt", "tests/test_@NAME@.py": "test_theorem.py.txt"}
VERDICT = {"tests/test_@NAME@_verdict.py": "test_verdict.py.txt"}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Scaffold:
    """What a kind of package has: its files by template, the sections of its transcription, what is judged.

    `statement` is the id in the package of what the README and the test judge; `on` the problem of the
    package on which it is judged, where it has one.
    """

    files: Mapping[str, str]
    sections: tuple[str, ...] = ()
    statement: str = "@NAME@"
    on: str = ""


KINDS: Final[Mapping[str, Scaffold]] = {
    "theorem": Scaffold(files=THEOREM | VERDICT, sections=("transcription_theorem.md.txt",)),
    "lemma": Scaffold(files={"@PAPER@/@NAME@.py": "lemma.py.txt"} | VERDICT),
    "algorithm": Scaffold(
        files={"@PAPER@/@NAME@.py": "algorithm.py.txt", "@PAPER@/@NAME@_bound.py": "bound.py.txt"} | VERDICT,
        sections=("transcription_bound.md.txt",),
        statement="@NAME@_bound",
    ),
    "problem": Scaffold(
        files={"@PAPER@/@NAME@.py": "problem.py.txt", "@PAPER@/descent.py": "theorem.py.txt"} | VERDICT,
        sections=("transcription_theorem.md.txt",),
        statement="descent",
        on="@PAPER@.@NAME@",
    ),
}
OF_STATEMENT: Final = ("theorem.py.txt", "test_theorem.py.txt")
OF_THE_PACKAGE = frozenset({"notation", "assumptions", "descent"})


def names(text: str, kind: str = "theorem") -> tuple[str, str]:
    """`PAPER/NAME` as two names that Python can import; dashes become underscores."""
    paper, slash, name = text.replace("-", "_").partition("/")
    if not slash or "/" in name:
        raise BadOption(f"the {kind} is named PAPER/NAME, as in my-paper/{kind}-1, not {text!r}")
    for what, part in (("paper", paper), ("name", name)):
        usable = part.isascii() and part.isidentifier() and part == part.lower() and not part.startswith("_")
        if keyword.iskeyword(part):
            raise BadOption(f"the {what} {part!r} is a reserved word of Python; choose another")
        if not usable:
            raise BadOption(
                f"the {what} {part!r} must be lower-case letters, digits and _, starting with a letter"
            )
    if name in OF_THE_PACKAGE:
        raise BadOption(f"the name {name} is taken by a file of every paper; choose another")
    return paper, name


def check_free(paper: str) -> None:
    """A paper of this name would hide, or be hidden by, something that can be imported already."""
    from bounds.discovery import identities

    if any(identity.startswith(f"{paper}.") for identity in identities()):
        raise RefusedTarget(f"a paper {paper} is installed already; choose another name")
    if paper in sys.stdlib_module_names or find_spec(paper) is not None:
        raise RefusedTarget(f"{paper} is the name of an importable package already; choose another name")


def check_target(target: Path) -> None:
    root = Path(__file__).resolve().parents[1]
    if target.resolve().is_relative_to(root):
        raise RefusedTarget(f"{target} is inside fedbounds itself; a package of your own lives outside of it")
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise RefusedTarget(f"{target} exists and is not a folder")
    if target.is_dir() and any(target.iterdir()):
        raise RefusedTarget(f"{target} exists and is not empty; nothing is overwritten")
    if not target.resolve().parent.is_dir():
        raise RefusedTarget(f"{target.resolve().parent} does not exist; make it first")


def scaffold(kind: str, paper: str, name: str, target: Path) -> tuple[str, list[str]]:
    """Write beside the target, then take its name; the id that is judged, and the paths in the target."""
    made = KINDS[kind]
    marks = {"@PAPER@": paper, "@NAME@": name, "@DASHED@": paper.replace("_", "-")}
    marks["@STATEMENT@"] = _marked(made.statement, marks)
    marks["@ON@"] = f', problem="{_marked(made.on, marks)}"' if made.on else ""
    try:
        check_target(target)
        place = target.resolve()
        building = Path(tempfile.mkdtemp(dir=place.parent, prefix=".fedbounds-"))
        try:
            written = _fill(building, made, marks)
            building.chmod(0o777 & ~umask())
            # An empty folder gives way to a rename; one that was filled meanwhile does not.
            os.replace(building, place)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise
    except OSError as error:
        raise RefusedTarget(f"cannot write {target}: {(error.strerror or str(error)).lower()}") from error
    return f"{paper}.{marks['@STATEMENT@']}", written


def _fill(folder: Path, made: Scaffold, marks: dict[str, str]) -> list[str]:
    written = []
    # the file of a theorem goes by the name of its statement, also where the package is made for a problem
    for path, template in (COMMON | dict(made.files)).items():
        own = marks | ({"@NAME@": marks["@STATEMENT@"]} if template in OF_STATEMENT else {})
        target = folder / _marked(path, marks)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_marked(_template(template), own), encoding="utf-8")
        written.append(str(target.relative_to(folder)))
    sections = ["transcription.md.txt", *made.sections]
    named = marks | ({"@NAME@": marks["@STATEMENT@"]} if "transcription_theorem.md.txt" in sections else {})
    text = "\n".join(_marked(_template(section), named) for section in sections)
    (folder / marks["@PAPER@"] / "transcription.md").write_text(text, encoding="utf-8")
    return [*written, f"{marks['@PAPER@']}/transcription.md"]


def _template(name: str) -> str:
    return (files("reports") / "templates" / "package" / name).read_text(encoding="utf-8") if name else ""


def _marked(text: str, marks: dict[str, str]) -> str:
    for mark, value in marks.items():
        text = text.replace(mark, value)
    return text
