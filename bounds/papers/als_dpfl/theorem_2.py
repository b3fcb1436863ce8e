"""Theorem 2: gap of the last iterate, with omega in its two printed forms.

omega depends on the trajectory. Theorem 2 prints it with the distance, Lemma 6 and its proof with the squared
distance; both forms of the theorem are kept.
"""

from dataclasses import replace

from sympy import Symbol, sqrt

from bounds.condition import (
    Condition,
    above,
    at_least,
    at_most,
    below,
    solved_above,
    solved_at_least,
    solved_at_most,
)
from bounds.papers.als_dpfl import PAPER, h
from bounds.papers.als_dpfl.assumptions import STANDING
from bounds.papers.als_dpfl.notation import (
    B,
    T,
    auxiliary_gap,
    beta,
    d,
    eta,
    final_gap,
    final_gap_mean,
    gradient_square,
    h_tau,
    lam,
    omega,
    omega_lemma_6,
    phi,
    rho,
    sigma,
    tau,
    xi,
)
from bounds.statement import Definition, Edge, EdgeOutcome, Kind, Statement, Term, define

SPEED = eta * phi - rho * h_tau / (tau * lam**2)


def _control(omega: Symbol) -> Definition:
    return define(phi, omega * (1 - beta * eta / 2) - sigma**2 * d / lam**2, locator="C.phi.thm")


def _positive_speed(omega: Symbol) -> Condition:
    return above(
        SPEED,
        0,
        locator="C.thm2.2",
        printed=r"\eta\varphi - \frac{\rho h(\tau)}{\tau\lambda^2} > 0",
        solved=solved_above(
            omega,
            (rho * h_tau / (tau * lam**2) / eta + sigma**2 * d / lam**2) / (1 - beta * eta / 2),
        ),
    )


def _conditions(omega: Symbol) -> tuple[Condition, ...]:
    return (
        at_most(eta, 1 / beta, locator="C.thm2.1", printed=r"\eta \leq \frac{1}{\beta}"),
        _positive_speed(omega),
        at_least(
            auxiliary_gap,
            lam,
            locator="C.thm2.3",
            printed=r"F(\hat{\mathbf{v}}_{[k]}(k\tau)) - F(\mathbf{w}^*) \geq \lambda",
        ),
        at_least(
            final_gap,
            lam,
            locator="C.thm2.4",
            printed=r"\lambda \leq F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*) < 1",
            part="lower",
            # The gap is drawn below 1 first, then lambda below it.
            solved=solved_at_most(lam, final_gap),
        ),
        below(
            final_gap,
            1,
            locator="C.thm2.4",
            printed=r"\lambda \leq F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*) < 1",
            part="upper",
        ),
        at_least(
            eta * (1 / beta - eta) * gradient_square,
            sigma**2 * d,
            locator="C.thm2.5",
            printed=(
                r"\eta(\frac{1}{\beta} - \eta)\mathbb{E}(\|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\|^2)"
                r" \geq \sigma^2 d"
            ),
            solved=solved_at_least(gradient_square, sigma**2 * d / (eta * (1 / beta - eta))),
        ),
    )


_LENGTH = define(h_tau, h.growth(tau) + h.linear(tau), locator="C.h.main")

_RUN = {
    "T": 100,
    "tau": 2,
    "eta": 0.1,
    "beta": 1,
    "rho": 1,
    "d": 4,
    "xi": 0.1,
    "C": 1,
    "B": 10,
    "sigma": 0.01,
    "lam": 0.1,
    "auxiliary_gap": 0.2,
    "final_gap": 0.5,
    "gradient_square": 0.01,
}

THEOREM_OMEGA = Statement(
    locator="C.thm2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    algorithm="dpfl",
    title="Theorem 2: gap of the last iterate, omega as printed in the theorem",
    printed=(
        r"\mathbb{E}(F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)) < \frac{1}{T \cdot (\eta\varphi - "
        r"\frac{\rho h(\tau)}{\tau\lambda^2})} + \frac{\sqrt{3}}{3} \quad (12)",
    ),
    reading=(
        "the conditions on the run (C.thm2.3 to C.thm2.5, and omega) are read in the three ways that `show` "
        "lists; sigma is the listing's noise multiplier; noises as in Theorem 1; the bound is strict."
    ),
    assumptions=STANDING,
    where=(_control(omega), _LENGTH),
    conditions=_conditions(omega),
    left=final_gap_mean,
    example=_RUN | {"omega": 30},
    terms=(
        Term("rate", 1 / (T * SPEED), "distance still to go", "as T grows", non_negative=False),
        Term("floor", sqrt(3) / 3, "largest difference of y and y^3 on (0, 1)", "never"),
    ),
    increasing=(xi,),
    decreasing=(T, omega, B),
    edges=(
        Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise: C.thm2.5 asks nothing"),
        Edge(xi, 0, EdgeOutcome.REGULAR, "homogeneous clients"),
        Edge(lam, 0, EdgeOutcome.OUT_OF_DOMAIN, "the theorem divides by lambda^2"),
        Edge(T, 1, EdgeOutcome.REGULAR, "one local step"),
        Edge(T, 0, EdgeOutcome.OUT_OF_DOMAIN, "no step at all"),
    ),
)

LEMMA_6_OMEGA = replace(
    THEOREM_OMEGA,
    locator="C.omega.lem6",
    title="Theorem 2: gap of the last iterate, omega as printed in Lemma 6",
    printed=(r"\omega = \min_k \frac{1}{\|\hat{\mathbf{v}}_{[k]}((k-1)\tau) - \mathbf{w}^*\|^2}",),
    where=(_control(omega_lemma_6), _LENGTH),
    example=_RUN | {"omega_lemma_6": 30},
    conditions=_conditions(omega_lemma_6),
    decreasing=(T, omega_lemma_6, B),
)
