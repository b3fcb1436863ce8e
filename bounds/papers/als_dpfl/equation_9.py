"""Eq. (9): a client's gradient stays within xi_i of the mean gradient."""

from collections.abc import Callable, Sequence
from typing import Any

from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import divergence
from bounds.papers.als_dpfl.notation import client_divergence, xi_i
from bounds.papers.als_dpfl.shared.vectors import norm, weighted_mean


def _at_a_point(
    gradients: Sequence[Callable[[Any], Any]], sizes: Sequence[float], client: int, w: Any, xi_i: Any
) -> dict[str, Any]:
    apart = gradients[client](w) - weighted_mean(gradients, sizes)(w)
    return {"client_divergence": norm(apart), "xi_i": xi_i}


EQUATION = Statement(
    locator="C.eq9",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Eq. (9): gradient divergence of a client",
    printed=(
        r"\|\nabla F_i(\mathbf{w}) - \nabla F(\mathbf{w})\| \leq \xi_i \quad (9)",
        r"\xi \triangleq \frac{\sum_i D_i \xi_i}{D}",
    ),
    reading=(
        "at one point; that it holds at every point makes xi_i a gradient divergence. xi is the mean of the "
        "clients' bounds; D_i stands for |D_i|."
    ),
    left=client_divergence,
    terms=(Term("divergence", xi_i, "heterogeneity of the client", (Equal(xi_i, 0),)),),
    assumptions=(divergence,),
    example={"xi_i": 0.5},
    concrete=Concrete(
        objects={
            "gradients": "the gradients of the clients' losses, one function each",
            "sizes": "the sizes of their databases",
            "client": "the index of the client, from 0",
            "w": "a point",
            "xi_i": "the client's gradient divergence",
        },
        numbers=_at_a_point,
    ),
    increasing=(xi_i,),
    edges=(Edge(xi_i, 0, EdgeOutcome.REGULAR, "the client has the mean gradient everywhere"),),
)
