"""Sequences and assumptions of the author's own."""

from bounds.language.dimension import ONE
from bounds.language.quantity import NATURAL, NON_NEGATIVE, OPEN_UNIT
from fedbounds import assume, inner, lemma, norm, number, sequence, total, vector
from their_lemmas import PAPER

K = number("K", NATURAL, ONE)
q, b = number("q", OPEN_UNIT, ONE), number("b", NON_NEGATIVE, ONE)
a = sequence("a", last=K, next_at_most=lambda a_k: (1 - q) * a_k + b)
s = sequence("s", last=K, next_at_most=lambda s_k: (1 - q) * s_k)
h = sequence("h", last=K, next_at_most=lambda h_k, k: (1 - 2 / (k + 2)) * h_k + 2 * b / (k + 2) ** 2)
x, y = vector("x"), vector("y")
obtuse = assume("x and y enclose an obtuse angle", lambda x, y: (x * y).sum(axis=-1) <= 0)
never = assume("x is longer than any vector", lambda x: (x * x).sum(axis=-1) > 1e300)

UNROLLED = lemma(PAPER, "unrolled", a[K] <= (1 - q) ** K * a[0] + b / q)
UNROLLED_FALSE = lemma(PAPER, "unrolled_false", a[K] <= (1 - q) ** K * a[0] + b)
GEOMETRIC = lemma(PAPER, "geometric", total(s) <= s[0] / q)
GEOMETRIC_FALSE = lemma(PAPER, "geometric_false", total(s) <= s[0] / (2 * q))
# The gap of Frank-Wolfe, whose steps are 2/(k + 2).
FRANK_WOLFE = lemma(PAPER, "frank_wolfe", h[K] <= 2 * b / (K + 2), conditions=[K >= 1])
FRANK_WOLFE_FALSE = lemma(PAPER, "frank_wolfe_false", h[K] <= b / (K + 2), conditions=[K >= 1])
OBTUSE = lemma(PAPER, "obtuse", norm(x + y) ** 2 <= norm(x) ** 2 + norm(y) ** 2, assumptions=(obtuse,))
OBTUSE_FALSE = lemma(PAPER, "obtuse_false", norm(x + y) ** 2 <= norm(x) ** 2 + norm(y) ** 2)
EMPTY = lemma(PAPER, "empty", norm(x) <= 0, assumptions=(never,))
SHARP_EMPTY = lemma(
    PAPER, "sharp", inner(x, y) <= norm(x) * norm(y), conditions=(norm(x) <= norm(y) / 10**6,)
)
