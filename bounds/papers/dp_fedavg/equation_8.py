"""Eq. (8): Theorem 2 for Lipschitz clients, with the threshold at the Lipschitz constant."""

from sympy import Rational, sqrt

from bounds.language.assumptions import LIPSCHITZ_CLIENTS, as_stated
from bounds.language.condition import above, at_least, solved_at_least
from bounds.language.statement import Edge, EdgeOutcome, Kind, Setting, Statement, Term, sets
from bounds.language.vanishing import Grows
from bounds.papers.dp_fedavg import PAPER, theorem_2
from bounds.papers.dp_fedavg.notation import (
    D0,
    NO_HETEROGENEITY,
    C_hat,
    Delta_star_max,
    Delta_star_mean,
    E,
    G,
    K,
    L,
    alpha,
    gamma,
    gap,
    rho,
)
from bounds.papers.dp_fedavg.shared import start

CONSEQUENCE = Statement(
    locator="B.eq8",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Consequence (a), eq. (8): the Lipschitz case",
    algorithm="dp_fedavg",
    follows_from="dp_fedavg.theorem_2",
    in_the_case=theorem_2.NO_CLIPPING,
    printed=(
        r"\mathbb{E}[f(\bm{w}_{\tilde{k}})]-f(\bm{w}^{*})\leq\frac{4}{5}\Bigg(G\Big("
        r"\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{\gamma}{L}\Big)+\frac{3E}{2\alpha}\Big("
        r"\frac{1}{n}\sum_{i=1}^{n}\Delta_{i}^{*}\Big)\Bigg)\rho",
        r"\hat{C}=G",
    ),
    reading=(
        "the hypotheses of Theorem 2 bind, so that G itself has to reach its lower limit for the threshold; "
        "the integer K is an input and gamma absorbs its prescription; no update is longer than C_hat E."
    ),
    left=gap,
    terms=(
        Term(
            "initialization",
            Rational(4, 5) * G * (L * D0**2 / gamma + gamma / L) * rho,
            "distance still to go against the noise",
            remark="never while rho > 0",
        ),
        Term(
            "heterogeneity",
            Rational(4, 5) * (Rational(3, 2) * E / alpha * Delta_star_mean) * rho,
            "clients with different minima",
            (NO_HETEROGENEITY, Grows(alpha)),
        ),
    ),
    before_any_run=start.AT_W0_LIPSCHITZ,
    setting=(Setting("B.alg1", "the iterates are those of DP-FedAvg, with clipping threshold C = G E"),),
    assumptions=(
        *theorem_2.THEOREM.assumptions,
        as_stated(LIPSCHITZ_CLIENTS, "each f_i is G-Lipschitz", "B.eq8"),
    ),
    choices=(sets(C_hat, G, locator="B.eq8"), *theorem_2.THEOREM.choices),
    where=theorem_2.THEOREM.where,
    conditions=(
        above(G, 0, locator="B.eq8", printed=r"\hat{C}=G", part="positive_threshold"),
        at_least(
            C_hat,
            4 * sqrt(L * Delta_star_max),
            locator="B.thm2",
            printed=r"\hat{C}\geq 4\sqrt{L\max_{j\in[n]}\Delta_{j}^{*}}",
            solved=solved_at_least(G, 4 * sqrt(L * Delta_star_max)),
            part="threshold",
        ),
        theorem_2.LOCAL_STEPS,
    ),
    example={
        "L": 1,
        "D0": 2,
        "G": 3,
        "K": 50,
        "E": 3,
        "rho": 0.1,
        "alpha": 2,
        "Delta_star_max": 0.5,
        "Delta_star_mean": 0.2,
    },
    increasing=(D0, Delta_star_mean),
    edges=(
        Edge(rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "no privacy: K would be infinite"),
        Edge(G, 0, EdgeOutcome.NOT_APPLICABLE, "constant clients leave no positive threshold"),
        Edge(K, 0, EdgeOutcome.OUT_OF_DOMAIN, "no round, so no random round"),
        Edge(E, 1, EdgeOutcome.REGULAR, "one local step: the rate of the centralized lower bound"),
        Edge(D0, 0, EdgeOutcome.REGULAR, "started at w*: gamma/L remains, the price of the noise"),
        Edge(Delta_star_mean, 0, EdgeOutcome.REGULAR, "clients share a minimizer: no heterogeneity term"),
    ),
    proof=("B.eq8.u1",),
)
