"""Algorithms and problems of installed packages: found by name, refused in one sentence."""

import sys
from pathlib import Path

import pytest

from synthetic import run
from synthetic.errors import (
    AmbiguousName,
    AuthorMistake,
    BrokenPackage,
    UnknownAlgorithm,
)
from synthetic.outside import algorithms, packages, problems
from synthetic.outside.algorithms import outside_names
from synthetic.problems import build
from synthetic.run import runnable

ALGORITHM = """
from fedbounds import REQUIRED, Algorithm

def {name}(state, clients, settings, random):
    return state - settings.step * clients.gradient(state)

{variable} = Algorithm(round={name}, settings={{"step": REQUIRED}})
"""
PROBLEM_OF = """
import numpy as np
from fedbounds import OwnProblem

def {name}(*, clients: int = 2) -> OwnProblem:
    return OwnProblem(clients=clients, dimension=1, value=lambda i, x: x @ x, gradient=lambda i, x: 2 * x)
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder on the import path; call it with a key, a package and the texts of its modules."""
    caches = (
        packages._registered_on,
        packages.modules_of,
        algorithms._find_in_package,
        algorithms._runnable,
        problems._find_in_package,
    )

    def install(key: str, package: str, **modules: str) -> Path:
        folder = tmp_path / package
        folder.mkdir(exist_ok=True)
        for name, text in {"__init__": "", **modules}.items():
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[fedbounds.papers]\n{key} = {package}\n")
        for cache in caches:
            cache.cache_clear()
        return folder

    monkeypatch.syspath_prepend(str(tmp_path))
    yield install
    for cache in caches:
        cache.cache_clear()
    for name in [n for n in sys.modules if n.partition(".")[0].startswith("its_")]:
        del sys.modules[name]


def test_a_package_is_found_and_run_by_name(site):
    site(
        "mine", "its_a", steps=ALGORITHM.format(name="go", variable="GO"), own=PROBLEM_OF.format(name="bowl")
    )
    assert "mine.go" in outside_names()
    settings = runnable("mine.go").settings(start=[3.0], rounds=2, step=0.25)
    trace = run("mine.go", build("mine.bowl"), settings, replicates=2, seed=0, stream="a", observe=["state"])
    assert trace.measurements["state"][0, :, 0].tolist() == [3.0, 1.5, 0.75]
    with pytest.raises(UnknownAlgorithm, match=r"did you mean mine\.go"):
        runnable("mine.goo")


def test_the_same_algorithm_in_two_modules_is_one(site):
    again = "from its_b.steps import GO"
    site("mine", "its_b", steps=ALGORITHM.format(name="go", variable="GO"), more=again, __init__=again)
    assert [name for name in outside_names() if name.startswith("mine.")] == ["mine.go"]


def test_two_algorithms_of_one_name_are_refused(site):
    text = ALGORITHM.format(name="go", variable="GO")
    site("mine", "its_c", one=text, two=text)
    with pytest.raises(AmbiguousName, match=r"mine\.go: two algorithms .*one\.py.* and .*two\.py"):
        runnable("mine.go")


def test_two_packages_of_one_key_are_refused_and_others_are_not(site):
    text = ALGORITHM.format(name="go", variable="GO")
    site("mine", "its_d", steps=text)
    site("mine", "its_e", steps=text)
    site("other", "its_f", steps=text)
    with pytest.raises(
        AmbiguousName, match=r"package mine: two installed packages .* its_(d and its_e|e and its_d)"
    ):
        runnable("mine.go")
    assert [n for n in outside_names() if not n.startswith("here.")] == ["other.go"]


@pytest.mark.parametrize("key", ["here", "quadratic"])
def test_a_key_that_is_taken(site, key):
    site(key, "its_g", steps=ALGORITHM.format(name="go", variable="GO"))
    with pytest.raises((AmbiguousName, UnknownAlgorithm)):
        runnable(f"{key}.go")
    assert build("quadratic.small").clients == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise RuntimeError('half\\ndone')", "RuntimeError: half done"),
        ("import sys; sys.exit()", "SystemExit"),
        ("def f(:", "SyntaxError"),
        ("import not_there", "ModuleNotFoundError"),
    ],
)
def test_a_package_that_does_not_import_leaves_the_others_usable(site, text, message):
    site("bad", "its_h", steps=text)
    site("good", "its_i", steps=ALGORITHM.format(name="go", variable="GO"))
    with pytest.raises(BrokenPackage, match=message) as caught:
        runnable("bad.go")
    assert "steps.py, line 1" in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(BrokenPackage):
        build("bad.bowl")
    assert "good.go" in outside_names()
    assert runnable("good.go").outside


def test_a_builder_that_fails_is_its_authors(site):
    text = PROBLEM_OF.format(name="bowl").replace("return Own", "1 / 0\n    return Own")
    site("mine", "its_j", own=text)
    with pytest.raises(AuthorMistake, match=r"own\.py, line 6.*ZeroDivisionError"):
        build("mine.bowl")


def test_a_builder_that_hangs_is_ended(site, monkeypatch):
    monkeypatch.setattr(problems, "SECONDS", 0.3)
    text = PROBLEM_OF.format(name="bowl").replace("return Own", "while True: pass\n    return Own")
    site("mine", "its_k", own=text)
    with pytest.raises(AuthorMistake, match=r"own\.py, line 6.*longer than 0\.3 seconds"):
        build("mine.bowl")


def test_an_import_that_hangs_is_ended_and_named(site, monkeypatch):
    monkeypatch.setattr("synthetic.outside.calls.SECONDS", 0.2)
    monkeypatch.setattr(packages, "_hanging", {})
    folder = site("hangs", "their_hangs", rounds="import time\ntime.sleep(60)\n")
    for _ in range(2):  # the second time nobody waits
        with pytest.raises(BrokenPackage, match=r"took longer than 0\.2 seconds and was ended") as raised:
            packages.modules_of("hangs")
        assert f"package hangs ({folder / 'rounds.py'}, line 2)" in str(raised.value)
    packages._hanging.clear()  # as where the side that states theorems waited for it
    with pytest.raises(BrokenPackage, match="an import that took too long before, and is not tried again"):
        packages.modules_of("hangs")
    del sys.modules["their_hangs.rounds"]
