"""Eq. (11): what Theorem 2 says with the threshold of Proposition 1."""

from sympy import Integer, Rational

from bounds.language.condition import at_least, solved_at_least
from bounds.language.statement import Edge, EdgeOutcome, Kind, Setting, Statement, Term, sets
from bounds.papers.dp_fedavg import PAPER, proposition_1, theorem_2
from bounds.papers.dp_fedavg.assumptions import ASSUMPTION_1
from bounds.papers.dp_fedavg.notation import (
    D0,
    NO_HETEROGENEITY,
    C_hat,
    Delta_star_mean,
    E,
    G,
    L,
    gamma,
    gap,
    lam,
    rho,
)
from bounds.papers.dp_fedavg.shared import start

CONSEQUENCE = Statement(
    locator="B.eq11",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Consequence of Proposition 1, eq. (11)",
    algorithm="dp_fedavg",
    follows_from="dp_fedavg.theorem_2",
    in_the_case=theorem_2.NO_CLIPPING,
    printed=(
        r"\mathbb{E}[f(\bm{w}_{\tilde{k}})]-f(\bm{w}^{*})\leq\Bigg(2G{\|\bm{w}_{0}-\bm{w}^{*}\|}"
        r"+\frac{6E}{5}\Bigg\{\frac{1}{n}\sum_{i=1}^{n}\Delta_{i}^{*}"
        r"-\frac{11G\|\bm{w}_{0}-\bm{w}^{*}\|\rho}{48}\Big(\frac{\lambda^{2}}{L^{2}}\Big)\Bigg\}\Bigg)\rho",
    ),
    reading=(
        "the hypotheses of Theorem 2 and Proposition 1 bind; alpha = 1 and gamma = L ||w_0 - w*|| leave no "
        "free constant that could absorb K = 2 gamma/(C_hat E rho^2), so K is no input: the value does not "
        "need it, and a run needs constants for which it is an integer."
    ),
    left=gap,
    terms=(
        Term("initialization", 2 * G * D0 * rho, "distance still to go against the noise"),
        Term(
            "heterogeneity",
            Rational(6, 5) * E * Delta_star_mean * rho,
            "clients with different minima",
            (NO_HETEROGENEITY,),
        ),
        Term(
            "smaller_threshold",
            -Rational(6, 5) * E * (Rational(11, 48) * G * D0 * rho * (lam**2 / L**2)) * rho,
            "what more local steps save, because updates shrink along them",
            non_negative=False,
        ),
    ),
    before_any_run=start.AT_W0_LIPSCHITZ,
    setting=(
        Setting("B.alg1", "the iterates are those of DP-FedAvg, with clipping threshold C = C_hat E"),
        Setting("B.thm2", "K = 2 gamma/(C_hat E rho^2) rounds"),
    ),
    assumptions=(*theorem_2.THEOREM.assumptions, *ASSUMPTION_1),
    choices=(
        proposition_1.ONE_ALPHA,
        proposition_1.STEP,
        proposition_1.THRESHOLD,
        sets(gamma, L * D0, locator="B.eq11"),
    ),
    where=(proposition_1.KEY_QUANTITY,),
    conditions=(
        *proposition_1.CONDITIONS,
        at_least(
            2 * gamma / (C_hat * E * rho**2),
            Integer(1),
            locator="B.thm2",
            printed=r"K=\big(\frac{2\alpha\gamma}{\hat{C}E}\big)\frac{1}{\rho^{2}}",
            solved=solved_at_least(D0, C_hat * E * rho**2 / (2 * L)),
            part="rounds",
        ),
    ),
    example={
        "L": 1,
        "lam": 0.5,
        "G": 3,
        "E": 4,
        "rho": 0.1,
        "D0": 2,
        "Delta_star_max": 0.3,
        "Delta_star_mean": 0.2,
    },
    increasing=(Delta_star_mean,),
    decreasing=(lam,),
    edges=(
        Edge(rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "no privacy: K would be infinite"),
        Edge(lam, 0, EdgeOutcome.OUT_OF_DOMAIN, "Assumption 1 asks lambda > 0"),
        Edge(G, 0, EdgeOutcome.NOT_APPLICABLE, "constant clients leave no positive threshold"),
        Edge(D0, 0, EdgeOutcome.NOT_APPLICABLE, "started at w*: gamma = 0, and no round"),
        Edge(E, 1, EdgeOutcome.REGULAR, "one local step: C_hat = G"),
        Edge(Delta_star_mean, 0, EdgeOutcome.REGULAR, "clients share a minimizer: a large E is best"),
    ),
)
