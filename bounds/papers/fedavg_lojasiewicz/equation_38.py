"""Equation (38): the error of the mean direction, by Lemma F.1."""

from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import FL_1, FL_3, FL_4, RUN, UNBIASED
from bounds.papers.fedavg_lojasiewicz.notation import (
    H,
    L,
    direction_error_square,
    eta,
    gradient_norm,
    sigma,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared import step_sizes
from bounds.papers.fedavg_lojasiewicz.shared.one_round import ROUND, one_round

BOUND = Statement(
    locator="D.eq38",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="(38): mean direction of a round, by Lemma F.1",
    algorithm="fedavg",
    printed=(
        r"\left\|\nabla F(\theta_r) - \beta^2\mathbb{E}[\theta_r - \theta_{r+1}|\theta_r]\right\|_2^2 \leq"
        r" 4\eta^2(H-1)^2L^2\|\nabla F(\theta_r)\|_2^2 + 4\eta^2(H-1)^2L^2\zeta^2"
        r" + 4\eta^2(H-1)L^2\sigma^2. \quad (38)",
    ),
    reading="inside the proof of Theorem F.2: its step size.",
    left=direction_error_square,
    terms=(
        Term(
            "gradient",
            4 * eta**2 * (H - 1) ** 2 * L**2 * gradient_norm**2,
            "drift along F",
            (Equal(H, 1),),
        ),
        Term(
            "heterogeneity",
            4 * eta**2 * (H - 1) ** 2 * L**2 * zeta**2,
            "drift of agents with different gradients",
            (Equal(H, 1), Equal(zeta, 0)),
        ),
        Term(
            "noise", 4 * eta**2 * (H - 1) * L**2 * sigma**2, "drift by noise", (Equal(H, 1), Equal(sigma, 0))
        ),
    ),
    setting=RUN,
    assumptions=(FL_1, FL_3, FL_4, UNBIASED),
    conditions=(step_sizes.OF_THEOREM_F2,),
    example={"eta": 0.002, "H": 5, "L": 4, "gradient_norm": 1, "zeta": 0.3, "sigma": 1.5},
    concrete=Concrete(objects=ROUND, numbers=one_round),
    increasing=(eta, H, L, gradient_norm, zeta, sigma),
    edges=(
        Edge(H, 1, EdgeOutcome.REGULAR, "one local step: the mean direction is the gradient"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
    ),
)
