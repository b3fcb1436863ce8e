"""docs/add_a_statement.md works as it stands: its files written, its commands run, in a copy of the tree."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "add_a_statement.md"
FENCE = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OBJECTING = "tests/bounds/test_printed.py"
IDENTITY = "textbook.gradient_descent_classical"


def _blocks() -> list[tuple[str, str, str]]:
    return FENCE.findall(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with the page's files written into it."""
    copy = tmp_path_factory.mktemp("tree")
    skipped = shutil.ignore_patterns("__pycache__", ".*_cache")
    for name in ("bounds", "synthetic", "verify", "reports", "tests", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=skipped)
    shutil.copy(ROOT / "pyproject.toml", copy)
    files = [(target, text) for _, target, text in _blocks() if target]
    assert files
    for target, text in files:
        assert not (copy / target).exists(), f"{target} exists already: the page adds nothing"
        (copy / target).write_text(text, encoding="utf-8")
    return copy


def _run(command: str, tree: Path) -> subprocess.CompletedProcess[str]:
    binaries = str(Path(sys.executable).parent)
    environment = os.environ | {
        "PYTHONPATH": str(tree),  # the copy goes before what is installed
        "PATH": os.pathsep.join([binaries, os.environ.get("PATH", "")]),
        "PYTHONDONTWRITEBYTECODE": "",  # the copy is compiled once, not by every command
    }
    return subprocess.run(
        ["bash", "-e", "-c", command], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def printed(tree: Path) -> dict[str, str]:
    """What each block of commands prints, in the order of the page; every command succeeds."""
    shown = {}
    for command in [text for kind, _, text in _blocks() if kind == "sh"]:
        done = _run(command, tree)
        assert done.returncode == 0, done.stdout + done.stderr
        shown[command] = done.stdout
    return shown


def test_every_command_of_the_page_succeeds_and_gives_the_number(printed: dict[str, str]) -> None:
    assert len(printed) >= 3
    looked, tested, _ = printed.values()
    assert f"{2 * 2 / 10:.6g}" in looked
    assert " passed" in tested


def test_the_new_statement_is_listed(tree: Path) -> None:
    assert IDENTITY in _run("fedbounds list --json", tree).stdout


def test_the_new_statement_is_judged_and_comes_as_near_as_the_page_says(
    printed: dict[str, str], tree: Path
) -> None:
    """Where the tight bound with N = 5 is attained: (4/17)/(2/6)."""
    (folder,) = re.findall(r"--out (\S+)", "".join(printed))
    cells = json.loads((tree / folder / "record.json").read_text(encoding="utf-8"))["cells"]
    assert {cell["verdict"] for cell in cells} == {"holds"}
    best = max(cell["ratio"] for cell in cells if cell["parameters"]["N"])
    assert best == pytest.approx(12 / 17, rel=1e-12)
    assert f"best ratio of this statement is {best:.2f}," in PAGE.read_text(encoding="utf-8")
    assert [cell["ratio"] for cell in cells if not cell["parameters"]["N"]] == [1]


def test_a_wrong_formula_is_caught(tree: Path, tmp_path: Path) -> None:
    """A square too many and a printed fragment changed: the audit and the suite of the page both object."""
    broken = tmp_path / "broken"
    shutil.copytree(tree, broken)
    path = broken / "bounds/papers/textbook/gradient_descent_classical.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("2 * L * f0_gap", "2 * L**2 * f0_gap").replace("{2L", "{4L"))
    assert "F^2/X^2" in _run(f"fedbounds audit {IDENTITY}", broken).stdout
    command = next(text for kind, _, text in _blocks() if "pytest" in text)
    # The file of the folder that objects: the others would only be collected once more.
    objecting = command.replace("tests/bounds", OBJECTING)
    assert objecting != command
    done = _run(objecting, broken)
    assert done.returncode == 1
    assert f"FAILED {OBJECTING}" in done.stdout
