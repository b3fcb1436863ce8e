"""Lemma F.3: FedAvg with one local step under a Lojasiewicz condition with exponent alpha > 1."""

from bounds.language.statement import Edge, EdgeOutcome, Kind, Setting, Statement, Term, defined_by
from bounds.language.vanishing import Equal, Grows
from bounds.papers.fedavg_lojasiewicz import PAPER, definitions
from bounds.papers.fedavg_lojasiewicz.assumptions import EXPONENT_ABOVE_ONE, RUN
from bounds.papers.fedavg_lojasiewicz.notation import (
    L,
    M,
    R,
    alpha,
    eta,
    f0_gap,
    final_gap,
    mu,
    sigma,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared import step_sizes

LEMMA = Statement(
    locator="D.F3",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma F.3: last iterate with one local step, exponent above 1",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E}[F(\theta_R)] - F^* \leq \frac{F(\theta_0) - F^*}{(\eta \mu R(\alpha - 1)"
        r"(F(\theta_0) - F^*)^{\alpha-1}/4 + 1)^{1/(\alpha-1)}} + 2 "
        r"\left(\frac{\zeta^2}{\mu} \right)^{1/\alpha}"
        r" + 2 \left(\frac{(2L\eta\sigma^2)}{M\mu} \right)^{1/\alpha} ,",
    ),
    reading=(
        "one local step (H = 1); F* is the mean of the f_c*, which need not be attained by F; the "
        "Lojasiewicz inequality is asked at the iterates only; 1 < alpha <= 2 from the subsection's title."
    ),
    left=final_gap,
    terms=(
        Term(
            "initialization",
            f0_gap / (eta * mu * R * (alpha - 1) * f0_gap ** (alpha - 1) / 4 + 1) ** (1 / (alpha - 1)),
            "distance still to go",
            (Equal(f0_gap, 0), Grows(R)),
        ),
        Term(
            "heterogeneity",
            2 * (zeta**2 / mu) ** (1 / alpha),
            "agents with different gradients",
            (Equal(zeta, 0),),
        ),
        Term(
            "noise",
            2 * (2 * L * eta * sigma**2 / (M * mu)) ** (1 / alpha),
            "noise of the gradients",
            (Equal(sigma, 0),),
        ),
    ),
    setting=(*RUN, Setting("D.F3", "one local step, H = 1; the last iterate")),
    assumptions=EXPONENT_ABOVE_ONE,
    where=(defined_by(definitions.INITIAL_GAP, locator="D.F3", needed=False),),
    conditions=(step_sizes.OF_LEMMA_F3,),
    example={
        "L": 4,
        "M": 10,
        "R": 100,
        "eta": 0.1,
        "mu": 0.5,
        "alpha": 1.5,
        "f0_gap": 2,
        "zeta": 0.3,
        "sigma": 1.5,
    },
    increasing=(zeta, sigma, f0_gap),
    decreasing=(R, M),
    edges=(
        Edge(
            alpha,
            1,
            EdgeOutcome.OUT_OF_DOMAIN,
            "1/(alpha-1) has no value; as alpha -> 1 the first term tends to f0_gap exp(-eta mu R/4): "
            "exponent 1 is Theorem F.2",
        ),
        Edge(R, 0, EdgeOutcome.REGULAR, "no round: the first term is the initial gap"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
        Edge(f0_gap, 0, EdgeOutcome.REGULAR, "started at F*: the floor remains"),
    ),
    proof=("D.F3.s1..D.F3.s12",),
)
