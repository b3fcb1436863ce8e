"""Corollary 3: privacy-utility of several local gradient steps.

The rate has an O(.) among its hypotheses (alpha = R = O(.)) and one in its conclusion; each is a named
constant. EXPLICIT is the pre-asymptotic bound that the proof displays before it writes O(.).
"""

from sympy import Max, log, sqrt

from bounds.condition import above, below, solved_above
from bounds.papers.fed_norm_ec import PAPER, utility, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.heterogeneity import between_clients
from bounds.papers.fed_norm_ec.notation import (
    B_1,
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
    beta,
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
from bounds.papers.fed_norm_ec.utility import LISTING, QUARTER, RADIUS
from bounds.statement import Edge, EdgeOutcome, Kind, Statement, Step, Term, define, sets

_SETTING = utility.setting("A.cor3", step="A.thm1.h3", memory_step="h5")
_NOISE_PART = variance.noise_part("A.cor3.h6")
_SAMPLING_PART = variance.sampling_part("A.cor3.s4")
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
_EXAMPLE = {
    "K": 100,
    "T": 5,
    "L": 1,
    "f0_gap": 1,
    "Delta_inf": 2,
    "M": 100,
    "B_hat": 10,
    "c": 1.5,
    "epsilon": 1,
    "delta": 1e-5,
}
_EDGES = (
    Edge(Delta_inf, 0, EdgeOutcome.NOT_APPLICABLE, "h4 asks gamma < 0"),
    Edge(T, 1, EdgeOutcome.NOT_APPLICABLE, "one local step is Corollary 1"),
    Edge(K, 0, EdgeOutcome.REGULAR, "one round"),
    Edge(delta, 1, EdgeOutcome.OUT_OF_DOMAIN, "log(1/delta) = 0: no noise is asked for, and B_2 = 0"),
)

BEFORE_ORDER = (
    Step(
        "A.cor3.s1",
        r"T>1",
        "Theorem 1 with T > 1: the display of A.cor2.s1, which is not repeated",
        ("A.thm1.app", "A.cor2.s1"),
    ),
    Step(
        "A.cor3.s2",
        r"B=\frac{2\hat{B}}{M}\left(1-\frac{M}{\hat{B}}\right)^{2}+2\left(1-\frac{\hat{B}}{M}\right)+2"
        r"\frac{c\sqrt{K+1}\log(1/\delta)}{\epsilon}",
        "insert sigma_DP and p = B_hat/M in B",
        ("A.cor3.h2", "A.cor3.h3"),
    ),
    Step(
        "A.cor3.s3",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right] &\leq\frac{3}{K+1}"
        r"\frac{f(x^{0})-f^{\inf}}{\eta}+2R+2\beta\sqrt{\frac{B_{1}}{M}(K+1)}+2\beta"
        r"\sqrt{\frac{B_{2}}{M}}(K+1)+\eta\cdot\frac{L}{2}\\",
        "split of the square root",
        ("A.cor3.s1", "A.cor3.s2"),
    ),
    Step(
        "A.cor3.s3",
        r"&+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right],",
        "the display, continued",
    ),
    Step(
        "A.cor3.s4",
        r"B_{1}=\frac{2\hat{B}}{M}\left[\left(1-\frac{M}{\hat{B}}\right)^{2}+\frac{M}{\hat{B}}-1\right]",
        "sampling part of B",
        ("A.cor3.s2",),
    ),
    Step(
        "A.cor3.s4",
        r"B_{2}=2c^{2}\frac{\hat{B}}{M}\frac{\log(1/\delta)}{\epsilon^{2}}",
        "noise part of B, per round",
        ("A.cor3.s2",),
    ),
    Step(
        "A.cor3.s5",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right] &\leq\frac{3}{K+1}"
        r"\frac{f(x^{0})-f^{\inf}}{\eta}+2R+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}+2\hat{\beta}"
        r"\sqrt{\frac{B_{2}}{M}}+\eta\cdot\frac{L}{2}\\",
        "beta = beta_hat/(K+1)",
        ("A.cor3.s3", "A.cor3.s4", "A.cor3.h5"),
    ),
    Step(
        "A.cor3.s5",
        r"&+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right].",
        "the display, continued",
    ),
    Step(
        "A.cor3.s6",
        r"\eta\leq\frac{1}{K+1}\min\left(\frac{\Delta^{\inf}}{2\sqrt{2L}},\frac{\gamma}{2}"
        r"\frac{\hat{\beta}R}{\alpha+R}\right).",
        "step-size requirement for this beta",
        ("A.thm1.h4", "A.cor3.h5"),
    ),
    Step(
        "A.cor3.s7",
        r"\frac{\Delta^{\inf}}{2\sqrt{2L}}>\frac{\gamma}{2}\frac{\hat{\beta}R}{\alpha+R}",
        "after inserting beta_hat and alpha = R, this condition on Delta^inf ...",
        ("A.cor3.h5", "A.cor3.h6"),
    ),
    Step(
        "A.cor3.s7",
        r"\gamma<\frac{2(\Delta^{\inf})^{2}}{3L(f(x^{0})-f^{\inf})\sqrt{M/B_{2}}}",
        "... is said to be equivalent to this one on gamma",
        ("A.cor3.h4",),
    ),
    Step(
        "A.cor3.s8",
        r"\eta\leq\frac{1}{K+1}\frac{\gamma}{2}\frac{\hat{\beta}R}{\alpha+R}.",
        "by the choice of gamma the second member of the minimum is the smaller",
        ("A.cor3.s6", "A.cor3.s7"),
    ),
    Step(
        "A.cor3.s9",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &"
        r"\frac{6\alpha(f(x^{0})-f^{\inf})}{\gamma\hat{\beta}R}+"
        r"\frac{6(f(x^{0})-f^{\inf})}{\gamma\hat{\beta}}+2R+2\hat{\beta}\sqrt{\frac{B_{2}}{M}}\\",
        "eta at its largest",
        ("A.cor3.s5", "A.cor3.s8", "A.cor3.h7"),
    ),
    Step(
        "A.cor3.s9",
        r"&+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}+\frac{1}{K+1}\cdot"
        r"\frac{\gamma L\hat{\beta}R}{4(\alpha+R)}\\",
        "the display, continued",
    ),
    Step(
        "A.cor3.s9",
        r"&+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right].",
        "the display, continued",
    ),
    Step(
        "A.cor3.s10",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &"
        r"\frac{2\sqrt{3}\alpha\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}R}\sqrt[4]{\frac{B_{2}}{M}}+"
        r"\frac{4\sqrt{3}\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}}\sqrt[4]{\frac{B_{2}}{M}}+2R\\",
        "beta_hat, which balances noise against progress",
        ("A.cor3.s9", "A.cor3.h5"),
    ),
    Step(
        "A.cor3.s10",
        r"&+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}+\frac{1}{K+1}\cdot"
        r"\frac{\gamma L\hat{\beta}R}{4(\alpha+R)}+\gamma\cdot\left[8L\sqrt{2L}"
        r"\sqrt{\Delta^{\inf}}\right].",
        "the display, continued",
    ),
)
STEPS = (
    *BEFORE_ORDER,
    Step(
        "A.cor3.s11",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &\mathcal{O}"
        r"\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}\right)"
        r"+\mathcal{O}\left(\frac{1}{\sqrt{K+1}}\right)+\mathcal{O}\left(\frac{1}{K+1}\right)\\",
        "alpha = R = O(.)",
        ("A.cor3.s10", "A.cor3.h6"),
    ),
    Step(
        "A.cor3.s11",
        r"&+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right]",
        "the display, continued",
    ),
    Step(
        "A.cor3.s12",
        r"\leq &\mathcal{O}\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}"
        r"+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right]\right)\\",
        "merge; here Delta = 2 sqrt(3) max(alpha, 2)",
        ("A.cor3.s11",),
    ),
    Step(
        "A.cor3.s12",
        r"&+\mathcal{O}\left(\frac{1}{\sqrt{K+1}}\right)+\mathcal{O}\left(\frac{1}{K+1}\right),",
        "the display, continued",
    ),
    Step(
        "A.cor3.s13",
        r"\gamma\leq 1/(2L)",
        "together with the derived upper bound on gamma: the conclusion",
        ("A.cor3.s12", "A.cor3.h4"),
    ),
)

