"""What changes the key of a stored result: code, never comments, and no file of another statement."""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import bounds
import synthetic
import verify
from bounds import discovery
from verify import sources

ENGINE = '''"""What it does."""

HALF = 0.5  # a comment


def step(x: float) -> float:
    """Half of x."""
    return HALF * x
'''
SAME = {
    "a comment": ENGINE.replace("# a comment", "# another comment, and longer"),
    "a new line": ENGINE.replace("HALF = 0.5", "\n\n\nHALF = 0.5"),
    "a docstring": ENGINE.replace("Half of x.", "Half of\n\n    the number."),
    "no docstring": ENGINE.replace('    """Half of x."""\n', ""),
    "the docstring of the module": ENGINE.replace("What it does.", "What it is for."),
    "layout": ENGINE.replace("HALF * x", "(HALF  *  x)"),
}
OTHER = {
    "a constant": ENGINE.replace("0.5", "0.25"),
    "an operation": ENGINE.replace("HALF * x", "HALF + x"),
    "a name": ENGINE.replace("step", "stride"),
    "a text that is no docstring": ENGINE.replace("return HALF", 'print("now")\n    return HALF'),
}


@pytest.fixture(autouse=True)
def remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where these tests remember a digest: nothing that they plant is found by another process."""
    file = tmp_path / "code.digest"
    monkeypatch.setattr(sources, "REMEMBERED", file)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return file


@pytest.fixture
def digest_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """The digest of an engine of one file."""
    package = tmp_path / "acting"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sources, "PACKAGES", ("acting",))
    monkeypatch.delitem(sys.modules, "acting", raising=False)  # of another test, elsewhere

    def digest(text: str) -> str:
        (package / "step.py").write_text(text)
        return sources.code.__wrapped__()

    return digest


@pytest.mark.parametrize("change", SAME)
def test_what_computes_nothing_changes_no_digest(digest_of: Callable[[str], str], change: str) -> None:
    assert SAME[change] != ENGINE
    assert digest_of(SAME[change]) == digest_of(ENGINE)


@pytest.mark.parametrize("change", OTHER)
def test_what_computes_changes_the_digest(digest_of: Callable[[str], str], change: str) -> None:
    assert digest_of(OTHER[change]) != digest_of(ENGINE)


def test_a_digest_is_remembered_for_files_with_the_same_bytes(
    digest_of: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, remembered: Path
) -> None:
    made = digest_of(ENGINE)
    with monkeypatch.context() as patched:
        patched.setattr(sources, "_tree", None)  # calling it would end in an error
        assert digest_of(ENGINE) == made
    assert digest_of(OTHER["a constant"]) != made
    assert digest_of(ENGINE) == made
    assert list(remembered.parent.glob("code.*")) == [remembered]


@pytest.mark.parametrize("content", ["", "half", "one two three", "ÿ", "0" * 64 + " " + "f" * 64])
def test_a_file_that_remembers_something_else_is_passed_over(
    digest_of: Callable[[str], str], remembered: Path, content: str
) -> None:
    made = digest_of(ENGINE)
    remembered.write_text(content, encoding="utf-8")
    assert digest_of(ENGINE) == made


def test_nothing_is_remembered_where_python_remembers_nothing(
    digest_of: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, remembered: Path
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    made = digest_of(ENGINE)
    assert not remembered.exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sources, "REMEMBERED", remembered / "no" / "folder")
    assert digest_of(ENGINE) == made


def _changed(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    """As if the file ended in one more constant."""
    read = sources._tree

    def tree(path: Path) -> object:
        found = read(path)
        if path == file:
            found.body += sources.ast.parse("PLANTED = 1").body
        return found

    monkeypatch.setattr(sources, "_tree", tree)
    sources.REMEMBERED.unlink(missing_ok=True)  # the bytes of the file are the same


def _folder(package: object) -> Path:
    return Path(str(package.__file__)).parent


@pytest.mark.parametrize(
    "file",
    [
        _folder(synthetic) / "algorithms" / "dp_fedavg.py",
        _folder(verify) / "runs" / "judge.py",
        _folder(verify) / "papers" / "dp_fedavg" / "runs_clipping.py",
        _folder(bounds) / "evaluation" / "evaluate.py",
    ],
    ids=lambda file: file.stem,
)
def test_the_engine_and_the_judge_are_part_of_the_code(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    """The other files are taken for empty ones: reading all of them takes more than a second."""
    read = sources._tree
    monkeypatch.setattr(sources, "_tree", lambda path: read(path) if path == file else ast.parse(""))
    before = sources.code.__wrapped__()
    _changed(monkeypatch, file)
    assert sources.code.__wrapped__() != before


@pytest.mark.slow("digests of every statement")
def test_only_its_own_files_change_the_digest_of_a_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    papers = _folder(bounds) / "papers"
    identity = "dp_fedavg.theorem_2"
    before = {"code": sources.code(), "statement": sources.statement(identity)}
    for file, changes in (
        (papers / "dp_fedavg" / "theorem_2.py", True),
        (papers / "dp_fedavg" / "notation.py", True),
        (papers / "dp_fedavg" / "claims.py", False),
        (papers / "als_dpfl" / "theorem_2.py", False),
    ):
        assert file.is_file()
        with monkeypatch.context() as patched:
            _changed(patched, file)
            assert (sources.statement.__wrapped__(identity) != before["statement"]) is changes, file
            assert sources.code.__wrapped__() == before["code"]


@pytest.fixture
def a_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A paper of another distribution, whose statement imports a sibling of its package."""
    paper = tmp_path / "its_author" / "papers"
    paper.mkdir(parents=True)
    (tmp_path / "its_author" / "__init__.py").touch()
    (tmp_path / "its_author" / "shared.py").write_text("TWO = 2\n")
    (paper / "__init__.py").touch()
    (paper / "theorem_1.py").write_text("from its_author import shared\nfrom ..shared import TWO\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(discovery, "module_of", lambda _: "its_author.papers.theorem_1")
    yield tmp_path / "its_author" / "shared.py"
    for name in [name for name in sys.modules if name.startswith("its_author")]:
        sys.modules.pop(name)


def test_a_file_that_a_strangers_statement_imports_counts(a_paper: Path) -> None:
    before = sources.statement.__wrapped__("its.theorem_1")
    a_paper.write_text("TWO = 2  # the number of sides\n")
    assert sources.statement.__wrapped__("its.theorem_1") == before
    a_paper.write_text("TWO = 3\n")
    assert sources.statement.__wrapped__("its.theorem_1") != before
