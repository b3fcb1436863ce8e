"""Random vectors of several clients, independent of each other."""

from bounds.language.dimension import X
from bounds.language.quantity import NON_NEGATIVE
from fedbounds import equals, expected, index, lemma, mean, norm, number, random_vector, size, total, vector
from their_lemmas import PAPER

i = index("i")
sigma = number("sigma", NON_NEGATIVE, X)
A, B = random_vector("A", centered=True, over=i), random_vector("B", over=i)
N = random_vector("N", deviation=sigma, over=i)
p = number("p", NON_NEGATIVE, over=i, weights=True)
u = vector("u", over=i)

mean_square = mean(expected(norm(A) ** 2), i)
AVERAGED = lemma(PAPER, "averaged", equals(expected(norm(mean(A, i)) ** 2), mean_square / size(i)))
AVERAGED_FALSE = lemma(PAPER, "averaged_false", equals(expected(norm(mean(A, i)) ** 2), mean_square))
spread = expected(norm(mean(B, i) - mean(expected(B), i)) ** 2)
around = mean(expected(norm(B - expected(B)) ** 2), i)
CENTERED = lemma(PAPER, "centered", equals(spread, around / size(i)))
CENTERED_FALSE = lemma(PAPER, "centered_false", equals(spread, mean(expected(norm(B) ** 2), i) / size(i)))
sampled, still = expected(norm(total(p * (u + N), i)) ** 2), norm(total(p * u, i)) ** 2
NOISY = lemma(PAPER, "noisy", sampled <= still + sigma**2 * total(p**2, i))
NOISY_FALSE = lemma(PAPER, "noisy_false", sampled <= still + sigma**2 / size(i))
