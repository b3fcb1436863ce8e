"""Functions with uneven slopes and kinks, and those whose gradients turn as a power of the distance."""

from fedbounds import OPEN_UNIT, POSITIVE, F, X, function, inner, lemma, norm, number, vector
from their_lemmas import PAPER

G, H, mu = number("G", POSITIVE), number("H", POSITIVE), number("mu", POSITIVE)
nu, eta = number("nu", OPEN_UNIT), number("eta", POSITIVE, X**2 / F)
x, y = vector("x"), vector("y")
f = function("f", convex=True, lipschitz=G, bounded_below=True)
h, g = function("h", smooth=H, exponent=nu), function("g", smooth=H, exponent=nu, bounded_below=True)
s = function("s", strongly_convex=mu)
short = [eta <= (f(x) - f.lowest) / G**2]
down = x - eta * f.gradient(x)
line, turn = h(x) + inner(h.gradient(x), y - x), norm(y - x)
slope, gap = norm(g.gradient(x)), g(x) - g.lowest

# Down the steepest of some slopes a step comes closer to the minimizer, and may climb another slope.
CLOSER = lemma(PAPER, "closer", norm(down - f.minimizer) <= norm(x - f.minimizer), conditions=short)
CLOSER_FALSE = lemma(PAPER, "closer_false", f(down) <= f(x), conditions=short)
KINKED = lemma(PAPER, "kinked", norm(s.gradient(x)) ** 2 >= 2 * mu * (s(x) - s.lowest))
KINKED_FALSE = lemma(PAPER, "kinked_false", norm(s.gradient(x)) ** 2 <= 10**6 * mu * (s(x) - s.lowest))
TURNS = lemma(PAPER, "turns", norm(h.gradient(x) - h.gradient(y)) <= H * turn**nu)
TURNS_FALSE = lemma(PAPER, "turns_false", norm(h.gradient(x) - h.gradient(y)) <= H * turn)
DESCENT = lemma(PAPER, "descent", h(y) <= line + H / (1 + nu) * turn ** (1 + nu))
DESCENT_FALSE = lemma(PAPER, "descent_false", h(y) <= line + H / (2 + 2 * nu) * turn ** (1 + nu))
ROOM = lemma(PAPER, "room", slope ** (1 + 1 / nu) <= (1 + nu) / nu * H ** (1 / nu) * gap)
ROOM_FALSE = lemma(PAPER, "room_false", slope ** (1 + 1 / nu) <= (1 + nu) / 4 * H ** (1 / nu) * gap)
