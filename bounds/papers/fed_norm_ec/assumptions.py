"""Assumption 1 (A.asm1), and as a statement of its own."""

from bounds.language.assumptions import BOUNDED_BELOW, SMOOTH_CLIENTS, as_stated
from bounds.language.statement import Kind, Statement
from bounds.papers.fed_norm_ec import PAPER

ASSUMPTION_1 = (
    as_stated(SMOOTH_CLIENTS, "every f_ij is L-smooth, hence every f_i and f", "A.asm1.h1"),
    as_stated(BOUNDED_BELOW, "every f_ij is bounded below by f_ij^inf", "A.asm1.h1"),
    as_stated(BOUNDED_BELOW, "every f_i is bounded below by f_i^inf", "A.asm1.h2"),
    as_stated(BOUNDED_BELOW, "f is bounded below by f^inf", "A.asm1.h3"),
)

STATEMENT = Statement(
    locator="A.asm1",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Assumption 1",
    printed=(
        r"every $f_{i,j}(x)$ is $L$-smooth and bounded below by $f_{i,j}^{\inf}>-\infty$",
        r"every $f_{i}(x)$ is bounded below by $f_{i}^{\inf}>-\infty$",
        r"$f(x)$ is bounded below by $f^{\inf}>-\infty$",
    ),
    reading=(
        "the f^inf are any lower bounds; a lower f_i^inf makes Delta_inf larger, and with it the drift and "
        "the limit on eta."
    ),
    assumptions=ASSUMPTION_1,
)
