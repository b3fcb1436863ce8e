"""Corollary 2: the rate 1/K^(1/8) of several local gradient steps.

The constants A_1 and A_2 are sums; the terms are their summands, each with its power of K + 1.
"""

from sympy import Rational, sqrt

from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term, amend, defined_by
from bounds.language.vanishing import Equal, Grows, together
from bounds.papers.fed_norm_ec import PAPER, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.heterogeneity import between_clients
from bounds.papers.fed_norm_ec.notation import (
    Delta_inf,
    K,
    L,
    M,
    T,
    alpha,
    f0_gap,
    min_gradient_norm,
    p,
    sigma_DP,
)
from bounds.papers.fed_norm_ec.shared import rate_setting
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION
from bounds.papers.fed_norm_ec.shared.rate_setting import (
    INITIALIZATION,
    MEMORY,
    SAMPLING_AND_NOISE,
    SHORT,
    SIXTH,
    STEP,
)
from bounds.papers.fed_norm_ec.theorem_1 import ENDS

COROLLARY = Statement(
    locator="A.cor2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Corollary 2: rate of several local gradient steps",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.theorem_1.appendix",
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]"
        r"\leq\frac{A_{1}}{(K+1)^{1/8}}+\frac{A_{2}}{(K+1)^{7/8}},",
        r"A_{1}=3\frac{f(x^{0})-f^{\inf}}{\hat{\eta}}+2D_{1}+\frac{2\sqrt{B}D_{2}}{\sqrt{M}}"
        r"+4\sqrt{2L}\sqrt{\Delta^{\inf}}",
        r"A_{2}=\hat{\eta}L/2",
        r"\mathcal{O}(1/K^{1/8})",
    ),
    reading=(
        "the setting of Theorem 1 but for gamma, which the corollary chooses itself; beta/(alpha+R) < 1 "
        "and the listing's eta < 1 are inherited from Theorem 1, its upper bound on eta is not: eta is "
        "prescribed. B as the proof displays it. The order that is announced is that of this bound, for a "
        "noise that does not depend on K."
    ),
    other_readings=(
        "sigma_DP^2 per coordinate: B then carries d sigma_DP^2 instead of sigma_DP^2.",
        "sigma_DP as the paper sets it for privacy (A.disc.sigma): it grows with K, and A_1 with it.",
    ),
    left=min_gradient_norm,
    terms=(
        INITIALIZATION,
        MEMORY,
        SAMPLING_AND_NOISE,
        Term(
            "drift",
            4 * sqrt(2 * L) * sqrt(Delta_inf) / SHORT,
            "several local steps on heterogeneous clients",
            (Equal(T, 1), Equal(Delta_inf, 0)),
        ),
        STEP,
    ),
    assumptions=ASSUMPTION_1,
    choices=rate_setting.choices("A.cor2"),
    where=(
        defined_by(variance.APPENDIX, locator="A.cor2.s1"),
        between_clients("A.cor2.s1"),
    ),
    conditions=rate_setting.conditions("A.cor2", memory_step="A.thm1.h2"),
    example={
        "K": 100,
        "T": 5,
        "M": 10,
        "L": 1,
        "f0_gap": 1,
        "Delta_inf": 1,
        "D_1": 1,
        "D_2": 1,
        "alpha": 0.1,
        "p": 0.5,
        "sigma_DP": 0.1,
    },
    increasing=(f0_gap, sigma_DP),
    decreasing=(K, M, p),
    edges=(
        Edge(Delta_inf, 0, EdgeOutcome.NOT_APPLICABLE, "eta = 0 is no step: eta > 0 is asked"),
        Edge(T, 1, EdgeOutcome.NOT_APPLICABLE, "one local step is left to Corollary 4"),
        *rate_setting.POSITIVE_CONSTANTS,
        Edge(alpha, 0, EdgeOutcome.OUT_OF_DOMAIN, "Theorem 1 asks alpha > 0"),
        *ENDS,
    ),
    proof=("A.cor2.s1..A.cor2.s4",),
)

AMENDED = amend(
    COROLLARY,
    change=(
        "the rate is 1/(K+1)^(1/6), with the powers of Corollary 4 in h2 to h5; eta_hat is three times "
        "the second member of its minimum, and eta < 1 is not asked; A_1 has 1 for 3, "
        "sqrt(2 B) for 2 sqrt(B), and a drift of f(x^0) - f^inf and Delta_inf together"
    ),
    because=(
        "Theorem 1 as amended, of which these choices meet every condition, for every K; nothing in it "
        "grows with eta (K + 1)"
    ),
    derivation=f"{DERIVATION}#corollary-2",
    printed=(
        rate_setting.AMENDED_BOUND,
        rate_setting.AMENDED_A_1
        + r"+\frac{3}{5}\left(1-\frac{1}{T}\right)\sqrt{2L(f(x^{0})-f^{\inf}+\Delta^{\inf})}",
        COROLLARY.printed[2],
        rate_setting.AMENDED_CHOICES,
        r"\mathcal{O}(1/K^{1/6})",
    ),
    reading=(
        "the setting of Theorem 1 as amended, whose conditions the choices meet. B as the proof displays it. "
        "The order is for a noise that does not depend on K."
    ),
    other_readings=(),
    terms=rate_setting.amended_terms(
        Term(
            "drift",
            Rational(3, 5) * (1 - 1 / T) * sqrt(2 * L * (f0_gap + Delta_inf)) / SIXTH,
            "several local steps at the start's distance from the clients' infima",
            (Equal(T, 1), together(Equal(f0_gap, 0), Equal(Delta_inf, 0)), Grows(K)),
        )
    ),
    choices=rate_setting.amended_choices("A.cor2"),
    conditions=rate_setting.amended_conditions("A.cor2", memory_step="A.thm1.h2"),
    increasing=(*COROLLARY.increasing, Delta_inf),
    edges=(
        *(e for e in COROLLARY.edges if e.symbol is not Delta_inf),
        Edge(Delta_inf, 0, EdgeOutcome.REGULAR, "clients that share a minimizing sequence"),
    ),
)
