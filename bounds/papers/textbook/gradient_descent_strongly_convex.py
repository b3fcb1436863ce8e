"""Gradient descent with step 1/L on a strongly convex L-smooth function: equality on mu/2 ||x||^2."""

from bounds.language.assumptions import SMOOTH_CLIENTS, STRONGLY_CONVEX, as_stated
from bounds.language.condition import at_most
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term, sets
from bounds.language.vanishing import Equal, Grows
from bounds.papers.textbook import PAPER
from bounds.papers.textbook.notation import D0, L, N, eta, mu, squared_distance

THEOREM = Statement(
    locator="T.gd.strong",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Gradient descent, strongly convex and smooth, step 1/L",
    algorithm="gradient_descent",
    printed=(r"\|x_{N}-x^{*}\|^{2}\leq\left(1-\frac{\mu}{L}\right)^{2N}D_{0}^{2}",),
    reading="deterministic, so the expectation of the observable is its value.",
    left=squared_distance,
    # L - mu is exact in floats near L; the printed 1 - mu/L would lose digits that the power multiplies.
    terms=(
        Term(
            "initialization",
            ((L - mu) / L) ** (2 * N) * D0**2,
            "distance still to go",
            (Equal(D0, 0), Grows(N)),
        ),
    ),
    assumptions=(
        as_stated(STRONGLY_CONVEX, "f is mu-strongly convex", "T.gd.strong"),
        as_stated(SMOOTH_CLIENTS, "f is L-smooth", "T.gd.strong"),
    ),
    choices=(sets(eta, 1 / L, locator="T.gd.strong"),),
    conditions=(at_most(mu, L, locator="T.gd.strong", printed=r"0<\mu\leq L"),),
    example={"L": 1, "mu": 0.1, "D0": 2, "N": 10},
    increasing=(D0,),
    decreasing=(N,),
    edges=(
        Edge(N, 0, EdgeOutcome.REGULAR, "no step: D0^2"),
        Edge(D0, 0, EdgeOutcome.REGULAR, "started at the minimizer"),
    ),
)
