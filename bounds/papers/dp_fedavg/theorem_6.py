"""Theorem 6, the full version of Theorem 4: for any large K, and for the K that Theorem 4 prescribes."""

from dataclasses import replace

from bounds.language.statement import (
    Amendment,
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    Term,
    amend,
)
from bounds.language.vanishing import Grows
from bounds.papers.dp_fedavg import PAPER, theorem_2, theorem_4
from bounds.papers.dp_fedavg.notation import (
    D0,
    NO_HETEROGENEITY,
    C_hat,
    E,
    K,
    L,
    clipped_update_norm,
    gamma,
    r,
    rho,
    unclipped_scaled_delta,
    unclipped_scaled_gap,
    unclipped_share,
)
from bounds.papers.dp_fedavg.shared import full_versions, sampling, start

GENERAL = Statement(
    locator="B.thm6.general",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Theorem 6: DP-NormFedAvg, convex case, any large K",
    algorithm="dp_norm_fedavg",
    printed=(
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\Bigg\{\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|"
        r"\leq\hat{C}E)\Big(2-\frac{4\gamma^{2}}{\hat{C}^{2}K^{2}\rho^{2}}\Big)\Bigg(\frac{"
        r"\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}\Bigg)(f_{i}(\bm{w}_{\tilde{k}})-f_{i}("
        r"\bm{w}^{*}))+\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E)\Big(\frac{3\hat{C}\|"
        r"\bm{u}_{\tilde{k}}^{(i)}\|}{8LE}\Big)\Bigg\}\Bigg]\\",
        r"\leq\hat{C}\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{\gamma}{L}\Big)\rho+"
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}{\mathbbm{1}\big(\|\bm{u}_{\tilde{k}}^{(i)}\|"
        r"\leq\hat{C}E\big)}\Bigg\{\frac{\gamma\hat{C}}{LK\rho}+\Bigg(\frac{\hat{C}E}{\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|}\Bigg)\frac{4\gamma^{2}\Delta_{i}^{*}}{\hat{C}^{2}K^{2}\rho^{2}}\Bigg"
        r"\}\Bigg]",
    ),
    reading=(
        "as Theorem 4: the random round is averaged over, the clients are drawn independently, sigma^2 = "
        "K C^2 rho^2/d, no update of the run is zero, and the mean of the gain times Delta_i* is an input. "
        "The condition on K gives eta L < 1/2 and no more: with several local steps the coefficient of the "
        "unclipped gap may be negative."
    ),
    other_readings=(theorem_2.DRAWN_EXACTLY,),
    left=(2 - 4 * gamma**2 / (C_hat**2 * K**2 * rho**2)) * unclipped_scaled_gap
    + 3 * C_hat / (8 * L * E) * clipped_update_norm,
    terms=(
        theorem_2.INITIALIZATION,
        Term(
            "stretching",
            gamma * C_hat / (L * K * rho) * unclipped_share,
            "short updates stretched to the length C",
            (Grows(K),),
            remark="when every update is longer than C",
        ),
        Term(
            "heterogeneity",
            4 * gamma**2 / (C_hat**2 * K**2 * rho**2) * unclipped_scaled_delta,
            "clients with different minima",
            (NO_HETEROGENEITY, Grows(K)),
        ),
    ),
    setting=(Setting("B.alg2", "the iterates are those of DP-NormFedAvg, with scaling factor C = C_hat E"),),
    assumptions=full_versions.assumptions("B.thm6.general"),
    choices=(full_versions.step("B.thm6.general"),),
    where=theorem_2.THEOREM.where,
    conditions=full_versions.for_any_rounds("B.thm6.general"),
    example=full_versions.POINT | {"unclipped_scaled_delta": 0.4},
    increasing=(D0, unclipped_scaled_delta),
    decreasing=(K,),
    edges=(
        Edge(rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "no privacy: eta would be infinite"),
        Edge(gamma, 0, EdgeOutcome.OUT_OF_DOMAIN, "no step at all"),
        Edge(E, 1, EdgeOutcome.REGULAR, "one local step"),
        Edge(D0, 0, EdgeOutcome.REGULAR, "started at w*: gamma/L remains, the price of the noise"),
        Edge(unclipped_scaled_delta, 0, EdgeOutcome.REGULAR, "clients share a minimizer"),
    ),
    proof=("B.thm6.eq77..B.thm6.u3",),
)

SPECIFIC = replace(
    GENERAL,
    locator="B.thm6.specific",
    title="Theorem 6: DP-NormFedAvg, convex case, the K of Theorem 4",
    follows_from="dp_fedavg.theorem_6.general",
    printed=theorem_4.THEOREM.printed,
    reading=(
        "as Theorem 4: the random round is averaged over, the clients are drawn independently, sigma^2 = "
        "K C^2 rho^2/d, no update of the run is zero, the mean of the gain times Delta_i* is an input, and "
        "the integer K is an input whose prescription gamma absorbs."
    ),
    left=theorem_4.THEOREM.left,
    terms=theorem_4.THEOREM.terms,
    before_any_run=theorem_4.THEOREM.before_any_run,
    choices=(
        full_versions.step("B.thm6.general"),
        full_versions.prescribed_rounds("B.thm6.specific"),
    ),
    conditions=full_versions.for_prescribed_rounds("B.thm6.general", "B.thm6.specific"),
    example=theorem_4.THEOREM.example,
    decreasing=(),
    edges=theorem_4.THEOREM.edges,
    proof=("B.thm6.u4..B.thm6.u5",),
)

_, _STRETCHING, _HETEROGENEITY = GENERAL.terms
GENERAL_AMENDED = amend(
    GENERAL,
    change=(
        "the cost of stretching grows by 1 + s, s = (1 - r/n)/r; K >= 4 gamma/(C_hat rho), which is eta "
        "L E <= 1/4, besides K > 2 gamma/(C_hat E rho)"
    ),
    because=(
        "that is what the average over clients drawn by coins scatters; with eta L E <= 1/4, as in the "
        "specific form, a clipped client pays for its own share out of what Lemma 1 gives away, and the "
        "coefficient of the gap is at least 7/4"
    ),
    derivation="docs/amended/dp_fedavg.md#theorem-6-general-form",
    needed="1 + s: dp_fedavg.theorem_6.general; eta L E <= 1/4: sufficient, not shown necessary",
    printed=(
        GENERAL.printed[0],
        r"\leq\hat{C}\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{\gamma}{L}\Big)\rho+"
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)"
        r"\Bigg\{(1+s)\frac{\gamma\hat{C}}{LK\rho}+\Bigg(\frac{\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}\Bigg)"
        r"\frac{4\gamma^{2}\Delta_{i}^{*}}{\hat{C}^{2}K^{2}\rho^{2}}\Bigg\}\Bigg]",
        sampling.PRINTED_SCATTER,
    ),
    reading=(
        "as Theorem 4 amended: the random round is averaged over, the clients are drawn independently, "
        "sigma^2 = K C^2 rho^2/d, no update of the run is zero, and the mean of the gain times Delta_i* is "
        "an input."
    ),
    other_readings=("exactly r clients a round: s = 0.",),
    terms=(
        theorem_2.INITIALIZATION,
        replace(_STRETCHING, expression=(1 + sampling.SCATTER) * _STRETCHING.expression),
        _HETEROGENEITY,
    ),
    # the added condition is eta L E <= 1/4
    before_any_run=start.normalized(
        2 - 4 * gamma**2 / (C_hat**2 * K**2 * rho**2), gamma / (C_hat * E * K * rho)
    ),
    conditions=(
        *GENERAL.conditions,
        full_versions.short_pass("B.thm6.general"),
        sampling.DRAWN_BY_COINS,
    ),
    example={**GENERAL.example, "n": 10, "r": 2},
    decreasing=(K, r),
)

SPECIFIC_AMENDED = replace(
    theorem_4.AMENDED,
    locator=SPECIFIC.locator,
    title=SPECIFIC.title,
    follows_from=SPECIFIC.follows_from,
    assumptions=SPECIFIC.assumptions,
    choices=SPECIFIC.choices,
    conditions=(*SPECIFIC.conditions, sampling.DRAWN_BY_COINS),
    amendment=Amendment(
        change="the cost of stretching grows by 1 + s, s = (1 - r/n)/r",
        because="as Theorem 4, which repeats it",
        derivation="docs/amended/dp_fedavg.md#theorem-4",
        needed="dp_fedavg.theorem_6.specific",
    ),
)
