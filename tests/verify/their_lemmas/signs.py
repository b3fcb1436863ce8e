"""Steps along signs, and products of coordinates."""

from fedbounds import POSITIVE, X, function, hadamard, inner, lemma, norm, number, sign, size, sqrt, vector
from their_lemmas import PAPER

L, length = number("L", POSITIVE), number("length", POSITIVE, X)
f, x, y, z = function("f", smooth=L), vector("x"), vector("y"), vector("z")
slope = f.gradient(x)
steep = norm(slope, "1")
moved = f(x - length * sign(slope))
kept = norm(x - norm(x, "1") / size(x) * sign(x)) ** 2
product = hadamard(x, y)

ALONG = lemma(PAPER, "along_signs", moved <= f(x) - length * steep + L * length**2 * size(x) / 2)
ALONG_FALSE = lemma(PAPER, "along_signs_false", moved <= f(x) - length * steep + L * length**2 / 2)
SCALED = lemma(PAPER, "scaled_signs", kept <= (1 - 1 / size(x)) * norm(x) ** 2)
SCALED_FALSE = lemma(PAPER, "scaled_signs_false", kept <= (1 - 1 / size(x)) * norm(x) ** 2 / 2)
TURNED = lemma(PAPER, "turned_signs", inner(sign(x), y) >= norm(x, "1") - norm(x - y, "1"))
TURNED_FALSE = lemma(PAPER, "turned_signs_false", inner(sign(x), y) >= norm(x, "1") - norm(x - y))
EACH = lemma(PAPER, "each", norm(product) <= norm(x, "max") * norm(y))
EACH_FALSE = lemma(PAPER, "each_false", norm(product) <= norm(x) * norm(y) / sqrt(size(x)))
