"""Theorem 2: DP-FedAvg with clipping, convex clients.

Both sides are random: the indicator splits clients into those whose update is clipped in a uniformly random
round and those whose update is not, and stands on the right as well.
"""

from sympy import Rational, sqrt

from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, SMOOTH_CLIENTS, as_stated
from bounds.language.condition import at_least, at_most, solved_at_least
from bounds.language.statement import (
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    Term,
    absorbs,
    define,
    defined_by,
    sets,
)
from bounds.language.vanishing import Grows
from bounds.papers.dp_fedavg import PAPER, definitions
from bounds.papers.dp_fedavg.notation import (
    D0,
    NO_HETEROGENEITY,
    C_hat,
    Delta_star_max,
    Delta_star_mean,
    E,
    K,
    L,
    alpha,
    clipped_update_norm,
    eta,
    gamma,
    gap,
    rho,
    unclipped_delta,
    unclipped_gap,
)
from bounds.papers.dp_fedavg.shared import start

GAP_COEFFICIENT = 2 - rho * E / alpha - rho**2 * E**2 / alpha**2

NO_CLIPPING = (
    define(unclipped_gap, gap, locator="B.thm2"),
    define(clipped_update_norm, 0, locator="B.thm2"),
    define(unclipped_delta, Delta_star_mean, locator="B.thm2"),
)

INITIALIZATION = Term(
    "initialization",
    C_hat * (L * D0**2 / gamma + gamma / L) * rho,
    "distance still to go against the noise",
    remark="never while rho > 0",
)
DRAWN_EXACTLY = "exactly r clients a round, as Algorithm 3 draws them and as the proof's use of Fact 2 needs."
POINT = {"L": 1, "D0": 2, "C_hat": 3, "K": 50, "E": 3, "rho": 0.1, "alpha": 2, "Delta_star_max": 0.5}
LOCAL_STEPS = at_most(
    E,
    alpha / (2 * rho),
    locator="B.thm2",
    printed=r"E\leq\frac{\alpha}{2\rho}",
    solved=solved_at_least(alpha, 2 * rho * E),
    part="local_steps",
)

THEOREM = Statement(
    locator="B.thm2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Theorem 2: DP-FedAvg with clipping, convex case",
    algorithm="dp_fedavg",
    follows_from="dp_fedavg.theorem_5.specific",
    printed=(
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\Bigg(\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)"
        r"\Big(2-\frac{\rho E}{\alpha}-\frac{\rho^{2}E^{2}}{\alpha^{2}}\Big)(f_{i}(\bm{w}_{\tilde{k}})"
        r"-f_{i}(\bm{w}^{*}))+\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E)"
        r"\Big(\frac{3\hat{C}}{8LE}\|\bm{u}_{\tilde{k}}^{(i)}\|\Big)\Bigg)\Bigg]\\",
        r"\leq\underbrace{\hat{C}\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{\gamma}{L}\Big)\rho}"
        r"_{:=\textup{A(effect of {initialization})}}+\underbrace{\Big(\frac{3E}{2\alpha}\Big)"
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}{\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)}"
        r"\Delta_{i}^{*}\Bigg]\rho}_{:=\textup{B(effect of {heterogeneity})}}",
    ),
    reading=(
        "the random round is averaged over, not drawn; clients are drawn independently with probability r/n "
        "and each adds N(0, r sigma^2 I) as the listing prints; sigma^2 = K C^2 rho^2/d, which is eq. (5) "
        "with eq. (3); the integer K is an input and the free constant gamma absorbs its prescription."
    ),
    other_readings=(DRAWN_EXACTLY,),
    left=GAP_COEFFICIENT * unclipped_gap + 3 * C_hat / (8 * L * E) * clipped_update_norm,
    terms=(
        INITIALIZATION,
        Term(
            "heterogeneity",
            Rational(3, 2) * E / alpha * unclipped_delta * rho,
            "clients with different minima",
            (NO_HETEROGENEITY, Grows(alpha)),
        ),
    ),
    # rho E <= alpha/2, so the coefficient is at least 5/4
    before_any_run=start.clipped(GAP_COEFFICIENT),
    setting=(Setting("B.alg1", "the iterates are those of DP-FedAvg, with clipping threshold C = C_hat E"),),
    assumptions=(
        as_stated(CONVEX_CLIENTS, "each f_i is convex", "B.thm2"),
        as_stated(SMOOTH_CLIENTS, "each f_i is L-smooth", "B.thm2"),
        as_stated(MINIMUM_ATTAINED, "w* is any minimizer of f", "B.def1"),
    ),
    choices=(
        sets(eta, rho / (2 * alpha * L), locator="B.thm2"),
        absorbs(gamma, K, K * C_hat * E * rho**2 / (2 * alpha), locator="B.thm2"),
    ),
    where=(defined_by(definitions.RHO, locator="B.thm2"),),
    conditions=(
        at_least(
            C_hat,
            4 * sqrt(L * Delta_star_max),
            locator="B.thm2",
            printed=r"\hat{C}\geq 4\sqrt{L\max_{j\in[n]}\Delta_{j}^{*}}",
            part="threshold",
        ),
        LOCAL_STEPS,
    ),
    example=POINT | {"Delta_star_mean": 0.2},
    increasing=(D0, Delta_star_mean),
    edges=(
        Edge(
            rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "no privacy: K would be infinite; footnote 3 changes the rates"
        ),
        Edge(K, 0, EdgeOutcome.OUT_OF_DOMAIN, "no round, so no random round"),
        Edge(E, 1, EdgeOutcome.REGULAR, "one local step: the centralized method when n = 1"),
        Edge(D0, 0, EdgeOutcome.REGULAR, "started at w*: gamma/L remains, the price of the noise"),
        Edge(Delta_star_mean, 0, EdgeOutcome.REGULAR, "clients share a minimizer: no heterogeneity term"),
    ),
    proof=("B.thm5.eq18..B.thm5.u9",),
)
