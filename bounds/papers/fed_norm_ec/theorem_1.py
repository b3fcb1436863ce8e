"""Theorem 1: Fed-alpha-NormEC with local gradient steps, in its main-text and its appendix form.

The two forms differ in how they write the variance proxy B and in the order of the terms.
"""

from dataclasses import replace

from sympy import Integer, Ne, Piecewise, Rational, sqrt

from bounds.language.condition import Condition, at_most, below, solved_below
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
from bounds.language.vanishing import Equal, Grows, ToZero, together
from bounds.papers.fed_norm_ec import PAPER, lemma_1, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.heterogeneity import between_clients
from bounds.papers.fed_norm_ec.notation import (
    B,
    Delta_inf,
    K,
    L,
    M,
    R,
    T,
    alpha,
    beta,
    eta,
    f0_gap,
    gamma,
    min_gradient_norm,
    p,
    sigma_DP,
)
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION, memory_step, no_overshoot, short_pass

INITIALIZATION = Term(
    "initialization", 3 * f0_gap / ((K + 1) * eta), "distance still to go", (Equal(f0_gap, 0), Grows(K * eta))
)
MEMORY = Term("memory", 2 * R, "initial error of the clients' memories", (Equal(R, 0),))
SAMPLING_AND_NOISE = Term(
    "sampling_and_noise",
    2 * sqrt(beta**2 * B * (K + 1) / M),
    "partial participation and private noise",
    (together(Equal(p, 1), Equal(sigma_DP, 0)),),
)
STEP = Term("step", eta * L / 2, "length of the server step", (ToZero(eta),))
DRIFT = Term(
    "drift",
    gamma * Piecewise((8 * L * sqrt(2 * L) * sqrt(Delta_inf), Ne(T, 1)), (Integer(0), True)),
    "several local steps on heterogeneous clients",
    (Equal(T, 1), Equal(Delta_inf, 0)),
)

POLES = (
    Edge(p, 0, EdgeOutcome.OUT_OF_DOMAIN, "no client ever transmits: B has the pole 2 (1 + sigma_DP^2)/p"),
    Edge(alpha, 0, EdgeOutcome.OUT_OF_DOMAIN, "the theorem asks alpha > 0"),
)
ENDS = (
    Edge(K, 0, EdgeOutcome.REGULAR, "one round: the minimum is over x^0 alone"),
    Edge(sigma_DP, 0, EdgeOutcome.REGULAR, "no private noise: B is the variance of sampling alone"),
    Edge(p, 1, EdgeOutcome.REGULAR, "full participation: B = 2 sigma_DP^2"),
    Edge(f0_gap, 0, EdgeOutcome.REGULAR, "started at the infimum: the initialization term vanishes"),
)


def step_conditions(memory: str, step: str, share: int) -> tuple[Condition, ...]:
    """What both theorems ask of beta and eta; 1/`share` is in the second limit on the step."""
    return (
        below(
            beta / (alpha + R),
            1,
            locator=memory,
            printed=r"\frac{\beta}{\alpha+R}<1",
            solved=solved_below(beta, alpha + R),
        ),
        at_most(
            eta,
            Delta_inf / (2 * sqrt(2 * L)) / (K + 1),
            locator=step,
            printed=r"\frac{1}{K+1}\frac{\Delta^{\inf}}{2\sqrt{2L}}",
            part="heterogeneity",
        ),
        at_most(
            eta,
            beta * R / (share * L * (alpha + R)),
            locator=step,
            printed=rf"\frac{{1}}{{{share}L}}\frac{{\beta R}}{{\alpha+R}}",
            part="memory",
        ),
        below(eta, 1, locator="A.alg1", printed=r"\eta\in(0,1)"),
    )


MAIN = Statement(
    locator="A.thm1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Theorem 1, main-text form: local gradient steps",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.lemma_1",
    in_the_case=lemma_1.INDUCTION,
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq"
        r"\frac{3}{K+1}\frac{f(x^{0})-f^{\inf}}{\eta}+2R+2\sqrt{\frac{\beta^{2}B}{M}(K+1)}"
        r"+\frac{\eta L}{2}+\gamma\cdot\mathbb{I}_{T\neq 1}\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right],",
        r"B=2\frac{(p-1)^{2}}{p}+2(1-p)+2\sigma^{2}_{\rm DP}/p",
    ),
    reading=(
        "min over rounds of the mean, not mean of the min; sigma_DP^2 is the total variance E||z||^2, as the "
        "proof of Lemma 3 uses it; clients take part independently with probability p; the listing's input "
        "line eta in (0,1) binds as printed."
    ),
    other_readings=("sigma_DP^2 per coordinate: B then carries d sigma_DP^2 instead of sigma_DP^2.",),
    left=min_gradient_norm,
    terms=(INITIALIZATION, MEMORY, SAMPLING_AND_NOISE, STEP, DRIFT),
    setting=(
        Setting("A.thm1.h1", "Fed-alpha-NormEC for problem (1), with T local gradient steps (A.op.gd)"),
    ),
    assumptions=ASSUMPTION_1,
    choices=(sets(gamma, 1 / (2 * L), locator="A.thm1.h3"),),
    where=(defined_by(variance.MAIN_TEXT, locator="A.thm1"), between_clients("A.thm1")),
    conditions=step_conditions("A.thm1.h2", "A.thm1.h4", 4),
    example={
        "K": 100,
        "T": 5,
        "M": 10,
        "L": 1,
        "f0_gap": 1,
        "Delta_inf": 1,
        "eta": 1e-3,
        "R": 0.1,
        "alpha": 0.1,
        "beta": 0.1,
        "p": 0.5,
        "sigma_DP": 0.1,
    },
    increasing=(f0_gap, R, sigma_DP, Delta_inf, L),
    decreasing=(M, p),
    edges=(
        Edge(
            Delta_inf,
            0,
            EdgeOutcome.NOT_APPLICABLE,
            "h4 asks eta <= 0: no step size is allowed for clients with a common minimizer, of the infima",
        ),
        Edge(
            R,
            0,
            EdgeOutcome.NOT_APPLICABLE,
            "h4 asks eta <= 0: exact initial memories allow no step size",
        ),
        *POLES,
        Edge(T, 1, EdgeOutcome.REGULAR, "the indicator removes the drift term"),
        *ENDS,
    ),
    proof=("A.thm1.s1..A.thm1.s21",),
)

