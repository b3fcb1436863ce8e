"""Gradient descent with step 1/L on an L-smooth function: the tight bound on the smallest gradient."""

from bounds.language.assumptions import BOUNDED_BELOW, SMOOTH_CLIENTS, as_stated
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term, sets
from bounds.language.vanishing import Equal, Grows
from bounds.papers.textbook import PAPER
from bounds.papers.textbook.notation import L, N, eta, f0_gap, min_squared_gradient

THEOREM = Statement(
    locator="T.gd.nonconvex",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Gradient descent, smooth and not convex, step 1/L: smallest gradient",
    algorithm="gradient_descent",
    printed=(
        r"\min_{0\leq k\leq N}\|\nabla f(x_{k})\|^{2}\leq"
        r"\frac{4L\left(f(x_{0})-f^{\inf}\right)}{3N+2}",
    ),
    reading="deterministic; the minimum runs over N+1 points, the last iterate among them.",
    left=min_squared_gradient,
    terms=(
        Term(
            "initialization",
            4 * L * f0_gap / (3 * N + 2),
            "value still to lose",
            (Equal(f0_gap, 0), Grows(N)),
        ),
    ),
    assumptions=(
        as_stated(SMOOTH_CLIENTS, "f is L-smooth, convex or not", "T.gd.nonconvex"),
        as_stated(BOUNDED_BELOW, "f is bounded below; a minimizer need not exist", "T.gd.nonconvex"),
    ),
    choices=(sets(eta, 1 / L, locator="T.gd.nonconvex"),),
    example={"L": 1, "f0_gap": 2, "N": 10},
    increasing=(L, f0_gap),
    decreasing=(N,),
    edges=(
        Edge(N, 0, EdgeOutcome.REGULAR, "no step: 2 L (f(x_0) - f^inf), the descent lemma at the start"),
        Edge(f0_gap, 0, EdgeOutcome.REGULAR, "started at a minimizer, where the gradient is zero"),
    ),
)
