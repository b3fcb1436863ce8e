"""Pairs of clients, averages over neighbors, and one matrix for each client."""

from bounds.language.dimension import F, X
from bounds.language.quantity import OPEN_UNIT, POSITIVE, POSITIVE_INTEGER
from fedbounds import (
    another,
    at,
    equals,
    expected,
    frobenius,
    index,
    inner,
    inverse,
    largest,
    lemma,
    matrix,
    mean,
    mixed,
    mixing_matrix,
    norm,
    number,
    random_subset,
    size,
    total,
    trace,
    vector,
)
from their_lemmas import PAPER

i = index("i")
j = another(i, "j")
n, v, x = size(i), vector("v", over=i), vector("x")
p = number("share", over=i, weights=True)
mu, L, q = number("mu", POSITIVE), number("L", POSITIVE), number("gap", OPEN_UNIT)
H = matrix("H", over=i, symmetric=True, smallest=mu, largest=L, dimension=F / X**2)
A = matrix("A", over=i)
W = mixing_matrix("W", i, gap=q)
S = random_subset("S", i, number("m", POSITIVE_INTEGER))
apart, spread = norm(v - at(v, j)) ** 2, norm(v - mean(v, i)) ** 2
mixed_apart = total(norm(mixed(W, v) - mean(v, i)) ** 2, i)

PAIRS = lemma(PAPER, "pairs", equals(total(total(apart, j), i), 2 * n * total(spread, i)))
PAIRS_FALSE = lemma(PAPER, "pairs_false", equals(total(total(apart, j), i), n * total(spread, i)))
own = norm(v - total(p * v, i)) ** 2
WEIGHTED = lemma(PAPER, "weighted", equals(total(total(p * at(p, j) * apart, j), i), 2 * total(p * own, i)))
WEIGHTED_FALSE = lemma(  # the mean without weights
    PAPER, "weighted_false", equals(total(total(p * at(p, j) * apart, j), i), 2 * total(p * spread, i))
)
WIDEST = lemma(PAPER, "widest", largest(spread, i) <= largest(largest(apart, j), i))
WIDEST_FALSE = lemma(PAPER, "widest_false", largest(largest(apart, j), i) <= 2 * largest(spread, i))
both = total(total(expected(S * at(S, j)), j), i)
CHOSEN = lemma(PAPER, "chosen", equals(both, number("m", POSITIVE_INTEGER) ** 2))
CHOSEN_FALSE = lemma(PAPER, "chosen_false", equals(both, number("m", POSITIVE_INTEGER)))
GOSSIP = lemma(PAPER, "gossip", mixed_apart <= (1 - q) ** 2 * total(spread, i))
GOSSIP_FALSE = lemma(PAPER, "gossip_false", mixed_apart <= (1 - q) ** 4 * total(spread, i))
KEEPS = lemma(PAPER, "keeps", equals(norm(mean(mixed(W, v), i)) ** 2, norm(mean(v, i)) ** 2))
KEEPS_FALSE = lemma(PAPER, "keeps_false", equals(mean(norm(mixed(W, v)) ** 2, i), norm(mean(v, i)) ** 2))
CURVED = lemma(PAPER, "curved", inner(x, mean(H, i) @ x) >= mu * norm(x) ** 2)
CURVED_FALSE = lemma(PAPER, "curved_false", inner(x, mean(H, i) @ x) >= 2 * mu * norm(x) ** 2)
INVERSES = lemma(PAPER, "inverses", trace(inverse(mean(H, i))) <= mean(trace(inverse(H)), i))
INVERSES_FALSE = lemma(PAPER, "inverses_false", trace(inverse(mean(H, i))) >= mean(trace(inverse(H)), i))
between = total(total(frobenius(A - at(A, j)) ** 2, j), i)
ENTRIES = lemma(PAPER, "entries", equals(between, 2 * n * total(frobenius(A - mean(A, i)) ** 2, i)))
ENTRIES_FALSE = lemma(PAPER, "entries_false", equals(between, 2 * total(frobenius(A - mean(A, i)) ** 2, i)))
