"""T, the local steps that both budgets allow."""

from bounds.language.extremes import smaller
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.notation import R_C, R_S, T, tau

LOCAL_STEPS = Statement(
    locator="C.T",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="T: local steps within the communication and the privacy budget",
    printed=(r"T = \min\{R_S \cdot \tau^*, R_C\}",),
    reading=(
        "while (13) is minimized, tau* stands for the tau that is tried: R_S rounds of tau steps each, and "
        "at most R_C steps in all, each of which costs privacy."
    ),
    other_readings=("tau* is the choice of the round before: T does not depend on the tau that is tried.",),
    left=T,
    terms=(Term("steps", smaller(R_S * tau, R_C), "the budget that is used up first"),),
    example={"R_S": 158, "tau": 2, "R_C": 317},
    increasing=(R_S, R_C, tau),
    edges=(
        Edge(R_S, 1, EdgeOutcome.REGULAR, "one round"),
        Edge(R_C, 0, EdgeOutcome.OUT_OF_DOMAIN, "the privacy budget allows no step"),
    ),
)
