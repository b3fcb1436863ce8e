"""Proximal points, projections and the nearest minimizer."""

from fedbounds import (
    POSITIVE,
    F,
    X,
    convex_set,
    equals,
    function,
    inner,
    lemma,
    nearest_minimizer,
    norm,
    number,
    project,
    prox,
    vector,
)
from their_lemmas import PAPER

x, y, z = vector("x"), vector("y"), vector("z")
L, mu, G, D = number("L", POSITIVE), number("mu", POSITIVE), number("G", POSITIVE), number("D", POSITIVE)
eta = number("eta", POSITIVE, X**2 / F)
f, g = function("f", convex=True), function("g", convex=True, lipschitz=G)
h = function("h", strongly_convex=mu, smooth=L)
w = function("w", lojasiewicz=mu, smooth=L)
p, q = prox(f, x, eta), prox(f, y, eta)
S, B = convex_set("S"), convex_set("B", diameter=D)
u, v = project(x, S), project(y, S)

FIRM = lemma(PAPER, "firm", norm(p - q) ** 2 <= inner(p - q, x - y))
FIRM_FALSE = lemma(PAPER, "firm_false", norm(p - q) ** 2 <= inner(p - q, x - y) / 2)
ENVELOPE = lemma(PAPER, "envelope", norm((x - p) - (y - q)) <= norm(x - y))
ENVELOPE_FALSE = lemma(PAPER, "envelope_false", norm((x - p) - (y - q)) <= norm(p - q))
shrunk = norm(prox(h, x, eta) - prox(h, y, eta))
SHRINKS = lemma(PAPER, "shrinks", shrunk <= norm(x - y) / (1 + eta * mu))
SHRINKS_FALSE = lemma(PAPER, "shrinks_false", shrunk <= norm(x - y) / (1 + 2 * eta * mu))
at, there = f(p) + norm(p - x) ** 2 / (2 * eta), f(z) + norm(z - x) ** 2 / (2 * eta)
LOWEST = lemma(PAPER, "lowest", at <= there - norm(z - p) ** 2 / (2 * eta))
LOWEST_FALSE = lemma(PAPER, "lowest_false", at <= there - norm(z - p) ** 2 / eta)
e = prox(g, x, eta)
above = g(x) - g(e) - norm(x - e) ** 2 / (2 * eta)
BELOW = lemma(PAPER, "below", above <= eta * G**2 / 2)
BELOW_FALSE = lemma(PAPER, "below_false", above <= eta * G**2 / 4)
CLOSER = lemma(PAPER, "closer", norm(u - v) ** 2 <= inner(u - v, x - y))
CLOSER_FALSE = lemma(PAPER, "closer_false", norm(u - v) <= 9 * norm(x - y) / 10)
OBTUSE = lemma(PAPER, "obtuse", inner(x - u, v - u) <= 0)
OBTUSE_FALSE = lemma(PAPER, "obtuse_false", inner(x - u, v - u) >= 0)
PYTHAGORAS = lemma(PAPER, "pythagoras", norm(u - v) ** 2 + norm(u - x) ** 2 <= norm(x - v) ** 2)
PYTHAGORAS_FALSE = lemma(
    PAPER, "pythagoras_false", equals(norm(u - v) ** 2 + norm(u - x) ** 2, norm(x - v) ** 2)
)
INSIDE = lemma(PAPER, "inside", norm(project(x, B) - project(y, B)) <= D)
INSIDE_FALSE = lemma(PAPER, "inside_false", norm(project(x, B) - project(y, B)) <= D / 2)
GROWS = lemma(PAPER, "grows", w(x) - w.lowest >= mu / 2 * norm(x - nearest_minimizer(w, x)) ** 2)
GROWS_FALSE = lemma(PAPER, "grows_false", w(x) - w.lowest >= mu / 2 * norm(x - w.minimizer) ** 2)
# Of sums over coordinates with these properties the twin is true: it needs minimizers on a curve.
STEEP = lemma(PAPER, "steep", norm(w.gradient(x)) ** 2 >= 2 * mu * (w(x) - w.lowest))
STEEP_FALSE = lemma(PAPER, "steep_false", inner(w.gradient(x), x - w.minimizer) >= 0)
