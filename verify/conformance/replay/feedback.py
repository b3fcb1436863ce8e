"""The listing of error feedback (A.alg1), each line a function that a slip can replace.

The state shows the direction of the server's memory alone, since the server's step has a fixed length.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
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
    """Line 15, for each row: eta times the direction of the server's memory; the model stays at zero."""
    sizes = np.sqrt((memory * memory).sum(axis=-1, keepdims=True))
    moved: Floats = v["server_step"] * memory / np.where(sizes > 0, sizes, 1.0)
    return moved


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lines:
    """given(x, x of the round before); behind(client, clients): who is given that of before;
    start(x, own last model, last client's model);
    count(values, size); step(values, j);
    follows(what the local step before went along, the gradient, model);
    left(x, last client's model): the server's model after the local steps;
    scale(values): of the local update; error(updates, memories); bounded(errors, values);
    corrections(lines, updates, memories, values): the bounded errors of all clients;
    memory(memories, corrections, values, taking); q(values, number that came, M);
    sent(corrections, memories before, memories after, updates, values); factor(values, number that came, M);
    next_memories(memories after, updates, memories before, values);
    kept(server's memory, memories): what the server goes on from;
    again: how often what the server added in the round before is added besides;
    gathered(weights, sent); server(memory that is kept, what was gathered, values);
    along(server's memory before, after): what the step follows; move(memory, values), of each row of both;
    first(memories): the server's first."""

    given: Callable[[Floats, Floats], Floats] = lambda x, before: x
    behind: Callable[[int, int], bool] = lambda i, n: False
    start: Callable[[Floats, Floats, Floats], Floats] = lambda x, own, last: x
    count: Callable[[Values, int], int] = lambda v, size: v["local_steps"]
    step: Callable[[Values, int], float] = lambda v, j: v["local_step"] / v["local_steps"]
    point: Callable[[Floats, Floats], Floats] = lambda model, x: model
    follows: Callable[[Floats, Floats, Floats], Floats] = lambda before, gradient, model: gradient
    left: Callable[[Floats, Floats], Floats] = lambda x, last: x
    scale: Callable[[Values], float] = lambda v: 1 / v["local_step"]
    error: Callable[[Floats, Floats], Floats] = lambda updates, memories: updates - memories
    bounded: Callable[[Floats, Values], Floats] = smoothed
    corrections: Callable[["Lines", Floats, Floats, Values], Floats] = lambda lines, updates, memories, v: (
        lines.bounded(lines.error(updates, memories), v)
    )
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
    gathered: Callable[[Floats, Floats], Floats] = lambda weights, sent: weights @ sent
    kept: Callable[[Floats, Floats], Floats] = lambda server, memories: server
    again: float = 0.0
    server: Callable[[Floats, Floats, Values], Floats] = lambda held, total, v: held + total
    along: Callable[[Floats, Floats], Floats] = lambda before, after: after
    move: Callable[[Floats, Values], Floats] = fixed_length
    initial: Callable[[Floats], Floats] = lambda given: given
    first: Callable[[Floats], Floats] = lambda memories: memories.mean(axis=0)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Held:
    """The model, that of the round before, every client's memory and last model, and the server's memory.

    added: what the round before has added to the server's memory.
    """

    x: Floats
    before: Floats
    memories: Floats
    models: Floats
    server: Floats
    added: Floats


def begin(lines: Lines, shown: Instance, v: Values) -> Held:
    memories = lines.initial(np.array(v["initial_memory"], dtype=np.float64))
    models = np.array([shown.center] * shown.clients)
    start, server = shown.center, lines.first(memories)
    return Held(
        x=start, before=start, memories=memories, models=models, server=server, added=np.zeros_like(server)
    )


@final
@dataclass(frozen=True, kw_only=True, eq=False)
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
        server = lines.server(self._server_before, lines.gathered(weights, sent), v)
        x = lines.left(held.x, self.models[-1]) - lines.move(lines.along(held.server, server), v)
        return Held(
            x=x,
            before=held.x,
            memories=memories,
            models=self.models,
            server=server,
            added=server - held.server,
        )

    @property
    def _server_before(self) -> Floats:
        """The memory to which the server adds what comes in this round."""
        held = self.held
        return self.lines.kept(held.server, held.memories) + self.lines.again * held.added

    def models_after(self, every: Floats) -> Floats:
        """The model after each of these sets of clients, a row for each, as `after` makes it."""
        lines, v, held = self.lines, self.v, self.held
        if self.memories is None:
            return np.array([self.after(taking).x for taking in every])
        servers = self._servers_after(every, self.memories)
        moved = np.broadcast_to(lines.move(lines.along(held.server, servers), v), servers.shape)
        models: Floats = lines.left(held.x, self.models[-1]) - moved
        return models

    @cached_property
    def memories(self) -> Floats | None:
        """The clients' memories after the round; None if they depend on who takes part."""
        lines, v, held, n = self.lines, self.v, self.held, len(self.delta)
        none, all_ = (
            lines.memory(held.memories, self.delta, v, taking) for taking in (np.zeros(n), np.ones(n))
        )
        if not np.array_equal(none, all_):
            return None
        return lines.next_memories(all_, self.updates, held.memories, v)

    def _servers_after(self, every: Floats, memories: Floats) -> Floats:
        """The server's memory after each of these sets, a row for each."""
        lines, v, held, n = self.lines, self.v, self.held, len(self.delta)
        sent = lines.sent(self.delta, held.memories, memories, self.updates, v)
        came = every.sum(axis=1)
        weight = {number: lines.factor(v, number, n) * lines.q(v, number, n) for number in set(came.tolist())}
        totals = np.array([weight[number] for number in came.tolist()])[:, None] * every
        totals = lines.gathered(totals, sent)
        servers: Floats = np.broadcast_to(lines.server(self._server_before, totals, v), totals.shape)
        return servers

    def keys_after(self, every: Floats) -> list[bytes]:
        """The memories after each of these sets, up to rounding: two that differ by less stay alike later."""
        if self.memories is None:
            return [_key_of(one.server[None], one.memories)[0] for one in map(self.after, every)]
        return _key_of(self._servers_after(every, self.memories), self.memories)


