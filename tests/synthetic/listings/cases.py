"""The cases that all algorithms run through, and how near is near enough."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from listings.by_hand import KINDS, Clients
from listings.draws import Draws

from synthetic import run
from synthetic.engine.randomness import PlacedNumbers
from synthetic.participation import FixedSize, Full, Independent

ROUND, TRAJECTORY = 1e-12, 1e-10
STREAM = "listings"
OF_STATES = ("gap", "squared_distance", "gradient_norm")


@lru_cache(maxsize=100)
def made(kind, seed, clients, dimension) -> Clients:
    """Once for each problem: its constants are computed in fractions."""
    return KINDS[kind](np.random.default_rng(seed), clients, dimension)


@dataclass(frozen=True, kw_only=True)
class Case:
    """Everything that is not special to one algorithm; what is, is drawn from `random`."""

    seed: int
    kind: str
    clients: int
    dimension: int
    replicates: int
    rounds: int
    local_steps: int
    participation: Any
    scheduled: bool = False
    at_still: bool = False

    @property
    def random(self):
        return np.random.default_rng([self.seed, 1])

    def made(self) -> Clients:
        return made(self.kind, self.seed, self.clients, self.dimension)

    def start(self):
        """Every replicate at its own point; at_still: where the first client's gradient is exactly zero."""
        points = self.random.standard_normal((self.replicates, self.dimension)) * 3
        if self.at_still:
            points[:] = self.made().still
        return points

    def steps(self, base):
        """A constant, or one step per round."""
        if not self.scheduled:
            return base
        return tuple(base * (0.5 + 0.5 / (k + 1)) for k in range(self.rounds))

    def draws(self, replicate):
        numbers = PlacedNumbers(seed=self.seed, stream=STREAM, replicates=self.replicates)
        return Draws(numbers=numbers, replicate=replicate, clients=self.clients, dimension=self.dimension)

    def mean_gradient(self, x):
        return sum(self.made().gradient(i, x) for i in range(self.clients)) / self.clients

    def mean_value(self, x):
        return sum(self.made().value(i, x) for i in range(self.clients)) / self.clients

    def run(self, algorithm, settings, observe=()):
        """The trace, of which the distance to the optimum in each measure is compared here."""
        observe = ("state", *OF_STATES, *observe)
        asked = {"replicates": self.replicates, "seed": self.seed, "stream": STREAM, "observe": observe}
        trace = run(algorithm, self.made().problem, settings, **asked)
        for replicate, states in enumerate(trace.measurements["state"]):
            for k, x in enumerate(states):
                gap, squared_distance, gradient_norm = (
                    trace.measurements[name][replicate, k] for name in OF_STATES
                )
                self._compare_state(x, gap, squared_distance, gradient_norm)
        return trace

    def _compare_state(self, x, gap, squared_distance, gradient_norm):
        problem = self.made().problem
        minimum, away = float(problem.minimum()), x - np.asarray(problem.minimiser())
        near(gap, self.mean_value(x) - minimum, ROUND, [self.mean_value(x), minimum])
        near(squared_distance, away @ away, ROUND, [away @ away, np.linalg.norm(x)])
        near(gradient_norm, np.linalg.norm(self.mean_gradient(x)), ROUND, x)


def drawn_case(seed):
    random = np.random.default_rng([seed, 2])
    n = int(random.choice([1, 2, 3, 5, 8]))
    rules = [Full(), Independent(probability=float(random.choice([0.05, 0.3, 0.7, 1.0])))]
    rules.append(FixedSize(count=int(random.integers(1, n + 1))))
    return Case(
        seed=seed,
        kind=str(random.choice(["quadratic", "huber", "logistic"])),
        clients=n,
        dimension=int(random.choice([1, 2, 4, 7])),
        replicates=int(random.choice([1, 2, 3])),
        rounds=int(random.choice([1, 3, 6])),
        local_steps=int(random.choice([1, 2, 5, 12])),
        participation=rules[int(random.integers(3))],
        scheduled=bool(random.random() < 0.4),
        at_still=bool(random.random() < 0.4),
    )


BASE = Case(
    seed=100,
    kind="quadratic",
    clients=4,
    dimension=3,
    replicates=2,
    rounds=4,
    local_steps=3,
    participation=Independent(probability=0.5),
)
SMALLEST = replace(BASE, seed=101, clients=1, dimension=1, replicates=1, rounds=1, local_steps=1)
CASES = {
    **{f"drawn {seed}": drawn_case(seed) for seed in range(12)},
    "smallest": replace(SMALLEST, participation=Full()),
    "smallest, by a coin": SMALLEST,
    "no rounds": replace(BASE, seed=102, rounds=0),
    "two hundred local steps": replace(BASE, seed=103, rounds=2, local_steps=200, replicates=1),
    "two hundred steps of bowls": replace(
        BASE, seed=104, kind="huber", rounds=2, local_steps=200, replicates=1, participation=Full()
    ),
    "more replicates than a block": replace(
        BASE, seed=105, clients=2, replicates=66, rounds=2, local_steps=1
    ),
    "seldom anyone": replace(
        BASE, seed=106, clients=2, rounds=12, participation=Independent(probability=0.05)
    ),
    "some of many": replace(BASE, seed=110, clients=7, participation=FixedSize(count=3)),
    "most of many": replace(
        BASE, seed=111, kind="logistic", clients=7, participation=Independent(probability=0.8)
    ),
    "everyone by a coin": replace(BASE, seed=112, kind="huber", participation=Independent(probability=1)),
    "one of many": replace(BASE, seed=107, clients=9, participation=FixedSize(count=1)),
    "zero updates": replace(BASE, seed=108, at_still=True, scheduled=True, participation=Full()),
    "nothing moves": replace(BASE, seed=109, clients=1, at_still=True, participation=Full()),
}


def near(found, expected, tolerance, state):
    """Found and expected, numbers or vectors, of a round that starts at this state."""
    scale = max(1.0, float(np.linalg.norm(state)))
    error = float(np.linalg.norm(np.asarray(found) - np.asarray(expected)))
    assert error <= tolerance * scale, f"{error:.3g} away at scale {scale:.3g}"


def at(steps):
    """A schedule as a function of the round."""
    return (lambda k: steps[k]) if isinstance(steps, tuple) else (lambda k: steps)


def follows(states, one_round: Callable, whole=None):
    """States (K + 1, d) of the engine: each round from the engine's state; and as a whole."""
    for k in range(len(states) - 1):
        near(states[k + 1], one_round(states[k], k), ROUND, states[k])
    if whole is not None:
        for found, expected in zip(states, whole, strict=True):
            near(found, expected, TRAJECTORY, expected)
