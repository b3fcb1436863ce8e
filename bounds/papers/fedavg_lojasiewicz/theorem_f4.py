"""Theorem F.4: FedAvg with any number of local steps, exponent alpha > 1."""

from dataclasses import replace

from bounds.language.statement import SUFFICIENT, Edge, EdgeOutcome, Kind, Statement, Term, amend, defined_by
from bounds.language.vanishing import Equal, Grows
from bounds.papers.fedavg_lojasiewicz import PAPER, definitions
from bounds.papers.fedavg_lojasiewicz.assumptions import EXPONENT_ABOVE_ONE, FL_1, FL_2, FL_3, RUN, UNBIASED
from bounds.papers.fedavg_lojasiewicz.notation import (
    H,
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

THEOREM = Statement(
    locator="D.F4",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Theorem F.4: last iterate, exponent above 1",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E}[F(\theta_R)] - F^* \leq \frac{F(\theta_0) - F^*}{1 + R^{1/(\alpha-1)}"
        r" \cdot (F(\theta_0) - F^*) \cdot (\eta H \mu (\alpha - 1)/4)^{1/(\alpha-1)}}"
        r" + 2 \left(\frac{8\zeta^2}{\mu} \right)^{1/\alpha}"
        r" + 2 \left(\frac{16L\eta\sigma^2}{M\mu} \right)^{1/\alpha} ,",
    ),
    reading=(
        "F* is the mean of the f_c*, which need not be attained by F; the Lojasiewicz inequality is asked at "
        "the iterates only; 1 < alpha <= 2 from the subsection's title; sigma is that of FL-4, which the "
        "hypotheses do not name."
    ),
    left=final_gap,
    terms=(
        Term(
            "initialization",
            f0_gap
            / (1 + R ** (1 / (alpha - 1)) * f0_gap * (eta * H * mu * (alpha - 1) / 4) ** (1 / (alpha - 1))),
            "distance still to go",
            (Equal(f0_gap, 0), Grows(R)),
        ),
        Term(
            "heterogeneity",
            2 * (8 * zeta**2 / mu) ** (1 / alpha),
            "agents with different gradients",
            (Equal(zeta, 0),),
        ),
        Term(
            "noise",
            2 * (16 * L * eta * sigma**2 / (M * mu)) ** (1 / alpha),
            "noise of the gradients",
            (Equal(sigma, 0),),
        ),
    ),
    setting=RUN,
    assumptions=(FL_1, FL_2, FL_3, UNBIASED),
    where=(defined_by(definitions.INITIAL_GAP, locator="D.F4", needed=False),),
    conditions=(step_sizes.OF_THEOREM_F4,),
    example={
        "L": 4,
        "M": 10,
        "H": 5,
        "R": 10000,
        "eta": 0.0002,
        "mu": 0.5,
        "alpha": 1.5,
        "f0_gap": 2,
        "zeta": 0.3,
        "sigma": 1.5,
    },
    increasing=(zeta, sigma, f0_gap, L),
    decreasing=(R, M),
    edges=(
        Edge(alpha, 1, EdgeOutcome.OUT_OF_DOMAIN, "1/(alpha-1) has no value: exponent 1 is Theorem F.2"),
        Edge(R, 0, EdgeOutcome.REGULAR, "no round: the initial gap and the floor"),
        Edge(H, 1, EdgeOutcome.REGULAR, "one local step: Lemma F.3 has a longer step there"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
        Edge(f0_gap, 0, EdgeOutcome.REGULAR, "started at F*: the floor remains"),
    ),
    proof=("D.F4.s1..D.F4.s3",),
)

AMENDED = amend(
    THEOREM,
    change=(
        "FL-4 is asked, whose sigma the conclusion has; the first term as in Lemma F.3, with 3/4 for "
        "1/4; the floor without the factors 2, and with 61/60 and 29/36 for 8 and 16"
    ),
    because=(
        "the recursion D.F4.s1 as amended, whose round increases with the gap: once below the floor, the "
        "mean gap stays there"
    ),
    derivation="docs/amended/fedavg_lojasiewicz.md#theorem-f4",
    needed=SUFFICIENT,
    printed=(
        r"\mathbb{E}[F(\theta_R)] - F^* \leq \frac{F(\theta_0) - F^*}{\left(1 + 3\eta H \mu R(\alpha - 1)"
        r"(F(\theta_0) - F^*)^{\alpha-1}/4\right)^{1/(\alpha-1)}}"
        r" + \left(\frac{61\zeta^2}{60\mu} \right)^{1/\alpha}"
        r" + \left(\frac{29L\eta\sigma^2}{36M\mu} \right)^{1/\alpha}",
    ),
    reading=(
        "F* is the mean of the f_c*, which need not be attained by F; the Lojasiewicz inequality is asked at "
        "the iterates only, and keeps their gaps at most (2L/mu)^(1/(alpha-1)), almost surely: no noise may "
        "lead where one is larger; sigma is that of FL-4; 1 < alpha <= 2 from the subsection's title."
    ),
    terms=(
        replace(
            THEOREM.terms[0],
            expression=f0_gap
            / (1 + 3 * eta * H * mu * R * (alpha - 1) * f0_gap ** (alpha - 1) / 4) ** (1 / (alpha - 1)),
        ),
        replace(THEOREM.terms[1], expression=(61 * zeta**2 / (60 * mu)) ** (1 / alpha)),
        replace(THEOREM.terms[2], expression=(29 * L * eta * sigma**2 / (36 * M * mu)) ** (1 / alpha)),
    ),
    assumptions=EXPONENT_ABOVE_ONE,
)