RATE = Statement(
    locator="A.cor3",
    follows_from="fed_norm_ec.theorem_1.appendix",
    kind=Kind.RATE,
    paper=PAPER,
    algorithm="fed_alpha_norm_ec",
    title="Corollary 3: utility of several local gradient steps, as a rate",
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]="
        r"\mathcal{O}\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}"
        r"+\sqrt{L}\sqrt{\Delta^{\inf}}\right),",
        r"\Delta=\max(\alpha,2)\sqrt{L}\sqrt{f(x^{0})-f^{\inf}}",
    ),
    reading=_READING,
    other_readings=(_OTHER_READING,),
    assumptions=ASSUMPTION_1,
    choices=(*_SETTING, sets(R, c_R * RADIUS, locator="A.cor3.h6")),
    where=(
        _NOISE_PART,
        between_clients("A.cor3.h1"),
        define(Delta, Max(alpha, 2) * sqrt(L) * sqrt(f0_gap), locator="A.cor3"),
    ),
    conditions=(
        below(
            beta / (alpha + R),
            1,
            locator="A.thm1.h2",
            printed=r"\frac{\beta}{\alpha+R}<1",
            solved=solved_above(c_R, beta_hat / (2 * RADIUS) / (K + 1)),
        ),
        _STEP_SIZE,
        LISTING,
        _CLIENTS,
        _LOCAL_STEPS,
    ),
    left=min_gradient_norm,
    example=_EXAMPLE | {"d": 100, "c_R": 1, "c_O": 1},
    terms=(
        Term(
            "utility",
            c_O * Delta * (d * B_hat / M**2 * log(1 / delta) / epsilon**2) ** QUARTER,
            "privacy",
            "as M grows",
        ),
        Term(
            "drift",
            c_O * sqrt(L) * sqrt(Delta_inf),
            "several local steps on heterogeneous clients",
            "when Delta_inf = 0",
        ),
    ),
    explicit="fed_norm_ec.corollary_3.explicit",
    increasing=(d, B_hat, Delta_inf),
    decreasing=(epsilon, delta),
    edges=(
        *_EDGES,
        Edge(f0_gap, 0, EdgeOutcome.NOT_APPLICABLE, "alpha = R = 0, but alpha > 0 is asked"),
    ),
    steps=STEPS,
)

