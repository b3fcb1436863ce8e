"""What a refutation looks like: curves over one variable, where the run stays, and what is claimed there.

A paper's file `scenes*` maps ids of refuted statements to functions that compute their scene from the same
objects as the witness. A report draws it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import final

from verify.paper_modules import modules


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """One curve: its name and its points in order."""

    name: str
    points: tuple[tuple[float, float], ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """`facts` tell the instance in sentences; `attained` against `allowed` are the two sides as drawn.

    `stays` is the interval that a run never leaves; `x` and `y` name the axes.
    """

    facts: tuple[str, ...]
    x: str
    y: str
    paths: tuple[Path, ...]
    attained: float
    allowed: float
    stays: tuple[float, float] | None = None


MakeScene = Callable[[], Scene]


@cache
def scenes() -> Mapping[str, MakeScene]:
    """The scenes of all papers by the id of the statement that each refutes."""
    return {name: make_scene for module in modules("scenes") for name, make_scene in module.SCENES.items()}
