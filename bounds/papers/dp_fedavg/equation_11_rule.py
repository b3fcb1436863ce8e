"""The rule for choosing E that the paper draws from eq. (11)."""

from sympy import Integer, Piecewise

from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS, as_stated
from bounds.language.condition import at_most
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.assumptions import ASSUMPTION_1
from bounds.papers.dp_fedavg.notation import D0, Delta_star_mean, E, G, L, c_E, lam, rho

RULE = Statement(
    locator="B.eq11.rule",
    kind=Kind.RULE,
    paper=PAPER,
    title="Selection rule for E drawn from eq. (11)",
    algorithm="dp_fedavg",
    printed=(
        r"\frac{1}{n}\sum_{i=1}^{n}\Delta_{i}^{*}<\mathcal{O}\Big({G}\big(\frac{\lambda^{2}}{L^{2}}\big)\Big)"
        r"\|\bm{w}_{0}-\bm{w}^{*}\|\rho",
        r"\frac{1}{2\rho}",
        r"E=1",
    ),
    reading=(
        "best for the right side of eq. (11), which is linear in E and from which the paper draws the rule; "
        "a real number, of which a run takes the integer part; the constant of the O(.) is c_E, and eq. (11) "
        "itself gives c_E = 11/48."
    ),
    other_readings=("best for the bound of Theorem 2 with the same choices, which is smallest at E = 1.",),
    left=E,
    terms=(
        Term(
            "E",
            Piecewise(
                (1 / (2 * rho), Delta_star_mean < c_E * G * lam**2 / L**2 * D0 * rho),
                (Integer(1), True),
            ),
            "many local steps when initialization outweighs heterogeneity, else one",
        ),
    ),
    assumptions=(
        as_stated(CONVEX_CLIENTS, "each f_i is convex", "B.thm2"),
        as_stated(SMOOTH_CLIENTS, "each f_i is L-smooth", "B.thm2"),
        *ASSUMPTION_1,
    ),
    conditions=(
        at_most(lam, L, locator="B.asm1", printed=r"0<\lambda\leq L"),
        at_most(rho, Integer(1) / 2, locator="B.prop1", printed=r"E\leq\frac{1}{2\rho}"),
    ),
    example={"Delta_star_mean": 0.01, "G": 2, "lam": 0.5, "L": 1, "D0": 10, "rho": 0.05, "c_E": 0.229},
    edges=(
        Edge(rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "1/(2 rho) is unbounded without privacy"),
        Edge(D0, 0, EdgeOutcome.REGULAR, "started at w*: E = 1"),
        Edge(G, 0, EdgeOutcome.REGULAR, "constant clients: E = 1"),
        Edge(Delta_star_mean, 0, EdgeOutcome.REGULAR, "homogeneous clients"),
    ),
)
