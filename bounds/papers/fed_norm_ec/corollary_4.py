"""Corollary 4: the rate 1/K^(1/6) of one local gradient step.

The constants A_1 and A_2 are sums; the terms are their summands, each with its power of K + 1.
"""

from dataclasses import replace

from sympy import Rational

from bounds.language.condition import below, solved_above, solved_below
from bounds.language.statement import (
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    amend,
    define,
    defined_by,
    sets,
)
from bounds.papers.fed_norm_ec import PAPER, variance
from bounds.papers.fed_norm_ec.assumptions import ASSUMPTION_1
from bounds.papers.fed_norm_ec.notation import (
    D_1,
    D_2,
    K,
    L,
    M,
    R,
    T,
    alpha,
    beta,
    eta,
    eta_hat,
    f0_gap,
    gamma,
    min_gradient_norm,
    p,
    sigma_DP,
)
from bounds.papers.fed_norm_ec.shared import rate_setting
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION
from bounds.papers.fed_norm_ec.theorem_1 import ENDS

SHORT = (K + 1) ** Rational(1, 6)
MIDDLE = (K + 1) ** Rational(2, 3)
LONG = (K + 1) ** Rational(5, 6)

_LISTING = below(
    eta,
    1,
    locator="A.alg1",
    printed=r"\eta\in(0,1)",
    solved=solved_above(L, D_1 * D_2 / (4 * LONG * (alpha + D_1))),
)


COROLLARY = Statement(
    locator="A.cor4",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Corollary 4: rate of one local gradient step",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.theorem_1.appendix",
    in_the_case=(define(T, 1, locator="A.cor4.h1"),),
    printed=(
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]"
        r"\leq\frac{A_{1}}{(K+1)^{1/6}}+\frac{A_{2}}{(K+1)^{5/6}},",
        r"A_{1}=3\frac{f(x^{0})-f^{\inf}}{\hat{\eta}}+2D_{1}+\frac{2\sqrt{B}D_{2}}{\sqrt{M}}",
        r"A_{2}=\hat{\eta}L/2",
        r"\mathcal{O}(1/K^{1/6})",
    ),
    reading=(
        "the setting of Theorem 1; beta/(alpha+R) < 1 and the listing's eta < 1 are inherited from it, its "
        "upper bound on eta is not: eta is prescribed. T = 1, so T does not occur. "
        "B as the proof displays it. The order that is announced is that of this bound, for a noise that "
        "does not depend on K."
    ),
    other_readings=(
        "sigma_DP^2 per coordinate: B then carries d sigma_DP^2 instead of sigma_DP^2.",
        "sigma_DP as the paper sets it for privacy (A.disc.sigma): it grows with K, and A_1 with it.",
    ),
    left=min_gradient_norm,
    terms=rate_setting.summands(SHORT, LONG),
    setting=(Setting("A.cor4.h1", "the setting of Theorem 1 with one local step, T = 1"),),
    assumptions=ASSUMPTION_1,
    choices=(
        sets(gamma, 1 / (2 * L), locator="A.cor4.h2"),
        sets(R, D_1 / SHORT, locator="A.cor4.h3"),
        sets(beta, D_2 / MIDDLE, locator="A.cor4.h4"),
        sets(eta, eta_hat / LONG, locator="A.cor4.h5"),
        sets(eta_hat, D_1 * D_2 / (4 * L * (alpha + D_1)), locator="A.cor4.h5"),
    ),
    where=(defined_by(variance.APPENDIX, locator="A.cor4.s1"),),
    conditions=(
        below(
            beta / (alpha + R),
            1,
            locator="A.thm1.h2",
            printed=r"\frac{\beta}{\alpha+R}<1",
            solved=solved_below(D_2, (alpha + D_1 / SHORT) * MIDDLE),
        ),
        _LISTING,
    ),
    example={
        "K": 100,
        "M": 10,
        "L": 1,
        "f0_gap": 1,
        "D_1": 1,
        "D_2": 1,
        "alpha": 0.1,
        "p": 0.5,
        "sigma_DP": 0.1,
    },
    increasing=(f0_gap, sigma_DP),
    decreasing=(K, M, p),
    edges=(
        *rate_setting.POSITIVE_CONSTANTS,
        Edge(alpha, 0, EdgeOutcome.OUT_OF_DOMAIN, "Theorem 1 asks alpha > 0"),
        *ENDS,
    ),
    proof=("A.cor4.s1..A.cor4.s4",),
)

AMENDED = amend(
    COROLLARY,
    change=(
        "nothing is asked of Delta_inf, and the listing's eta < 1 is not; eta_hat is three times as "
        "large, and A_1 has 1 for 3 and sqrt(2 B) for 2 sqrt(B)"
    ),
    because="Theorem 1 as amended, of which these choices meet every condition, for every K",
    derivation=f"{DERIVATION}#corollary-4",
    printed=(
        COROLLARY.printed[0],
        rate_setting.AMENDED_A_1,
        COROLLARY.printed[2],
        r"\hat{\eta}=\frac{3D_{1}D_{2}}{4L(\alpha+D_{1})}",
    ),
    reading=(
        "the setting of Theorem 1 as amended, whose conditions the choices meet; T = 1, so T does not occur. "
        "B as the proof displays it."
    ),
    terms=(
        replace(COROLLARY.terms[0], expression=f0_gap / eta_hat / SHORT),
        COROLLARY.terms[1],
        replace(COROLLARY.terms[2], expression=rate_setting.AMENDED_NOISE),
        *COROLLARY.terms[3:],
    ),
    choices=(*COROLLARY.choices[:-1], rate_setting.amended_numerator("A.cor4")),
    conditions=(rate_setting.amended_memory("A.thm1.h2"),),
)
