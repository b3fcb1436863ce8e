"""What code and reference are run on: clients, a start and settings, one question after the other.

A threshold, a floor or a bound in the code shows only where it binds. So lengths of gradients, curvatures,
numbers of clients and of coordinates, and each setting take values far below and far above the usual ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from verify.conformance.instance import Instance, of_data, turned

ROUNDS, LONG_RUN = 4, 25
CLIENTS, DIMENSION, POINTS = 3, 3, 6
STARTS = (0.0, 0.3, -2.0)  # how far from the point where the slopes are measured
LENGTHS = (1e-6, 1e-3, 0.03, 0.3, 3.0, 30.0, 1e3, 1e6)
BENDS = (0.0, 0.05, 5.0, 40.0)
NUMBERS = (1, 2, 5, 9)
DIMENSIONS = (1, 2, 8)
COUNTED = "clients_per_round"  # the documented name of a number that no number of clients may be below
THRESHOLDS = (1.0, 0.03, 30.0)  # lengths of gradients on which each value of a setting is tried
TOGETHER = 8  # choices of all settings
MOST = 15  # settings that are varied


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """One run: on these clients, from their center, with these settings.

    words: what is special about it; brief: the number alone that is special, in a list of such scenes.
    """

    words: str
    brief: str
    shown: Instance
    settings: Mapping[str, Any]
    rounds: int = ROUNDS

    def shaken(self, size: float) -> "Scene":
        """The same scene with a start and slopes that are moved by this share: as rounding would do."""
        random = np.random.default_rng(5)
        shown = self.shown
        moved = [
            rows * (1 + size * random.uniform(-1, 1, rows.shape)) for rows in (shown.slopes, shown.center)
        ]
        return replace(self, shown=replace(shown, slopes=moved[0], center=moved[1]))

    def at(self, settings: Mapping[str, Any]) -> "Scene":
        return replace(self, settings=settings)


def clients(
    n: int = CLIENTS, d: int = DIMENSION, *, length: float = 1.0, bend: float = 1.0, alike: bool = False
) -> Instance:
    """Curved clients whose data points have linear functions of their own; no Hessian is diagonal.

    length: of the gradients; where they are short, so are the coordinates, which leave no digits then.
    alike: all have as many data points.
    """
    random = np.random.default_rng([n, d])
    sizes = [POINTS if alike else 3 + 3 * i % 7 for i in range(n)]
    rows = tuple(length * (random.standard_normal((size, d)) + 0.7) for size in sizes)
    curved = of_data(rows, bend * random.uniform(0.2, 1.1, size=(n, d)))
    curved = replace(curved, center=min(1.0, length) * curved.center)
    return turned(curved) if d > 1 else curved


def from_start(away: float, n: int, *, alike: bool) -> Instance:
    """The usual clients, seen from another start: the center moves, and with it every slope."""
    shown = clients(n, alike=alike)
    step = away * np.linspace(1.0, -0.5, shown.dimension)
    moved = np.array([shown.bend(bends, step) for bends in shown.curvatures])
    assert shown.data is not None
    data = tuple(rows + move for rows, move in zip(shown.data, moved, strict=True))
    return replace(shown, slopes=shown.slopes + moved, data=data, center=shown.center + step)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes the scenes of one comparison; usual: the number of clients where nothing else is asked.

    fixed: settings that have one value everywhere.
    """

    settings: Mapping[str, Any]
    usual: int = CLIENTS
    alike: bool = False
    fixed: frozenset[str] = frozenset()

    def first(self) -> Scene:
        return self._scene("the usual clients", str(ROUNDS))

    def starts(self) -> Iterator[Scene]:
        for away in STARTS:
            scene = replace(self._scene(f"a start that is moved by {away:g}", f"{away:g}"), rounds=1)
            yield replace(scene, shown=from_start(away, self.usual, alike=self.alike))

    def later(self) -> Iterator[Scene]:
        yield self.first()
        scene = self._scene(f"{LONG_RUN} rounds", str(LONG_RUN), bend=0.3)
        yield replace(scene, rounds=LONG_RUN)

    def lengths(self) -> Iterator[Scene]:
        for length in LENGTHS:
            yield self._scene(f"gradients of length {length:g}", f"{length:g}", length=length)

    def bends(self) -> Iterator[Scene]:
        for bend in BENDS:
            yield self._scene(f"curvatures of about {bend:g}", f"{bend:g}", bend=bend)

    def numbers(self) -> Iterator[Scene]:
        for n in NUMBERS:
            scene = self._scene(f"{n} client{'s' * (n > 1)}", str(n))
            settings = dict(self.settings)
            if isinstance(wanted := settings.get(COUNTED), int):
                settings[COUNTED] = n if wanted == self.usual else min(wanted, n)
            yield replace(scene, shown=clients(n, alike=self.alike), settings=settings)

    def dimensions(self) -> Iterator[Scene]:
        for d in DIMENSIONS:
            scene = self._scene(f"{d} coordinate{'s' * (d > 1)}", str(d))
            yield replace(scene, shown=clients(self.usual, d, alike=self.alike))

    def setting(self, name: str, value: Any) -> Iterator[Scene]:
        """This setting with another value, on gradients for which thresholds bind and do not bind."""
        changed = {**self.settings, name: value}
        for length in THRESHOLDS:
            words = words_of(name, value)
            words += "" if length == 1 else f" and gradients of length {length:g}"
            yield self._scene(words, brief_of(value), length=length).at(changed)

    def together(self) -> Iterator[Scene]:
        """All settings at once with other values, or with their own."""
        random = np.random.default_rng(3)
        free = {name: value for name, value in self.settings.items() if name not in self.fixed}
        choices = {name: (value, *others(value)) for name, value in free.items()}
        for count in range(TOGETHER):
            chosen = {name: every[random.integers(len(every))] for name, every in choices.items()}
            words = ", ".join(words_of(name, value) for name, value in chosen.items())
            scene = self._scene(words, str(count + 1), length=LENGTHS[2 + count % 4])
            yield scene.at({**self.settings, **chosen})

    def _scene(self, words: str, brief: str, *, length: float = 1.0, bend: float = 1.0) -> Scene:
        shown = clients(self.usual, length=length, bend=bend, alike=self.alike)
        return Scene(words=words, brief=brief, shown=shown, settings=self.settings)


def words_of(name: str, value: Any) -> str:
    return f"{name} = {brief_of(value)}"


def brief_of(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def near_first(value: Any) -> Sequence[Any]:
    """Other values of a setting, far ones first for a number and near ones first for a count."""
    found = others(value)
    counts = isinstance(value, int) and not isinstance(value, bool)
    return sorted(found, key=lambda other: (abs(other - value), -other)) if counts else found


def others(value: Any) -> Sequence[Any]:
    """Other values of a setting that are sure to be some: a share stays between 0 and 1, a count is positive.

    A value of 0 switches something off, and one of 1 may be the largest of its kind.
    """
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        near = (1, value - 1, value + 1, 2 * value + 1) if value > 0 else (value + 1, value + 2)
        return [other for other in dict.fromkeys(near) if other != value and (other > 0 or value <= 0)]
    if not isinstance(value, float):
        return ()
    if value == 0:
        return (0.1, 0.6)
    if value < 0:
        return (value / 4, 2 * value)
    if value <= 1:
        return (value / 8, value / 2, *(((1 + value) / 2,) if value < 1 else (0.8,)))
    return ((3 + value) / 4, (1 + value) / 2, 1.5 * value, 4 * value)
