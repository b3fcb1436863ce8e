"""Another distribution's files in one of our packages: refused on the first import, with one sentence."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bounds.installation import PACKAGES, MixedInstallation, refuse_mixtures

ROOT = Path(__file__).resolve().parents[1]


def write_record(site: Path, distribution: str, files: list[str]) -> None:
    information = site / f"{distribution}.dist-info"
    information.mkdir(exist_ok=True)
    lines = [f"{name},sha256=x,{(site / name).stat().st_size}" for name in files]
    (information / "RECORD").write_text("\n".join([*lines, f"{information.name}/RECORD,,"]) + "\n")


def add(site: Path, name: str, text: str = "x = 1\n") -> str:
    path = site / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return name


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder like site-packages, with small packages of our names and what was installed."""
    files = [add(tmp_path, f"{package}/{name}") for package in PACKAGES for name in ("__init__.py", "a/b.py")]
    write_record(tmp_path, "fedbounds-0.1.0", files)
    other = add(tmp_path, "harmless/reports/__init__.py")
    write_record(tmp_path, "harmless-1", [other])
    return tmp_path


def test_an_installation_of_its_own_is_accepted(site: Path) -> None:
    (site / "bounds" / "__pycache__").mkdir()
    refuse_mixtures(site, [str(site)])


@pytest.mark.parametrize("package", PACKAGES)
def test_a_file_of_another_distribution_is_refused(site: Path, package: str) -> None:
    write_record(site, "stranger-2.0", [add(site, f"{package}/theirs.py")])
    with pytest.raises(MixedInstallation, match=rf"stranger \(in .*/{package}\); uninstall"):
        refuse_mixtures(site, [str(site)])


def test_a_file_that_replaced_ours_is_refused(site: Path) -> None:
    write_record(site, "bounds-3.1", [add(site, "bounds/__init__.py", "theirs = True\n")])
    with pytest.raises(MixedInstallation, match=r"bounds \(in "):
        refuse_mixtures(site, [str(site)])


def test_a_distribution_elsewhere_on_the_path_is_refused(site: Path, tmp_path: Path) -> None:
    """A checkout, and a distribution of one of our names in site-packages."""
    checkout = tmp_path / "checkout"
    for package in PACKAGES:
        add(checkout, f"{package}/__init__.py")
    write_record(site, "reports-1", ["reports/__init__.py"])
    with pytest.raises(MixedInstallation, match=r"reports \(in "):
        refuse_mixtures(checkout, [str(checkout), str(site)])


def test_what_no_distribution_installed_is_the_users_own(site: Path, tmp_path: Path) -> None:
    add(site, "reports/notes.py")
    add(tmp_path / "project", "reports/january.py")
    refuse_mixtures(site, [str(site), str(tmp_path / "project")])


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pip would install, with a stranger's file among it."""
    target = tmp_path_factory.mktemp("site")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, target / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "fedbounds.py", target)
    ours = [str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()]
    write_record(target, "fedbounds-0.1.0", ours)
    write_record(target, "synthetic-0.9", [add(target, "synthetic/theirs.py")])
    return target


def python(site: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"PYTHONPATH": str(site)}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=site, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("name", ["bounds", "fedbounds"])
def test_the_first_import_refuses(installed: Path, name: str) -> None:
    done = python(installed, "-c", f"import {name}")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("bounds.installation.MixedInstallation: packages of fedbounds are mixed")
    assert f"synthetic (in {installed / 'synthetic'})" in last


@pytest.mark.parametrize("verb", ["doctor", "list", "errata"])
def test_the_command_refuses_in_one_sentence(installed: Path, verb: str) -> None:
    done = python(installed, "-m", "reports.command_line", verb)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith(
        "fedbounds: packages of fedbounds are mixed with files of other distributions"
    )


def test_a_package_that_hides_ours_is_named(tmp_path: Path) -> None:
    add(tmp_path, "bounds/__init__.py")
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-c", "import fedbounds"],
        cwd=tmp_path, env=os.environ | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: {tmp_path / 'bounds'} is not the package bounds of fedbounds")
