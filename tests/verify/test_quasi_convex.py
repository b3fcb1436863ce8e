"""Quasi-convex functions that are drawn: between two points nowhere above both, smooth, and not convex."""

import numpy as np
import pytest

from fedbounds import function, number
from verify.objects.classes import why_none
from verify.objects.constants import Constants
from verify.objects.draw import FAMILIES, Draw
from verify.objects.quasi_convex import QUASI_CONVEX

L = 2.0
CONSTANTS = Constants(smooth=L, strong=None, lipschitz=None, lojasiewicz=None)


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("name", QUASI_CONVEX)
def test_each_kind_is_of_its_class(name: str, d: int) -> None:
    random, bent = np.random.default_rng(7), False
    for seed in range(8):
        f = QUASI_CONVEX[name](Draw(FAMILIES[0], np.random.default_rng(seed)), d, CONSTANTS)
        x, y = random.normal(size=(2, 400, d)) * 4
        for share in (0.1, 0.5, 0.8):
            between = f.value(share * x + (1 - share) * y)
            assert np.all(between <= np.maximum(f.value(x), f.value(y)) + 1e-12 * (1 + np.abs(between)))
            bent |= bool(np.any(between > share * f.value(x) + (1 - share) * f.value(y) + 1e-9))
        apart = np.linalg.norm(x - y, axis=-1)
        assert np.all(np.linalg.norm(f.gradient(x) - f.gradient(y), axis=-1) <= L * apart * (1 + 1e-12))
        h = 1e-6 * (y - x)
        assert np.allclose((f.gradient(x) * h).sum(axis=-1), f.value(x + h) - f.value(x), atol=1e-9)
        if f.minimizer is not None:
            assert f.value(f.minimizer[None])[0] == f.lowest == 0
            assert np.all(f.value(x) >= 0)
    assert bent


def test_no_other_constant_stands_beside_quasi_convexity() -> None:
    sentence = why_none(function("f", quasi_convex=True, lipschitz=number("G")))
    assert sentence is not None
    assert sentence.endswith("for f, quasi-convex and G-Lipschitz: beside quasi_convex= say smooth= alone")
