"""The last lines of a run name every skip with its reason, on one process and on several."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

SKIPS = """
import pytest

def test_in_its_body():
    pytest.skip("reason of the body")

@pytest.mark.skipif(True, reason="reason of the mark")
@pytest.mark.parametrize("x", [1, 2])
def test_by_a_mark(x):
    pass

@pytest.mark.xfail(reason="known", strict=True)
def test_that_is_expected_to_fail():
    assert 0

def test_that_passes():
    pass
"""
REASONLESS = {
    "test_body.py": "import pytest\ndef test():\n    pytest.skip()\n",
    "test_mark.py": "import pytest\n@pytest.mark.skip\ndef test():\n    pass\n",
    "test_module.py": "import pytest\npytest.skip('', allow_module_level=True)\n",
}


def run(folder: Path, files: dict[str, str], *options: str) -> tuple[int, list[str]]:
    """The project's own options and conftest.py, on files in a folder below `tests`."""
    (folder / "tests" / "deep").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copy(ROOT / "tests" / "conftest.py", folder / "tests")
    for name, text in files.items():
        (folder / "tests" / "deep" / name).write_text(text)
    command = [sys.executable, "-m", "pytest", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout.splitlines()


@pytest.mark.thinned(3)
@pytest.mark.parametrize("options", [(), ("-n", "2"), ("-q",)], ids=" ".join)
def test_every_skip_is_named_at_the_end(tmp_path: Path, options: tuple[str, ...]) -> None:
    code, lines = run(tmp_path, {"test_it.py": SKIPS}, *options)
    assert code == 0, lines
    *closing, counts = lines[-4:]
    assert "3 skipped" in counts
    assert sorted(closing) == [
        "SKIPPED tests/deep/test_it.py::test_by_a_mark[1] - Skipped: reason of the mark",
        "SKIPPED tests/deep/test_it.py::test_by_a_mark[2] - Skipped: reason of the mark",
        "SKIPPED tests/deep/test_it.py::test_in_its_body - Skipped: reason of the body",
    ]


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=" ".join)
def test_a_skip_without_a_reason_fails(tmp_path: Path, options: tuple[str, ...]) -> None:
    code, lines = run(tmp_path, REASONLESS, "--continue-on-collection-errors", *options)
    assert code != 0, lines
    told = {line.split(":")[0] for line in lines if line.endswith("write why, pytest.skip('...')")}
    assert {Path(path).name for path in told} == REASONLESS.keys(), lines
