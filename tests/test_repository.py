"""The repository itself: what is built, what it may import, what is pinned, what CI runs."""

import email.message
import email.parser
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).resolve()
ROOT = HERE.parents[1]
PACKAGES = {"bounds", "synthetic", "verify", "reports"}
GLOSSARY = "reports/page/glossary.md"
FACADE = "fedbounds.py"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# Not part of the project (.gitignore says the same, but git may be missing where tests run).
LEFTOVERS = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*_cache", ".hypothesis", ".git", ".venv")
OUTPUTS = {"out", "dist", "build"}


def copy_of_the_tree(target: Path) -> Path:
    """All that a clone has, in a folder that a test may change."""

    def leftovers(folder: str, names: list[str]) -> set[str]:
        return LEFTOVERS(folder, names) | (OUTPUTS if Path(folder) == ROOT else set())

    shutil.copytree(ROOT, target, ignore=leftovers)
    return target


# ---- the wheel


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_the_tree(tmp_path_factory.mktemp("build") / "tree")


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """Built by the installed hatchling: no isolation, hence no network."""
    target = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    build = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    assert build.returncode == 0, build.stderr
    (path,) = target.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def dist_info(wheel: zipfile.ZipFile, name: str) -> str:
    (path,) = (p for p in wheel.namelist() if PurePosixPath(p).match(f"*.dist-info/{name}"))
    return wheel.read(path).decode()


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> email.message.Message:
    return email.parser.Parser().parsestr(dist_info(wheel, "METADATA"))


@pytest.fixture(scope="module")
def requirements(metadata: email.message.Message) -> list[Requirement]:
    return [Requirement(line) for line in metadata.get_all("Requires-Dist", [])]


