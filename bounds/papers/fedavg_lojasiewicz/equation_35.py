"""Equation (35): one round with one local step."""

from typing import Any

from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import FL_1, FL_4, RUN, UNBIASED
from bounds.papers.fedavg_lojasiewicz.notation import L, M, eta, gap, gradient_norm, mean_next_gap, sigma
from bounds.papers.fedavg_lojasiewicz.shared.one_round import VALUED_ROUND, one_valued_round


def _numbers(**objects: Any) -> dict[str, Any]:
    return one_valued_round(H=1, **objects)


BOUND = Statement(
    locator="D.eq35",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="(35): one round with one local step",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E}[F(\theta_{r+1}) | \theta_r] &\leq",
        r"F(\theta_r) - \eta(1 - L\eta) \|\nabla F(\theta_r)\|_2^2"
        r" + \frac{L\eta^2 \sigma^2}{M},",
    ),
    reading=(
        "the chain from end to end; both sides less F*, so that the numbers are gaps; no step size is asked."
    ),
    left=mean_next_gap,
    terms=(
        Term("gap", gap, "gap before the round", remark="at F*"),
        Term(
            "descent",
            -eta * (1 - L * eta) * gradient_norm**2,
            "progress along the gradient, or its loss where eta > 1/L",
            remark="at a stationary point",
            non_negative=False,
        ),
        Term("noise", L * eta**2 * sigma**2 / M, "noise of the gradients", (Equal(sigma, 0),)),
    ),
    setting=(*RUN, Setting("D.F2.s1", "one local step, H = 1")),
    assumptions=(FL_1, FL_4, UNBIASED),
    example={"gap": 2, "gradient_norm": 1, "eta": 0.1, "L": 4, "sigma": 1.5, "M": 10},
    concrete=Concrete(objects={n: o for n, o in VALUED_ROUND.items() if n != "H"}, numbers=_numbers),
    increasing=(gap, sigma, L),
    decreasing=(M,),
    edges=(
        Edge(gradient_norm, 0, EdgeOutcome.REGULAR, "no descent at a stationary point"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients: gradient descent on F"),
        Edge(gap, 0, EdgeOutcome.REGULAR, "from F*"),
    ),
    proof=("D.F2.s1..D.eq35",),
)
