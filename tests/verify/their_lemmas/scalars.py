"""Lemmas with roots, exponentials and maxima, with the dimension, and sums that cancel to roundings."""

from bounds.language.dimension import ONE, X
from bounds.language.quantity import POSITIVE, POSITIVE_INTEGER, REAL
from fedbounds import (
    clip,
    equals,
    exp,
    function,
    index,
    inner,
    largest,
    lemma,
    log,
    matrix,
    maximum,
    mean,
    minimum,
    norm,
    number,
    positive_part,
    size,
    sqrt,
    total,
    vector,
)
from their_lemmas import PAPER

x, y = vector("x"), vector("y")
C, t, share = number("C", POSITIVE, X), number("t", REAL, ONE), number("share", POSITIVE, ONE)
N = number("N", POSITIVE_INTEGER, ONE)
L, mu = number("L", POSITIVE), number("mu", POSITIVE)
i = index("i")
v = vector("v", over=i)
p, w = number("p", over=i, weights=True), number("w", POSITIVE, over=i)
f = function("f", convex=True, smooth=L)
P = matrix("P", symmetric=True, smallest=mu, largest=L)
slopes = f.gradient(x) - f.gradient(y)
above = f(y) - f(x) - inner(f.gradient(x), y - x)
short = [share <= 1]

CUT = lemma(PAPER, "cut", equals(norm(clip(x, C) - x), positive_part(norm(x) - C)))
CUT_FALSE = lemma(PAPER, "cut_false", equals(norm(clip(x, C) - x), maximum(0, norm(x) - 2 * C)))
ALONG = lemma(PAPER, "along", inner(clip(x, C), x) >= norm(x) * minimum(norm(x), C))
ALONG_FALSE = lemma(PAPER, "along_false", inner(clip(x, C), x) >= norm(x) * C)
REVERSE = lemma(PAPER, "reverse", abs(norm(x) - norm(y)) <= norm(x - y))
REVERSE_FALSE = lemma(PAPER, "reverse_false", abs(norm(x) - norm(y)) >= norm(x - y))
POWER = lemma(PAPER, "power", (1 - share) ** N <= exp(-share * N), conditions=short)
POWER_FALSE = lemma(PAPER, "power_false", (1 - share) ** N <= exp(-2 * share * N), conditions=short)
LOGARITHM = lemma(PAPER, "logarithm", log(1 + share) <= share / sqrt(1 + share))
LOGARITHM_FALSE = lemma(PAPER, "logarithm_false", log(1 + share) <= share / (1 + share))
COSH = lemma(PAPER, "cosh", (exp(t) + exp(-t)) / 2 <= exp(t**2 / 2))
COSH_FALSE = lemma(PAPER, "cosh_false", (exp(t) + exp(-t)) / 2 <= exp(t**2 / 3))
ROOT = lemma(PAPER, "root", mean(norm(v)) <= sqrt(mean(norm(v) ** 2)))
ROOT_FALSE = lemma(PAPER, "root_false", mean(norm(v)) >= sqrt(mean(norm(v) ** 2)))
WEIGHTED = lemma(PAPER, "weighted", norm(total(p * v)) ** 2 <= total(p * norm(v) ** 2))
WEIGHTED_FALSE = lemma(PAPER, "weighted_false", norm(total(w * v)) ** 2 <= total(w * norm(v) ** 2))
MEAN_OF_LOGS = lemma(PAPER, "mean_of_logs", total(p * log(w)) <= log(total(p * w)))
MEAN_OF_LOGS_FALSE = lemma(PAPER, "mean_of_logs_false", total(p * log(w)) >= log(total(p * w)))
# The twins of these two are true in up to three and four dimensions.
COORDINATES = lemma(PAPER, "coordinates", norm(x, "1") <= sqrt(size(x)) * norm(x))
COORDINATES_FALSE = lemma(PAPER, "coordinates_false", norm(x, "1") <= 2 * norm(x))
LARGEST = lemma(PAPER, "largest", norm(x) ** 2 <= size(x) * norm(x, "max") ** 2)
LARGEST_FALSE = lemma(PAPER, "largest_false", norm(x) ** 2 <= 3 * norm(x, "max") ** 2)
# Both sides are roundings where the gradients agree, and where the step is one over the only curvature.
ABOVE = lemma(PAPER, "above", above >= norm(slopes) ** 2 / (2 * L))
ABOVE_FALSE = lemma(PAPER, "above_false", above >= 3 * norm(slopes) ** 2 / (5 * L))
SHRINKS = lemma(PAPER, "shrinks", norm(x - P @ x / L) <= (1 - mu / L) * norm(x))
SHRINKS_FALSE = lemma(PAPER, "shrinks_false", norm(x - 2 * (P @ x) / L) <= (1 - mu / L) * norm(x))
# Both sides are zero where the weights agree, and equal where there is one entry.
r, u = number("r", POSITIVE, over=i, weights=True), number("u", POSITIVE, over=i, weights=True)
z = number("z", REAL, over=i)
DIVERGENCE = lemma(PAPER, "divergence", total(r * log(r / u)) >= total(abs(r - u)) ** 2 / 2)
DIVERGENCE_FALSE = lemma(PAPER, "divergence_false", total(r * log(r / u)) >= total(abs(r - u)) ** 2)
SOFT_MAXIMUM = lemma(PAPER, "soft_maximum", log(total(exp(z))) <= largest(z) + log(size(i)))
SOFT_MAXIMUM_FALSE = lemma(PAPER, "soft_maximum_false", log(total(exp(z))) <= largest(z) + log(size(i)) / 2)
