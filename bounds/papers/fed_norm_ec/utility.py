"""What Corollaries 1, 3 and 6 prescribe in the same words: noise, sampling, memory step, server step."""

from dataclasses import replace

from sympy import Expr, Rational, Symbol, log, sqrt

from bounds.language.condition import Condition, above, at_most, below, solved_above
from bounds.language.statement import Choice, Term, set_by, sets
from bounds.language.vanishing import Equal, Grows, together
from bounds.papers.fed_norm_ec import noise_rule
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
    alpha,
    beta,
    beta_hat,
    c,
    c_O,
    c_O_sampling,
    c_O_step,
    c_R,
    d,
    delta,
    epsilon,
    eta,
    f0_gap,
    gamma,
    p,
    sigma_DP,
)
from bounds.papers.fed_norm_ec.shared.amended import no_overshoot

QUARTER = Rational(1, 4)
RADIUS = d**QUARTER * sqrt(f0_gap) / sqrt(gamma) * (B_2 / M) ** QUARTER

UTILITY = Term(
    "utility",
    c_O * Delta * (d * B_hat / M**2 * log(1 / delta) / epsilon**2) ** QUARTER,
    "privacy",
    (Equal(sigma_DP, 0), Grows(M)),
)
OF_ORDER_IN_K = (
    Term(
        "sampling",
        c_O_sampling / sqrt(K + 1),
        "partial participation",
        (together(Equal(p, 1), Equal(B_hat, M)), Grows(K)),
    ),
    Term("step", c_O_step / (K + 1), "length of the server step", (Grows(K),)),
)
# The summands of A.cor1.s8, which A.cor3.s10 repeats and adds a drift to.
EXPLICIT = (
    Term(
        "smoothing",
        2 * sqrt(3) * alpha * sqrt(f0_gap) / (sqrt(gamma) * R) * (B_2 / M) ** QUARTER,
        "smoothing of the normalization",
    ),
    Term(
        "noise",
        4 * sqrt(3) * sqrt(f0_gap) / sqrt(gamma) * (B_2 / M) ** QUARTER,
        "private noise against progress",
        (Equal(sigma_DP, 0),),
    ),
    Term("memory", 2 * R, "initial error of the clients' memories", (Equal(R, 0),)),
    Term("sampling", 2 * beta_hat * sqrt(B_1 / (M * (K + 1))), "partial participation", (Equal(B_hat, M),)),
    Term(
        "step",
        gamma * L * beta_hat * R / 4 / (alpha + R) / (K + 1),
        "length of the server step",
        (Grows(K),),
    ),
)


# of Corollaries 3 and 6
EXAMPLE = {
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


def below_one(locator: str, solved: tuple[Symbol, Expr]) -> Condition:
    """beta < alpha + R, as the corollaries inherit it from the theorems."""
    printed = r"\frac{\beta}{\alpha+R}<1"
    return below(beta / (alpha + R), 1, locator=locator, printed=printed, solved=solved_above(*solved))


def short_step(locator: str) -> Condition:
    return below(
        gamma,
        Delta_inf * (alpha + R) / (sqrt(2 * L) * beta_hat * R),
        locator=locator,
        printed=r"\gamma<\frac{\Delta^{\inf}(\alpha+R)}{\sqrt{2L}\hat{\beta}R}",
        solved=solved_above(Delta_inf, gamma * sqrt(2 * L) * beta_hat * R / (alpha + R)),
    )


# sigma_DP in each coordinate, as privacy needs it: the noise of all coordinates together has d sigma_DP^2.
PER_COORDINATE = (
    "sigma_DP is the deviation in each coordinate, or more, so that E||z||^2 <= d sigma_DP^2, and beta_hat "
    "balances that noise: (M/(d B_2))^(1/4) for (M/B_2)^(1/4)."
)
PRINTED_BETA_HAT = r"\hat{\beta}=\sqrt{\frac{3(f(x^{0})-f^{\inf})}{\gamma}}\sqrt[4]{\frac{M}{dB_{2}}}"


def per_coordinate(corollary: str, *, memory_step: str) -> tuple[Choice, ...]:
    balanced = sets(
        beta_hat, sqrt(3 * f0_gap / gamma) * (M / (d * B_2)) ** QUARTER, locator=f"{corollary}.{memory_step}"
    )
    printed = at_any_step(corollary, memory_step=memory_step)
    return tuple(balanced if choice.symbol is beta_hat else choice for choice in printed)


def no_overshoot_of_radius(locator: str) -> Condition:
    """With alpha = R the condition is beta <= 4 R, and R is c_R times the radius."""
    return no_overshoot(locator, (c_R, beta_hat / (4 * RADIUS) / (K + 1)), least=True)


NO_OVERSHOOT_OF_INPUT = no_overshoot("A.thm1.h2", (R, beta_hat / 4 / (K + 1)), least=True)
PRINTED_EXPLICIT = (
    r"\frac{2\alpha\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{3\gamma}R}\sqrt[4]{\frac{dB_{2}}{M}}"
    r"+\frac{(2+3\sqrt{2})\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{3\gamma}}\sqrt[4]{\frac{dB_{2}}{M}}+2R\\"
)
PRINTED_SAMPLING = r"&+\hat{\beta}\sqrt{\frac{2B_{1}}{M(K+1)}}"


def amended_terms(printed: tuple[Term, ...]) -> tuple[Term, ...]:
    """The summands of A.cor1.s8 with d, and as Theorem 1 as amended gives them by K + 2 <= 2 (K + 1)."""
    smoothing, noise, memory, sampling, *others = printed
    level = sqrt(f0_gap) / sqrt(3 * gamma) * (d * B_2 / M) ** QUARTER
    return (
        replace(smoothing, expression=2 * alpha / R * level),
        replace(noise, expression=(2 + 3 * sqrt(2)) * level),
        memory,
        replace(sampling, expression=beta_hat * sqrt(2 * B_1 / (M * (K + 1)))),
        *others,
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
