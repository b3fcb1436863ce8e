"""Whether the states of code that draws random numbers have the law of the reference's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import final

import numpy as np

from synthetic.engine.randomness import Floats
from synthetic.errors import AuthorMistake
from verify.conformance.laws import TESTS, Mean
from verify.conformance.listing import Part
from verify.conformance.packages.lines import WIDE, hidden_by
from verify.conformance.packages.pair import DIGITS, Pair
from verify.conformance.packages.precision import digits_differ, keeps_digits, rounds_numbers
from verify.conformance.packages.scenes import (
    DIMENSION,
    MOST,
    Maker,
    Scene,
    clients,
    near_first,
    words_of,
)
from verify.conformance.verdict import Observation, Verdict, agrees, differs, not_observable

MANY, FEW = 1000, 400  # runs of each
SEVERAL, LARGE = 8, 30  # coordinates: with more of them a smaller error of independent noise is noticed
UNCOMPARED = (
    "the reference draws random numbers at every setting that was tried, and laws are compared elsewhere"
)
TIE = 1e-9  # of the range of the numbers
LARGEST = 3  # coordinates that are looked at one by one and in pairs
CLAIMS = 300  # more than there are in one comparison; each has an equal share of the level


@final
@dataclass(kw_only=True, eq=False)
class InLaw:
    """hiding: what makes the other lines doubtful, once the usual rounds differ. compared: as in `Exact`."""

    pair: Pair
    maker: Maker
    hiding: str | None = None
    compared: dict[str, list[str]] = field(default_factory=dict)
    _usual: tuple[Floats, Floats] | None = None

    def observe(self, part: Part, name: str) -> Observation:
        if part is Part.DIGITS:
            return self._read_digits()
        if self.hiding is not None:
            return not_observable(part, self.hiding)
        if part in (Part.ROUND, Part.LATER_ROUNDS):
            observation = self._read_usual(part)
            if observation.verdict is Verdict.DIFFERS:
                self.hiding = hidden_by(part)
            return observation
        scenes = list(self._scenes(part, name))
        if not scenes:
            return not_observable(part, "no other value is sure to be one" if name else UNCOMPARED)
        observation = gravest([self._compare(part, name or part.value, scene) for scene in scenes])
        if observation.verdict is Verdict.DIFFERS and part in WIDE:
            self.hiding = hidden_by(part)
        return observation

    def tried(self) -> str:
        """One sentence on all scenes on which laws were compared."""
        words = dict.fromkeys(words for scenes in self.compared.values() for words in scenes)
        return f"laws of the states, from {FEW} or {MANY} runs of each: {'; '.join(words)}"

    def _scenes(self, part: Part, name: str) -> Iterator[Scene]:
        usual = self.maker.usual
        if part is Part.LENGTHS:
            yield from (
                self._scene(f"gradients of length {length:g}", length=length) for length in (0.03, 30.0)
            )
        if part is Part.CURVATURES:
            yield self._scene("curvatures of 8", bend=8.0)
        if part is Part.CLIENTS:
            yield self._scene(f"{2 * usual} clients", n=2 * usual, d=SEVERAL)
        if part is Part.DIMENSION:
            yield self._scene("1 coordinate", d=1)
        if part is Part.DRAWS:
            yield self._scene(f"{LARGE} coordinates and gradients of length 0.03", d=LARGE, length=0.03)
        if part is Part.SETTING:
            value = self.maker.settings[name]
            if list(self.maker.settings).index(name) < MOST:
                for other in near_first(value):
                    scene = self._scene(words_of(name, other), d=SEVERAL, length=0.3)
                    scene = scene.at({**self.maker.settings, name: other})
                    if self.pair.tells_in_law(scene):
                        yield scene
                        return

    def _scene(
        self, words: str, *, n: int | None = None, d: int = DIMENSION, length: float = 1.0, bend: float = 1.0
    ) -> Scene:
        shown = clients(n or self.maker.usual, d, length=length, bend=bend)
        return Scene(words=words, brief=words, shown=shown, settings=self.maker.settings, rounds=2)

    def _compare(self, part: Part, line: str, scene: Scene) -> Observation:
        found = self._sample(part, line, scene, MANY if part is Part.DRAWS else FEW)
        return (
            found if isinstance(found, Observation) else judge(part, scene.words, *found, later=False, row=-1)
        )

    def _read_usual(self, part: Part) -> Observation:
        if self._usual is None:
            found = self._sample(part, part.value, self.maker.first(), MANY)
            if isinstance(found, Observation):
                return found
            self._usual = found
        later = part is Part.LATER_ROUNDS
        return judge(part, self.maker.first().words, *self._usual, later=later, row=-1 if later else 1)

    def _sample(
        self, part: Part, line: str, scene: Scene, count: int
    ) -> "tuple[Floats, Floats] | Observation":
        """States of so many runs of each, or why there are none."""
        samples = []
        for lab, whose in ((self.pair.right, "the reference"), (self.pair.code, "the code")):
            try:
                samples.append(lab.replicates(scene.shown, scene.settings, scene.rounds, count))
            except AuthorMistake as error:
                if lab is self.pair.code:
                    self.pair.refused[scene.words] = str(error.found)
                return not_observable(part, f"{scene.words}: {whose} has no states there: {error.found}")
        self.compared.setdefault(line, []).append(scene.words)
        theirs, mine = samples
        return mine, theirs

    def _read_digits(self) -> Observation:
        scene = replace(self.maker.first(), rounds=2)
        if not self.pair.is_seeded(scene):
            return not_observable(Part.DIGITS, "the code draws other numbers under the same seed")
        if rounds_numbers(self.pair, scene):
            return digits_differ()
        if keeps_digits(self.pair, scene):
            return agrees(
                Part.DIGITS, None, None, "a start that is moved by 1e-9 changes the movement in proportion"
            )
        return not_observable(
            Part.DIGITS, "the reference itself does not answer to a start that is moved by 1e-9"
        )


def judge(part: Part, words: str, mine: Floats, theirs: Floats, *, later: bool, row: int) -> Observation:
    """The states after this round; later: the moves before it as well, which may repeat their numbers."""
    claims = _claims(mine[:, row], theirs[:, row])
    if later:
        claims.append(_successive(mine, theirs))
    spread, spread_too = (float(np.sqrt(runs[:, row].var(axis=0).sum())) for runs in (mine, theirs))
    because = f"{words}: {len(mine)} runs of each, at level 1e-6 of all tests together"
    wrong = next((claim for claim in claims if claim.is_rejected(among=CLAIMS // TESTS)), None)
    if wrong is None:
        return agrees(part, spread, spread_too, f"{because}; the numbers are standard deviations")
    share = (1 + wrong.measured()) / 2
    because = (
        f"{because}: {wrong.name} is larger than the reference's in {share:.1%}, where it should be half"
    )
    return differs(part, spread, spread_too, f"{because}; the numbers are standard deviations")


def _claims(mine: Floats, theirs: Floats) -> list[Mean]:
    """Two samples of one law: whichever is the larger of a pair is a fair coin, for every number of them.

    The middle is that of both together, which no exchange within a pair moves. Where few outcomes are
    possible, equal ones differ by rounding, whose sign is no coin: they are ties.
    """
    center = np.median(np.concatenate([mine, theirs]), axis=0)
    rounding = DIGITS * max(float(np.abs(states).max()) for states in (mine, theirs))
    looked = range(min(LARGEST, mine.shape[1]))
    claims = [_fair(f"coordinate {j}", (mine[:, j], theirs[:, j]), rounding) for j in looked]
    away = (mine - center, theirs - center)
    claims.append(_fair("the distance from the middle", _lengths(away), rounding))
    farthest = max(float(np.abs(rows).max()) for rows in away)
    # one draw for several coordinates leaves the law of each of them as it is
    for i, j in combinations(looked, 2):
        products = (away[0][:, i] * away[0][:, j], away[1][:, i] * away[1][:, j])
        claims.append(_fair(f"the product of coordinates {i} and {j}", products, rounding * farthest))
    sums = (np.abs(away[0].sum(axis=1)), np.abs(away[1].sum(axis=1)))
    claims.append(_fair("the distance of the sum of all coordinates from its middle", sums, rounding))
    return claims


def _lengths(rows: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    return np.linalg.norm(rows[0], axis=1), np.linalg.norm(rows[1], axis=1)


def _successive(mine: Floats, theirs: Floats) -> Mean:
    """Numbers that are used again in the next round leave the law of each round as it is."""
    moves = np.diff(mine[:, :3], axis=1), np.diff(theirs[:, :3], axis=1)
    products = tuple((rows[:, 0] * rows[:, 1]).sum(axis=1) for rows in moves)
    states = max(float(np.abs(rows).max()) for rows in (mine, theirs))
    rounding = DIGITS * states * max(float(np.abs(rows).max()) for rows in moves)
    return _fair("the product of successive moves", (products[0], products[1]), rounding)


def _fair(name: str, compared: tuple[Floats, Floats], rounding: float) -> Mean:
    mine, theirs = compared
    apart = mine - theirs
    tie = rounding + TIE * max(float(np.ptp(mine)), float(np.ptp(theirs)))
    signs = np.where(np.abs(apart) <= tie, 0.0, np.sign(apart))
    return Mean(name=name, samples=signs, mean=0.0, low=-1, high=1, slip="")


def gravest(found: Sequence[Observation]) -> Observation:
    """A difference if there is one, then an agreement: what hides one scene leaves the others."""
    order = ("differs", "agrees", "not observable")
    return min(found, key=lambda one: order.index(one.verdict.value))