APPENDIX = replace(
    MAIN,
    locator="A.thm1.app",
    title="Theorem 1, appendix form: local gradient steps",
    follows_from="fed_norm_ec.theorem_1.main",
    in_the_case=(),
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &"
        r"\frac{3}{K+1}\frac{f(x^{0})-f^{\inf}}{\eta}+2R+2\sqrt{\frac{\beta^{2}B}{M}(K+1)}\\",
        r"&+\gamma\cdot\mathbb{I}_{T\neq 1}\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right]"
        r"+\eta\cdot\frac{L}{2},",
        r"B=2p(1-1/p)^{2}+2(1-p)+2\sigma^{2}_{\rm DP}/p",
    ),
    terms=(INITIALIZATION, MEMORY, SAMPLING_AND_NOISE, DRIFT, STEP),
    where=(defined_by(variance.APPENDIX, locator="A.thm1.app"), between_clients("A.thm1.app")),
)


AMENDED_INITIALIZATION = Term(
    "initialization", f0_gap / ((K + 1) * eta), "distance still to go", (Equal(f0_gap, 0), Grows(K * eta))
)
AMENDED_SAMPLING_AND_NOISE = Term(
    "sampling_and_noise",
    sqrt(beta**2 * B * (K + 2) / M),
    SAMPLING_AND_NOISE.pays_for,
    SAMPLING_AND_NOISE.vanishes,
)
AMENDED_DRIFT = Term(
    "drift",
    Rational(6, 5) * (1 - 1 / T) * gamma * L * sqrt(2 * L * (f0_gap + Delta_inf)),
    "several local steps at the start's distance from the clients' infima",
    (Equal(T, 1), together(Equal(f0_gap, 0), Equal(Delta_inf, 0)), ToZero(gamma)),
)
MAIN_AMENDED = amend(
    MAIN,
    change=(
        "h3 asks gamma <= 1/(2L), h2 beta <= (sqrt(alpha) + sqrt(R))^2, h4 three times the step of its "
        "second member and nothing else; 1 in place of 3; sqrt(K+2) in place of 2 sqrt(K+1); the drift has "
        "f(x^0) - f^inf beside Delta_inf, and 6/5 (1 - 1/T) in place of 8"
    ),
    because=(
        "while every gradient is longer than the bound the mean gap stays below that of the start, so that "
        "nothing grows over the rounds, and each round has its own noise; half of B is the second moment of "
        "an increment; the memory errors are bounded after the update, without Lemma 1"
    ),
    derivation=f"{DERIVATION}#theorem-1",
    needed=SUFFICIENT,
    follows_from="",
    in_the_case=(),
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq"
        r"\frac{f(x^{0})-f^{\inf}}{(K+1)\eta}+2R+\sqrt{\frac{\beta^{2}B}{M}(K+2)}"
        r"+\frac{\eta L}{2}+\frac{6}{5}\left(1-\frac{1}{T}\right)\gamma L"
        r"\sqrt{2L(f(x^{0})-f^{\inf}+\Delta^{\inf})}",
        MAIN.printed[-1],
    ),
    reading=(
        "min over rounds of the mean, not mean of the min; sigma_DP^2 is the total variance E||z||^2; "
        "clients take part independently with probability p; R is any bound on the initial memory "
        "errors, and may be taken above 0 where these are 0; gamma is free up to 1/(2L); of h4 the second "
        "member of the minimum is asked, with 3/4 for 1/4; the listing's input line eta < 1, which no step "
        "uses, is not."
    ),
    terms=(AMENDED_INITIALIZATION, MEMORY, AMENDED_SAMPLING_AND_NOISE, STEP, AMENDED_DRIFT),
    choices=(),
    conditions=(no_overshoot("A.thm1.h2"), short_pass("A.thm1.h3"), memory_step("A.thm1.h4")),
    example={**MAIN.example, "gamma": 0.05},
    increasing=(*MAIN.increasing, gamma),
    edges=(
        *(e for e in MAIN.edges if e.symbol is not Delta_inf),
        Edge(
            Delta_inf,
            0,
            EdgeOutcome.REGULAR,
            "clients that share a minimizing sequence: their own gaps drift",
        ),
    ),
)

APPENDIX_AMENDED = replace(
    MAIN_AMENDED,
    locator=APPENDIX.locator,
    title=APPENDIX.title,
    follows_from=APPENDIX.follows_from,
    printed=(MAIN_AMENDED.printed[0], APPENDIX.printed[-1]),
    where=APPENDIX.where,
)
