"""Theorem 1 of Fed-alpha-NormEC on quadratics.

The server step has length eta, so ||grad f(x^k)|| <= ||grad f(x^0)|| + L eta k for every realisation: samples
have a certified range, and `holds` needs no tail assumption.
"""

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds.statement import Statement
from synthetic.algorithms.fed_alpha_norm_ec import Settings
from synthetic.participation import Full, Independent
from synthetic.problems.interface import Problem
from synthetic.run import run
from verify.cell import Cell
from verify.matching import certified
from verify.matching.certified import Requirement
from verify.measurement import Sampled

SAFE = 1 + 1e-12  # above the rounding of values computed from a start in float64

STATEMENTS = ("fed_norm_ec.theorem_1.main", "fed_norm_ec.theorem_1.appendix")


def cells(statement: Statement) -> tuple[Cell, ...]:
    """Homogeneous clients; heterogeneous ones with one and five local steps, at the edge, sampled, noisy."""
    base = {"K": 20, "T": 1, "p": 1.0, "sigma_DP": 0.0, "R": 0.5, "alpha": 0.5, "beta": 0.2}
    return (
        _cell(statement, "homogeneous", base, heterogeneity=0.0),
        _cell(statement, "heterogeneous", base),
        _cell(statement, "edge of its conditions", base, fraction=1.0),
        _cell(statement, "partial participation", base | {"p": 0.5}),
        _cell(statement, "strong noise", base | {"sigma_DP": 1.0}),
        _cell(statement, "local steps", base | {"T": 5, "p": 0.5, "sigma_DP": 0.2}),
    )


def _cell(
    statement: Statement,
    role: str,
    base: dict[str, Any],
    *,
    heterogeneity: float = 1.0,
    fraction: float = 0.9,
) -> Cell:
    cell = Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm="fed_alpha_norm_ec",
        role=role,
        problem="quadratic.small",
        problem_arguments={"clients": 5, "dimension": 4, "heterogeneity": heterogeneity, "seed": 1},
        parameters={},
        engine={},
    )
    problem = cell.build_problem()
    start = problem.minimiser() + 1.0
    gap = float(problem.value(start[None, :])[0] - problem.minimum())
    parameters = base | {
        "M": problem.clients,
        "L": certified.upper(problem, "smoothness"),
        "Delta_inf": max(0.0, certified.upper(problem, "infimum_gap")),
        "f0_gap": gap * SAFE,
    }
    parameters["eta"] = _step(parameters, fraction)
    return replace(cell, parameters=parameters, engine={"start": start.tolist()})


def _step(p: dict[str, Any], fraction: float) -> float:
    """A fraction of the largest server step; where h4 allows none, a step that shows that it allows none."""
    first = p["Delta_inf"] / ((p["K"] + 1) * 2 * sqrt(2 * p["L"]))
    second = p["beta"] * p["R"] / (4 * p["L"] * (p["alpha"] + p["R"]))
    limit = min(first, second)
    step: float = fraction * limit if limit > 0 else second
    return step


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    """R is not among them: the memories are made from it."""
    problem, p = cell.build_problem(), {n: float(v) for n, v in cell.parameters.items()}
    start = np.array(cell.engine["start"])[None, :]
    gap = float(problem.value(start)[0] - problem.minimum())
    return [
        Requirement("M", p["M"], at_least=problem.clients, at_most=problem.clients),
        Requirement("L", p["L"], at_least=certified.upper(problem, "smoothness")),
        Requirement("f0_gap", p["f0_gap"], at_least=gap),
        # A step-size condition wants it from below, a term of the bound from above.
        Requirement(
            "Delta_inf",
            p["Delta_inf"],
            at_least=certified.lower(problem, "infimum_gap"),
            at_most=max(0.0, certified.upper(problem, "infimum_gap")),
        ),
    ]


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Sampled:
    problem, p = cell.build_problem(), {n: float(v) for n, v in cell.parameters.items()}
    start = np.array(cell.engine["start"])
    step, local_steps = 1 / (2 * p["L"]), int(p["T"])
    settings = Settings(
        start=start,
        last_round=int(p["K"]),
        local_steps=local_steps,
        local_step=step,
        memory_step=p["beta"],
        server_step=p["eta"],
        smoothing=p["alpha"],
        participation=Full() if p["p"] == 1 else Independent(probability=p["p"]),
        private=p["sigma_DP"] > 0,
        noise_scale=p["sigma_DP"],
        noise_variance="total",
        initial_memory=_memories(problem, start, step, local_steps, p["R"]),
    )
    name = "gradient_norm"
    trace = run(
        cell.algorithm, problem, settings, replicates=replicates, seed=seed, stream=stream, observe=[name]
    )
    norms = trace.measurements[name].T
    rounds = np.arange(len(norms))
    return Sampled(
        observables={"min_gradient_norm": norms},
        ceiling=(norms[0, 0] + p["L"] * p["eta"] * rounds) * (1 + 1e-9),
    )


def _memories(
    problem: Problem, start: NDArray[np.float64], step: float, local_steps: int, error: float
) -> NDArray[np.float64]:
    """Memories at distance `error` from the local updates (x - T_i(x))/gamma, so that R = error."""
    rows = []
    for client in range(problem.clients):
        x = start[None, :]
        for _ in range(local_steps):
            x = x - step / local_steps * problem.client_gradient(client, x)
        update = (start - x[0]) / step
        update[client % problem.dimension] += error / SAFE
        rows.append(update)
    return np.array(rows)
