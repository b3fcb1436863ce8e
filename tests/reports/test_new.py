"""new: a package that works as it is, made whole or not at all."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports import scaffold

Fedbounds = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


def _install(project: Path, folder: Path) -> str:
    """Build the wheel, and unpack it as an installer would; the path on which it is found."""
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")],
        cwd=project, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    (wheel,) = (folder / "dist").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return os.pathsep.join([str(ROOT), str(folder / "site")])


@pytest.mark.slow("builds and installs a package")
def test_the_package_builds_is_found_and_passes_its_own_tests(fedbounds: Fedbounds, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    done = fedbounds("new", "theorem", "my-paper/theorem-1", "--out", target, "--json")
    assert (done.code, done.json["id"]) == (0, "my_paper.theorem_1")
    assert all((target / path).is_file() for path in done.json["paths"])
    texts = "".join(path.read_text() for path in target.rglob("*") if path.is_file())
    assert re.findall("@[A-Z]+@", texts) == [], "no mark of a template stays"
    assert list(tmp_path.iterdir()) == [target], "nothing temporary stays"
    path = _install(target, tmp_path)
    listed = run("-m", "reports.command_line", "list", "my-paper", PYTHONPATH=path)
    assert listed.stdout.startswith("my_paper.theorem_1 "), listed.stderr
    point = ["--set", "L=1", "eta=0.5", "f0_gap=2"]
    verbs: list[tuple[int, list[str]]] = [
        (0, ["show", "my_paper.theorem_1", "--steps"]),
        (0, ["eval", "my-paper/theorem-1", *point, "K=99"]),
        (0, ["solve", "my_paper.theorem_1", "--for", "K", "--target", "0.08", *point]),
        (0, ["cite", "my_paper.theorem_1"]),
        (0, ["audit", "my_paper.theorem_1"]),
        (0, ["errata", "my_paper.theorem_1"]),
        (0, ["verify", "my_paper.theorem_1", "--quick", "--workers", "2", "--out", str(tmp_path / "out")]),
        (0, ["replay", str(tmp_path / "out")]),
        (0, ["falsify", "my_paper.theorem_1", "--evaluations", "40", "--out", str(tmp_path / "none.json")]),
        (0, ["compare", "run", "my_paper.theorem_1", "--over", "K=1:10:4", "--out", str(tmp_path / "c")]),
        (0, ["report", str(tmp_path / "out"), "--only", "my_paper"]),
    ]
    for code, verb in verbs:
        told = run("-m", "reports.command_line", *verb, PYTHONPATH=path)
        assert told.returncode == code, (verb, told.stdout, told.stderr)
        assert told.stdout or told.stderr
    tested = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", target, PYTHONPATH=path)
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert " passed" in tested.stdout
    # The order of imports depends on what a project calls its own.
    lint = ("check", "--ignore", "I001", "--config", ROOT / "pyproject.toml", "--no-cache")
    linted = run("-m", "ruff", *lint, target)
    assert linted.returncode == 0, linted.stdout

    shutil.rmtree(tmp_path / "site")
    gone = run("-m", "reports.command_line", "list", "my-paper", PYTHONPATH=str(ROOT))
    assert gone.returncode == 2, "removed: no trace of it stays"


@pytest.mark.slow("judges what a package of every kind brings, as its own test does")
@pytest.mark.parametrize("kind", [kind for kind in scaffold.KINDS if kind != "theorem"])
def test_what_a_package_of_every_kind_brings_is_judged(
    kind: str, fedbounds: Fedbounds, tmp_path: Path
) -> None:
    target, name = tmp_path / kind, "own" if kind == "paper" else "own/thing_bound"
    done = fedbounds("new", kind, name, "--out", target, "--json")
    assert done.code == 0
    texts = "".join(path.read_text() for path in target.rglob("*") if path.is_file())
    assert re.findall("@[A-Z]+@", texts) == [], "no mark of a template stays"
    found = target / "own-1.dist-info"
    found.mkdir()
    (found / "METADATA").write_text("Metadata-Version: 2.1\nName: own\nVersion: 1\n")
    (found / "entry_points.txt").write_text("[fedbounds.papers]\nown = own\n")
    path = os.pathsep.join([str(ROOT), str(target)])
    tested = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", target, PYTHONPATH=path)
    assert tested.returncode == 0, tested.stdout + tested.stderr
    listed = run("-m", "reports.command_line", "list", "own", PYTHONPATH=path)
    assert done.json["id"] in listed.stdout
    linted = run(
        "-m", "ruff", "check", "--ignore", "I001", "--config", ROOT / "pyproject.toml", "--no-cache", target
    )
    assert linted.returncode == 0, linted.stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("theorem", "PAPER/NAME"),
        ("a/b/c", "PAPER/NAME"),
        ("a/", "starting with a letter"),
        ("/b", "starting with a letter"),
        ("1a/b", "starting with a letter"),
        ("A/b", "lower-case"),
        ("a/../b", "PAPER/NAME"),
        ("a/class", "'class' is a reserved word of Python"),
        ("class/def", "'class' is a reserved word of Python"),
        ("é/b", "letters"),
        ("mine/notation", "is taken"),
        ("dp_fedavg/theorem_9", "installed already"),
        ("json/x", "importable package"),
        ("numpy/x", "importable package"),
        ("bounds/x", "importable package"),
    ],
)
def test_names(misuse: Callable[..., str], tmp_path: Path, name: str, said: str) -> None:
    assert said in misuse("new", "theorem", name, "--out", tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(misuse: Callable[..., str], fedbounds: Fedbounds, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name, said in {
        "full": "not empty",
        "file": "not a folder",
        "link": "not a folder",
        "no/x": "does not exist",
    }.items():
        assert said in misuse("new", "theorem", "mine/x", "--out", tmp_path / name)
    assert (tmp_path / "full" / "file").read_text() == "mine"
    assert "inside fedbounds" in misuse("new", "theorem", "mine/x", "--out", ROOT / "mine")
    (tmp_path / "empty").mkdir()
    assert fedbounds("new", "theorem", "mine/x", "--out", tmp_path / "empty").code == 0


def test_half_a_package_is_not_left_behind(
    misuse: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(text: str, marks: dict[str, str]) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(scaffold, "_marked", full)
    assert "no space left" in misuse("new", "theorem", "mine/x", "--out", tmp_path / "x")
    assert list(tmp_path.iterdir()) == []
