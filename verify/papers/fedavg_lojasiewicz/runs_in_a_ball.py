"""FedAVG on agents with a power core: exponent 3/2, certified in a ball that no iterate leaves.

f_c(x) = h(||x - c||) with h convex and L-smooth, so a step eta <= 1/L along -grad f_c ends between x and c.
With noise no longer than sigma, every local step adds at most eta sigma to the larger of ||theta_0|| and the
largest ||c||, and averages add nothing: all iterates of R rounds of H steps are within that plus
R H eta sigma of the origin, their `reach`. It must not exceed the radius of the certificate, and it gives F a
certified ceiling. The f_c* are 0, hence F* = 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, nextafter, sqrt
from typing import Any, final

import numpy as np

from bounds.language.statement import Statement
from synthetic.algorithms.fedavg import Settings
from synthetic.problems.lojasiewicz import PowerCore
from synthetic.run import run
from verify.cell import Scalar
from verify.matching import certified
from verify.matching.certified import Requirement
from verify.matching.measurement import Floats, Sampled

Values = Mapping[str, Any]

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

# Above the rounding of a run's float64 sums.
ABOVE, BELOW = 1 + 1e-12, 1 - 1e-12


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    name: str
    arguments: Mapping[str, Any]
    values: Mapping[str, Any]
    fraction: float
    problem: str = "lojasiewicz.small"


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
    made = tuple(Role(name=n, arguments=a, values=v, fraction=f) for n, a, v, f in found)
    return (*made, _FAR) if name == "recursions.f4" else made


# It asks for gaps above its floor in all rounds: long steps would come too near to prove it.
_FRACTIONS = {"unrolled.f3": (0.04, 0.048)}


def _agents(heterogeneity: float, radius: float = 5.0) -> dict[str, Any]:
    return {"clients": 4, "dimension": 2, "heterogeneity": heterogeneity, "set_radius": radius, "seed": 1}


# D.F4.s1 has the gap as a factor of the descent, which without noise is about eta H ||grad F||^2 and not
# more: from a gap above 4 it promises more.
_FAR = Role(
    name="far start, exact gradients",
    arguments=_agents(0.0, radius=16.0),
    values={"start": [12.0, 0.0], "participants": 4, "H": 3, "R": 1, "sigma": 0.0, "eta": 1e-3},
    fraction=1.0,
)


def quantities(problem: PowerCore, values: Values) -> dict[str, Scalar]:
    """Constants on their safe side; the point where the round, or the run, starts."""
    known = problem.facts().lojasiewicz
    assert known is not None
    gap, slope = _at_start(problem, values)
    return {
        "M": problem.clients,
        "L": certified.upper(problem, "smoothness"),
        "alpha": known.exponent,
        "mu": float(known.constant),
        "zeta": _zeta(problem),
        "f0_gap": gap * ABOVE,
        "gap": gap * ABOVE,
        "s_r": gap * ABOVE,
        "gradient_norm": slope * BELOW,
        "s_min": _least_gap(problem, values),
        "reach": reach(problem, values),
    }


def requirements(problem: PowerCore, values: Values, parameters: Mapping[str, Scalar]) -> list[Requirement]:
    """That a step is no longer than 1/L belongs to the reach; the inequality itself is an assumption."""
    gap, slope = _at_start(problem, values)
    ends: dict[str, tuple[float | None, float | None]] = {
        "M": (problem.clients, problem.clients),
        "L": (certified.upper(problem, "smoothness"), None),
        "zeta": (sqrt(_squared_zeta(problem)), None),
        "f0_gap": (gap, None),
        "gap": (gap, None),
        "s_r": (gap, None),
        "gradient_norm": (None, slope),
        "s_min": (None, _least_gap(problem, values)),
    }
    known = [Requirement(n, float(parameters[n]), *ends[n]) for n in ends if n in parameters]
    longest = 1 / certified.upper(problem, "smoothness")
    return [
        *known,
        Requirement("eta", float(values["eta"]), at_most=longest),
        Requirement("reach", float(values["reach"]), at_least=reach(problem, values)),
    ]


def measure(
    left: str, problem: PowerCore, values: Values, told: Settings, replicates: int, seed: int, stream: str
) -> Sampled:
    name = "client_value"
    trace = run("fedavg", problem, told, replicates=replicates, seed=seed, stream=stream, observe=[name])
    gaps: Floats = trace.measurements[name][:, -1].mean(axis=1)
    return Sampled(observables={left: gaps}, ceiling=np.array(_ceiling(problem, values)))


def reach(problem: PowerCore, values: Values) -> float:
    steps = int(values["R"]) * int(values["H"]) * float(values["eta"])
    farthest = max(_norm(values["start"]), *(_norm(c) for c in problem.centers))
    return (farthest + steps * float(values["sigma"])) * ABOVE


def _ceiling(problem: PowerCore, values: Values) -> float:
    """F where every agent's center is as far as the ball allows."""
    away = np.zeros(problem.dimension)
    away[0] = 1.0
    farthest = [c + (reach(problem, values) + _norm(c)) * ABOVE * away for c in problem.centers]
    highest = [problem.client_value(i, x[None, :])[0] for i, x in enumerate(farthest)]
    return float(np.mean(highest)) * (1 + 1e-9)


def _least_gap(problem: PowerCore, values: Values) -> float:
    """F is convex: F(x) >= F(theta_0) - ||grad F(theta_0)|| ||x - theta_0||, and never below its minimum.

    A gradient is no longer than the outer curvature times the distance to its center.
    """
    gap, slope = _at_start(problem, values)
    steps = int(values["R"]) * int(values["H"]) * float(values["eta"])
    pull = problem.curvature * (reach(problem, values) + max(_norm(c) for c in problem.centers))
    lowest = gap - slope * steps * (pull + float(values["sigma"]))
    return max(certified.lower(problem, "infimum_gap"), lowest, 0.0) * BELOW


def _at_start(problem: PowerCore, values: Values) -> tuple[float, float]:
    """The gap to F* and the norm of the gradient."""
    start = np.array(values["start"], dtype=float)[None, :]
    return float(problem.value(start)[0]), _norm(problem.gradient(start)[0])


def _squared_zeta(problem: PowerCore) -> float:
    return certified.upper(problem, "mean_squared_gradient_divergence")


def _zeta(problem: PowerCore) -> float:
    square = _squared_zeta(problem)
    return nextafter(sqrt(square), inf) if square > 0 else 0.0


def _norm(vector: Any) -> float:
    return float(np.linalg.norm(np.asarray(vector, dtype=float)))
