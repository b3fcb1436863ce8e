"""Theorem 2: Fed-alpha-NormEC with one local pass of cyclic incremental gradient."""

from sympy import sqrt

from bounds.language.statement import (
    SUFFICIENT,
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    Term,
    amend,
    defined_by,
    sets,
)
from bounds.language.vanishing import Equal, ToZero, together
from bounds.papers.fed_norm_ec import PAPER, lemma_1, theorem_1, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.heterogeneity import between_clients, inside_clients
from bounds.papers.fed_norm_ec.notation import (
    Delta_i_inf_mean,
    Delta_inf,
    L,
    M,
    R,
    f0_gap,
    gamma,
    min_gradient_norm,
    p,
    sigma_DP,
)
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION, memory_step, no_overshoot, short_pass

THEOREM = Statement(
    locator="A.thm2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Theorem 2: local incremental-gradient steps",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.lemma_1",
    in_the_case=lemma_1.INDUCTION,
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &"
        r"\frac{3}{K+1}\frac{f(x^{0})-f^{\inf}}{\eta}+2R+2\sqrt{\frac{\beta^{2}B}{M}(K+1)}\\",
        r"&+\gamma\cdot 8L\sqrt{2L}\sqrt{\Delta^{\inf}}"
        r"+\gamma\cdot 4L\sqrt{2L}\sqrt{\frac{1}{M}\sum^{M}_{i=1}\Delta^{\inf}_{i}}+\eta\cdot\frac{L}{2},",
        r"B=2p(1-1/p)^{2}+2(1-p)+2\sigma^{2}_{\rm DP}/p",
    ),
    reading=(
        "min over rounds of the mean, not mean of the min; sigma_DP^2 is the total variance E||z||^2, as the "
        "proof of Lemma 3 uses it; clients take part independently with probability p; the listing's input "
        "line eta in (0,1) binds as printed. The printed recursion stops at j = T-1 and the printed sum at "
        "j = N-1: one pass, T = N, as eq. (3) and the proof have it. Delta_i^inf is measured from f^inf, not "
        "from f_i^inf, as displayed."
    ),
    other_readings=(
        "sigma_DP^2 per coordinate: B then carries d sigma_DP^2 instead of sigma_DP^2.",
        "Delta_i^inf measured from f_i^inf, so that it vanishes where all f_ij share the infimum f_i^inf, "
        "as the discussion of the theorem says (A.disc.ig0).",
    ),
    left=min_gradient_norm,
    terms=(
        theorem_1.INITIALIZATION,
        theorem_1.MEMORY,
        theorem_1.SAMPLING_AND_NOISE,
        Term(
            "drift",
            gamma * 8 * L * sqrt(2 * L) * sqrt(Delta_inf),
            "a local pass on heterogeneous clients",
            (Equal(Delta_inf, 0),),
        ),
        Term(
            "component_drift",
            gamma * 4 * L * sqrt(2 * L) * sqrt(Delta_i_inf_mean),
            "a local pass on heterogeneous components inside the clients",
            (Equal(Delta_i_inf_mean, 0),),
        ),
        theorem_1.STEP,
    ),
    setting=(
        Setting("A.thm2.h1", "Fed-alpha-NormEC for problem (1)"),
        Setting("A.thm2.h2", "every client makes one cyclic pass of incremental-gradient steps (A.op.ig)"),
    ),
    assumptions=ASSUMPTION_1,
    choices=(sets(gamma, 1 / (2 * L), locator="A.thm2.h4"),),
    where=(
        defined_by(variance.APPENDIX, locator="A.thm2"),
        between_clients("A.thm2"),
        inside_clients("A.thm2"),
    ),
    conditions=theorem_1.step_conditions("A.thm2.h3", "A.thm2.h5", 6),
    example={
        "K": 100,
        "M": 10,
        "L": 1,
        "f0_gap": 1,
        "Delta_inf": 1,
        "Delta_i_inf_mean": 2,
        "eta": 1e-3,
        "R": 0.1,
        "alpha": 0.1,
        "beta": 0.1,
        "p": 0.5,
        "sigma_DP": 0.1,
    },
    increasing=(f0_gap, R, sigma_DP, Delta_inf, Delta_i_inf_mean, L),
    decreasing=(M, p),
    edges=(
        Edge(
            Delta_inf,
            0,
            EdgeOutcome.NOT_APPLICABLE,
            "h5 asks eta <= 0: no step size is allowed for clients with a common minimizer, of the infima",
        ),
        Edge(
            R,
            0,
            EdgeOutcome.NOT_APPLICABLE,
            "h5 asks eta <= 0: exact initial memories allow no step size",
        ),
        Edge(
            Delta_i_inf_mean,
            0,
            EdgeOutcome.OUT_OF_DOMAIN,
            "the theorem asks Delta_i^inf > 0 for every client, though nothing is divided by it",
        ),
        *theorem_1.POLES,
        *theorem_1.ENDS,
    ),
    proof=("A.thm2.s1..A.thm2.s19",),
)

