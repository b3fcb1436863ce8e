"""docs/your_algorithm.md and docs/your_problem.md work as they stand: packages built, commands run."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]
PAGES = ("your_algorithm", "your_problem")
FENCE = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(page: str) -> list[tuple[str, str, str]]:
    return FENCE.findall((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the package of every page is installed from its wheel."""
    folder = tmp_path_factory.mktemp("site")
    for page in PAGES:
        source = tmp_path_factory.mktemp(page)
        for _, target, text in _blocks(page):
            if target:
                (source / target).parent.mkdir(exist_ok=True)
                (source / target).write_text(text, encoding="utf-8")
                if "/" not in target and target != "pyproject.toml":
                    (folder / target).write_text(text, encoding="utf-8")
        # built by the installed hatchling: no isolation, hence no network
        (wheel,) = WheelBuilder(str(source)).build(directory=str(source / "dist"))
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    return folder


def _run(command: str, site: Path) -> subprocess.CompletedProcess[str]:
    binaries = str(Path(sys.executable).parent)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)]),
        "PATH": os.pathsep.join([binaries, os.environ.get("PATH", "")]),
    }
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command],
        cwd=site,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


COMMANDS = [text for page in PAGES for kind, _, text in _blocks(page) if kind == "sh"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_pages_succeeds(command: str, site: Path) -> None:
    done = _run(command, site)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_pages_import_from_fedbounds_alone() -> None:
    imported = {
        line.split()[1].partition(".")[0]
        for page in PAGES
        for kind, _, text in _blocks(page)
        if kind == "py"
        for line in text.splitlines()
        if line.startswith(("import ", "from "))
    }
    assert imported == {"numpy", "fedbounds"}


def test_every_file_of_the_pages_is_run_by_a_command_of_the_pages() -> None:
    commands = " ".join(COMMANDS)
    for page in PAGES:
        for kind, target, text in _blocks(page):
            if kind == "py" and not target.endswith("__init__.py"):
                names = re.findall(r"^def (\w+)", text, re.MULTILINE) or [target]
                assert any(name in commands for name in names), target


def test_scaffold_of_the_page_converges_where_fedavg_does_not(site: Path) -> None:
    common = "--problem quadratic.small --set rounds=200 local_step=0.1 local_steps=5"

    def last_gap(words: str) -> float:
        done = _run(f"fedbounds run {words} --json", site)
        (gap,) = (o for o in json.loads(done.stdout)["observables"] if o["name"] == "gap")
        return float(gap["last"]["mean"])

    assert last_gap(f"my_paper.scaffold {common}") < 1e-10
    assert last_gap(f"fedavg {common} participation=full") > 1e-6


def test_a_misspelled_name_is_one_sentence(site: Path) -> None:
    done = _run("fedbounds run my_paper.scafold --problem quadratic.small --set rounds=2", site)
    assert done.returncode == 2
    assert "did you mean my_paper.scaffold" in done.stderr
    done = _run("fedbounds constants my_problems.logcosh", site)
    assert done.returncode == 2
    assert "did you mean my_problems.log_cosh" in done.stderr


def test_a_mistake_of_the_author_is_no_defect_of_fedbounds(site: Path) -> None:
    broken = (site / "my_paper" / "noisy_descent.py").read_text().replace("x.shape", "(3, 3)")
    (site / "my_paper" / "mistaken.py").write_text(broken.replace("noisy_descent", "mistaken"))
    done = _run("fedbounds run my_paper.mistaken --problem quadratic.small --set rounds=2 step=0.1", site)
    (site / "my_paper" / "mistaken.py").unlink()
    assert done.returncode == 2
    assert "mistaken.py, line 8" in done.stderr
    assert "defect" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
