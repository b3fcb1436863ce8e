"""Corollary 3: privacy-utility of several local gradient steps.

The rate has an O(.) among its hypotheses (alpha = R = O(.)) and one in its conclusion; each is a named
constant. EXPLICIT is the pre-asymptotic bound that the proof displays before it writes O(.).
"""

from sympy import Rational, sqrt

from bounds.language.condition import above, below, solved_above
from bounds.language.extremes import larger
from bounds.language.statement import (
    SUFFICIENT,
    Edge,
    EdgeOutcome,
    Kind,
    Statement,
    Term,
    amend,
    define,
    sets,
)
from bounds.language.vanishing import Equal, ToZero, together
from bounds.papers.fed_norm_ec import PAPER, utility, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.heterogeneity import between_clients
from bounds.papers.fed_norm_ec.notation import (
    B_2,
    B_hat,
    Delta,
    Delta_inf,
    K,
    L,
    M,
    R,
    T,
    alpha,
    beta_hat,
    c_O,
    c_R,
    d,
    delta,
    epsilon,
    f0_gap,
    gamma,
    min_gradient_norm,
)
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION, short_pass
from bounds.papers.fed_norm_ec.utility import LISTING, RADIUS

_SETTING = utility.setting("A.cor3", step="A.thm1.h3", memory_step="h5")
_NOISE_PART = variance.noise_part("A.cor3.h6")
_READING = (
    "the setting of Theorem 1, so gamma = 1/(2L), and h4 is a condition on the problem; the prefactor "
    "sqrt(L) of the conclusion needs that gamma too. beta/(alpha+R) < 1 and the listing's eta < 1 are "
    "inherited from Theorem 1, its upper bound on eta is not: eta is prescribed. B_hat <= M."
)
_OTHER_READING = "any gamma <= 1/(2L) that meets h4, as the last step of the proof has it."
_LOCAL_STEPS = above(T, 1, locator="A.cor3.h1", printed=r"T>1")
_CLIENTS = utility.clients("A.cor3")
_STEP_SIZE = below(
    gamma,
    2 * Delta_inf**2 / (3 * L * f0_gap * sqrt(M / B_2)),
    locator="A.cor3.h4",
    printed=r"\gamma<\frac{2(\Delta^{\inf})^{2}}{3L(f(x^{0})-f^{\inf})\sqrt{M/B_{2}}}",
    solved=solved_above(Delta_inf, sqrt(3 * gamma * L * f0_gap * sqrt(M / B_2) / 2)),
)
_EDGES = (
    Edge(Delta_inf, 0, EdgeOutcome.NOT_APPLICABLE, "h4 asks gamma < 0"),
    Edge(T, 1, EdgeOutcome.NOT_APPLICABLE, "one local step is Corollary 1"),
    Edge(K, 0, EdgeOutcome.REGULAR, "one round"),
    Edge(delta, 1, EdgeOutcome.OUT_OF_DOMAIN, "log(1/delta) = 0: no noise is asked for, and B_2 = 0"),
)

RATE = Statement(
    locator="A.cor3",
    kind=Kind.RATE,
    paper=PAPER,
    title="Corollary 3: utility of several local gradient steps, as a rate",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.theorem_1.appendix",
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]="
        r"\mathcal{O}\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}"
        r"+\sqrt{L}\sqrt{\Delta^{\inf}}\right),",
        r"\Delta=\max(\alpha,2)\sqrt{L}\sqrt{f(x^{0})-f^{\inf}}",
    ),
    reading=_READING,
    other_readings=(_OTHER_READING,),
    left=min_gradient_norm,
    terms=(
        utility.UTILITY,
        Term(
            "drift",
            c_O * sqrt(L) * sqrt(Delta_inf),
            "several local steps on heterogeneous clients",
            (Equal(T, 1), Equal(Delta_inf, 0)),
        ),
    ),
    explicit="fed_norm_ec.corollary_3.explicit",
    assumptions=ASSUMPTION_1,
    choices=(*_SETTING, sets(R, c_R * RADIUS, locator="A.cor3.h6")),
    where=(
        _NOISE_PART,
        between_clients("A.cor3.h1"),
        define(Delta, larger(alpha, 2) * sqrt(L) * sqrt(f0_gap), locator="A.cor3"),
    ),
    conditions=(
        utility.below_one("A.thm1.h2", (c_R, beta_hat / (2 * RADIUS) / (K + 1))),
        _STEP_SIZE,
        LISTING,
        _CLIENTS,
        _LOCAL_STEPS,
    ),
    example=utility.EXAMPLE | {"d": 100, "c_R": 1, "c_O": 1},
    increasing=(d, B_hat, Delta_inf),
    decreasing=(epsilon, delta),
    edges=(
        *_EDGES,
        Edge(f0_gap, 0, EdgeOutcome.NOT_APPLICABLE, "alpha = R = 0, but alpha > 0 is asked"),
    ),
    proof=("A.cor3.s1..A.cor3.s13",),
)

