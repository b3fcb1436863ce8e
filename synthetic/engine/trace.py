"""What a run leaves behind, and the recorder that writes it round by round, only what is asked for.

A request is the name of an observable, with reductions after it: NAME, NAME/REDUCTION, and so on, applied
from left to right. `running_minimum` and `running_average` run over the rounds so far, `replicate_mean` is
the mean over the replicates; `first` and `last` keep one round instead of all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from synthetic.engine.arithmetic import Array, is_exact, namespace
from synthetic.engine.randomness import BLOCK
from synthetic.errors import BadValue, nearest

NEVER = -1
SUMS = "sums_of_blocks"  # what a block of replicates knows of their mean; no request of a caller
REDUCTIONS = ("running_minimum", "running_average", "replicate_mean", "first", "last")


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """Measurements of a run by request, numpy arrays: axes replicate, round, then the observable's own.

    `replicate_mean` has no replicate axis, `first` and `last` have no round axis.
    `diverged_round` (R,) is the first round at which the state or a measurement was not finite, or NEVER;
    from that round on every measurement of the replicate is +inf, and the replicate is never dropped.
    `final_state` (R, d) is the last iterate as the arithmetic left it. `drew`: whether any replicate drew
    from its generator, if the algorithm is from outside; None for ours, which do not count draws.
    """

    algorithm: str
    replicates: int
    measurements: dict[str, Array]
    diverged_round: NDArray[np.int64]
    final_state: Array
    drew: bool | None = None


def check_request(request: str, observables: Sequence[str]) -> None:
    name, *reductions = request.split("/")
    for word, known in ((name, observables), *((r, REDUCTIONS) for r in reductions)):
        if word not in known:
            raise BadValue(
                asked=f"observe {request!r}",
                failed="unknown word",
                found=repr(word),
                needed=", ".join(known),
                change=f"did you mean {nearest(word, known)!r}?",
            )


@final
@dataclass(slots=True, kw_only=True)
class Column:
    """One request while it fills."""

    reductions: tuple[str, ...]
    rounds: list[Array] = field(init=False, default_factory=list)
    running: dict[int, Array] = field(init=False, default_factory=dict)
    length: int = field(init=False, default=0)

    def append(self, values: Array) -> None:
        self.length += 1
        for position, reduction in enumerate(self.reductions):
            values = self._reduced(position, reduction, values)
        if "first" in self.reductions and self.length > 1:
            return
        if "last" in self.reductions:
            self.rounds.clear()
        self.rounds.append(values)

    def _reduced(self, position: int, reduction: str, values: Array) -> Array:
        if reduction == "replicate_mean":
            return _countable(values).sum(axis=0) / len(values)
        if reduction == SUMS:
            return sums_of_blocks(_countable(values))
        before = self.running.get(position)
        if reduction == "running_minimum":
            self.running[position] = values if before is None else namespace(values).minimum(before, values)
            return self.running[position]
        if reduction == "running_average":
            self.running[position] = _countable(values) if before is None else before + values
            return self.running[position] / self.length
        return values

    def finished(self) -> Array:
        if "first" in self.reductions or "last" in self.reductions:
            return to_numpy(self.rounds[0])
        axis = 0 if "replicate_mean" in self.reductions else 1
        return to_numpy(namespace(self.rounds[0]).stack(self.rounds, axis=axis))


def sums_of_blocks(values: Array) -> Array:
    """Sums over BLOCK replicates at a time: the terms of a mean over all of them, however the run was cut."""
    full = len(values) // BLOCK * BLOCK
    parts = [values[:full].reshape(-1, BLOCK, *values.shape[1:]).sum(axis=1)]
    if full < len(values):
        parts.append(values[full:].sum(axis=0)[None])
    return namespace(values).concatenate(parts)


def _countable(values: Array) -> Array:
    """Truth values as 0 and 1, which add up; numbers as they are."""
    xp = namespace(values)
    return xp.asarray(values, dtype=xp.float64) if values.dtype == xp.bool else values


@final
@dataclass(slots=True, kw_only=True)
class Recorder:
    """Mutable on purpose: it fills while the run goes on, and `finish` freezes it.

    Of what it is given it keeps the rows of the replicates; those that fill up a block are left out.
    """

    algorithm: str
    replicates: int
    requests: tuple[str, ...]
    names: frozenset[str] = field(init=False)
    columns: dict[str, Column] = field(init=False)
    diverged: Any = field(init=False, default=None)
    last_round: int = field(init=False, default=0)
    drew: bool | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.names = frozenset(request.split("/")[0] for request in self.requests)
        self.columns = {r: Column(reductions=tuple(r.split("/")[1:])) for r in self.requests}

    def wants(self, name: str) -> bool:
        return name in self.names

    def wants_last_alone(self, name: str) -> bool:
        """Whether no state but the last one has to be measured."""
        return all(c.reductions == ("last",) for r, c in self.columns.items() if r.split("/")[0] == name)

    def note(self, round: int, state: Array, measured: Mapping[str, Callable[[], Array]]) -> None:
        """One round; all is checked before it is written, so that a diverged round keeps nothing finite."""
        self.last_round = round
        own = slice(self.replicates)
        values = {name: measure()[own] for name, measure in measured.items() if self.wants(name)}
        self._mark(round, state[own])
        for entry in values.values():
            self._mark(round, entry)
        entries = {name: self._infinite_where_diverged(entry) for name, entry in values.items()}
        for request, column in self.columns.items():
            name = request.split("/")[0]
            if name in entries:
                column.append(entries[name])

    def _mark(self, round: int, values: Array) -> None:
        if is_exact(values):
            return
        xp = namespace(values)
        finite = xp.isfinite(values)
        if xp is np and self.diverged is not None and finite.all():  # of a device it would be a question
            return
        bad = ~finite.reshape(self.replicates, -1).all(axis=1)
        if self.diverged is None:
            self.diverged = xp.where(bad, round, NEVER)
        else:
            self.diverged = xp.where(bad & (self.diverged == NEVER), round, self.diverged)

    def _infinite_where_diverged(self, values: Array) -> Array:
        # draws (booleans) are not measurements: which clients took part stays true after divergence
        if is_exact(values) or values.dtype == namespace(values).bool:
            return values
        gone = (self.diverged != NEVER).reshape(-1, *[1] * (values.ndim - 1))
        if namespace(values) is np and not gone.any():
            return values.copy()  # an author's algorithm may change its state in place
        return namespace(values).where(gone, np.inf, values)

    def finish(self, final_state: Array) -> Trace:
        final_state = final_state[: self.replicates]
        self._mark(self.last_round, final_state)
        # one column after the other, so that at most one of them is in memory twice
        measurements = {}
        for request in self.requests:
            column = self.columns.pop(request)
            if column.rounds:  # a run without rounds has nothing that is measured in rounds
                measurements[request] = column.finished()
        never = np.full(self.replicates, NEVER)
        return Trace(
            algorithm=self.algorithm,
            replicates=self.replicates,
            measurements=measurements,
            diverged_round=(never if self.diverged is None else to_numpy(self.diverged)).astype(np.int64),
            final_state=to_numpy(final_state),
            drew=self.drew,
        )


def to_numpy(array: Any) -> Array:
    return array if namespace(array) is np else array.cpu().numpy()
