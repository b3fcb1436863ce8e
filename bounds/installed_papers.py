"""The papers that exist, ours and those of other installed distributions; none of them is imported."""

import pkgutil
from importlib.metadata import entry_points
from pathlib import Path

GROUP = "fedbounds.papers"


def own() -> dict[str, str]:
    """Map the key of each of our papers to its package."""
    modules = pkgutil.iter_modules([str(Path(__file__).with_name("papers"))])
    return {module.name: f"bounds.papers.{module.name}" for module in modules if module.ispkg}


def registered() -> dict[str, str]:
    """Map the key of an installed paper to its package; it may not take the name of one of ours."""
    ours = own()
    return {point.name: point.value for point in entry_points(group=GROUP) if point.name not in ours}
