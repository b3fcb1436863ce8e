"""Identities and inequalities of vectors, matrices, means and expectations."""

from bounds.language.dimension import ONE, X
from bounds.language.quantity import NON_NEGATIVE, POSITIVE
from fedbounds import (
    clip,
    equals,
    expected,
    frobenius,
    function,
    index,
    inner,
    lemma,
    matrix,
    mean,
    norm,
    number,
    positive_part,
    random_vector,
    size,
    total,
    trace,
    vector,
)
from their_lemmas import PAPER

x, y, z = vector("x"), vector("y"), vector("z")
a, C = number("a", POSITIVE, ONE), number("C", POSITIVE, X)
G, L = number("G", POSITIVE), number("L", POSITIVE)
sigma, R = number("sigma", NON_NEGATIVE, X), number("R", POSITIVE, X)
lam = number("lam", POSITIVE, ONE)
i = index("i")
v = vector("v", over=i)
u = vector("u", unit=True)
w = vector("w", longest=R)
V, W = random_vector("V"), random_vector("W", deviation=sigma)
A, S = matrix("A"), matrix("S", semidefinite=True, largest=lam)
k = function("k", lipschitz=G, convex=True)
q = function("q", over=i, smooth=L)
both = mean(q.gradient(x)) - mean(q.gradient(y))

THREE_POINTS = lemma(
    PAPER,
    "three_points",
    equals(2 * inner(x - y, x - z), norm(x - y) ** 2 + norm(x - z) ** 2 - norm(y - z) ** 2),
)
THREE_POINTS_FALSE = lemma(
    PAPER,
    "three_points_false",
    equals(2 * inner(x - y, x - z), norm(x - y) ** 2 + norm(x - z) ** 2 + norm(y - z) ** 2),
)
YOUNG = lemma(PAPER, "young", inner(x, y) <= a / 2 * norm(x) ** 2 + norm(y) ** 2 / (2 * a))
YOUNG_FALSE = lemma(PAPER, "young_false", inner(x, y) <= a / 2 * norm(x) ** 2 + norm(y) ** 2 / (4 * a))
RELAXED = lemma(PAPER, "relaxed", norm(x + y) ** 2 <= (1 + a) * norm(x) ** 2 + (1 + 1 / a) * norm(y) ** 2)
RELAXED_FALSE = lemma(PAPER, "relaxed_false", norm(x + y) ** 2 <= (1 + a) * norm(x) ** 2 + norm(y) ** 2 / a)
JENSEN = lemma(PAPER, "jensen", norm(mean(v)) ** 2 <= mean(norm(v) ** 2))
JENSEN_FALSE = lemma(PAPER, "jensen_false", norm(total(v)) ** 2 <= total(norm(v) ** 2))  # n is lost
SUM = lemma(PAPER, "sum", norm(total(v)) ** 2 <= size(i) * total(norm(v) ** 2))
SUM_FALSE = lemma(PAPER, "sum_false", norm(total(v)) ** 2 <= size(i) / 2 * total(norm(v) ** 2))
VARIANCE = lemma(
    PAPER,
    "variance",
    equals(expected(norm(V - x) ** 2), expected(norm(V - expected(V)) ** 2) + norm(expected(V) - x) ** 2),
)
VARIANCE_FALSE = lemma(
    PAPER,
    "variance_false",
    equals(expected(norm(V - x) ** 2), expected(norm(V) ** 2) + norm(expected(V) - x) ** 2),
)
NOISE = lemma(PAPER, "noise", expected(norm(x + W) ** 2) <= norm(x) ** 2 + sigma**2)
NOISE_FALSE = lemma(PAPER, "noise_false", expected(norm(x + W) ** 2) <= norm(x) ** 2 + sigma**2 / 2)
NOISE_NOT_CENTERED = lemma(
    PAPER, "noise_not_centered", expected(norm(x + V) ** 2) <= norm(x) ** 2 + expected(norm(V) ** 2)
)
CLIP_LENGTH = lemma(PAPER, "clip_length", norm(clip(x, C)) <= C)
CLIP_LENGTH_FALSE = lemma(PAPER, "clip_length_false", norm(clip(x, C)) <= C / 2)
CLIP = lemma(PAPER, "clip", norm(clip(x, C) - clip(y, C)) <= norm(x - y))
CLIP_FALSE = lemma(PAPER, "clip_false", norm(clip(x, C) - clip(y, C)) <= norm(x - y) / 2)
PROJECTION = lemma(PAPER, "projection", inner(x - positive_part(x), positive_part(y) - positive_part(x)) <= 0)
PROJECTION_FALSE = lemma(PAPER, "projection_false", inner(x - positive_part(x), y - positive_part(x)) <= 0)
BOUNDED = lemma(PAPER, "bounded", norm(k.gradient(x)) <= G)
BOUNDED_FALSE = lemma(PAPER, "bounded_false", norm(k.gradient(x)) <= G / 2)
MATRIX = lemma(PAPER, "matrix", norm(A @ x) <= norm(A) * norm(x))
MATRIX_FALSE = lemma(PAPER, "matrix_false", norm(A @ x) <= norm(A) * norm(x) ** 2)
FROBENIUS = lemma(PAPER, "frobenius", norm(A) <= frobenius(A))
FROBENIUS_FALSE = lemma(PAPER, "frobenius_false", frobenius(A) <= norm(A))
SEMIDEFINITE = lemma(PAPER, "semidefinite", norm(S @ x) ** 2 <= lam * inner(x, S @ x))
SEMIDEFINITE_FALSE = lemma(PAPER, "semidefinite_false", norm(S @ x) ** 2 <= lam / 2 * inner(x, S @ x))
TRACE = lemma(PAPER, "trace", norm(S) <= trace(S))
TRACE_FALSE = lemma(PAPER, "trace_false", trace(S) <= norm(S))
UNIT = lemma(PAPER, "unit", inner(u, w) <= R)
UNIT_FALSE = lemma(PAPER, "unit_false", inner(u, w) <= R / 2)
CLIENTS = lemma(PAPER, "clients", norm(both) <= L * norm(x - y))
CLIENTS_FALSE = lemma(PAPER, "clients_false", norm(both) <= L / 2 * norm(x - y))
