"""Equation (19), reconstructed: the Lojasiewicz inequality of F that follows from those of the agents."""

from dataclasses import replace
from typing import Any

from bounds.language.dimension import F
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.objects import number, vector
from bounds.language.quantity import POSITIVE
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import FL_2, FL_2_EXPONENT_ONE, FL_3
from bounds.papers.fedavg_lojasiewicz.notation import (
    alpha,
    gap_at_point,
    gap_power,
    gradient_norm,
    mu,
    mu_1,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared.one_round import Points, heterogeneity, square


def _numbers(gradients: Points, gaps: Points, alpha: Any) -> dict[str, Any]:
    """mu is the largest constant that FL-2 allows at theta."""
    exponent = np.asarray(alpha, dtype=float)
    ratios = square(gradients) / gaps ** exponent[..., None]
    mean_gap = gaps.mean(axis=-1)
    return {
        "gradient_norm": np.sqrt(square(gradients.mean(axis=-2))),
        "zeta": heterogeneity(gradients),
        "alpha": alpha,
        "mu": ratios.min(axis=-1),
        "gap_power": mean_gap**exponent,
        "mu_1": (square(gradients) / gaps).min(axis=-1),
        "gap_at_point": mean_gap,
    }


_c = index("c")

GENERAL = Statement(
    locator="D.eq19",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="(19): Lojasiewicz inequality of F",
    printed=(
        r"\|\nabla F(\theta)\|_2^2 \ge \mu\,(F(\theta)-F^*)^\alpha-\zeta^2"
        r" \quad\text{for all } \theta\in\Theta.",
    ),
    reading=(
        "reconstructed: the excerpt uses (19) and does not hold it. Turned round, so that the left is at "
        "most the sum; at theta = theta_r, the only place where it is used."
    ),
    left=mu * gap_power,
    terms=(
        Term("gradient", gradient_norm**2, "gradient of F", remark="at a stationary point of F"),
        Term("heterogeneity", zeta**2, "agents with different gradients", (Equal(zeta, 0),)),
    ),
    assumptions=(FL_2, FL_3),
    example={"gradient_norm": 1, "zeta": 0.3},
    concrete=Concrete(
        objects={
            "gradients": "gradients of the agents at theta, (..., M, d)",
            "gaps": "f_c(theta) - f_c* of the agents, positive, (..., M)",
            "alpha": "Lojasiewicz exponent",
        },
        numbers=_numbers,
        drawn=drawn(
            gradients=vector("gradients", over=_c), gaps=number("gaps", POSITIVE, F, over=_c), alpha=alpha
        ),
    ),
    increasing=(gradient_norm, zeta),
    edges=(
        Edge(
            gradient_norm,
            0,
            EdgeOutcome.REGULAR,
            "a gap of (zeta^2/mu)^(1/alpha) is left",
        ),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents: F obeys FL-2 itself"),
    ),
)

EXPONENT_ONE = replace(
    GENERAL,
    title="(19) with alpha = 1",
    reading=GENERAL.reading + " The constant has another unit here.",
    left=mu_1 * gap_at_point,
    assumptions=(FL_2_EXPONENT_ONE, FL_3),
)
