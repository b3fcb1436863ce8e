"""The largest excess in unit cubes: spread points, then differential evolution, then steps nearby.

Everything is counted in evaluations and drawn from the seed: equal budgets and seeds find the same point. No
search tries more points than its budget; it tries fewer where there are no more, where none meets
the conditions, or soon after a refutation.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, final

import numpy as np
from numpy.typing import NDArray

from verify.progress import Progress, silent
from verify.search.trial import Trial

FINALISTS: Final = 3
FIRST_SHARE, LAST_SHARE = 0.4, 0.15  # of the budget: spread points over all families; steps around the best
# Of the seconds, where there is a cap: spread points; what then is left goes to evolution, and to the steps.
SPREADING, EVOLVING = 0.5, 0.7
FEWEST: Final = 8
POPULATION: Final = 24
MORE: Final = (
    96  # evaluations after the first confirmed candidate: a clear witness is worth more than a close one
)
WORST: Final = 3.0  # of the minimised -guide, which is at most 2
NEAR: Final = 0.3
DIFFERENCE: Final = 1e-4  # of a coordinate; trials of runs share their noise, so that it leaves a slope
LENGTHS: Final = 0.5 * 0.25 ** np.arange(8.0)  # of the largest coordinate of a step along the slope
# A share of the sum of the magnitudes: less is rounding, and no confirmation is tried.
CANDIDATE: Final = 1e-9

Floats = NDArray[np.float64]


class Space(Protocol):
    """A unit cube whose points are instances of a statement."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def enough(self) -> int | None:
        """How many points are all that there are; None for a cube."""
        ...

    @property
    def block(self) -> int:
        """Points of one call of `trials`; between two calls is what was found."""
        ...

    def trials(self, points: Floats) -> Iterable[Trial | None]:
        """One after the other, with a look at the clock between them, where each is made by itself."""
        ...

    def instance(self, point: Floats) -> dict[str, Any]: ...


class OutOfTime(Exception):
    """The cap on seconds, or the share of it that a stage has, is reached."""


class Spent(Exception):
    """As many points were tried as may be."""


