"""Eq. (15): the rate of DP-FedAvg as the comparison with DP-NormFedAvg restates it.

Term B is printed without Delta_i*, which eq. (6) has in the same place: it is kept so here.
"""

from dataclasses import replace

from sympy import Rational

from bounds.papers.dp_fedavg import theorem_2
from bounds.papers.dp_fedavg.notation import D0, E, K, alpha, rho, unclipped_share
from bounds.papers.dp_fedavg.theorem_4 import INITIALIZATION
from bounds.statement import Edge, EdgeOutcome, Term

RATE = replace(
    theorem_2.THEOREM,
    locator="B.eq15",
    follows_from="dp_fedavg.theorem_2",
    steps=(),
    title="Eq. (15): the rate of clipping, restated for the comparison",
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
        INITIALIZATION,
        Term(
            "heterogeneity",
            Rational(3, 2) * E / alpha * unclipped_share * rho,
            "clients with different minima",
            "when every update is clipped, and as alpha grows",
        ),
    ),
    example={
        "L": 1,
        "D0": 2,
        "C_hat": 3,
        "K": 50,
        "E": 3,
        "rho": 0.1,
        "alpha": 2,
        "Delta_star_max": 0.5,
    },
    increasing=(D0,),
    edges=(
        Edge(rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "no privacy: K would be infinite"),
        Edge(K, 0, EdgeOutcome.OUT_OF_DOMAIN, "no round, so no random round"),
        Edge(E, 1, EdgeOutcome.REGULAR, "one local step: the centralized method when n = 1"),
        Edge(D0, 0, EdgeOutcome.REGULAR, "started at w*: gamma/L remains, the price of the noise"),
    ),
)
