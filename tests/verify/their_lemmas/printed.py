"""Steps that papers on convergence print, with the slips that one finds there."""

from sympy import Rational

from bounds.language.dimension import F, X
from bounds.language.quantity import OPEN_UNIT, POSITIVE, POSITIVE_INTEGER
from fedbounds import (
    clip,
    convex_set,
    equals,
    exp,
    expected,
    function,
    index,
    inner,
    lemma,
    log,
    mean,
    norm,
    number,
    project,
    prox,
    random_vector,
    sequence,
    size,
    top,
    vector,
)
from their_lemmas import PAPER

L, mu, a = number("L", POSITIVE), number("mu", POSITIVE), number("factor", POSITIVE)
eta, C = number("eta", POSITIVE, X**2 / F), number("C", POSITIVE, X)
share, q = number("share_kept", OPEN_UNIT), number("rate", OPEN_UNIT)
eps, b = number("budget", POSITIVE), number("level", POSITIVE)
K, k = number("N", POSITIVE_INTEGER), number("k", POSITIVE_INTEGER)
x, y, z, u, v = (vector(name) for name in "xyzuv")
i = index("i")
c, f = function("c", convex=True), function("f", convex=True, smooth=L)
h = function("h", strongly_convex=mu, smooth=L)
S = convex_set("S")
V, W = random_vector("V"), random_vector("W", over=i)
r = sequence("r", last=K, next_at_most=lambda r_k, k: (1 - 2 / (k + 2)) * r_k + 4 * b / (k + 2) ** 2)
away = h.gradient(x) - h.gradient(y)


def bregman(at, to):
    return f(at) - f(to) - inner(f.gradient(to), at - to)


STRONG = lemma(
    PAPER, "strong", inner(away, x - y) >= (mu * L * norm(x - y) ** 2 + norm(away) ** 2) / (mu + L)
)
STRONG_FALSE = lemma(
    PAPER, "strong_false", inner(away, x - y) >= mu * norm(x - y) ** 2 + norm(away) ** 2 / (mu + L)
)
turn = inner(f.gradient(y) - f.gradient(z), x - y)
BREGMAN = lemma(PAPER, "bregman", equals(bregman(x, z), bregman(x, y) + bregman(y, z) + turn))
BREGMAN_FALSE = lemma(PAPER, "bregman_false", equals(bregman(x, z), bregman(x, y) + bregman(y, z) - turn))
step = prox(c, x - eta * f.gradient(x), eta)
left = f(step) + c(step) + norm(step - y) ** 2 / (2 * eta)
right = f(y) + c(y) + norm(x - y) ** 2 / (2 * eta)
PROXIMAL = lemma(PAPER, "proximal", left <= right, conditions=[eta <= 1 / L])
PROXIMAL_FALSE = lemma(PAPER, "proximal_false", left <= right, conditions=[eta <= 2 / L])
REFLECTED = lemma(PAPER, "reflected", norm(2 * project(x, S) - x - 2 * project(y, S) + y) <= norm(x - y))
REFLECTED_FALSE = lemma(
    PAPER, "reflected_false", norm(3 * project(x, S) - 2 * x - 3 * project(y, S) + 2 * y) <= norm(x - y)
)
turned = norm(u / norm(u) - v / norm(v))
TURNED = lemma(PAPER, "turned", turned * (norm(u) + norm(v)) <= 2 * norm(u - v))
TURNED_FALSE = lemma(PAPER, "turned_false", turned * norm(u) <= norm(u - v))
SLOWED = lemma(PAPER, "slowed", -inner(u, v) / norm(v) <= -norm(u) + 2 * norm(u - v))
SLOWED_FALSE = lemma(PAPER, "slowed_false", -inner(u, v) / norm(v) <= -norm(u) + norm(u - v))
CUT = lemma(PAPER, "cut", norm(clip(u, C) - u) <= norm(u) ** 2 / (4 * C))
CUT_FALSE = lemma(PAPER, "cut_false", norm(clip(u, C) - u) <= norm(u) ** 2 / (5 * C))
kept = expected(norm(clip(V, C) - expected(clip(V, C))) ** 2)
KEPT = lemma(PAPER, "kept", kept <= expected(norm(V - expected(V)) ** 2))
KEPT_FALSE = lemma(PAPER, "kept_false", kept <= expected(norm(V) ** 2) / 2)
error = norm(u + v - top(u + v, k)) ** 2
rest = 1 - k / size(u)
FED_BACK = lemma(
    PAPER,
    "fed_back",
    error <= rest * ((1 + a) * norm(u) ** 2 + (1 + 1 / a) * norm(v) ** 2),
    conditions=[k <= size(u)],
)
FED_BACK_FALSE = lemma(
    PAPER, "fed_back_false", error <= rest * (norm(u) ** 2 + norm(v) ** 2), conditions=[k <= size(u)]
)
noise = mean(expected(norm(W - expected(W)) ** 2), i)
ALONE = lemma(PAPER, "alone", equals(expected(norm(mean(W - expected(W), i)) ** 2), noise / size(i)))
ALONE_FALSE = lemma(
    PAPER, "alone_false", expected(norm(mean(W, i)) ** 2) <= mean(expected(norm(W) ** 2), i) / size(i)
)
HARMONIC = lemma(PAPER, "harmonic", r[K] <= 4 * b / (K + 1))
HARMONIC_FALSE = lemma(PAPER, "harmonic_false", r[K] <= 2 * b / (K + 1))
divergence = share * log(share / q) + (1 - share) * log((1 - share) / (1 - q))
PINSKER = lemma(PAPER, "pinsker", divergence >= 2 * (share - q) ** 2)
PINSKER_FALSE = lemma(PAPER, "pinsker_false", divergence >= 3 * (share - q) ** 2)
sampled = log(1 + q * (exp(eps) - 1))
SAMPLED = lemma(PAPER, "sampled", sampled <= 2 * q * eps, conditions=[eps <= 1])
SAMPLED_FALSE = lemma(PAPER, "sampled_false", sampled <= Rational(3, 2) * q * eps, conditions=[eps <= 1])
