"""The definitions of section 3: objectives, reference value, gaps, and the constants of the proofs."""

from dataclasses import replace
from functools import partial

from sympy import sqrt

from bounds.language.condition import above
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.notation import (
    C_F3,
    C_F4,
    F_0,
    F_star,
    H,
    L,
    M,
    alpha,
    beta,
    eta,
    f0_gap,
    f_star_mean,
    g_x,
    kappa_F3,
    kappa_F4,
    mean_F,
    mu,
    s_r,
    sigma,
    v_r,
    x,
    zeta,
)

_definition = partial(Statement, kind=Kind.DEFINITION, paper=PAPER)

# The exponent enters the unit of kappa, not its value.
_ABOVE_ONE = above(alpha, 1, locator="D.F3", printed=r"$\alpha > 1$")

OBJECTIVE = _definition(
    locator="D.def.fc",
    title="Objective of an agent, as an expectation",
    printed=(r"f_c(\theta) = \mathbb{E}_{Z^c \sim \xi_c} \left[f_c^{Z^c}(\theta) \right] ,",),
    reading="Z^c has the distribution xi_c; the agent sees f_c through samples only.",
)

ESTIMATOR = _definition(
    locator="D.def.FZ",
    title="Virtual estimator of the gradient",
    printed=(r"\nabla F^Z(\theta) = \frac{1}{M} \sum_{c=1}^M \nabla f_c^{Z^c}(\theta) .",),
    reading="virtual: no party holds it; Z is one sample of every agent, at the same theta.",
)

REFERENCE = _definition(
    locator="D.def.Fstar",
    title="Reference value F*",
    printed=(r"$F^* = \frac{1}{M} \sum_{c=1}^M f_c^*$",),
    reading="the mean of the agents' reference values, which is at most inf F and need not be attained.",
    left=F_star,
    terms=(Term("mean", f_star_mean, "reference values of the agents", non_negative=False),),
    example={"f_star_mean": 0.5},
)

GAP = _definition(
    locator="D.def.sv",
    title="Mean gap s_r",
    printed=(r"$s_r = \mathbb{E}[F(\theta_r)] - F^*$",),
    reading="the expectation is over all samples of the rounds before r.",
    left=s_r,
    terms=(
        Term("value", mean_F, "mean objective after r rounds", non_negative=False),
        Term("reference", -F_star, "mean of the f_c*", non_negative=False),
    ),
    example={"mean_F": 2, "F_star": 0.5},
)

INITIAL_GAP = replace(
    GAP,
    title="Initial gap s_0",
    reading="r = 0: the initial point is given, so that there is nothing to take a mean of.",
    left=f0_gap,
    terms=(
        Term("value", F_0, "objective at the initial point", non_negative=False),
        Term("reference", -F_star, "mean of the f_c*", non_negative=False),
    ),
    example={"F_0": 2, "F_star": 0.5},
)

SHIFTED_GAP = _definition(
    locator="D.def.sv",
    title="Mean gap above the floor, v_r",
    printed=("$v_r = s_r - C$",),
    reading="with the C of Lemma F.3.",
    left=v_r,
    terms=(
        Term("gap", s_r, "mean gap after r rounds"),
        Term("floor", -C_F3, "floor of Lemma F.3", non_negative=False),
    ),
    example={"s_r": 2, "C_F3": 0.5},
    increasing=(s_r,),
    decreasing=(C_F3,),
    edges=(Edge(C_F3, 0, EdgeOutcome.REGULAR, "homogeneous agents with exact gradients: v_r = s_r"),),
)

WEIGHT = _definition(
    locator="D.def.beta",
    title="Weight of the polarization, beta",
    printed=(r"\beta = \frac{1}{\sqrt{\eta H}}",),
    reading="so that beta^2 = 1/(eta H): a round of H steps has the total length eta H.",
    left=beta,
    terms=(Term("weight", 1 / sqrt(eta * H), "total step of a round"),),
    example={"eta": 0.05, "H": 5},
    decreasing=(eta, H),
    edges=(Edge(H, 1, EdgeOutcome.REGULAR, "one local step: beta^2 = 1/eta"),),
)

