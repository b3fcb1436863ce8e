"""A package of one's own with a theorem, lemma, algorithm or problem that works: whole, or not at all."""

import keyword
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final, final

from reports.errors import BadOption, RefusedTarget
from verify.records.file_mode import umask

# Every package has these; the tests of a scaffold run on it as it is.
COMMON = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "@PAPER@/__init__.py": "paper.py.txt",
    "@PAPER@/notation.py": "notation.py.txt",
    "@PAPER@/py.typed": "",
}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Scaffold:
    """What a kind of package has beside the common files.

    `files` and `sections` of the transcription are templates with the name that each goes by; @NAME@ is the
    name that was asked for. The README and the test judge the `statement`, on the problem `on` where it is
    one of the package.
    """

    files: Mapping[str, str]
    sections: Mapping[str, str] = field(default_factory=dict)
    statement: str = "@NAME@"
    on: str = ""


def _theorem(name: str) -> dict[str, str]:
    return {f"@PAPER@/{name}.py": "theorem.py.txt", f"tests/test_{name}.py": "test_theorem.py.txt"}


def _algorithm(name: str) -> dict[str, str]:
    return {f"@PAPER@/{name}.py": "algorithm.py.txt", f"@PAPER@/{name}_bound.py": "bound.py.txt"}


KINDS: Final[Mapping[str, Scaffold]] = {
    "theorem": Scaffold(files=_theorem("@NAME@"), sections={"transcription_theorem.md.txt": "@NAME@"}),
    "lemma": Scaffold(files={"@PAPER@/@NAME@.py": "lemma.py.txt"}),
    "algorithm": Scaffold(
        files=_algorithm("@NAME@"),
        sections={"transcription_bound.md.txt": "@NAME@"},
        statement="@NAME@_bound",
    ),
    "problem": Scaffold(
        files={"@PAPER@/@NAME@.py": "problem.py.txt"} | _theorem("descent"),
        sections={"transcription_theorem.md.txt": "descent"},
        statement="descent",
        on="@PAPER@.@NAME@",
    ),
    "paper": Scaffold(
        files=_theorem("theorem_1")
        | {"@PAPER@/lemma_1.py": "lemma.py.txt"}
        | _algorithm("one_client")
        | {"@PAPER@/ground.py": "problem.py.txt"},
        sections={"transcription_theorem.md.txt": "theorem_1", "transcription_bound.md.txt": "one_client"},
        statement="theorem_1",
    ),
}
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
    from bounds.installed_papers import RESERVED

    if paper in RESERVED:
        raise RefusedTarget(f"the name {paper} is taken by fedbounds; choose another")
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
        raise RefusedTarget(
            f"{target} exists and is not empty, and nothing is overwritten; create the package in another "
            "folder, and move the file of the statement and its tests from there"
        )
    if not target.resolve().parent.is_dir():
        raise RefusedTarget(f"{target.resolve().parent} does not exist; make it first")


def scaffold(kind: str, paper: str, name: str, target: Path) -> tuple[str, list[str]]:
    """Write beside the target, then take its name; the id that is judged, and the paths in the target."""
    chosen = KINDS[kind]
    marks = {"@PAPER@": paper, "@NAME@": name, "@DASHED@": paper.replace("_", "-")}
    try:
        marks["@STATEMENT@"] = _marked(chosen.statement, marks)
        marks["@ON@"] = f', problem="{_marked(chosen.on, marks)}"' if chosen.on else ""
        check_target(target)
        place = target.resolve()
        building = Path(tempfile.mkdtemp(dir=place.parent, prefix=".fedbounds-"))
        try:
            written = _fill(building, chosen, marks)
            building.chmod(0o777 & ~umask())
            # An empty folder gives way to a rename; one that was filled meanwhile does not.
            os.replace(building, place)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise
    except OSError as error:
        raise RefusedTarget(f"cannot write {target}: {(error.strerror or str(error)).lower()}") from error
    return f"{paper}.{marks['@STATEMENT@']}", written


def _fill(folder: Path, chosen: Scaffold, marks: dict[str, str]) -> list[str]:
    written = []
    verdict = {f"tests/test_{marks['@STATEMENT@']}_verdict.py": "test_verdict.py.txt"}
    for path, template in (COMMON | dict(chosen.files) | verdict).items():
        target = folder / _marked(path, marks)
        own = target.stem.removeprefix("test_") if path.startswith("tests/") else target.stem
        own = own.removesuffix("_bound") if template == "bound.py.txt" else own
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_marked(_template(template), marks | {"@NAME@": own}), encoding="utf-8")
        written.append(str(target.relative_to(folder)))
    sections = {"transcription.md.txt": "@NAME@", **chosen.sections}
    texts = [_marked(_template(s), marks | {"@NAME@": _marked(own, marks)}) for s, own in sections.items()]
    (folder / marks["@PAPER@"] / "transcription.md").write_text("\n".join(texts), encoding="utf-8")
    return [*written, f"{marks['@PAPER@']}/transcription.md"]


def _template(name: str) -> str:
    return (files("reports") / "templates" / "package" / name).read_text(encoding="utf-8") if name else ""


def _marked(text: str, marks: dict[str, str]) -> str:
    for mark, value in marks.items():
        text = text.replace(mark, value)
    return text
