"""Theorem 4: DP-NormFedAvg, convex clients.

The setting and the choices are those of Theorem 2. An update that is not longer than the scaling factor is
stretched to it: its gap is weighed by the gain C_hat E/||u||, on the left and on the right.
"""

from dataclasses import replace

from bounds.language.statement import Edge, EdgeOutcome, Setting, Term, amend
from bounds.language.vanishing import Grows
from bounds.papers.dp_fedavg import theorem_2
from bounds.papers.dp_fedavg.notation import (
    D0,
    NO_HETEROGENEITY,
    C_hat,
    E,
    K,
    L,
    alpha,
    clipped_update_norm,
    r,
    rho,
    unclipped_scaled_delta,
    unclipped_scaled_gap,
    unclipped_share,
)
from bounds.papers.dp_fedavg.shared import sampling, start

THEOREM = replace(
    theorem_2.THEOREM,
    locator="B.thm4",
    title="Theorem 4: DP-NormFedAvg, convex case",
    algorithm="dp_norm_fedavg",
    follows_from="dp_fedavg.theorem_6.specific",
    printed=(
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\Bigg\{\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|"
        r"\leq\hat{C}E)\Big(2-\frac{\rho^{2}E^{2}}{\alpha^{2}}\Big)\Bigg(\frac{\hat{C}E}{\|"
        r"\bm{u}_{\tilde{k}}^{(i)}\|}\Bigg)(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}))+"
        r"\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E)\Big(\frac{3\hat{C}\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|}{8LE}\Big)\Bigg\}\Bigg]\\",
        r"\leq\hat{C}\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{\gamma}{L}\Big)"
        r"\rho+{\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|"
        r"\leq\hat{C}E)\Bigg\{\frac{\hat{C}^{2}}{2\alpha L}+\Bigg(\frac{\hat{C}E}{\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|}\Bigg)\frac{\Delta_{i}^{*}\rho E}{\alpha^{2}}\Bigg\}E\Bigg]}\rho",
    ),
    reading=(
        "the random round is averaged over, not drawn; clients are drawn independently with probability r/n "
        "and each adds N(0, r sigma^2 I) as the listing prints; sigma^2 = K C^2 rho^2/d, which is eq. (5) "
        "with eq. (3); the integer K is an input and the free constant gamma absorbs its prescription; no "
        "update of the run is zero, as eq. (12) asks; the mean of the gain times Delta_i* on the right has "
        "no bound known beforehand, so it is an input."
    ),
    left=(2 - rho**2 * E**2 / alpha**2) * unclipped_scaled_gap
    + 3 * C_hat / (8 * L * E) * clipped_update_norm,
    terms=(
        theorem_2.INITIALIZATION,
        Term(
            "stretching",
            C_hat**2 / (2 * alpha * L) * E * rho * unclipped_share,
            "short updates stretched to the length C",
            (Grows(alpha),),
            remark="when every update is longer than C",
        ),
        Term(
            "heterogeneity",
            rho * E / alpha**2 * E * rho * unclipped_scaled_delta,
            "clients with different minima",
            (NO_HETEROGENEITY, Grows(alpha)),
        ),
    ),
    # rho E <= alpha/2: the coefficient is at least 7/4; eta L is rho/(2 alpha)
    before_any_run=start.normalized(2 - rho**2 * E**2 / alpha**2, rho / (2 * alpha)),
    setting=(Setting("B.alg2", "the iterates are those of DP-NormFedAvg, with scaling factor C = C_hat E"),),
    example=theorem_2.POINT | {"unclipped_scaled_delta": 0.4},
    increasing=(D0, unclipped_scaled_delta),
    edges=(
        Edge(rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "no privacy: K would be infinite"),
        Edge(K, 0, EdgeOutcome.OUT_OF_DOMAIN, "no round, so no random round"),
        Edge(E, 1, EdgeOutcome.REGULAR, "one local step: the centralized method when n = 1"),
        Edge(D0, 0, EdgeOutcome.REGULAR, "started at w*: gamma/L remains, the price of the noise"),
        Edge(
            unclipped_scaled_delta,
            0,
            EdgeOutcome.REGULAR,
            "clients share a minimizer: stretching still costs",
        ),
    ),
    proof=("B.thm6.u4..B.thm6.u5",),
)

_, _STRETCHING, _HETEROGENEITY = THEOREM.terms
AMENDED = amend(
    THEOREM,
    change="the cost of stretching grows by 1 + s, s = (1 - r/n)/r",
    because=(
        "that is what the average over clients drawn by coins scatters; a clipped client pays for its "
        "own share out of what Lemma 1 gives away, as eta L E <= 1/4"
    ),
    derivation="docs/amended/dp_fedavg.md#theorem-4",
    needed="dp_fedavg.theorem_4",
    printed=(
        THEOREM.printed[0],
        r"\leq\hat{C}\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{\gamma}{L}\Big)\rho+"
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)"
        r"\Bigg\{(1+s)\frac{\hat{C}^{2}}{2\alpha L}+\Bigg(\frac{\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}\Bigg)"
        r"\frac{\Delta_{i}^{*}\rho E}{\alpha^{2}}\Bigg\}E\Bigg]\rho",
        sampling.PRINTED_SCATTER,
    ),
    reading=THEOREM.reading + " The number of clients is n, those of a round r in expectation.",
    other_readings=("exactly r clients a round: s = 0, which is the printed form.",),
    terms=(
        theorem_2.INITIALIZATION,
        replace(_STRETCHING, expression=(1 + sampling.SCATTER) * _STRETCHING.expression),
        _HETEROGENEITY,
    ),
    conditions=(*THEOREM.conditions, sampling.DRAWN_BY_COINS),
    example={**THEOREM.example, "n": 10, "r": 2},
    decreasing=(r,),
)
