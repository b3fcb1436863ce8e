"""Theorem 2 of ALS-DPFL: the gap of the last averaged model, on Huber clients.

Four of its hypotheses are about the run: omega, the gaps of the auxiliary sequence at the ends of the
intervals, the last gap, the mean squared gradients. The proof uses a lower bound of the gaps on every path,
so `almost sure` is the named reading. With noise it leaves nothing: the last step adds a Gaussian vector, the
last model has a positive density everywhere, its gap comes below every lambda > 0 (C.thm2.4); and from the
second interval on the starts come as far from w* as one likes, so that omega is 0. Cells of that reading
have no noise, the run is deterministic, and what the theorem asks of it is measured on it.

Read in mean, as an amended form prints them, the hypotheses are about moments. After one interval of one
step on the line both models are Gaussian around the noiseless step, and E F is a sum of integrals in closed
form. A realised value is known only after the run, and who asks for it selects paths: a diagnostic, never a
verdict.
"""

from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy as np

from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from synthetic.algorithms.dpfl import Settings
from synthetic.problems.huber import Huber
from synthetic.run import run
from verify.cell import NAMED, Cell, build_problem
from verify.matching.cells import required
from verify.matching.cells.sketch import Sketch, fill
from verify.matching.constants import certified
from verify.matching.constants.certified import Requirement
from verify.matching.measurements.measurement import Certificates
from verify.matching.runs import Runs
from verify.papers.als_dpfl.huber_in_mean import mean_squared_slope, mean_value
from verify.papers.als_dpfl.runs_distance import exclude_sampling, tell

STATEMENTS = ("als_dpfl.theorem_2.theorem_omega", "als_dpfl.theorem_2.lemma_6_omega")

IN_MEAN, REALISED = "in mean", "realised"
COUPLED = "average_of_clients"
NO_PATHWISE = (
    "with noise the last model has a positive density everywhere, so that no positive number is almost "
    "surely below its gap (C.thm2.4)"
)
DIAGNOSTIC = "a realised value is known after the run and selects paths: a diagnostic, never a verdict"
ONE_STEP = "in mean there is a closed form after one interval of one step, on the line"

FLAT = 9e-4  # a slope on which a step of length 1/beta moves by 1

# The rounding of values computed in float64; margins of conditions are kept above it.
ROUNDING = 1e-9
OF_PATHS = ("omega", "omega_lemma_6", "auxiliary_gap", "final_gap")
OF_MEANS = ("omega_mean", "auxiliary_gap_mean", "averaged_gap_mean", "gradient_square")
OBSERVED = ("gap", "auxiliary_gap", "auxiliary_squared_distance", "auxiliary_gradient_norm")

Values = Mapping[str, Any]


# Batches so large that what is paid for them, where a form pays, leaves room for the rest.
QUIET: Values = {"T": 10, "tau": 2, "eta": 0.1, "sigma": 0.0, "B": 10**6, "start": 2.0}
ONE_STEP_WITH_NOISE: Values = {"T": 1, "tau": 1, "eta": 0.5, "sigma": 0.02, "B": 100, "start": 0.9}
# Gaussian noise of length 4/3 on a start next to w*, where omega is large; a bound C far above the gradients
# turns the small multiplier of C.thm2.5 into much noise.
NEAR: Values = {"T": 1, "tau": 1, "eta": 0.5, "sigma": 4.9e-4, "C": 5476.0, "B": 1, "start": 1e-3}


def cells(statement: Statement) -> tuple[Cell, ...]:
    """Without noise almost surely; with it in mean, and refused in the two other readings."""
    noisy = ONE_STEP_WITH_NOISE
    if not names_taken(statement) & {*OF_PATHS}:
        weak = {**noisy, "sigma": 0.003, "B": 10**6}
        return (*_quiet_cells(statement), _cell(statement, "strong noise, as C.thm2.2 allows", weak))
    alone = {"clients": 1, "threshold": 2.0}
    return (
        *_quiet_cells(statement),
        _cell(statement, "strong noise", {**noisy, "sigma": 1.0}),
        _cell(statement, "homogeneous, large batch", noisy, reading=IN_MEAN),
        _cell(statement, "strong noise, started near", NEAR, reading=IN_MEAN, lowest=0.95, **alone),
        _cell(statement, "homogeneous, large batch", noisy, reading=REALISED),
    )


