"""What installed distributions bring, by name, PACKAGE.NAME; a broken package leaves the others usable.

`synthetic` reads the entry points itself: it shares no code with the side that states theorems.
"""

import pkgutil
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any, TypeVar
from warnings import catch_warnings

import numpy as np

from synthetic.errors import AmbiguousName, BrokenPackage, Refusal, nearest
from synthetic.outside.calls import imported

Value = TypeVar("Value")
OfPackage = Callable[[str], Mapping[str, Value]]  # what a package has, by its name inside the package

GROUP = "fedbounds.papers"
HERE = "here"  # the key of what this process alone has adopted


def _registered() -> dict[str, tuple[str, ...]]:
    """Map each key to the packages that claim it: one, unless two distributions disagree."""
    return _registered_on(tuple(sys.path))


@cache
def _registered_on(path: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for point in entry_points(group=GROUP):
        found[point.name] = tuple(dict.fromkeys((*found.get(point.name, ()), point.value)))
    return found


def package_keys() -> tuple[str, ...]:
    """Every key that an installed distribution registers; no package is imported."""
    return tuple(sorted(_registered()))


def list_names(of_package: OfPackage[Value], adopted: Mapping[str, Value]) -> tuple[str, ...]:
    """All names; a package that is broken has none."""
    found = [f"{key}.{name}" for key in package_keys() for name in _names_or_none(of_package, key)]
    return tuple(sorted((*found, *adopted)))


def _names_or_none(of_package: OfPackage[Value], key: str) -> tuple[str, ...]:
    try:
        return tuple(of_package(key))
    except Refusal:
        return ()


def look_up(
    name: str,
    of_package: OfPackage[Value],
    adopted: Mapping[str, Value],
    unknown: Callable[..., Refusal],
    *,
    asked: str,
    kind: str,
    needed: str,
) -> Value:
    """The value of this name; refused with the nearest name, or why its package is broken."""
    key, _, member = name.partition(".")
    known = {n.partition(".")[2]: v for n, v in adopted.items()} if key == HERE else of_package(key)
    if member in known:
        return known[member]
    raise unknown(
        asked=asked,
        failed=f"the package {key} has no {kind} of this name",
        found=repr(name),
        needed=", ".join(f"{key}.{n}" for n in known) or needed,
        change=f"did you mean {key}.{nearest(member, list(known))}?" if known else "define one",
    )


def refuse_two(key: str, name: str, kind: str, places: str, needed: str) -> AmbiguousName:
    return AmbiguousName(
        asked=f"{key}.{name}",
        failed=f"two {kind}s of the package have this name",
        found=places,
        needed=needed,
        change="rename one of the functions",
    )


@cache
def modules_of(key: str) -> tuple[ModuleType, ...]:
    """The package and its modules, one level deep; refused in one sentence if they cannot be imported."""
    packages = _registered()[key]
    if len(packages) > 1 or key in _reserved():
        raise AmbiguousName(
            asked=f"package {key}",
            failed="two installed packages have this key" if len(packages) > 1 else "the key is taken",
            found=" and ".join(packages),
            needed="one package for each key",
            change="uninstall one of them, or have its author change the key",
        )
    package = _imported(key, packages[0])
    names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    return (package, *(_imported(key, f"{package.__name__}.{name}") for name in names))


@cache
def _reserved() -> tuple[str, ...]:
    """First words of names that mean something else: adopted values, and our families of problems."""
    families = Path(__file__).parents[1] / "problems"  # not imported: its registry looks here
    return (HERE, *(module.name for module in pkgutil.iter_modules([str(families)])))


_hanging: dict[str, BrokenPackage] = {}  # by module; nobody waits for it again


def _imported(key: str, name: str) -> ModuleType:
    if name in _hanging:
        raise _hanging[name]
    if name in sys.modules and sys.modules[name] is None:  # as Python has it of what must not be imported
        raise _broken(key, name, name, "an import that took too long before, and is not tried again")
    try:
        # it may print, which is no part of a document, and set what the whole process lives with
        with redirect_stdout(sys.stderr), catch_warnings(), np.errstate():
            module = imported(name)
    except (Exception, SystemExit) as error:  # a module may call sys.exit
        broken = _broken(key, name, _place(error, name), f"{type(error).__name__}: {_words(error)}")
        if isinstance(error, TimeoutError):
            known: dict[str, Any] = sys.modules
            _hanging[name], known[name] = broken, None
        raise broken from error
    if name == _registered()[key][0] and not hasattr(module, "__path__"):
        raise _broken(key, name, str(find_spec(name)), "a module, not a package")
    return module


def _broken(key: str, name: str, place: str, found: str) -> BrokenPackage:
    return BrokenPackage(
        asked=f"package {key} ({place})",
        failed=f"{name} cannot be imported",
        found=found,
        needed="a package that imports",
        change="mend or uninstall it",
    )


def _words(error: BaseException) -> str:
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    return " ".join(str(words).split()) or "without a message"


def _place(error: BaseException, name: str) -> str:
    """File and line: of a syntax error its own, else the last one inside the package."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    root = name.partition(".")[0]
    lines = [
        f"{frame.filename}, line {frame.lineno}"
        for frame in extract_tb(error.__traceback__)
        if root in Path(frame.filename).parts[:-1]
    ]
    return lines[-1] if lines else name
