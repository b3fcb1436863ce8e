"""The control `textbook.stochastic_gradient_descent`: exact moments, and one sampled cell."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from bounds.language.statement import Statement
from synthetic.algorithms.stochastic_gradient_descent import Settings
from synthetic.moments.gradient_descent import exact_moments
from synthetic.oracles import AdditiveOracle, Gaussian, Sphere, TwoPoint
from synthetic.run import run
from verify.cell import Cell, Scalar, revived
from verify.matching import certified
from verify.matching.certified import Requirement
from verify.matching.measurement import Exact, Measurement, Sampled
from verify.matching.runs import Runs

STATEMENTS = ("textbook.stochastic_gradient_descent",)

NOISES: dict[str, Callable[..., AdditiveOracle]] = {
    "gaussian": Gaussian,
    "sphere": Sphere,
    "two_point": TwoPoint,
}


def excluded(statement: Statement) -> dict[str, str]:
    return {"partial participation": "every step takes the gradient of the whole objective"}


def cells(statement: Statement) -> tuple[Cell, ...]:
    """Equality on mu/2 ||x||^2, a badly conditioned quadratic, bounded noise on a random one."""
    common: dict[str, Any] = {"statement": statement.id, "variant": statement.variant}
    mu, smoothness = Fraction(1, 4), Fraction(1)
    point: dict[str, Scalar] = {"K": 12, "D0": Fraction(1), "sigma": Fraction(1, 2), "mu": mu}
    tight = Cell(
        **common,
        algorithm="stochastic_gradient_descent",
        role="tight",
        problem="quadratic.diagonal",
        problem_arguments={"curvatures": [[mu, mu]], "centers": [[Fraction(0)] * 2]},
        parameters=point | {"L": mu, "eta": Fraction(3, 2)},
        engine={"start": [Fraction(1), Fraction(0)]},
    )
    ill_conditioned = Cell(
        **common,
        algorithm="stochastic_gradient_descent",
        role="ill-conditioned",
        problem="quadratic.diagonal",
        problem_arguments={"curvatures": [[mu, smoothness]], "centers": [[Fraction(0)] * 2]},
        parameters=point | {"L": smoothness, "eta": Fraction(1)},
        engine={"start": [Fraction(3, 5), Fraction(4, 5)]},
    )
    return (tight, ill_conditioned, _sampled(common), *_standard(common, point | {"L": smoothness}))


def _standard(common: dict[str, Any], point: dict[str, Scalar]) -> tuple[Cell, ...]:
    """Clients that are alike, or differ, with their mean as the objective; the longest step; much noise.

    A longer step is refused: a statement that forgot its condition would be violated there.
    """
    mu, smoothness = Fraction(point["mu"]), Fraction(point["L"])
    zero, one, usual = Fraction(0), Fraction(1), Fraction(1, 2)
    longest = 2 / (smoothness + mu)
    row = [smoothness, mu]
    alike = {"curvatures": [row] * 2, "centers": [[zero] * 2] * 2}
    apart = {"curvatures": [row, row[::-1]], "centers": [[one, zero], [zero, -one]]}
    # the curvatures of the mean are all equal: its minimizer is the weighed mean of the centers
    middle = [smoothness / (smoothness + mu), -smoothness / (smoothness + mu)]
    away = [Fraction(3, 5), Fraction(4, 5)]
    return tuple(
        Cell(
            **common,
            algorithm="stochastic_gradient_descent",
            role=role,
            problem="quadratic.diagonal",
            problem_arguments=clients,
            parameters=point | {"eta": step} | change,
            engine={"start": [m + a for m, a in zip(best, away, strict=True)]},
        )
        for role, clients, best, step, change in (
            ("homogeneous", alike, [zero] * 2, usual, {}),
            ("heterogeneous", apart, middle, usual, {}),
            ("edge of its conditions", alike, [zero] * 2, longest, {}),
            ("strong noise", apart, middle, usual, {"sigma": Fraction(10)}),
            ("before any step", alike, [zero] * 2, usual, {"K": 0}),
            ("beyond its conditions", alike, [zero] * 2, longest * Fraction(6, 5), {}),
        )
    )


def _sampled(common: dict[str, Any]) -> Cell:
    arguments = {"clients": 1, "dimension": 4, "heterogeneity": 1.0, "seed": 3}
    cell = Cell(
        **common,
        algorithm="stochastic_gradient_descent",
        role="sampled, noise on a sphere",
        problem="quadratic.small",
        problem_arguments=arguments,
        parameters={},
        engine={},
    )
    problem = cell.build_problem()
    start = problem.minimiser() + 1.0
    distance = sqrt(problem.dimension)
    parameters = {
        "K": 20,
        "L": certified.upper(problem, "smoothness"),
        "mu": certified.lower(problem, "strong_convexity"),
        "eta": 0.5,
        "D0": distance * (1 + 1e-12),  # above the rounding of start - minimiser
        "sigma": 1.0,
    }
    return Cell(
        **common,
        algorithm="stochastic_gradient_descent",
        role=cell.role,
        problem=cell.problem,
        problem_arguments=arguments,
        parameters=parameters,
        engine={"start": start.tolist(), "noise": "sphere"},
    )


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    problem, p = cell.build_problem(), cell.parameters
    start = revived(cell.engine["start"])
    return [
        Requirement("L", Fraction(p["L"]), at_least=certified.exact_upper(problem, "smoothness")),
        Requirement("mu", Fraction(p["mu"]), at_most=certified.exact_lower(problem, "strong_convexity")),
        Requirement("D0^2", Fraction(p["D0"]) ** 2, at_least=certified.squared_distance(problem, start)),
    ]


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Measurement:
    problem, parameters = cell.build_problem(), cell.parameters
    if problem.exact:
        moments = exact_moments(
            problem,  # type: ignore[arg-type]  # exact cells are quadratics
            start=cell.engine["start"],
            steps=int(parameters["K"]),
            step=Fraction(parameters["eta"]),
            noise_covariance=Fraction(parameters["sigma"]) ** 2 / problem.dimension,
        )
        final = moments.squared_distance[-1]
        return Exact(observables={"squared_distance": final}, method="exact moments in rationals")
    settings = Settings(
        start=cell.engine["start"],
        steps=int(parameters["K"]),
        step=float(parameters["eta"]),
        oracle=NOISES[cell.engine["noise"]](scale=float(parameters["sigma"])),
    )
    name = "squared_distance/last"
    trace = run(
        cell.algorithm, problem, settings, replicates=replicates, seed=seed, stream=stream, observe=[name]
    )
    return Sampled(
        observables={"squared_distance": trace.measurements[name]},
        ceiling=np.array(_largest_distance(parameters) ** 2),
    )


def _largest_distance(parameters: Mapping[str, Scalar]) -> float:
    """Noise of length sigma: ||x_K - x*|| <= q^K D0 + eta sigma (1 - q^K)/(1 - q), triangle inequality."""
    p = {name: float(value) for name, value in parameters.items()}
    q = 1 - p["eta"] * p["mu"]
    power: float = q ** int(p["K"])
    return (power * p["D0"] + p["eta"] * p["sigma"] * (1 - power) / (1 - q)) * (1 + 1e-9)


RUNS = Runs(
    algorithm="stochastic_gradient_descent",
    statements=STATEMENTS,
    cells=cells,
    excluded=excluded,
    requirements=requirements,
    measure=measure,
    in_fractions=True,
)