def _quiet_cells(statement: Statement) -> tuple[Cell, ...]:
    longest = {**QUIET, "T": 2, "tau": 1, "eta": 1.0, "start": 3.0}
    many = {**QUIET, "T": 20, "tau": 10, "eta": 0.05}
    far = {**QUIET, "T": 20, "tau": 1, "eta": 1 / FLAT, "start": 1000.0}
    return (
        _cell(statement, "homogeneous", QUIET),
        _cell(statement, "heterogeneous", QUIET, heterogeneity=0.01),
        _cell(statement, "many local steps", many, heterogeneity=0.01),
        _cell(statement, "edge of its conditions", longest, lowest=1.0),
        _cell(statement, "flat, started far away", far, curvature=FLAT, lowest=0.5),
    )


def _cell(
    statement: Statement,
    role: str,
    values: Values,
    *,
    reading: str = NAMED,
    lowest: float = 0.9,
    **problem: float,
) -> Cell:
    """`lowest` is lambda in units of the smaller gap of the run, of which `values` has the rest."""
    arguments = {"clients": 3, "dimension": 1, "heterogeneity": 0.0, "threshold": 1.0, "seed": 4} | problem
    built = build_problem("huber.small", arguments)
    assert isinstance(built, Huber)
    lipschitz = certified.upper(built, "lipschitz")
    # An amended form speaks of an auxiliary sequence that takes the mean of the clients' noises.
    coupling = {} if statement.amendment is None else {"auxiliary_noise": COUPLED}
    start = (built.minimiser() + values["start"]).tolist()
    known = {"C": lipschitz, **values, **coupling, "start": start}
    truth = _truth(built, known)
    lam = lowest * min(truth["auxiliary_gap"], truth["averaged_gap_mean"])
    sketch = Sketch(
        role=role,
        reading=reading,
        problem="huber.small",
        arguments=arguments,
        values={**known, **truth, "lam": lam},
        start=start,
        settings=coupling,
    )
    (cell,) = fill(statement, (sketch,))
    return cell


def _truth(problem: Huber, values: Values) -> dict[str, float]:
    """What the hypotheses ask of the run: of its only path without noise, else in mean after one step."""
    noisy = float(values["sigma"]) > 0
    found = _after_one_step(problem, values) if noisy else _without_noise(problem, values)
    farthest = found.pop("farthest_start")
    named = {"omega": 1 / farthest, "omega_lemma_6": 1 / farthest**2, "omega_mean": 1 / farthest**2}
    return found | named | {"auxiliary_gap_mean": found["auxiliary_gap"]}


def _without_noise(problem: Huber, values: Values) -> dict[str, float]:
    trace = run("dpfl", problem, tell(values), replicates=1, seed=0, stream="noiseless", observe=OBSERVED)
    seen = {name: trace.measurements[name][0] for name in OBSERVED}
    return {
        "auxiliary_gap": float(seen["auxiliary_gap"][:, -1].min()),
        "final_gap": float(seen["gap"][-1]),
        "averaged_gap_mean": float(seen["gap"][1:].min()),
        "gradient_square": float(seen["auxiliary_gradient_norm"].min() ** 2),
        "farthest_start": sqrt(float(seen["auxiliary_squared_distance"][:, 0].max())),
    }


