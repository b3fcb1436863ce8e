"""What is known of a paper is found in its folder, ours or an installed one."""

import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bounds import discovery
from bounds.installed_papers import taken
from verify import paper_modules, papers
from verify.matching import joined

RUNS = """
from verify.matching.runs import Runs
from verify.papers.textbook.runs_gradient_descent import RUNS as OURS
RUNS = Runs(
    algorithm=OURS.algorithm,
    statements=("its.theorem_1",),
    cells=OURS.cells,
)
"""


def forget() -> None:
    for kept in (paper_modules.packages, paper_modules.modules, joined.all_runs, joined._by_statement):
        kept.cache_clear()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a package that a distribution names as its paper."""
    folder = tmp_path / "its_runs"
    folder.mkdir()
    (folder / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(paper_modules, "installed", lambda: {"its": "its_runs"})
    monkeypatch.setattr(discovery, "_left_out", {})
    forget()
    yield folder
    forget()
    for name in [name for name in sys.modules if name.startswith("its_runs")]:
        del sys.modules[name]


def test_runs_of_an_installed_package_are_found(installed: Path) -> None:
    (installed / "runs.py").write_text(RUNS, encoding="utf-8")
    assert "its.theorem_1" in {i for runs in joined.all_runs() for i in runs.statements}


def test_one_statement_is_run_by_one_file(installed: Path) -> None:
    (installed / "runs.py").write_text(RUNS, encoding="utf-8")
    (installed / "runs_again.py").write_text(RUNS, encoding="utf-8")
    with pytest.raises(ValueError, match="is run by two files"):
        joined._by_statement()


def test_an_installed_package_that_is_broken_is_named(installed: Path) -> None:
    (installed / "runs.py").write_text("raise RuntimeError('half\\ndone')", encoding="utf-8")
    assert joined.all_runs(), "the others stay usable"
    (told,) = map(str, discovery.left_out())
    assert re.search(r"its_runs/runs\.py, line 1: RuntimeError: half done;", told)


def test_every_paper_with_statements_about_runs_has_a_folder() -> None:
    folders = {name.rpartition(".")[2] for name in paper_modules.packages()}
    assert {i.partition(".")[0] for runs in joined.all_runs() for i in runs.statements} <= folders


def test_no_package_may_have_the_name_of_a_folder_here() -> None:
    folders = {found.name for found in pkgutil.iter_modules(papers.__path__) if found.ispkg}
    assert folders <= taken()
