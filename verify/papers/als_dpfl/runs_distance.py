"""Distances of DPFL models from the auxiliary sequence: Theorem 1 and Lemma 3 of ALS-DPFL.

Clients are Huber functions, which alone meet the Lipschitz assumption; quadratics are refused. Three readings
of the auxiliary noise are run: as printed, which is the named one; divided by the batch size like the
clients'; and coupled to the clients'. Only the named one decides about a statement.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from synthetic.algorithms.dpfl import AuxiliaryNoise, Settings
from synthetic.run import run
from verify.cell import NAMED, Cell
from verify.matching import certified, required
from verify.matching.certified import Requirement
from verify.matching.measurement import Sampled

COUPLED, DIVIDED = "coupled noises", "auxiliary noise divided by B"
AUXILIARY_NOISE: dict[str, AuxiliaryNoise] = {
    NAMED: "independent",
    DIVIDED: "independent_divided",
    COUPLED: "average_of_clients",
}
HUBER = {"clients": 5, "dimension": 4, "heterogeneity": 0.5, "threshold": 1.0, "seed": 4}

ONE_CLIENT = "als_dpfl.lemma_3.lemma"
STATEMENTS = ("als_dpfl.theorem_1.distance", "als_dpfl.theorem_1.value", ONE_CLIENT)
# What the engine calls each left-hand side.
MEASURED = {
    "distance_to_auxiliary": "distance_to_auxiliary",
    "value_difference": "value_difference_to_auxiliary",
    "client_distance": "client_distance_to_auxiliary",
}


def cells(statement: Statement) -> tuple[Cell, ...]:
    """Batches of 1, 6 and 16, after one and after all local steps, in the three readings."""
    base = {"x": 1, "tau": 5, "eta": 0.5, "sigma": 1.0, "B": 1}
    strong = {"B": 16, "sigma": 10.0}
    return (
        replace(_cell(statement, "quadratic clients", base), problem="quadratic.small", problem_arguments={}),
        _cell(statement, "homogeneous", base, heterogeneity=0.0),
        _cell(statement, "heterogeneous", base | {"x": 5}),
        _cell(statement, "edge of its conditions, large batch", base | {"x": 5, "B": 16}),
        _cell(statement, "one step, large batch", base | {"B": 16}),
        _cell(statement, "homogeneous, batch of 6", base | {"B": 6}, heterogeneity=0.0),
        _cell(statement, "strong noise, large batch", base | strong),
        *(
            replace(_cell(statement, role, base | strong | {"x": x}), reading=reading)
            for reading in (DIVIDED, COUPLED)
            for role, x in (("one step, large batch", 1), ("all steps, large batch", 5))
        ),
    )


def _cell(statement: Statement, role: str, base: dict[str, Any], *, heterogeneity: float = 0.5) -> Cell:
    cell = Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm="dpfl",
        role=role,
        problem="huber.small",
        problem_arguments=HUBER | {"heterogeneity": heterogeneity},
        parameters={},
        engine={},
    )
    problem = cell.build_problem()
    lipschitz, apart = (certified.upper(problem, n) for n in ("lipschitz", "gradient_divergence"))
    divergences = certified.uppers(problem, "client_gradient_divergence")
    farthest = int(np.argmax(divergences))
    known = base | {
        "beta": certified.upper(problem, "smoothness"),
        "xi": apart,
        "xi_i": divergences[farthest],
        "C": lipschitz,
        "rho": lipschitz,
        "d": problem.dimension,
    }
    engine: dict[str, Any] = {"start": [2.0] * problem.dimension}
    if statement.id == ONE_CLIENT:
        engine["client"] = farthest
    taken = names_taken(statement)
    return replace(cell, parameters={n: v for n, v in known.items() if n in taken}, engine=engine)


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    problem, p = cell.build_problem(), {n: float(v) for n, v in cell.parameters.items()}
    divergences = certified.uppers(problem, "client_gradient_divergence")
    own = {
        "xi_i": divergences[int(cell.engine.get("client", 0))],
        "C": certified.upper(problem, "lipschitz"),  # so that nothing is clipped
    }
    held = [Requirement(name, p[name], at_least=end) for name, end in own.items() if name in p]
    return [*required.requirements(statement, cell), *held]


def settings(statement: Statement, cell: Cell) -> Settings:
    p = {n: float(v) for n, v in cell.parameters.items()}
    return Settings(
        start=np.array(cell.engine["start"]),
        rounds=1,
        local_steps=int(p["x"]),
        step=p["eta"],
        clip_threshold=p["C"],
        noise_multiplier=p["sigma"],
        batch_size=int(p["B"]),
        auxiliary_noise=AUXILIARY_NOISE[cell.reading],
    )


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Sampled:
    problem, p = cell.build_problem(), {n: float(v) for n, v in cell.parameters.items()}
    left = str(statement.left)
    name = MEASURED[left]
    asked = settings(statement, cell)
    trace = run(
        cell.algorithm, problem, asked, replicates=replicates, seed=seed, stream=stream, observe=[name]
    )
    at_end = np.abs(trace.measurements[name][:, 0, -1])
    if "client" in cell.engine:
        at_end = at_end[:, int(cell.engine["client"])]
    clients = 1 if "client" in cell.engine else problem.clients
    scale = p["rho"] if left == "value_difference" else 1.0
    moment = (scale * _distance(p, cell.reading, clients)) ** 2
    return Sampled(observables={left: at_end}, second_moment=moment)


def _distance(p: Mapping[str, float], reading: str, clients: int) -> float:
    """Of the mean of so many models: the root of a bound on its mean square distance from the auxiliary one.

    Two sequences of steps at most C long apart from their noises. Coupled noises cancel in the average of
    all, and are closer to one client's than its own is to 0.
    """
    auxiliary = {NAMED: 1.0, DIVIDED: 1 / p["B"] ** 2, COUPLED: 0.0}[reading]
    own = 0.0 if reading == COUPLED and clients > 1 else 1 / (p["B"] ** 2 * clients)
    noise = p["sigma"] * p["C"] * sqrt(p["d"] * (own + auxiliary))
    return p["eta"] * p["x"] * (2 * p["C"] + noise) * (1 + 1e-9)
