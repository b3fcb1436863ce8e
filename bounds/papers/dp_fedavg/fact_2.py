"""Fact 2: the squared norm of a sum of vectors."""

from typing import Any

from bounds.language.condition import above
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.objects import vector
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import p_vectors, vector_sum_squared, vectors_squared
from bounds.papers.dp_fedavg.shared.local_steps import Points, length


def _numbers(y: Points) -> dict[str, Any]:
    return {
        "p_vectors": y.shape[-2],
        "vectors_squared": (length(y) ** 2).sum(axis=-1),
        "vector_sum_squared": length(y.sum(axis=-2)) ** 2,
    }


FACT = Statement(
    locator="B.fact2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Fact 2: squared norm of a sum",
    printed=(r"\|\sum_{i=1}^{p}\bm{y}_{i}\|^{2}\leq p\sum_{i=1}^{p}\|\bm{y}_{i}\|^{2}",),
    reading="for any vectors, by Jensen's inequality; units are those of gradients, as the proofs use it.",
    left=vector_sum_squared,
    terms=(
        Term(
            "vectors", p_vectors * vectors_squared, "vectors that agree", remark="when every vector is zero"
        ),
    ),
    conditions=(above(p_vectors, 1, locator="B.fact2", printed=r"p>1"),),
    example={"p_vectors": 3, "vectors_squared": 2},
    concrete=Concrete(
        objects={"y": "the vectors y_1, ..., y_p, (..., p, d)"},
        numbers=_numbers,
        drawn=drawn(y=vector("y", over=index("i", low=2, high=8))),
    ),
    increasing=(p_vectors, vectors_squared),
    edges=(
        Edge(p_vectors, 1, EdgeOutcome.NOT_APPLICABLE, "one vector is left out, though the fact holds"),
        Edge(vectors_squared, 0, EdgeOutcome.REGULAR, "every vector is zero"),
    ),
)
