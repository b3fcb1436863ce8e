"""Eq. (10): how the paper reads Assumption 1 (i)."""

from bounds.language.statement import Kind, Statement
from bounds.papers.dp_fedavg import PAPER

CLAIM = Statement(
    locator="B.eq10",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="Reading of Assumption 1 (i), eq. (10)",
    printed=(
        r"\|\nabla f_{i}(\bm{w}-\eta\nabla f_{i}(\bm{w}))-\nabla f_{i}(\bm{w})\|="
        r"\Theta(\eta\|\nabla^{2}f_{i}(\bm{w})\nabla f_{i}(\bm{w})\|)",
        r"\|\nabla^{2}f_{i}(\bm{w})\nabla f_{i}(\bm{w})\|\geq\Omega(\lambda\|\nabla f_{i}(\bm{w})\|)",
    ),
    reading=(
        "for each w, as eta -> 0, and for twice differentiable f_i. Assumption 1 (i) is said to be weaker "
        "than strong convexity, which asks the same of every vector in the place of the gradient."
    ),
    other_readings=(
        "for one eta and every w at once, with constants that do not depend on w.",
        "where Assumption 1 (i) holds for every small eta: the Hessian then sends no gradient to zero, the "
        "ratio of the two sides tends to 1, and the display is true.",
    ),
    refuted_by=(
        "a point with a nonzero gradient that the Hessian sends to zero while the left side is not zero: the "
        "ratio of the two sides has no upper bound there. f(x) = x + x^4 near 0, with its curvature kept "
        "beyond, so that f is smooth, has it at x = 0."
    ),
)
