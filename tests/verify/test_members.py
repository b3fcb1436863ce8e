"""A function that is given for a lemma is tried at points: one that leaves its class is named."""

from typing import Any

import numpy as np
import pytest

from bounds.language.lemmas.lemma import lemma
from bounds.language.lemmas.measures import norm
from bounds.language.lemmas.objects import function, number, vector
from bounds.language.quantity import POSITIVE, Notation
from bounds.language.statement import Paper, Statement
from verify.objects.members import why_outside

PAPER = Paper(key="m", title="", authors="", bibtex="", package="m", notation=Notation())
L, mu, G, rho = (number(name, POSITIVE) for name in ("L", "mu", "G", "rho"))
x = vector("x")


def stated(**classes: Any) -> Statement:
    f = function("f", **classes)
    return lemma(PAPER, "m", f(x - f.gradient(x)) <= f(x) + norm(f.gradient(x)) ** 2)


SQUARE = (lambda p: (p**2).sum() / 2, lambda p: p)
DOUBLE = (lambda p: (p**2).sum(), lambda p: 2 * p)
CONCAVE = (lambda p: -(p**2).sum() / 2, lambda p: -p)
FLAT = (lambda p: np.sqrt(1 + (p**2).sum()), lambda p: p / np.sqrt(1 + (p**2).sum()))
JUMP = (lambda p: (p**2).sum() / 2 + float(p[0] > 0.9), lambda p: p)
FAR = (lambda p: 1e6 + (p**2).sum() / 2, lambda p: p)
CLASSES: dict[str, dict[str, Any]] = {
    "smooth": {"smooth": L},
    "convex": {"convex": True, "smooth": L},
    "strong": {"strongly_convex": mu, "smooth": L},
    "short": {"lipschitz": G},
    "weak": {"weakly_convex": rho},
}


@pytest.mark.parametrize(
    ("name", "f", "constants", "said"),
    [
        ("smooth", SQUARE, {"L": 1.0}, ""),
        ("smooth", CONCAVE, {"L": 1.0}, ""),
        ("smooth", FAR, {"L": 1.0}, ""),
        ("smooth", DOUBLE, {"L": 1.0}, "f is not smooth with the constant 1"),
        ("smooth", JUMP, {"L": 1.0}, "f is not smooth with the constant 1"),
        ("convex", FLAT, {"L": 1.0}, ""),
        ("convex", CONCAVE, {"L": 1.0}, "f is not convex"),
        ("strong", SQUARE, {"L": 1.0, "mu": 1.0}, ""),
        ("strong", FLAT, {"L": 1.0, "mu": 0.5}, "f is not strongly convex with the constant 0.5"),
        ("short", FLAT, {"G": 1.0}, ""),
        ("short", SQUARE, {"G": 1.0}, "f is not Lipschitz with the constant 1"),
        ("weak", CONCAVE, {"rho": 1.0}, ""),
        ("weak", CONCAVE, {"rho": 0.9}, "f is not weakly convex with the constant 0.9"),
    ],
)
def test_a_function_outside_of_its_class_is_named(
    name: str, f: Any, constants: dict[str, float], said: str
) -> None:
    given = {"f": f[0], "gradient_of_f": f[1], "x": np.array([1.0, -0.5]), **constants}
    found = why_outside(stated(**CLASSES[name]), given)
    assert found.partition(": see")[0] == said
