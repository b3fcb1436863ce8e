"""Corollary 1: privacy-utility of one local gradient step.

The rate has an O(.) among its hypotheses (alpha = R = O(.)) and one in its conclusion; each is a named
constant. EXPLICIT is the pre-asymptotic bound that the proof displays before it writes O(.).
"""

from dataclasses import replace

from sympy import sqrt

from bounds.language.extremes import larger
from bounds.language.statement import (
    SUFFICIENT,
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    Term,
    amend,
    define,
    sets,
)
from bounds.language.vanishing import Equal, Grows
from bounds.papers.fed_norm_ec import PAPER, utility, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.heterogeneity import between_clients
from bounds.papers.fed_norm_ec.notation import (
    B_2,
    B_hat,
    Delta,
    Delta_inf,
    Delta_proof,
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
    sigma_DP,
)
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION
from bounds.papers.fed_norm_ec.utility import LISTING, QUARTER, RADIUS

_SETTING = utility.setting("A.cor1", step="A.thm1.h3", memory_step="h4")
_NOISE_PART = variance.noise_part("A.cor1.h6")
_SAME = Setting("A.cor1.h1", "the setting of Theorem 1 with one local step, T = 1")
_READING = (
    "the setting of Theorem 1, so gamma = 1/(2L), which is also what the proof sets at its end; "
    "beta/(alpha+R) < 1 and the listing's eta < 1 are inherited from Theorem 1; B_hat <= M."
)
_CLIENTS = utility.clients("A.cor1")
_STEP_SIZE = utility.short_step("A.cor1.h5")
_EXAMPLE = {
    "K": 1000,
    "L": 1,
    "f0_gap": 1,
    "Delta_inf": 20,
    "M": 100,
    "B_hat": 10,
    "c": 1.5,
    "epsilon": 1,
    "delta": 1e-5,
}
_EDGES = (
    Edge(Delta_inf, 0, EdgeOutcome.NOT_APPLICABLE, "h5 asks gamma < 0"),
    Edge(K, 0, EdgeOutcome.REGULAR, "one round"),
    Edge(delta, 1, EdgeOutcome.OUT_OF_DOMAIN, "log(1/delta) = 0: no noise is asked for, and B_2 = 0"),
)

RATE = Statement(
    locator="A.cor1",
    kind=Kind.RATE,
    paper=PAPER,
    title="Corollary 1: utility of one local gradient step, as a rate",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.theorem_1.appendix",
    in_the_case=(define(T, 1, locator="A.cor1.h1"),),
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]="
        r"\mathcal{O}\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}\right),",
        r"\Delta=\max(\alpha,2)\sqrt{L}\sqrt{f(x^{0})-f^{\inf}}",
    ),
    reading=_READING,
    left=min_gradient_norm,
    terms=(utility.UTILITY,),
    explicit="fed_norm_ec.corollary_1.explicit",
    setting=(_SAME,),
    assumptions=ASSUMPTION_1,
    choices=(*_SETTING, sets(R, c_R * RADIUS, locator="A.cor1.h6")),
    where=(
        _NOISE_PART,
        between_clients("A.cor1.h1"),
        define(Delta, larger(alpha, 2) * sqrt(L) * sqrt(f0_gap), locator="A.cor1"),
    ),
    conditions=(
        utility.below_one("A.thm1.h2", (c_R, beta_hat / (2 * RADIUS) / (K + 1))),
        _STEP_SIZE,
        LISTING,
        _CLIENTS,
    ),
    example=_EXAMPLE | {"d": 100, "c_R": 1, "c_O": 1},
    increasing=(d, B_hat),
    decreasing=(epsilon, delta),
    edges=(*_EDGES, Edge(f0_gap, 0, EdgeOutcome.NOT_APPLICABLE, "alpha = R = 0, but alpha > 0 is asked")),
)

APPENDIX = replace(
    RATE,
    locator="A.cor1.app",
    title="Corollary 1, appendix form: the last display of its proof",
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq"
        r"\mathcal{O}\left(\Delta\frac{\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}}"
        r"\sqrt[4]{d\frac{B_{2}}{M}}\right)+\mathcal{O}\left(\frac{1}{\sqrt{K+1}}\right)"
        r"+\mathcal{O}\left(\frac{1}{K+1}\right),",
    ),
    reading=_READING + " The prefactor Delta is that of the proof, 2 sqrt(3) max(alpha, 2).",
    terms=(
        Term(
            "utility",
            c_O * Delta_proof * sqrt(f0_gap) / sqrt(gamma) * (d * B_2 / M) ** QUARTER,
            "privacy",
            (Equal(sigma_DP, 0), Grows(M)),
        ),
        *utility.OF_ORDER_IN_K,
    ),
    where=(
        _NOISE_PART,
        between_clients("A.cor1.h1"),
        define(Delta_proof, 2 * sqrt(3) * larger(alpha, 2), locator="A.cor1.app"),
    ),
    example=_EXAMPLE | {"d": 100, "c_R": 1, "c_O": 1, "c_O_sampling": 1, "c_O_step": 1},
)

