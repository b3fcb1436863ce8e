"""Theorem 2: Fed-alpha-NormEC with one local pass of cyclic incremental gradient."""

from sympy import sqrt

from bounds.condition import at_most, below, solved_below
from bounds.papers.fed_norm_ec import PAPER, lemma_1, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.heterogeneity import between_clients, inside_clients
from bounds.papers.fed_norm_ec.notation import (
    B,
    Delta_i_inf_mean,
    Delta_inf,
    K,
    L,
    M,
    R,
    alpha,
    beta,
    eta,
    f0_gap,
    gamma,
    min_gradient_norm,
    p,
    sigma_DP,
)
from bounds.statement import Edge, EdgeOutcome, Kind, Setting, Statement, Step, Term, defined_by, sets

STEPS = (
    Step(
        "A.thm2.s1",
        r"\left\|v_{i}^{k}-\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\leq\max_{i\in[1,M]}"
        r"\left\|v_{i}^{0}-\frac{x^{0}-\mathcal{T}_{i}(x^{0})}{\gamma}\right\|.",
        "claim, by induction over k; the base case k = 0 is immediate",
    ),
    Step(
        "A.thm2.s2",
        r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\|\leq 2\eta.",
        "Lemma 9: the local operator moves by at most 2 eta",
        ("A.lem9.c3",),
    ),
    Step(
        "A.thm2.s3",
        r"\left\|v_{i}^{k+1}-\frac{x^{k+1}-\mathcal{T}_{i}(x^{k+1})}{\gamma}\right\|\leq R",
        "Lemma 1 with rho = 2 and C = R; closes the induction",
        ("A.lem1", "A.thm2.s1", "A.thm2.s2", "A.thm2.h3", "A.thm2.h5"),
    ),
    Step(
        "A.thm2.s4",
        r"\left\|v_{i}^{k+1}-\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\leq\max_{i\in[1,M]}"
        r"\left\|v_{i}^{0}-\frac{x^{0}-\mathcal{T}_{i}(x^{0})}{\gamma}\right\|",
        "second claim of Lemma 1",
        ("A.lem1", "A.thm2.s1", "A.thm2.s2", "A.thm2.h3", "A.thm2.h5"),
    ),
    Step(
        "A.thm2.s5",
        r"f(x^{k+1})-f^{\inf} \leq f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta"
        r"\left\|\nabla f(x^{k})-\hat{v}^{k+1}\right\|+\frac{L\eta^{2}}{2}",
        "Lemma 4 with the direction G^k = hat v^(k+1)",
        ("A.lem4",),
    ),
    Step(
        "A.thm2.s6",
        r"\leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta\left\|\nabla f(x^{k})"
        r"-v^{k+1}\right\|\\",
        "triangle inequality; v^(k+1) is the mean of the memories v_i^(k+1)",
        ("A.thm2.s5",),
    ),
    Step(
        "A.thm2.s6",
        r"&+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2},",
        "the display, continued",
    ),
    Step(
        "A.thm2.s7",
        r"\left\|\nabla f(x^{k})-v^{k+1}\right\| = \left\|\nabla f(x^{k})-"
        r"\frac{1}{M}\sum_{i=1}^{M}v^{k+1}_{i}\right\|",
        "definition of v^(k+1)",
    ),
    Step(
        "A.thm2.s8",
        r"\leq \frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-\nabla f_{i}(x^{k})\right\|",
        "triangle inequality",
        ("A.thm2.s7",),
    ),
    Step(
        "A.thm2.s9",
        r"\leq & \frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-"
        r"\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\\",
        "triangle inequality",
        ("A.thm2.s8",),
    ),
    Step(
        "A.thm2.s9",
        r"&+\frac{1}{M}\sum_{i=1}^{M}\left\|\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}"
        r"-\nabla f_{i}(x^{k})\right\|,",
        "the display, continued",
    ),
    Step(
        "A.thm2.s10",
        r"\left\|\nabla f(x^{k})-v^{k+1}\right\|\leq\frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-"
        r"\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|+\frac{1}{\gamma}\frac{1}{M}\sum_{i=1}^{M}"
        r"\left\|x^{k}-\mathcal{T}_{i}(x^{k})-\gamma\nabla f_{i}(x^{k})\right\|.",
        "take 1/gamma out",
        ("A.thm2.s9",),
    ),
    Step(
        "A.thm2.s11",
        r"f(x^{k+1})-f^{\inf} \leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta"
        r"\frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-"
        r"\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\\",
        "insert s10 in s6",
        ("A.thm2.s6", "A.thm2.s10"),
    ),
    Step(
        "A.thm2.s11",
        r"&+\frac{2\eta}{\gamma}\frac{1}{M}\sum_{i=1}^{M}\left\|(x^{k}-\gamma\nabla f_{i}(x^{k}))"
        r"-\mathcal{T}_{i}(x^{k})\right\|+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm2.s12",
        r"f(x^{k+1})-f^{\inf} \leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta R\\",
        "the memory error is at most R",
        ("A.thm2.s4", "A.thm2.s11"),
    ),
    Step(
        "A.thm2.s12",
        r"&+\frac{2\eta}{\gamma}\frac{1}{M}\sum_{i=1}^{M}\left\|(x^{k}-\gamma\nabla f_{i}(x^{k}))"
        r"-\mathcal{T}_{i}(x^{k})\right\|+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm2.s13",
        r"f(x^{k+1})-f^{\inf} \leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta R\\",
        "Lemma 9: distance of the local operator from a gradient step",
        ("A.thm2.s12", "A.lem9.c4"),
    ),
    Step(
        "A.thm2.s13",
        r"&+\frac{2\eta}{\gamma}\gamma L\frac{1}{M}\sum^{M}_{i=1}\frac{1}{N}\sum^{N-1}_{j=0}"
        r"\left\|x^{k,j}_{i}-x^{k}\right\|+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm2.s14",
        r"f(x^{k+1})-f^{\inf} \leq & \left(1+"
        r"\frac{4L\sqrt{2L}}{\sqrt{\Delta^{\inf}}}\gamma\eta\right)(f(x^{k})-f^{\inf})-\eta"
        r"\left\|\nabla f(x^{k})\right\|+2\eta R\\",
        "Lemma 8",
        ("A.thm2.s13", "A.lem8"),
    ),
    Step(
        "A.thm2.s14",
        r"&+4L\sqrt{2L}\gamma\eta\sqrt{\Delta^{\inf}}+4L\sqrt{2L}\gamma\eta"
        r"\sqrt{\frac{1}{M}\sum^{M}_{i=1}\Delta^{\inf}_{i}}\\",
        "the display, continued",
    ),
    Step(
        "A.thm2.s14",
        r"&+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm2.s15",
        r"{\rm E}\left[\left\|\hat{v}^{k+1}-v^{k+1}\right\|\right] \leq \frac{1}{\gamma}{\rm E}\left["
        r"\left\|\frac{1}{M}\sum_{i=1}^{M}v_{i}^{k+1}-\hat{v}^{k+1}\right\|\right]",
        "definition of v^(k+1)",
    ),
    Step(
        "A.thm2.s16",
        r"\leq \frac{1}{\gamma}\sqrt{\frac{\beta^{2}B}{M}(K+1)},",
        "Lemma 3",
        ("A.thm2.s15", "A.lem3"),
    ),
    Step(
        "A.thm2.s17",
        r"{\rm E}\left[f(x^{k+1})-f^{\inf}\right] \leq & \left(1+"
        r"\frac{4L\sqrt{2L}}{\sqrt{\Delta^{\inf}}}\gamma\eta\right){\rm E}\left[f(x^{k})-f^{\inf}\right]"
        r"-\eta{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]+2\eta R\\",
        "expectation of s14 with s16",
        ("A.thm2.s14", "A.thm2.s16"),
    ),
    Step(
        "A.thm2.s17",
        r"&+8L\sqrt{2L}\gamma\eta\sqrt{\Delta^{\inf}}+4L\sqrt{2L}\gamma\eta"
        r"\sqrt{\frac{1}{M}\sum^{M}_{i=1}\Delta^{\inf}_{i}}\\",
        "the display, continued",
    ),
    Step(
        "A.thm2.s17",
        r"&+2\eta\sqrt{\frac{\beta^{2}B}{M}(K+1)}+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm2.s18",
        r"\eta\gamma\leq\frac{1}{K+1}\frac{\Delta^{\inf}}{4L\sqrt{2L}}",
        "step-size condition under which Lemma 5 is applied",
        ("A.thm2.h4", "A.thm2.h5"),
    ),
    Step(
        "A.thm2.s19",
        r"(1+\eta\gamma\frac{4L\sqrt{2L}}{\Delta^{\inf}})^{K+1}\leq\exp(\eta\gamma"
        r"\frac{4L\sqrt{2L}}{\Delta^{\inf}}(K+1))\leq\exp(1)\leq 3",
        "(1 + x/(K+1))^(K+1) <= exp(x) <= 3 where x <= 1; the conclusion follows by Lemma 5",
        ("A.thm2.s17", "A.thm2.s18", "A.lem5"),
    ),
)

