"""Lemmas that are false for rare outcomes, many clients or coordinates, long sequences and large numbers."""

from sympy import Rational

from fedbounds import (
    NON_NEGATIVE,
    POSITIVE,
    POSITIVE_INTEGER,
    expected,
    function,
    index,
    inner,
    largest,
    lemma,
    log,
    nearest_minimizer,
    norm,
    number,
    random_vector,
    sequence,
    size,
    sqrt,
    vector,
)
from their_lemmas import PAPER

L, mu = number("L", POSITIVE), number("mu", POSITIVE)
ratio, N = number("ratio", POSITIVE), number("N", POSITIVE_INTEGER)
x, y, u = vector("x"), vector("y"), vector("u", unit=True)
V = random_vector("V")
client = index("client")
share = number("share", NON_NEGATIVE, over=client, weights=True)
h = function("h", smooth=L, lojasiewicz=mu)
w = sequence("grown", last=N, next_at_most=lambda a, k: (1 + 1 / (k + 1) ** 2) * a)

ALONG = lemma(PAPER, "along", norm(x) ** 2 >= inner(x, u) ** 2)
ALONG_FALSE = lemma(PAPER, "along_false", norm(x) ** 2 >= 2 * inner(x, u) ** 2)
fourth, second = expected(norm(V) ** 4), expected(norm(V) ** 2)
RARE = lemma(PAPER, "rare", fourth >= second**2)
RARE_FALSE = lemma(PAPER, "rare_false", fourth <= 1000 * second**2)
ONE_CLIENT = lemma(PAPER, "one_client", size(client) * largest(share) >= 1)
ONE_CLIENT_FALSE = lemma(PAPER, "one_client_false", size(client) * largest(share) <= 10)
WIDE = lemma(PAPER, "wide", norm(x, "1") <= sqrt(size(x)) * norm(x))
WIDE_FALSE = lemma(PAPER, "wide_false", norm(x, "1") <= 10 * norm(x))
BENT = lemma(PAPER, "bent", norm(h.gradient(x)) ** 2 >= 2 * mu * (h(x) - h.lowest))
BENT_FALSE = lemma(PAPER, "bent_false", h(y) >= h(x) + inner(h.gradient(x), y - x))
GROWN = lemma(PAPER, "grown", w[N] <= 4 * w[0])
GROWN_FALSE = lemma(PAPER, "grown_false", w[N] <= Rational(18, 5) * w[0])
NEARLY = lemma(PAPER, "nearly", 1 / (1 - ratio) <= 1 + 2 * ratio, conditions=[2 * N * ratio <= 1])
NEARLY_FALSE = lemma(
    PAPER, "nearly_false", 1 / (1 - ratio) <= 1 + 2 * ratio, conditions=[100 * N * ratio <= 51]
)
DISTANT = lemma(PAPER, "distant", log(ratio) <= ratio - 1)
DISTANT_FALSE = lemma(PAPER, "distant_false", log(ratio) <= 30)
squared = sequence("squared", last=N, next_at_most=lambda a: a**2)
SQUARED = lemma(PAPER, "squared", squared[N] <= squared[0] ** (2**N))
SQUARED_FALSE = lemma(PAPER, "squared_false", squared[N] <= squared[0] ** (2 * N))
# One minimizer, from which downhill may lead away where f is Lojasiewicz and not convex.
strong = function("strong", smooth=L, strongly_convex=mu)
TOWARD = lemma(PAPER, "toward", inner(strong.gradient(x), x - nearest_minimizer(strong, x)) >= 0)
TOWARD_FALSE = lemma(PAPER, "toward_false", inner(h.gradient(x), x - nearest_minimizer(h, x)) >= 0)
