"""Equation (41): the recursion of the gaps above the floor C."""

from typing import Any

from bounds.language.statement import (
    Concrete,
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    Term,
    amend,
    defined_by,
)
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER, definitions
from bounds.papers.fedavg_lojasiewicz.notation import (
    L,
    M,
    alpha,
    eta,
    mu,
    next_v,
    s_r,
    sigma,
    v_r,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared import step_sizes
from bounds.papers.fedavg_lojasiewicz.shared.sequences import (
    addition_of_one_step,
    floor_of_one_step,
    given,
    step,
)


def _numbers(s_r: Any, mu: Any, alpha: Any, **others: Any) -> dict[str, Any]:
    following = step(s_r, alpha, others["eta"] * mu / 2, addition_of_one_step(**others))
    floor = floor_of_one_step(mu=mu, alpha=alpha, **others)
    return others | {"s_r": s_r, "mu": mu, "alpha": alpha, "next_v": following - floor}


BOUND = Statement(
    locator="D.eq41",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="(41): recursion of the gaps above the floor",
    printed=(r"v_{r+1} \leq v_r - \frac{\eta \mu}{2} (v_r + C)^\alpha + \eta \zeta^2 . \quad (41)",),
    reading="v_r + C is s_r; for any sequence s_r >= 0 that obeys the recursion D.F3.s4.",
    left=next_v,
    terms=(
        Term("gap", v_r, "gap above the floor before the round", remark="at the floor", non_negative=False),
        Term(
            "descent", -eta * mu * s_r**alpha / 2, "progress of the round", remark="at F*", non_negative=False
        ),
        Term("heterogeneity", eta * zeta**2, "agents with different gradients", (Equal(zeta, 0),)),
    ),
    setting=(Setting("D.F3.s4", "s_r obeys the recursion of Lemma F.3, one local step"),),
    where=(
        defined_by(definitions.FLOOR_F3, locator="D.eq41"),
        defined_by(definitions.SHIFTED_GAP, locator="D.eq41"),
    ),
    conditions=(step_sizes.OF_LEMMA_F3,),
    example={"s_r": 2, "eta": 0.1, "mu": 0.5, "alpha": 1.5, "zeta": 0.3, "sigma": 1.5, "L": 4, "M": 10},
    concrete=Concrete(objects=given(s_r, mu, alpha, L, M, eta, zeta, sigma), numbers=_numbers),
    increasing=(M,),
    decreasing=(sigma, L),
    edges=(
        Edge(s_r, 0, EdgeOutcome.REGULAR, "at F*: v_r = -C"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients: the floor is that of heterogeneity"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents: the floor is that of noise"),
    ),
)

AMENDED = amend(
    BOUND,
    change="(eta/2) zeta^2 + L eta^2 sigma^2/M in place of eta zeta^2",
    because="it is the recursion D.F3.s4 less C on both sides",
    derivation="docs/amended/fedavg_lojasiewicz.md#equation-41",
    printed=(
        r"v_{r+1} \leq v_r - \frac{\eta \mu}{2} (v_r + C)^\alpha + \frac{\eta}{2} \zeta^2"
        r" + \frac{L\eta^2 \sigma^2}{M}",
    ),
    reading=BOUND.reading,
    terms=(
        *BOUND.terms[:2],
        Term("heterogeneity", eta * zeta**2 / 2, "agents with different gradients", (Equal(zeta, 0),)),
        Term("noise", L * eta**2 * sigma**2 / M, "noise of the gradients", (Equal(sigma, 0),)),
    ),
    # More noise raises what a round adds and the floor that is taken off.
    increasing=(),
    decreasing=(),
)
