"""The documentation site: a page for every statement, links that lead somewhere, no warning of Sphinx."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import bounds
from reports import site

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
