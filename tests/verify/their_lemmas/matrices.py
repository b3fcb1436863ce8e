"""Norms, traces and eigenvalues of sums, products, powers, transposes and inverses of matrices."""

from fedbounds import (
    POSITIVE,
    POSITIVE_INTEGER,
    F,
    X,
    equals,
    expected,
    frobenius,
    identity,
    inner,
    inverse,
    largest_eigenvalue,
    lemma,
    matrix,
    norm,
    number,
    outer,
    random_vector,
    smallest_eigenvalue,
    sqrt,
    trace,
    vector,
)
from their_lemmas import PAPER

A, B = matrix("A"), matrix("B")
S = matrix("S", symmetric=True)
P, Q = matrix("P", semidefinite=True), matrix("Q", semidefinite=True)
L, mu = number("L", POSITIVE), number("mu", POSITIVE)
H = matrix("H", symmetric=True, smallest=mu, largest=L, dimension=F / X**2)
x, y, u = vector("x"), vector("y"), vector("u")
eta, N = number("eta", POSITIVE, X**2 / F), number("N", POSITIVE_INTEGER)
step, at_most = identity(H) - eta * H, norm(A) * norm(B)

PRODUCT = lemma(PAPER, "product", norm(A @ B) <= at_most)
PRODUCT_FALSE = lemma(PAPER, "product_false", equals(norm(A @ B), norm(B @ A)))
TRIANGLE = lemma(PAPER, "triangle", frobenius(A + B) <= frobenius(A) + frobenius(B))
TRIANGLE_FALSE = lemma(
    PAPER, "triangle_false", frobenius(A + B) ** 2 <= frobenius(A) ** 2 + frobenius(B) ** 2
)
MIXED = lemma(PAPER, "mixed", frobenius(A @ B) <= norm(A) * frobenius(B))
MIXED_FALSE = lemma(PAPER, "mixed_false", frobenius(A @ B) <= at_most)
GRAM = lemma(PAPER, "gram", equals(norm(A.T @ A), norm(A) ** 2))
GRAM_FALSE = lemma(PAPER, "gram_false", equals(norm(A @ A), norm(A) ** 2))
WEYL = lemma(PAPER, "weyl", largest_eigenvalue(S + P) >= largest_eigenvalue(S))
WEYL_FALSE = lemma(PAPER, "weyl_false", largest_eigenvalue(S + P) >= largest_eigenvalue(S) + trace(P) / 2)
LOWEST = lemma(PAPER, "lowest", smallest_eigenvalue(S + P) >= smallest_eigenvalue(S) + smallest_eigenvalue(P))
LOWEST_FALSE = lemma(
    PAPER, "lowest_false", smallest_eigenvalue(S + P) >= smallest_eigenvalue(S) + norm(P) / 2
)
DEFINITE = lemma(PAPER, "definite", smallest_eigenvalue(P) >= 0)
DEFINITE_FALSE = lemma(PAPER, "definite_false", smallest_eigenvalue(S) >= 0)
TRACES = lemma(PAPER, "traces", trace(P @ Q) <= norm(P) * trace(Q))
TRACES_FALSE = lemma(PAPER, "traces_false", trace(P @ Q) <= norm(P) * norm(Q))
POSITIVE_TRACE = lemma(PAPER, "positive_trace", trace(P @ Q) >= 0)
POSITIVE_TRACE_FALSE = lemma(PAPER, "positive_trace_false", inner(x, P @ (Q @ x)) >= 0)
SQUARED = lemma(PAPER, "square", inner(x, P**2 @ x) <= norm(P) * inner(x, P @ x))
SQUARED_FALSE = lemma(PAPER, "square_false", inner(x, (P + Q) ** 2 @ x) >= inner(x, P**2 @ x))
CYCLIC = lemma(PAPER, "cyclic", equals(trace(A @ B), trace(B @ A)))
CYCLIC_FALSE = lemma(PAPER, "cyclic_false", equals(trace(A @ B), trace(A.T @ B)))
CAUCHY = lemma(PAPER, "cauchy", trace(A.T @ B) <= frobenius(A) * frobenius(B))
CAUCHY_FALSE = lemma(PAPER, "cauchy_false", trace(A.T @ B) <= norm(A) * frobenius(B))
SHRINKS = lemma(PAPER, "contract", norm(step) <= 1 - eta * mu, conditions=[eta <= 2 / (L + mu)])
SHRINKS_FALSE = lemma(PAPER, "contract_false", norm(step) <= 1 - eta * mu, conditions=[eta <= 2 / L])
STEPS = lemma(PAPER, "steps", norm(step**N @ x) <= (1 - eta * mu) ** N * norm(x), conditions=[eta <= 1 / L])
STEPS_FALSE = lemma(
    PAPER, "steps_false", norm(step**N @ x) <= (1 - eta * mu) ** (2 * N) * norm(x), conditions=[eta <= 1 / L]
)
solved = inner(y, inverse(H) @ x)
updated = inner(y, inverse(H) @ u) * inner(u, inverse(H) @ x)
RANK_ONE = lemma(
    PAPER,
    "rank_one",
    equals(inner(y, inverse(H + outer(u, u)) @ x), solved - updated / (1 + inner(u, inverse(H) @ u))),
)
RANK_ONE_FALSE = lemma(
    PAPER, "rank_one_false", equals(inner(y, inverse(H + outer(u, u)) @ x), solved - updated)
)
INVERSE = lemma(PAPER, "inverse", norm(inverse(H)) <= 1 / mu)
INVERSE_FALSE = lemma(PAPER, "inverse_false", norm(inverse(H)) <= 1 / L)
TURNED = lemma(PAPER, "turned", equals(inner(y, inverse(A @ B) @ x), inner(y, inverse(B) @ (inverse(A) @ x))))
TURNED_FALSE = lemma(
    PAPER, "turned_false", equals(inner(y, inverse(A @ B) @ x), inner(y, inverse(A) @ (inverse(B) @ x)))
)
SKEW = lemma(PAPER, "skew", equals(inner(x, (A - A.T) @ x), 0))
SKEW_FALSE = lemma(PAPER, "skew_false", equals(inner(x, (A - A.T) @ y), 0))
RAYLEIGH = lemma(PAPER, "rayleigh", inner(x, S @ x) <= largest_eigenvalue(S) * norm(x) ** 2)
RAYLEIGH_FALSE = lemma(
    PAPER, "rayleigh_false", inner(x, A @ x) <= largest_eigenvalue(A + A.T) * norm(x) ** 2 / 4
)
ROOT = lemma(PAPER, "root_of_trace", equals(frobenius(A), sqrt(trace(A.T @ A))))
ROOT_FALSE = lemma(PAPER, "root_of_trace_false", frobenius(A) <= sqrt(abs(trace(A @ A))))
V = random_vector("V")
middle = expected(V)
covariance = norm(expected(outer(V, V)) - outer(middle, middle))
COVARIANCE = lemma(PAPER, "covariance", covariance <= expected(norm(V - middle) ** 2))
COVARIANCE_FALSE = lemma(PAPER, "covariance_false", covariance <= expected(norm(V - middle) ** 2) / 2)
