"""What this project knows of each paper beside its statements: what is run, tried on objects, refuted.

A paper's folder holds `runs*` (cells and measurements), `objects` (what its lemmas are tried on), `witnesses`
(instances on which it is false) and `errata.toml` (what the witnesses show, in words). Nothing is registered:
a new file is found by its name. An installed distribution names a package of this shape, but for the errata
file, under the entry-point group `fedbounds.runs`.
"""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType

from bounds.errors import BrokenPaper, Misuse

GROUP = "fedbounds.runs"


@cache
def packages() -> tuple[str, ...]:
    """The importable package of each paper, ours first."""
    own = [f"{__name__}.{found.name}" for found in pkgutil.iter_modules(__path__) if found.ispkg]
    return (*own, *sorted(point.value for point in entry_points(group=GROUP)))


@cache
def modules(kind: str) -> tuple[ModuleType, ...]:
    """Load every module whose name begins with `kind`, and every module of a package of that name."""
    names: list[str] = []
    for package in packages():
        for found in pkgutil.iter_modules(_load(package).__path__):
            if found.name.startswith(kind):
                name = f"{package}.{found.name}"
                names += _inside(name) if found.ispkg else [name]
    return tuple(_load(name) for name in names)


def _inside(package: str) -> list[str]:
    return [f"{package}.{found.name}" for found in pkgutil.iter_modules(_load(package).__path__)]


def _load(name: str) -> ModuleType:
    """An installed package that cannot be imported is its author's to mend; one of ours is a defect."""
    try:
        return importlib.import_module(name)
    except Misuse:
        raise
    except Exception as error:
        if name.startswith(f"{__name__}."):
            raise
        reason = " ".join(str(error).split())
        raise BrokenPaper(
            f"the runs in {name} cannot be loaded: {type(error).__name__}: {reason}; mend or uninstall them"
        ) from error
