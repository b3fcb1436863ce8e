"""Sequences that name the next place, hold with equality, or fall as far as zero; Gaussian tails."""

from sympy import Rational

from bounds.language.quantity import NON_NEGATIVE, OPEN_UNIT, POSITIVE, POSITIVE_INTEGER
from fedbounds import (
    equals,
    exp,
    gaussian_density,
    gaussian_quantile,
    gaussian_tail,
    lemma,
    log,
    number,
    sequence,
    smallest,
    sqrt,
    total,
)
from their_lemmas import PAPER

K, eps, q = number("N", POSITIVE_INTEGER), number("shift", POSITIVE), number("part_kept", OPEN_UNIT)
t, r, p = number("from_0", NON_NEGATIVE), number("radius", POSITIVE), number("chance", OPEN_UNIT)
a, long = sequence("a", last=K), sequence("long", last=K + 1)
gap = sequence("gap", last=K, next_at_most=lambda gap_k, k: gap_k - a[k])
later = sequence("later", last=K, next_at_most=lambda later_k, k: (1 - q) * later_k + a[k + 1])
change = sequence("change", last=K, equal_to=lambda k: long[k] - long[k + 1], non_negative=False)
so_far = sequence("so_far", last=K, first=a[0], next_equal_to=lambda so_far_k, k: so_far_k + a[k + 1])
scaled = sequence("scaled", last=K, equal_to=lambda k: a[k] / sqrt(eps + so_far[k]))
shares = sequence("shares", last=K, equal_to=lambda k: a[k] / (eps + so_far[k]))
speed = sequence("speed", last=K, first=1, next_equal_to=lambda speed_k: (1 + sqrt(1 + 4 * speed_k**2)) / 2)
signed = sequence("signed", last=K, non_negative=False)
first = sequence(
    "m", last=K, first=0, next_equal_to=lambda m, k: q * m + (1 - q) * signed[k], non_negative=False
)
second = sequence("s", last=K, first=0, next_equal_to=lambda s, k: q * s + (1 - q) * signed[k] ** 2)

SPENT = lemma(PAPER, "spent", total(a) - a[K] <= gap[0])
SPENT_FALSE = lemma(PAPER, "spent_false", total(a) <= gap[0])
BEST = lemma(PAPER, "best", smallest(a) <= gap[0] / K)
BEST_FALSE = lemma(PAPER, "best_false", smallest(a) <= gap[0] / (K + 1))
LATER = lemma(PAPER, "later", later[K] <= (1 - q) ** K * later[0] + total(a) - a[0])
LATER_FALSE = lemma(PAPER, "later_false", later[K] <= (1 - q) ** K * later[0] + total(a) / 2)
CHANGES = lemma(PAPER, "changes", equals(total(change), long[0] - long[K + 1]))
CHANGES_FALSE = lemma(PAPER, "changes_false", equals(total(change), long[0] + long[K + 1]))
ADAGRAD = lemma(PAPER, "adagrad", total(scaled) <= 2 * sqrt(eps + total(a)))
ADAGRAD_FALSE = lemma(PAPER, "adagrad_false", total(scaled) <= sqrt(eps + total(a)))
SHARES = lemma(PAPER, "shares", total(shares) <= log(1 + total(a) / eps))
SHARES_FALSE = lemma(PAPER, "shares_false", total(shares) <= log(eps + total(a)))
SPEED = lemma(PAPER, "speed", speed[K] >= (K + 2) / 2)
SPEED_FALSE = lemma(PAPER, "speed_false", speed[K] >= K + 1)
MOMENTS = lemma(PAPER, "moments", first[K] ** 2 <= second[K])
MOMENTS_FALSE = lemma(PAPER, "moments_false", first[K] ** 2 <= (1 - q) * second[K])
TAIL = lemma(PAPER, "tail", gaussian_tail(t) <= exp(-(t**2) / 2) / 2)
TAIL_FALSE = lemma(PAPER, "tail_false", gaussian_tail(t) <= exp(-(t**2)) / 2)
MILLS = lemma(PAPER, "mills", gaussian_tail(r) >= gaussian_density(r) * r / (1 + r**2))
MILLS_FALSE = lemma(PAPER, "mills_false", gaussian_tail(r) >= gaussian_density(r) / r)
QUANTILE = lemma(PAPER, "quantile", gaussian_quantile(1 - p) <= sqrt(2 * log(1 / p)))
QUANTILE_FALSE = lemma(PAPER, "quantile_false", gaussian_quantile(1 - p) <= sqrt(log(1 / p)))
level = sqrt(2 * log(Rational(5, 4) / p)) / r
loss = gaussian_tail(r * level - 1 / (2 * level)) - exp(r) * gaussian_tail(r * level + 1 / (2 * level))
GAUSSIAN = lemma(PAPER, "gaussian", loss <= p, conditions=[r <= 1])
GAUSSIAN_FALSE = lemma(PAPER, "gaussian_false", loss <= p**2, conditions=[r <= 1])
