"""README.md shows real output: its console blocks are run and compared, its Python block is executed."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
WIDTH = "100"


def _console() -> list[tuple[str, str]]:
    """Commands and what is shown below each."""
    pairs = []
    for block in re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            pairs.append((command, shown))
    return pairs


def _run(command: str, folder: Path) -> str:
    name, *arguments = shlex.split(command)
    assert name == "fedbounds"
    done = subprocess.run(
        [str(Path(sys.executable).parent / name), *arguments],
        cwd=folder,
        env=os.environ | {"COLUMNS": WIDTH},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def test_console_blocks_show_what_the_commands_print(tmp_path: Path) -> None:
    pairs = _console()
    assert len(pairs) >= 3
    for command, shown in pairs:
        assert _run(command, tmp_path) == shown, command


def test_python_block_runs() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 2
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)  # noqa: S102  # our own page, not a user's input
    assert names["result"].applicable is True
    assert names["found"].excess < 0
