"""Smooth and strongly convex functions."""

from bounds.language.dimension import F, X
from bounds.language.quantity import POSITIVE
from fedbounds import function, inner, lemma, norm, number, vector
from their_lemmas import PAPER

L, mu = number("L", POSITIVE), number("mu", POSITIVE)
eta = number("eta", POSITIVE, X**2 / F)
x, y = vector("x"), vector("y")
f = function("f", convex=True, smooth=L)
g = function("g", smooth=L, bounded_below=True)
h = function("h", strongly_convex=mu, smooth=L)
p = function("p", lojasiewicz=mu, smooth=L)
away = f.gradient(x) - f.gradient(y)
away_g = g.gradient(x) - g.gradient(y)
step = x - eta * f.gradient(x) - (y - eta * f.gradient(y))
step_g = x - eta * g.gradient(x) - (y - eta * g.gradient(y))

DESCENT = lemma(PAPER, "descent", f(y) <= f(x) + inner(f.gradient(x), y - x) + L / 2 * norm(y - x) ** 2)
DESCENT_FALSE = lemma(
    PAPER, "descent_false", f(y) <= f(x) + inner(f.gradient(x), y - x) + L / 4 * norm(y - x) ** 2
)
COCOERCIVE = lemma(PAPER, "cocoercive", inner(away, x - y) >= norm(away) ** 2 / L)
COCOERCIVE_FALSE = lemma(  # convexity dropped
    PAPER, "cocoercive_false", inner(away_g, x - y) >= norm(away_g) ** 2 / L
)
LOWER = lemma(PAPER, "lower", f(x) + inner(f.gradient(x), y - x) + norm(away) ** 2 / (2 * L) <= f(y))
LOWER_FALSE = lemma(PAPER, "lower_false", f(x) + inner(f.gradient(x), y - x) + norm(away) ** 2 / L <= f(y))
PL = lemma(PAPER, "pl", 2 * mu * (h(x) - h.lowest) <= norm(h.gradient(x)) ** 2)
PL_FALSE = lemma(PAPER, "pl_false", 2 * mu * (h(x) - h.lowest) <= norm(h.gradient(x)))  # the square is lost
PL_FALSE_CONSTANT = lemma(PAPER, "pl_constant", 4 * mu * (h(x) - h.lowest) <= norm(h.gradient(x)) ** 2)
GAP = lemma(PAPER, "gap", norm(g.gradient(x)) ** 2 <= 2 * L * (g(x) - g.lowest))
GAP_FALSE = lemma(PAPER, "gap_false", norm(g.gradient(x)) ** 2 <= 2 * L * g(x))  # the lowest value is lost
CONTRACTION = lemma(PAPER, "contraction", norm(step) <= norm(x - y), conditions=(eta <= 2 / L,))
CONTRACTION_FALSE = lemma(PAPER, "contraction_false", norm(step) <= norm(x - y))  # any step
CONTRACTION_NOT_CONVEX = lemma(
    PAPER, "contraction_not_convex", norm(step_g) <= norm(x - y), conditions=(eta <= 2 / L,)
)
STEP = lemma(
    PAPER,
    "step",
    g(x - eta * g.gradient(x)) <= g(x) - eta / 2 * norm(g.gradient(x)) ** 2,
    conditions=(eta <= 1 / L,),
)
STEP_FALSE = lemma(
    PAPER,
    "step_false",
    g(x - eta * g.gradient(x)) <= g(x) - eta / 2 * norm(g.gradient(x)) ** 2,
    conditions=(eta <= 2 / L,),
)
GROWTH = lemma(PAPER, "growth", mu / 2 * norm(x - h.minimizer) ** 2 <= h(x) - h.lowest)
GROWTH_FALSE = lemma(PAPER, "growth_false", mu * norm(x - h.minimizer) ** 2 <= h(x) - h.lowest)
LINEAR_RATE = lemma(
    PAPER,
    "linear_rate",
    p(x - p.gradient(x) / L) - p.lowest <= (1 - mu / L) * (p(x) - p.lowest),
)
LINEAR_RATE_FALSE = lemma(
    PAPER,
    "linear_rate_false",
    p(x - p.gradient(x) / L) - p.lowest <= (1 - 2 * mu / L) * (p(x) - p.lowest),
)
