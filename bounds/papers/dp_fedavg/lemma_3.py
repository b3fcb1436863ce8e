"""Lemma 3: a local step does not lengthen the gradient."""

from dataclasses import replace
from typing import Any

from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS, as_stated
from bounds.language.lemmas.drawn import Drawn, drawn
from bounds.language.lemmas.objects import function, vector
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term, amend
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import (
    L,
    eta,
    next_gradient_norm_squared,
    step_gradient_move,
    step_gradient_norm,
)
from bounds.papers.dp_fedavg.shared.local_steps import Function, Points, length, local_iterates


def _numbers(gradient: Function, w: Points, eta: Any, L: Any) -> dict[str, Any]:
    here, there = (gradient(point) for point in local_iterates(gradient, w, eta, 1))
    return {
        "eta": eta,
        "L": L,
        "step_gradient_norm": length(here),
        "step_gradient_move": length(there - here),
        "next_gradient_norm_squared": length(there) ** 2,
    }


def _drawn(*, convex: bool) -> Drawn:
    f = function("f", convex=convex, smooth=L)
    return drawn(gradient=f.gradient, w=vector("w"), eta=eta, L=L)


CONCRETE = Concrete(
    objects={
        "gradient": "the gradient of f_i, a function of points",
        "w": "local iterate before the step",
        "eta": "local learning rate of the round",
        "L": "smoothness constant of the client",
    },
    numbers=_numbers,
    drawn=_drawn(convex=False),
)

LEMMA = Statement(
    locator="B.lem3",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 3: gradient norm after a local step",
    printed=(
        r"\|\nabla f_{i}(\bm{w}_{k,\tau+1}^{(i)})\|^{2}\leq\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|^{2}"
        r"-\Big(\frac{2}{\eta_{k}L}-1\Big)\|\nabla f_{i}(\bm{w}_{k,\tau+1}^{(i)})"
        r"-\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|^{2}",
    ),
    reading=(
        "for every realisation, client, round and local step; eta is the eta_k of the round, of any length; "
        "convexity is not among the printed hypotheses and not asked here."
    ),
    other_readings=("under Theorem 2's standing hypothesis that each f_i is convex, as eq. (96) needs.",),
    left=next_gradient_norm_squared,
    terms=(
        Term("gradient", step_gradient_norm**2, "gradient before the step", remark="at a stationary point"),
        Term(
            "curvature",
            -(2 / (eta * L) - 1) * step_gradient_move**2,
            "what the step flattens",
            remark="when the gradient does not move",
            non_negative=False,
        ),
    ),
    setting=(Setting("B.lem3", "one local gradient step of length eta_k, as in Algorithms 1 and 2"),),
    assumptions=(as_stated(SMOOTH_CLIENTS, "each f_i is L-smooth", "B.lem3"),),
    example={"L": 1, "eta": 0.5, "step_gradient_norm": 1, "step_gradient_move": 0.3},
    concrete=CONCRETE,
    increasing=(eta, L, step_gradient_norm),
    edges=(
        Edge(eta, 0, EdgeOutcome.OUT_OF_DOMAIN, "no step"),
        Edge(step_gradient_norm, 0, EdgeOutcome.REGULAR, "stationary: the gradient does not move"),
        Edge(step_gradient_move, 0, EdgeOutcome.REGULAR, "no curvature along the step"),
    ),
    proof=("B.lem3.eq96..B.lem3.eq100",),
)

AMENDED = amend(
    LEMMA,
    change="each f_i is convex",
    because="the gradient of a smooth function is co-coercive, eq. (96), where the function is convex",
    derivation="docs/amended/dp_fedavg.md#lemma-3",
    needed="dp_fedavg.lemma_3",
    printed=LEMMA.printed,
    reading=(
        "for every realisation, client, round and local step; eta is the eta_k of the round, of any length."
    ),
    other_readings=(),
    assumptions=(*LEMMA.assumptions, as_stated(CONVEX_CLIENTS, "each f_i is convex", "B.lem3")),
    concrete=replace(CONCRETE, drawn=_drawn(convex=True)),
    proof=LEMMA.proof,
)
