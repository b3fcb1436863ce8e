"""Carry out an author's algorithm, whose round is called for each replicate or for each 64 of them.

Replicates without a random draw so far are equal, so only the first of them is computed until it draws.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, final

import numpy as np

from synthetic.algorithms._common import starting_point
from synthetic.engine.arithmetic import Array
from synthetic.engine.disturbance import is_disturbed
from synthetic.engine.randomness import BLOCK, Numbers
from synthetic.engine.trace import Recorder, Trace
from synthetic.errors import NotDeterministic
from synthetic.measures import yardstick
from synthetic.outside.algorithm import Algorithm
from synthetic.outside.calls import broken, call, limited
from synthetic.outside.clients import Clients
from synthetic.outside.followed import followed
from synthetic.outside.generators import Source, source
from synthetic.outside.optimum import Optimum
from synthetic.outside.settings import for_library
from synthetic.outside.states import check_entries, copied, detached, iterate_of, read_only, shifted
from synthetic.problem import Problem

LARGE = 1e50  # beyond it, NaN may come from an overflow that nobody has seen
OVERFLOWED = object()
PLAIN = (float, np.float64)


def carry_out(
    name: str, algorithm: Algorithm, problem: Problem, settings: Any, numbers: Numbers, recorder: Recorder
) -> Trace:
    """The trace of one block of replicates, from rounds that the author wrote."""
    if problem.exact:
        raise NotDeterministic(
            asked=f"run {name}",
            failed="the problem is exact",
            found="fractions",
            needed="float64 data",
            change="build the problem from floats",
        )
    measure = yardstick(problem)
    with limited(algorithm.seconds):
        run = Run(name, algorithm, problem, settings, numbers)
        run.check_purity()
        own = {observable: partial(run.observe, observable) for observable in algorithm.observables}
        # a call for each replicate costs as much as a round, so none is made for what is not kept
        earlier = {name: look for name, look in own.items() if not recorder.wants_last_alone(name)}
        for k in range(settings.rounds + 1):
            with run.tolerance():
                if k:
                    run.advance()
                points = run.points()
                asked = own if k == settings.rounds else earlier
                recorder.note(k, points, measure.of_state(points) | asked)
        recorder.drew = run.drew()
    return recorder.finish(points)


def observe_first_state(
    name: str,
    algorithm: Algorithm,
    problem: Problem,
    settings: Any,
    numbers: Numbers,
    observables: Iterable[str],
) -> dict[str, float]:
    """The author's own measurements of the state before any round."""
    with limited(algorithm.seconds):
        run = Run(name, algorithm, problem, settings, numbers)
        with run.tolerance():
            return {observable: float(run.observe(observable)[0]) for observable in observables}


