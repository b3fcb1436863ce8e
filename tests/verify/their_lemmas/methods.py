"""Lemmas on the iterates of a method: descent, online and noisy steps, local steps, momentum."""

from typing import Any

from fedbounds import (
    NON_NEGATIVE,
    OPEN_UNIT,
    POSITIVE,
    F,
    Rational,
    X,
    equals,
    expected,
    function,
    index,
    largest,
    lemma,
    mean,
    norm,
    number,
    path,
    place,
    random_vector,
    size,
    smallest,
    total,
    vector,
)
from their_lemmas import PAPER

L, mu, eta = number("L", POSITIVE), number("mu", POSITIVE), number("eta", POSITIVE, X**2 / F)
x0, y, i, t, e = vector("x0"), vector("y"), index("i"), index("t"), index("e")
SHORT = [eta <= 1 / L]


def descend(name: str, over: Any, first: Any, f: Any) -> Any:
    return path(name, over=over, first=first, next_equal_to=lambda x: x - eta * f.gradient(x))


f = function("f", convex=True, smooth=L, bounded_below=True)
x = descend("x", t, x0, f)
gap, start = f(x.end) - f.lowest, norm(x0 - f.minimizer) ** 2
RATE = lemma(PAPER, "rate", gap <= start / (2 * eta * size(t)), conditions=SHORT)
RATE_FALSE = lemma(PAPER, "rate_false", gap <= start / (2 * eta * size(t) ** 2), conditions=SHORT)
n = function("n", smooth=L, bounded_below=True)
z = descend("z", t, x0, n)
least, room = smallest(norm(n.gradient(z)) ** 2, t), 2 * (n(x0) - n.lowest) / (eta * size(t))
LEAST = lemma(PAPER, "least", least <= room, conditions=SHORT)
LEAST_FALSE = lemma(PAPER, "least_false", least <= room)
moved, fallen = total(norm(z.next - z) ** 2, t), n(x0) - n(z.end)
MOVED = lemma(PAPER, "moved", moved <= 2 * eta * fallen, conditions=SHORT)
MOVED_FALSE = lemma(PAPER, "moved_false", moved <= eta * fallen / 2, conditions=SHORT)

G = number("G_of", POSITIVE)
o = function("o", over=t, convex=True, lipschitz=G)
w = descend("w", t, x0, o)
regret, near = total(o(w) - o(y), t), norm(x0 - y) ** 2 / (2 * eta)
ONLINE = lemma(PAPER, "online", regret <= near + eta * G**2 * size(t) / 2)
ONLINE_FALSE = lemma(PAPER, "online_false", regret <= near + eta * G**2 / 2)

sigma = number("sigma_of", NON_NEGATIVE, F / X)
N = random_vector("N_t", over=t, deviation=sigma, dimension=F / X)
s = function("s", strongly_convex=mu, smooth=L)
v = path("v", over=t, first=x0, next_equal_to=lambda v: v - eta * (s.gradient(v) + N))
away, shrunk = expected(norm(v.end - s.minimizer) ** 2), (1 - eta * mu) ** size(t)
noise, far = eta * sigma**2 / mu, norm(x0 - s.minimizer) ** 2
NOISY = lemma(PAPER, "noisy", away <= shrunk * far + noise, conditions=SHORT)
NOISY_FALSE = lemma(PAPER, "noisy_false", away <= shrunk * far + noise / 4, conditions=SHORT)

h = function("h", over=i, smooth=L)
drift = mean(norm(descend("u", e, x0, h).end - x0) ** 2, i)
few, steep = [2 * eta * L * size(e) <= 1], (2 * size(e) * eta) ** 2
DRIFT = lemma(PAPER, "drift", drift <= steep * mean(norm(h.gradient(x0)) ** 2, i), conditions=few)
DRIFT_FALSE = lemma(PAPER, "drift_false", drift <= steep * norm(mean(h.gradient(x0), i)) ** 2, conditions=few)

c = function("c", over=i, strongly_convex=mu, smooth=L)


def averaged(name: str, first: Any) -> Any:
    """A round is the mean of the clients after their local steps."""
    steps = f"{name}_local"
    return path(name, over=t, first=first, next_equal_to=lambda x: mean(descend(steps, e, x, c).end, i))


apart = norm(averaged("p", x0).end - averaged("q", y).end) ** 2
ROUNDS = lemma(
    PAPER, "rounds", apart <= (1 - eta * mu) ** (size(e) * size(t)) * norm(x0 - y) ** 2, conditions=SHORT
)
ROUNDS_FALSE = lemma(PAPER, "rounds_false", apart <= (1 - eta * mu) ** size(e) * norm(x0 - y) ** 2)

b = number("b_of", OPEN_UNIT)
still = 0 * x0
a, m = path(
    ("a", "m"), over=t, first=(x0, still), next_equal_to=lambda a, m: (a - eta * m, b * m + f.gradient(a))
)
plain = x0 - eta / (1 - b) * (total(f.gradient(a), t) - m.end)
MOMENTUM = lemma(PAPER, "momentum", equals(norm(a.end - plain), 0))
MOMENTUM_FALSE = lemma(PAPER, "momentum_false", equals(norm(a.end - plain - eta * m.end), 0))

k = function("k", strongly_convex=mu)
r = path("r_t", over=t, first=x0, next_equal_to=lambda r: r - 2 / (mu * (place(t) + 2)) * k.gradient(r))
weighted = 2 * total((place(t) + 1) * r, t) / (size(t) * (size(t) + 1))
found, steepest = k(weighted) - k.lowest, largest(norm(k.gradient(r)) ** 2, t)
WEIGHTED = lemma(PAPER, "weighted", found <= 2 * steepest / (mu * (size(t) + 1)))
WEIGHTED_FALSE = lemma(PAPER, "weighted_false", found <= Rational(1, 8) * steepest / (mu * (size(t) + 1)))