EXPLICIT = Statement(
    locator="A.cor3.s10",
    follows_from="fed_norm_ec.theorem_1.appendix",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    algorithm="fed_alpha_norm_ec",
    title="Corollary 3: the bound that its proof displays before O(.)",
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
    assumptions=ASSUMPTION_1,
    choices=_SETTING,
    where=(_NOISE_PART, _SAMPLING_PART, between_clients("A.cor3.h1")),
    conditions=(
        below(
            beta / (alpha + R),
            1,
            locator="A.thm1.h2",
            printed=r"\frac{\beta}{\alpha+R}<1",
            solved=solved_above(R, beta_hat / 2 / (K + 1)),
        ),
        _STEP_SIZE,
        LISTING,
        _CLIENTS,
        _LOCAL_STEPS,
    ),
    left=min_gradient_norm,
    example=_EXAMPLE | {"R": 1},
    terms=(
        Term(
            "smoothing",
            2 * sqrt(3) * alpha * sqrt(f0_gap) / (sqrt(gamma) * R) * (B_2 / M) ** QUARTER,
            "smoothing of the normalization",
        ),
        Term(
            "noise",
            4 * sqrt(3) * sqrt(f0_gap) / sqrt(gamma) * (B_2 / M) ** QUARTER,
            "private noise against progress",
        ),
        Term("memory", 2 * R, "initial error of the clients' memories", "when R = 0"),
        Term("sampling", 2 * beta_hat * sqrt(B_1 / (M * (K + 1))), "partial participation", "when B_hat = M"),
        Term(
            "step",
            gamma * L * beta_hat * R / 4 / (alpha + R) / (K + 1),
            "length of the server step",
            "as K grows",
        ),
        Term(
            "drift",
            gamma * 8 * L * sqrt(2 * L) * sqrt(Delta_inf),
            "several local steps on heterogeneous clients",
            "when Delta_inf = 0",
        ),
    ),
    increasing=(R, Delta_inf),
    decreasing=(K,),
    edges=(*_EDGES, Edge(R, 0, EdgeOutcome.NOT_APPLICABLE, "alpha = R = 0; the proof divides by R")),
    steps=BEFORE_ORDER,
)
