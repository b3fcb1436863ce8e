"""Medians of numbers and of vectors, and quotients whose divisor is what is left of large numbers."""

from fedbounds import (
    POSITIVE,
    REAL,
    X,
    clip,
    index,
    inner,
    lemma,
    mean,
    median,
    norm,
    number,
    sqrt,
    total,
    vector,
)
from their_lemmas import PAPER

i = index("i")
a, c, C = number("score", REAL, over=i), number("guess", REAL), number("cap", POSITIVE, 1 / X)
v, x, y, s = vector("v", over=i), vector("x"), vector("y"), number("tiny", POSITIVE)
# s^4 ||y||^2, of which s of 1e-14 leaves not even a rounding in 50 digits
left_over = norm(x + s**2 * y) ** 2 - 2 * inner(x, s**2 * y) - norm(x) ** 2

NEAR = lemma(PAPER, "near", (median(a) - mean(a)) ** 2 <= mean((a - mean(a)) ** 2))
NEAR_FALSE = lemma(PAPER, "near_false", (median(a) - mean(a)) ** 2 <= mean((a - mean(a)) ** 2) / 4)
# It takes five of two values: of three the ratio is 0.707.
BALANCED_FALSE = lemma(
    PAPER, "balanced_false", abs(median(a) - mean(a)) <= 3 * sqrt(mean((a - mean(a)) ** 2)) / 4
)
LEAST = lemma(PAPER, "least", total(abs(a - median(a)), i) <= total(abs(a - c), i))
LEAST_FALSE = lemma(PAPER, "least_false", total(abs(a - mean(a)), i) <= total(abs(a - c), i))
SPREAD = lemma(PAPER, "spread", norm(median(v) - mean(v)) ** 2 <= mean(norm(v - mean(v)) ** 2))
SPREAD_FALSE = lemma(PAPER, "spread_false", norm(median(v)) <= mean(norm(v)))
DIVIDED = lemma(PAPER, "divided", inner(clip(y / left_over, C), y) >= 0)
DIVIDED_FALSE = lemma(PAPER, "divided_false", inner(clip(y / left_over, C), y) <= 0)
