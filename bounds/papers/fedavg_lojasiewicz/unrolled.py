"""The recursions of the proofs, unrolled over all rounds."""

from functools import partial
from typing import Any

from bounds.language.condition import at_least
from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term, defined_by
from bounds.language.vanishing import Equal, Grows, together
from bounds.papers.fedavg_lojasiewicz import PAPER, definitions, theorem_f4
from bounds.papers.fedavg_lojasiewicz.assumptions import EXPONENT_ABOVE_ONE, EXPONENT_ONE, FL_4, RUN
from bounds.papers.fedavg_lojasiewicz.notation import (
    C_F3,
    C_F4,
    L,
    M,
    R,
    alpha,
    eta,
    f0_gap,
    final_gap,
    kappa_F3,
    kappa_F4,
    last_s,
    mean_gap,
    mu,
    mu_1,
    r,
    s_min,
    sigma,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared import step_sizes
from bounds.papers.fedavg_lojasiewicz.shared.sequences import addition_of_one_step, given, path

_bound = partial(Statement, kind=Kind.UPPER_BOUND, paper=PAPER)

F2_ONE_STEP = _bound(
    locator="D.F2.s3",
    title="Theorem F.2 for one local step, as its proof derives it",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E}[F(\theta_r)] - F^* \leq \left(1 - \frac{\eta\mu}{2}\right)^r (F(\theta_0) - F^*)"
        r" + \frac{\zeta^2}{\mu} + \frac{2L\eta\sigma^2}{\mu M}.",
    ),
    reading="case H = 1 of the proof.",
    left=mean_gap,
    terms=(
        # Where a gap is above 0, FL-1 and FL-2 give mu <= 2L, and then the base is positive;
        # no condition says so.
        Term(
            "initialization",
            (1 - eta * mu_1 / 2) ** r * f0_gap,
            "distance still to go",
            (Equal(f0_gap, 0), Grows(r)),
            non_negative=False,
        ),
        Term("heterogeneity", zeta**2 / mu_1, "agents with different gradients", (Equal(zeta, 0),)),
        Term("noise", 2 * L * eta * sigma**2 / (mu_1 * M), "noise of the gradients", (Equal(sigma, 0),)),
    ),
    setting=(*RUN, Setting("D.F2.s1", "one local step, H = 1")),
    assumptions=EXPONENT_ONE,
    where=(defined_by(definitions.INITIAL_GAP, locator="D.F2.s3", needed=False),),
    conditions=(step_sizes.HALF,),
    example={"r": 100, "eta": 0.1, "mu_1": 0.5, "L": 4, "M": 10, "f0_gap": 2, "zeta": 0.3, "sigma": 1.5},
    increasing=(zeta, sigma, L),
    decreasing=(M,),
    edges=(
        Edge(r, 0, EdgeOutcome.REGULAR, "no round: the initial gap and the floor"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
        Edge(f0_gap, 0, EdgeOutcome.REGULAR, "started at F*: the floor remains"),
    ),
)


def _last_of_one_step(f0_gap: Any, R: Any, mu: Any, alpha: Any, **others: Any) -> dict[str, Any]:
    addition = addition_of_one_step(**others)
    sequence = path(f0_gap, R, alpha, others["eta"] * mu / 2, addition)
    return others | {
        "f0_gap": f0_gap,
        "R": R,
        "mu": mu,
        "alpha": alpha,
        "s_min": np.fmax(np.fmin.reduce(sequence), 0),
        "last_s": sequence[-1],
    }


F3 = _bound(
    locator="D.F3.s11",
    title="Recursion of Lemma F.3, unrolled above the floor",
    algorithm="fedavg",
    printed=(
        r"s_R \leq C + \left\{ \kappa R(\alpha - 1) + s_0^{-(\alpha-1)} \right\}^{-1/(\alpha-1)}"
        r" = C + \frac{s_0}{(\kappa R(\alpha - 1)s_0^{\alpha-1} + 1)^{1/(\alpha-1)}} .",
    ),
    reading="the second form; s_0 is the initial gap; in the case s_r >= C for all r.",
    left=last_s,
    terms=(
        Term("floor", C_F3, "heterogeneity and noise", (together(Equal(zeta, 0), Equal(sigma, 0)),)),
        Term(
            "initialization",
            f0_gap / (kappa_F3 * R * (alpha - 1) * f0_gap ** (alpha - 1) + 1) ** (1 / (alpha - 1)),
            "distance still to go",
            (Equal(f0_gap, 0), Grows(R)),
        ),
    ),
    setting=(*RUN, Setting("D.F3", "one local step, H = 1")),
    assumptions=EXPONENT_ABOVE_ONE,
    where=(
        defined_by(definitions.FLOOR_F3, locator="D.F3.s6"),
        defined_by(definitions.RATE_F3, locator="D.F3.s6"),
        defined_by(definitions.INITIAL_GAP, locator="D.F3.s10", needed=False),
    ),
    conditions=(
        step_sizes.OF_LEMMA_F3,
        at_least(s_min, C_F3, locator="D.F3.s6", printed=r"s_r \geq C"),
    ),
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
        "s_min": 1,
    },
    concrete=Concrete(objects=given(f0_gap, R, mu, alpha, L, M, eta, zeta, sigma), numbers=_last_of_one_step),
    increasing=(zeta, sigma, f0_gap),
    decreasing=(R, M),
    edges=(
        Edge(R, 0, EdgeOutcome.REGULAR, "no round: the initial gap and the floor"),
        Edge(f0_gap, 0, EdgeOutcome.REGULAR, "started at F*: the floor remains"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
    ),
)

F4 = _bound(
    locator="D.F4.s2",
    title="Recursion of Theorem F.4, unrolled above the floor",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E}[F(\theta_{r+1})|\theta_r] - F^* \leq C + \frac{F(\theta_0) - F^*}{(\kappa R(\alpha - 1)"
        r"(F(\theta_0) - F^*)^{\alpha-1} + 1)^{1/(\alpha-1)}} .",
    ),
    reading=(
        "the left side is the mean gap after R rounds, as the right side and the conclusion have it; in the "
        "case where no mean gap is below the floor, as in Lemma F.3."
    ),
    left=final_gap,
    terms=(
        Term("floor", C_F4, "heterogeneity and noise", (together(Equal(zeta, 0), Equal(sigma, 0)),)),
        Term(
            "initialization",
            f0_gap / (kappa_F4 * R * (alpha - 1) * f0_gap ** (alpha - 1) + 1) ** (1 / (alpha - 1)),
            "distance still to go",
            (Equal(f0_gap, 0), Grows(R)),
        ),
    ),
    setting=RUN,
    assumptions=tuple(a for a in EXPONENT_ABOVE_ONE if a is not FL_4),
    where=(
        defined_by(definitions.FLOOR_F4, locator="D.F4.s2"),
        defined_by(definitions.RATE_F4, locator="D.F4.s2"),
        defined_by(definitions.INITIAL_GAP, locator="D.F4.s2", needed=False),
    ),
    conditions=(step_sizes.OF_THEOREM_F4,),
    example=theorem_f4.THEOREM.example,
    increasing=(zeta, sigma, f0_gap),
    decreasing=(R,),
    edges=F3.edges,
)
