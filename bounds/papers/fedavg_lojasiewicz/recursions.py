"""The recursions of the proofs, from one round to the next."""

from dataclasses import replace
from functools import partial

from bounds.language.statement import Edge, EdgeOutcome, Kind, Setting, Statement, Term, amend, sets
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import EXPONENT_ABOVE_ONE, EXPONENT_ONE, RUN
from bounds.papers.fedavg_lojasiewicz.equation_39 import DRIFT_NOISE, GAP, NOISE
from bounds.papers.fedavg_lojasiewicz.equation_40 import HETEROGENEITY
from bounds.papers.fedavg_lojasiewicz.equation_40 import NOISE as ONE_STEP_NOISE
from bounds.papers.fedavg_lojasiewicz.notation import (
    H,
    L,
    M,
    alpha,
    eta,
    gap,
    gradient_norm,
    mean_next_gap,
    mu,
    mu_1,
    next_s,
    s_r,
    sigma,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared import step_sizes

_bound = partial(Statement, kind=Kind.UPPER_BOUND, paper=PAPER)

_HOMOGENEOUS = Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents")
_EXACT = Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients")

F2_ONE_STEP = _bound(
    locator="D.F2.s2",
    title="Recursion of Theorem F.2, one local step",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E}[F(\theta_{r+1}) | \theta_r] - F^* \leq (1 - \eta\mu(1 - L\eta)) (F(\theta_r) - F^*)"
        r" + \eta(1 - L\eta)\zeta^2 + \frac{L\eta^2 \sigma^2}{M}.",
    ),
    reading="case H = 1 of the proof, under the step size of Theorem F.2.",
    left=mean_next_gap,
    terms=(
        # Where a gap is above 0, FL-1 and FL-2 give mu <= 2L, and then the factor is positive;
        # no condition says so.
        Term(
            "gap",
            (1 - eta * mu_1 * (1 - L * eta)) * gap,
            "contracted gap",
            remark="at F*",
            non_negative=False,
        ),
        Term(
            "heterogeneity",
            eta * (1 - L * eta) * zeta**2,
            "agents with different gradients",
            (Equal(zeta, 0),),
        ),
        ONE_STEP_NOISE,
    ),
    setting=RUN,
    assumptions=EXPONENT_ONE,
    choices=(sets(H, 1, locator="D.F2.s1"),),
    conditions=(step_sizes.OF_THEOREM_F2,),
    example={"gap": 2, "mu_1": 0.5, "eta": 0.01, "L": 4, "M": 10, "zeta": 0.3, "sigma": 1.5},
    increasing=(zeta, sigma),
    decreasing=(M, mu_1),
    edges=(_HOMOGENEOUS, _EXACT, Edge(gap, 0, EdgeOutcome.REGULAR, "from F*")),
    proof=("D.F2.s2",),
)

F2 = _bound(
    locator="D.F2.s15",
    title="Recursion of Theorem F.2",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E} [F(\theta_{r+1})|\theta_r] - F^* \leq F(\theta_r) - F^*"
        r" - \frac{\eta H \mu}{4} (F(\theta_r) - F^*) + 2\eta H \zeta^2 + \frac{4\eta^2 HL}{M} \sigma^2"
        r" + 3\eta^3 H(H-1)L^2 \sigma^2 .",
    ),
    reading="FL-2 and FL-3 enter at theta_r only.",
    left=mean_next_gap,
    terms=(
        GAP,
        Term(
            "descent", -eta * H * mu_1 * gap / 4, "progress of the round", remark="at F*", non_negative=False
        ),
        Term("heterogeneity", 2 * eta * H * zeta**2, "agents with different gradients", (Equal(zeta, 0),)),
        NOISE,
        DRIFT_NOISE,
    ),
    setting=RUN,
    assumptions=EXPONENT_ONE,
    conditions=(step_sizes.OF_THEOREM_F2,),
    example={"gap": 2, "mu_1": 0.5, "eta": 0.002, "H": 5, "L": 4, "M": 10, "zeta": 0.3, "sigma": 1.5},
    increasing=(zeta, sigma, L),
    decreasing=(M, mu_1),
    edges=(_HOMOGENEOUS, _EXACT, Edge(H, 1, EdgeOutcome.REGULAR, "one local step: no drift")),
)

