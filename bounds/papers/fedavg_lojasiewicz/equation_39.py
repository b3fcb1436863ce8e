"""Equation (39): one round of any number of local steps."""

from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import FL_1, FL_3, FL_4, RUN, UNBIASED
from bounds.papers.fedavg_lojasiewicz.notation import (
    H,
    L,
    M,
    eta,
    gap,
    gradient_norm,
    mean_next_gap,
    sigma,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared import step_sizes
from bounds.papers.fedavg_lojasiewicz.shared.one_round import VALUED_ROUND, one_valued_round

GAP = Term("gap", gap, "gap before the round", remark="at F*")
NOISE = Term("noise", 4 * eta**2 * H * L * sigma**2 / M, "noise of the gradients", (Equal(sigma, 0),))
DRIFT_NOISE = Term(
    "drift_noise",
    3 * eta**3 * H * (H - 1) * L**2 * sigma**2,
    "drift by noise",
    (Equal(H, 1), Equal(sigma, 0)),
)

BOUND = Statement(
    locator="D.eq39",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="(39): one round of local steps",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E} [F(\theta_{r+1})|\theta_r] \leq F(\theta_r)"
        r" - \frac{\eta H}{4} \|\nabla F(\theta_r)\|_2^2 + \eta H \zeta^2"
        r" + \frac{4\eta^2 HL}{M} \sigma^2 + 3\eta^3 H(H-1)L^2 \sigma^2 . \quad (39)",
    ),
    reading="both sides less F*, so that the numbers are gaps; FL-3 enters at theta_r only.",
    left=mean_next_gap,
    terms=(
        GAP,
        Term(
            "descent",
            -eta * H * gradient_norm**2 / 4,
            "progress along the gradient",
            remark="at a stationary point",
            non_negative=False,
        ),
        Term("heterogeneity", eta * H * zeta**2, "agents with different gradients", (Equal(zeta, 0),)),
        NOISE,
        DRIFT_NOISE,
    ),
    setting=RUN,
    assumptions=(FL_1, FL_3, FL_4, UNBIASED),
    conditions=(step_sizes.OF_THEOREM_F2,),
    example={
        "gap": 2,
        "gradient_norm": 1,
        "zeta": 0.3,
        "sigma": 1.5,
        "eta": 0.002,
        "H": 5,
        "L": 4,
        "M": 10,
    },
    concrete=Concrete(objects=VALUED_ROUND, numbers=one_valued_round),
    increasing=(gap, zeta, sigma, L),
    decreasing=(M, gradient_norm),
    edges=(
        Edge(H, 1, EdgeOutcome.REGULAR, "one local step: no drift"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
        Edge(gap, 0, EdgeOutcome.REGULAR, "from F*"),
    ),
)
