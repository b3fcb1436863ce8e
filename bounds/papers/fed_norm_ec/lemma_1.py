"""Lemma 1: the memory error of a client stays below its bound.

Both conclusions bound the error of the same memory v_i^{k+1}, at the new point and at the old one. The second
uses h1, h3 and h5 only.
"""

from collections.abc import Callable
from typing import Any

from sympy import sqrt

from bounds.language.condition import at_most, below, solved_below
from bounds.language.extremes import larger
from bounds.language.lazy_numpy import np
from bounds.language.statement import (
    Concrete,
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    Term,
    amend,
    define,
)
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.notation import (
    C,
    R,
    alpha,
    beta,
    eta,
    gamma,
    memory_error,
    next_memory_error,
    operator_move,
    rho,
    server_move,
)
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION
from bounds.papers.fed_norm_ec.shared.local_steps import Points, length

# How the induction of Theorems 1 and 2 uses the lemma: at the server's step, with T_i moving twice as far.
INDUCTION = (
    define(rho, 2, locator="A.thm1.s3"),
    define(C, R, locator="A.thm1.s3"),
    define(memory_error, R, locator="A.thm1.s3"),
    define(server_move, eta, locator="A.thm1.s3"),
    define(operator_move, 2 * eta, locator="A.thm1.s2"),
)


def _numbers(
    local: Callable[[Points], Points], v: Points, x: Points, x_next: Points, **given: Any
) -> dict[str, Any]:
    alpha, beta, gamma = given["alpha"], given["beta"], given["gamma"]
    before, after = (x - local(x)) / gamma, (x_next - local(x_next)) / gamma
    error = before - v
    v_next = v + beta * error / (alpha + length(error))[..., None]
    return given | {
        "memory_error": length(error),
        "server_move": length(x_next - x),
        "operator_move": length(local(x_next) - local(x)),
        "next_memory_error": np.maximum(length(after - v_next), length(before - v_next)),
    }


LEMMA = Statement(
    locator="A.lem1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 1: the memory error is preserved",
    algorithm="memory_update",
    printed=(
        r"\left\|\frac{x^{k+1}-\mathcal{T}_{i}(x^{k+1})}{\gamma}-v_{i}^{k+1}\right\|\leq C",
        r"\left\|\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}-v_{i}^{k+1}\right\|\leq C",
    ),
    reading=(
        "for every realisation, every client and every alpha > 0; the left side is the larger of the two "
        "errors, so that both conclusions are claimed; h2 binds for all x and y, and its condition here is "
        "on the pair x^k, x^{k+1}, the only one that the proof uses."
    ),
    other_readings=("h2 at the pair x^k, x^{k+1} alone, which is what Theorems 1 and 2 supply.",),
    left=next_memory_error,
    terms=(Term("memory", C, "bound on the memory error before the round"),),
    setting=(Setting("A.lem1.h1", "v_i^k follows the memory update of Algorithm 1"),),
    conditions=(
        at_most(
            operator_move,
            rho * server_move,
            locator="A.lem1.h2",
            printed=r"\left\|\mathcal{T}_{i}(x)-\mathcal{T}_{i}(y)\right\|\leq\rho\left\|x-y\right\|",
        ),
        at_most(
            memory_error,
            C,
            locator="A.lem1.h3",
            printed=r"\left\|\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}-v_{i}^{k}\right\|\leq C",
        ),
        at_most(
            server_move,
            eta,
            locator="A.lem1.h4",
            printed=r"\left\|x^{k+1}-x^{k}\right\|\leq\eta",
        ),
        below(
            beta / (alpha + C),
            1,
            locator="A.lem1.h5",
            printed=r"\frac{\beta}{\alpha+C}<1",
            solved=solved_below(beta, alpha + C),
        ),
        at_most(
            eta,
            gamma * beta * C / ((1 + rho) * (alpha + C)),
            locator="A.lem1.h6",
            printed=r"\eta\leq\frac{\gamma\beta C}{(1+\rho)(\alpha+C)}",
        ),
    ),
    example={
        "C": 1,
        "alpha": 1,
        "beta": 0.5,
        "gamma": 1,
        "rho": 2,
        "eta": 0.05,
        "memory_error": 0.8,
        "server_move": 0.05,
        "operator_move": 0.08,
    },
    concrete=Concrete(
        objects={
            "local": "the local operator T_i, a function of points",
            "v": "memory v_i^k",
            "x": "point x^k",
            "x_next": "point x^{k+1}",
            "alpha": "smoothing parameter",
            "beta": "memory step",
            "gamma": "local step",
            "eta": "bound on the server's move",
            "rho": "Lipschitz constant of T_i",
            "C": "bound on the memory error",
        },
        numbers=_numbers,
    ),
    increasing=(C,),
    edges=(
        Edge(C, 0, EdgeOutcome.OUT_OF_DOMAIN, "h3 asks C > 0"),
        Edge(rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "h2 asks rho > 0"),
        Edge(alpha, 0, EdgeOutcome.OUT_OF_DOMAIN, "Algorithm 1 asks alpha > 0"),
        Edge(memory_error, 0, EdgeOutcome.REGULAR, "the memory is exact before the round"),
        Edge(server_move, 0, EdgeOutcome.REGULAR, "the server stands still: the two conclusions are one"),
    ),
    proof=("A.lem1.s1..A.lem1.s16",),
)

# An update from below the limit C overshoots by at most this much: the least t - beta t/(alpha + t), negated.
_OVERSHOOT = larger(sqrt(beta) - sqrt(alpha), 0) ** 2
_LIMITED_OVERSHOOT = below(
    beta,
    (sqrt(alpha) + sqrt(C)) ** 2,
    locator="A.lem1.h5",
    printed=r"\beta<(\sqrt{\alpha}+\sqrt{C})^{2}",
)
_MOVE_AFTER_OVERSHOOT = at_most(
    eta,
    gamma * (C - _OVERSHOOT) / (1 + rho),
    locator="A.lem1.h6",
    printed=r"\eta\leq\frac{\gamma}{1+\rho}\left(C-\max(0,\sqrt{\beta}-\sqrt{\alpha})^{2}\right)",
    part="overshoot",
)

AMENDED = amend(
    LEMMA,
    change="h5 asks beta < (sqrt(alpha) + sqrt(C))^2, which is weaker; h6 asks in addition that "
    "(1 + rho) eta/gamma is at most C - max(0, sqrt(beta) - sqrt(alpha))^2",
    because="the error after the update is largest at the old limit C or where the update overshoots "
    "most, by (sqrt(beta) - sqrt(alpha))^2; the operator then moves by at most (1 + rho) eta/gamma",
    derivation=f"{DERIVATION}#lemma-1",
    needed="fed_norm_ec.lemma_1",
    printed=LEMMA.printed,
    reading=f"{LEMMA.reading} For beta <= alpha no update overshoots, and only the printed h6 limits eta.",
    conditions=(
        *(_LIMITED_OVERSHOOT if c.locator == "A.lem1.h5" else c for c in LEMMA.conditions),
        _MOVE_AFTER_OVERSHOOT,
    ),
)