EXPLICIT = Statement(
    locator="A.cor1.s8",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Corollary 1: the bound that its proof displays before O(.)",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.theorem_1.appendix",
    in_the_case=(define(T, 1, locator="A.cor1.h1"),),
    printed=(
        r"\frac{2\sqrt{3}\alpha\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}R}\sqrt[4]{\frac{B_{2}}{M}}"
        r"+\frac{4\sqrt{3}\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}}\sqrt[4]{\frac{B_{2}}{M}}+2R\\",
        r"&+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}"
        r"+\frac{1}{K+1}\cdot\frac{\gamma L\hat{\beta}R}{4(\alpha+R)}.",
    ),
    reading=_READING + " alpha = R, with R left free.",
    left=min_gradient_norm,
    terms=utility.EXPLICIT,
    setting=(_SAME,),
    assumptions=ASSUMPTION_1,
    choices=_SETTING,
    where=(_NOISE_PART, variance.SAMPLING_PART, between_clients("A.cor1.h1")),
    conditions=(
        utility.below_one("A.thm1.h2", (R, beta_hat / 2 / (K + 1))),
        _STEP_SIZE,
        LISTING,
        _CLIENTS,
    ),
    example=_EXAMPLE | {"R": 1},
    increasing=(R,),
    decreasing=(K,),
    edges=(*_EDGES, Edge(R, 0, EdgeOutcome.NOT_APPLICABLE, "alpha = R = 0; the proof divides by R")),
    proof=("A.cor1.s1..A.cor1.s10",),
)

_AMENDED_READING = (
    "the setting of Theorem 1 as amended, whose conditions the choices meet, with gamma = 1/(2L); "
    f"B_hat <= M. {utility.PER_COORDINATE}"
)
_AMENDED_OF_RATE = (utility.no_overshoot_of_radius("A.thm1.h2"), _CLIENTS, utility.some_gap("A.thm1.h2"))
_PER_COORDINATE = (
    sets(gamma, 1 / (2 * L), locator="A.thm1.h3"),
    *utility.per_coordinate("A.cor1", memory_step="h4"),
)
_RATE_CHOICES = (*_PER_COORDINATE, RATE.choices[-1])
_AMENDED_EXAMPLE = {n: x for n, x in _EXAMPLE.items() if n != "Delta_inf"} | {"d": 100, "c_R": 1, "c_O": 1}
_ORDERS = {"c_O_sampling": 1, "c_O_step": 1}

RATE_AMENDED = amend(
    RATE,
    change=(
        "no h5 and no eta < 1; d in beta_hat; Delta = sqrt(L (f(x^0) - f^inf)), of one unit; the terms "
        "of order 1/sqrt(K+1) and 1/(K+1) stay"
    ),
    because="alpha = R leaves the number alpha/R = 1 before the root, and K is not under the O(.)",
    derivation=f"{DERIVATION}#corollary-1",
    needed=SUFFICIENT,
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]="
        r"\mathcal{O}\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}\right)"
        r"+\mathcal{O}\left(\frac{1}{\sqrt{K+1}}\right)+\mathcal{O}\left(\frac{1}{K+1}\right)",
        r"\Delta=\sqrt{L}\sqrt{f(x^{0})-f^{\inf}}",
        utility.PRINTED_BETA_HAT,
    ),
    reading=_AMENDED_READING,
    terms=(*RATE.terms, *utility.OF_ORDER_IN_K),
    choices=_RATE_CHOICES,
    where=(_NOISE_PART, define(Delta, sqrt(L) * sqrt(f0_gap), locator="A.cor1")),
    conditions=_AMENDED_OF_RATE,
    example=_AMENDED_EXAMPLE | _ORDERS,
    edges=tuple(e for e in RATE.edges if e.symbol is not Delta_inf),
)

APPENDIX_AMENDED = amend(
    APPENDIX,
    change="no h5 and no eta < 1; d in beta_hat; no prefactor Delta",
    because="alpha = R leaves the number alpha/R = 1 before the root, which the O(.) takes",
    derivation=f"{DERIVATION}#corollary-1",
    needed=SUFFICIENT,
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq"
        r"\mathcal{O}\left(\frac{\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}}\sqrt[4]{d\frac{B_{2}}{M}}\right)"
        r"+\mathcal{O}\left(\frac{1}{\sqrt{K+1}}\right)+\mathcal{O}\left(\frac{1}{K+1}\right)",
        utility.PRINTED_BETA_HAT,
    ),
    reading=_AMENDED_READING,
    terms=(
        Term(
            "utility",
            c_O * sqrt(f0_gap) / sqrt(gamma) * (d * B_2 / M) ** QUARTER,
            "privacy",
            (Equal(sigma_DP, 0), Grows(M)),
        ),
        *utility.OF_ORDER_IN_K,
    ),
    choices=_RATE_CHOICES,
    where=(_NOISE_PART,),
    conditions=_AMENDED_OF_RATE,
    example=_AMENDED_EXAMPLE | _ORDERS,
    edges=RATE_AMENDED.edges,
)

EXPLICIT_AMENDED = amend(
    EXPLICIT,
    change=(
        "no h5 and no eta < 1; d in beta_hat and under the roots of the noise; 2/sqrt(3) and (2 + 3 "
        "sqrt(2))/sqrt(3) in place of 2 sqrt(3) and 4 sqrt(3), and sqrt(2) in place of 2 in sampling"
    ),
    because="Theorem 1 as amended asks nothing of Delta_inf where T = 1, and has smaller constants",
    derivation=f"{DERIVATION}#corollary-1",
    printed=(
        utility.PRINTED_EXPLICIT,
        utility.PRINTED_SAMPLING + r"+\frac{1}{K+1}\cdot\frac{\gamma L\hat{\beta}R}{4(\alpha+R)}.",
        utility.PRINTED_BETA_HAT,
    ),
    reading=_AMENDED_READING + " alpha = R, with R left free.",
    terms=utility.amended_terms(EXPLICIT.terms),
    choices=_PER_COORDINATE,
    where=(_NOISE_PART, variance.SAMPLING_PART),
    conditions=(utility.NO_OVERSHOOT_OF_INPUT, _CLIENTS),
    example={n: x for n, x in EXPLICIT.example.items() if n != "Delta_inf"} | {"d": 100},
    edges=tuple(e for e in EXPLICIT.edges if e.symbol is not Delta_inf),
)
