"""Lemmas of papers on optimization, privacy, probability and linear algebra, as they are stated there."""

from typing import Any

from sympy import Rational

from fedbounds import (
    NON_NEGATIVE,
    OPEN_UNIT,
    POSITIVE,
    POSITIVE_INTEGER,
    F,
    X,
    clip,
    exp,
    expected,
    frobenius,
    function,
    gaussian_tail,
    index,
    inner,
    largest,
    lemma,
    log,
    matrix,
    mean,
    minimum,
    norm,
    number,
    prox,
    random_vector,
    sequence,
    smallest,
    sqrt,
    total,
    vector,
)
from their_lemmas import PAPER

L, eta = number("L", POSITIVE), number("eta", POSITIVE, X**2 / F)
x, y, i = vector("x"), vector("y"), index("i")
f = function("f", convex=True, bounded_below=True)
moved = prox(f, x, eta)


def three_points(factor: int) -> Any:
    apart = norm(moved - x) ** 2 + factor * norm(moved - y) ** 2
    return f(moved) + apart / (2 * eta) <= f(y) + norm(y - x) ** 2 / (2 * eta)


PROX = lemma(PAPER, "prox", three_points(1))
PROX_FALSE = lemma(PAPER, "prox_false", three_points(2))
slope, gap, best = f.gradient(x), f(x) - f.lowest, f.minimizer
left = norm(x - gap / norm(slope) ** 2 * slope - best) ** 2
polyak = gap**2 / norm(slope) ** 2
POLYAK = lemma(PAPER, "polyak", left <= norm(x - best) ** 2 - polyak)
POLYAK_FALSE = lemma(PAPER, "polyak_false", left <= norm(x - best) ** 2 - 2 * polyak)
g, h = function("g", over=i, convex=True, smooth=L), function("h", over=i, smooth=L)


def expected_smoothness(g: Any) -> Any:
    bregman = mean(g(x) - g(y) - inner(g.gradient(y), x - y))
    return mean(norm(g.gradient(x) - g.gradient(y)) ** 2) <= 2 * L * bregman


SMOOTHNESS = lemma(PAPER, "smoothness", expected_smoothness(g))
SMOOTHNESS_FALSE = lemma(PAPER, "smoothness_false", expected_smoothness(h))
V, C = random_vector("V"), number("C", POSITIVE, X)
bias = expected(norm(clip(V, C) - V))
BIAS = lemma(PAPER, "bias", bias <= expected(norm(V) ** 2) / (4 * C))
BIAS_FALSE = lemma(PAPER, "bias_false", bias <= norm(expected(V)) ** 2 / (4 * C))
p, q = number("p_of", POSITIVE, over=i, weights=True), number("q_of", POSITIVE, over=i, weights=True)
b = number("b_of", over=i)
moment = total(p * exp(b - total(p * b, i)), i)
width = largest(b, i) - smallest(b, i)
HOEFFDING = lemma(PAPER, "hoeffding", moment <= exp(width**2 / 8))
HOEFFDING_FALSE = lemma(PAPER, "hoeffding_false", moment <= exp(width**2 / 12))
divergence, square = total(p * log(p / q), i), total((p - q) ** 2 / q, i)
CHI = lemma(PAPER, "chi", divergence <= log(1 + square))
CHI_FALSE = lemma(PAPER, "chi_false", divergence <= square / 2)
eps, shift, share = number("eps_dp", POSITIVE), number("shift", POSITIVE), number("share_of", OPEN_UNIT)
delta = gaussian_tail(eps / shift - shift / 2) - exp(eps) * gaussian_tail(eps / shift + shift / 2)
tail = exp(-((eps - shift**2 / 2) ** 2) / (2 * shift**2))
ANALYTIC = lemma(PAPER, "analytic", delta <= tail, conditions=[eps >= shift**2 / 2])
ANALYTIC_FALSE = lemma(PAPER, "analytic_false", delta <= tail)
amplified = log(1 + share * (exp(eps) - 1))
AMPLIFIED = lemma(PAPER, "amplified", amplified <= 2 * share * eps, conditions=[eps <= 1])
AMPLIFIED_FALSE = lemma(PAPER, "amplified_false", amplified <= 3 * share * eps / 2, conditions=[eps <= 1])
K, A, B = number("K_of", POSITIVE_INTEGER), number("A_of", POSITIVE), number("B_of", POSITIVE)
step = minimum(1 / L, sqrt(A / (B * K)))
STEP = lemma(PAPER, "step_size", A / (step * K) + B * step <= L * A / K + 2 * sqrt(A * B / K))
STEP_FALSE = lemma(PAPER, "step_size_false", A / (step * K) + B * step <= L * A / K + sqrt(A * B / K))
SPECTRAL = lemma(PAPER, "spectral", share * (1 - share) ** (2 * K) <= 1 / (2 * exp(1) * K))
SPECTRAL_FALSE = lemma(PAPER, "spectral_false", share * (1 - share) ** (2 * K) <= 1 / ((2 * K + 1) * exp(1)))
a, c = sequence("a_of", last=K), sequence("c_of", last=K)
v = sequence("v_of", last=K, next_at_most=lambda v_k, k: (1 + a[k]) * v_k + c[k])
ROBBINS = lemma(PAPER, "robbins", v[K] <= exp(total(a)) * (v[0] + total(c)))
ROBBINS_FALSE = lemma(PAPER, "robbins_false", v[K] <= exp(total(a)) * v[0] + total(c))
s = number("s_of", NON_NEGATIVE, F / X)
N, n = random_vector("N_of", deviation=s, dimension=F / X), function("n", smooth=L)
after = expected(n(x - eta * (n.gradient(x) + N)))
before = n(x) - eta / 2 * norm(n.gradient(x)) ** 2
short = [eta <= 1 / L]
NOISY = lemma(PAPER, "noisy", after <= before + L * eta**2 * s**2 / 2, conditions=short)
NOISY_FALSE = lemma(PAPER, "noisy_false", after <= before + L * eta**2 * s**2 / 4, conditions=short)
M, W = matrix("M"), matrix("W_of")
turned, sizes = frobenius(M @ W - W @ M) ** 2, frobenius(M) ** 2 * frobenius(W) ** 2
COMMUTED = lemma(PAPER, "commuted", turned <= 2 * sizes)
COMMUTED_FALSE = lemma(PAPER, "commuted_false", turned <= Rational(3, 2) * sizes)
