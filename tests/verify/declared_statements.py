"""Statements whose symbols say what they are in a run, for the tests of declared cells."""

from dataclasses import replace
from typing import Any

import numpy as np
from strangers import enter, paper, state

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.part import FREE, setting
from bounds.language.quantity import (
    POSITIVE,
    POSITIVE_INTEGER,
    Notation,
    Over,
    States,
)
from bounds.language.statement import Statement, Term
from verify.matching.cells.standard import cells
from verify.runs.check import run_cell

NOTATION = Notation()
q = NOTATION.quantity
eta = q("eta", r"\eta", "local step", POSITIVE, X**2 / F, part=setting("local_step"))
K, E, L, mu, D, s, n = enter(NOTATION, "K", "E", "L", "mu", "D", "s", "n")
step = q("step", r"\gamma", "step over one client", POSITIVE, X**2 / F, part=setting("step"))
bare = q("bare", "b", "a number of which nothing is said", POSITIVE)
S = q("S", "S", "clients of a round", POSITIVE_INTEGER, part=setting("clients_per_round"))
weight = q("weight", "w", "a weight", POSITIVE, part=FREE)
gap = NOTATION.observable(
    "gap",
    "g",
    "mean gap before each round",
    F,
    Over.UNIFORM_ROUND,
    measured="gap",
    states=States.BEFORE_A_ROUND,
    free_bound=L * D**2 / 2,
)
distance = NOTATION.observable("distance", "d", "last distance", X**2, Over.LAST, measured="squared_distance")
silent = NOTATION.observable("silent", "o", "of which nothing is said", F, Over.LAST)
strange = NOTATION.observable("strange", "o", "of another algorithm", F, Over.LAST, measured="staleness")
fixed = NOTATION.observable("fixed", "o", "at a step", F, Over.FIXED_STEP, measured="gap")
PAPER = paper("mine", NOTATION)
AT = "mine.t"


def local(first: Any = 1, drift: Any = 12, **changes: Any) -> Statement:
    """FedAvg with full gradients: D^2/(eta E K) + 12 L eta^2 E^2 s^2 where eta <= 1/(4 L E)."""
    stated = state(
        PAPER,
        gap,
        Term("initialization", first * D**2 / (eta * E * K), "distance"),
        Term("drift", drift * L * eta**2 * E**2 * s**2, "drift"),
        locator=AT,
        algorithm="fedavg",
        assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS, MINIMUM_ATTAINED),
        conditions=(at_most(eta, 1 / (4 * L * E), locator=AT, printed="x"),),
        example={"L": 1, "K": 10, "E": 2, "eta": 0.1, "D": 1, "s": 1},
        run_with={"participation": "full"},
    )
    return replace(stated, **changes)


def over_clients(floor: Any = 2, **changes: Any) -> Statement:
    """One client drawn at random makes a step: (1 - step mu)^K D^2 + 2 step s^2/mu where step <= 1/(2 L)."""
    return local(
        left=distance,
        algorithm=None,
        terms=(
            Term("initialization", (1 - step * mu) ** K * D**2, "distance"),
            Term("noise", floor * step * s**2 / mu, "noise"),
        ),
        assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX),
        conditions=(at_most(step, 1 / (2 * L), locator=AT, printed="x"),),
        example={"L": 1, "mu": 0.1, "K": 10, "step": 0.1, "D": 1, "s": 1},
        run_with={},
        **changes,
    )


def one_client(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients[random.integers(len(clients))].gradient(x)


def average(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    ends = []
    for client in clients:
        y = x.copy()
        for _ in range(settings.local_steps):
            y = y - settings.local_step * client.gradient(y)
        ends.append(y)
    return np.mean(ends, axis=0)


def verdicts(statement: Statement) -> dict[str, str]:
    adopted = discovery.adopt(statement)
    return {c.role: run_cell(c, level=1e-4, seed=1, replicates=256).verdict.value for c in cells(adopted)}
