"""Claims in prose in the proof of Theorem F.4."""

from dataclasses import replace
from typing import Any

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
    defined_by,
)
from bounds.language.vanishing import Equal, together
from bounds.papers.fedavg_lojasiewicz import PAPER, definitions, theorem_f4
from bounds.papers.fedavg_lojasiewicz.notation import (
    C_F4,
    H,
    L,
    M,
    R,
    alpha,
    bound_F4_s2,
    eta,
    f0_gap,
    kappa_F4,
    mu,
    round_floor,
    sigma,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared import step_sizes
from bounds.papers.fedavg_lojasiewicz.shared.sequences import addition_of_a_round, given

_CONSTANTS = (eta, H, mu, alpha, L, M, zeta, sigma)


def _floor(mu: Any, alpha: Any, **others: Any) -> dict[str, Any]:
    return others | {"mu": mu, "alpha": alpha, "round_floor": addition_of_a_round(**others)}


SAME = Statement(
    locator="D.claim.same",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="The recursion of Theorem F.4 is of the type of (40)",
    printed=("the recursion of Theorem F.4 is of the type of (40)",),
    reading=(
        "of that type for the C and kappa of Theorem F.4: what a round adds is at most kappa C^alpha, which "
        "is all that the proof of Lemma F.3 uses of its own C."
    ),
    left=round_floor,
    terms=(
        Term(
            "floor",
            kappa_F4 * C_F4**alpha,
            "heterogeneity and noise",
            (together(Equal(zeta, 0), Equal(sigma, 0)),),
        ),
    ),
    setting=(Setting("D.F4.s1", "the recursion D.F4.s1"),),
    where=(
        defined_by(definitions.FLOOR_F4, locator="D.F4.s2"),
        defined_by(definitions.RATE_F4, locator="D.F4.s2"),
    ),
    conditions=(step_sizes.OF_THEOREM_F4,),
    example={"eta": 0.0002, "H": 5, "mu": 0.5, "alpha": 1.5, "L": 4, "M": 10, "zeta": 0.3, "sigma": 1.5},
    concrete=Concrete(objects=given(*_CONSTANTS), numbers=_floor),
    increasing=(zeta, sigma),
    edges=(
        Edge(zeta, 0, EdgeOutcome.REGULAR, "noise alone"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "heterogeneity alone"),
        Edge(H, 1, EdgeOutcome.REGULAR, "one local step: no drift"),
    ),
)


SAME_AMENDED = amend(
    SAME,
    change="17 in place of 16 in the noise of C",
    because="the drift by noise, which C leaves out, is at most 1/24 of the noise that it holds",
    derivation="docs/amended/fedavg_lojasiewicz.md#recursion-type-of-theorem-f4",
    printed=(r"C = (8\zeta^2/\mu)^{1/\alpha} + (17L\eta\sigma^2/M\mu)^{1/\alpha}",),
    reading="what a round adds is at most kappa C^alpha with this C; Theorem F.4 has room for it.",
    where=(
        define(
            C_F4,
            (8 * zeta**2 / mu) ** (1 / alpha) + (17 * L * eta * sigma**2 / (M * mu)) ** (1 / alpha),
            locator="D.F4.s2",
        ),
        SAME.where[1],
    ),
)


def _end(f0_gap: Any, R: Any, mu: Any, alpha: Any, **others: Any) -> dict[str, Any]:
    rate = others["eta"] * others["H"] * mu / 4 * (alpha - 1) * np.asarray(R, dtype=float)
    noise = 16 * others["L"] * others["eta"] * others["sigma"] ** 2 / (others["M"] * mu)
    floor = (8 * others["zeta"] ** 2 / mu) ** (1 / alpha) + noise ** (1 / alpha)
    start = f0_gap / (rate * f0_gap ** (alpha - 1) + 1) ** (1 / (alpha - 1))
    numbers = others | {"f0_gap": f0_gap, "R": R, "mu": mu, "alpha": alpha}
    return numbers | {"bound_F4_s2": floor + start}


F4END = replace(
    theorem_f4.THEOREM,
    locator="D.claim.F4end",
    title="D.F4.s2 gives the conclusion of Theorem F.4",
    algorithm=None,
    printed=("D.claim.super turns D.F4.s2 into the conclusion of Theorem F.4",),
    reading="the right-hand side of D.F4.s2 is at most that of Theorem F.4.",
    left=bound_F4_s2,
    setting=(),
    assumptions=(),
    concrete=Concrete(objects=given(f0_gap, R, *_CONSTANTS), numbers=_end),
    proof=(),
)
