"""FedAVG on agents with a power core: exponent 3/2, certified in a ball that no iterate leaves.

f_c(x) = h(||x - c||) with h convex and L-smooth, so a step eta <= 1/L along -grad f_c ends between x and c.
With noise no longer than sigma, every local step adds at most eta sigma to the larger of ||theta_0|| and the
largest ||c||, and averages add nothing: all iterates of R rounds of H steps are within that plus
R H eta sigma of the origin, their `reach`. It must not exceed the radius of the certificate, and it gives F a
certified ceiling. The f_c* are 0, hence F* = 0.
"""

from typing import Any

import numpy as np

from bounds.language.statement import Statement
from synthetic.algorithms.fedavg import Settings
from synthetic.problems.lojasiewicz import PowerCore
from synthetic.run import run
from verify.cell import Cell, Scalar
from verify.matching.constants import certified
from verify.matching.constants.certified import Requirement
from verify.matching.measurements.measurement import Certificates, Floats, Sampled
from verify.matching.runs import Runs
from verify.papers.fedavg_lojasiewicz.runs_shared import (
    PAPER,
    Role,
    Values,
    make,
    require_counts,
    settings,
    values_of,
)

STATEMENTS = (
    "equation_40",
    "recursions.f3",
    "recursions.f4",
    "lemma_f3",
    "theorem_f4",
    "unrolled.f3",
    "unrolled.f4",
)
ONE_LOCAL_STEP = ("equation_40", "recursions.f3", "lemma_f3", "unrolled.f3")
ONE_ROUND = ("equation_40", "recursions.f3", "recursions.f4")

SMALL = "lojasiewicz.small"
# Above the rounding of a run's float64 sums.
ABOVE, BELOW = 1 + 1e-12, 1 - 1e-12


def cells(statement: Statement) -> tuple[Cell, ...]:
    return tuple(make(statement, role, quantities) for role in roles(statement))


def roles(statement: Statement) -> tuple[Role, ...]:
    name = statement.id.partition(".")[2]
    rounds = 1 if name in ONE_ROUND else 10
    base = {
        "start": [2.0, 0.0],
        "participants": 4,
        "H": 1 if name in ONE_LOCAL_STEP else 3,
        "R": rounds,
        "sigma": 0.1,
        "eta": 1e-3,
    }
    alike, apart = _agents(0.0), _agents(0.25)
    noisy = base | {"sigma": 1.0, "R": min(3, rounds)}
    usual, edge = _FRACTIONS.get(name, (0.5, 1.0))
    found = (
        ("homogeneous", alike, base, usual),
        ("homogeneous, exact gradients", alike, base | {"sigma": 0.0}, usual),
        ("heterogeneous", apart, base, usual),
        ("edge of its conditions", apart, base, edge),
        ("strong noise", apart, noisy, usual),
        ("partial participation", apart, base | {"participants": 2}, usual),
        ("out of the ball", apart, base | {"sigma": 1e4}, usual),
    )
    near = tuple(Role(name=n, problem=SMALL, arguments=a, values=v, fraction=f) for n, a, v, f in found)
    return (*near, _FAR) if name == "recursions.f4" else near


# It asks for gaps above its floor in all rounds: long steps would come too near to prove it.
_FRACTIONS = {"unrolled.f3": (0.04, 0.048)}


def _agents(heterogeneity: float, radius: float = 5.0) -> dict[str, Any]:
    return {"clients": 4, "dimension": 2, "heterogeneity": heterogeneity, "set_radius": radius, "seed": 1}


# D.F4.s1 has the gap as a factor of the descent, which without noise is about eta H ||grad F||^2 and not
# more: from a gap above 4 it promises more.
_FAR = Role(
    name="far start, exact gradients",
    problem=SMALL,
    arguments=_agents(0.0, radius=16.0),
    values={"start": [12.0, 0.0], "participants": 4, "H": 3, "R": 1, "sigma": 0.0, "eta": 1e-3},
    fraction=1.0,
)


