"""Theorem 1 of ALS-DPFL on Huber clients, which alone meet its Lipschitz assumption; quadratics are refused.

Three readings of the auxiliary noise are run: as printed, which is the named one; divided by the batch size
like the clients'; and coupled to the clients'. Only the named one decides about the statement.
"""

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from bounds.statement import Statement
from synthetic.algorithms.dpfl import AuxiliaryNoise, Settings
from synthetic.run import run
from verify.cell import NAMED, Cell
from verify.matching import certified
from verify.matching.certified import Requirement
from verify.measurement import Sampled

COUPLED, DIVIDED = "coupled noises", "auxiliary noise divided by B"
AUXILIARY_NOISE: dict[str, AuxiliaryNoise] = {
    NAMED: "independent",
    DIVIDED: "independent_divided",
    COUPLED: "average_of_clients",
}
HUBER = {"clients": 5, "dimension": 4, "heterogeneity": 0.5, "threshold": 1.0, "seed": 4}

STATEMENTS = ("als_dpfl.theorem_1.distance", "als_dpfl.theorem_1.value")


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
    lipschitz = certified.upper(problem, "lipschitz")
    parameters = base | {
        "beta": certified.upper(problem, "smoothness"),
        "xi": certified.upper(problem, "gradient_divergence"),
        "C": lipschitz,
        "d": problem.dimension,
    }
    if statement.id.endswith(".value"):
        parameters["rho"] = lipschitz
    return replace(cell, parameters=parameters, engine={"start": [2.0] * problem.dimension})


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    problem, p = cell.build_problem(), {n: float(v) for n, v in cell.parameters.items()}
    lipschitz = certified.upper(problem, "lipschitz")
    needed = [
        Requirement("beta", p["beta"], at_least=certified.upper(problem, "smoothness")),
        Requirement("xi", p["xi"], at_least=certified.upper(problem, "gradient_divergence")),
        Requirement("C", p["C"], at_least=lipschitz),
        Requirement("d", p["d"], at_least=problem.dimension, at_most=problem.dimension),
    ]
    return [*needed, Requirement("rho", p["rho"], at_least=lipschitz)] if "rho" in p else needed


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Sampled:
    problem, p = cell.build_problem(), {n: float(v) for n, v in cell.parameters.items()}
    settings = Settings(
        start=np.array(cell.engine["start"]),
        rounds=1,
        local_steps=int(p["x"]),
        step=p["eta"],
        clip_threshold=p["C"],
        noise_multiplier=p["sigma"],
        batch_size=int(p["B"]),
        auxiliary_noise=AUXILIARY_NOISE[cell.reading],
    )
    name = "value_difference" if statement.id.endswith(".value") else "distance"
    measured = f"{name}_to_auxiliary"
    trace = run(
        cell.algorithm, problem, settings, replicates=replicates, seed=seed, stream=stream, observe=[measured]
    )
    at_end = trace.measurements[measured][:, 0, -1]
    # Two sequences of steps at most C long apart from their noises; in the average the coupled noises cancel.
    auxiliary = {NAMED: 1.0, DIVIDED: 1 / p["B"] ** 2, COUPLED: 0.0}[cell.reading]
    averaged = 0.0 if cell.reading == COUPLED else 1 / (p["B"] ** 2 * problem.clients)
    noise = p["sigma"] * p["C"] * sqrt(p["d"] * (averaged + auxiliary))
    distance = p["eta"] * p["x"] * (2 * p["C"] + noise) * (1 + 1e-9)
    if statement.id.endswith(".value"):
        observables = {"value_difference": np.abs(at_end)}
        return Sampled(observables=observables, second_moment=(p["rho"] * distance) ** 2)
    return Sampled(observables={"distance_to_auxiliary": at_end}, second_moment=distance**2)
