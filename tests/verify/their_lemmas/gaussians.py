"""Moments of Gaussian vectors, and their norm in many dimensions."""

from fedbounds import (
    POSITIVE,
    POSITIVE_INTEGER,
    X,
    chi_square_tail,
    equals,
    exp,
    expected,
    frobenius,
    gaussian_length,
    gaussian_vector,
    inner,
    lemma,
    matrix,
    norm,
    number,
    size,
    sqrt,
    trace,
    vector,
)
from their_lemmas import PAPER

s = number("each", POSITIVE, X)
Z, Y, u, S = gaussian_vector("Z", deviation=s), gaussian_vector("Y"), vector("u"), matrix("S", symmetric=True)
d, t = number("coordinates", POSITIVE_INTEGER), number("away", POSITIVE)
far = expected(norm(Z) ** 4)
spread = expected((inner(Z, S @ Z) - s**2 * trace(S)) ** 2)
along = expected(inner(u, Z) ** 2 * norm(Z) ** 2)

FOURTH = lemma(PAPER, "gaussians.fourth", equals(far, size(Z) * (size(Z) + 2) * s**4))
FOURTH_FALSE = lemma(PAPER, "gaussians.fourth_false", far <= (size(Z) ** 2 + size(Z)) * s**4)
ALONG = lemma(PAPER, "gaussians.along", along <= (size(Z) + 2) * s**4 * norm(u) ** 2)
ALONG_FALSE = lemma(PAPER, "gaussians.along_false", along <= (size(Z) + 1) * s**4 * norm(u) ** 2)
FORM = lemma(PAPER, "gaussians.form", spread <= 2 * s**4 * frobenius(S) ** 2)
FORM_FALSE = lemma(PAPER, "gaussians.form_false", spread <= 3 * s**4 * frobenius(S) ** 2 / 2)
TWO = lemma(PAPER, "gaussians.two", equals(expected(inner(Z, Y) ** 2), size(Z) * s**2))
TWO_FALSE = lemma(PAPER, "gaussians.two_false", expected(inner(Z, Y) ** 4) <= size(Z) ** 2 * s**4)
LENGTH = lemma(PAPER, "gaussians.length", gaussian_length(d) >= d / sqrt(d + 1))
LENGTH_FALSE = lemma(PAPER, "gaussians.length_false", gaussian_length(d) >= sqrt(d) - 1 / (5 * sqrt(d)))
TAIL = lemma(PAPER, "gaussians.tail", chi_square_tail(d + 2 * sqrt(d * t) + 2 * t, d) <= exp(-t))
TAIL_FALSE = lemma(PAPER, "gaussians.tail_false", chi_square_tail(d + 2 * sqrt(d * t) + t, d) <= exp(-t))
