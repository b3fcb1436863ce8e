"""The control objective G(tau), eq. (13): the right-hand side of (12) as a function of tau."""

from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, amend
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.notation import G_tau, T, lam, sigma, xi
from bounds.papers.als_dpfl.theorem_2 import (
    BOUND,
    BOUND_AMENDED,
    CONTROL,
    CONTROL_AMENDED,
    LENGTH,
    LENGTH_AMENDED,
    PRINTED_AMENDED,
    PRINTED_LENGTH,
    RUN,
    RUN_AMENDED,
)

_INPUTS = ("T", "tau", "eta", "beta", "rho", "d", "xi", "C", "B", "sigma", "lam")

DEFINITION = Statement(
    locator="C.G",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Control objective G(tau)",
    printed=(
        r"G(\tau) \triangleq \frac{1}{T \cdot (\eta\varphi - \frac{\rho h(\tau)}{\tau\lambda^2})}"
        r" + \frac{\sqrt{3}}{3} \quad (13)",
    ),
    reading=(
        "the formula alone, without the conditions of Theorem 2: where the bracket is negative it is no "
        "bound, and smaller than sqrt(3)/3. omega and phi are the theorem's; T is given."
    ),
    other_readings=("T depends on tau as well, T = min(R_S tau, R_C), as where the server minimizes G.",),
    left=G_tau,
    terms=BOUND,
    where=(*CONTROL, LENGTH),
    example={name: RUN[name] for name in _INPUTS} | {"omega": 30},
    edges=(
        Edge(sigma, 0, EdgeOutcome.REGULAR, "no noise: divergence alone"),
        Edge(xi, 0, EdgeOutcome.REGULAR, "homogeneous clients: noise alone"),
        Edge(lam, 0, EdgeOutcome.OUT_OF_DOMAIN, "G divides by lambda^2"),
        Edge(T, 0, EdgeOutcome.OUT_OF_DOMAIN, "no step at all"),
    ),
)

AMENDED = amend(
    DEFINITION,
    change=(
        "the bound of Theorem 2 amended: no sqrt(3)/3, the reciprocal of the gap at the start, and phi,"
        " h and omega as there"
    ),
    because="sqrt(3)/3 has no unit, and Theorem 2 amended is without it; no choice depends on it",
    derivation="docs/amended/als_dpfl.md#control-objective",
    printed=(r"G(\tau) \triangleq " + PRINTED_AMENDED, PRINTED_LENGTH),
    reading=(
        "the formula alone, without the conditions of Theorem 2: where the bracket is negative it is no "
        "bound. omega and phi are the amended ones; T is given."
    ),
    terms=BOUND_AMENDED,
    where=(*CONTROL_AMENDED, LENGTH_AMENDED),
    example={name: RUN_AMENDED[name] for name in (*_INPUTS, "f0_gap", "omega_mean")},
)
