"""Eq. (12): normalization, which Algorithm 2 puts in the place of clipping (eq. (13))."""

from typing import Any

from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.objects import number, vector
from bounds.language.quantity import POSITIVE
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import norm_length, normalized_length
from bounds.papers.dp_fedavg.shared.local_steps import Points, length

NORM = Statement(
    locator="B.norm",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Normalization function, eqs. (12) and (13)",
    printed=(
        r"\text{norm}(\bm{z},c):=\frac{c\bm{z}}{\|\bm{z}\|}",
        r"\bm{g}^{(i)}_{k}=\text{norm}(\bm{u}_{k}^{(i)},C)",
    ),
    reading="not defined at z = 0, so that Algorithm 2 is not defined where an update is zero.",
)


def _numbers(z: Points, c: Any) -> dict[str, Any]:
    normalized = np.asarray(c)[..., None] * z / length(z)[..., None]
    return {"norm_length": c, "normalized_length": length(normalized)}


LENGTH = Statement(
    locator="B.norm",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Length of a normalized vector",
    printed=(r"$\|\text{norm}(\bm{z},c)\|\leq c$",),
    reading="for every z that is not zero; the two are equal.",
    left=normalized_length,
    terms=(Term("length", norm_length, "the length asked for"),),
    example={"norm_length": 1},
    concrete=Concrete(
        objects={"z": "a vector that is not zero", "c": "the length asked for"},
        numbers=_numbers,
        drawn=drawn(z=number("times", POSITIVE) * vector("z", unit=True), c=norm_length),
    ),
    increasing=(norm_length,),
    edges=(Edge(norm_length, 0, EdgeOutcome.OUT_OF_DOMAIN, "eq. (12) asks c > 0"),),
)
