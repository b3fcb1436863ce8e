"""Moments of a Gaussian mechanism that sees a random share of the data: binomial numbers by a recursion."""

from bounds.language.quantity import OPEN_UNIT, POSITIVE, POSITIVE_INTEGER
from fedbounds import exp, lemma, log, number, sequence, total
from their_lemmas import PAPER

K, q, s = number("N", POSITIVE_INTEGER), number("part_kept", OPEN_UNIT), number("scale", POSITIVE)
ways = sequence("ways", last=K, first=1, next_equal_to=lambda ways_k, k: ways_k * (K - k) / (k + 1))
part = sequence("part", last=K, equal_to=lambda k: ways[k] * (1 - q) ** (K - k) * q**k)
moment = sequence("moment", last=K, equal_to=lambda k: part[k] * exp((k * k - k) / (2 * s**2)))

AMPLIFIED = lemma(PAPER, "amplified", log(total(moment)) <= K * (K - 1) / (2 * s**2))
AMPLIFIED_FALSE = lemma(PAPER, "amplified_false", log(total(moment)) <= q**2 * K * (K - 1) / s**2)
ABOVE = lemma(PAPER, "above", total(moment) >= 1)
ABOVE_FALSE = lemma(PAPER, "above_false", total(moment) >= 1 + q / 2)
