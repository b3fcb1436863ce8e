"""The pages for authors work as they stand: their packages are built and installed, their blocks are run."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from verify.proofs.facts import list_facts

ROOT = Path(__file__).parents[1]
PAGES = ("your_theorem", "your_algorithm", "your_lemma", "your_problem", "prove_your_lemma", "your_errata")
# kind, then `file=NAME` or `exit=CODE` or nothing, then the text
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[str, str, str]]:
    return FENCE.findall((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))


def files(page: str) -> dict[str, str]:
    named = [(option, text) for _, option, text in blocks(page) if option.startswith("file=")]
    return {option.removeprefix("file="): text for option, text in named}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the package of every page is installed from its wheel."""
    folder = tmp_path_factory.mktemp("site")
    for page in PAGES:
        source = tmp_path_factory.mktemp(page)
        for target, text in files(page).items():
            (source / target).parent.mkdir(parents=True, exist_ok=True)
            (source / target).write_text(text, encoding="utf-8")
            if "/" not in target and target != "pyproject.toml":
                (folder / target).write_text(text, encoding="utf-8")
        # built by the installed hatchling: no isolation, hence no network
        (wheel,) = WheelBuilder(str(source)).build(directory=str(source / "dist"))
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    return folder


def run(command: str, site: Path) -> subprocess.CompletedProcess[str]:
    """As typed; what pip would install is in the folder already."""
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


def commands(page: str) -> list[tuple[str, int]]:
    """Every line that is typed, with its exit code."""
    return [
        (line, int(option.removeprefix("exit=") or 0))
        for kind, option, text in blocks(page)
        if kind == "sh"
        for line in text.splitlines()
        if not line.startswith("python -m pip install")
    ]


@pytest.mark.slow("every command of the pages, as a process each")
@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_a_page_works_for_a_stranger(page: str, site: Path) -> None:
    shutil.rmtree(site / "out", ignore_errors=True)  # another page's record, which no command replaces
    printed = ""
    for command, code in commands(page):
        done = run(command, site)
        assert done.returncode == code, (command, done.stdout, done.stderr)
        printed += done.stdout
    programs = [text for kind, option, text in blocks(page) if (kind, option) == ("python", "")]
    if programs:
        (site / f"{page}_blocks.py").write_text("\n".join(programs), encoding="utf-8")
        done = run(f"python {page}_blocks.py", site)
        assert done.returncode == 0, done.stderr
    for kind, _, text in blocks(page):
        assert kind != "text" or text in printed


def test_one_command_of_each_page_works(site: Path) -> None:
    """The first tier's share of the test above: what a page installs is found."""
    done = run("fedbounds list", site)
    assert done.returncode == 0, done.stderr
    found = {line.partition(".")[0] for line in done.stdout.splitlines()}
    assert {"one_client", "my_lemmas", "my_proofs"} <= found
    # its evidence is made by the commands of its page, which another test may have run
    assert "my_review" in found or "my_review/errata.toml, finding 1" in done.stderr
    done = run("fedbounds constants my_problems.log_cosh", site)
    assert done.returncode == 0, done.stderr


def test_the_pages_import_from_fedbounds_alone() -> None:
    imported = {
        str(node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).partition(".")[0]
        for page in PAGES
        for kind, _, text in blocks(page)
        if kind == "python"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert imported == {"numpy", "fedbounds", "one_client", "my_lemmas", "my_proofs", "my_review"}


def test_every_file_of_the_pages_is_used_by_a_command_of_the_pages() -> None:
    typed = " ".join(command for page in PAGES for command, _ in commands(page))
    for page in PAGES:
        for target, text in files(page).items():
            if target.endswith(".py") and not target.endswith("__init__.py"):
                names = [*re.findall(r"^def (\w+)", text, re.MULTILINE), target, Path(target).stem]
                used = any(name in typed or name in " ".join(files(page).values()) for name in names)
                assert used, target


def test_the_lemma_of_the_page_is_short() -> None:
    assert len(files("your_lemma")["my_lemmas/descent.py"].splitlines()) <= 25


def test_the_page_on_proofs_lists_the_facts_that_the_checker_knows() -> None:
    page = (ROOT / "docs" / "prove_your_lemma.md").read_text()
    table = page.partition("| fact | at least 0 |")[2].partition("\n\n")[0]
    first = [line.split("|")[1] for line in table.splitlines()[2:]]
    assert sorted(re.findall(r"`(\w+)`", " ".join(first))) == sorted(list_facts("f", "p", "q"))


@pytest.mark.slow("two runs of 200 rounds as processes")
def test_scaffold_of_the_page_converges_where_fedavg_does_not(site: Path) -> None:
    common = "--problem quadratic.small --set rounds=200 local_step=0.1 local_steps=5"

    def last_gap(words: str) -> float:
        done = run(f"fedbounds run {words} --json", site)
        (gap,) = (o for o in json.loads(done.stdout)["observables"] if o["name"] == "gap")
        return float(gap["last"]["mean"])

    assert last_gap(f"my_paper.scaffold {common}") < 1e-10
    assert last_gap(f"fedavg {common} participation=full") > 1e-6


@pytest.mark.slow("processes; misspelled names are tried in one process elsewhere")
def test_a_misspelled_name_is_one_sentence(site: Path) -> None:
    done = run("fedbounds run my_paper.scafold --problem quadratic.small --set rounds=2", site)
    assert done.returncode == 2
    assert "did you mean my_paper.scaffold" in done.stderr
    done = run("fedbounds constants my_problems.logcosh", site)
    assert done.returncode == 2
    assert "did you mean my_problems.log_cosh" in done.stderr


def test_a_mistake_of_the_author_is_no_defect_of_fedbounds(site: Path) -> None:
    broken = (site / "my_paper" / "noisy_descent.py").read_text().replace("x.shape", "(3, 3)")
    (site / "my_paper" / "mistaken.py").write_text(broken.replace("noisy_descent", "mistaken"))
    done = run("fedbounds run my_paper.mistaken --problem quadratic.small --set rounds=2 step=0.1", site)
    (site / "my_paper" / "mistaken.py").unlink()
    assert done.returncode == 2
    assert "mistaken.py, line 8" in done.stderr
    assert "defect" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
