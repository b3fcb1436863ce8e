"""Equation (42): relative decrease of the gap above the floor."""

from typing import Any

from bounds.language.condition import at_least, solved_at_least
from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete, Kind, Setting, Statement, Term, defined_by
from bounds.papers.fedavg_lojasiewicz import PAPER, definitions
from bounds.papers.fedavg_lojasiewicz.notation import (
    C_F3,
    L,
    M,
    alpha,
    eta,
    kappa_F3,
    mu,
    relative_change,
    s_r,
    sigma,
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
    above = s_r - floor_of_one_step(mu=mu, alpha=alpha, **others)
    with np.errstate(invalid="ignore", divide="ignore"):  # below the floor there is nothing to divide by
        change = (following - s_r) / above**alpha
    return others | {
        "s_r": s_r,
        "mu": mu,
        "alpha": alpha,
        "relative_change": change,
    }


BOUND = Statement(
    locator="D.eq42",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="(42): relative decrease of the gap above the floor",
    printed=(r"\frac{v_{r+1} - v_r}{v_r^\alpha} \leq -\kappa . \quad (42)",),
    reading="in the case s_r >= C for all r, and where v_r > 0, which the division asks.",
    left=relative_change,
    terms=(Term("decrease", -kappa_F3, "progress of one step", non_negative=False),),
    setting=(Setting("D.F3.s4", "s_r obeys the recursion of Lemma F.3, one local step"),),
    where=(
        defined_by(definitions.RATE_F3, locator="D.F3.s6"),
        defined_by(definitions.FLOOR_F3, locator="D.F3.s6"),
    ),
    conditions=(
        step_sizes.OF_LEMMA_F3,
        at_least(s_r, C_F3, locator="D.F3.s6", printed=r"s_r \geq C", solved=solved_at_least(s_r, C_F3)),
    ),
    example={"s_r": 2, "eta": 0.1, "mu": 0.5, "alpha": 1.5, "zeta": 0.3, "sigma": 1.5, "L": 4, "M": 10},
    concrete=Concrete(objects=given(s_r, mu, alpha, L, M, eta, zeta, sigma), numbers=_numbers),
    decreasing=(eta, mu),
)