EXPLICIT = Statement(
    locator="A.cor3.s10",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Corollary 3: the bound that its proof displays before O(.)",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.theorem_1.appendix",
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &"
        r"\frac{2\sqrt{3}\alpha\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}R}\sqrt[4]{\frac{B_{2}}{M}}"
        r"+\frac{4\sqrt{3}\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}}\sqrt[4]{\frac{B_{2}}{M}}+2R\\",
        r"&+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}"
        r"+\frac{1}{K+1}\cdot\frac{\gamma L\hat{\beta}R}{4(\alpha+R)}"
        r"+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right].",
    ),
    reading=_READING + " alpha = R, with R left free.",
    other_readings=(_OTHER_READING,),
    left=min_gradient_norm,
    terms=(
        *utility.EXPLICIT,
        Term(
            "drift",
            gamma * 8 * L * sqrt(2 * L) * sqrt(Delta_inf),
            "several local steps on heterogeneous clients",
            (Equal(T, 1), Equal(Delta_inf, 0)),
        ),
    ),
    assumptions=ASSUMPTION_1,
    choices=_SETTING,
    where=(_NOISE_PART, variance.SAMPLING_PART, between_clients("A.cor3.h1")),
    conditions=(
        utility.below_one("A.thm1.h2", (R, beta_hat / 2 / (K + 1))),
        _STEP_SIZE,
        LISTING,
        _CLIENTS,
        _LOCAL_STEPS,
    ),
    example=utility.EXAMPLE | {"R": 1},
    increasing=(R, Delta_inf),
    decreasing=(K,),
    edges=(*_EDGES, Edge(R, 0, EdgeOutcome.NOT_APPLICABLE, "alpha = R = 0; the proof divides by R")),
    proof=("A.cor3.s1..A.cor3.s10",),
)

_AMENDED_READING = (
    "the setting of Theorem 1 as amended, whose conditions the choices meet; gamma is free up to 1/(2L), as "
    f"the last step of the proof has it. B_hat <= M. {utility.PER_COORDINATE}"
)
_PER_COORDINATE = utility.per_coordinate("A.cor3", memory_step="h5")
_SHORT_PASS = short_pass("A.cor3.s13", r"\gamma\leq 1/(2L)")
_AMENDED_EXAMPLE = utility.EXAMPLE | {"gamma": 0.05, "d": 100}
_AMENDED_EDGES = (
    Edge(Delta_inf, 0, EdgeOutcome.REGULAR, "clients that share a minimizing sequence"),
    *_EDGES[1:],
)
_DRIFT_VANISHES = (Equal(T, 1), together(Equal(f0_gap, 0), Equal(Delta_inf, 0)), ToZero(gamma))

