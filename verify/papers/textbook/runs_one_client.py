"""FedAVG with one client and full gradients, the control T.fedavg.one: gradient descent in float64.

The run is deterministic, so one replicate says all; what it measures is known up to rounding. A start is
nearer to the minimizer than D0 by more than that, so that where the bound is an equality the verdict is
not left to the last digit.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.language.statement import Statement
from synthetic.algorithms.fedavg import Settings
from synthetic.participation import Full
from synthetic.run import run
from verify.cell import Cell
from verify.matching import certified
from verify.matching.certified import Requirement
from verify.matching.measurement import Sampled
from verify.matching.runs import Runs

STATEMENTS = ("textbook.federated_averaging_one_client",)

# Above the rounding of a few hundred steps, below anything that a verdict could hang on.
ROUNDING = 1e-9
ROUNDS, LOCAL_STEPS, SMOOTHNESS, DISTANCE = 4, 3, 2.0, 1.5


def excluded(statement: Statement) -> dict[str, str]:
    return {
        "strong noise": "full local gradients: nothing is drawn",
        "partial participation": "a round without the only client is no round",
    }


def cells(statement: Statement) -> tuple[Cell, ...]:
    steps = ROUNDS * LOCAL_STEPS
    worst = {"smoothness": SMOOTHNESS, "distance": DISTANCE, "steps": steps}
    one = {"clients": 1, "dimension": 4, "heterogeneity": 0.0, "smoothness": SMOOTHNESS, "seed": 6}
    return (
        _cell(statement, "tight", "huber.worst_case_of_gradient_descent", worst),
        _cell(statement, "homogeneous", "quadratic.small", one),
        _cell(statement, "one round", "quadratic.small", one, rounds=1, E=steps),
        _cell(statement, "before any round", "quadratic.small", one, rounds=0),
        _cell(statement, "heterogeneous", "quadratic.small", one | {"clients": 2, "heterogeneity": 1.0}),
    )


def _cell(statement: Statement, role: str, problem: str, arguments: Mapping[str, Any], **counts: int) -> Cell:
    common: dict[str, Any] = {
        "statement": statement.id,
        "variant": statement.variant,
        "algorithm": "fedavg",
        "role": role,
        "problem": problem,
        "problem_arguments": arguments,
    }
    built = Cell(**common, parameters={}, engine={}).build_problem()
    offset = np.zeros(built.dimension)
    offset[-1] = DISTANCE
    parameters = {
        "rounds": ROUNDS,
        "E": LOCAL_STEPS,
        "L": certified.upper(built, "smoothness"),
        "D0": DISTANCE * (1 + ROUNDING),
    } | counts
    return Cell(**common, parameters=parameters, engine={"start": (built.minimiser() + offset).tolist()})


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    problem, p = cell.build_problem(), cell.parameters
    return [
        Requirement("clients", problem.clients, at_most=1, because="the statement is about one client"),
        Requirement("L", float(p["L"]), at_least=certified.upper(problem, "smoothness")),
        Requirement("D0", float(p["D0"]), at_least=certified.distance(problem, cell.engine["start"])),
    ]


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Sampled:
    p = cell.parameters
    settings = Settings(
        start=np.array(cell.engine["start"]),
        rounds=int(p["rounds"]),
        local_steps=int(p["E"]),
        local_step=float(1 / Fraction(p["L"])),
        participation=Full(),
    )
    problem = cell.build_problem()
    trace = run("fedavg", problem, settings, replicates=1, seed=seed, stream=stream, observe=["gap"])
    gap = float(trace.measurements["gap"][0, -1])
    # the rounding of a dozen steps is ten thousand times smaller
    rounding = ROUNDING / 10 * (gap + abs(float(problem.minimum())))
    # Of a number that is known on both sides nothing has to be bet: a bound a little below it is seen.
    return Sampled(
        observables={str(statement.left): np.full(replicates, gap)},
        ceiling=np.array(gap + rounding),
        floor=gap - rounding,
    )


RUNS = Runs(
    algorithm="fedavg",
    statements=STATEMENTS,
    cells=cells,
    excluded=excluded,
    requirements=requirements,
    measure=measure,
    in_fractions=True,
)
