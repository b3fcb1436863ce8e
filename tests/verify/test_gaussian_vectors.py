"""Gaussian vectors: their outcomes have the moments, and what these do not give is refused."""

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from bounds.errors import MalformedStatement
from bounds.language.quantity import Notation
from bounds.language.statement import Paper, Statement
from fedbounds import (
    POSITIVE,
    LemmaForm,
    X,
    clip,
    expected,
    function,
    gaussian_vector,
    hadamard,
    inner,
    lemma,
    matrix,
    maximum,
    norm,
    number,
    probability,
    trace,
    vector,
)
from verify.objects.fifty_digits import in_digits
from verify.objects.gaussian import NUMBERS, WEIGHTS, gaussian_outcomes

Z, Y = gaussian_vector("Z"), gaussian_vector("Y")
u, A, t = vector("u"), matrix("A"), number("t", POSITIVE)
f = function("f", convex=True)


def stated(claim: Any) -> Statement:
    paper = Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())
    made: Statement = lemma(paper, "it", claim)
    return made


def test_the_outcomes_have_the_moments_of_a_normal_number() -> None:
    """The moment of degree 2 k is 1 3 5 ... (2 k - 1), an odd one is 0; that of degree 8 differs."""
    whole = sum(WEIGHTS)
    for degree in range(8):
        moment = Fraction(sum(w * z**degree for z, w in zip(NUMBERS, WEIGHTS, strict=True)), whole)
        assert moment == (0 if degree % 2 else prod(range(1, degree, 2)))
    eighth = Fraction(sum(w * z**8 for z, w in zip(NUMBERS, WEIGHTS, strict=True)), whole)
    assert eighth != 105


def test_coordinates_are_independent() -> None:
    outcomes, weights = gaussian_outcomes(2)
    for i, j in product(range(8), repeat=2):
        if i + j <= 7:
            mixed = (weights * outcomes[:, 0] ** i * outcomes[:, 1] ** j).sum() / weights.sum()
            alone = [0 if n % 2 else prod(range(1, n, 2)) for n in (i, j)]
            assert mixed == pytest.approx(alone[0] * alone[1], rel=1e-14)


@pytest.mark.parametrize(
    "body",
    [
        lambda: norm(Z),
        lambda: norm(Z) ** 3,
        lambda: norm(Z) ** 8,
        lambda: 1 / (1 + norm(Z) ** 2),
        lambda: norm(Z, "1"),
        lambda: norm(Z, "max") ** 2,
        lambda: maximum(inner(u, Z), 0),
        lambda: abs(inner(u, Z)),
        lambda: clip(Z, t),
        lambda: f(Z),
        lambda: inner(f.gradient(u + Z), u),
        lambda: inner(Z, Y) ** 8,
    ],
)
def test_what_the_moments_do_not_give_is_refused(body: Any) -> None:
    with pytest.raises(MalformedStatement, match="polynomials of degree 7 at most"):
        expected(body())


def test_no_event_of_a_gaussian_vector_is_judged_by_its_outcomes() -> None:
    with pytest.raises(MalformedStatement, match="polynomials of degree 7 at most"):
        probability(norm(Z) >= t)


@pytest.mark.parametrize(
    "body",
    [
        lambda: norm(u + 2 * Z) ** 6,
        lambda: inner(u, A @ Z) ** 2 * norm(Z) ** 4,
        lambda: norm(hadamard(Z, u)) ** 2 / norm(u),
        lambda: trace(A) * inner(Z, A @ Z) ** 3,
    ],
)
def test_polynomials_have_expectations(body: Any) -> None:
    assert "E[" in expected(body()).text


def test_a_proof_has_no_words_for_it() -> None:
    """Its deviation is that of a coordinate: as that of a random vector it would prove a false lemma."""
    s = number("s", POSITIVE, X)
    V = gaussian_vector("V", deviation=s)
    statement = stated(expected(norm(V) ** 2) <= s**2)
    with pytest.raises(MalformedStatement, match="no words for V"):
        LemmaForm("k.it", statement)


def test_numbers_of_the_norm_in_fifty_digits() -> None:
    """The mean length of one coordinate is the root of 2/pi; two coordinates have the tail exp(-t/2)."""
    one, two, at = (in_digits(np.array([float(value)]))[0] for value in (1, 2, 3))
    with mp.workdps(50):
        assert abs(one.gaussian_length(0).value - mp.sqrt(2 / mp.pi)) < mpf(10) ** -45
        assert abs(two.chi_square_tail(at).value - mp.exp(mpf(-3) / 2)) < mpf(10) ** -45
