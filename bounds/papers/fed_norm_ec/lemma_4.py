"""Lemma 4: one step of normalized descent."""

from collections.abc import Callable
from typing import Any

from bounds.language.assumptions import BOUNDED_BELOW, SMOOTH_CLIENTS, as_stated
from bounds.language.dimension import F, X
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.objects import function, vector
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.language.vanishing import ToZero
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.notation import (
    L,
    direction_error,
    gamma_step,
    gap,
    gradient_norm,
    next_gap,
)
from bounds.papers.fed_norm_ec.shared.local_steps import Points, length


def _numbers(
    f: Callable[[Points], Points], gradient: Callable[[Points], Points], x: Points, G: Points, **given: Any
) -> dict[str, Any]:
    slope = gradient(x)
    after = x - given["gamma_step"] * G / length(G)[..., None]
    return {
        "L": given["L"],
        "gamma_step": given["gamma_step"],
        "gap": f(x) - given["f_inf"],
        "gradient_norm": length(slope),
        "direction_error": length(slope - G),
        "next_gap": f(after) - given["f_inf"],
    }


_f = function("f", smooth=L, bounded_below=True)

LEMMA = Statement(
    locator="A.lem4",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 4: descent of normalized steps",
    printed=(
        r"f(x^{k+1})-f^{\inf}\leq f(x^{k})-f^{\inf}-\gamma\left\|\nabla f(x^{k})\right\|"
        r"+2\gamma\left\|\nabla f(x^{k})-G^{k}\right\|+\frac{L\gamma^{2}}{2}.",
    ),
    reading="for every realisation and any nonzero direction G^k; gamma is the length of the step.",
    left=next_gap,
    terms=(
        Term("gap", gap, "gap before the step", remark="at the infimum"),
        Term(
            "descent",
            -gamma_step * gradient_norm,
            "progress along the gradient",
            remark="at a stationary point",
            non_negative=False,
        ),
        Term(
            "direction", 2 * gamma_step * direction_error, "error of the direction", remark="when G = grad f"
        ),
        Term("curvature", L * gamma_step**2 / 2, "curvature over one step", (ToZero(gamma_step),)),
    ),
    setting=(
        Setting("A.lem4.h2", "x^{k+1} is one step of length gamma against the direction of G^k"),
        Setting("A.lem4.h3", "gamma > 0"),
    ),
    assumptions=(
        as_stated(SMOOTH_CLIENTS, "f is L-smooth", "A.lem4.h1"),
        as_stated(BOUNDED_BELOW, "f is bounded below by f^inf", "A.lem4.h1"),
    ),
    example={"gap": 2, "gradient_norm": 1, "direction_error": 0.25, "gamma_step": 0.5, "L": 1},
    concrete=Concrete(
        objects={
            "f": "the objective, a function of points",
            "gradient": "its gradient",
            "f_inf": "a lower bound of f",
            "x": "point x^k",
            "G": "direction G^k, not zero",
            "gamma_step": "length of the step",
            "L": "smoothness constant of f",
        },
        numbers=_numbers,
        drawn=drawn(
            **{"f": _f, "gradient": _f.gradient, "f_inf": _f.lowest, "x": vector("x")},
            **{"G": vector("G", dimension=F / X), "gamma_step": gamma_step, "L": L},
        ),
    ),
    increasing=(gap, direction_error, L),
    decreasing=(gradient_norm,),
    edges=(
        Edge(gamma_step, 0, EdgeOutcome.OUT_OF_DOMAIN, "h3 asks gamma > 0"),
        Edge(gradient_norm, 0, EdgeOutcome.REGULAR, "no descent at a stationary point"),
        Edge(direction_error, 0, EdgeOutcome.REGULAR, "normalized gradient descent"),
    ),
    proof=("A.lem4.s1..A.lem4.s5",),
)
