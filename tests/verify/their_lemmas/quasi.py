"""Quasi-convex functions, and what of convexity they lack."""

from fedbounds import OPEN_UNIT, POSITIVE, function, inner, lemma, maximum, number, vector
from their_lemmas import PAPER

L, s = number("L", POSITIVE), number("share_of_x", OPEN_UNIT)
f, g = function("f", quasi_convex=True, smooth=L), function("g", quasi_convex=True, bounded_below=True)
x, y = vector("x"), vector("y")
between, slope = f(s * x + (1 - s) * y), g.gradient(x)

BETWEEN = lemma(PAPER, "between", between <= maximum(f(x), f(y)))
BETWEEN_FALSE = lemma(PAPER, "between_false", between <= s * f(x) + (1 - s) * f(y))
DOWNHILL = lemma(PAPER, "downhill", inner(f.gradient(y), x - y) <= 0, conditions=[f(x) <= f(y)])
DOWNHILL_FALSE = lemma(PAPER, "downhill_false", f(x) >= f(y) + inner(f.gradient(y), x - y))
TOWARD = lemma(PAPER, "toward_it", inner(slope, x - g.minimizer) >= 0)
TOWARD_FALSE = lemma(PAPER, "toward_it_false", inner(slope, x - g.minimizer) >= g(x) - g.lowest)
