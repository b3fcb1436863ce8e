"""What Theorems 5 and 6, the full versions of Theorems 2 and 4, state in the same words.

Each is stated for any large K and for the K that its short version prescribes, with one step size.
"""

from sympy import sqrt

from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, SMOOTH_CLIENTS, as_stated
from bounds.language.condition import (
    Condition,
    Solved,
    above,
    at_least,
    at_most,
    solved_above,
    solved_at_least,
    solved_at_most,
    solved_below,
)
from bounds.language.statement import Assumption, Choice, absorbs, sets
from bounds.papers.dp_fedavg.notation import C_hat, Delta_star_max, E, K, L, alpha, eta, gamma, rho

POINT = {"L": 1, "D0": 2, "C_hat": 3, "K": 50, "E": 3, "rho": 0.1, "gamma": 1, "Delta_star_max": 0.5}


def assumptions(theorem: str) -> tuple[Assumption, ...]:
    return (
        as_stated(CONVEX_CLIENTS, "each f_i is convex", theorem),
        as_stated(SMOOTH_CLIENTS, "each f_i is L-smooth", theorem),
        as_stated(MINIMUM_ATTAINED, "w* is any minimizer of f", theorem),
    )


def step(theorem: str) -> Choice:
    return sets(eta, gamma / (C_hat * L * E * K * rho), locator=theorem)


def prescribed_rounds(theorem: str) -> Choice:
    return absorbs(gamma, K, K * C_hat * E * rho**2 / (2 * alpha), locator=theorem)


def for_any_rounds(theorem: str) -> tuple[Condition, ...]:
    return _threshold(theorem), _rounds(theorem, solved_below(gamma, K * C_hat * E * rho / 2))


def for_prescribed_rounds(general: str, theorem: str) -> tuple[Condition, ...]:
    return (
        _threshold(general),
        # The general condition says rho < alpha, at the K that is prescribed.
        _rounds(general, solved_above(alpha, rho)),
        at_most(
            E,
            alpha / (2 * rho),
            locator=theorem,
            printed=r"E\leq\frac{\alpha}{2\rho}",
            solved=solved_at_least(alpha, 2 * rho * E),
            part="local_steps",
        ),
    )


def short_pass(theorem: str) -> Condition:
    """eta L E <= 1/4, which the amended forms add."""
    return at_least(
        K,
        4 * gamma / (C_hat * rho),
        locator=theorem,
        printed=r"K\geq\frac{4\gamma}{\hat{C}\rho}",
        solved=solved_at_most(gamma, K * C_hat * rho / 4),
        part="local_steps",
    )


def _threshold(theorem: str) -> Condition:
    return at_least(
        C_hat,
        4 * sqrt(L * Delta_star_max),
        locator=theorem,
        printed=r"\hat{C}\geq 4\sqrt{L\max_{j\in[n]}\Delta_{j}^{*}}",
        part="threshold",
    )


def _rounds(theorem: str, solved: Solved) -> Condition:
    return above(
        K,
        2 * gamma / (C_hat * E * rho),
        locator=theorem,
        printed=r"K>\big(\frac{2\gamma}{\hat{C}E}\big)\frac{1}{\rho}",
        solved=solved,
        part="rounds",
    )
