"""Algorithms from outside by name, PACKAGE.NAME: found in installed packages, or adopted by this process."""

from functools import cache, lru_cache, partial

from synthetic.errors import AmbiguousName, Refusal, UnknownAlgorithm, nearest
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST
from synthetic.outside import packages
from synthetic.outside.algorithm import Algorithm
from synthetic.outside.execution import carry_out
from synthetic.outside.settings import settings_class
from synthetic.runnable import Runnable

_adopted: dict[str, Algorithm] = {}


def adopt(algorithm: Algorithm) -> str:
    """Give an algorithm a name in this process only, `here.NAME`; a later one of this name replaces it."""
    name = f"{packages.HERE}.{algorithm.name}"
    _adopted[name] = algorithm
    return name


def outside_names() -> tuple[str, ...]:
    """The names of all algorithms from outside; a package that is broken has none."""
    found = [f"{key}.{name}" for key in packages.package_keys() for name in _names_or_none(key)]
    return tuple(sorted((*found, *_adopted)))


def _names_or_none(key: str) -> tuple[str, ...]:
    try:
        return tuple(_of_package(key))
    except Refusal:
        return ()


@cache
def _of_package(key: str) -> dict[str, Algorithm]:
    """The algorithms of a package; the same object in two modules is one algorithm."""
    found: dict[str, Algorithm] = {}
    for module in packages.modules_of(key):
        for value in vars(module).values():
            if not isinstance(value, Algorithm) or found.get(value.name) is value:
                continue
            if value.name in found:
                raise AmbiguousName(
                    asked=f"{key}.{value.name}",
                    failed="two algorithms of the package have this name",
                    found=f"{found[value.name].place} and {value.place}",
                    needed="one round function of each name",
                    change="rename one of the functions",
                )
            found[value.name] = value
    return found


def is_outside(name: str) -> bool:
    """Whether the name begins with the key of an installed package, or was adopted."""
    key, dot, _ = name.partition(".")
    return bool(dot) and (key == packages.HERE or key in packages.package_keys())


def outside_algorithm(name: str) -> Algorithm:
    """The algorithm of this name; refused with the nearest name, or why its package is broken."""
    key, _, member = name.partition(".")
    if key == packages.HERE:
        known = {n.partition(".")[2]: a for n, a in _adopted.items()}
    else:
        known = _of_package(key)
    if member in known:
        return known[member]
    raise UnknownAlgorithm(
        asked=f"run {name!r}",
        failed=f"the package {key} has no algorithm of this name",
        found=repr(name),
        needed=", ".join(f"{key}.{n}" for n in known) or "an Algorithm in a module of the package",
        change=f"did you mean {key}.{nearest(member, list(known))}?" if known else "define one",
    )


def outside_runnable(name: str) -> Runnable:
    return _runnable(name, outside_algorithm(name))


@lru_cache(maxsize=128)
def _runnable(name: str, algorithm: Algorithm) -> Runnable:
    return Runnable(
        name=name,
        settings=settings_class(name, algorithm),
        act=partial(carry_out, name, algorithm),
        observables=(*OF_STATE, *algorithm.observables),
        on_request=OF_STATE_ON_REQUEST,
        outside=True,
    )
