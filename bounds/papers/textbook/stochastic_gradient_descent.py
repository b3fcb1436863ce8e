"""SGD with constant step on a strongly convex smooth function: equality on a sphere-shaped quadratic."""

from bounds.language.assumptions import SMOOTH_CLIENTS, STRONGLY_CONVEX, UNBIASED_NOISE, as_stated
from bounds.language.condition import at_most
from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term, define
from bounds.language.vanishing import Equal, Grows
from bounds.papers.textbook import PAPER
from bounds.papers.textbook.notation import D0, K, L, eta, mu, q, sigma, squared_distance

THEOREM = Statement(
    locator="T.sgd",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="SGD, strongly convex and smooth, noise of bounded variance",
    algorithm="stochastic_gradient_descent",
    printed=(
        r"\mathbb{E}\left[\|x_{K}-x^{*}\|^{2}\right]\leq q^{2K}D_{0}^{2}+\eta^{2}\sigma^{2}"
        r"\frac{1-q^{2K}}{1-q^{2}}",
    ),
    reading="sigma^2 is the total variance of the noise, which is independent of the past.",
    left=squared_distance,
    terms=(
        Term("initialization", q ** (2 * K) * D0**2, "distance still to go", (Equal(D0, 0), Grows(K))),
        Term(
            "noise",
            eta**2 * sigma**2 * (1 - q ** (2 * K)) / (1 - q**2),
            "noise of the gradients",
            (Equal(sigma, 0), Equal(K, 0)),
        ),
    ),
    assumptions=(
        as_stated(STRONGLY_CONVEX, "f is mu-strongly convex", "T.sgd"),
        as_stated(SMOOTH_CLIENTS, "f is L-smooth", "T.sgd"),
        as_stated(UNBIASED_NOISE, "unbiased gradients with total variance at most sigma^2", "T.sgd"),
    ),
    where=(define(q, 1 - eta * mu, locator="T.sgd"),),
    conditions=(
        at_most(mu, L, locator="T.sgd", printed=r"\mu\leq L", part="constants"),
        at_most(eta, 2 / (L + mu), locator="T.sgd", printed=r"\eta\leq\frac{2}{L+\mu}", part="step"),
    ),
    example={"L": 1, "mu": 0.1, "eta": 0.5, "sigma": 0.5, "D0": 2, "K": 50},
    increasing=(D0, sigma),
    edges=(
        Edge(K, 0, EdgeOutcome.REGULAR, "no step: D0^2"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "gradient descent"),
        Edge(D0, 0, EdgeOutcome.REGULAR, "started at the minimizer: noise alone"),
    ),
)
