"""FedAvg with one client and step 1/L, convex and L-smooth: gradient descent of K E steps."""

from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, SMOOTH_CLIENTS, as_stated
from bounds.language.statement import Edge, EdgeOutcome, Kind, Setting, Statement, Term, sets
from bounds.language.vanishing import Equal, Grows
from bounds.papers.textbook import PAPER
from bounds.papers.textbook.notation import D0, E, L, eta, federated_gap, rounds

THEOREM = Statement(
    locator="T.fedavg.one",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Federated averaging with one client, convex and smooth, step 1/L",
    algorithm="fedavg",
    printed=(r"f(w_{K})-f^{*}\leq\frac{LD_{0}^{2}}{4KE+2}",),
    reading="deterministic; D0 is the distance to any minimizer.",
    left=federated_gap,
    terms=(
        Term(
            "initialization",
            L * D0**2 / (4 * rounds * E + 2),
            "distance still to go",
            (Equal(D0, 0), Grows(rounds * E)),
        ),
    ),
    setting=(
        Setting("T.fedavg.one", "one client, full local gradients, no clipping, no noise, server step 1"),
    ),
    assumptions=(
        as_stated(CONVEX_CLIENTS, "f is convex", "T.fedavg.one"),
        as_stated(SMOOTH_CLIENTS, "f is L-smooth", "T.fedavg.one"),
        as_stated(MINIMUM_ATTAINED, "f has a minimizer", "T.fedavg.one"),
    ),
    choices=(sets(eta, 1 / L, locator="T.fedavg.one"),),
    example={"L": 1, "D0": 2, "rounds": 5, "E": 2},
    increasing=(L, D0),
    decreasing=(rounds, E),
    edges=(
        Edge(rounds, 0, EdgeOutcome.REGULAR, "no round: the descent lemma at the minimizer, L D0^2/2"),
        Edge(E, 1, EdgeOutcome.REGULAR, "one local step: gradient descent of K steps"),
        Edge(D0, 0, EdgeOutcome.REGULAR, "started at a minimizer"),
    ),
)
