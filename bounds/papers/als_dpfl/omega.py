"""omega, printed with the distance in Theorem 2 and with its square in Lemma 6."""

from dataclasses import replace
from typing import Any

from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.objects import vector
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term, amend, define
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import CENTRALIZED, minimum_attained
from bounds.papers.als_dpfl.notation import (
    farthest_start,
    farthest_start_square,
    omega,
    omega_lemma_6,
    omega_mean,
)
from bounds.papers.als_dpfl.shared.vectors import norm


def _measure_starts(starts: Any, minimizer: Any) -> dict[str, Any]:
    distances = norm(starts - np.asarray(minimizer)[..., None, :])
    return {
        "farthest_start": distances.max(-1),
        "omega": (1 / distances).min(-1),
        "omega_lemma_6": (1 / distances**2).min(-1),
    }


_starts, _minimizer = vector("starts", over=index("interval")), vector("minimizer")
_outcomes = _starts + vector("away", over=index("outcome"))

THEOREM_2 = Statement(
    locator="C.omega.thm",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="omega as printed in Theorem 2",
    follows_from="als_dpfl.omega.lemma_6",  # whose proof divides by the square, in step C.lem6.s5
    in_the_case=(define(omega_lemma_6, omega, locator="C.omega.thm"),),
    printed=(r"\omega \triangleq \min_k \frac{1}{\|\hat{\mathbf{v}}_{[k]}((k-1)\tau) - \mathbf{w}^*\|}",),
    reading=(
        "the smallest reciprocal is the reciprocal of the largest distance; the starts are random, so that "
        "omega is a quantity of the run: the three ways of reading it are those of Theorem 2."
    ),
    other_readings=("the minimum over t in the interval as well, which step C.lem6.s6 needs.",),
    left=omega,
    terms=(
        Term("omega", 1 / farthest_start, "distance of the run from the minimizer", remark="as it grows"),
    ),
    setting=CENTRALIZED,
    assumptions=(minimum_attained,),
    example={"farthest_start": 2},
    concrete=Concrete(
        objects={
            "starts": "the models at the starts of the intervals, one interval per entry of the axis before "
            "the last",
            "minimizer": "w*",
        },
        numbers=_measure_starts,
        drawn=drawn(starts=_starts, minimizer=_minimizer),
    ),
    decreasing=(farthest_start,),
    edges=(Edge(farthest_start, 0, EdgeOutcome.OUT_OF_DOMAIN, "every interval starts at the minimizer"),),
)

LEMMA_6 = replace(
    THEOREM_2,
    locator="C.omega.lem6",
    title="omega as printed in Lemma 6",
    follows_from="",
    in_the_case=(),
    printed=(r"\omega = \min_k \frac{1}{\|\hat{\mathbf{v}}_{[k]}((k-1)\tau) - \mathbf{w}^*\|^2}",),
    left=omega_lemma_6,
    terms=(
        Term("omega", 1 / farthest_start**2, "distance of the run from the minimizer", remark="as it grows"),
    ),
)


def _measure_outcomes(starts: Any, minimizer: Any) -> dict[str, Any]:
    squares = (norm(starts - np.asarray(minimizer)[..., None, None, :]) ** 2).mean(-1)
    return {"farthest_start_square": squares.max(-1), "omega_mean": (1 / squares).min(-1)}


THEOREM_2_AMENDED = amend(
    THEOREM_2,
    change="mean squared distances in place of distances",
    because=(
        "the square is what step C.lem6.s5 divides by, and its mean is what Lemma 4 keeps from growing; "
        "a number then, and no quantity of the path"
    ),
    derivation="docs/amended/als_dpfl.md#omega",
    follows_from="",
    in_the_case=(),
    printed=(
        r"\omega \triangleq \min_k \frac{1}{\mathbb{E}\|\hat{\mathbf{v}}_{[k]}((k-1)\tau) - \mathbf{w}^*"
        r"\|^2}",
    ),
    reading="the smallest reciprocal is the reciprocal of the largest mean squared distance.",
    other_readings=(),
    left=omega_mean,
    terms=(
        Term(
            "omega", 1 / farthest_start_square, "distance of the run from the minimizer", remark="as it grows"
        ),
    ),
    example={"farthest_start_square": 4},
    concrete=Concrete(
        objects={
            "starts": "the models at the starts of the intervals: one interval per entry of the axis before "
            "the last two, and its outcomes, equally likely, on the axis before the last",
            "minimizer": "w*",
        },
        numbers=_measure_outcomes,
        drawn=drawn(starts=_outcomes, minimizer=_minimizer),
    ),
    decreasing=(farthest_start_square,),
    edges=(
        Edge(farthest_start_square, 0, EdgeOutcome.OUT_OF_DOMAIN, "every interval starts at the minimizer"),
    ),
)
LEMMA_6_AMENDED = replace(THEOREM_2_AMENDED, locator=LEMMA_6.locator, title=LEMMA_6.title)
