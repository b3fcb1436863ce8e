"""Lemma 6: the mean length of the clients' gradients."""

from typing import Any

from sympy import sqrt

from bounds.language.assumptions import BOUNDED_BELOW, SMOOTH_CLIENTS, as_stated
from bounds.language.condition import above
from bounds.language.lazy_numpy import NDArray, np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.heterogeneity import between_clients
from bounds.papers.fed_norm_ec.notation import (
    Delta_inf,
    L,
    gap_x,
    mean_client_gradient_norm,
)


def _numbers(gradients: NDArray[Any], f: Any, f_inf: Any, f_i_inf: NDArray[Any], L: float) -> dict[str, Any]:
    return {
        "L": L,
        "gap_x": f - f_inf,
        "f_inf": f_inf,
        "f_i_inf_mean": f_i_inf.mean(axis=-1),
        "mean_client_gradient_norm": np.linalg.norm(gradients, axis=-1).mean(axis=-1),
    }


NO_HETEROGENEITY = Edge(
    Delta_inf,
    0,
    EdgeOutcome.NOT_APPLICABLE,
    "the first summand divides by zero: nothing is said of clients with a common minimizer",
)

LEMMA = Statement(
    locator="A.lem6",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 6: average length of the clients' gradients",
    printed=(
        r"\frac{1}{M}\sum_{i=1}^{M}\left\|\nabla f_{i}(x)\right\|\leq"
        r"\sqrt{\frac{2L}{\Delta^{\inf}}}[f(x)-f^{\inf}]+\sqrt{2L\Delta^{\inf}},",
    ),
    reading=(
        "for every x; Delta_inf >= 0 is printed, but the first summand divides by its root: the lemma is "
        "read where Delta_inf > 0."
    ),
    left=mean_client_gradient_norm,
    terms=(
        Term("gap", sqrt(2 * L / Delta_inf) * gap_x, "distance from the infimum", remark="when f(x) = f^inf"),
        Term(
            "heterogeneity",
            sqrt(2 * L * Delta_inf),
            "clients with different infima",
            (Equal(Delta_inf, 0),),
        ),
    ),
    assumptions=(
        as_stated(BOUNDED_BELOW, "f is bounded below by f^inf", "A.lem6.h1"),
        as_stated(BOUNDED_BELOW, "every f_i is bounded below by f_i^inf", "A.lem6.h2"),
        as_stated(SMOOTH_CLIENTS, "every f_i is L-smooth", "A.lem6.h2"),
    ),
    where=(between_clients("A.lem6"),),
    conditions=(above(Delta_inf, 0, locator="A.lem6", printed=r"\sqrt{\frac{2L}{\Delta^{\inf}}}"),),
    example={"L": 1, "Delta_inf": 0.5, "gap_x": 1},
    concrete=Concrete(
        objects={
            "gradients": "grad f_i(x) for every client, (..., M, d)",
            "f": "f(x)",
            "f_inf": "f^inf",
            "f_i_inf": "f_i^inf for every client, (..., M)",
            "L": "smoothness constant of the clients",
        },
        numbers=_numbers,
    ),
    increasing=(L, gap_x),
    edges=(
        NO_HETEROGENEITY,
        Edge(gap_x, 0, EdgeOutcome.REGULAR, "at the infimum of f: heterogeneity alone"),
    ),
    proof=("A.lem6.s1..A.lem6.s6",),
)
