"""Gradient descent with step 1/L on a convex L-smooth function: the tight bound on the last gap."""

from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, SMOOTH_CLIENTS, as_stated
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term, sets
from bounds.language.vanishing import Equal, Grows
from bounds.papers.textbook import PAPER
from bounds.papers.textbook.notation import D0, L, N, eta, final_gap

THEOREM = Statement(
    locator="T.gd.convex",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Gradient descent, convex and smooth, step 1/L",
    algorithm="gradient_descent",
    printed=(r"f(x_{N})-f^{*}\leq\frac{LD_{0}^{2}}{4N+2}",),
    reading="deterministic; D0 is the distance to any minimizer.",
    left=final_gap,
    terms=(
        Term("initialization", L * D0**2 / (4 * N + 2), "distance still to go", (Equal(D0, 0), Grows(N))),
    ),
    assumptions=(
        as_stated(CONVEX_CLIENTS, "f is convex", "T.gd.convex"),
        as_stated(SMOOTH_CLIENTS, "f is L-smooth", "T.gd.convex"),
        as_stated(MINIMUM_ATTAINED, "f has a minimizer", "T.gd.convex"),
    ),
    choices=(sets(eta, 1 / L, locator="T.gd.convex"),),
    example={"L": 1, "D0": 2, "N": 10},
    increasing=(L, D0),
    decreasing=(N,),
    edges=(
        Edge(N, 0, EdgeOutcome.REGULAR, "no step: the descent lemma at the minimizer, L D0^2/2"),
        Edge(D0, 0, EdgeOutcome.REGULAR, "started at a minimizer"),
    ),
)