FLOOR_F3 = _definition(
    locator="D.def.C.F3",
    title="Floor C of Lemma F.3",
    printed=(r"C = ((\zeta^2)/\mu)^{1/\alpha} + ((2L\eta\sigma^2)/(M\mu))^{1/\alpha}",),
    reading="one local step and alpha > 1.",
    left=C_F3,
    terms=(
        Term(
            "heterogeneity",
            (zeta**2 / mu) ** (1 / alpha),
            "agents with different gradients",
            (Equal(zeta, 0),),
        ),
        Term(
            "noise",
            (2 * L * eta * sigma**2 / (M * mu)) ** (1 / alpha),
            "noise of the gradients",
            (Equal(sigma, 0),),
        ),
    ),
    example={"zeta": 0.3, "sigma": 1.5, "mu": 0.5, "alpha": 1.5, "L": 4, "eta": 0.1, "M": 10},
    increasing=(zeta, sigma, eta),
    decreasing=(mu, M),
    edges=(
        Edge(zeta, 0, EdgeOutcome.REGULAR, "homogeneous agents: noise alone"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients: heterogeneity alone"),
    ),
)

RATE_F3 = _definition(
    locator="D.def.kappa.F3",
    title="Decrease kappa of Lemma F.3",
    printed=(r"\kappa = \frac{\eta \mu}{2}",),
    reading="one local step and alpha > 1.",
    left=kappa_F3,
    terms=(Term("decrease", eta * mu / 2, "progress of one step"),),
    conditions=(_ABOVE_ONE,),
    example={"eta": 0.1, "mu": 0.5, "alpha": 1.5},
    increasing=(eta, mu),
)

FLOOR_F4 = replace(
    FLOOR_F3,
    locator="D.def.C.F4",
    title="Floor C of Theorem F.4",
    printed=(r"C = (8\zeta^2/\mu)^{1/\alpha} + (16L\eta\sigma^2/M\mu)^{1/\alpha}",),
    reading="alpha > 1; M mu is the denominator of the second fraction, as in the theorem's conclusion.",
    left=C_F4,
    terms=(
        Term(
            "heterogeneity",
            (8 * zeta**2 / mu) ** (1 / alpha),
            "agents with different gradients",
            (Equal(zeta, 0),),
        ),
        Term(
            "noise",
            (16 * L * eta * sigma**2 / (M * mu)) ** (1 / alpha),
            "noise of the gradients",
            (Equal(sigma, 0),),
        ),
    ),
)

RATE_F4 = _definition(
    locator="D.def.kappa.F4",
    title="Decrease kappa of Theorem F.4",
    printed=(r"\kappa = \eta H \mu / 4",),
    reading="alpha > 1.",
    left=kappa_F4,
    terms=(Term("decrease", eta * H * mu / 4, "progress of one round"),),
    conditions=(replace(_ABOVE_ONE, locator="D.F4"),),
    example={"eta": 0.005, "H": 5, "mu": 0.5, "alpha": 1.5},
    increasing=(eta, H, mu),
)

POWER = _definition(
    locator="D.def.g",
    title="Negative power g",
    printed=(r"$g(x) = x^{-(\alpha-1)}$ for $x > 0$",),
    reading="alpha > 1, so that g is convex and decreasing; the proof takes it at v_r.",
    left=g_x,
    terms=(Term("power", x ** (1 - alpha), "the gap above the floor, inverted"),),
    example={"x": 2, "alpha": 1.5},
    decreasing=(x,),
    edges=(
        Edge(x, 0, EdgeOutcome.OUT_OF_DOMAIN, "x > 0 is asked: g has a pole at 0"),
        Edge(alpha, 1, EdgeOutcome.OUT_OF_DOMAIN, "g would be constant"),
    ),
)
