"""A package of one's own with a statement that works: whole, or not at all."""

import keyword
import os
import shutil
import sys
import tempfile
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from reports.errors import BadOption, RefusedTarget
from reports.inputs.files import umask

# Where each template goes; the tests of a scaffold run on it as it is.
FILES = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "@PAPER@/__init__.py": "package.py.txt",
    "@PAPER@/notation.py": "notation.py.txt",
    "@PAPER@/@NAME@.py": "statement.py.txt",
    "@PAPER@/py.typed": "",
    "@PAPER@/transcription.md": "theory.md.txt",
    "tests/test_@NAME@.py": "test.py.txt",
}
OF_THE_PACKAGE = frozenset({"notation", "assumptions"})


def names(text: str) -> tuple[str, str]:
    """`PAPER/NAME` as two names that Python can import; dashes become underscores."""
    paper, slash, name = text.replace("-", "_").partition("/")
    if not slash or "/" in name:
        raise BadOption(f"the theorem is named PAPER/NAME, as in my-paper/theorem-1, not {text!r}")
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


def scaffold(paper: str, name: str, target: Path) -> list[str]:
    """Write beside the target, then take its name; the paths written, relative to the target."""
    try:
        check_target(target)
        place = target.resolve()
        building = Path(tempfile.mkdtemp(dir=place.parent, prefix=".fedbounds-"))
        try:
            written = _fill(building, paper, name)
            building.chmod(0o777 & ~umask())
            # An empty folder gives way to a rename; one that was filled meanwhile does not.
            os.replace(building, place)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise
    except OSError as error:
        raise RefusedTarget(f"cannot write {target}: {(error.strerror or str(error)).lower()}") from error
    return written


def _fill(folder: Path, paper: str, name: str) -> list[str]:
    marks = {
        "@PAPER@": paper,
        "@NAME@": name,
        "@DASHED@": paper.replace("_", "-"),
    }
    templates = files("reports") / "templates" / "theorem"
    written = []
    for path, template in FILES.items():
        text = (templates / template).read_text(encoding="utf-8") if template else ""
        target = folder / _marked(path, marks)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_marked(text, marks), encoding="utf-8")
        written.append(str(target.relative_to(folder)))
    return written


def _marked(text: str, marks: dict[str, str]) -> str:
    for mark, value in marks.items():
        text = text.replace(mark, value)
    return text
