"""Refuse an installation in which another distribution has put files into our packages.

The public index has other distributions named `bounds`, `reports` and `synthetic`. pip lets two distributions
write into one folder without a word, and what is imported then is a mixture. To read what every distribution
has installed takes a second (`importlib.metadata.packages_distributions`). So we look at the folders first,
which takes a millisecond, and read the lists of files only where something is not ours.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

OURS = "fedbounds"
PACKAGES = ("bounds", "reports", "synthetic", "verify")
HOME = Path(__file__).resolve().parent.parent


class MixedInstallation(ImportError):
    """Another distribution has files in one of our packages."""


def refuse_mixtures(home: Path = HOME, folders: Iterable[str] | None = None) -> None:
    """Raise where a distribution on the import path has installed files into a package named like ours."""
    elsewhere = {Path(folder or ".").resolve() for folder in (sys.path if folders is None else folders)}
    suspects = [home] if _holds_strange_files(home) else []
    suspects += [folder for folder in sorted(elsewhere - {home}) if _holds_our_names(folder)]
    found = [intruder for folder in suspects for intruder in _intruders(folder)]
    if found:
        names = ", ".join(f"{name} (in {folder})" for name, folder in found)
        raise MixedInstallation(
            f"packages of fedbounds are mixed with files of other distributions: {names}; uninstall these "
            "and install fedbounds again, or give it an environment of its own"
        )


def _holds_our_names(folder: Path) -> bool:
    return any((folder / package).is_dir() for package in PACKAGES)


def _holds_strange_files(home: Path) -> bool:
    """Whether something lies in our packages that our list of files lacks, or has with another size."""
    sizes = {
        path: size for listed in home.glob(f"{OURS}-*.dist-info/RECORD") for path, size in _sizes(listed)
    }
    if not any(path.startswith("bounds/") for path in sizes):
        return False  # a checkout, or an editable installation: nobody installs files there
    known = {"/".join(path.split("/")[:2]) for path in sizes}
    return any(
        _is_strange(entry, known, sizes) for package in PACKAGES for entry in (home / package).iterdir()
    )


def _is_strange(entry: Path, known: set[str], sizes: Mapping[str, int]) -> bool:
    path = f"{entry.parent.name}/{entry.name}"
    if entry.name == "__pycache__":
        return False
    return path not in known or (path in sizes and entry.stat().st_size != sizes[path])


def _sizes(record: Path) -> Iterator[tuple[str, int]]:
    for line in record.read_text(encoding="utf-8").splitlines():
        path, _, size = line.rsplit(",", 2)
        if size:
            yield path, int(size)


def _intruders(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every other distribution that lists files in a package of ours, with that package's folder."""
    for information in sorted(folder.glob("*.dist-info")):
        name = information.name.removesuffix(".dist-info").rpartition("-")[0]
        if name.lower() != OURS:
            yield from ((name, folder / package) for package in _shared(information))


def _shared(information: Path) -> list[str]:
    try:
        files = b"\n" + (information / "RECORD").read_bytes()
    except OSError:  # Debian's packages have none, and nothing is known of their files
        return []
    return [package for package in PACKAGES if b"\n" + package.encode() + b"/" in files]