AMENDED = amend(
    THEOREM,
    change=(
        "h4 asks gamma <= 1/(2L), h3 and h5 what Theorem 1 as amended asks of beta and R; 1 in place of"
        " 3, and sqrt(K+2) in place of 2 sqrt(K+1); one drift, of f(x^0) - f^inf and the Delta_i^inf "
        "together, and none of Delta_inf"
    ),
    because="the argument of Theorem 1 as amended, with Lemma 8 as amended; the local updates are "
    "4L/3-Lipschitz, whatever T_i is",
    derivation=f"{DERIVATION}#theorem-2",
    needed=SUFFICIENT,
    follows_from="",
    in_the_case=(),
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq"
        r"\frac{f(x^{0})-f^{\inf}}{(K+1)\eta}+2R+\sqrt{\frac{\beta^{2}B}{M}(K+2)}"
        r"+2\gamma L\sqrt{L\left(f(x^{0})-f^{\inf}+\frac{1}{M}\sum^{M}_{i=1}\Delta^{\inf}_{i}\right)}"
        r"+\eta\cdot\frac{L}{2}",
        THEOREM.printed[-1],
    ),
    reading=(
        "min over rounds of the mean, not mean of the min; sigma_DP^2 is the total variance E||z||^2; "
        "clients take part independently with probability p; R is any bound on the initial memory "
        "errors, and may be taken above 0 where these are 0; one pass, T = N; Delta_i^inf is measured "
        "from f^inf; gamma is free up to 1/(2L); the listing's input line eta < 1, which no step uses, is "
        "not asked."
    ),
    other_readings=THEOREM.other_readings[:1],
    terms=(
        theorem_1.AMENDED_INITIALIZATION,
        theorem_1.MEMORY,
        theorem_1.AMENDED_SAMPLING_AND_NOISE,
        Term(
            "component_drift",
            2 * gamma * L * sqrt(L * (f0_gap + Delta_i_inf_mean)),
            "a local pass at the start's distance from the infima of the data points",
            (together(Equal(f0_gap, 0), Equal(Delta_i_inf_mean, 0)), ToZero(gamma)),
        ),
        theorem_1.STEP,
    ),
    choices=(),
    where=(defined_by(variance.APPENDIX, locator="A.thm2"), inside_clients("A.thm2")),
    conditions=(no_overshoot("A.thm2.h3"), short_pass("A.thm2.h4"), memory_step("A.thm2.h5")),
    example={n: x for n, x in THEOREM.example.items() if n != "Delta_inf"} | {"gamma": 0.05},
    increasing=(f0_gap, R, sigma_DP, Delta_i_inf_mean, L, gamma),
    edges=tuple(e for e in THEOREM.edges if e.symbol is not Delta_inf),
)
