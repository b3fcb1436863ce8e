"""A counterexample of many entries, steps or outcomes is printed in short lines."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bounds.errors import MalformedStatement
from bounds.language.quantity import Notation
from bounds.language.statement import Paper
from fedbounds import (
    POSITIVE_INTEGER,
    index,
    largest,
    lemma,
    matrix,
    norm,
    number,
    random_vector,
    sequence,
    size,
    sqrt,
    total,
    trace,
    vector,
)
from verify.objects.check import judged
from verify.objects.counterexample import _random_vector, _sequence
from verify.objects.recipes import draws

x, i, K = vector("x"), index("i"), number("K", POSITIVE_INTEGER)
share = number("share", over=i, weights=True)
roots = sequence("w", last=K, equal_to=lambda k: 1 / sqrt(k + 1))
D = matrix("D", semidefinite=True)


def test_so_many_independent_vectors_that_no_outcomes_are_gone_through_are_refused() -> None:
    with pytest.raises(
        MalformedStatement, match="B is drawn for at most 8 entries of i, which has 9 or more"
    ):
        random_vector("B", over=index("i", 9))


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("claim", "line"),
    [
        (lambda: size(i) * largest(share) <= 20, r"share = \(1, 0 \((31|39) times\)\)"),
        (lambda: total(roots) <= 19, "w_k = 1/sqrt(k + 1)"),
        (lambda: norm(x, "1") <= 10 * norm(x), r"x = \(-?\d \(120 times\)\)"),
        (lambda: trace(D) <= 7 * norm(D), r"D = diag\(\d \(8 times\)\)"),
    ],
)
def test_a_counterexample_of_many_objects_and_steps_is_short(claim: Callable[[], Any], line: str) -> None:
    paper = Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())
    statement = lemma(paper, "it", claim())
    found = judged(statement, list(draws(statement, seed=1, trials=6)), seed=1, trials=6)
    assert found["verdict"] == "violated"
    lines = found["counterexample"]["lines"]
    assert any(re.fullmatch(line, shown) or line == shown for shown in lines), lines
    assert max(len(shown) for shown in lines) < 80


def test_a_recursion_is_printed_for_numbers_that_meet_it_alone() -> None:
    s = sequence("s", last=K, next_at_most=lambda s_k: s_k / 3)
    met = {"s": np.array([1.0, 1 / 3, 1 / 9, 1 / 27, 1 / 81, 1 / 243, 1 / 729, 1 / 2187])}
    assert _sequence(s, met) == "s_0 = 1, s_(k+1) = s_k/3"
    below = met["s"] * np.array([1, 1, 1, 1, 1, 1, 1, 0.5])
    assert _sequence(s, {"s": below}).startswith("s = (1, 1/3, 1/9,")


def test_equal_outcomes_are_one() -> None:
    outcomes = np.array([[0.0], [2.0], [0.0]])
    said = _random_vector("V", outcomes, np.array([1.0, 2.0, 1.0]))
    assert said == "V = 0 with probability 1/2, 2 with probability 1/2"
