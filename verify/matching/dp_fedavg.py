"""Theorem 2 of DP-FedAvg with clipping on quadratics.

Gaussian noise leaves no certified range, so `holds` rests on a certified second moment: see `_second_moment`.
"""

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from bounds.statement import Statement
from synthetic.algorithms.dp_fedavg import Settings
from synthetic.run import run
from verify.cell import Cell
from verify.matching import certified
from verify.matching.certified import Requirement
from verify.measurement import Sampled

SAFE = 1 + 1e-12

STATEMENTS = ("dp_fedavg.theorem_2",)


def cells(statement: Statement) -> tuple[Cell, ...]:
    """Homogeneous and heterogeneous clients, the edge of the conditions, strong noise, one client a round."""
    base = {"K": 20, "E": 3, "alpha": 2.0, "rho": 0.2}
    return (
        _cell(statement, "homogeneous", base, heterogeneity=0.0),
        _cell(statement, "heterogeneous", base),
        _cell(statement, "edge of its conditions", base | {"E": 5}, fraction=1.0),
        _cell(statement, "strong noise", base | {"E": 1, "rho": 0.8}),
        _cell(statement, "partial participation", base, clients_per_round=1.0),
    )


def _cell(
    statement: Statement,
    role: str,
    base: dict[str, Any],
    *,
    heterogeneity: float = 1.0,
    fraction: float = 1.5,
    clients_per_round: float | None = None,
) -> Cell:
    cell = Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm="dp_fedavg",
        role=role,
        problem="quadratic.small",
        problem_arguments={"clients": 5, "dimension": 4, "heterogeneity": heterogeneity, "seed": 2},
        parameters={},
        engine={},
    )
    problem = cell.build_problem()
    gaps = certified.uppers(problem, "client_gaps_at_minimiser")
    start = problem.minimiser() + 2.0
    smoothness = certified.upper(problem, "smoothness")
    largest = max(gaps)
    threshold = 4 * sqrt(smoothness * largest)
    parameters = base | {
        "L": smoothness,
        "D0": 2 * sqrt(problem.dimension) * SAFE,
        # Homogeneous clients put no lower limit on the threshold: a threshold that clips early rounds.
        "C_hat": fraction * threshold if threshold > 1e-6 else 0.5,
        "Delta_star_max": largest,
        "Delta_star_mean": sum(gaps) / problem.clients * SAFE,
    }
    r = float(problem.clients) if clients_per_round is None else clients_per_round
    return replace(cell, parameters=parameters, engine={"start": start.tolist(), "clients_per_round": r})


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    problem, p = cell.build_problem(), {n: float(v) for n, v in cell.parameters.items()}
    gaps = certified.uppers(problem, "client_gaps_at_minimiser")
    return [
        Requirement("L", p["L"], at_least=certified.upper(problem, "smoothness")),
        Requirement("D0", p["D0"], at_least=certified.distance(problem, cell.engine["start"])),
        Requirement("Delta_star_max", p["Delta_star_max"], at_least=max(gaps)),
        Requirement("Delta_star_mean", p["Delta_star_mean"], at_least=sum(gaps) / problem.clients),
    ]


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Sampled:
    problem, p = cell.build_problem(), {n: float(v) for n, v in cell.parameters.items()}
    threshold, r = p["C_hat"] * p["E"], float(cell.engine["clients_per_round"])
    step = p["rho"] / (2 * p["alpha"] * p["L"])
    scale = sqrt(p["K"]) * threshold * p["rho"] / sqrt(problem.dimension)
    settings = Settings(
        start=np.array(cell.engine["start"]),
        rounds=int(p["K"]),
        local_steps=int(p["E"]),
        local_step=step,
        clip_threshold=threshold,
        clients_per_round=r,
        noise_scale=scale,
    )
    names = ("client_update_norm", "client_gap")
    trace = run(
        cell.algorithm, problem, settings, replicates=replicates, seed=seed, stream=stream, observe=names
    )
    norms, gaps = (trace.measurements[name] for name in names)
    unclipped = norms <= threshold
    deltas = np.array(certified.uppers(problem, "client_gaps_at_minimiser"))
    mean = (1, 2)  # over rounds, as the random round is averaged over, and over clients
    return Sampled(
        observables={
            "unclipped_gap": np.where(unclipped, gaps, 0.0).mean(axis=mean),
            "clipped_update_norm": np.where(unclipped, 0.0, norms).mean(axis=mean),
            "unclipped_delta": np.where(unclipped, deltas, 0.0).mean(axis=mean),
        },
        second_moment=_second_moment(p, r, problem.clients, problem.dimension, step, scale),
    )


def _second_moment(
    p: dict[str, float], r: float, clients: int, dimension: int, step: float, scale: float
) -> float:
    """A bound on E[x^2], x = left-hand side minus random right-hand side, from Minkowski's inequality alone.

    At most n clients send at most C each. Given who takes part, the noises of K rounds add up to a Gaussian
    of variance at most K sigma^2 n/r per coordinate, whose norm has fourth moment d (d + 2) times its square.
    So in any round the distance D to w* has
        ||D||_4 <= D0 + step (K C n/r + sigma sqrt(K n/r) (d (d + 2))^(1/4)).
    With h = f_i(w) - min f_i <= Delta + sqrt(2 L Delta) D + L D^2/2 we have |f_i(w) - f_i(w*)| <= h + Delta,
    and E descending gradient steps of length at most 1/L give ||u|| <= E sqrt(2 L h).
    """
    threshold, largest, smoothness = p["C_hat"] * p["E"], p["Delta_star_max"], p["L"]
    noise = scale * sqrt(p["K"] * clients / r) * (dimension * (dimension + 2)) ** 0.25
    distance = p["D0"] + step * (p["K"] * threshold * clients / r + noise)
    gap = largest + sqrt(2 * smoothness * largest) * distance + smoothness * distance**2 / 2
    update = p["E"] * sqrt(2 * smoothness * gap)  # ||sqrt h||_2 <= sqrt ||h||_2
    share = p["rho"] * p["E"] / p["alpha"]
    left = (2 - share - share**2) * (gap + largest) + 3 * p["C_hat"] / (8 * smoothness * p["E"]) * update
    root: float = (left + 1.5 * share * largest) * (1 + 1e-9)
    return root**2
