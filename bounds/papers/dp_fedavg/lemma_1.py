"""Lemma 1: the local steps of a client approach w*, up to its heterogeneity gap."""

from typing import Any

from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, SMOOTH_CLIENTS, as_stated
from bounds.language.condition import at_most
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.objects import function, vector
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import (
    Delta_i_star,
    E,
    L,
    eta,
    local_distance_squared,
    local_gradients_squared,
    round_distance,
)
from bounds.papers.dp_fedavg.shared.local_steps import Function, Points, length, local_iterates


def _numbers(
    f: Function, gradient: Function, f_star: Any, w: Points, w_star: Points, eta: Any, E: int, L: Any
) -> dict[str, Any]:
    *before, last = local_iterates(gradient, w, eta, E)
    return {
        "eta": eta,
        "E": E,
        "L": L,
        "round_distance": length(w - w_star),
        "Delta_i_star": f(w_star) - f_star,
        "local_gradients_squared": sum(length(gradient(point)) ** 2 for point in before),
        "local_distance_squared": length(last - w_star) ** 2,
    }


_f = function("f", convex=True, smooth=L, bounded_below=True)

LEMMA = Statement(
    locator="B.lem1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 1: distance to w* after the local steps",
    printed=(
        r"\|\bm{w}_{k,E}^{(i)}-\bm{w}^{*}\|^{2}\leq\|\bm{w}_{k}-\bm{w}^{*}\|^{2}-\frac{\eta_{k}}{2L}"
        r"\sum_{\tau=0}^{E-1}\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|^{2}+2\eta_{k}E\Delta_{i}^{*}",
    ),
    reading=(
        "for every realisation and every client; eta is the eta_k of the round; the proof uses no property "
        "of w*, which may be any point."
    ),
    left=local_distance_squared,
    terms=(
        Term("distance", round_distance**2, "distance at the start of the round", remark="when w_k = w*"),
        Term(
            "descent",
            -eta / (2 * L) * local_gradients_squared,
            "progress of the local steps",
            remark="when w_k minimizes f_i",
            non_negative=False,
        ),
        Term(
            "heterogeneity", 2 * eta * E * Delta_i_star, "w* does not minimize f_i", (Equal(Delta_i_star, 0),)
        ),
    ),
    setting=(
        Setting("B.lem1", "E local gradient steps of length eta_k from w_k, as in Algorithms 1 and 2"),
        Setting("B.def1", "Delta_i* is f_i(w*) minus the minimum of f_i"),
    ),
    assumptions=(
        as_stated(CONVEX_CLIENTS, "f_i is convex", "B.lem1"),
        as_stated(SMOOTH_CLIENTS, "f_i is L-smooth", "B.lem1"),
        as_stated(MINIMUM_ATTAINED, "f_i has a minimum", "B.lem1"),
    ),
    conditions=(at_most(eta, 1 / (2 * L), locator="B.lem1", printed=r"\eta_{k}\leq\frac{1}{2L}"),),
    example={
        "L": 1,
        "eta": 0.25,
        "E": 4,
        "round_distance": 2,
        "local_gradients_squared": 3,
        "Delta_i_star": 0.1,
    },
    concrete=Concrete(
        objects={
            "f": "the client's objective, a function of points",
            "gradient": "its gradient",
            "f_star": "its minimum",
            "w": "start of the round w_k",
            "w_star": "point w*",
            "eta": "local learning rate of the round",
            "E": "number of local steps",
            "L": "smoothness constant of the client",
        },
        numbers=_numbers,
        drawn=drawn(
            **{"f": _f, "gradient": _f.gradient, "f_star": _f.lowest},
            **{"w": vector("w"), "w_star": vector("w_star"), "eta": eta, "E": E, "L": L},
        ),
    ),
    increasing=(round_distance, Delta_i_star),
    decreasing=(local_gradients_squared,),
    edges=(
        Edge(eta, 0, EdgeOutcome.OUT_OF_DOMAIN, "no step: both sides would be the distance at the start"),
        Edge(E, 1, EdgeOutcome.REGULAR, "one gradient step"),
        Edge(Delta_i_star, 0, EdgeOutcome.REGULAR, "w* minimizes f_i: every step approaches it"),
        Edge(local_gradients_squared, 0, EdgeOutcome.REGULAR, "w_k minimizes f_i and nothing moves"),
    ),
    proof=("B.lem1.u1..B.lem1.eq88",),
)