F3 = _bound(
    locator="D.F3.s4",
    title="Recursion of Lemma F.3",
    algorithm="fedavg",
    printed=(
        r"s_{r+1} \leq s_r - \frac{\eta \mu}{2} s_r^\alpha + \frac{\eta}{2} \zeta^2"
        r" + \frac{L\eta^2 \sigma^2}{M} .",
    ),
    reading="the same relation as D.F3.s3, in s_r.",
    left=next_s,
    terms=(
        Term("gap", s_r, "mean gap before the round", remark="at F*"),
        Term(
            "descent", -eta * mu * s_r**alpha / 2, "progress of the round", remark="at F*", non_negative=False
        ),
        HETEROGENEITY,
        ONE_STEP_NOISE,
    ),
    setting=(*RUN, Setting("D.F3", "one local step, H = 1")),
    assumptions=EXPONENT_ABOVE_ONE,
    conditions=(step_sizes.OF_LEMMA_F3,),
    example={"s_r": 2, "eta": 0.1, "mu": 0.5, "alpha": 1.5, "zeta": 0.3, "sigma": 1.5, "L": 4, "M": 10},
    increasing=(zeta, sigma, L),
    decreasing=(M, mu),
    edges=(_HOMOGENEOUS, _EXACT, Edge(s_r, 0, EdgeOutcome.REGULAR, "from F*")),
)

F4 = replace(
    F2,
    locator="D.F4.s1",
    title="Recursion of Theorem F.4",
    printed=(
        r"\mathbb{E}[F(\theta_{r+1})|\theta_r] \leq F(\theta_r) - \frac{\eta H}{4} (F(\theta_r) - F^*)"
        r" \|\nabla F(\theta_r)\|_2^2 + 2\eta H \zeta^2 + \frac{4\eta^2 H L}{M} \sigma^2"
        r" + 3\eta^3 H (H - 1) L^2 \sigma^2 .",
    ),
    reading=(
        "both sides less F*, so that the numbers are gaps; the product of the gap and the squared gradient "
        "is as printed."
    ),
    other_readings=("(eta H mu/4) (F(theta_r) - F*)^alpha in place of the product: (39) and (19) give it.",),
    terms=(
        GAP,
        Term(
            "descent",
            -eta * H * gap * gradient_norm**2 / 4,
            "progress of the round",
            remark="at F*, or at a stationary point",
            non_negative=False,
        ),
        *F2.terms[2:],
    ),
    assumptions=EXPONENT_ABOVE_ONE,
    conditions=(step_sizes.OF_THEOREM_F4,),
    example={
        "gap": 2,
        "gradient_norm": 1,
        "eta": 0.0002,
        "H": 5,
        "L": 4,
        "M": 10,
        "zeta": 0.3,
        "sigma": 1.5,
    },
    decreasing=(M, gradient_norm),
)

F4_AMENDED = amend(
    F4,
    change=(
        "mu (F - F*)^alpha in place of the product of the gap and the squared gradient; 3/4, 61/80, 9/16 "
        "and 3/4 for 1/4, 2, 4 and 3"
    ),
    because=(
        "one round has the squared gradient, and (19) bounds it from below by mu (F - F*)^alpha - "
        "zeta^2; the constants are those of one round as Theorem F.2 amended has it"
    ),
    derivation="docs/amended/fedavg_lojasiewicz.md#recursion-of-theorem-f4",
    printed=(
        r"\mathbb{E}[F(\theta_{r+1})|\theta_r] \leq F(\theta_r)"
        r" - \frac{3\eta H \mu}{4} (F(\theta_r) - F^*)^\alpha"
        r" + \frac{61\eta H}{80} \zeta^2 + \frac{9\eta^2 H L}{16M} \sigma^2"
        r" + \frac{3}{4}\eta^3 H (H - 1) L^2 \sigma^2",
    ),
    reading="both sides less F*, so that the numbers are gaps; FL-2 and FL-3 enter at theta_r only.",
    other_readings=(),
    terms=(
        GAP,
        Term(
            "descent",
            -3 * eta * H * mu * gap**alpha / 4,
            "progress of the round",
            remark="at F*",
            non_negative=False,
        ),
        replace(F2.terms[2], expression=61 * eta * H * zeta**2 / 80),
        replace(F2.terms[3], expression=9 * eta**2 * H * L * sigma**2 / (16 * M)),
        replace(F2.terms[4], expression=3 * eta**3 * H * (H - 1) * L**2 * sigma**2 / 4),
    ),
    example={n: x for n, x in F4.example.items() if n != "gradient_norm"} | {"mu": 0.5, "alpha": 1.5},
    decreasing=(M, mu),
)
