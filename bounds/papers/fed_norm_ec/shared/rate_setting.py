"""What Corollaries 2 and 5 prescribe in the same words, and the summands of A_1 and A_2 that they share.

A_1 and A_2 are sums; the terms of a corollary are their summands, each with its power of K + 1.
"""

from dataclasses import replace

from sympy import Expr, Rational, sqrt

from bounds.language.condition import Condition, above, below, solved_above, solved_below
from bounds.language.extremes import smaller
from bounds.language.statement import Choice, Edge, EdgeOutcome, Term, sets
from bounds.language.vanishing import Equal, Grows, together
from bounds.papers.fed_norm_ec.notation import (
    D_1,
    D_2,
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
    eta_hat,
    f0_gap,
    gamma,
    p,
    sigma_DP,
)
from bounds.papers.fed_norm_ec.shared.amended import no_overshoot

SHORT = (K + 1) ** Rational(1, 8)
MIDDLE = (K + 1) ** Rational(5, 8)
LONG = (K + 1) ** Rational(7, 8)
SIXTH = (K + 1) ** Rational(1, 6)  # of the amended forms


def summands(short: Expr, long: Expr) -> tuple[Term, Term, Term, Term]:
    """Those of A_1 over `short` without a drift, then A_2 over `long`; Corollary 4 has other powers."""
    return (
        Term(
            "initialization",
            3 * f0_gap / eta_hat / short,
            "distance still to go",
            (Equal(f0_gap, 0), Grows(K)),
        ),
        Term("memory", 2 * D_1 / short, "initial error of the clients' memories", (Equal(R, 0), Grows(K))),
        Term(
            "sampling_and_noise",
            2 * sqrt(B) * D_2 / sqrt(M) / short,
            "partial participation and private noise",
            (together(Equal(p, 1), Equal(sigma_DP, 0)),),
        ),
        Term("step", eta_hat * L / 2 / long, "length of the server step", (Grows(K),)),
    )


INITIALIZATION, MEMORY, SAMPLING_AND_NOISE, STEP = summands(SHORT, LONG)

POSITIVE_CONSTANTS = (
    Edge(D_1, 0, EdgeOutcome.OUT_OF_DOMAIN, "h3 asks D_1 > 0: exact initial memories allow no step"),
    Edge(D_2, 0, EdgeOutcome.OUT_OF_DOMAIN, "h4 asks D_2 > 0"),
)


def choices(corollary: str) -> tuple[Choice, ...]:
    return (
        sets(gamma, 1 / (2 * L * SHORT), locator=f"{corollary}.h2"),
        sets(R, D_1 / SHORT, locator=f"{corollary}.h3"),
        sets(beta, D_2 / MIDDLE, locator=f"{corollary}.h4"),
        sets(eta, eta_hat / LONG, locator=f"{corollary}.h5"),
        sets(
            eta_hat,
            smaller(Delta_inf / (2 * sqrt(2 * L)), D_1 * D_2 / (4 * L * (alpha + D_1))),
            locator=f"{corollary}.h5",
        ),
    )


AMENDED_BOUND = (
    r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]"
    r"\leq\frac{A_{1}}{(K+1)^{1/6}}+\frac{A_{2}}{(K+1)^{5/6}},"
)
AMENDED_A_1 = r"A_{1}=\frac{f(x^{0})-f^{\inf}}{\hat{\eta}}+2D_{1}+\frac{\sqrt{2B}D_{2}}{\sqrt{M}}"
AMENDED_CHOICES = (
    r"\gamma=\frac{1}{2L(K+1)^{1/6}},\ R=\frac{D_{1}}{(K+1)^{1/6}},\ \beta=\frac{D_{2}}{(K+1)^{2/3}},"
    r"\ \eta=\frac{\hat{\eta}}{(K+1)^{5/6}},\ \hat{\eta}=\frac{3D_{1}D_{2}}{4L(\alpha+D_{1})}"
)


AMENDED_NOISE = sqrt(2 * B) * D_2 / sqrt(M) / SIXTH  # of Theorem 1 as amended, by K + 2 <= 2 (K + 1)


def amended_choices(corollary: str) -> tuple[Choice, ...]:
    """The powers of Corollary 4: no term grows with eta (K + 1), so that gamma may fall as slowly as R."""
    return (
        sets(gamma, 1 / (2 * L * SIXTH), locator=f"{corollary}.h2"),
        sets(R, D_1 / SIXTH, locator=f"{corollary}.h3"),
        sets(beta, D_2 / SIXTH**4, locator=f"{corollary}.h4"),
        sets(eta, eta_hat / SIXTH**5, locator=f"{corollary}.h5"),
        amended_numerator(corollary),
    )


def amended_numerator(corollary: str) -> Choice:
    """eta_hat without its first member, which has another unit and which no step needs."""
    return sets(eta_hat, 3 * D_1 * D_2 / (4 * L * (alpha + D_1)), locator=f"{corollary}.h5")


def amended_memory(memory_step: str) -> Condition:
    limit = (sqrt(alpha) + sqrt(D_1 / SIXTH)) ** 2 * SIXTH**4
    return no_overshoot(memory_step, (D_2, limit))


def amended_conditions(corollary: str, *, memory_step: str) -> tuple[Condition, ...]:
    """Without the listing's eta < 1, which has a unit and which no step needs."""
    several = next(
        c for c in conditions(corollary, memory_step=memory_step) if c.locator == f"{corollary}.h1"
    )
    return (amended_memory(memory_step), several)


def amended_terms(drift: Term) -> tuple[Term, ...]:
    """Theorems 1 and 2 as amended at these choices; `drift` is what local steps cost."""
    return (
        replace(INITIALIZATION, expression=f0_gap / eta_hat / SIXTH),
        replace(MEMORY, expression=2 * D_1 / SIXTH),
        replace(SAMPLING_AND_NOISE, expression=AMENDED_NOISE),
        drift,
        replace(STEP, expression=eta_hat * L / 2 / SIXTH**5),
    )


def conditions(corollary: str, *, memory_step: str) -> tuple[Condition, ...]:
    """`memory_step` is where the theorem behind the corollary prints beta/(alpha+R) < 1."""
    return (
        below(
            beta / (alpha + R),
            1,
            locator=memory_step,
            printed=r"\frac{\beta}{\alpha+R}<1",
            solved=solved_below(D_2, (alpha + D_1 / SHORT) * MIDDLE),
        ),
        # Both members of the minimum fall as L grows: it is below a number as soon as one of them is.
        below(
            eta,
            1,
            locator="A.alg1",
            printed=r"\eta\in(0,1)",
            solved=solved_above(
                L, smaller(Delta_inf**2 / (8 * LONG**2), D_1 * D_2 / (4 * LONG * (alpha + D_1)))
            ),
        ),
        above(T, 1, locator=f"{corollary}.h1", printed=r"T>1"),
    )
