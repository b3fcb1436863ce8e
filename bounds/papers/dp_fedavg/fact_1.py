"""Fact 1: the gradient of a smooth function is short near its minimum."""

from typing import Any

from bounds.language.assumptions import MINIMUM_ATTAINED, SMOOTH_CLIENTS, as_stated
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.objects import function, vector
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import L, h_gap, h_gradient_squared
from bounds.papers.dp_fedavg.shared.local_steps import Function, Points, length


def _numbers(h: Function, gradient: Function, h_star: Any, x: Points, L: Any) -> dict[str, Any]:
    return {"L": L, "h_gap": h(x) - h_star, "h_gradient_squared": length(gradient(x)) ** 2}


_h = function("h", smooth=L, bounded_below=True)

FACT = Statement(
    locator="B.fact1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Fact 1: gradient of a smooth function near its minimum",
    printed=(r"\|\nabla h(\bm{x})\|^{2}\leq 2L(h(\bm{x})-h^{*})",),
    reading="for every point x; cited from [N+18] without proof.",
    left=h_gradient_squared,
    terms=(Term("gap", 2 * L * h_gap, "room to descend", remark="at a minimizer"),),
    assumptions=(
        as_stated(SMOOTH_CLIENTS, "h is L-smooth with L > 0", "B.fact1"),
        as_stated(MINIMUM_ATTAINED, "h has the minimum h*", "B.fact1"),
    ),
    example={"L": 1, "h_gap": 0.5},
    concrete=Concrete(
        objects={
            "h": "the function",
            "gradient": "its gradient",
            "h_star": "its minimum",
            "x": "a point",
            "L": "smoothness constant of h",
        },
        numbers=_numbers,
        drawn=drawn(h=_h, gradient=_h.gradient, h_star=_h.lowest, x=vector("x"), L=L),
    ),
    increasing=(L, h_gap),
    edges=(
        Edge(L, 0, EdgeOutcome.OUT_OF_DOMAIN, "L > 0 is asked"),
        Edge(h_gap, 0, EdgeOutcome.REGULAR, "a minimizer is stationary"),
    ),
)