class Refuted(Exception):
    """A candidate was confirmed, and a while later none that is worse."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    space: Space
    point: Floats
    trial: Trial


@final
@dataclass(slots=True, kw_only=True)
class Search:
    """The state of one attempt. `confirm` is asked about every improvement that rounding does not explain.

    What it does not confirm counts no more. `deadline` is a time of `clock`. `leader`: the best point of a
    cube, where steps start.
    """

    spaces: Sequence[Space]
    evaluations: int
    seed: int
    confirm: Callable[[Best], bool]
    deadline: float | None = None
    clock: Callable[[], float] = time.monotonic
    progress: Progress = silent
    spent: int = 0
    met: int = 0
    best: Best | None = None
    leader: Best | None = None
    refuted_after: int | None = None
    cut: bool = False
    of_spaces: dict[str, float] = field(default_factory=dict)
    asked: Best | None = None
    stage_ends: float | None = None

    def run(self) -> None:
        try:
            starts = self._spread()
            for number, (space, points, values) in enumerate(starts):
                with self._stage(EVOLVING / (len(starts) - EVOLVING * number)):
                    self._evolve(space, points, values, self._share_of_finalists(len(starts)))
            with self._stage(1.0):
                self._climb()
                self._steps_nearby()
        except (Refuted, Spent):
            pass
        in_time = self.deadline is None or self.clock() <= self.deadline
        if self.refuted and in_time and self.best is not None and self.best is not self.asked:
            self.confirm(self.best)

    @property
    def refuted(self) -> bool:
        return self.refuted_after is not None

    @contextmanager
    def _stage(self, share: float) -> Iterator[None]:
        """At most a share of the seconds that are left: no space takes the time of those after it."""
        if self.deadline is not None:
            now = self.clock()
            self.stage_ends = now + share * max(0.0, self.deadline - now)
        try:
            yield
        except OutOfTime:
            self.cut = not self.refuted

    def _share_of_finalists(self, finalists: int) -> int:
        return int(self.evaluations * (1 - FIRST_SHARE - LAST_SHARE)) // max(1, finalists)

    def _share_of_cubes(self) -> int:
        """Points of each: a share of the budget, or a few; never more than finite spaces leave."""
        finite = [space.enough for space in self.spaces if space.enough is not None]
        cubes, left = len(self.spaces) - len(finite), max(0, self.evaluations - sum(finite))
        share = max(FEWEST, int(self.evaluations * FIRST_SHARE) // max(1, len(self.spaces)))
        return min(share, left // max(1, cubes))

    def _spread(self) -> list[tuple[Space, Floats, Floats]]:
        """Scrambled Sobol points in every space; the spaces with the best ones go on."""
        each, seen, count = self._share_of_cubes(), [], len(self.spaces)
        for number, space in enumerate(self.spaces):
            # a finite space may take half; cubes take equal times
            part = SPREADING if space.enough is not None else SPREADING / (count - SPREADING * number)
            with self._stage(part):
                if space.enough is not None:
                    self._values(space, (np.arange(space.enough)[:, None] + 0.5) / space.enough)
                    continue
                if each == 0:
                    continue
                points = self._spread_points(space, each, number)
                values = np.full(len(points), WORST)
                seen.append((space, points, values))
                self._values(space, points, into=values)
        seen.sort(key=lambda entry: float(entry[2].min()))
        return [entry for entry in seen[:FINALISTS] if entry[2].min() < WORST]

    def _spread_points(self, space: Space, each: int, number: int) -> Floats:
        """Every other point near the middle, where standard cells are: what they meet is met around them."""
        from scipy.stats.qmc import Sobol  # here: scipy's distributions take as long to load as all of verify

        sequence = Sobol(space.dimension, seed=self.seed + number)
        points: Floats = sequence.random_base2((each - 1).bit_length())[:each]
        points[1::2] = 0.5 + NEAR * (points[1::2] - 0.5)
        return points

    def _evolve(self, space: Space, points: Floats, values: Floats, budget: int) -> None:
        generations = budget // POPULATION - 1
        if generations < 1 or space.dimension == 0:
            return
        from scipy.optimize import differential_evolution  # loaded on use: a replay needs no optimizer

        order = np.argsort(values, kind="stable")
        drawn = np.random.default_rng(self.seed).random((POPULATION, space.dimension))
        drawn[: min(len(order), POPULATION // 2)] = points[order[: POPULATION // 2]]
        differential_evolution(
            lambda x: self._values(space, x.T),
            [(0.0, 1.0)] * space.dimension,
            init=drawn,
            maxiter=generations,
            mutation=(0.4, 1.0),
            recombination=0.8,
            seed=self.seed,
            tol=0,
            polish=False,
            vectorized=True,
            updating="deferred",
        )

    def _climb(self) -> None:
        """Along the slope, by differences, from the best point; what is flat, like whole numbers, stays."""
        end = self.spent + (self.evaluations - self.spent) // 2
        before = None
        while self.leader is not before and self.spent < end:
            before = self.leader
            if before is None:
                return
            at, inward = before.point, np.where(before.point > 0.5, -DIFFERENCE, DIFFERENCE)
            around = self._values(before.space, at + np.diag(inward))
            slope = np.where(around < WORST, (-around - before.trial.guide) / inward, 0.0)
            slope[(at + np.sign(slope) * DIFFERENCE > 1) | (at + np.sign(slope) * DIFFERENCE < 0)] = 0.0
            if not np.any(slope):
                return
            direction = slope / np.max(np.abs(slope))
            self._values(before.space, np.clip(at + LENGTHS[:, None] * direction, 0.0, 1.0))

    def _steps_nearby(self) -> None:
        """Random directions from the best point; the length shrinks while nothing is gained."""
        generator, length = np.random.default_rng(self.seed + 1), 0.1
        while self.spent < self.evaluations:
            before = self.leader
            if before is None:
                return
            count = min(FEWEST, self.evaluations - self.spent)
            shape = (count, before.space.dimension)
            moves = generator.standard_normal(shape) * (generator.random(shape) < 0.4) * length
            self._values(before.space, np.clip(before.point + moves, 0.0, 1.0))
            length = min(0.3, 2 * length) if self.leader is not before else max(1e-9, length / 2)

    def _values(self, space: Space, points: Floats, into: Floats | None = None) -> Floats:
        """Minus what guides the search, block by block; `into` keeps the blocks that time leaves."""
        values = np.full(len(points), WORST) if into is None else into
        for at in range(0, len(points), space.block):
            block = self._block(space, points[at : at + space.block])
            values[at : at + len(block)] = block
        return values

    def _block(self, space: Space, points: Floats) -> Floats:
        if self._is_late():
            raise OutOfTime
        asked, points = len(points), points[: self.evaluations - self.spent]
        self.progress(self.spent, self.evaluations, space.name)
        trials: list[Trial | None] = []
        for trial in space.trials(points) if len(points) else ():
            trials.append(trial)
            if self._is_late():
                break
        self.spent += len(trials)
        values = np.full(len(trials), WORST)
        found = [(t, place) for place, t in enumerate(trials) if t is not None and t.score > -np.inf]
        # The worst first: where it is confirmed, the others are not asked.
        for trial, place in sorted(found, key=lambda entry: -entry[0].guide):
            self.met += 1
            seen = Best(space=space, point=np.array(points[place]), trial=trial)
            if self._counts(seen):
                values[place] = -trial.guide
                self._keep(seen)
        if self.refuted_after is not None and self.spent >= self.refuted_after + MORE:
            raise Refuted
        if len(points) < asked:
            raise Spent
        if len(trials) < asked:
            raise OutOfTime
        return values

    def _is_late(self) -> bool:
        return self.stage_ends is not None and self.clock() > self.stage_ends

    def _keep(self, seen: Best) -> None:
        name, guide = seen.space.name, seen.trial.guide
        self.of_spaces[name] = max(self.of_spaces.get(name, -np.inf), seen.trial.score)
        if self.best is None or guide > self.best.trial.guide:
            self.best = seen
        if seen.space.enough is None and (self.leader is None or guide > self.leader.trial.guide):
            self.leader = seen

    def _counts(self, seen: Best) -> bool:
        """False for what breaks the statement in the search and not on fresh evidence: rounding, or luck."""
        if seen.trial.share <= CANDIDATE or self.refuted:
            return True
        if not self.confirm(seen):
            return False
        self.asked, self.refuted_after = seen, self.spent
        return True
