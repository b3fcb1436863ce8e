"""Self-concordant functions: what the local norm bounds, and Newton's method."""

from fedbounds import function, hessian, inner, inverse, lemma, log, smallest_eigenvalue, sqrt, vector
from their_lemmas import PAPER

f = function("barrier", self_concordant=True)
g = function("gauge", self_concordant=True, bounded_below=True)
x, y = vector("x"), vector("y")
r = sqrt(inner(y - x, hessian(f, x) @ (y - x)))
line, near = f(x) + inner(f.gradient(x), y - x), [r < 1]
turn = inner(f.gradient(y) - f.gradient(x), y - x)
slope = g.gradient(x)
newton = inverse(hessian(g, x)) @ slope
decrement = sqrt(inner(slope, newton))
short = [decrement < 1]
damped = x - newton / (1 + decrement)

LOWER = lemma(PAPER, "concordant.lower", f(y) >= line + r - log(1 + r))
LOWER_FALSE = lemma(PAPER, "concordant.lower_false", f(y) >= line + r**2 / (2 + 2 * r / 3))
UPPER = lemma(PAPER, "concordant.upper", f(y) <= line - r - log(1 - r), conditions=near)
UPPER_FALSE = lemma(PAPER, "concordant.upper_false", f(y) <= line + r**2 * (1 + r) / 2, conditions=near)
TURN = lemma(PAPER, "concordant.turn", turn >= r**2 / (1 + r))
TURN_FALSE = lemma(PAPER, "concordant.turn_false", turn >= r**2 / (1 + r / 2))
BESIDE = lemma(
    PAPER,
    "concordant.beside",
    smallest_eigenvalue(hessian(f, y) - (1 - r) ** 2 * hessian(f, x)) >= 0,
    conditions=near,
)
BESIDE_FALSE = lemma(
    PAPER,
    "concordant.beside_false",
    smallest_eigenvalue(hessian(f, y) - (1 - r) * hessian(f, x)) >= 0,
    conditions=near,
)
GAP = lemma(PAPER, "concordant.gap", g(x) - g.lowest <= -decrement - log(1 - decrement), conditions=short)
GAP_FALSE = lemma(
    PAPER, "concordant.gap_false", g(x) - g.lowest <= decrement**2 * (1 + decrement / 2) / 2, conditions=short
)
DAMPED = lemma(PAPER, "concordant.damped", g(damped) <= g(x) - decrement + log(1 + decrement))
DAMPED_FALSE = lemma(PAPER, "concordant.damped_false", g(x - newton) <= g(x) - decrement**2 / 4)