def test_a_wheel_holds_exactly_the_four_packages_and_the_facade(wheel: zipfile.ZipFile) -> None:
    tops = {PurePosixPath(name).parts[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {*PACKAGES, FACADE}


def test_a_wheel_holds_every_file_of_the_packages(wheel: zipfile.ZipFile, tree: Path) -> None:
    """Templates and other data travel too, and no pattern of .gitignore swallows a file of a package."""
    expected = {
        path.relative_to(tree).as_posix()
        for package in PACKAGES
        for path in (tree / package).rglob("*")
        if path.is_file()
    }
    found = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert found == {*expected, FACADE, GLOSSARY}
    assert wheel.read(GLOSSARY) == (tree / "docs" / "glossary.md").read_bytes()


def test_an_editable_installation_finds_the_facade(tree: Path, tmp_path: Path) -> None:
    """By its path, not as a copy that would grow old."""
    program = f"import hatchling.build as b; b.build_editable({str(tmp_path)!r})"
    build = subprocess.run(
        [sys.executable, "-c", program], cwd=tree, capture_output=True, text=True, check=False
    )
    assert build.returncode == 0, build.stderr
    (path,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        (pth,) = (name for name in archive.namelist() if ".dist-info/" not in name)
        assert (Path(pth).suffix, archive.read(pth).decode()) == (".pth", str(tree))


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_every_package_says_that_it_is_typed(wheel: zipfile.ZipFile, package: str) -> None:
    assert f"{package}/py.typed" in wheel.namelist()


def test_the_command_is_installed(wheel: zipfile.ZipFile) -> None:
    assert "fedbounds = reports.command_line:main" in dist_info(wheel, "entry_points.txt").splitlines()


def test_metadata_pins_and_caps_nothing(
    metadata: email.message.Message, requirements: list[Requirement]
) -> None:
    assert metadata["Requires-Python"] == ">=3.11"
    assert requirements
    operators = {f"{r.name} {spec}" for r in requirements for spec in r.specifier if spec.operator != ">="}
    assert not operators
    assert not [r.name for r in requirements if r.url]
    assert [str(r.specifier) for r in requirements if r.name == "torch"] == [">=2.6"]


# ---- the pins


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    entries = [line for line in lines if line.strip() and not line.startswith("#")]
    found = {}
    for entry in entries:
        match = re.fullmatch(
            r"([A-Za-z0-9._-]+)==([A-Za-z0-9.]+)", entry
        )  # no +local part, no range, no marker
        assert match, f"constraints.txt: {entry!r} is not of the form name==version"
        found[str(canonicalize_name(match[1]))] = match[2]
    assert len(found) == len(entries), "constraints.txt names a distribution twice"
    return found


def test_the_tested_torch_is_pinned() -> None:
    assert pins()["torch"] == "2.13.0"


def test_every_dependency_of_the_metadata_is_pinned(requirements: list[Requirement]) -> None:
    assert not {canonicalize_name(r.name) for r in requirements} - pins().keys()
    assert all(r.specifier.contains(pins()[canonicalize_name(r.name)]) for r in requirements)


def test_everything_they_need_is_pinned_too(requirements: list[Requirement]) -> None:
    """Otherwise two fresh installations could differ. What torch needs depends on its build: left out."""
    seen: set[tuple[str, str]] = set()
    # `make test` installs neither what benchmarks are compared with nor what the site and the adapters need
    left_out = [f'extra == "{extra}"' for extra in ("bench", "docs", "frameworks")]
    installed = [r for r in requirements if not any(extra in str(r.marker) for extra in left_out)]
    todo = [(str(canonicalize_name(r.name)), extra) for r in installed for extra in ("", *r.extras)]
    while todo:
        name, extra = todo.pop()
        if (name, extra) in seen or name == "torch":
            continue
        seen.add((name, extra))
        for line in importlib.metadata.requires(name) or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                todo += [(str(canonicalize_name(needed.name)), e) for e in ("", *needed.extras)]
    assert not {name for name, _ in seen} - pins().keys()


# ---- the import law

LINT_IMPORTS = Path(sysconfig.get_path("scripts")) / "lint-imports"


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "200"}  # the copy, not ROOT
    command = [str(LINT_IMPORTS), "--no-cache"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def lawful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_the_tree(tmp_path_factory.mktemp("imports") / "tree")


def test_the_import_law_is_kept(lawful: Path) -> None:
    result = lint_imports(lawful)
    assert result.returncode == 0, result.stdout


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("bounds", "synthetic"),
        ("synthetic", "bounds"),
        ("bounds", "verify"),
        ("synthetic", "verify"),
        ("verify", "reports"),
        ("bounds", "torch"),
        ("bounds", "matplotlib"),
        ("verify.matching", "verify.records"),
    ],
)
def test_a_planted_import_breaks_the_law(lawful: Path, importer: str, imported: str) -> None:
    planted = lawful.joinpath(*importer.split("."), "planted.py")
    planted.write_text(f"import {imported}\n")
    try:
        result = lint_imports(lawful)
    finally:
        planted.unlink()
    assert result.returncode == 1, result.stdout
    assert re.search(rf"{importer}\.planted -> {imported}\b", result.stdout), result.stdout


# ---- documents and entry points


PAPERS = ["als_dpfl", "dp_fedavg", "fed_norm_ec", "fedavg_lojasiewicz", "textbook"]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_wheel_holds_every_transcription_and_the_index_links_to_it(
    wheel: zipfile.ZipFile, paper: str
) -> None:
    name = f"bounds/papers/{paper}/transcription.md"
    assert wheel.read(name).decode().startswith("# ")
    assert f"](../../{name})" in (ROOT / "docs" / "theory" / "README.md").read_text()


def test_the_textbook_derives_every_control() -> None:
    """Each under its own heading, with the four parts that make it believable."""
    text = (ROOT / "bounds" / "papers" / "textbook" / "transcription.md").read_text()
    sections = dict(re.findall(r"^### `(T\.[\w.]+)`(.*?)(?=^### |\Z)", text, flags=re.M | re.S))
    assert sections.keys() == {"T.gd.convex", "T.gd.strong", "T.gd.nonconvex", "T.sgd", "T.fedavg.one"}
    for locator, section in sections.items():
        tight = f"**`{locator}.tight`.**"
        parts = ("Hypotheses:", "Conclusion:\n\n$$", "**Derivation.**", tight, "**Sources.**")
        assert not [part for part in parts if part not in section], locator


def test_the_citation_names_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text()
    fields = dict(re.findall(r"^([a-z-]+):[ ]*(.*)$", text, flags=re.M))  # the top level is all we need
    assert fields["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= fields.keys()  # what the format requires besides
    assert fields["title"] == PROJECT["name"]
    assert fields["version"] == PROJECT["version"]
    assert fields["license"] == PROJECT["license"]


SWITCH = re.compile(r"# (?:ruff: )?(?:noqa|type: ignore|pragma)\b(?::[A-Z0-9, ]*|\[[a-z-]+\])?(?P<reason>.*)")


def unexplained(text: str) -> list[str]:
    """Lines that switch a check off and do not say why in at least two words."""
    lines = ((line, SWITCH.search(line)) for line in text.splitlines())
    return [line.strip() for line, found in lines if found and len(found["reason"].split()) < 2]


def test_a_check_is_switched_off_for_a_reason() -> None:
    files = [path for folder in (*PACKAGES, "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    found = {str(path): unexplained(path.read_text(encoding="utf-8")) for path in files if path != HERE}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_no_test_switches_mypy_off() -> None:
    """It reads the packages alone, so that nothing would say when the comment is out of date."""
    files = [path for path in (ROOT / "tests").rglob("*.py") if path != HERE]
    assert [str(path) for path in files if "# type: ignore" in path.read_text(encoding="utf-8")] == []


def test_a_switch_without_a_reason_is_seen() -> None:
    bare = ["x = 1  # noqa: E731", "x = 1  # type: ignore[arg-type]", "# ruff: noqa: C408, E501", "x  # noqa"]
    for line in bare:
        assert unexplained(line) == [line]
        assert unexplained(line + "  # one to a line") == []


def test_ci_runs_make_test(tmp_path: Path) -> None:
    """With a make that only records how it was called, and once with one that fails."""
    make = tmp_path / "make"
    make.write_text('#!/bin/sh\necho "called in $PWD: make $*"\nexit "$MAKE_STATUS"\n')
    make.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    for status in (0, 2):
        called = subprocess.run(
            [ROOT / ".ci" / "run"],
            cwd=tmp_path,
            env=environment | {"MAKE_STATUS": str(status)},
            capture_output=True,
            text=True,
        )
        assert f"called in {ROOT}: make test" in called.stdout.splitlines()
        assert called.returncode == status


# ---- the pages

PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")]
PATH = re.compile(r"`((?:bounds|synthetic|verify|reports|benchmarks|docs|tests|examples)/[^`\s]*)`")
PLACEHOLDER = re.compile(r"\b[A-Z]+\b(?!\.md)")  # bounds/papers/KEY


def missing_paths(text: str) -> list[str]:
    """Paths in backticks that lead nowhere; {a,b} are several, capitals any one."""
    missing = []
    for path in PATH.findall(text):
        head, brace, rest = path.partition("{")
        inner, _, tail = rest.partition("}")
        every = [f"{head}{one}{tail}" for one in inner.split(",")] if brace else [path]
        missing += [one for one in every if not any(ROOT.glob(PLACEHOLDER.sub("*", one).rstrip("/")))]
    return missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_on_a_page_exists(page: Path) -> None:
    if page.name != "CHANGELOG.md":  # it speaks of files that are gone
        assert missing_paths(page.read_text(encoding="utf-8")) == []


def test_a_path_that_leads_nowhere_is_seen() -> None:
    text = "`verify/papers/P/witnesses`, `verify/{proofs,instances}/`, `bounds/nothing.py`"
    assert missing_paths(text) == ["verify/instances/", "bounds/nothing.py"]
