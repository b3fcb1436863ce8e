"""Runs of the user's code on instances, and what the experiments have found so far."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, final

import numpy as np

from synthetic.engine.randomness import Floats
from synthetic.errors import AuthorMistake, NotFinite
from verify.conformance.instance import Instance, instance
from verify.conformance.listing import Point
from verify.conformance.subject import Subject
from verify.progress import Progress, silent

SEEDS = 12  # tried until a run has finite states; a run of right code has not with probability below 0.1
ROUNDING = 1e-9  # of the movement: the largest difference that counts as rounding
OF_NOISE = ("noise_scale", "noise_multiplier")
T = TypeVar("T")
TINY = 1e-30  # noise that moves no state, for code that raises at 0, as the Normal of torch does


@final
@dataclass(kw_only=True, eq=False)
class Found:
    """What earlier experiments leave to later ones.

    server: the factor that the code has on the server step of the listing. weights: of four clients that all
    take part. trusted: False if no known slip explains how one client moves the state. repeats: some client
    is counted twice although all are wanted. still: nothing moves the state.
    divisor_agrees: the sum over those who take part is divided by r. reads_memories: memories that are given
    for the start change the states. averaged: the code returns means of its iterates, and states are these
    iterates.
    """

    server: Callable[[Point], float] = lambda at: 1.0
    weights: Floats | None = None
    trusted: bool = True
    repeats: bool = False
    still: bool = False
    divisor_agrees: bool = False
    law: str | None = None
    placement: str | None = None
    reads_memories: bool | None = None
    iterates: Callable[[Floats], Floats] | None = None  # of the states, where these are means of iterates


@final
@dataclass(kw_only=True, eq=False)
class Lab:
    """The subject, the listing that it is compared with, and the seed of every run."""

    subject: Subject
    listing: Any  # a Listing, or a Family of the replayed ones
    seed: int
    progress: Progress = silent
    found: Found = field(default_factory=Found)
    runs: int = 0
    least_noise: float = 0.0  # what stands for no noise

    def settings(self, at: Point) -> dict[str, Any]:
        """The settings of the listing at this point."""
        return self._known(self.listing.settings(at))

    def _known(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings without those that the code does not declare and may leave out, and noise it takes."""
        declared, optional = self.subject.algorithm.settings, self.listing.optional
        known = {name: value for name, value in settings.items() if name in declared or name not in optional}
        return known | {name: self.least_noise for name in OF_NOISE if known.get(name) == 0}

    def states(self, shown: Instance, at: Point, rounds: int = 1, start: Floats | None = None) -> Floats:
        self.runs += 1
        begin, seed = shown.center if start is None else start, self.seed + self.runs
        states = self.subject.states(shown, self.settings(at), start=begin, rounds=rounds, seed=seed)
        return states if self.found.iterates is None else self.found.iterates(states)

    def run(
        self, shown: Instance, settings: Mapping[str, Any], rounds: int, seed: int | None = None
    ) -> Floats:
        """The states under these settings, as far as the code knows them; by default of a new seed."""
        self.runs += 1
        known, new = self._known(settings), self.seed + self.runs
        begin, chosen = shown.center, new if seed is None else seed
        return self.subject.states(shown, known, start=begin, rounds=rounds, seed=chosen)

    def replicates(self, shown: Instance, settings: Mapping[str, Any], rounds: int, count: int) -> Floats:
        """The states of so many independent runs, (count, rounds + 1, d)."""
        known, runs = self._known(settings), list[Floats]()
        for _ in range(-(-count // self.subject.replicates)):
            self.runs += 1
            seed = self.seed + self.runs
            runs.append(self.subject.runs(shown, known, start=shown.center, rounds=rounds, seed=seed))
        return np.concatenate(runs)[:count]

    def refuse_memory(self, shown: Instance, settings: Mapping[str, Any]) -> None:
        """Refuse code that keeps something between runs, at this instance without noise.

        The first runs of a check: code that raises without noise is given a noise that moves nothing.
        """
        try:
            self._refuse_memory(shown, settings)
        except AuthorMistake as mistake:
            if not isinstance(mistake.__cause__, Exception):
                raise
            self.least_noise = TINY
            try:
                self._refuse_memory(shown, settings)
            except AuthorMistake:
                raise mistake from mistake.__cause__

    def _refuse_memory(self, shown: Instance, settings: Mapping[str, Any]) -> None:
        def compare(seed: int) -> None:
            known = self._known(settings)
            self.subject.refuse_memory(shown, known, start=shown.center, rounds=2, seed=seed)

        _first_defined(compare, range(self.seed, self.seed + SEEDS))

    def run_until_defined(self, shown: Instance, settings: Mapping[str, Any], rounds: int) -> Floats:
        """The states under the first seed that makes them finite.

        Error feedback divides by the server's memory, which is zero as long as no client has come.
        """
        return _first_defined(lambda _: self.run(shown, settings, rounds), range(SEEDS))

    def movement(self, shown: Instance, at: Point) -> Floats:
        """The start minus the state after one round."""
        first, second = self.states(shown, at)
        moved: Floats = first - second
        return moved

    def alone(self, slope: Floats, at: Point, size: int) -> Floats:
        """The movement of a single client with a linear function: the unit that averages are made of."""
        return self.movement(instance(slope, sizes=(size,)), replace(at, n=1, r=1, sigma=0.0))


def _first_defined(carry_out: Callable[[int], T], seeds: Sequence[int]) -> T:
    """The result of the first seed that gives a finite one, or the refusal of the last seed."""
    for seed in seeds[:-1]:
        try:
            return carry_out(seed)
        except NotFinite:
            continue
    return carry_out(seeds[-1])


def iterates_of(averages: Floats) -> Floats:
    """The numbers of which row k is the mean of the first k + 1."""
    sums = averages * np.arange(1, len(averages) + 1)[:, None]
    iterates: Floats = np.vstack([averages[:1], sums[1:] - sums[:-1]])
    return iterates


def unpaired(states: Floats) -> Floats:
    """The iterates of which row k is the mean of the last two."""
    rows = [states[0]]
    for state in states[1:]:
        rows.append(2 * state - rows[-1])
    return np.array(rows)


def unsmoothed(states: Floats, share: float) -> Floats:
    """The iterates of which row k has the share 1 - share, and the row before it the rest."""
    iterates: Floats = np.vstack([states[:1], (states[1:] - share * states[:-1]) / (1 - share)])
    return iterates


def is_near(one: Any, other: Any, scale: float | None = None) -> bool:
    """Equal up to rounding, relative to the larger of the two or to a given scale."""
    one, other = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if scale is None:
        scale = float(max(np.abs(one).max(initial=0.0), np.abs(other).max(initial=0.0)))
    return bool((np.abs(one - other) <= ROUNDING * scale).all())
