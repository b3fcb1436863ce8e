"""Theorem F.2: FedAvg with any number of local steps, exponent alpha = 1."""

from dataclasses import replace

from bounds.language.condition import at_most
from bounds.language.statement import (
    SUFFICIENT,
    Edge,
    EdgeOutcome,
    Kind,
    Statement,
    Term,
    amend,
    define,
    defined_by,
)
from bounds.language.vanishing import Equal, Grows
from bounds.papers.fedavg_lojasiewicz import PAPER, definitions
from bounds.papers.fedavg_lojasiewicz.assumptions import EXPONENT_ONE, EXPONENT_ONE_AT_ITERATES, RUN
from bounds.papers.fedavg_lojasiewicz.notation import (
    H,
    L,
    M,
    R,
    eta,
    f0_gap,
    final_gap,
    mean_gap,
    mu_1,
    r,
    sigma,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared import step_sizes

THEOREM = Statement(
    locator="D.F2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Theorem F.2: last iterate, exponent 1",
    algorithm="fedavg",
    follows_from="fedavg_lojasiewicz.unrolled.f2_one_step",
    in_the_case=(
        define(H, 1, locator="D.F2.s1"),
        define(r, R, locator="D.F2.s3"),
        define(mean_gap, final_gap, locator="D.F2.s3"),
    ),
    printed=(
        r"\mathbb{E}[F(\theta_R)] - F^* \leq \left(1 - \frac{\eta H \mu}{4}\right)^R (F(\theta_0) - F^*)"
        r" + \frac{8\zeta^2}{\mu} + \frac{16\eta L}{M} \sigma^2 + 12\eta^2(H-1)L^2 \sigma^2.",
    ),
    reading=(
        "F* is the mean of the f_c*, which need not be attained by F; the Lojasiewicz inequality is asked at "
        "the iterates only; the two summands with sigma are not divided by mu, as printed."
    ),
    left=final_gap,
    terms=(
        # Where a gap is above 0, FL-1 and FL-2 give mu <= 2L, and then the base is positive;
        # no condition says so.
        Term(
            "initialization",
            (1 - eta * H * mu_1 / 4) ** R * f0_gap,
            "distance still to go",
            (Equal(f0_gap, 0), Grows(R)),
            non_negative=False,
        ),
        Term("heterogeneity", 8 * zeta**2 / mu_1, "agents with different gradients", (Equal(zeta, 0),)),
        Term("noise", 16 * eta * L / M * sigma**2, "noise of the gradients", (Equal(sigma, 0),)),
        Term(
            "drift_noise",
            12 * eta**2 * (H - 1) * L**2 * sigma**2,
            "drift by noise",
            (Equal(H, 1), Equal(sigma, 0)),
        ),
    ),
    setting=RUN,
    assumptions=EXPONENT_ONE,
    where=(defined_by(definitions.INITIAL_GAP, locator="D.F2", needed=False),),
    conditions=(step_sizes.OF_THEOREM_F2,),
    example={
        "L": 4,
        "M": 10,
        "H": 5,
        "R": 1000,
        "eta": 0.002,
        "mu_1": 0.5,
        "f0_gap": 2,
        "zeta": 0.3,
        "sigma": 1.5,
    },
    increasing=(zeta, sigma, L),
    decreasing=(M,),
    edges=(
        Edge(R, 0, EdgeOutcome.REGULAR, "no round: the initial gap and the floor"),
        Edge(H, 1, EdgeOutcome.REGULAR, "one local step: no drift"),
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
        Edge(f0_gap, 0, EdgeOutcome.REGULAR, "started at F*: the floor remains"),
    ),
    proof=("D.F2.s1..D.F2.s16",),
)

# FL-1 and FL-2 imply it for the gaps of a run that are not all 0; numbers alone do not know that.
AT_MOST_TWICE_L = at_most(mu_1, 2 * L, locator="D.FL2", printed=r"\mu \leq 2L")

AMENDED = amend(
    THEOREM,
    change=(
        "both summands with sigma are divided by mu; the rate is 3/4 for 1/4, and the floor has 61/60, "
        "3/4 and 1 for 8, 16 and 12; mu <= 2L is asked, which FL-1 and FL-2 imply unless every gap of "
        "the run is 0; FL-3 is asked at the iterates only"
    ),
    because=(
        "the sum of the contractions is divided by mu; the local paths are compared with those without "
        "noise, around which the noise has its second moment, and the mean move is kept in the descent"
    ),
    derivation="docs/amended/fedavg_lojasiewicz.md#theorem-f2",
    needed=SUFFICIENT,
    follows_from="",  # a round's own recursion is sharper than (39), from which the printed one follows
    printed=(
        r"\mathbb{E}[F(\theta_R)] - F^* \leq \left(1 - \frac{3\eta H \mu}{4}\right)^R (F(\theta_0) - F^*)"
        r" + \frac{61\zeta^2}{60\mu} + \frac{3\eta L}{4M\mu} \sigma^2 + \frac{\eta^2(H-1)L^2}{\mu} \sigma^2",
    ),
    reading=(
        "F* is the mean of the f_c*, which need not be attained by F; the Lojasiewicz inequality and zeta "
        "are asked at the global iterates only."
    ),
    terms=(
        replace(THEOREM.terms[0], expression=(1 - 3 * eta * H * mu_1 / 4) ** R * f0_gap, non_negative=True),
        replace(THEOREM.terms[1], expression=61 * zeta**2 / (60 * mu_1)),
        replace(THEOREM.terms[2], expression=3 * eta * L * sigma**2 / (4 * M * mu_1)),
        replace(THEOREM.terms[3], expression=eta**2 * (H - 1) * L**2 * sigma**2 / mu_1),
    ),
    assumptions=EXPONENT_ONE_AT_ITERATES,
    conditions=(*THEOREM.conditions, AT_MOST_TWICE_L),
)
