"""Random subsets, the largest coordinates, and numbers in order."""

from fedbounds import (
    POSITIVE_INTEGER,
    REAL,
    equals,
    expected,
    index,
    lemma,
    mean,
    norm,
    number,
    random_subset,
    size,
    smallest,
    top,
    total,
    vector,
)
from their_lemmas import PAPER

x, y = vector("x"), vector("y")
k, m = number("k", POSITIVE_INTEGER), number("m", POSITIVE_INTEGER)
i = index("i")
n, v, a = size(i), vector("v", over=i), number("z", REAL, over=i)
B = random_subset("B", i, m)
s, t = (number(name, REAL, over=i, increasing=True) for name in ("o", "r"))
away = norm(x - top(x, k)) ** 2
noise, spread = norm(total(B * v, i) / m - mean(v, i)) ** 2, mean(norm(v - mean(v, i)) ** 2, i)

TOP = lemma(PAPER, "top", away <= (1 - k / size(x)) * norm(x) ** 2, conditions=[k <= size(x)])
TOP_FALSE = lemma(
    PAPER, "top_false", away <= (1 - k / size(x)) ** 2 * norm(x) ** 2, conditions=[k <= size(x)]
)
KEPT = lemma(PAPER, "kept", norm(top(x, k)) <= norm(x))
KEPT_FALSE = lemma(PAPER, "kept_false", norm(top(x, k) - top(y, k)) <= norm(x - y))
WITHOUT = lemma(
    PAPER, "without", equals(expected(noise), (n - m) / (m * (n - 1)) * spread), conditions=[n >= 2]
)
WITHOUT_FALSE = lemma(PAPER, "without_false", equals(expected(noise), spread / m), conditions=[n >= 2])
SCALED = lemma(
    PAPER, "scaled", equals(expected(total((n / m * B * a - a) ** 2, i)), (n / m - 1) * total(a**2, i))
)
SCALED_FALSE = lemma(
    PAPER, "scaled_false", expected(total((n / m * B * a - a) ** 2, i)) <= (n / m - 1) / 2 * total(a**2, i)
)
ORDERED = lemma(PAPER, "ordered", mean(s) * mean(t) <= mean(s * t))
ORDERED_FALSE = lemma(PAPER, "ordered_false", mean(s) * mean(a) <= mean(s * a))
LEAST = lemma(PAPER, "least", smallest(a) <= mean(a))
LEAST_FALSE = lemma(PAPER, "least_false", smallest(a) >= mean(a))
