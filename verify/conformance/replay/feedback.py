"""The listing of error feedback (A.alg1), each line a function that a slip can replace.

The state shows the direction of the server's memory alone, since the server's step has a fixed length.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.instance import Instance
from verify.conformance.replay.family import Case

Values = Mapping[str, Any]


def smoothed(rows: Floats, v: Values) -> Floats:
    """Norm_alpha of each row; zero at zero, also for alpha = 0."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True) + v["smoothing"]
    directions: Floats = rows / np.where(lengths == 0, 1.0, lengths)
    return directions


def fixed_length(memory: Floats, v: Values) -> Floats:
    """Line 15: eta times the direction of the server's memory; the model stays where it is zero."""
    size = math.sqrt(memory @ memory)
    moved: Floats = v["server_step"] * memory / (size if size > 0 else 1.0)
    return moved


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lines:
    """given(x, x of the round before); start(x, own last model, last client's model);
    count(values, size); step(values, j);
    scale(values): of the local update; error(updates, memories); bounded(errors, values);
    memory(memories, corrections, values, taking); q(values, number that came, M);
    sent(corrections, memories before, memories after, updates, values); factor(values, number that came, M);
    next_memories(memories after, updates, memories before, values);
    server(memory before, sum that was sent, values);
    along(server's memory before, after): what the step follows; move(memory, values);
    first(memories): the server's first."""

    given: Callable[[Floats, Floats], Floats] = lambda x, before: x
    start: Callable[[Floats, Floats, Floats], Floats] = lambda x, own, last: x
    count: Callable[[Values, int], int] = lambda v, size: v["local_steps"]
    step: Callable[[Values, int], float] = lambda v, j: v["local_step"] / v["local_steps"]
    point: Callable[[Floats, Floats], Floats] = lambda model, x: model
    scale: Callable[[Values], float] = lambda v: 1 / v["local_step"]
    error: Callable[[Floats, Floats], Floats] = lambda updates, memories: updates - memories
    bounded: Callable[[Floats, Values], Floats] = smoothed
    memory: Callable[[Floats, Floats, Values, Floats], Floats] = lambda old, delta, v, taking: (
        old + v["memory_step"] * delta
    )
    next_memories: Callable[[Floats, Floats, Floats, Values], Floats] = lambda memories, updates, old, v: (
        memories
    )
    q: Callable[[Values, float, int], float] = lambda v, came, M: 1 / v["probability"]
    sent: Callable[[Floats, Floats, Floats, Floats, Values], Floats] = lambda delta, old, new, updates, v: (
        delta
    )
    factor: Callable[[Values, float, int], float] = lambda v, came, M: v["memory_step"] / M
    server: Callable[[Floats, Floats, Values], Floats] = lambda held, total, v: held + total
    along: Callable[[Floats, Floats], Floats] = lambda before, after: after
    move: Callable[[Floats, Values], Floats] = fixed_length
    initial: Callable[[Floats], Floats] = lambda given: given
    first: Callable[[Floats], Floats] = lambda memories: memories.mean(axis=0)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Held:
    """The model, that of the round before, every client's memory and last model, and the server's memory."""

    x: Floats
    before: Floats
    memories: Floats
    models: Floats
    server: Floats


def begin(lines: Lines, shown: Instance, v: Values) -> Held:
    memories = lines.initial(np.array(v["initial_memory"], dtype=np.float64))
    models = np.array([shown.center] * shown.clients)
    start = shown.center
    return Held(x=start, before=start, memories=memories, models=models, server=lines.first(memories))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Round:
    """What the clients of a round have computed; the server's part depends on who takes part."""

    lines: Lines
    v: Values
    held: Held
    models: Floats
    delta: Floats
    updates: Floats

    def after(self, taking: Floats) -> Held:
        """The state after the round if these clients took part."""
        lines, v, held = self.lines, self.v, self.held
        moved = lines.memory(held.memories, self.delta, v, taking)
        memories = lines.next_memories(moved, self.updates, held.memories, v)
        sent = lines.sent(self.delta, held.memories, memories, self.updates, v)
        came, clients = float(taking.sum()), len(taking)
        weights = lines.factor(v, came, clients) * lines.q(v, came, clients) * taking
        server = lines.server(held.server, weights @ sent, v)
        x = held.x - lines.move(lines.along(held.server, server), v)
        return Held(x=x, before=held.x, memories=memories, models=self.models, server=server)

    def models_after(self, every: Floats) -> Floats:
        """The model after each of these sets of clients, a row for each, as `after` makes it."""
        lines, v, held, n = self.lines, self.v, self.held, len(self.delta)
        none, all_ = (
            lines.memory(held.memories, self.delta, v, taking) for taking in (np.zeros(n), np.ones(n))
        )
        if not np.array_equal(none, all_):  # the memories depend on who takes part
            return np.array([self.after(taking).x for taking in every])
        memories = lines.next_memories(all_, self.updates, held.memories, v)
        sent = lines.sent(self.delta, held.memories, memories, self.updates, v)
        came = every.sum(axis=1)
        weight = {number: lines.factor(v, number, n) * lines.q(v, number, n) for number in set(came.tolist())}
        totals = (np.array([weight[number] for number in came.tolist()])[:, None] * every) @ sent
        servers = np.broadcast_to(lines.server(held.server, totals, v), totals.shape)
        models: Floats = held.x - np.array(
            [lines.move(lines.along(held.server, server), v) for server in servers]
        )
        return models


