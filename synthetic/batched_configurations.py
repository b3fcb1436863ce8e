"""Many configurations of one algorithm on one problem, as one batch: their rows stand below each other.

A round costs two products of all rows however the rows differ. Each configuration has the random numbers of
a run of its own with the same seed and stream, so its trace is the trace of that run up to rounding.
"""

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from synthetic.algorithms._averaging import participation_of
from synthetic.algorithms._common import random_start
from synthetic.engine.arithmetic import Array, namespace
from synthetic.engine.joined_trace import before_the_mean, joined, of_rows
from synthetic.engine.per_row import PerRow, fitting
from synthetic.engine.plan import Plan
from synthetic.engine.randomness import Numbers, Place
from synthetic.engine.trace import Recorder, Trace
from synthetic.errors import BadValue
from synthetic.measures import yardstick
from synthetic.participation import Independent, coins
from synthetic.problem import Problem
from synthetic.run import fitting_plan, requests_of, run, runnable


def run_grid(
    algorithm: str,
    problem: Problem,
    settings: Sequence[Any],
    *,
    replicates: int,
    seed: int | Sequence[int],
    stream: str,
    observe: Iterable[str] | None = None,
    plan: Plan | None = None,
) -> list[Trace]:
    """For each of the settings the trace of `run`; seed: one for all, or one for each.

    What a module names in PER_ROW may differ within a batch; settings that differ in anything else, or of an
    algorithm that names nothing, run one batch after the other.
    """
    chosen_algorithm, seeds = runnable(algorithm), _one_for_each(seed, len(settings))
    chosen = fitting_plan(algorithm, problem, plan, replicates * len(settings))
    per_row = chosen_algorithm.per_row
    common: dict[str, Any] = {"replicates": replicates, "stream": stream, "plan": chosen}
    if not per_row or problem.exact:
        alone = common | {"observe": observe}
        return [run(algorithm, problem, s, seed=n, **alone) for s, n in zip(settings, seeds, strict=True)]
    requests = requests_of(algorithm, problem, settings, observe)
    yardstick(problem)  # once, before several threads ask for it
    batches = _batches(problem, settings, seeds, per_row, common)
    asked = tuple(dict.fromkeys(before_the_mean(request) for request in requests))

    def of_batch(batch: Any) -> list[Trace]:
        recorder = Recorder(algorithm=algorithm, replicates=batch.replicates, requests=asked)
        trace = chosen_algorithm.act(problem, batch.settings, batch, recorder)
        return [of_rows(trace, rows, requests) for rows in batch.rows()]

    found: dict[int, list[Trace]] = {position: [] for position in range(len(settings))}
    for batch, traces in zip(batches, chosen.carried_out(of_batch, batches), strict=True):
        for position, trace in zip(batch.positions, traces, strict=True):
            found[position].append(trace)
    return [joined(traces, requests) for traces in found.values()]


