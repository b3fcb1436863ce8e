"""Eq. (16): the rate of DP-NormFedAvg, restated for the comparison: all its heterogeneity is one term B_2."""

from dataclasses import replace

from bounds.language.statement import Amendment, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Grows
from bounds.papers.dp_fedavg import PAPER, theorem_2, theorem_4
from bounds.papers.dp_fedavg.notation import (
    B_2,
    C_hat,
    E,
    L,
    alpha,
    rho,
    unclipped_scaled_delta,
)
from bounds.papers.dp_fedavg.shared import sampling

HETEROGENEITY = Statement(
    locator="B.eq16",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Eq. (16): effect of heterogeneity on normalization",
    algorithm="dp_norm_fedavg",
    printed=(
        r"\underbrace{{\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\mathbbm{1}(\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|\leq\hat{C}E)\Bigg\{\frac{\hat{C}^{2}}{2\alpha L}+\Bigg(\frac{"
        r"\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}\Bigg)\frac{\Delta_{i}^{*}\rho E}{\alpha^{2}}"
        r"\Bigg\}E\Bigg]}\rho}_{:=\textup{B}_{2}\text{(effect of {heterogeneity})}}",
    ),
    reading="an expectation over the run and over a uniformly random round; no update of the run is zero.",
    left=B_2,
    terms=(
        theorem_4.THEOREM.terms[1],
        replace(theorem_4.THEOREM.terms[2], name="clients"),
    ),
    example={"L": 1, "C_hat": 3, "E": 3, "rho": 0.1, "alpha": 2, "unclipped_scaled_delta": 0.4},
    increasing=(C_hat, E, rho, unclipped_scaled_delta),
    decreasing=(L, alpha),
    edges=(
        Edge(E, 1, EdgeOutcome.REGULAR, "one local step"),
        Edge(unclipped_scaled_delta, 0, EdgeOutcome.REGULAR, "clients share a minimizer: stretching remains"),
    ),
)

RATE = replace(
    theorem_4.THEOREM,
    locator="B.eq16",
    title="Eq. (16): the rate of normalization, restated for the comparison",
    follows_from="dp_fedavg.theorem_4",
    printed=(
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\Bigg\{\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|"
        r"\leq\hat{C}E)\underbrace{\Big(2-\frac{\rho^{2}E^{2}}{\alpha^{2}}\Big)}_{>(2-\frac{"
        r"\rho E}{\alpha}-\frac{\rho^{2}E^{2}}{\alpha^{2}})}\underbrace{\Bigg(\frac{\hat{C}E}{\|"
        r"\bm{u}_{\tilde{k}}^{(i)}\|}\Bigg)}_{\geq 1}(f_{i}(\bm{w}_{\tilde{k}})-f_{i}("
        r"\bm{w}^{*}))+\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E)\Big(\frac{3\hat{C}}{8LE}"
        r"\|\bm{u}_{\tilde{k}}^{(i)}\|\Big)\Bigg\}\Bigg]\\",
        r"\leq\underbrace{\hat{C}\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{"
        r"\gamma}{L}\Big)\rho}_{=\textup{A}\text{(effect of {initialization})}}+\underbrace{{"
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq"
        r"\hat{C}E)\Bigg\{\frac{\hat{C}^{2}}{2\alpha L}+\Bigg(\frac{\hat{C}E}{\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|}\Bigg)\frac{\Delta_{i}^{*}\rho E}{\alpha^{2}}\Bigg\}E\Bigg]}\rho}_{:="
        r"\textup{B}_{2}\text{(effect of {heterogeneity})}}",
    ),
    reading=(theorem_4.THEOREM.reading + " The under-braces of the left side are claims of the comparison."),
    terms=(
        theorem_2.INITIALIZATION,
        Term(
            "heterogeneity",
            HETEROGENEITY.right,
            "clients with different minima, and short updates stretched to the length C",
            (Grows(alpha),),
        ),
    ),
    proof=(),
)

_STRETCHING, _CLIENTS = HETEROGENEITY.terms
RATE_AMENDED = replace(
    theorem_4.AMENDED,
    locator=RATE.locator,
    title=RATE.title,
    follows_from=RATE.follows_from,
    terms=(
        theorem_2.INITIALIZATION,
        replace(
            RATE.terms[1],
            expression=(1 + sampling.SCATTER) * _STRETCHING.expression + _CLIENTS.expression,
        ),
    ),
    amendment=Amendment(
        change="the first summand of B_2 grows by 1 + s, s = (1 - r/n)/r",
        because="as Theorem 4, which it restates",
        derivation="docs/amended/dp_fedavg.md#theorem-4",
        needed="dp_fedavg.equation_16.rate",
    ),
)