def one_round(lines: Lines, shown: Instance, v: Values, held: Held) -> Round:
    given = lines.given(held.x, held.before)
    models = _models(lines, shown, v, given, held.models)
    updates = (given - models) * lines.scale(v)
    delta = lines.bounded(lines.error(updates, held.memories), v)
    return Round(lines=lines, v=v, held=held, models=models, delta=delta, updates=updates)


def predict(lines: Lines, case: Case, found: Floats | None) -> Floats:
    """The states x^0, x^1, ... found: those of the code, which show who took part; None for all."""
    held = begin(lines, case.shown, case.settings)
    if found is None:
        states, everybody = [held.x], np.ones(case.shown.clients)
        for _ in range(case.rounds):
            held = one_round(lines, case.shown, case.settings, held).after(everybody)
            states.append(held.x)
        return np.array(states)
    paths = [([held.x], held)]
    for k in range(case.rounds):
        far = APART * np.abs(found[k + 1] - found[k]).max()
        paths = [
            ([*states, after.x], after)
            for states, held in paths
            for after in _list_near(one_round(lines, case.shown, case.settings, held), found[k + 1], far)
        ][:MOST]
    if not paths:  # no sets give these states
        return np.full((case.rounds + 1, case.shown.dimension), np.nan)
    return min(
        (np.array(states) for states, _ in paths), key=lambda states: float(np.abs(states - found).max())
    )


def _list_near(this: Round, state: Floats, far: float) -> list[Held]:
    """After every set of clients that leads to this state: two may move the model alike, and not the memory.

    A client that was drawn twice is tried where no set does: alone, twice looks like once.
    """
    for every in (subsets(len(this.delta)), 2 * np.eye(len(this.delta))):
        away = np.abs(this.models_after(every) - state).max(axis=1)
        if np.any(away <= far):
            return [this.after(every[i]) for i in np.argsort(away) if away[i] <= far]
    return []


MOST = 16  # ways in which clients may have come that are followed at once
APART = 1e-6  # of a round's movement: more than rounding, less than the choice of another set makes


def nearest(this: Round, state: Floats) -> tuple[Floats, Held]:
    """The set of clients after which the model is nearest to a state, and all that is held then.

    A client that was drawn twice is tried if no set gives the state: alone, twice looks like once.
    """
    found = _nearest(this, state, subsets(len(this.delta)))
    if np.abs(found[1].x - state).max() <= APART * float(np.abs(state - this.held.x).max()):
        return found
    return min(
        (found, _nearest(this, state, 2 * np.eye(len(this.delta)))),
        key=lambda pair: float(np.abs(pair[1].x - state).max()),
    )


def nearest_set(this: Round, state: Floats) -> tuple[Floats, Held, float]:
    """As `nearest`, each client once, and how far the next best set leads from the best one."""
    every = subsets(len(this.delta))
    models = this.models_after(every)
    best = int(np.argmin(np.abs(models - state).max(axis=1)))
    others = np.delete(models, best, axis=0)
    return every[best], this.after(every[best]), float(np.abs(others - models[best]).max(axis=1).min())


def _nearest(this: Round, state: Floats, every: Floats) -> tuple[Floats, Held]:
    taking = every[int(np.argmin(np.abs(this.models_after(every) - state).max(axis=1)))]
    return taking, this.after(taking)


@lru_cache(maxsize=8)
def subsets(n: int) -> Floats:
    """All sets of n clients, one a row."""
    return np.array([[float(bits >> i & 1) for i in range(n)] for bits in range(2**n)])


def _models(lines: Lines, shown: Instance, v: Values, x: Floats, own: Floats) -> Floats:
    """T_i(x) of every client."""
    models, last = [], x
    for i in range(shown.clients):
        model = lines.start(x, own[i], last)
        for j in range(lines.count(v, shown.sizes[i])):
            at = lines.point(model, x)
            slope = shown.slopes[i] + shown.bend(shown.curvatures[i], at - shown.center)
            model = model - lines.step(v, j) * slope
        last = model
        models.append(model)
    return np.array(models)
