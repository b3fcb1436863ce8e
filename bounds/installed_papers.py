"""The papers that exist, ours and those of other installed distributions; none of them is imported."""

import pkgutil
import sys
from collections.abc import Collection, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

GROUP = "fedbounds.papers"
# `verify.papers` has a folder of this name, with what concerns several papers
RESERVED = frozenset({"several"})


@cache
def own() -> Mapping[str, str]:
    """Map the key of each of our papers to its package."""
    modules = pkgutil.iter_modules([str(Path(__file__).with_name("papers"))])
    return {module.name: f"bounds.papers.{module.name}" for module in modules if module.ispkg}


def registered() -> dict[str, str]:
    """Map the key of an installed paper to its package; it may not take a key of ours."""
    ours = taken()
    return {key: packages[0] for key, packages in _claimed().items() if key not in ours}


def taken() -> frozenset[str]:
    """The keys that no other distribution may have: those of our papers, and the reserved ones."""
    return RESERVED | own().keys()


def contested(ours: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The packages of each key that several installed distributions claim, or one claims that is ours."""
    return {key: packages for key, packages in _claimed().items() if key in ours or len(packages) > 1}


def _claimed() -> dict[str, tuple[str, ...]]:
    return _claims_on(tuple(sys.path))


@cache  # every list of statements asks; what is installed changes with the path, or between processes
def _claims_on(path: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    claimed: dict[str, tuple[str, ...]] = {}
    for point in entry_points(group=GROUP):
        claimed[point.name] = tuple(dict.fromkeys((*claimed.get(point.name, ()), point.value)))
    return claimed
