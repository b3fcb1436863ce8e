"""Lemma F.1: drift of the local iterates. Its conclusion is equation (34)."""

from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import EXPONENT_ONE, RUN
from bounds.papers.fedavg_lojasiewicz.notation import H, eta, gradient_norm, mean_drift, sigma, zeta
from bounds.papers.fedavg_lojasiewicz.shared import step_sizes
from bounds.papers.fedavg_lojasiewicz.shared.one_round import ROUND, one_round

LEMMA = Statement(
    locator="D.F1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma F.1: drift of the local iterates",
    algorithm="fedavg",
    printed=(
        r"\frac{1}{MH} \sum_{c=1}^M \sum_{h=1}^{H-1}"
        r" \mathbb{E} [\|\theta_r - \theta_{r,h}^c\|_2^2 | \theta_r]"
        r" \leq 4\eta^2(H-1)^2 \|\nabla F(\theta_r)\|_2^2 + 4\eta^2(H-1)^2 \zeta^2"
        r" + 4\eta^2(H-1)\sigma^2 . \quad (34)",
    ),
    reading="FL-3 enters at theta_r only; FL-2 is among the hypotheses and in no step of the proof.",
    other_readings=("eta <= 1/(2LH), which the proof uses (eta H L <= 1/2).",),
    left=mean_drift,
    terms=(
        Term("gradient", 4 * eta**2 * (H - 1) ** 2 * gradient_norm**2, "progress along F", (Equal(H, 1),)),
        Term(
            "heterogeneity",
            4 * eta**2 * (H - 1) ** 2 * zeta**2,
            "agents with different gradients",
            (Equal(H, 1), Equal(zeta, 0)),
        ),
        Term(
            "noise", 4 * eta**2 * (H - 1) * sigma**2, "noise of the gradients", (Equal(H, 1), Equal(sigma, 0))
        ),
    ),
    setting=RUN,
    assumptions=EXPONENT_ONE,
    conditions=(step_sizes.OF_LEMMA_F1,),
    example={"eta": 0.02, "H": 5, "L": 4, "gradient_norm": 1, "zeta": 0.3, "sigma": 1.5},
    concrete=Concrete(objects=ROUND, numbers=one_round),
    increasing=(eta, H, gradient_norm, zeta, sigma),
    edges=(
        Edge(H, 1, EdgeOutcome.REGULAR, "one local step: the sum is empty, and the bound is 0"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
        Edge(gradient_norm, 0, EdgeOutcome.REGULAR, "stationary for F: heterogeneity and noise still move"),
    ),
    proof=("D.F1.s1..D.F1.s5",),
)
