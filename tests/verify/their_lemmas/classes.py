"""Curvature that grows with the slope, and weak convexity."""

from bounds.language.dimension import F, X
from bounds.language.quantity import POSITIVE
from fedbounds import exp, function, inner, lemma, norm, number, prox, vector
from their_lemmas import PAPER

L0, L1, mu, L = (number(name, POSITIVE) for name in ("L0", "L1", "mu", "L"))
rho, G, eta = number("rho", POSITIVE), number("G", POSITIVE), number("eta", POSITIVE, X**2 / F)
x, y = vector("x"), vector("y")
f = function("f", smooth=L0, curvature_growth=L1)
g = function("g", smooth=L0, curvature_growth=L1, bounded_below=True)
s = function("s", smooth=L0, curvature_growth=L1, strongly_convex=mu)
w = function("w", weakly_convex=rho)
k = function("k", weakly_convex=rho, lipschitz=G)
b = function("b", weakly_convex=rho, smooth=L)
far = L1 * norm(y - x)
line = f(x) + inner(f.gradient(x), y - x)
short = [eta < 1 / rho]

UPPER = lemma(PAPER, "upper", f(y) <= line + (L0 + L1 * norm(f.gradient(x))) * (exp(far) - far - 1) / L1**2)
UPPER_FALSE = lemma(  # true for norm(y - x) to zero alone
    PAPER, "upper_false", f(y) <= line + (L0 + L1 * norm(f.gradient(x))) / 2 * norm(y - x) ** 2
)
slope = norm(g.gradient(x))
STEEP = lemma(PAPER, "steep", slope**2 <= 2 * (L0 + L1 * slope) * (g(x) - g.lowest))
STEEP_FALSE = lemma(PAPER, "steep_false", slope**2 <= 2 * L0 * (g(x) - g.lowest))
GROWS = lemma(PAPER, "grows", 2 * mu * (s(x) - s.lowest) <= norm(s.gradient(x)) ** 2)
GROWS_FALSE = lemma(PAPER, "grows_false", norm(s.gradient(x)) <= L0 * norm(x - s.minimizer))
BELOW = lemma(PAPER, "below", w(y) >= w(x) + inner(w.gradient(x), y - x) - rho / 2 * norm(y - x) ** 2)
BELOW_FALSE = lemma(
    PAPER, "below_false", w(y) >= w(x) + inner(w.gradient(x), y - x) - rho / 4 * norm(y - x) ** 2
)
moved = norm(prox(w, x, eta) - prox(w, y, eta))
MOVED = lemma(PAPER, "moved", moved <= norm(x - y) / (1 - eta * rho), conditions=short)
MOVED_FALSE = lemma(PAPER, "moved_false", moved <= norm(x - y), conditions=short)
z = prox(w, x, eta)
envelope = w(z) + norm(z - x) ** 2 / (2 * eta)
room = (1 - eta * rho) / (2 * eta) * norm(y - z) ** 2
ENVELOPE = lemma(PAPER, "envelope", envelope + room <= w(y) + norm(x - y) ** 2 / (2 * eta), conditions=short)
ENVELOPE_FALSE = lemma(  # as of a convex function
    PAPER,
    "envelope_false",
    envelope + norm(y - z) ** 2 / (2 * eta) <= w(y) + norm(x - y) ** 2 / (2 * eta),
    conditions=short,
)
NEAR = lemma(PAPER, "near", norm(x - prox(k, x, eta)) <= eta * G, conditions=short)
NEAR_FALSE = lemma(PAPER, "near_false", norm(x - prox(k, x, eta)) <= eta * G / 2, conditions=short)
BENT = lemma(PAPER, "bent", b(y) >= b(x) + inner(b.gradient(x), y - x) - rho / 2 * norm(y - x) ** 2)
BENT_FALSE = lemma(
    PAPER, "bent_false", b(y) <= b(x) + inner(b.gradient(x), y - x) + rho / 2 * norm(y - x) ** 2
)
