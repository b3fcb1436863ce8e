"""The control `textbook.stochastic_gradient_descent`: exact moments, and one sampled cell.

By hand are the cells, because no standard one is tight, and a ceiling of every sample.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from bounds.language.statement import Statement
from verify.cell import Cell
from verify.matching.cells.sketch import Sketch, fill
from verify.matching.cells.standard import exclude_by_settings
from verify.matching.measurements.measurement import Certificates
from verify.matching.runs import Runs

MU, SMOOTHNESS = Fraction(1, 4), Fraction(1)
LONGEST = 2 / (SMOOTHNESS + MU)
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def cells(statement: Statement) -> tuple[Cell, ...]:
    """Equality on mu/2 ||x||^2, a badly conditioned quadratic, bounded noise on a random one."""
    one, ill = _describe_clients([MU, MU]), _describe_clients([MU, SMOOTHNESS])
    sampled = Sketch(
        role="sampled, noise on a sphere",
        problem="quadratic.small",
        arguments={"clients": 1, "dimension": 4, "heterogeneity": 1.0, "seed": 3},
        values={"K": 20, "eta": 0.5, "sigma": 1.0},
    )
    return fill(
        statement,
        (
            _sketch("tight", one, [ONE, ZERO], {"L": MU, "eta": Fraction(3, 2)}),
            _sketch("ill-conditioned", ill, [Fraction(3, 5), Fraction(4, 5)], {"eta": ONE}),
            sampled,
            *_sketch_standard(),
        ),
    )


def _describe_clients(
    *curvatures: list[Fraction], centers: list[list[Fraction]] | None = None
) -> dict[str, Any]:
    return {"curvatures": list(curvatures), "centers": centers or [[ZERO] * 2] * len(curvatures)}


def _sketch(role: str, clients: dict[str, Any], start: list[Fraction], change: dict[str, Any]) -> Sketch:
    values = {"K": 12, "sigma": HALF, "mu": MU, "L": SMOOTHNESS, "eta": HALF} | change
    return Sketch(role=role, problem="quadratic.diagonal", arguments=clients, values=values, start=start)


def _sketch_standard() -> tuple[Sketch, ...]:
    """Clients that are alike, or differ, with their mean as the objective; the longest step; much noise.

    A longer step is refused: a statement that forgot its condition would be violated there.
    """
    row = [SMOOTHNESS, MU]
    alike = _describe_clients(row, row)
    apart = _describe_clients(row, row[::-1], centers=[[ONE, ZERO], [ZERO, -ONE]])
    # the curvatures of the mean are all equal: its minimizer is the weighed mean of the centers
    middle = [SMOOTHNESS / (SMOOTHNESS + MU), -SMOOTHNESS / (SMOOTHNESS + MU)]
    away = [Fraction(3, 5), Fraction(4, 5)]
    from_middle = [m + a for m, a in zip(middle, away, strict=True)]
    return (
        _sketch("homogeneous", alike, away, {}),
        _sketch("heterogeneous", apart, from_middle, {}),
        _sketch("edge of its conditions", alike, away, {"eta": LONGEST}),
        _sketch("strong noise", apart, from_middle, {"sigma": Fraction(10)}),
        _sketch("before any step", alike, away, {"K": 0}),
        _sketch("beyond its conditions", alike, away, {"eta": LONGEST * Fraction(6, 5)}),
    )


def certify_distance(statement: Statement, cell: Cell) -> Certificates:
    """Noise of length sigma: ||x_K - x*|| <= q^K D0 + eta sigma (1 - q^K)/(1 - q), triangle inequality."""
    p = {name: float(value) for name, value in cell.parameters.items()}
    q = 1 - p["eta"] * p["mu"]
    power: float = q ** int(p["K"])
    farthest = (power * p["D0"] + p["eta"] * p["sigma"] * (1 - power) / (1 - q)) * (1 + 1e-9)
    return Certificates(ceiling=np.array(farthest**2))


RUNS = Runs(
    algorithm="stochastic_gradient_descent",
    statements=("textbook.stochastic_gradient_descent",),
    cells=cells,
    excluded=exclude_by_settings,
    certified=certify_distance,
    in_fractions=True,
)
