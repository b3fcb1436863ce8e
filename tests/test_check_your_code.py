"""docs/check_your_code.md works as it stands: files written, commands run, the quoted answer printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "check_your_code.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w+)(?: (file|exit)=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = FENCE.findall(PAGE)
COMMANDS = [(line, int(code)) for kind, _, code, text in BLOCKS if kind == "sh" for line in text.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("code")
    for _, key, name, text in BLOCKS:
        if key == "file":
            (made / name).write_text(text, encoding="utf-8")
    return made


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.thinned(3)
@pytest.mark.parametrize(("command", "code"), COMMANDS)
@pytest.mark.slow("every command of the page; test_your_pages runs one of each page in tier one")
def test_every_command_of_the_page_ends_as_it_says(command: str, code: int, folder: Path) -> None:
    binary = Path(sys.executable).parent / "fedbounds"
    done = _run([str(binary), *command.split()[1:]], folder)
    assert done.returncode == code, done.stdout + done.stderr
    if code == 1:
        (quoted,) = (text for kind, _, _, text in BLOCKS if kind == "text")
        assert all(line in done.stdout for line in quoted.splitlines()), done.stdout


@pytest.mark.slow("runs pytest as a process")
def test_the_test_of_the_page_passes(folder: Path) -> None:
    done = _run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mended.py"], folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_has_files_and_commands_of_both_kinds() -> None:
    assert {code for _, code in COMMANDS} == {0, 1}
    assert {name for _, key, name, _ in BLOCKS if key == "file"} == {
        "federated.py",
        "mended.py",
        "test_mended.py",
    }
