"""Tails of random vectors and of sums of independent ones."""

from fedbounds import (
    OPEN_UNIT,
    POSITIVE,
    X,
    expected,
    index,
    inner,
    lemma,
    mean,
    norm,
    number,
    probability,
    random_vector,
    size,
    total,
    vector,
)
from their_lemmas import PAPER

far, theta = number("far", POSITIVE, X), number("theta", OPEN_UNIT)
V, u, i = random_vector("V"), vector("u", unit=True), index("i")
Z = random_vector("Z", over=i, centered=True)
length = expected(norm(V))
middle, second = expected(V), expected(norm(V) ** 2)
spread = expected(norm(V - middle) ** 2)
along = inner(V - middle, u)
variance = expected(along**2)

MARKOV = lemma(PAPER, "markov", probability(norm(V) >= far) <= length / far)
MARKOV_FALSE = lemma(PAPER, "markov_false", probability(norm(V) >= far) <= length / (2 * far))
apart = norm(V - middle)
CHEBYSHEV = lemma(PAPER, "chebyshev", probability(apart >= far) <= spread / far**2)
CHEBYSHEV_FALSE = lemma(PAPER, "chebyshev_false", probability(norm(V) >= far) <= spread / far**2)
CANTELLI = lemma(PAPER, "cantelli", probability(along >= far) <= variance / (variance + far**2))
CANTELLI_FALSE = lemma(
    PAPER, "cantelli_false", probability(along >= far) <= variance / (variance + 2 * far**2)
)
CHANCE = lemma(
    PAPER, "chance", probability(norm(V) > theta * length) * second >= (1 - theta) ** 2 * length**2
)
CHANCE_FALSE = lemma(PAPER, "chance_false", probability(norm(V) > theta * length) >= (1 - theta) ** 2)
AVERAGED = lemma(
    PAPER,
    "averaged",
    probability(norm(mean(Z, i)) >= far) <= total(expected(norm(Z) ** 2), i) / (size(i) * far) ** 2,
)
AVERAGED_FALSE = lemma(
    PAPER,
    "averaged_false",
    probability(norm(mean(Z, i)) >= far) <= total(expected(norm(Z) ** 2), i) / (2 * (size(i) * far) ** 2),
)

# Nothing but a threshold beside an outcome shows that the square of 1 - theta is needed.
share = probability(norm(V) >= theta * length)
PALEY = lemma(PAPER, "paley", share >= (1 - theta) ** 2 * length**2 / second)
PALEY_FALSE = lemma(PAPER, "paley_false", share >= (1 - theta) * length**2 / second)
SHARP_FALSE = lemma(PAPER, "sharp_false", probability(along >= far) <= variance / (variance + 6 * far**2 / 5))
