"""Step 1 of the proof for one client: y is a local point, and w stands for a minimizer of the mean."""

from fedbounds import POSITIVE, function, inner, lemma, norm, number, vector
from scaffold import PAPER

L = number("L", POSITIVE)
f = function("f", convex=True, smooth=L)
x, y, w = vector("x"), vector("y"), vector("w")
left = inner(f.gradient(y), w - x)
apart = norm(f.gradient(y) - f.gradient(w)) ** 2
drift = f(w) - f(x) + L / 2 * norm(x - y) ** 2

PROGRESS = lemma(PAPER, "progress", left <= drift - apart / (2 * L))
PROGRESS_DOUBLED = lemma(PAPER, "progress.doubled", left <= drift - apart / L)
