"""docs/your_lemma.md works for a stranger: its files written in an empty folder, its commands run there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "your_lemma.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w+)(?: (file=\S+|fails))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = FENCE.findall(PAGE)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """As typed, but that pip installs beside the folder and asks no index."""
    site = folder.parent / "site"
    offline = {
        "PIP_TARGET": str(site),
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
    }
    paths = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)]),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
    }
    return subprocess.run(
        ["bash", "-e", "-c", command],
        cwd=folder,
        env=os.environ | offline | paths,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow("a package is built twice and seven commands run as processes")
def test_every_block_of_the_page_works_in_an_empty_folder(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    printed = ""
    for kind, option, text in BLOCKS:
        if option.startswith("file="):
            file = folder / option.removeprefix("file=")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        elif kind == "sh":
            for command in text.splitlines():
                done = run(command, folder)
                assert done.returncode == (1 if option == "fails" else 0), done.stdout + done.stderr
                printed += done.stdout
        else:
            assert kind == "text"
            assert text in printed
    assert "holds in all of 792 cases" in printed
    assert "f(x) = 2 x^2" in (folder / "out" / "report" / "index.html").read_text(encoding="utf-8")


def test_the_lemma_of_the_page_is_short_and_the_page_has_no_other_block() -> None:
    (lemma,) = [text for _, option, text in BLOCKS if option == "file=my_lemmas/descent.py"]
    assert len(lemma.splitlines()) <= 25
    assert PAGE.count("\n```") == 2 * len(BLOCKS)
