"""Trimmed means of numbers and of vectors, under a condition that is linear in how many are dropped."""

from fedbounds import (
    NATURAL,
    REAL,
    equals,
    index,
    lemma,
    mean,
    median,
    norm,
    number,
    size,
    smallest,
    trimmed_mean,
    vector,
)
from their_lemmas import PAPER

i = index("i")
a, v, b = number("level", REAL, over=i), vector("v", over=i), number("dropped", NATURAL)
some_left = [size(i) >= 2 * b + 1]
kept, spread = trimmed_mean(a, b), mean((a - mean(a)) ** 2)
moved = norm(trimmed_mean(v, b) - mean(v)) ** 2

ALL = lemma(PAPER, "trimmed.all", equals(trimmed_mean(a, 0), mean(a)))
ALL_FALSE = lemma(PAPER, "trimmed.all_false", equals(kept, mean(a)), conditions=some_left)
INSIDE = lemma(PAPER, "trimmed.inside", kept >= smallest(a), conditions=some_left)
INSIDE_FALSE = lemma(
    PAPER, "trimmed.inside_false", abs(kept - median(a)) <= abs(mean(a) - median(a)), conditions=some_left
)
NEAR = lemma(PAPER, "trimmed.near", (kept - mean(a)) ** 2 <= b / (size(i) - b) * spread, conditions=some_left)
NEAR_FALSE = lemma(
    PAPER, "trimmed.near_false", (kept - mean(a)) ** 2 <= b / size(i) * spread, conditions=some_left
)
DEVIATION = mean(norm(v - mean(v)) ** 2)
MOVED = lemma(PAPER, "trimmed.moved", moved <= b / (size(i) - b) * DEVIATION, conditions=some_left)
MOVED_FALSE = lemma(PAPER, "trimmed.moved_false", moved <= b / size(i) * DEVIATION, conditions=some_left)