def _one_for_each(seed: int | Sequence[int], settings: int) -> tuple[int, ...]:
    seeds = (seed,) * settings if isinstance(seed, int) else tuple(seed)
    if len(seeds) != settings:
        raise BadValue(
            asked="seed",
            failed="not one for each of the settings",
            found=len(seeds),
            needed=str(settings),
            change="give one number, or as many as there are settings",
        )
    return seeds


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The numbers of some configurations, one block of replicates of each, drawn once where they are shared.

    positions: which of the configurations; sources: the numbers of each.
    """

    settings: Any
    positions: tuple[int, ...]
    sources: tuple[Numbers, ...]

    @property
    def each(self) -> int:
        return self.sources[0].replicates

    @property
    def replicates(self) -> int:
        return self.each * len(self.sources)

    @property
    def wanted(self) -> int:
        return self.replicates

    @property
    def first(self) -> int:
        return 0

    @property
    def of_run(self) -> int:
        return self.replicates

    @property
    def together(self) -> bool:
        return self.sources[0].together

    def rows(self) -> list[slice]:
        own = self.sources[0].wanted
        return [slice(first, first + own) for first in range(0, self.replicates, self.each)]

    def normals(self, place: Place, width: int, clients: int | None = None) -> Array:
        return self._below(lambda source: source.normals(place, width, clients))

    def uniforms(self, place: Place, width: int, clients: int | None = None) -> Array:
        return self._below(lambda source: source.uniforms(place, width, clients))

    def key(self, purpose: str, index: int) -> NDArray[np.uint64]:
        return self.sources[0].key(purpose, index)  # no algorithm that runs in batches asks for one

    def array(self, data: Array) -> Array:
        return self.sources[0].array(data)

    def _below(self, draw: Callable[[Numbers], Array]) -> Array:
        drawn = {key: draw(source) for key, source in {id(s): s for s in self.sources}.items()}
        parts = [drawn[id(source)] for source in self.sources]
        return namespace(parts[0]).concatenate(parts, axis=-2)


def _batches(
    problem: Problem,
    settings: Sequence[Any],
    seeds: Sequence[int],
    per_row: Sequence[str],
    common: dict[str, Any],
) -> list[Batch]:
    plan, batches = common["plan"], []
    asked = {"stream": common["stream"], "replicates": common["replicates"]}
    blocks = {seed: list(plan.numbers(seed=seed, **asked)) for seed in set(seeds)}

    def key(position: int) -> str:
        return repr(_common_part(settings[position], per_row, problem))

    for _, group in groupby(sorted(range(len(settings)), key=key), key):
        positions = list(group)
        for number, block in enumerate(blocks[seeds[0]]):
            room, shared = plan.block // block.replicates, -(-len(positions) // plan.threads)
            several = max(1, min(room, shared))
            for first in range(0, len(positions), several):
                chosen = tuple(positions[first : first + several])
                sources = tuple(blocks[seeds[position]][number] for position in chosen)
                rows = _as_rows([settings[position] for position in chosen], sources[0], per_row, problem)
                batches.append(Batch(settings=rows, positions=chosen, sources=sources))
    return batches


def _common_part(settings: Any, per_row: Sequence[str], problem: Problem) -> tuple[Any, ...]:
    """A batch agrees in these: also the kind of participation, and whether there is noise at all."""
    rest = tuple((f.name, getattr(settings, f.name)) for f in fields(settings) if f.name not in per_row)
    rule = participation_of(settings, problem.clients)
    lengths = tuple(len(v) for n in per_row if isinstance(v := getattr(settings, n), tuple) and n != "start")
    silent = tuple(n for n in per_row if getattr(settings, n) is None and n != "participation")
    kind = type(rule).__name__ if isinstance(rule, Independent) else repr(rule)
    return rest, kind, settings.noise_scale == 0, lengths, silent


def _as_rows(settings: Sequence[Any], block: Numbers, per_row: Sequence[str], problem: Problem) -> Any:
    """One object of the same kind, whose numbers are columns: each was checked where it was made."""
    rows, columns = block.replicates, copy.copy(settings[0])
    for name in per_row:
        values = tuple(getattr(one, name) for one in settings)
        if name == "start":
            value: Any = np.concatenate([random_start(problem, one, block) for one in values])
        elif name == "participation":
            value = _participation(settings, rows, problem)
        else:
            value = values[0] if len(set(values)) == 1 else PerRow(values=values, rows=rows)
        object.__setattr__(columns, name, value)
    return columns


def _participation(settings: Sequence[Any], rows: int, problem: Problem) -> Any:
    rules = [participation_of(one, problem.clients) for one in settings]
    if len(set(rules)) == 1:
        return rules[0]
    return CoinsPerRow(
        chances=PerRow(values=tuple(rule.inclusion(problem.clients) for rule in rules), rows=rows)
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CoinsPerRow:
    """Independent participation with a probability for each row."""

    chances: PerRow

    def draw(self, numbers: Numbers, round: int, clients: int) -> Array:
        tossed = coins(numbers, round, clients)
        return fitting(self.chances.column(), tossed) > tossed
