"""Eq. (15): the rate of DP-FedAvg as the comparison with DP-NormFedAvg restates it.

Term B is printed without Delta_i*, which eq. (6) has in the same place: it is kept so here.
"""

from dataclasses import replace

from sympy import Rational

from bounds.language.statement import Term, amend
from bounds.language.vanishing import Grows
from bounds.papers.dp_fedavg import theorem_2, theorem_4
from bounds.papers.dp_fedavg.notation import (
    D0,
    NO_HETEROGENEITY,
    C_hat,
    Delta_star_mean,
    E,
    L,
    alpha,
    clipped_update_norm,
    rho,
    unclipped_delta,
    unclipped_gap,
    unclipped_share,
)
from bounds.papers.dp_fedavg.shared import start

RATE = replace(
    theorem_2.THEOREM,
    locator="B.eq15",
    title="Eq. (15): the rate of clipping, restated for the comparison",
    follows_from="dp_fedavg.theorem_2",
    printed=(
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\Bigg(\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|"
        r"\leq\hat{C}E){\Big(2-\frac{\rho E}{\alpha}-\frac{\rho^{2}E^{2}}{\alpha^{2}}\Big)}(f_{i}("
        r"\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}))+\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>"
        r"\hat{C}E)\Big(\frac{3\hat{C}}{8LE}\|\bm{u}_{\tilde{k}}^{(i)}\|\Big)\Bigg)\Bigg]\\",
        r"\leq\underbrace{\hat{C}\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{"
        r"\gamma}{L}\Big)\rho}_{:=\textup{A}\text{(effect of {initialization})}}+\underbrace{{"
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}{\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq"
        r"\hat{C}E)}\Big(\frac{3E}{2\alpha}\Big)\Bigg]}\rho}_{:=\textup{B}"
        r"\text{(effect of {heterogeneity})}}",
    ),
    reading=theorem_2.THEOREM.reading + " Term B is taken as printed, without Delta_i*.",
    other_readings=("term B with the factor Delta_i* of eq. (6): then this is Theorem 2.",),
    terms=(
        theorem_2.INITIALIZATION,
        Term(
            "heterogeneity",
            Rational(3, 2) * E / alpha * unclipped_share * rho,
            "clients with different minima",
            (NO_HETEROGENEITY, Grows(alpha)),
            remark="when every update is clipped",
        ),
    ),
    example=theorem_2.POINT,
    increasing=(D0,),
    edges=theorem_4.THEOREM.edges[:4],
    proof=(),
)

# 2 eta L E: what E local steps cost a client whose update is not clipped.
_COST = rho * E / alpha
RATE_AMENDED = amend(
    RATE,
    change=(
        "term B carries Delta_i*, as in eq. (6); a in place of a + a^2 on the left and of 3 a/2 on the "
        "right, with a = rho E/alpha"
    ),
    because=(
        "the proof pays Delta_i* for every client; without it the term has no unit. The rest is the "
        "sharper form of Theorem 5 amended, which holds for clients drawn by coins"
    ),
    derivation="docs/amended/dp_fedavg.md#equation-15",
    needed="dp_fedavg.equation_15",
    follows_from="dp_fedavg.theorem_5.general",
    printed=(
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\Bigg(\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq"
        r"\hat{C}E)\Big(2-\frac{\rho E}{\alpha}\Big)(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}))+"
        r"\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E)\Big(\frac{3\hat{C}}{8LE}\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|\Big)\Bigg)\Bigg]",
        r"\leq\hat{C}\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{\gamma}{L}\Big)\rho+"
        r"\frac{E}{\alpha}\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|"
        r"\leq\hat{C}E)\Delta_{i}^{*}\Bigg]\rho",
    ),
    reading=theorem_2.THEOREM.reading,
    other_readings=(),
    left=(2 - _COST) * unclipped_gap + 3 * C_hat / (8 * L * E) * clipped_update_norm,
    terms=(
        theorem_2.INITIALIZATION,
        Term(
            "heterogeneity",
            _COST * unclipped_delta,
            "clients with different minima",
            (NO_HETEROGENEITY, Grows(alpha)),
        ),
    ),
    before_any_run=start.clipped(2 - _COST),
    example={**RATE.example, "Delta_star_mean": 0.2},
    increasing=(D0, Delta_star_mean),
)
