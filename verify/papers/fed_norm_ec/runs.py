"""Statements about runs of Fed-alpha-NormEC, on quadratics and on sums of quadratic components.

The server step has length eta, so ||grad f(x^k)|| <= ||grad f(x^0)|| + L eta k for every realisation: samples
have a certified range, and `holds` needs no tail assumption.

The gap between the memories is a martingale e with e^(k+1) = e^k + beta n^k, where n^k is the mean over the
clients of independent n_i = (1 - q_i) Norm_i - q_i z_i with E n_i = 0 and, for q_i = 1/p with probability p,
E||n_i||^2 <= (1 - p)/p + sigma^2/p. So E||e^(K+1)||^2 <= beta^2 (K + 1) (1 - p + sigma^2)/(p M) is certified.

Two things are written by hand: what is certified, and memories at the distance R from the local updates,
since no statement has such a distance among its numbers. The rest follows from the declarations.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from synthetic.algorithms.fed_alpha_norm_ec import Settings
from synthetic.participation import Full
from synthetic.problem import Problem
from verify.cell import Cell, build_problem
from verify.matching import privacy
from verify.matching.cells import required
from verify.matching.cells.largest_allowed import EDGE
from verify.matching.cells.sketch import Sketch, fill
from verify.matching.constants import certified
from verify.matching.constants.certified import Requirement
from verify.matching.measurements.measurement import Certificates
from verify.matching.privacy import Target
from verify.matching.run_settings import settings_of
from verify.matching.runs import Runs
from verify.papers.fed_norm_ec.run_plans import OPEN, PLANS, Plan, Role, roles

SAFE = 1 + 1e-12  # above the rounding of values computed from a start in float64

STATEMENTS = tuple(PLANS)
PRIVATE = "fed_norm_ec.theorem_1.main"
PRIVATE_MEMORY = "initial_memory"


def cells(statement: Statement) -> tuple[Cell, ...]:
    """Homogeneous clients; heterogeneous ones, at the edge, sampled, noisy, with several local steps."""
    plan = PLANS[statement.id]
    return tuple(_cell(statement, plan, role) for role in roles(plan))


def _cell(statement: Statement, plan: Plan, role: Role) -> Cell:
    problem, taken = build_problem(plan.problem, role.problem), names_taken(statement)
    # Where a statement has no gamma any will do: with one local step the local update is the gradient.
    gamma = EDGE / (2 * certified.upper(problem, _smoothness(problem)))
    values = {"gamma": gamma, **plan.base, **role.changes}
    settings = {**({} if "gamma" in taken else {"gamma": gamma}), **plan.engine}
    sketch = Sketch(
        role=role.name,
        problem=plan.problem,
        arguments=role.problem,
        values=values,
        settings=settings | {n: v for n, v in role.changes.items() if n not in taken},
        shares={plan.free: role.fraction} if plan.free else {},
    )
    (cell,) = fill(statement, (sketch,))
    return cell


def private_cells(statement: Statement, target: Target) -> tuple[Cell, ...]:
    """Everybody takes part, and the memories start at zero: any others would tell of the data.

    sigma_DP^2 is in total over the coordinates of each client's noise, of which the sum has M.
    """
    if statement.id != PRIVATE:
        return ()
    plan = PLANS[statement.id]
    arguments, rounds = plan.clients(1.0), int(plan.base["K"]) + 1
    clients, dimension = int(arguments["clients"]), int(arguments["dimension"])
    s = privacy.multiplier(target, Full(), clients, rounds)
    first = Role(name=privacy.role(target), changes={}, fraction=plan.usual, problem=arguments)
    problem = _cell(statement, plan, first).build_problem()
    slopes = problem.client_gradients((problem.minimiser() + 1.0)[None, :])[:, 0]
    changes = {
        "sigma_DP": s * sqrt(dimension / clients),
        "R": float(np.sqrt((slopes**2).sum(axis=1)).max()) * SAFE,
        PRIVATE_MEMORY: "zero",
    }
    return privacy.both_placements(_cell(statement, plan, replace(first, changes=changes)), target)


def _smoothness(problem: Problem) -> str:
    """Assumption 1 asks it of every component, where there are any."""
    name = "largest_component_smoothness"
    return name if name in problem.constants() else "smoothness"


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    """R is among them where memories start at zero: else they are made from it.

    A run cannot choose what the statement prescribes.
    """
    prescribed = statement.evaluate(**{n: float(v) for n, v in cell.parameters.items()}).derived
    held = [r for r in required.requirements(statement, cell) if r.parameter != "R"]
    if PRIVATE_MEMORY in cell.engine:
        held.append(_require_memory_error(statement, cell))
    return held + [
        Requirement(name, float(cell.engine[name]), float(prescribed[name]), float(prescribed[name]))
        for name in OPEN
        if name in cell.engine and name in prescribed
    ]


def _require_memory_error(statement: Statement, cell: Cell) -> Requirement:
    """R is the largest local update, since the memories are zero."""
    v, incremental = _values(statement, cell), PLANS[statement.id].incremental
    start = np.array(v["start"], dtype=float)
    update = _local_update(
        cell.build_problem(), start, int(v.get("T", 1)), v["gamma"], incremental=incremental
    )
    return Requirement("R", float(v["R"]), at_least=float(np.linalg.norm(update, axis=1).max()))


def certify(statement: Statement, cell: Cell) -> Certificates:
    problem, v = cell.build_problem(), _values(statement, cell)
    if str(statement.left) == "memory_gap":
        return Certificates(second_moment=_memory_gap_square(v), rounding={})
    slope = np.linalg.norm(problem.gradient(np.array([v["start"]], dtype=float))[0])
    reach = slope + v["L"] * v["eta"] * np.arange(int(v["K"]) + 1)
    return Certificates(ceiling=reach * (1 + 1e-9), rounding={})


def _values(statement: Statement, cell: Cell) -> dict[str, Any]:
    """What the run needs: what the statement leaves open, what it is given, and what it prescribes."""
    parameters = {n: float(v) for n, v in cell.parameters.items()}
    return {**cell.engine, **parameters, **statement.evaluate(**parameters).derived}


def _memory_gap_square(v: Mapping[str, Any]) -> float:
    spread: float = (1 - v["p"] + v["sigma_DP"] ** 2) / v["p"]
    square: float = v["beta"] ** 2 * (v["K"] + 1) * spread / v["M"]
    return square * (1 + 1e-9)


def settings(statement: Statement, cell: Cell) -> Settings:
    """The memories are at the distance R from the local updates, which is no number of a statement."""
    problem, v, incremental = cell.build_problem(), _values(statement, cell), PLANS[statement.id].incremental
    of_run: Settings = settings_of(
        statement,
        cell,
        # A statement that takes d reads sigma_DP as the deviation in each coordinate.
        noise_variance="per_coordinate" if "d" in v else "total",
        initial_memory=None,
        local_operator="incremental" if incremental else "gradient_descent",
    )
    if PRIVATE_MEMORY in cell.engine:
        return of_run
    update = _local_update(problem, np.array(v["start"]), int(v["T"]), v["gamma"], incremental=incremental)
    return replace(of_run, initial_memory=_displaced(update, v["R"]))


def _local_update(
    problem: Problem, start: NDArray[np.float64], steps: int, length: float, *, incremental: bool
) -> NDArray[np.float64]:
    """(x - T_i(x))/gamma of every client, by other operations than those of the algorithm.

    Where memories are too large for float64, a gap that is rounding then changes with the data.
    """
    points: Any = start[None, :]
    for j in range(steps):
        slopes = (
            problem.component_gradients(j, points)  # type: ignore[attr-defined]  # a sum of components
            if incremental
            else problem.client_gradients(points)
        )
        points = points - length / steps * slopes
    update: NDArray[np.float64] = (start - points[:, 0]) / length
    return update


def _displaced(updates: NDArray[np.float64], error: float) -> NDArray[np.float64]:
    """Memories at distance `error` from the local updates (x - T_i(x))/gamma, so that R = error."""
    clients, dimension = updates.shape
    rows = np.arange(clients)
    memories = updates.copy()
    memories[rows, rows % dimension] += error / SAFE
    return memories


RUNS = Runs(
    algorithm="fed_alpha_norm_ec",
    statements=STATEMENTS,
    cells=cells,
    private_cells=private_cells,
    settings=settings,
    requirements=requirements,
    certified=certify,
)
