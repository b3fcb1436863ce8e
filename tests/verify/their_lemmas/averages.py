"""Lemmas on the mean of the functions of clients, which has a minimum where no one of them need have one."""

from typing import Any

from fedbounds import POSITIVE, average, function, index, lemma, mean, norm, number, vector
from their_lemmas import PAPER

L, mu, G, rho = number("L", POSITIVE), number("mu", POSITIVE), number("G", POSITIVE), number("rho", POSITIVE)
x, i = vector("x"), index("i")
g, h = function("g", over=i, convex=True, smooth=L), function("h", over=i, smooth=L)
s, k = function("s", over=i, strongly_convex=mu), function("k", over=i, convex=True, lipschitz=G)


def gap(f: Any) -> Any:
    return average(f)(x) - average(f).lowest


def steep(f: Any) -> Any:
    return mean(norm(f.gradient(x)) ** 2, i)


unlike = mean(norm(g.gradient(average(g).minimizer)) ** 2, i)
STEEP = lemma(PAPER, "steep", steep(g) <= 4 * L * gap(g) + 2 * unlike)
STEEP_FALSE = lemma(PAPER, "steep_false", steep(g) <= 4 * L * gap(g))


def turned(f: Any) -> Any:
    return mean(norm(f.gradient(x) - f.gradient(average(f).minimizer)) ** 2, i)


TURNED = lemma(PAPER, "turned", turned(g) <= 2 * L * gap(g))
TURNED_FALSE = lemma(PAPER, "turned_false", turned(h) <= 2 * L * gap(h))
FLAT = lemma(PAPER, "flat", norm(average(h).gradient(x)) ** 2 <= 2 * L * gap(h))
FLAT_FALSE = lemma(PAPER, "flat_false", steep(h) <= 2 * L * gap(h))
away = norm(x - average(s).minimizer) ** 2
AWAY = lemma(PAPER, "away", gap(s) >= mu / 2 * away)
AWAY_FALSE = lemma(PAPER, "away_false", gap(s) >= mu * away)
near = norm(x - average(k).minimizer)
NEAR = lemma(PAPER, "near", gap(k) <= G * near)
NEAR_FALSE = lemma(PAPER, "near_false", gap(k) <= G * near / 4)
w = function("w", over=i, weakly_convex=rho, smooth=L)
WEAK = lemma(PAPER, "weak", norm(average(w).gradient(x)) ** 2 <= 2 * L * gap(w))
WEAK_FALSE = lemma(PAPER, "weak_false", norm(average(w).gradient(x)) ** 2 <= L * gap(w))
