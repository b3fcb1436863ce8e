"""Corollary 6: privacy-utility of local incremental-gradient steps.

The rate has an O(.) among its hypotheses (alpha = R = O(.)) and one in its conclusion; each is a named
constant. The paper derives nothing here: the proof is said to be analogous to that of Corollary 3
(A.cor6.s1). So no explicit bound is printed, and what stands behind the rate is Theorem 2 itself.
"""

from sympy import sqrt

from bounds.language.condition import above
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
from bounds.papers.fed_norm_ec.heterogeneity import between_clients, inside_clients
from bounds.papers.fed_norm_ec.notation import (
    B_hat,
    Delta,
    Delta_i_inf_mean,
    Delta_inf,
    K,
    L,
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

_SETTING = utility.setting("A.cor6", step="A.thm2.h4", memory_step="h4")
_NOISE_PART = variance.noise_part("A.cor6.h6")
_READING = (
    "the setting of Theorem 2, so gamma = 1/(2L), and h5 is a condition on the problem; beta/(alpha+R) < 1 "
    "and the listing's eta < 1 are inherited from Theorem 2, its upper bound on eta is not: eta is "
    "prescribed. B_hat <= M. T > 1 binds as printed, for a pass of T = N steps."
)
_OTHER_READING = "any gamma <= 1/(2L) that meets h5, as the proof of Corollary 3 ends."
_LOCAL_STEPS = above(T, 1, locator="A.cor6.h1", printed=r"T>1")
_CLIENTS = utility.clients("A.cor6")
_STEP_SIZE = utility.short_step("A.cor6.h5")
_EDGES = (
    Edge(Delta_inf, 0, EdgeOutcome.NOT_APPLICABLE, "h5 asks gamma < 0"),
    Edge(T, 1, EdgeOutcome.NOT_APPLICABLE, "h1 asks T > 1"),
    Edge(K, 0, EdgeOutcome.REGULAR, "one round"),
    Edge(delta, 1, EdgeOutcome.OUT_OF_DOMAIN, "log(1/delta) = 0: no noise is asked for, and B_2 = 0"),
)

RATE = Statement(
    locator="A.cor6",
    kind=Kind.RATE,
    paper=PAPER,
    title="Corollary 6: utility of local incremental-gradient steps, as a rate",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.theorem_2",
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]="
        r"\mathcal{O}\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}"
        r"+\sqrt{L}\sqrt{\Delta^{\inf}}"
        r"+\sqrt{L}\sqrt{\frac{1}{M}\sum\limits^{M}_{i=1}\Delta^{\inf}_{i}}\right),",
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
            "a local pass on heterogeneous clients",
            (Equal(Delta_inf, 0),),
        ),
        Term(
            "component_drift",
            c_O * sqrt(L) * sqrt(Delta_i_inf_mean),
            "a local pass on heterogeneous components inside the clients",
            (Equal(Delta_i_inf_mean, 0),),
        ),
    ),
    explicit="fed_norm_ec.theorem_2",
    assumptions=ASSUMPTION_1,
    choices=(*_SETTING, sets(R, c_R * RADIUS, locator="A.cor6.h6")),
    where=(
        _NOISE_PART,
        between_clients("A.cor6.h1"),
        inside_clients("A.cor6.h1"),
        define(Delta, larger(alpha, 2) * sqrt(L) * sqrt(f0_gap), locator="A.cor6"),
    ),
    conditions=(
        utility.below_one("A.thm2.h3", (c_R, beta_hat / (2 * RADIUS) / (K + 1))),
        _STEP_SIZE,
        LISTING,
        _CLIENTS,
        _LOCAL_STEPS,
    ),
    example=utility.EXAMPLE | {"d": 100, "Delta_i_inf_mean": 4, "c_R": 1, "c_O": 1},
    increasing=(d, B_hat, Delta_inf, Delta_i_inf_mean),
    decreasing=(epsilon, delta),
    edges=(
        *_EDGES,
        Edge(f0_gap, 0, EdgeOutcome.NOT_APPLICABLE, "alpha = R = 0, but alpha > 0 is asked"),
        Edge(Delta_i_inf_mean, 0, EdgeOutcome.OUT_OF_DOMAIN, "Theorem 2 asks Delta_i^inf > 0"),
    ),
    proof=("A.cor6.s1",),
)

AMENDED = amend(
    RATE,
    change=(
        "gamma <= 1/(2L) in place of h5, and no eta < 1; d in beta_hat; Delta is sqrt(f(x^0) - "
        "f^inf)/sqrt(gamma); one drift, proportional to gamma, of f(x^0) - f^inf and the Delta_i^inf "
        "together; the terms of order 1/sqrt(K+1) and 1/(K+1)"
    ),
    because="Theorem 2 as amended; alpha = R leaves the number alpha/R = 1 before the root",
    derivation=f"{DERIVATION}#corollary-6",
    needed=SUFFICIENT,
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]="
        r"\mathcal{O}\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}"
        r"+\gamma L\sqrt{L}\sqrt{f(x^{0})-f^{\inf}+\frac{1}{M}\sum\limits^{M}_{i=1}\Delta^{\inf}_{i}}\right)"
        r"+\mathcal{O}\left(\frac{1}{\sqrt{K+1}}\right)+\mathcal{O}\left(\frac{1}{K+1}\right)",
        r"\Delta=\sqrt{f(x^{0})-f^{\inf}}/\sqrt{\gamma}",
        utility.PRINTED_BETA_HAT,
    ),
    reading=(
        "the setting of Theorem 2 as amended, whose conditions the choices meet; gamma is free up to 1/(2L). "
        f"B_hat <= M. T > 1 binds as printed, for a pass of T = N steps. {utility.PER_COORDINATE}"
    ),
    other_readings=(),
    terms=(
        RATE.terms[0],
        Term(
            "component_drift",
            c_O * gamma * L * sqrt(L) * sqrt(f0_gap + Delta_i_inf_mean),
            "a local pass at the start's distance from the infima of the data points",
            (together(Equal(f0_gap, 0), Equal(Delta_i_inf_mean, 0)), ToZero(gamma)),
        ),
        *utility.OF_ORDER_IN_K,
    ),
    choices=(
        *utility.per_coordinate("A.cor6", memory_step="h4"),
        sets(R, c_R * RADIUS, locator="A.cor6.h6"),
    ),
    where=(
        _NOISE_PART,
        inside_clients("A.cor6.h1"),
        define(Delta, sqrt(f0_gap) / sqrt(gamma), locator="A.cor6"),
    ),
    conditions=(
        utility.no_overshoot_of_radius("A.thm2.h3"),
        short_pass("A.thm2.h4"),
        _CLIENTS,
        _LOCAL_STEPS,
        utility.some_gap("A.thm2.h3"),
    ),
    example={n: x for n, x in RATE.example.items() if n != "Delta_inf"}
    | {"gamma": 0.05, "c_O_sampling": 1, "c_O_step": 1},
    increasing=(d, Delta_i_inf_mean),
    decreasing=(),
    edges=tuple(e for e in RATE.edges if e.symbol is not Delta_inf),
)
