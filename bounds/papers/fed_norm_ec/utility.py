"""What Corollaries 1, 3 and 6 prescribe in the same words: noise, sampling, memory step, server step."""

from sympy import Rational, log, sqrt

from bounds.language.condition import Condition, above, at_most, below, solved_above
from bounds.language.statement import Choice, set_by, sets
from bounds.papers.fed_norm_ec import noise_rule
from bounds.papers.fed_norm_ec.notation import (
    B_2,
    B_hat,
    K,
    L,
    M,
    R,
    alpha,
    beta,
    beta_hat,
    c,
    d,
    delta,
    epsilon,
    eta,
    f0_gap,
    gamma,
    p,
)

QUARTER = Rational(1, 4)
RADIUS = d**QUARTER * sqrt(f0_gap) / sqrt(gamma) * (B_2 / M) ** QUARTER


def setting(corollary: str, *, step: str, memory_step: str) -> tuple[Choice, ...]:
    """`step` is where gamma = 1/(2L) is printed, `memory_step` the hypothesis about beta."""
    return (sets(gamma, 1 / (2 * L), locator=step), *at_any_step(corollary, memory_step=memory_step))


def at_any_step(corollary: str, *, memory_step: str) -> tuple[Choice, ...]:
    return (
        set_by(noise_rule.RULE, locator=f"{corollary}.h2"),
        sets(p, B_hat / M, locator=f"{corollary}.h3"),
        sets(beta, beta_hat / (K + 1), locator=f"{corollary}.{memory_step}"),
        sets(beta_hat, sqrt(3 * f0_gap / gamma) * (M / B_2) ** QUARTER, locator=f"{corollary}.{memory_step}"),
        sets(alpha, R, locator=f"{corollary}.h6"),
        sets(eta, gamma / 2 * beta_hat * R / (alpha + R) / (K + 1), locator=f"{corollary}.h7"),
    )


def clients(corollary: str) -> Condition:
    return at_most(B_hat, M, locator=f"{corollary}.h3", printed=r"\hat{B}\in[1,M]")


def some_gap(memory_step: str) -> Condition:
    """alpha = R = O(.) and beta vanish with the gap; `memory_step` asks that they are positive."""
    return above(f0_gap, 0, locator=memory_step, printed=r"\beta,\alpha>0", part="start")


# eta = gamma beta_hat / (4 (K+1)) when alpha = R, and beta_hat falls with the noise, that is with c.
LISTING = below(
    eta,
    1,
    locator="A.alg1",
    printed=r"\eta\in(0,1)",
    solved=solved_above(
        c, epsilon * M * 3 * f0_gap * gamma / (16 * (K + 1) ** 2 * sqrt(2 * B_hat * log(1 / delta)))
    ),
)
