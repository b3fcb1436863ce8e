"""Corollary 5: the rate 1/K^(1/8) of local incremental-gradient steps.

The constants A_1 and A_2 are sums; the terms are their summands, each with its power of K + 1.
The paper derives nothing here: the proof is said to be analogous to that of Corollary 2 (A.cor5.s1).
"""

from sympy import sqrt

from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term, amend, defined_by
from bounds.language.vanishing import Equal, Grows, together
from bounds.papers.fed_norm_ec import PAPER, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.heterogeneity import between_clients, inside_clients
from bounds.papers.fed_norm_ec.notation import (
    Delta_i_inf_mean,
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
    locator="A.cor5",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Corollary 5: rate of local incremental-gradient steps",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.theorem_2",
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]"
        r"\leq\frac{A_{1}}{(K+1)^{1/8}}+\frac{A_{2}}{(K+1)^{7/8}},",
        r"A_{1}=3\frac{f(x^{0})-f^{\inf}}{\hat{\eta}}+2D_{1}+\frac{2\sqrt{B}D_{2}}{\sqrt{M}}"
        r"+8\sqrt{2L}\sqrt{\Delta^{\inf}}"
        r"+4\sqrt{2L}\sqrt{\frac{1}{M}\sum\limits^{M}_{m=1}\Delta^{\inf}_{i}}",
        r"A_{2}=\hat{\eta}L/2",
    ),
    reading=(
        "the setting of Theorem 2 but for gamma, which the corollary chooses itself; beta/(alpha+R) < 1 "
        "and the listing's eta < 1 are inherited from Theorem 2, its upper bound on eta is not: eta is "
        "prescribed. B as in Theorem 2. The last sum of A_1 runs over m, its summand carries i: read as the "
        "mean over the clients, as in Theorem 2. T > 1 binds as printed, for a pass of T = N steps."
    ),
    other_readings=("sigma_DP^2 per coordinate: B then carries d sigma_DP^2 instead of sigma_DP^2.",),
    left=min_gradient_norm,
    terms=(
        INITIALIZATION,
        MEMORY,
        SAMPLING_AND_NOISE,
        Term(
            "drift",
            8 * sqrt(2 * L) * sqrt(Delta_inf) / SHORT,
            "a local pass on heterogeneous clients",
            (Equal(Delta_inf, 0),),
        ),
        Term(
            "component_drift",
            4 * sqrt(2 * L) * sqrt(Delta_i_inf_mean) / SHORT,
            "a local pass on heterogeneous components inside the clients",
            (Equal(Delta_i_inf_mean, 0),),
        ),
        STEP,
    ),
    assumptions=ASSUMPTION_1,
    choices=rate_setting.choices("A.cor5"),
    where=(
        defined_by(variance.APPENDIX, locator="A.thm2"),
        between_clients("A.thm2"),
        inside_clients("A.thm2"),
    ),
    conditions=rate_setting.conditions("A.cor5", memory_step="A.thm2.h3"),
    example={
        "K": 100,
        "T": 5,
        "M": 10,
        "L": 1,
        "f0_gap": 1,
        "Delta_inf": 1,
        "Delta_i_inf_mean": 2,
        "D_1": 1,
        "D_2": 1,
        "alpha": 0.1,
        "p": 0.5,
        "sigma_DP": 0.1,
    },
    increasing=(f0_gap, sigma_DP, Delta_i_inf_mean),
    decreasing=(K, M, p),
    edges=(
        Edge(Delta_inf, 0, EdgeOutcome.NOT_APPLICABLE, "eta = 0 is no step: eta > 0 is asked"),
        Edge(T, 1, EdgeOutcome.NOT_APPLICABLE, "h1 asks T > 1"),
        Edge(Delta_i_inf_mean, 0, EdgeOutcome.OUT_OF_DOMAIN, "Theorem 2 asks Delta_i^inf > 0"),
        *rate_setting.POSITIVE_CONSTANTS,
        Edge(alpha, 0, EdgeOutcome.OUT_OF_DOMAIN, "Theorem 2 asks alpha > 0"),
        *ENDS,
    ),
    proof=("A.cor5.s1",),
)

AMENDED = amend(
    COROLLARY,
    change=(
        "the rate is 1/(K+1)^(1/6), with the powers of Corollary 4 in h2 to h5; eta_hat is three times "
        "the second member of its minimum, and eta < 1 is not asked; A_1 has 1 for 3, "
        "sqrt(2 B) for 2 sqrt(B), and one drift, of f(x^0) - f^inf and the Delta_i^inf together"
    ),
    because=(
        "Theorem 2 as amended, of which these choices meet every condition, for every K; nothing in it "
        "grows with eta (K + 1)"
    ),
    derivation=f"{DERIVATION}#corollary-5",
    printed=(
        rate_setting.AMENDED_BOUND,
        rate_setting.AMENDED_A_1
        + r"+\sqrt{L\left(f(x^{0})-f^{\inf}+\frac{1}{M}\sum\limits^{M}_{i=1}\Delta^{\inf}_{i}\right)}",
        COROLLARY.printed[2],
        rate_setting.AMENDED_CHOICES,
    ),
    reading=(
        "the setting of Theorem 2 as amended, whose conditions the choices meet. B as in Theorem 2. T > 1 "
        "binds as printed, for a pass of T = N steps."
    ),
    terms=rate_setting.amended_terms(
        Term(
            "component_drift",
            sqrt(L * (f0_gap + Delta_i_inf_mean)) / SIXTH,
            "a local pass at the start's distance from the infima of the data points",
            (together(Equal(f0_gap, 0), Equal(Delta_i_inf_mean, 0)), Grows(K)),
        )
    ),
    choices=rate_setting.amended_choices("A.cor5"),
    where=(defined_by(variance.APPENDIX, locator="A.thm2"), inside_clients("A.thm2")),
    conditions=rate_setting.amended_conditions("A.cor5", memory_step="A.thm2.h3"),
    example={n: x for n, x in COROLLARY.example.items() if n != "Delta_inf"},
    edges=tuple(e for e in COROLLARY.edges if e.symbol is not Delta_inf),
)
