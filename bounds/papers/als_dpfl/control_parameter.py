"""phi, the control parameter, as Theorem 2 and as its proof print it.

The two formulas are the same letters. In the theorem omega is the theorem's and sigma the listing's noise
multiplier; in the proof omega and sigma come from Lemma 6, where sigma is a standard deviation.
"""

from dataclasses import replace

from sympy import Expr, Integer, Symbol

from bounds.language.condition import Condition, above, at_most, solved_above
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term, amend, define, defined_by
from bounds.language.vanishing import Equal, Grows, ToZero
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl import omega as printed_omega
from bounds.papers.als_dpfl.notation import (
    B,
    C,
    beta,
    d,
    eta,
    h_tau,
    lam,
    omega,
    omega_lemma_6,
    omega_mean,
    phi,
    rho,
    sigma,
    sigma_v,
    tau,
)


def terms(omega: Symbol, sigma: Symbol) -> tuple[Term, ...]:
    return (
        Term("progress", omega * (1 - beta * eta / 2), "one step towards w*", (ToZero(omega),), False),
        Term("noise", -(sigma**2) * d / lam**2, "private noise", (Equal(sigma, 0),), False),
    )


def control(omega: Expr, sigma: Expr) -> Expr:
    return sum((term.expression for term in terms(omega, sigma)), Integer(0))


def speed(control: Expr) -> Expr:
    """Growth per step of the reciprocal gap: what every bound of Theorem 2 divides by."""
    return eta * control - rho * h_tau / (tau * lam**2)


def positive_speed(locator: str, control: Expr, omega: Expr, sigma: Expr) -> Condition:
    return above(
        speed(control),
        0,
        locator=locator,
        printed=r"\eta\varphi - \frac{\rho h(\tau)}{\tau\lambda^2} > 0",
        solved=solved_above(
            omega,
            (rho * h_tau / (tau * lam**2) / eta + sigma**2 * d / lam**2) / (1 - beta * eta / 2),
        ),
    )


def short_step(locator: str) -> Condition:
    return at_most(eta, 1 / beta, locator=locator, printed=r"\eta \leq \frac{1}{\beta}")


THEOREM = Statement(
    locator="C.phi.thm",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="phi as printed in Theorem 2",
    printed=(r"\varphi \triangleq \omega(1 - \frac{\beta\eta}{2}) - \frac{\sigma^2 d}{\lambda^2}",),
    reading="omega is the theorem's, with the distance; sigma is the listing's noise multiplier.",
    left=phi,
    terms=terms(omega, sigma),
    where=(defined_by(printed_omega.THEOREM_2, locator="C.phi.thm", needed=False),),
    example={"omega": 30, "beta": 1, "eta": 0.1, "sigma": 0.01, "d": 4, "lam": 0.1},
    increasing=(lam,),
    decreasing=(sigma, d, beta, eta),
    edges=(
        Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise: progress alone"),
        Edge(lam, 0, EdgeOutcome.OUT_OF_DOMAIN, "lambda > 0 is asked, and phi divides by its square"),
    ),
)

PROOF = replace(
    THEOREM,
    locator="C.phi.proof",
    title="phi as printed in the proof of Theorem 2",
    follows_from="als_dpfl.control_parameter.theorem",
    in_the_case=(
        define(omega, omega_lemma_6, locator="C.phi.proof"),
        define(sigma, sigma_v, locator="C.phi.proof"),
    ),
    reading=(
        "omega is that of Lemma 6, with the squared distance, and sigma the standard deviation per "
        "coordinate of the auxiliary noise, as in (22), from which the proof takes both."
    ),
    terms=terms(omega_lemma_6, sigma_v),
    where=(defined_by(printed_omega.LEMMA_6, locator="C.phi.proof", needed=False),),
    conditions=(
        short_step("C.thm2.1"),
        positive_speed("C.phi.proof", control(omega_lemma_6, sigma_v), omega_lemma_6, sigma_v),
    ),
    example={
        "omega_lemma_6": 30,
        "beta": 1,
        "eta": 0.1,
        "sigma_v": 0.01,
        "d": 4,
        "lam": 0.1,
        "rho": 1,
        "tau": 2,
        "h_tau": 0.03,
    },
    increasing=(omega_lemma_6,),
    decreasing=(sigma_v, d, beta),
    edges=(
        Edge(sigma_v, 0, EdgeOutcome.REGULAR, "no noise: progress alone"),
        Edge(lam, 0, EdgeOutcome.OUT_OF_DOMAIN, "lambda > 0 is asked, and phi divides by its square"),
    ),
)

# The second moment of a client's error in one step: that of its batch and that of its private noise. The mean
# over the clients, which moves the auxiliary sequence in a coupled analysis, has no larger one.
SAMPLING_SQUARE = C**2 / B
NOISE_SQUARE = sigma**2 * C**2 * d / B**2
NOISE_AMENDED = beta * eta * (SAMPLING_SQUARE + NOISE_SQUARE) / (2 * lam**2)
THEOREM_AMENDED = amend(
    THEOREM,
    change=(
        "omega of mean squared distances; beta eta/(2 lambda^2) times C^2/B + sigma^2 C^2 d/B^2 in "
        "place of sigma^2 d/lambda^2"
    ),
    because=(
        "the auxiliary sequence of the analysis takes the clients' own batches and noises, whose mean "
        "has at most this second moment, and a step pays beta eta^2/2 times it; both summands then have"
        " the unit of omega"
    ),
    derivation="docs/amended/als_dpfl.md#control-parameter",
    printed=(
        r"\varphi \triangleq \omega(1 - \frac{\beta\eta}{2})"
        r" - \frac{\beta\eta}{2\lambda^2}\left(\frac{C^2}{B} + \frac{\sigma^2C^2 d}{B^2}\right)",
    ),
    reading="sigma is the listing's noise multiplier, omega that of mean squared distances.",
    terms=(
        Term(
            "progress",
            omega_mean * (1 - beta * eta / 2),
            "one step towards w*",
            (ToZero(omega_mean),),
            non_negative=False,
        ),
        Term("sampling", -beta * eta * SAMPLING_SQUARE / (2 * lam**2), "batches", (Grows(B),), False),
        Term("noise", -beta * eta * NOISE_SQUARE / (2 * lam**2), "private noise", (Equal(sigma, 0),), False),
    ),
    where=(defined_by(printed_omega.THEOREM_2_AMENDED, locator="C.phi.thm", needed=False),),
    example={"omega_mean": 30, "beta": 1, "eta": 0.1, "sigma": 0.01, "C": 1, "B": 100, "d": 4, "lam": 0.1},
    increasing=(lam, B),
    decreasing=(sigma, d, beta, eta, C),
)


POSITIVE_SPEED_AMENDED = above(
    speed(phi),
    0,
    locator="C.thm2.2",
    printed=r"\eta\varphi - \frac{\rho h(\tau)}{\tau\lambda^2} > 0",
    solved=solved_above(
        omega_mean,
        (rho * h_tau / (tau * lam**2) / eta + NOISE_AMENDED) / (1 - beta * eta / 2),
    ),
)