def quantities(problem: PowerCore, values: Values) -> dict[str, Scalar]:
    """On their safe side; those of the point where the round, or the run, starts."""
    gap, slope = _measure_start(problem, values)
    return {
        "f0_gap": gap * ABOVE,
        "gap": gap * ABOVE,
        "s_r": gap * ABOVE,
        "gradient_norm": slope * BELOW,
        "s_min": _least_gap(problem, values),
        "reach": reach(problem, values),
    }


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    """That a step is no longer than 1/L belongs to the reach; the inequality itself is an assumption."""
    problem, values, p = cell.build_problem(), values_of(cell), cell.parameters
    assert isinstance(problem, PowerCore)
    gap, slope = _measure_start(problem, values)
    ends: dict[str, tuple[float | None, float | None]] = {
        "f0_gap": (gap, None),
        "gap": (gap, None),
        "s_r": (gap, None),
        "gradient_norm": (None, slope),
        "s_min": (None, _least_gap(problem, values)),
    }
    longest = 1 / certified.upper(problem, "smoothness")
    return [
        *require_counts(statement, cell, one_local_step=ONE_LOCAL_STEP, one_round=ONE_ROUND),
        *(Requirement(n, float(p[n]), *ends[n]) for n in ends if n in p),
        Requirement("eta", float(values["eta"]), at_most=longest),
        Requirement("reach", float(values["reach"]), at_least=reach(problem, values)),
    ]


def measure(
    statement: Statement, cell: Cell, of_run: Settings, replicates: int, seed: int, stream: str
) -> Sampled:
    """The f_c* are 0, so the mean of the clients' values is the gap: nothing is subtracted from it."""
    name, problem = "client_value", cell.build_problem()
    trace = run("fedavg", problem, of_run, replicates=replicates, seed=seed, stream=stream, observe=[name])
    gaps: Floats = trace.measurements[name][:, -1].mean(axis=1)
    return Sampled(observables={str(statement.left): gaps})


def certify(statement: Statement, cell: Cell) -> Certificates:
    """F where every agent's center is as far as the ball allows."""
    problem, away = cell.build_problem(), np.zeros(cell.build_problem().dimension)
    assert isinstance(problem, PowerCore)
    away[0] = 1.0
    leave = reach(problem, values_of(cell))
    farthest = [c + (leave + _norm(c)) * ABOVE * away for c in problem.centers]
    highest = [problem.client_value(i, x[None, :])[0] for i, x in enumerate(farthest)]
    return Certificates(ceiling=np.array(float(np.mean(highest)) * (1 + 1e-9)))


def reach(problem: PowerCore, values: Values) -> float:
    steps = int(values["R"]) * int(values["H"]) * float(values["eta"])
    farthest = max(_norm(values["start"]), *(_norm(c) for c in problem.centers))
    return (farthest + steps * float(values["sigma"])) * ABOVE


def _least_gap(problem: PowerCore, values: Values) -> float:
    """F is convex: F(x) >= F(theta_0) - ||grad F(theta_0)|| ||x - theta_0||, and never below its minimum.

    A gradient is no longer than the outer curvature times the distance to its center.
    """
    gap, slope = _measure_start(problem, values)
    steps = int(values["R"]) * int(values["H"]) * float(values["eta"])
    pull = problem.curvature * (reach(problem, values) + max(_norm(c) for c in problem.centers))
    lowest = gap - slope * steps * (pull + float(values["sigma"]))
    return max(certified.lower(problem, "infimum_gap"), lowest, 0.0) * BELOW


def _measure_start(problem: PowerCore, values: Values) -> tuple[float, float]:
    """The gap to F* and the norm of the gradient."""
    start = np.array(values["start"], dtype=float)[None, :]
    return float(problem.value(start)[0]), _norm(problem.gradient(start)[0])


def _norm(vector: Any) -> float:
    return float(np.linalg.norm(np.asarray(vector, dtype=float)))


RUNS = Runs(
    algorithm="fedavg",
    statements=tuple(f"{PAPER}.{name}" for name in STATEMENTS),
    cells=cells,
    fills={"homogeneous, exact gradients": "homogeneous"},
    requirements=requirements,
    settings=settings,
    observe=measure,
    certified=certify,
    in_fractions=True,
)
