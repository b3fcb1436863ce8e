"""README.md and two pages of docs show real output: their blocks are executed and compared."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reports.command_line import main

ROOT = Path(__file__).parents[1]
PAGES = {
    name: (ROOT / name).read_text(encoding="utf-8")
    for name in ("README.md", "docs/examples.md", "docs/plan.md")
}
TEXT = PAGES["README.md"]
WIDTH = "100"


def _blocks(kind: str, text: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def _console(text: str) -> list[tuple[str, str]]:
    """Commands and what is shown below each."""
    pairs = []
    for block in _blocks("console", text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            pairs.append((command, shown))
    return pairs


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the witnesses, as in a checkout, so that the pages may write beside it."""
    folder = tmp_path / "fedbounds"
    folder.mkdir()
    (folder / "verify").symlink_to(ROOT / "verify")
    return folder


def _run(command: str, folder: Path) -> str:
    """`pip install` goes into a folder of its own; everything else runs as it stands."""
    name, *arguments = shlex.split(command)
    site = folder.parent / "site"
    program = [str(Path(sys.executable).parent / name)]
    if name == "pip":
        program = [sys.executable, "-m", "pip"]
        arguments = [word for word in arguments if word != "-e"]
        arguments += ["--no-deps", "--no-build-isolation", "--target", str(site)]
    path = os.pathsep.join([str(ROOT), str(site)])
    done = subprocess.run(
        [*program, *arguments],
        cwd=folder,
        env=os.environ | {"COLUMNS": WIDTH, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("README.md", 5),
        pytest.param(
            "docs/examples.md",
            4,
            marks=pytest.mark.slow("rechecks the evidence of a finding; the README has the same kind"),
        ),
        pytest.param("docs/plan.md", 5, marks=pytest.mark.slow("plans and simulates on three data sets")),
    ],
)
def test_console_blocks_show_what_the_commands_print(page: str, least: int, checkout: Path) -> None:
    pairs = _console(PAGES[page])
    assert len(pairs) >= least
    assert {shlex.split(command)[0] for command, _ in pairs} <= {"fedbounds", "pip"}
    for command, shown in pairs:
        assert _run(command, checkout) == shown, command


def test_the_lemma_of_the_readme_falls_with_the_counterexample_that_is_named(tmp_path: Path) -> None:
    """The package that `new lemma` writes, with L / 4 in the place of L / 2."""
    program = str(Path(sys.executable).parent / "fedbounds")
    mine = tmp_path / "mine"
    path = os.pathsep.join([str(ROOT), str(mine)])
    environment = os.environ | {"COLUMNS": WIDTH, "PYTHONPATH": path}
    options: dict[str, Any] = {"env": environment, "capture_output": True, "text": True, "check": False}
    with pytest.raises(SystemExit):  # in this process: the README's own commands have one of theirs
        main(["new", "lemma", "my-paper/lemma-1", "--out", str(mine)])
    file = mine / "my_paper" / "lemma_1.py"
    file.write_text(file.read_text().replace("L / 2", "L / 4"))
    (mine / "it.dist-info").mkdir()
    (mine / "it.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: it\nVersion: 1\n")
    (mine / "it.dist-info" / "entry_points.txt").write_text("[fedbounds.papers]\nmy_paper = my_paper\n")
    done = subprocess.run([program, "verify", "my_paper.lemma_1"], **options)
    lines = done.stdout.partition("Counterexample:\n")[2].splitlines()[:4]
    assert done.returncode == 1
    assert f"`{', '.join(line.strip() for line in lines)}`" in TEXT


@pytest.mark.parametrize(("page", "least"), [("README.md", 1), ("docs/examples.md", 2)])
def test_python_blocks_run(page: str, least: int) -> None:
    blocks = _blocks("python", PAGES[page])
    assert len(blocks) >= least
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)  # noqa: S102  # our own page, not a user's input
    assert names["result"].applicable is True
    assert "found" not in names or names["found"].excess < 0


def test_the_readme_is_short_and_says_how_to_find_the_command() -> None:
    assert len(TEXT.splitlines()) <= 120
    before, _, _ = TEXT.partition("$ fedbounds")
    assert "source .venv/bin/activate" in before
    assert ".venv/bin/fedbounds" in before


def test_no_example_writes_over_the_record_of_another() -> None:
    written = [
        target
        for text in PAGES.values()
        for command, _ in _console(text)
        for target in re.findall(r"--out (\S+)", command)
    ]
    assert len(written) == len(set(written))
    assert "out" not in written, "`make report` has its record there"


@pytest.mark.parametrize("page", [*PAGES, "docs/glossary.md", "docs/trust.md"])
def test_links_lead_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", text) if "://" not in target]
    assert targets or page == "docs/glossary.md"
    assert [target for target in targets if not _leads_somewhere(folder, target)] == []


def _leads_somewhere(folder: Path, target: str) -> bool:
    """To a file, and after # to a heading in it."""
    name, _, heading = target.partition("#")
    file = folder / name
    if not heading or not file.exists():
        return file.exists()
    headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return heading in {re.sub(r"[^\w\- ]", "", h).lower().replace(" ", "-") for h in headings}
