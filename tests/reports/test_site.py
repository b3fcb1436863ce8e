"""The documentation site: a page for every statement, links that lead somewhere, no warning of Sphinx."""

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import bounds
from reports import site
from reports.notebook_page import FailedNotebook, render

DOCS = Path(__file__).parents[2] / "docs"
FEW = ("fed_norm_ec.theorem_1.main", "textbook.gradient_descent_convex", "dp_fedavg.definitions.rho")

SPHINX = (
    find_spec("sphinx") is not None and find_spec("myst_parser") is not None and find_spec("furo") is not None
)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(FEW, id="a few statements"),
        pytest.param(None, id="every statement", marks=pytest.mark.slow("a page of each statement")),
    ],
)
def made(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    folder = tmp_path_factory.mktemp("site") / "source"
    with pytest.MonkeyPatch.context() as patch:
        if request.param is not None:
            patch.setattr(site, "render", lambda notebook: f"# {notebook.stem}\n")
            chosen = tuple(bounds.get(identity) for identity in request.param)
            patch.setattr(bounds, "statements", lambda *_: chosen)
        site.make(DOCS, folder)
    return folder


def test_every_page_is_in_a_table_of_contents(made: Path) -> None:
    """A page that nothing names is one that nobody finds."""
    pages = {str(file.relative_to(made).with_suffix("")) for file in made.rglob("*.md")} - {"index"}
    named = set()
    for file in made.rglob("*.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", file.read_text(encoding="utf-8"), re.DOTALL):
            lines = [line for line in block.splitlines() if line and not line.startswith(":")]
            named |= {line.lstrip("/") for line in lines}
    assert pages == named


def test_links_between_guides_lead_to_pages(made: Path) -> None:
    found = 0
    for file in made.glob("*.md"):
        for target in re.findall(r"\]\(([^)#\s]+)", file.read_text(encoding="utf-8")):
            found += 1
            assert target.startswith("https://") or (file.parent / target).is_file(), f"{file.name}: {target}"
    assert found > 20


def test_a_page_has_what_a_reader_asks_for(made: Path) -> None:
    page = (made / "statements" / "fed_norm_ec.theorem_1.main.md").read_text(encoding="utf-8")
    for words in ("Why it is false", "<math", "Amended form", "fedbounds eval", "R + alpha", 'class="chart"'):
        assert words in page
    assert "<script" not in page


def test_every_paper_is_in_the_bibliography() -> None:
    text = (DOCS / "bibliography.md").read_text(encoding="utf-8")
    papers = {s.paper.key: s.paper for s in bounds.statements() if s.paper.key != "textbook"}
    for key, paper in papers.items():
        assert f"`{key}`" in text
        assert (paper.url or "") in text


def test_a_cell_is_shown_with_its_output_and_a_failing_one_is_named(tmp_path: Path) -> None:
    cells = [("markdown", "# Title"), ("code", "x = 2\nprint(x)\nx + 1"), ("code", "x = None\nx")]
    body = {"cells": [{"cell_type": kind, "source": [source]} for kind, source in cells]}
    notebook = tmp_path / "a.ipynb"
    notebook.write_text(json.dumps(body), encoding="utf-8")
    parts = ["# Title", "```python\nx = 2\nprint(x)\nx + 1\n```", "```text\n2\n3\n```"]
    assert render(notebook) == "\n\n".join([*parts, "```python\nx = None\nx\n```\n"])
    notebook.write_text(json.dumps(body).replace("x + 1", "x / 0"), encoding="utf-8")
    with pytest.raises(FailedNotebook, match=r"a\.ipynb: ZeroDivisionError"):
        render(notebook)


@pytest.mark.slow("runs a notebook")
@pytest.mark.parametrize("notebook", sorted((DOCS / "notebooks").glob("*.ipynb")), ids=lambda f: f.stem)
def test_a_notebook_runs_and_is_stored_without_output(notebook: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in cells)
    assert render(notebook).count("```text") >= 3


@pytest.mark.skipif(not SPHINX, reason="sphinx, myst-parser and furo are not installed: the extra docs")
def test_sphinx_builds_it_without_a_warning(made: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-b",
        "html",
        str(made),
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "index.html").is_file()
