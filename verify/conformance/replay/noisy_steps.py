"""The listings of noisy clipped local steps (C.alg1, C.alg2), each line a function that a slip can replace.

Every gradient is that of a data point; code that takes a client's function whole is shown clients whose data
points are equal, where both are the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.instance import Instance
from verify.conformance.replay.family import Case
from verify.conformance.replay.local_steps_search import RIGHT, Estimates, Search, by_size, estimates, renewed

Values = Mapping[str, Any]
Draw = Callable[[int, int, int], Floats]  # round, client, local step


def clip_each(rows: Floats, v: Values) -> Floats:
    """Line 10 of C.alg2: each gradient over max(1, length/C)."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    clipped: Floats = rows / np.maximum(1.0, lengths / v["clip_threshold"])
    return clipped


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lines:
    """given(w, w of the round before); behind(client, clients): who is given that of before;
    start(w, own last model, last client's model);
    count(values, tau, size); point(model, w);
    bounded(rows, values) for each gradient of the batch; divisor(values, drawn, size); step(values, j, tau);
    along(what the local step before went along, the mean gradient, model);
    weights(sizes); server(w, weighted sum)."""

    given: Callable[[Floats, Floats], Floats] = lambda w, before: w
    behind: Callable[[int, int], bool] = lambda i, n: False
    start: Callable[[Floats, Floats, Floats], Floats] = lambda w, own, last: w
    count: Callable[[Values, int, int], int] = lambda v, tau, size: tau
    point: Callable[[Floats, Floats], Floats] = lambda model, w: model
    bounded: Callable[[Floats, Values], Floats] = clip_each
    divisor: Callable[[Values, float, int], float] = lambda v, drawn, size: v["batch_size"]
    step: Callable[[Values, int, int], float] = lambda v, j, tau: v["step"]
    along: Callable[[Floats, Floats, Floats], Floats] = lambda before, mean, model: mean
    weights: Callable[[Floats], Floats] = by_size
    server: Callable[[Floats, Floats], Floats] = lambda w, mean: mean
    search: Search = field(default_factory=lambda: RIGHT)


def predict(lines: Lines, case: Case, drawn: Sequence[Sequence[Floats]] | None) -> Floats:
    """The averages of all rounds. drawn: how often each data point of each client was in a round's batch.

    Where noise is small and its size decides, it is other noise of the same size: states agree up to it.
    """
    own = None if case.tolerance is None else _draws(case.shown.dimension)
    return states(lines, case.shown, case.settings, case.rounds, drawn, own)


def _draws(d: int) -> Draw:
    random = np.random.default_rng(1)

    def draw(k: int, i: int, j: int) -> Floats:
        drawn: Floats = random.standard_normal(d)
        return drawn

    return draw


def states(
    lines: Lines,
    shown: Instance,
    v: Values,
    rounds: int,
    drawn: Sequence[Sequence[Floats]] | None = None,
    noise: Draw | None = None,
) -> Floats:
    w = before = shown.center
    iterates, models = [w], np.array([w] * shown.clients)
    held = lines.search.begin()
    for k in range(rounds):
        if "local_steps" not in v and not lines.search.goes_on(held, v):
            iterates.append(w)
            continue
        tau = v.get("local_steps", held.tau)
        estimated = estimates(lines.search, shown, lines.search.ended(models, before), w)
        chosen = None if drawn is None else drawn[k]
        n, fresh = shown.clients, lines.given(w, before)
        given = np.array([before if lines.behind(i, n) else fresh for i in range(n)])
        models = _local_models(lines, shown, v, given, models, tau, k, chosen, noise)
        before, w = w, _average(lines, shown, models, w)
        if lines.search.fresh:
            estimated = estimates(lines.search, shown, models, lines.search.between(before, w))
        held = _next(lines, shown, v, estimated, held, before, w)
        iterates.append(w)
    return np.array(iterates)


def _next(
    lines: Lines, shown: Instance, v: Values, estimated: Estimates, held: Any, before: Floats, w: Floats
) -> Any:
    return held if "local_steps" in v else renewed(lines.search, shown, v, estimated, held, before, w)


def _average(lines: Lines, shown: Instance, models: Floats, w: Floats) -> Floats:
    return lines.server(w, lines.weights(np.array(shown.sizes, dtype=np.float64)) @ models)


def _local_models(
    lines: Lines,
    shown: Instance,
    v: Values,
    given: Floats,
    own: Floats,
    tau: int,
    k: int,
    drawn: Sequence[Floats] | None,
    noise: Draw | None,
) -> Floats:
    models, last = [], given[0]
    for i, w in enumerate(given):
        x, moved = lines.start(w, own[i], last), np.zeros_like(w)
        counts = np.ones(shown.sizes[i]) if drawn is None else drawn[i]
        for j in range(lines.count(v, tau, shown.sizes[i])):
            # what was drawn is known of a whole round; on linear functions its first step may have it all
            times = counts if drawn is None or j == 0 else 0 * counts
            rows = np.repeat(gradients(shown, i, lines.point(x, w)), times.astype(int), axis=0)
            total = lines.bounded(rows, v).sum(axis=0) if len(rows) else np.zeros_like(w)
            if noise is not None:
                total = total + v["noise_multiplier"] * v["clip_threshold"] * noise(k, i, j)
            divisor = lines.divisor(v, float(times.sum()), shown.sizes[i])
            moved = lines.along(moved, total / divisor if divisor else 0 * total, x)
            x = x - lines.step(v, j, tau) * moved
        last = x
        models.append(x)
    return np.array(models)


def gradients(shown: Instance, i: int, x: Floats) -> Floats:
    """The gradients of client i's data points at x, (N, d)."""
    rows = np.repeat(shown.slopes[i][None], shown.sizes[i], 0) if shown.data is None else shown.data[i]
    at: Floats = rows + shown.bend(shown.curvatures[i], x - shown.center)
    return at
