"""Theorem 3: the simplified and less tight version of Theorem 2, with O(.) on both sides."""

from dataclasses import replace

from bounds.language.condition import at_least, at_most, solved_at_least
from bounds.language.statement import Edge, EdgeOutcome, Kind, Setting, Term, amend
from bounds.papers.dp_fedavg import theorem_2
from bounds.papers.dp_fedavg.notation import (
    D0,
    NO_HETEROGENEITY,
    C_hat,
    Delta_star_mean,
    E,
    K,
    L,
    alpha,
    c_alpha,
    c_gamma,
    c_O,
    gamma,
    least_of_gap_and_gradient,
    rho,
)
from bounds.papers.dp_fedavg.shared import start

THEOREM = replace(
    theorem_2.THEOREM,
    locator="B.thm3",
    kind=Kind.RATE,
    title="Theorem 3: DP-FedAvg with clipping, simplified",
    follows_from="dp_fedavg.theorem_2",
    printed=(
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\min\Bigg(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}),"
        r"\mathcal{O}\Big(\frac{\hat{C}}{L}\|\nabla f_{i}(\bm{w}_{\tilde{k}})\|\Big)\Bigg)\Bigg]"
        r"\leq\mathcal{O}\Bigg(\hat{C}\|\bm{w}_{0}-\bm{w}^{*}\|"
        r"+E\Big(\frac{1}{n}\sum_{i=1}^{n}\Delta_{i}^{*}\Big)\Bigg)\rho",
        r"\gamma=\mathcal{O}(L\|\bm{w}_{0}-\bm{w}^{*}\|)",
        r"\alpha=\mathcal{O}(1)",
    ),
    reading=(
        "the hypotheses of Theorem 2 bind, so gamma absorbs K; an O(.) among the hypotheses or on the right "
        "means at most a constant times what it holds. The one inside the minimum is on the small side: a "
        "fixed positive constant times what it holds, which the proof supplies (at most 3/16 of the root of "
        "7/32)."
    ),
    other_readings=(
        "gamma of the order of L ||w_0 - w*||, from above and from below: the first term needs both.",
    ),
    left=least_of_gap_and_gradient,
    terms=(
        Term("initialization", c_O * C_hat * D0 * rho, "distance still to go against the noise"),
        Term(
            "heterogeneity",
            c_O * E * Delta_star_mean * rho,
            "clients with different minima",
            (NO_HETEROGENEITY,),
        ),
    ),
    # min(x_i, .) <= x_i
    before_any_run=start.AT_W0,
    explicit="dp_fedavg.theorem_2",
    setting=(
        Setting("B.alg1", "the iterates are those of DP-FedAvg, with clipping threshold C = C_hat E"),
        Setting("B.thm2", "everything that Theorem 2 asks"),
    ),
    conditions=(
        *theorem_2.THEOREM.conditions,
        at_most(
            gamma,
            c_gamma * L * D0,
            locator="B.thm3",
            printed=r"\gamma=\mathcal{O}(L\|\bm{w}_{0}-\bm{w}^{*}\|)",
            solved=solved_at_least(c_gamma, gamma / (L * D0)),
            part="gamma",
        ),
        at_most(
            alpha,
            c_alpha,
            locator="B.thm3",
            printed=r"\alpha=\mathcal{O}(1)",
            solved=solved_at_least(c_alpha, alpha),
            part="alpha",
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
        "Delta_star_mean": 0.2,
        "c_O": 10,
        "c_alpha": 2,
        "c_gamma": 1,
    },
    increasing=(D0, C_hat, E, Delta_star_mean),
    edges=(
        Edge(rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "no privacy: K would be infinite"),
        Edge(K, 0, EdgeOutcome.OUT_OF_DOMAIN, "no round, so no random round"),
        Edge(E, 1, EdgeOutcome.REGULAR, "one local step"),
        Edge(D0, 0, EdgeOutcome.NOT_APPLICABLE, "gamma = O(0) leaves no positive gamma"),
        Edge(Delta_star_mean, 0, EdgeOutcome.REGULAR, "clients share a minimizer: no heterogeneity term"),
    ),
    proof=("B.thm3.u1..B.thm3.eq66",),
)

AMENDED = amend(
    THEOREM,
    change=(
        "gamma is of the order of L ||w_0 - w*|| from below too; the constants are written out, 4/3 "
        "c_gamma and 2/3 on the right and 3/16 of the root of 7/32 inside the minimum"
    ),
    because=(
        "the first term of eq. (6) is the larger the smaller gamma is: L ||w_0 - w*||^2/gamma. With "
        "gamma between c_gamma times the order and 1/c_gamma times it, it is at most 2 c_gamma ||w_0 - "
        "w*||"
    ),
    derivation="docs/amended/dp_fedavg.md#theorem-3",
    needed="dp_fedavg.theorem_3 for some lower bound on gamma; this one: sufficient, not shown necessary",
    kind=Kind.UPPER_BOUND,
    follows_from="",
    printed=(
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\min\Bigg(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}),"
        r"\frac{3}{16}\sqrt{\frac{7}{32}}\frac{\hat{C}}{L}\|\nabla f_{i}(\bm{w}_{\tilde{k}})\|\Bigg)\Bigg]",
        r"\leq\frac{4}{3}c_{\gamma}\hat{C}\|\bm{w}_{0}-\bm{w}^{*}\|\rho"
        r"+\frac{2}{3}E\Big(\frac{1}{n}\sum_{i=1}^{n}\Delta_{i}^{*}\Big)\rho",
        r"\frac{1}{c_{\gamma}}\leq\frac{\gamma}{L\|\bm{w}_{0}-\bm{w}^{*}\|}\leq c_{\gamma}",
    ),
    reading=(
        "the hypotheses of Theorem 2 bind, so gamma absorbs K; c_gamma is any number for which both "
        "relations hold. The constant inside the minimum is 3/16 of the root of 7/32."
    ),
    other_readings=(),
    terms=(
        Term("initialization", 4 * c_gamma * C_hat * D0 * rho / 3, "distance still to go against the noise"),
        Term(
            "heterogeneity",
            2 * E * Delta_star_mean * rho / 3,
            "clients with different minima",
            (NO_HETEROGENEITY,),
        ),
    ),
    explicit=None,
    conditions=(
        *theorem_2.THEOREM.conditions,
        *THEOREM.conditions[-2:-1],
        at_least(
            gamma,
            L * D0 / c_gamma,
            locator="B.thm3",
            printed=r"\frac{1}{c_{\gamma}}\leq\frac{\gamma}{L\|\bm{w}_{0}-\bm{w}^{*}\|}\leq c_{\gamma}",
            solved=solved_at_least(c_gamma, L * D0 / gamma),
            part="gamma_below",
        ),
    ),
    example={name: value for name, value in THEOREM.example.items() if name not in ("c_O", "c_alpha")}
    | {"c_gamma": 8.0},
)
