"""An author's algorithm run by the engine, against the author's own loop over rounds and replicates.

    python benchmarks/outside.py [--json FILE] [--repetitions N]

One round of noisy federated averaging, ten lines of numpy, on a small and on a larger quadratic problem. The
own loop calls the same round with a generator for each replicate and keeps the iterates and the gap f - f* of
every round. It does so twice: with the clients that the engine hands over, so that the ratio is the cost of
the engine alone, and with clients of plain numpy, which check and pad nothing. The batched round is the same
algorithm for 64 replicates at once.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from machine import interleaved, machine, print_table, write_json
from numpy.typing import NDArray

from synthetic import run
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.outside.clients import Clients
from synthetic.outside.settings import make_settings
from synthetic.problems import build
from synthetic.run import runnable

Array = NDArray[np.float64]

SETTINGS = {"local_step": REQUIRED, "local_steps": 2, "noise": 0.1}
REPLICATES, ROUNDS = 64, 50
WORKS: dict[str, dict[str, Any]] = {
    "n=5, d=4": {"clients": 5, "dimension": 4},
    "n=20, d=50": {"clients": 20, "dimension": 50},
}


def average(state: Array, clients: Any, settings: Any, random: np.random.Generator) -> Array:
    total = np.zeros_like(state)
    for client in clients:
        x = state
        for _ in range(settings.local_steps):
            x = x - settings.local_step * client.gradient(x)
        total += x - state + settings.noise * random.standard_normal(len(state))
    return state + total / len(clients)


def average_rows(state: Array, clients: Any, settings: Any, random: np.random.Generator) -> Array:
    x = np.repeat(state[:, None], len(clients), axis=1)
    for _ in range(settings.local_steps):
        x = x - settings.local_step * clients.gradients(x)
    noise = settings.noise * random.standard_normal(x.shape)
    mean: Array = (x + noise).mean(axis=1)
    return mean


class PlainClient:
    """One quadratic client in plain numpy."""

    def __init__(self, hessian: Array, center: Array, offset: float) -> None:
        self.hessian, self.center, self.offset = hessian, center, offset

    def gradient(self, x: Array) -> Array:
        product: Array = self.hessian @ (x - self.center)
        return product

    def value(self, x: Array) -> float:
        away = x - self.center
        return float(away @ self.hessian @ away / 2 + self.offset)


def own_loop(clients: Any, value: Callable[[Array], float], minimum: float, settings: Any) -> Array:
    gaps = np.empty((REPLICATES, ROUNDS + 1))
    kept = []
    for replicate in range(REPLICATES):
        random = np.random.default_rng(replicate)
        x = settings.start.copy()
        for k in range(ROUNDS):
            gaps[replicate, k] = value(x) - minimum
            x = average(x, clients, settings, random)
            kept.append(x)
        gaps[replicate, ROUNDS] = value(x) - minimum
    return gaps


def sides_of(work: dict[str, Any]) -> list[Callable[[], Any]]:
    problem: Any = build("quadratic.small", **work)
    problem.constants()  # known before anything is timed, as in a verification
    values = {"start": np.ones(problem.dimension), "rounds": ROUNDS, "local_step": 0.1}

    def engine(algorithm: Algorithm) -> Callable[[], Any]:
        name = adopt(algorithm)
        settings = make_settings(name, runnable(name).settings, values)
        asked = {"replicates": REPLICATES, "seed": 0, "stream": "a", "observe": ["gap", "state"]}
        return lambda: run(name, problem, settings, **asked)

    single = Algorithm(round=average, settings=SETTINGS)
    settings = make_settings("own", runnable(adopt(single)).settings, values)
    plain = [
        PlainClient(*data)
        for data in zip(problem.hessians, problem.centers, problem.offsets.tolist(), strict=True)
    ]
    clients, minimum = Clients(problem, batched=False), float(problem.minimum())

    def mean(x: Array) -> float:
        return sum(client.value(x) for client in plain) / len(plain)

    return [
        engine(single),
        lambda: own_loop(clients, clients.value, minimum, settings),
        lambda: own_loop(plain, mean, minimum, settings),
        engine(Algorithm(round=average_rows, settings=SETTINGS, batched=True)),
    ]


RATIOS = (
    ("engine / own loop, same clients", 0, 1, 2.0),
    ("engine / own loop, clients of plain numpy", 0, 2, 2.0),
    ("unbatched / batched, both by the engine", 0, 3, None),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for name, work in WORKS.items():
        seconds = interleaved(sides_of(work), options.repetitions)
        for what, above, below, target in RATIOS:
            each = sorted(a / b for a, b in zip(seconds[above], seconds[below], strict=True))
            median = float(np.median(seconds[above]) / np.median(seconds[below]))
            rows.append(
                {
                    "statement": name,
                    "what": what,
                    "target": target,
                    "median": median,
                    "lowest": each[0],
                    "highest": each[-1],
                    "seconds": [float(np.median(side)) for side in seconds],
                }
            )
    print_table(rows)
    if options.json:
        write_json(options.json, {"machine": machine(), "rows": rows})
    return 0


if __name__ == "__main__":
    sys.exit(main())