def one_round(lines: Lines, shown: Instance, v: Values, held: Held) -> Round:
    n, fresh = shown.clients, lines.given(held.x, held.before)
    given = np.array([held.before if lines.behind(i, n) else fresh for i in range(n)])
    models = _models(lines, shown, v, given, held.models)
    updates = (given - models) * lines.scale(v)
    delta = lines.corrections(lines, updates, held.memories, v)
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
    followed = follow(lines, case.shown, case.settings, found)
    return np.full((case.rounds + 1, case.shown.dimension), np.nan) if followed is None else followed.states


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Followed:
    """The sets of clients of every round and the listing's states.

    told_apart: if no other sets give them. possible: the clients of each round in one of the sets that may.
    """

    sets: Floats
    states: Floats
    told_apart: bool
    possible: Floats


def follow(lines: Lines, shown: Instance, v: Values, found: Floats) -> Followed | None:
    """The sets of clients after which the listing has these states; None if none do.

    Two sets may move the model alike and leave different memories, which later rounds tell apart: both are
    followed. Two that leave the same memories too are never told apart, and one of them is followed.
    """
    held = begin(lines, shown, v)
    paths: list[tuple[list[Floats], list[Floats], Held]] = [([], [held.x], held)]
    told_apart, possible = True, np.zeros((len(found) - 1, shown.clients))
    for k in range(len(found) - 1):
        far = APART * np.abs(found[k + 1] - found[k]).max() + LAST_BITS * np.abs(found[k + 1]).max()
        after: dict[bytes, tuple[list[Floats], list[Floats], Held]] = {}
        left: set[bytes] = set()
        for sets, states, held in paths:
            this = one_round(lines, shown, v, held)
            every = _list_near(this, found[k + 1], far)
            possible[k] = np.maximum(possible[k], (every > 0).any(axis=0))
            for taking, key in zip(every, this.keys_after(every), strict=True):
                if not told_apart and (key in after or len(after) >= MOST):
                    continue  # what is held then is known, or one more than is followed
                new = this.after(taking)
                memories = new.server.tobytes() + new.memories.tobytes()
                told_apart = told_apart and memories not in left
                left.add(memories)
                after.setdefault(key, ([*sets, taking], [*states, new.x], new))
        paths = list(after.values())[:MOST]
    if not paths:
        return None
    sets, states, _ = min(paths, key=lambda path: float(np.abs(np.array(path[1]) - found).max()))
    return Followed(sets=np.array(sets), states=np.array(states), told_apart=told_apart, possible=possible)


def _key_of(servers: Floats, memories: Floats) -> list[bytes]:
    """The server's memory, of each row, and the clients' beside it, up to rounding."""
    largest = max(float(np.abs(memories).max()), 1e-300)
    scales = np.maximum(np.abs(servers).max(axis=1), largest)
    beside = {scale: np.round(memories / scale, DIGITS).tobytes() for scale in set(scales.tolist())}
    rounded = np.round(servers / scales[:, None], DIGITS)
    return [row.tobytes() + beside[scale] for row, scale in zip(rounded, scales.tolist(), strict=True)]


def _list_near(this: Round, state: Floats, far: float) -> Floats:
    """Every set of clients that leads to this state, the nearest first, a row for each.

    One client that was drawn twice is tried beside them: in the first round it leads where it leads once, and
    later rounds tell how long the server's memory has become.
    """
    every = np.concatenate([subsets(len(this.delta)), 2 * np.eye(len(this.delta))])
    away = np.abs(this.models_after(every) - state).max(axis=1)
    nearest = np.argsort(away, kind="stable")
    near: Floats = every[nearest[away[nearest] <= far]]
    return near


MOST = 64  # ways in which clients may have come that are followed at once
DIGITS = 10  # of memories, over the largest entry
LAST_BITS = 1e-14  # of the states: a round that does not move them is near up to their rounding
APART = 1e-6  # of a round's movement: more than rounding, less than the choice of another set makes


def nearest_set(this: Round, state: Floats) -> tuple[Floats, Held, float]:
    """The set with the nearest model to a state, all that is held then, and how far the next best leads."""
    every = subsets(len(this.delta))
    models = this.models_after(every)
    best = int(np.argmin(np.abs(models - state).max(axis=1)))
    others = np.delete(models, best, axis=0)
    return every[best], this.after(every[best]), float(np.abs(others - models[best]).max(axis=1).min())


@lru_cache(maxsize=8)
def subsets(n: int) -> Floats:
    """All sets of n clients, one a row."""
    return np.array([[float(bits >> i & 1) for i in range(n)] for bits in range(2**n)])


def _models(lines: Lines, shown: Instance, v: Values, given: Floats, own: Floats) -> Floats:
    """T_i(x) of every client."""
    models, last = [], given[0]
    for i, x in enumerate(given):
        model, moved = lines.start(x, own[i], last), np.zeros_like(x)
        for j in range(lines.count(v, shown.sizes[i])):
            at = lines.point(model, x)
            slope = shown.slopes[i] + shown.bend(shown.curvatures[i], at - shown.center)
            moved = lines.follows(moved, slope, model)
            model = model - lines.step(v, j) * moved
        last = model
        models.append(model)
    return np.array(models)
