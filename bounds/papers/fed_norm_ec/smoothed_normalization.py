"""Smoothed normalization, and the bound on its length that replaces clipping."""

from typing import Any

from sympy import Integer

from bounds.language.lazy_numpy import NDArray, np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.objects import vector
from bounds.language.statement import Concrete, Kind, Statement, Term
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.notation import alpha, normalized_length


def _numbers(v: NDArray[Any], alpha: float) -> dict[str, Any]:
    length = np.linalg.norm(v, axis=-1)
    return {"normalized_length": length / (alpha + length)}


DEFINITION = Statement(
    locator="A.def.norm",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Smoothed normalization is at most one long",
    printed=(
        r"\operatorname{Norm}_{\alpha}(v):=\frac{1}{\alpha+\|v\|}v,",
        r"\|\operatorname{Norm}_{\alpha}(v)\|\leq 1",
    ),
    reading="for every v where the quotient exists: alpha = 0 and v = 0 together are 0/0.",
    left=normalized_length,
    terms=(Term("one", Integer(1), "the length of a direction"),),
    concrete=Concrete(
        objects={"v": "a vector", "alpha": "smoothing parameter"},
        numbers=_numbers,
        drawn=drawn(v=vector("v"), alpha=alpha),
    ),
)
