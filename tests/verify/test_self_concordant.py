"""Self-concordant functions: the third derivative in 50 digits, the ends of domains, and what is refused."""

from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from bounds.errors import MalformedStatement
from bounds.language.quantity import Notation
from bounds.language.statement import Paper
from fedbounds import POSITIVE, function, hessian, inner, lemma, number, vector
from verify.objects.constants import Constants
from verify.objects.declared import why_not_drawn
from verify.objects.draw import FAMILIES, Draw
from verify.objects.fifty_digits import Real, in_digits
from verify.objects.functions import Function
from verify.objects.plain_draw import PlainDraw
from verify.objects.self_concordant import SELF_CONCORDANT

NONE = Constants(smooth=None, strong=None, lipschitz=None, lojasiewicz=None)
POINTS = np.linspace(-1000, 1000, 4001)[:, None]


def drawn(kind: str, d: int = 1) -> list[Function]:
    plain = [PlainDraw(seed, d) for seed in range(6)]
    ordinary = [Draw(FAMILIES[0], np.random.default_rng(seed)) for seed in range(6)]
    return [SELF_CONCORDANT[kind](draw, d, NONE) for draw in (*plain, *ordinary)]


def evaluate_at(part: Any, x: mpf) -> Any:
    """In 50 digits, at a point that is no float."""
    place = np.empty((1, 1), dtype=object)
    place[0, 0] = Real(x)
    return np.asarray(in_digits(part)(place)).ravel()[0].value


def slope_of(part: Any, x: mpf) -> Any:
    h = mpf(10) ** -14
    return (evaluate_at(part, x + h) - evaluate_at(part, x - h)) / (2 * h)


@pytest.mark.parametrize("kind", SELF_CONCORDANT)
def test_the_third_derivative_is_bounded_by_the_second(kind: str) -> None:
    """Equal to twice its power 3/2 for a barrier of weight 1."""
    tight = False
    for f in drawn(kind):
        inside = POINTS[np.isfinite(f.value(POINTS))].ravel()
        with mp.workdps(50):
            for x in inside[:: max(1, len(inside) // 5)]:
                second = evaluate_at(f.hessian, mpf(float(x)))
                third = slope_of(f.hessian, mpf(float(x)))
                most = 2 * second ** mpf("1.5")
                assert abs(third) <= most * (1 + mpf(10) ** -15)
                tight |= bool(abs(third) > most * (1 - mpf(10) ** -15))
    assert tight == (kind in ("barrier", "tilted barrier"))


@pytest.mark.parametrize("kind", SELF_CONCORDANT)
def test_derivatives_are_those_of_the_value(kind: str) -> None:
    for f in drawn(kind):
        assert f.hessian is not None
        inside = POINTS[np.isfinite(f.value(POINTS))].ravel()
        with mp.workdps(50):
            for x in map(mpf, map(float, inside[:: max(1, len(inside) // 3)])):
                for part, of in ((f.gradient, f.value), (f.hessian, f.gradient)):
                    slope = slope_of(of, x)
                    assert abs(evaluate_at(part, x) - slope) <= mpf(10) ** -15 * (1 + abs(slope))


@pytest.mark.parametrize("kind", ["barrier", "tilted barrier", "barrier and square", "interval"])
def test_nothing_is_defined_outside_of_the_domain(kind: str) -> None:
    for f in drawn(kind):
        assert f.hessian is not None
        outside = ~np.isfinite(f.value(POINTS))
        assert np.any(outside)
        assert not np.any(np.isfinite(f.gradient(POINTS)[outside]))
        assert not np.any(np.isfinite(f.hessian(POINTS)[outside]))


@pytest.mark.parametrize("kind", SELF_CONCORDANT)
def test_the_minimizer_has_the_lowest_value(kind: str) -> None:
    for f in drawn(kind, d=2):
        if f.minimizer is None:
            assert f.lowest is None
            continue
        assert f.value(f.minimizer[None])[0] == pytest.approx(f.lowest, abs=1e-12)
        assert f.gradient(f.minimizer[None]) == pytest.approx(0.0, abs=1e-9)


def test_a_hessian_is_of_a_self_concordant_function() -> None:
    with pytest.raises(MalformedStatement, match="say self_concordant=True of f"):
        hessian(function("f", convex=True), vector("x"))


def test_no_other_class_is_named_beside_it() -> None:
    f = function("f", self_concordant=True, smooth=number("L", POSITIVE))
    paper = Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())
    x = vector("x")
    why = why_not_drawn(lemma(paper, "it", inner(f.gradient(x), x) >= 0))
    assert why is not None
    assert "beside self_concordant= say bounded_below= alone" in why
