"""Finding statements reads each folder once, however many statements are asked for."""

import pkgutil
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bounds import discovery, errors, limited_imports


@pytest.fixture
def folders(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Which folders were read."""
    read: list[Any] = []
    original: Callable[..., Any] = pkgutil.iter_modules

    def watched(path: Any = None, prefix: str = "") -> Any:
        read.append(tuple(path))
        return original(path, prefix)

    discovery._packages()  # which papers there are has been asked already
    monkeypatch.setattr(pkgutil, "iter_modules", watched)
    discovery._modules.cache_clear()
    yield read
    discovery._modules.cache_clear()


def test_every_folder_is_read_once(folders: list[Any]) -> None:
    found = discovery.statements()
    forms = [form for statement in found for form in discovery.variants(statement.id)]
    assert len(forms) > len(found) > 200
    papers = {statement.paper.key for statement in found}
    assert len(folders) == len(set(folders)) == len(papers)


def test_who_is_to_mend_a_file_that_cannot_be_imported() -> None:
    with (
        pytest.raises(errors.BrokenPaper, match="the paper its of the package author cannot be loaded"),
        discovery._blame_author("its", "author.theorem_1"),
    ):
        raise NameError("x")
    # one of ours is a defect of fedbounds, and told as one
    with pytest.raises(NameError), discovery._blame_author("textbook", "bounds.papers.textbook.theorem"):
        raise NameError("x")


HANGS = """
import time
def wait():
    while True:
        try:
            time.sleep(60)
        except Exception:
            pass
wait()
"""


@pytest.fixture
def hanging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(limited_imports, "SECONDS", 0.2)
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "author_hangs"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "lemma.py").write_text(HANGS)
    return folder


def test_an_import_that_hangs_is_ended_and_named(hanging: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "_broken", {})
    where = re.escape(f"{hanging / 'lemma.py'}, line 6: OutOfTime: the import took longer than 0.2 seconds")
    for _ in range(2):  # the second time nobody waits
        with pytest.raises(errors.BrokenPaper, match=where):
            discovery.load("its", "author_hangs.lemma")
    discovery._broken.clear()  # as where the side that runs algorithms waited for it
    with pytest.raises(errors.BrokenPaper, match="its import took too long before, and is not tried again"):
        discovery.load("its", "author_hangs.lemma")
    del sys.modules["author_hangs.lemma"]
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_timer_of_somebody_else_is_left_alone(hanging: Path) -> None:
    """As that of a test that is to end, or of a user who waits less long."""

    class Theirs(Exception):
        pass

    def end(*_: object) -> None:
        raise Theirs

    before = signal.signal(signal.SIGALRM, end)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(Theirs), limited_imports.limited():
            signal.pause()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def test_an_interruption_names_what_was_imported() -> None:
    with pytest.raises(KeyboardInterrupt) as raised, discovery._blame_author("its", "author.lemma"):
        raise KeyboardInterrupt
    assert raised.value.__notes__ == ["while author.lemma was imported"]


def test_a_folder_that_has_the_name_of_a_package_is_not_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the folder of a project around the environment in which fedbounds lies."""
    theirs, ours = tmp_path / "site" / "author_x" / "lemma.py", tmp_path / "author_x" / "bounds" / "raises.py"
    for file in (theirs, ours):
        file.parent.mkdir(parents=True)
    ours.write_text("def fail():\n    raise TypeError('no')\n")
    theirs.write_text("\n\ndef call(fail):\n    fail()\n")
    (theirs.parent / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(theirs.parent.parent))
    made: dict[str, Any] = {}
    for file in (ours, theirs):
        exec(compile(file.read_text(), str(file), "exec"), made)  # noqa: S102  # a frame of that file
    with pytest.raises(TypeError) as raised:
        made["call"](made["fail"])
    assert discovery._place(raised.value, "author_x") == f"{theirs}, line 4"


@pytest.mark.parametrize(
    ("place", "ids"),
    [
        ("A.lem1", "fed_norm_ec.lemma_1"),
        ("A.lem1.s7", "fed_norm_ec.lemma_1"),
        ("B.thm2", "dp_fedavg.theorem_2"),
        ("A.lem7", "fed_norm_ec.lemma_7.c1 (the lemma is its statements c1 to c5)"),
        ("D.F2.s14", "fedavg_lojasiewicz.equation_39 (the same display)"),
        ("A.def.Delta", "fed_norm_ec.heterogeneity.clients or fed_norm_ec.heterogeneity.components"),
    ],
)
def test_who_knows_the_place_in_the_paper_is_told_the_id(place: str, ids: str) -> None:
    with pytest.raises(errors.UnknownStatement, match=f"is a locator, not an id; use {re.escape(ids)}$"):
        discovery.get(place)


@pytest.mark.parametrize("nowhere", ["A", "A.lem", "A.lem10", "X.lem1"])
def test_what_is_no_place_is_an_unknown_name(nowhere: str) -> None:
    with pytest.raises(errors.UnknownStatement, match=f"^no statement {re.escape(nowhere)}:"):
        discovery.get(nowhere)


def test_an_empty_name_is_called_one() -> None:
    with pytest.raises(errors.UnknownStatement, match="an empty name is no id"):
        discovery.get("")


@pytest.mark.parametrize("identity", ["dp_fedavg.theorem_5.general", "dp_fedavg/theorem-5/general"])
def test_the_module_of_a_statement_is_its_file(identity: str) -> None:
    assert discovery.module_of(identity) == "bounds.papers.dp_fedavg.theorem_5"
