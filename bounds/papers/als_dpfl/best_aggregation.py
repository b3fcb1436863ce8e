"""The best aggregated model: what Theorem 2 says to somebody who knows nothing of the run beforehand.

Either the hypotheses of the amended theorem hold at a level lambda, or a mean gap is below lambda already.
The level at which both cases give the same is the root of a quadratic equation, so that no lambda is left.
"""

from sympy import sqrt

from bounds.language.before_any_run import before
from bounds.language.condition import at_least
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal, Grows, ToZero
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import FEDERATED, STANDING
from bounds.papers.als_dpfl.control_parameter import short_step
from bounds.papers.als_dpfl.notation import (
    D0,
    B,
    C,
    G_s,
    K,
    N,
    best_gap_mean,
    beta,
    d,
    eta,
    f0_gap,
    rho,
    sigma,
    tau,
    xi,
)
from bounds.papers.als_dpfl.theorem_2 import DEVIATION, DRIFT

_NU = beta * eta**2 * DEVIATION**2 / (2 * N)
_H = eta**2 * beta * (tau - 1) * DRIFT / 4
_Q = 1 / f0_gap + K * tau * eta * (1 - beta * eta / 2) / (D0 + (K - 1) * _H) ** 2
_A = K * (tau * _NU + rho * _H)
_SHARE = 2 * K / (1 + sqrt(1 + 4 * _A * _Q))  # what stays of A in the root, for each round

THEOREM = Statement(
    locator="C.derived.best",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Best aggregated model: a bound of ours, from Theorem 2 as amended",
    algorithm="dpfl",
    derived_from="als_dpfl.theorem_2.theorem_omega",
    printed=(
        r"\min_{0\leq k\leq K}\mathbb{E}F(\hat{\mathbf{w}}(k\tau)) - F(\mathbf{w}^*) \leq \frac{1}{Q}"
        r" + \frac{2A}{1+\sqrt{1+4AQ}} + (\tau-1)\nu + \rho h(\tau)",
        r"Q \triangleq \frac{1}{\Delta_0} + \frac{K\tau\eta(1-\frac{\beta\eta}{2})}"
        r"{(D_0+(K-1)h(\tau))^2},\quad A \triangleq K(\tau\nu+\rho h(\tau)),"
        r"\quad \nu \triangleq \frac{\beta\eta^2s^2}{2N}",
        r"h(\tau) \triangleq \frac{\eta^2\beta}{4}(\tau-1)\left(\xi\tau + s\sqrt{2\tau}\right),"
        r"\quad s \triangleq \frac{C}{B}\sqrt{B + \sigma^2 d}",
    ),
    reading=(
        "the mean is over the whole run, and the start is one of the models; which model is the best is not "
        "known without looking. sigma is the listing's noise multiplier; all clients have the same weight."
    ),
    left=best_gap_mean,
    terms=(
        Term("initialization", 1 / _Q, "distance still to go", (ToZero(f0_gap),)),
        Term(
            "noise",
            _NU * (tau * _SHARE + tau - 1),
            "batches and private noise",
            (Grows(B), Grows(N)),
        ),
        Term(
            "drift",
            rho * _H * (_SHARE + 1),
            "clients that part between aggregations",
            (Equal(tau, 1),),
        ),
    ),
    before_any_run=(before(f0_gap, "the gap at the start, which is one of the models"),),
    setting=FEDERATED,
    assumptions=STANDING,
    conditions=(
        short_step("C.derived.best"),
        at_least(C, G_s, locator="C.derived.best", printed=r"G_s\leq C", part="threshold"),
    ),
    example={
        "K": 100,
        "tau": 2,
        "eta": 0.05,
        "beta": 1,
        "rho": 1,
        "d": 4,
        "xi": 0.1,
        "C": 1,
        "G_s": 1,
        "B": 100,
        "sigma": 2,
        "N": 10,
        "f0_gap": 1,
        "D0": 2,
    },
    increasing=(D0, rho, xi, sigma, d, C, f0_gap),
    decreasing=(B, N),
    edges=(
        Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise: batches and divergence alone"),
        Edge(tau, 1, EdgeOutcome.REGULAR, "one local step: nothing drifts apart"),
        Edge(K, 0, EdgeOutcome.OUT_OF_DOMAIN, "no round at all"),
    ),
    run_with={"auxiliary_noise": "average_of_clients"},
)
