"""Equation (37): the mean direction of a round is the gradient, up to the drift of the local iterates."""

from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import FL_1, RUN, UNBIASED
from bounds.papers.fedavg_lojasiewicz.notation import L, direction_error_square, drift
from bounds.papers.fedavg_lojasiewicz.shared.one_round import ROUND, one_round

BOUND = Statement(
    locator="D.eq37",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="(37): mean direction of a round",
    algorithm="fedavg",
    printed=(
        r"\left\|\nabla F(\theta_r) - \beta^2\mathbb{E}[\theta_r - \theta_{r+1}|\theta_r]\right\|_2^2",
        r"&\leq \frac{L^2}{HM}\sum_{c=1}^M\sum_{h=0}^{H-1}\mathbb{E}\left[\|\theta_r - \theta_{r,h}^c\|_2^2"
        r"|\theta_r\right]. \quad (37)",
    ),
    reading="the chain from end to end; the summand of h = 0 is zero.",
    left=direction_error_square,
    terms=(Term("drift", L**2 * drift, "gradients at drifted iterates", (Equal(drift, 0),)),),
    setting=RUN,
    assumptions=(FL_1, UNBIASED),
    example={"L": 4, "drift": 0.01},
    concrete=Concrete(objects=ROUND, numbers=one_round),
    increasing=(L, drift),
    edges=(Edge(drift, 0, EdgeOutcome.REGULAR, "no drift: the mean direction is the gradient"),),
)
