"""The code and the reference on one scene, and what can be said of it exactly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import final
from zlib import crc32

import numpy as np

from synthetic.engine.randomness import Floats
from synthetic.errors import AuthorMistake, NotFinite
from verify.conformance.lab import ROUNDING, Lab
from verify.conformance.packages.scenes import Scene
from verify.conformance.subject import is_single

SHAKE = 1e-13  # what a sum in another order may change
STEADY = ROUNDING / 10  # of the movement: what the reference may answer to it
SEVERAL, AGAIN = range(1, 9), range(1, 5)  # seeds that tell whether anything is drawn
DIGITS = 2.0**-48  # of the state: a movement that is shorter is rounding


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """The states of both on a scene; mine is None where they are no numbers."""

    scene: Scene
    mine: Floats | None
    theirs: Floats

    def agrees(self, last: int | None = None) -> bool:
        """Whether the states move alike up to rounding, up to this round."""
        if self.mine is None:
            return False
        rows = slice(None if last is None else last + 1)
        return is_alike(self.mine[rows], self.theirs[rows])


def is_alike(mine: Floats, theirs: Floats) -> bool:
    """Equal up to rounding, beside how far the states move and how many digits they have."""
    moved = max(float(np.abs(states - states[0]).max()) for states in (mine, theirs))
    return bool(np.abs(mine - theirs).max() <= ROUNDING * moved + DIGITS * np.abs(theirs).max())


@final
@dataclass(kw_only=True, eq=False)
class Pair:
    """refused: what the code raised, under the words of the scene. alike: both draw the same numbers."""

    code: Lab
    right: Lab
    refused: dict[str, str] = field(default_factory=dict)
    alike: bool = False

    def refuse_other_kinds(self, scene: Scene) -> None:
        """Refuse code of single precision, and code that keeps something between runs, as a listing does."""
        mine, theirs = (self._run(lab, scene) for lab in (self.code, self.right))
        if not is_single(theirs):
            self.code.subject.refuse_single([mine])
        if _is_repeated(self.right, scene, SEVERAL):
            self.code.refuse_memory(scene.shown, scene.settings)

    def steady(self, scene: Scene) -> Floats | None:
        """The states of the reference; None if it has none, draws, or makes a difference of rounding."""
        try:
            theirs, again = (self._run(self.right, one) for one in (scene, scene.shaken(SHAKE)))
            if not (self.alike or _is_repeated(self.right, scene, AGAIN)):
                return None
        except AuthorMistake:
            return None
        moved = float(np.abs(theirs - theirs[0]).max())
        away = float(np.abs((again - again[0]) - (theirs - theirs[0])).max())
        return theirs if away <= STEADY * moved + DIGITS * np.abs(theirs).max() else None

    def see(self, scene: Scene) -> Seen | None:
        """Both on this scene; None if it does not tell right from wrong, or the code refuses it."""
        theirs = self.steady(scene)
        if theirs is None:
            return None
        try:
            return Seen(scene=scene, mine=self._run(self.code, scene), theirs=theirs)
        except NotFinite:
            return Seen(scene=scene, mine=None, theirs=theirs)
        except AuthorMistake as error:
            self.refused[scene.words] = str(error.found)
            return None

    def draws(self, scene: Scene) -> bool:
        """Whether the states depend on the seed, of the reference or of the code."""
        return any(not _is_repeated(lab, scene, SEVERAL) for lab in (self.right, self.code))

    def draws_alone(self, scene: Scene) -> bool:
        """Whether the code depends on the seed on a scene on which the reference does not."""
        try:
            return not (self.alike or _is_repeated(self.code, scene, AGAIN))
        except AuthorMistake:
            return False

    def is_seeded(self, scene: Scene) -> bool:
        """Whether the code draws the same numbers again under the seed that it had."""
        return _is_repeated(self.code, scene, (1,) * 4)

    def draws_alike(self, scenes: Iterable[Scene], seeds: range) -> bool:
        """Whether both draw the same numbers from the generator that they are given."""
        for scene in scenes:
            for seed in seeds:
                mine, theirs = (
                    lab.run(scene.shown, scene.settings, scene.rounds, seed=seed)
                    for lab in (self.code, self.right)
                )
                if not is_alike(mine, theirs):
                    return False
        return True

    def tells_in_law(self, scene: Scene) -> bool:
        """Whether the reference draws here, or has steady states: laws tell nothing of rounding."""
        try:
            drawn = not _is_repeated(self.right, scene, SEVERAL)
        except AuthorMistake:
            return False
        return drawn or self.steady(scene) is not None

    def _run(self, lab: Lab, scene: Scene) -> Floats:
        """Under a seed of the scene's own if both draw alike, else under a new one."""
        seed = crc32(scene.words.encode()) if self.alike else None
        return lab.run(scene.shown, scene.settings, scene.rounds, seed=seed)


def _is_repeated(lab: Lab, scene: Scene, seeds: Sequence[int]) -> bool:
    """Whether all runs are alike; two of a draw from few outcomes may be alike by chance."""
    runs = (lab.run(scene.shown, scene.settings, scene.rounds, seed=lab.seed + seed) for seed in seeds)
    first = next(runs)
    return all(is_alike(first, other) for other in runs)
