"""Sequences that name each other, any ones, and such as a formula gives."""

from fedbounds import (
    POSITIVE,
    POSITIVE_INTEGER,
    exp,
    largest,
    lemma,
    number,
    sequence,
    smallest,
    sqrt,
    total,
)
from their_lemmas import PAPER

M = number("M", POSITIVE_INTEGER)
p, a, b, c = (number(name, POSITIVE) for name in ("decay", "rate_a", "rate_b", "rate_c"))
s = sequence("s", last=M, next_at_most=lambda s_k: c * s_k)
r = sequence("r", last=M, next_at_most=lambda r_k, k: (1 - a) * r_k + b * s[k])
u = sequence("u", last=M, next_at_most=lambda u_k, k: a * u_k + b * v[k])
v = sequence("v", last=M, next_at_most=lambda v_k, k: a * v_k + b * u[k])
d, e = sequence("d", last=M), sequence("e", last=M)
w = sequence("w", last=M, next_at_most=lambda w_k, k: w_k - d[k] + e[k])
roots = sequence("t", last=M, equal_to=lambda k: 1 / sqrt(k + 1))
weights = sequence("g", last=M, equal_to=lambda k: (1 - p) ** k)
weighted = sequence("m", last=M, equal_to=lambda k: weights[k] * d[k])
grown = sequence("n", last=M, next_at_most=lambda n_k, k: (1 + e[k]) * n_k)
falls = [a <= 1, c <= 1 - a]
first = (1 - a) ** M * r[0]

DRIVEN = lemma(PAPER, "driven", r[M] <= first + b * s[0] * M * (1 - a) ** (M - 1), conditions=falls)
DRIVEN_FALSE = lemma(PAPER, "driven_false", r[M] <= first + b * s[0] * (1 - a) ** (M - 1), conditions=falls)
MUTUAL = lemma(PAPER, "mutual", u[M] + v[M] <= (a + b) ** M * (u[0] + v[0]))
MUTUAL_FALSE = lemma(PAPER, "mutual_false", u[M] <= (a + b) ** M * u[0])
SUMMED = lemma(PAPER, "summed", total(d) - d[M] <= w[0] - w[M] + total(e) - e[M])
SUMMED_FALSE = lemma(PAPER, "summed_false", total(d) - d[M] <= w[0] + (total(e) - e[M]) / 2)
LEAST = lemma(PAPER, "least", smallest(d) <= total(d) / (M + 1))
LEAST_FALSE = lemma(PAPER, "least_false", largest(d) <= 2 * total(d) / (M + 1))
ROOTS = lemma(PAPER, "roots", total(roots) <= 2 * sqrt(M + 1))
ROOTS_FALSE = lemma(PAPER, "roots_false", total(roots) <= 3 * sqrt(M + 1) / 2)
WEIGHTED = lemma(PAPER, "weighted", smallest(d) * total(weights) <= total(weighted), conditions=[p < 1])
WEIGHTED_FALSE = lemma(
    PAPER, "weighted_false", smallest(d) * total(weights) >= total(weighted), conditions=[p < 1]
)
GRONWALL = lemma(PAPER, "gronwall", grown[M] <= grown[0] * exp(total(e)))
GRONWALL_FALSE = lemma(PAPER, "gronwall_false", grown[M] <= grown[0] * (1 + total(e)))
