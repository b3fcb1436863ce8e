"""The modules of the papers' folders and of installed packages, found by name, never registered."""

import importlib
import pkgutil
from functools import cache
from types import ModuleType
from typing import Final

from bounds.discovery import installed, leave_out, load
from bounds.errors import BrokenPaper

HOME: Final = "verify.papers"  # named, not imported: what is in it stands above what looks for it


@cache
def packages() -> tuple[str, ...]:
    """The importable package of each paper, ours first; an installed one that cannot be imported has none."""
    home = importlib.import_module(HOME).__path__
    own = [f"{HOME}.{found.name}" for found in pkgutil.iter_modules(home) if found.ispkg]
    return (*own, *sorted(package for package in installed().values() if _is_usable(package)))


def _is_usable(package: str) -> bool:
    """If it is not, a request for its statements gets the reason."""
    try:
        _load(package)
    except BrokenPaper as error:
        leave_out(package, error)
        return False
    return True


@cache
def modules(kind: str) -> tuple[ModuleType, ...]:
    """Load every module whose name begins with `kind`, and every module of a package of that name."""
    return tuple(module for package in packages() for module in _find_in_package(package, kind))


def _find_in_package(package: str, kind: str) -> list[ModuleType]:
    names: list[str] = []
    try:
        for found in pkgutil.iter_modules(_load(package).__path__):
            if found.name.startswith(kind):
                name = f"{package}.{found.name}"
                names += _inside(name) if found.ispkg else [name]
        return [_load(name) for name in names]
    except BrokenPaper as error:
        if package.startswith(f"{HOME}."):
            raise
        leave_out(package, error)
        return []


def _inside(package: str) -> list[str]:
    return [f"{package}.{found.name}" for found in pkgutil.iter_modules(_load(package).__path__)]


def _load(name: str) -> ModuleType:
    """An installed package that cannot be imported is its author's to mend; one of ours is a defect."""
    if name.startswith(f"{HOME}."):
        return importlib.import_module(name)
    key = next(key for key, package in installed().items() if f"{name}.".startswith(f"{package}."))
    return load(key, name)