RATE_AMENDED = amend(
    RATE,
    change=(
        "gamma <= 1/(2L) in place of h4, and no eta < 1; d in beta_hat; Delta is sqrt(f(x^0) - "
        "f^inf)/sqrt(gamma); the drift is proportional to gamma, and of f(x^0) - f^inf and Delta_inf "
        "together; the terms of order 1/sqrt(K+1) and 1/(K+1)"
    ),
    because="Theorem 1 as amended; alpha = R leaves the number alpha/R = 1 before the root",
    derivation=f"{DERIVATION}#corollary-3",
    needed=SUFFICIENT,
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]="
        r"\mathcal{O}\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}"
        r"+\gamma L\sqrt{L}\sqrt{f(x^{0})-f^{\inf}+\Delta^{\inf}}\right)"
        r"+\mathcal{O}\left(\frac{1}{\sqrt{K+1}}\right)+\mathcal{O}\left(\frac{1}{K+1}\right)",
        r"\Delta=\sqrt{f(x^{0})-f^{\inf}}/\sqrt{\gamma}",
        utility.PRINTED_BETA_HAT,
    ),
    reading=_AMENDED_READING,
    other_readings=(),
    terms=(
        RATE.terms[0],
        Term(
            "drift",
            c_O * gamma * L * sqrt(L) * sqrt(f0_gap + Delta_inf),
            "several local steps at the start's distance from the clients' infima",
            _DRIFT_VANISHES,
        ),
        *utility.OF_ORDER_IN_K,
    ),
    choices=(*_PER_COORDINATE, sets(R, c_R * RADIUS, locator="A.cor3.h6")),
    where=(
        _NOISE_PART,
        between_clients("A.cor3.h1"),
        define(Delta, sqrt(f0_gap) / sqrt(gamma), locator="A.cor3"),
    ),
    conditions=(
        utility.no_overshoot_of_radius("A.thm1.h2"),
        _SHORT_PASS,
        _CLIENTS,
        _LOCAL_STEPS,
        utility.some_gap("A.thm1.h2"),
    ),
    example=_AMENDED_EXAMPLE | {"c_R": 1, "c_O": 1, "c_O_sampling": 1, "c_O_step": 1},
    increasing=(d, Delta_inf),
    decreasing=(),
    edges=(
        *_AMENDED_EDGES,
        Edge(f0_gap, 0, EdgeOutcome.NOT_APPLICABLE, "alpha = R = 0, but alpha > 0 is asked"),
    ),
)

EXPLICIT_AMENDED = amend(
    EXPLICIT,
    change=(
        "gamma <= 1/(2L) in place of h4, and no eta < 1; d in beta_hat and under the roots of the "
        "noise; 2/sqrt(3) and (2 + 3 sqrt(2))/sqrt(3) in place of 2 sqrt(3) and 4 sqrt(3), sqrt(2) "
        "in place of 2 in sampling; the drift has f(x^0) - f^inf beside Delta_inf, and 6/5 (1 - 1/T) in "
        "place of 8"
    ),
    because="Theorem 1 as amended, of which these choices meet every condition, for every K",
    derivation=f"{DERIVATION}#corollary-3",
    needed=SUFFICIENT,
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &"
        + utility.PRINTED_EXPLICIT,
        utility.PRINTED_SAMPLING + r"+\frac{1}{K+1}\cdot\frac{\gamma L\hat{\beta}R}{4(\alpha+R)}"
        r"+\frac{6}{5}\left(1-\frac{1}{T}\right)\gamma L\sqrt{2L(f(x^{0})-f^{\inf}+\Delta^{\inf})}",
        utility.PRINTED_BETA_HAT,
    ),
    reading=_AMENDED_READING + " alpha = R, with R left free.",
    other_readings=(),
    terms=(
        *utility.amended_terms(EXPLICIT.terms[:-1]),
        Term(
            "drift",
            Rational(6, 5) * (1 - 1 / T) * gamma * L * sqrt(2 * L * (f0_gap + Delta_inf)),
            "several local steps at the start's distance from the clients' infima",
            _DRIFT_VANISHES,
        ),
    ),
    choices=_PER_COORDINATE,
    conditions=(
        utility.NO_OVERSHOOT_OF_INPUT,
        _SHORT_PASS,
        _CLIENTS,
        _LOCAL_STEPS,
    ),
    example=_AMENDED_EXAMPLE | {"R": 1},
    edges=(*_AMENDED_EDGES, EXPLICIT.edges[-1]),
)
