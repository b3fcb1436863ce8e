"""Equation (40): one round with one local step, under the Lojasiewicz inequality with alpha > 1."""

from typing import Any

from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import EXPONENT_ABOVE_ONE, RUN
from bounds.papers.fedavg_lojasiewicz.notation import (
    L,
    M,
    alpha,
    eta,
    gap,
    mean_next_gap,
    mu,
    sigma,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared import step_sizes
from bounds.papers.fedavg_lojasiewicz.shared.one_round import (
    VALUED_ROUND,
    client_gradients,
    one_valued_round,
    square,
)


def _numbers(gaps: Any, alpha: Any, **objects: Any) -> dict[str, Any]:
    """mu is the largest constant that FL-2 allows at theta; F* is the mean of the f_c*."""
    slopes = square(client_gradients(objects["gradients"], objects["theta"]))
    reference = objects["F"](objects["theta"]) - gaps.mean(axis=-1)
    return one_valued_round(F_star=reference, H=1, **objects) | {
        "alpha": alpha,
        "mu": (slopes / gaps ** np.asarray(alpha, dtype=float)[..., None]).min(axis=-1),
    }


HETEROGENEITY = Term("heterogeneity", eta * zeta**2 / 2, "agents with different gradients", (Equal(zeta, 0),))
NOISE = Term("noise", L * eta**2 * sigma**2 / M, "noise of the gradients", (Equal(sigma, 0),))

BOUND = Statement(
    locator="D.eq40",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="(40): one round with one local step, exponent above 1",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E} [F(\theta_{r+1})|\theta_r] - F^* \leq F(\theta_r) - F^*"
        r" - \frac{\eta \mu}{2} (F(\theta_r) - F^*)^\alpha + \frac{\eta}{2} \zeta^2"
        r" + \frac{L\eta^2 \sigma^2}{M} . \quad (40)",
    ),
    reading="FL-2 and FL-3 enter at theta_r only.",
    left=mean_next_gap,
    terms=(
        Term("gap", gap, "gap before the round", remark="at F*"),
        Term(
            "descent", -eta * mu * gap**alpha / 2, "progress of the round", remark="at F*", non_negative=False
        ),
        HETEROGENEITY,
        NOISE,
    ),
    setting=(*RUN, Setting("D.F3", "one local step, H = 1")),
    assumptions=EXPONENT_ABOVE_ONE,
    conditions=(step_sizes.OF_LEMMA_F3,),
    example={"gap": 2, "eta": 0.1, "mu": 0.5, "alpha": 1.5, "zeta": 0.3, "sigma": 1.5, "L": 4, "M": 10},
    concrete=Concrete(
        objects={n: o for n, o in VALUED_ROUND.items() if n not in ("H", "F_star")}
        | {
            "gaps": "f_c(theta_r) - f_c* of the agents, positive, (..., M)",
            "alpha": "Lojasiewicz exponent",
        },
        numbers=_numbers,
    ),
    increasing=(zeta, sigma, L),
    decreasing=(M, mu),
    edges=(
        Edge(gap, 0, EdgeOutcome.REGULAR, "from F*: heterogeneity and noise lead away from it"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
    ),
)
