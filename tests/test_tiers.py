"""The two tiers: what the rule keeps in the first, what a mark must say, which files are named at the end."""

import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bounds.discovery import forms

ROOT = Path(__file__).resolve().parents[1]
CONFTEST = runpy.run_path(str(ROOT / "tests" / "conftest.py"))
WIDTHS = (50, 80)

SAMPLED = """
import pytest
from bounds.discovery import forms

@pytest.mark.sampled
@pytest.mark.parametrize("columns", [50, 80])
@pytest.mark.parametrize("identity", forms())
def test_of_every_statement(identity, columns):
    pass

@pytest.mark.slow("heavy")
def test_heavy():
    pass
"""


def collect(folder: Path, text: str, *options: str) -> tuple[int, list[str]]:
    """The project's own options and conftest.py, on one file."""
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "tests").mkdir(exist_ok=True)
    shutil.copy(ROOT / "tests" / "conftest.py", folder / "tests")
    (folder / "tests" / "test_it.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    return done.returncode, lines


def cases(lines: list[str]) -> set[tuple[str, int]]:
    inside = [line.partition("[")[2].rstrip("]") for line in lines if "test_of_every_statement[" in line]
    return {(identity, int(columns)) for identity, _, columns in (name.rpartition("-") for name in inside)}


def kinds(identities: set[str]) -> set[Any]:
    statements = [forms()[identity] for identity in identities]
    return {(s.paper.key, bool(s.amendment)) for s in statements} | {s.kind for s in statements}


@pytest.mark.slow("collects every test twice")
def test_the_first_tier_keeps_every_paper_and_kind_and_the_second_everything(tmp_path: Path) -> None:
    code, lines = collect(tmp_path, SAMPLED, "-m", "not slow")
    first = cases(lines)
    assert code == 0, lines
    assert kinds({identity for identity, _ in first}) == kinds(set(forms()))
    assert {columns for _, columns in first} == set(WIDTHS)
    assert len(first) < len(forms()) / 10
    assert not any("test_heavy" in line for line in lines)
    code, lines = collect(tmp_path, SAMPLED)
    assert cases(lines) == {(identity, columns) for identity in forms() for columns in WIDTHS}
    assert any("test_heavy" in line for line in lines)


@pytest.mark.parametrize("mark", ["slow", "slow(' ')"])
def test_a_slow_test_says_why(tmp_path: Path, mark: str) -> None:
    code, lines = collect(tmp_path, f"import pytest\n\n@pytest.mark.{mark}\ndef test():\n    pass\n")
    assert code != 0
    assert any("slow without a reason" in line for line in lines), lines


class Terminal:
    """What the closing lines are written to."""

    def __init__(self, **seconds: float) -> None:
        self.lines: list[str] = []
        self.stats = {"passed": [self.report(name, spent) for name, spent in seconds.items()]}

    @staticmethod
    def report(name: str, seconds: float) -> pytest.TestReport:
        return pytest.TestReport(
            f"{name}.py::test", (name, 1, name), {}, "passed", None, "call", duration=seconds
        )

    def section(self, title: str) -> None:
        self.lines.append(title)

    def line(self, text: str) -> None:
        self.lines.append(text)


def closing(**seconds: float) -> list[str]:
    terminal = Terminal(**seconds)
    CONFTEST["pytest_terminal_summary"](terminal)
    return terminal.lines


def test_a_file_beyond_its_share_is_named() -> None:
    even = {f"file_{number}": 10.0 for number in range(20)}
    lines = closing(**even, greedy=90.0)
    assert "greedy.py" in lines[1]
    assert [line for line in lines if line.startswith("WARNING")] == [
        f"WARNING: greedy.py takes 31.0% of the time; its share is {CONFTEST['SHARE']:.0%}"
    ]
    assert not any(line.startswith("WARNING") for line in closing(**even))
    assert closing(quick=1.0) == []


def test_a_case_is_chosen_by_its_name_and_not_by_its_place() -> None:
    mark = SimpleNamespace(kwargs={"each": 2})

    def case(identity: str) -> Any:
        spec = SimpleNamespace(params={"identity": identity})
        return SimpleNamespace(
            nodeid=f"t.py::t[{identity}]", callspec=spec, get_closest_marker=lambda _: mark
        )

    every = [case(identity) for identity in forms()]
    left_out = {c.nodeid for c in CONFTEST["_left_out"](every)}
    assert left_out == {c.nodeid for c in CONFTEST["_left_out"](every[::-1])}
    assert 0 < len(every) - len(left_out) <= 2 * len(kinds(set(forms())))
