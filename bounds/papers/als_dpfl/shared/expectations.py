"""Means of independent variables and of final gaps, from their outcomes."""

from typing import Any

from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.objects import number
from bounds.language.quantity import POSITIVE, REAL
from bounds.language.statement import Concrete
from bounds.papers.als_dpfl.notation import a
from bounds.papers.als_dpfl.shared.vectors import mean


def _moments(first: Any, second: Any, first_weights: Any, second_weights: Any, a: Any) -> dict[str, Any]:
    """The expectation over two independent discrete variables, from their joint law."""
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    joint = np.asarray(first_weights)[..., :, None] * np.asarray(second_weights)[..., None, :]

    def expected(outcomes: Any) -> Any:
        return (joint * outcomes).sum((-2, -1))

    x, y = first[..., :, None], second[..., None, :]
    return {
        "a": a,
        "mean_X": expected(x),
        "mean_Y": expected(y),
        "mean_product": expected(x * y),
        "mean_sum": expected(x + y),
        "mean_multiple": expected(np.asarray(a, dtype=float)[..., None, None] * x),
    }


_i, _j = index("i"), index("j")
INDEPENDENT_VARIABLES = Concrete(
    objects={
        "first": "the values of X, on the last axis",
        "second": "the values of Y, on the last axis",
        "first_weights": "their probabilities",
        "second_weights": "their probabilities; X and Y are independent",
        "a": "the factor a",
    },
    numbers=_moments,
    drawn=drawn(
        first=number("first", REAL, over=_i),
        second=number("second", REAL, over=_j),
        first_weights=number("first_weights", over=_i, weights=True),
        second_weights=number("second_weights", over=_j, weights=True),
        a=a,
    ),
)


def _final_gaps(gaps: Any) -> dict[str, Any]:
    gaps = np.asarray(gaps, dtype=float)
    return {
        "largest_final_gap": gaps.max(-1),
        "mean_cubed_gap": mean(gaps**3),
        "mean_reciprocal_cubed_gap": mean(1 / gaps**3),
    }


_odds = number("odds", POSITIVE, over=_i)
FINAL_GAPS = Concrete(
    objects={"gaps": "outcomes of the final gap, positive and equally likely, on the last axis"},
    numbers=_final_gaps,
    drawn=drawn(gaps=_odds / (1 + _odds)),
)