@final
class Run:
    """The replicates of one block while they advance; one call computes one of them, or BLOCK of them."""

    def __init__(
        self, name: str, algorithm: Algorithm, problem: Problem, settings: Any, numbers: Numbers
    ) -> None:
        self.name, self.algorithm, self.numbers = name, algorithm, numbers
        self.settings = for_library(algorithm.library, settings)
        self.clients = Clients(problem, batched=algorithm.batched)
        optimum = Optimum(problem, algorithm.library)
        self.measured_clients = Clients(problem, batched=algorithm.batched, optimum=optimum)
        self.rows = BLOCK if algorithm.batched else 1
        self.units = -(-numbers.wanted // self.rows)
        self.overflowed = False
        starts = np.asarray(starting_point(problem, settings.start, numbers))[: numbers.wanted]
        self.shared = bool((starts == starts[0]).all())
        self.shape = (self.rows, problem.dimension) if algorithm.batched else (problem.dimension,)
        self.sources: list[Source] = []
        self.states: list[Any] = []
        self.at: list[Array] = []
        self.whole: list[bool] = []  # whether the iterates of a unit are all finite
        with self.tolerance():
            for unit in range(1 if self.shared else self.units):
                self._begin(unit, starts)

    def tolerance(self) -> np.errstate:
        """Overflow is a divergence, which the trace reports; it is remembered, to explain a later NaN."""
        return np.errstate(all="ignore", over="call", call=self._overflow)

    def _overflow(self, *_: object) -> None:
        self.overflowed = True

    def _source(self, unit: int) -> Source:
        index = self.numbers.first // self.rows + unit
        return source(self.algorithm.library, self.numbers, "round", index)

    def _begin(self, unit: int, starts: Array) -> None:
        own = starts[unit * self.rows : (unit + 1) * self.rows]
        filled = np.concatenate([own, np.repeat(own[-1:], self.rows - len(own), axis=0)])
        x0: Any = filled if self.algorithm.batched else filled[0].copy()
        if self.algorithm.library == "torch":
            import torch

            x0 = torch.as_tensor(x0.copy())
        state = x0
        if self.algorithm.begin is not None:
            state = call(f"begin of {self.name}", self.algorithm.begin, x0, self.clients, self.settings)
        self.sources.append(self._source(unit))
        self.states.append(state)
        self.at.append(iterate_of(self.algorithm, self.name, state, self.shape).copy())
        self.whole.append(is_finite(self.at[-1]))
        check_entries(self.algorithm, self.name, state)

    def check_purity(self) -> None:
        """Two calls with one state and one generator agree: else a bit would depend on what ran before."""
        with self.tolerance():
            self._check_purity()

    def _check_purity(self) -> None:
        # inside `disturbed` no two products are the same, and a course is followed once
        once = is_disturbed() or followed() is not None
        if self.numbers.first or not self.settings.rounds or once:
            return
        results = [self._call(copied(self.states[0]), self._source(0)) for _ in range(2)]
        if any(state is OVERFLOWED for state in results):
            return
        one, other = (iterate_of(self.algorithm, self.name, state, self.shape) for state in results)
        check_entries(self.algorithm, self.name, results[0])
        if not np.array_equal(one, other, equal_nan=True):
            raise broken(
                self.name,
                self.algorithm.round,
                "two calls with one state and one generator have two results",
                _first_difference(one, other),
                "all randomness from `random`, and nothing kept between calls",
            )

    def _call(self, state: Any, source: Source) -> Any:
        return call(
            self.name,
            self.algorithm.round,
            state,
            self.clients,
            self.settings,
            source.random,
            overflow=OVERFLOWED,
        )

    def advance(self) -> None:
        """One round of every unit; the first alone as long as it draws nothing and all are equal."""
        if not self.shared:
            for unit in range(self.units):
                self._advance(unit)
            return
        before, here = copied(self.states[0]) if self.units > 1 else None, self.at[0]
        whole = self.whole[0]
        self._advance(0)
        if self.sources[0].drew():
            self.shared = False
            for unit in range(1, self.units):
                self.sources.append(self._source(unit))
                self.states.append(copied(before))
                self.at.append(here)
                self.whole.append(whole)
                self._advance(unit)

    def _advance(self, unit: int) -> None:
        here = self.at[unit]
        if self._is_gone(unit):
            return
        state = self._call(self.states[unit], self.sources[unit])
        if state is OVERFLOWED:
            self.at[unit], self.whole[unit] = np.full(self.shape, np.inf), False
            return
        # copies: the author's code may keep what it returned and write into it again
        # what an author adds up in a round is rounded too, also where no product is
        self.states[unit] = state = shifted(state) if is_disturbed() else detached(state)
        there = iterate_of(self.algorithm, self.name, state, self.shape).copy()
        self.at[unit], self.whole[unit] = there, is_finite(there)
        if not self.whole[unit]:
            self._check_overflow(here, there)

    def _is_gone(self, unit: int) -> bool:
        """Whether every replicate of the unit has diverged."""
        return not self.whole[unit] and not np.isfinite(self.at[unit]).all(axis=-1).any()

    def _check_overflow(self, here: Array, there: Array) -> None:
        """NaN out of a finite state without an overflow is a mistake; a state that grows too large is not."""
        lost = np.isfinite(here).all(axis=-1) & np.isnan(there).any(axis=-1)
        if self.overflowed or not lost.any() or np.abs(here[lost]).max() > LARGE:
            return
        raise broken(
            self.name,
            self.algorithm.round,
            "the round makes NaN of a finite state, without an overflow",
            f"{np.atleast_2d(here[lost])[0].tolist()} before",
            "a finite state, or an overflow",
        )

    def points(self) -> Array:
        """All iterates, (R, d); rows that fill up the block are copies of the last replicate's."""
        wanted, full = self.numbers.wanted, self.numbers.replicates
        if self.shared:
            own = self.at[0][:1] if self.algorithm.batched else self.at[0][None]
            return np.repeat(own, full, axis=0)
        own = np.concatenate(self.at) if self.algorithm.batched else np.stack(self.at)
        return np.concatenate([own[:wanted], np.repeat(own[wanted - 1 : wanted], full - wanted, axis=0)])

    def observe(self, observable: str) -> Array:
        """The author's own measurement of every replicate; infinite where the state is."""
        function = self.algorithm.observables[observable]
        each = [self._observed(observable, function, unit) for unit in range(len(self.states))]
        own = np.concatenate(each) if self.algorithm.batched else np.array(each)
        wanted, full = self.numbers.wanted, self.numbers.replicates
        if self.shared:
            return np.repeat(own[:1], full)
        return np.concatenate([own[:wanted], np.repeat(own[wanted - 1 : wanted], full - wanted)])

    def _observed(self, observable: str, function: Callable[..., Any], unit: int) -> Any:
        """One number, or one for each replicate of a block."""
        if self._is_gone(unit):
            return np.full(self.rows, np.inf) if self.algorithm.batched else np.inf
        name = f"observable {observable} of {self.name}"
        # what an author adds up is rounded too, also where no product is
        state = shifted(self.states[unit]) if is_disturbed() else read_only(self.states[unit])
        value = call(name, function, state, self.measured_clients, self.settings, overflow=np.inf)
        if not self.algorithm.batched and type(value) in PLAIN:
            return value
        numbers = _real_numbers(value, self.rows if self.algorithm.batched else None)
        if numbers is None:
            needed = f"{BLOCK} numbers" if self.algorithm.batched else "one real number"
            raise broken(name, function, "the measurement is of another kind", repr(value)[:100], needed)
        if not self.algorithm.batched:
            return numbers[0]
        return np.where(np.isfinite(self.at[unit]).all(axis=-1), numbers, np.inf)

    def drew(self) -> bool:
        return any(source.drew() for source in self.sources)


def is_finite(points: Array) -> bool:
    return bool(np.isfinite(points).all())


def _real_numbers(value: Any, count: int | None) -> Array | None:
    """A measurement as float64 of shape (count,), or (1,) of a single number; None for anything else."""
    try:
        numbers = np.asarray(value.detach() if hasattr(value, "detach") else value)
    except (TypeError, ValueError):
        return None
    if numbers.dtype.kind not in "biuf" or numbers.shape not in ({(count,), ()} if count else {()}):
        return None
    return np.broadcast_to(numbers.astype(np.float64), (count or 1,))


def _first_difference(one: Array, other: Array) -> str:
    place = tuple(int(i) for i in np.argwhere(~((one == other) | (np.isnan(one) & np.isnan(other))))[0])
    return f"{float(one[place])!r} and {float(other[place])!r} in coordinate {place[-1]}"
