"""Lemma C.1, reconstructed: the agents' gradients against that of F."""

from typing import Any

from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.objects import vector
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import FL_3
from bounds.papers.fedavg_lojasiewicz.notation import gradient_norm, mean_client_gradient_square, zeta
from bounds.papers.fedavg_lojasiewicz.shared.one_round import Points, heterogeneity, square


def _numbers(gradients: Points) -> dict[str, Any]:
    return {
        "gradient_norm": np.sqrt(square(gradients.mean(axis=-2))),
        "zeta": heterogeneity(gradients),
        "mean_client_gradient_square": square(gradients).mean(axis=-1),
    }


LEMMA = Statement(
    locator="D.lemC1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma C.1: squared gradients of the agents",
    printed=(
        r"\frac{1}{M} \sum_{c=1}^M \|\nabla f_c(\theta_r)\|_2^2 \leq 2\|\nabla F(\theta_r)\|_2^2 + 2\zeta^2",
    ),
    reading="reconstructed from its quotation in the proof of Lemma F.1; FL-3 enters at theta_r only.",
    left=mean_client_gradient_square,
    terms=(
        Term("gradient", 2 * gradient_norm**2, "gradient of F", remark="at a stationary point of F"),
        Term("heterogeneity", 2 * zeta**2, "agents with different gradients", (Equal(zeta, 0),)),
    ),
    assumptions=(FL_3,),
    example={"gradient_norm": 1, "zeta": 0.3},
    concrete=Concrete(
        objects={"gradients": "gradients of the agents at theta_r, (..., M, d)"},
        numbers=_numbers,
        drawn=drawn(gradients=vector("gradients", over=index("c"))),
    ),
    increasing=(gradient_norm, zeta),
    edges=(
        Edge(gradient_norm, 0, EdgeOutcome.REGULAR, "stationary for F: heterogeneity alone"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
    ),
)
