"""Lemma D.1, reconstructed: the quadratic upper bound of a smooth function."""

from typing import Any

from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import FL_1
from bounds.papers.fedavg_lojasiewicz.notation import L, directional_derivative, gap, move, next_gap
from bounds.papers.fedavg_lojasiewicz.shared.one_round import Function, Points, square


def _numbers(
    F: Function, gradient: Function, F_star: Any, theta: Points, theta_next: Points, L: Any
) -> dict[str, Any]:
    step = theta_next - theta
    return {
        "L": L,
        "gap": F(theta) - F_star,
        "directional_derivative": np.sum(gradient(theta) * step, axis=-1),
        "move": np.sqrt(square(step)),
        "next_gap": F(theta_next) - F_star,
    }


LEMMA = Statement(
    locator="D.lemD1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma D.1: quadratic upper bound of F",
    printed=(
        r"F(\theta')\le F(\theta)+\langle\nabla F(\theta),\theta'-\theta\rangle"
        r"+\frac L2\|\theta'-\theta\|_2^2 .",
    ),
    reading=(
        "reconstructed from its use in the proof of Theorem F.2; both sides less F*, so that the numbers are "
        "gaps; F is L-smooth as a mean of L-smooth functions."
    ),
    left=next_gap,
    terms=(
        Term("gap", gap, "gap before the move", remark="at F*"),
        Term(
            "slope",
            directional_derivative,
            "slope along the move",
            remark="across the gradient",
            non_negative=False,
        ),
        Term("curvature", L * move**2 / 2, "curvature along the move", remark="as the move shrinks"),
    ),
    assumptions=(FL_1,),
    example={"gap": 2, "directional_derivative": -0.5, "move": 0.5, "L": 4},
    concrete=Concrete(
        objects={
            "F": "F as a function of points",
            "gradient": "the gradient of F as a function of points",
            "F_star": "any number that F is never below",
            "theta": "point",
            "theta_next": "another point",
            "L": "smoothness constant of F",
        },
        numbers=_numbers,
    ),
    increasing=(gap, L, move),
    edges=(
        Edge(move, 0, EdgeOutcome.REGULAR, "no move: an equality where the slope is 0 too"),
        Edge(gap, 0, EdgeOutcome.REGULAR, "from the lowest value that F can have"),
    ),
)
