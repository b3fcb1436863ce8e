"""Matrices with rows and columns of their own, singular values, pseudo-inverses and determinants."""

from fedbounds import (
    POSITIVE,
    POSITIVE_INTEGER,
    determinant,
    eigenvalue,
    equals,
    expected,
    frobenius,
    identity,
    inner,
    inverse,
    lemma,
    log,
    matrix,
    norm,
    nuclear,
    number,
    outer,
    pseudo_inverse,
    random_vector,
    singular_value,
    sqrt,
    trace,
    vector,
)
from their_lemmas import PAPER

m, n, place = (number(name, POSITIVE_INTEGER) for name in ("m", "n", "place"))
alpha = number("alpha", POSITIVE)
A, B = matrix("A", rows=m, columns=n), matrix("B", rows=m, columns=n)
C = matrix("C", rows=n, columns=m)
S = matrix("S", rows=n, columns=n, semidefinite=True)
x, y = vector("x", size=n), vector("y", size=m)
V = random_vector("V", size=n)
placed = [place <= m, place <= n]
again = pseudo_inverse(A)

IMAGE = lemma(PAPER, "image", norm(A @ x) <= norm(A) * norm(x))
IMAGE_FALSE = lemma(PAPER, "image_false", norm(A.T @ y) >= norm(A) * norm(y) / 2)
NUCLEAR = lemma(PAPER, "nuclear", nuclear(A) <= sqrt(m) * frobenius(A))
NUCLEAR_FALSE = lemma(PAPER, "nuclear_false", nuclear(A) <= frobenius(A))
DUAL = lemma(PAPER, "dual", trace(A.T @ B) <= norm(A) * nuclear(B))
DUAL_FALSE = lemma(PAPER, "dual_false", trace(A.T @ B) <= norm(A) * norm(B))
ADDED = lemma(PAPER, "added", nuclear(A + B) <= nuclear(A) + nuclear(B))
ADDED_FALSE = lemma(PAPER, "added_false", nuclear(A + B) ** 2 <= nuclear(A) ** 2 + nuclear(B) ** 2)
BESIDE = lemma(
    PAPER, "beside", singular_value(A + B, place) <= singular_value(A, place) + norm(B), conditions=placed
)
BESIDE_FALSE = lemma(
    PAPER,
    "beside_false",
    singular_value(A + B, place) <= singular_value(A, place) + singular_value(B, place),
    conditions=placed,
)
CHAINED = lemma(PAPER, "chained", frobenius(A @ C) <= norm(A) * frobenius(C))
CHAINED_FALSE = lemma(PAPER, "chained_false", frobenius(A @ C) <= norm(A) * norm(C))
NEAREST = lemma(PAPER, "nearest", norm(A @ (again @ y) - y) <= norm(A @ x - y))
NEAREST_FALSE = lemma(PAPER, "nearest_false", norm(again @ y - x) <= norm(A @ x - y))
ONCE_MORE = lemma(PAPER, "once_more", equals(inner(y, A @ (again @ (A @ x))), inner(y, A @ x)))
ONCE_MORE_FALSE = lemma(PAPER, "once_more_false", equals(inner(x, again @ (A @ x)), norm(x) ** 2))
RIDGE = lemma(PAPER, "ridge", norm(inverse(A.T @ A + alpha * identity(S)) @ A.T) <= 1 / (2 * sqrt(alpha)))
RIDGE_FALSE = lemma(PAPER, "ridge_false", norm(inverse(A.T @ A + alpha * identity(S))) <= 1 / (2 * alpha))
VOLUME = lemma(PAPER, "volume", log(determinant(identity(S) + S)) <= trace(S))
VOLUME_FALSE = lemma(PAPER, "volume_false", log(determinant(identity(S) + S)) <= trace(S) / 2)
UPDATED = lemma(PAPER, "updated", equals(determinant(identity(S) + outer(x, x)), 1 + norm(x) ** 2))
UPDATED_FALSE = lemma(PAPER, "updated_false", equals(determinant(identity(S) + outer(x, x)), norm(x) ** 2))
TWO = lemma(PAPER, "two", eigenvalue(S, 1) + eigenvalue(S, 2) <= trace(S))
TWO_FALSE = lemma(PAPER, "two_false", eigenvalue(S, 1) + 2 * eigenvalue(S, 2) <= trace(S))
SPREAD = lemma(PAPER, "spread", equals(expected(norm(A @ V) ** 2), trace(A @ expected(outer(V, V)) @ A.T)))
SPREAD_FALSE = lemma(
    PAPER, "spread_false", expected(norm(A @ V) ** 2) <= norm(A) ** 2 * norm(expected(V)) ** 2
)
