"""Draws without replacement, clipped and smoothed means, prox and interpolation."""

from sympy import Rational

from bounds.language.dimension import ONE, F, X
from bounds.language.lemmas.expressions import equals
from bounds.language.lemmas.functions_of_numbers import sqrt
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.lemma import lemma
from bounds.language.lemmas.matrices import matrix
from bounds.language.lemmas.measures import clip, expected, inner, mean, norm, size, total
from bounds.language.lemmas.objects import function, number, vector
from bounds.language.lemmas.random_vectors import random_vector
from bounds.language.lemmas.sequences import sequence
from bounds.language.quantity import NATURAL, POSITIVE
from their_lemmas import PAPER

L, mu = number("L", POSITIVE), number("mu", POSITIVE)
lam = number("eta", POSITIVE, X**2 / F)
C, beta, b = number("C", POSITIVE, X), number("beta", POSITIVE, X), number("rise", POSITIVE)
c, K = number("c", POSITIVE), number("K", NATURAL, ONE)
h = function("h", convex=True, smooth=L, strongly_convex=mu)
f = function("f", convex=True, smooth=L)
x, y, z = vector("x"), vector("y"), vector("z")
A = matrix("A", symmetric=True, smallest=mu, largest=L)
V = random_vector("V")
i = index("i")
v, g = vector("v", over=i), function("g", convex=True, smooth=L, over=i)

# of two clients drawn without replacement: the mean over the pairs of ||(v_a + v_b)/2||^2, less ||mean||^2
n, squares = size(i), total(norm(v) ** 2, i)
pairs = ((n - 2) * squares + norm(total(v, i)) ** 2) / (2 * n * (n - 1)) - norm(mean(v, i)) ** 2
spread = mean(norm(v) ** 2, i) - norm(mean(v, i)) ** 2
TWO_DRAWN = lemma(PAPER, "two_drawn", equals(pairs, spread * (n - 2) / (2 * (n - 1))), conditions=[n >= 2])
TWO_DRAWN_FALSE = lemma(PAPER, "two_drawn_false", equals(pairs, spread / 2), conditions=[n >= 2])
cut = norm(expected(clip(V, C)) - expected(V))
BIAS = lemma(PAPER, "bias", cut <= expected(norm(V) ** 2) / (4 * C))
BIAS_FALSE = lemma(PAPER, "bias_false", cut <= expected(norm(V) ** 2) / (5 * C))
apart = norm(x / (beta + norm(x)) - y / (beta + norm(y)))
SMOOTHED = lemma(PAPER, "smoothed", apart <= norm(x - y) / beta)
SMOOTHED_FALSE = lemma(PAPER, "smoothed_false", apart <= 4 * norm(x - y) / (5 * beta))
moved = x + lam * f.gradient(x)
left = f(x) + norm(x - moved) ** 2 / (2 * lam)
right = f(y) + norm(y - moved) ** 2 / (2 * lam)
PROX = lemma(PAPER, "prox", left <= right - norm(y - x) ** 2 / (2 * lam))
PROX_FALSE = lemma(PAPER, "prox_false", left <= right - norm(y - x) ** 2 / lam)
shifted = inner(h.gradient(x), z - y) - h(z) + h(y) + L * norm(z - x) ** 2
SHIFTED = lemma(PAPER, "shifted", shifted >= mu / 4 * norm(y - z) ** 2)
SHIFTED_FALSE = lemma(PAPER, "shifted_false", shifted >= mu / 2 * norm(y - z) ** 2)
turn, step = h.gradient(x) - h.gradient(y), x - y
both = norm(turn) ** 2 / L + mu * norm(step) ** 2 - 2 * mu / L * inner(turn, step)
above = h(x) - h(y) - inner(h.gradient(y), step)
APART = [mu <= L / 2]
INTERPOLATED = lemma(PAPER, "interpolated", above >= both / (2 * (1 - mu / L)), conditions=APART)
INTERPOLATED_FALSE = lemma(PAPER, "interpolated_false", above >= both / (1 - mu / L), conditions=APART)
bregman = mean(g(x) - g(z) - inner(g.gradient(z), x - z), i)
noise = 2 * mean(norm(g.gradient(z)) ** 2, i)
LONG = lemma(PAPER, "long", mean(norm(g.gradient(x)) ** 2, i) <= 4 * L * bregman + noise)
LONG_FALSE = lemma(PAPER, "long_false", mean(norm(g.gradient(x)) ** 2, i) <= L * bregman + noise)
product = inner(A @ y, A @ (A @ y)) * inner(A @ y, y)
KANTOROVICH = lemma(PAPER, "kantorovich", product <= (L + mu) ** 2 / (4 * L * mu) * norm(A @ y) ** 4)
KANTOROVICH_FALSE = lemma(
    PAPER, "kantorovich_false", product <= (1 + (L - mu) ** 2 / (8 * L * mu)) * norm(A @ y) ** 4
)
a = sequence("a", last=K, next_at_most=lambda a_k: a_k - c * a_k**2)
SUBLINEAR = lemma(PAPER, "sublinear", a[K] * (1 + c * K * a[0]) <= a[0])
SUBLINEAR_FALSE = lemma(PAPER, "sublinear_false", a[K] * (1 + 2 * c * K * a[0]) <= a[0])
e = sequence("e", last=K, next_at_most=lambda e_k: sqrt(e_k**2 + b**2))
ROOTS = lemma(PAPER, "roots", e[K] <= sqrt(e[0] ** 2 + K * b**2))
ROOTS_FALSE = lemma(PAPER, "roots_false", e[K] <= e[0] + Rational(1, 2) * b * sqrt(K))