THEOREM = Statement(
    locator="A.thm2",
    follows_from="fed_norm_ec.lemma_1",
    in_the_case=lemma_1.INDUCTION,
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    algorithm="fed_alpha_norm_ec",
    title="Theorem 2: local incremental-gradient steps",
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
    conditions=(
        below(
            beta / (alpha + R),
            1,
            locator="A.thm2.h3",
            printed=r"\frac{\beta}{\alpha+R}<1",
            solved=solved_below(beta, alpha + R),
        ),
        at_most(
            eta,
            Delta_inf / (2 * sqrt(2 * L)) / (K + 1),
            locator="A.thm2.h5",
            printed=r"\frac{1}{K+1}\frac{\Delta^{\inf}}{2\sqrt{2L}}",
            part="heterogeneity",
        ),
        at_most(
            eta,
            beta * R / (6 * L * (alpha + R)),
            locator="A.thm2.h5",
            printed=r"\frac{1}{6L}\frac{\beta R}{\alpha+R}",
            part="memory",
        ),
        below(eta, 1, locator="A.alg1", printed=r"\eta\in(0,1)"),
    ),
    left=min_gradient_norm,
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
    terms=(
        Term("initialization", 3 * f0_gap / ((K + 1) * eta), "distance still to go", "as K eta grows"),
        Term("memory", 2 * R, "initial error of the clients' memories", "when R = 0"),
        Term(
            "sampling_and_noise",
            2 * sqrt(beta**2 * B * (K + 1) / M),
            "partial participation and private noise",
            "when p = 1 and sigma_DP = 0",
        ),
        Term(
            "drift",
            gamma * 8 * L * sqrt(2 * L) * sqrt(Delta_inf),
            "a local pass on heterogeneous clients",
            "when Delta_inf = 0",
        ),
        Term(
            "component_drift",
            gamma * 4 * L * sqrt(2 * L) * sqrt(Delta_i_inf_mean),
            "a local pass on heterogeneous components inside the clients",
        ),
        Term("step", eta * L / 2, "length of the server step", "as eta -> 0"),
    ),
    increasing=(f0_gap, R, sigma_DP, Delta_inf, Delta_i_inf_mean, L),
    decreasing=(M, p),
    edges=(
        Edge(
            Delta_inf,
            0,
            EdgeOutcome.NOT_APPLICABLE,
            "h5 asks eta <= 0: no step size is allowed for clients that share their infimum",
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
        Edge(
            p, 0, EdgeOutcome.OUT_OF_DOMAIN, "no client ever transmits: B has the pole 2 (1 + sigma_DP^2)/p"
        ),
        Edge(alpha, 0, EdgeOutcome.OUT_OF_DOMAIN, "the theorem asks alpha > 0"),
        Edge(K, 0, EdgeOutcome.REGULAR, "one round: the minimum is over x^0 alone"),
        Edge(sigma_DP, 0, EdgeOutcome.REGULAR, "no private noise: B is the variance of sampling alone"),
        Edge(p, 1, EdgeOutcome.REGULAR, "full participation: B = 2 sigma_DP^2"),
        Edge(f0_gap, 0, EdgeOutcome.REGULAR, "started at the infimum: the initialization term vanishes"),
    ),
    steps=STEPS,
)
