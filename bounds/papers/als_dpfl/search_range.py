"""tau_m, the upper end of the range in which the server searches tau*."""

from sympy import Integer

from bounds.language.extremes import smaller
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.notation import tau_m, tau_star

UPPER_END = Statement(
    locator="C.taum",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="tau_m: upper end of the search range",
    printed=(r"\tau_m = \min\{2\tau^*, 100\}",),
    reading="tau* is the choice of the round before, 1 at first; the range is 1, 2, ..., tau_m.",
    left=tau_m,
    terms=(Term("range", smaller(2 * tau_star, Integer(100)), "the time that the search takes"),),
    example={"tau_star": 3},
    increasing=(tau_star,),
    edges=(
        Edge(tau_star, 1, EdgeOutcome.REGULAR, "the first round: 1 and 2 are tried"),
        Edge(tau_star, 100, EdgeOutcome.REGULAR, "100 is never exceeded"),
    ),
)