def _after_one_step(problem: Huber, values: Values) -> dict[str, float]:
    start = np.array(values["start"], dtype=float)[None, :]
    slope = float(problem.gradient(start)[0, 0])
    middle = float(start[0, 0]) - float(values["eta"]) * slope
    spread = float(values["eta"]) * float(values["sigma"]) * float(values["C"])
    averaged = spread / (float(values["B"]) * sqrt(problem.clients))
    if values.get("auxiliary_noise") == COUPLED:
        spread = averaged
    lowest = float(problem.minimum())
    last = mean_value(problem, middle, averaged) - lowest
    return {
        "auxiliary_gap": mean_value(problem, middle, spread) - lowest,
        "final_gap": last,
        "averaged_gap_mean": last,
        "gradient_square": min(slope**2, mean_squared_slope(problem, middle, spread)),
        "farthest_start": certified.distance(problem, values["start"]),
    }


def require_hypotheses(statement: Statement, cell: Cell) -> list[Requirement]:
    problem, p = cell.build_problem(), {n: float(v) for n, v in cell.parameters.items()}
    assert isinstance(problem, Huber)
    held = required.requirements(statement, cell)
    if "C" in p:  # so that nothing is clipped
        held.append(Requirement("C", p["C"], at_least=certified.upper(problem, "lipschitz")))
    refused = _require_by_reading(cell, problem, p)
    return [*held, *(refused or _hypotheses(p, _truth(problem, {**cell.engine, **p})))]


def _require_by_reading(cell: Cell, problem: Huber, p: Mapping[str, float]) -> list[Requirement]:
    """What excludes the cell, whatever its numbers; nothing where it can be run."""
    if cell.reading == REALISED:
        return [Requirement("final_gap", p["final_gap"], at_most=-1.0, because=DIAGNOSTIC)]
    if p["sigma"] > 0 and cell.reading == NAMED and "final_gap" in p:
        return [Requirement("final_gap", p["final_gap"], at_most=0.0, because=NO_PATHWISE)]
    centers = {float(center) for center in problem.centers[:, 0]}
    one_step = p["T"] == p["tau"] == 1 and problem.dimension == 1 and len(centers) == 1
    if p["sigma"] > 0 and not one_step:
        return [Requirement("T", p["T"], at_most=0.0, because=ONE_STEP)]
    return []


def _hypotheses(p: Mapping[str, float], truth: Mapping[str, float]) -> list[Requirement]:
    """Gaps, gradients and omega are lower bounds; the last gap is one from above too (C.thm2.4)."""
    return [
        Requirement(
            name,
            p[name],
            at_least=truth[name] * (1 - ROUNDING) if name == "final_gap" else None,
            at_most=truth[name] * (1 + ROUNDING),
        )
        for name in (*OF_PATHS, *OF_MEANS)
        if name in p
    ]


def certify(statement: Statement, cell: Cell) -> Certificates:
    """F is rho-Lipschitz, and steps are at most eta C long apart from their noises.

    Without noise all runs are one.
    """
    problem, values = cell.build_problem(), {**cell.engine, **cell.parameters}
    v = {n: float(values[n]) for n in ("sigma", "C", "B", "eta", "T")}
    if v["sigma"] == 0:
        assert isinstance(problem, Huber)
        ceiling = _without_noise(problem, values)["final_gap"] * (1 + ROUNDING)
        return Certificates(ceiling=np.array(ceiling), rounding={})
    noise = v["sigma"] * v["C"] * sqrt(problem.dimension / problem.clients) / v["B"]
    reach = certified.distance(problem, values["start"]) + v["eta"] * v["T"] * (v["C"] + noise)
    square = (certified.upper(problem, "lipschitz") * reach) ** 2 * (1 + ROUNDING)
    return Certificates(second_moment=square, rounding={})


def settings(statement: Statement, cell: Cell) -> Settings:
    return tell({**cell.engine, **cell.parameters})


RUNS = Runs(
    algorithm="dpfl",
    statements=STATEMENTS,
    cells=cells,
    excluded=exclude_sampling,
    fills={
        "homogeneous, large batch": "homogeneous",
        "strong noise, started near": "strong noise",
        "strong noise, as C.thm2.2 allows": "strong noise",
    },
    requirements=require_hypotheses,
    settings=settings,
    certified=certify,
)
