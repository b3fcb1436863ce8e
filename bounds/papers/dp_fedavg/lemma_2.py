"""Lemma 2: how far the local steps of a client go, in terms of its own gap at the start of the round."""

from dataclasses import replace
from typing import Any

from bounds.language.assumptions import MINIMUM_ATTAINED, SMOOTH_CLIENTS, as_stated
from bounds.language.condition import at_most
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.objects import function, vector
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.papers.dp_fedavg import PAPER
from bounds.papers.dp_fedavg.notation import (
    E,
    L,
    client_gap,
    eta,
    local_move_squared,
    tau,
    update_norm_squared,
)
from bounds.papers.dp_fedavg.shared.local_steps import Function, Points, length, local_iterates


def _numbers(
    f: Function, gradient: Function, f_star: Any, w: Points, eta: Any, tau: int, E: int, L: Any
) -> dict[str, Any]:
    iterates = local_iterates(gradient, w, eta, max(tau, E))
    return {
        "eta": eta,
        "tau": tau,
        "E": E,
        "L": L,
        "client_gap": f(w) - f_star,
        "local_move_squared": length(w - iterates[tau]) ** 2,
        "update_norm_squared": (length(w - iterates[E]) / eta) ** 2,
    }


_EDGES = (
    Edge(eta, 0, EdgeOutcome.OUT_OF_DOMAIN, "no step"),
    Edge(client_gap, 0, EdgeOutcome.REGULAR, "w_k minimizes f_i and nothing moves"),
)

_f = function("f", smooth=L, bounded_below=True)

MOVE = Statement(
    locator="B.lem2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 2, first part: distance after some local steps",
    printed=(
        r"\|\bm{w}_{k}-\bm{w}^{(i)}_{k,\tau}\|^{2}\leq 2\eta_{k}^{2}L\tau^{2}(f_{i}(\bm{w}_{k})-f_{i}^{*})"
        r"\text{ }\forall\text{ }\tau\geq 1",
    ),
    reading=(
        "for every realisation and every client; eta is the eta_k of the round; local gradient steps may be "
        "counted on past the E of the listing, as the proof never uses tau <= E."
    ),
    left=local_move_squared,
    terms=(
        Term("gap", 2 * eta**2 * L * tau**2 * client_gap, "room to descend", remark="when w_k minimizes f_i"),
    ),
    setting=(Setting("B.lem2", "local gradient steps of length eta_k from w_k, as in Algorithms 1 and 2"),),
    assumptions=(
        as_stated(SMOOTH_CLIENTS, "each f_i is L-smooth", "B.lem2"),
        as_stated(MINIMUM_ATTAINED, "f_i has the minimum f_i*", "B.lem2"),
    ),
    conditions=(at_most(eta, 1 / L, locator="B.lem2", printed=r"\eta_{k}\leq\frac{1}{L}"),),
    example={"L": 1, "eta": 0.5, "tau": 3, "client_gap": 0.2},
    concrete=Concrete(
        objects={
            "f": "the client's objective, a function of points",
            "gradient": "its gradient",
            "f_star": "its minimum",
            "w": "start of the round w_k",
            "eta": "local learning rate of the round",
            "tau": "number of local steps in the first part",
            "E": "number of local steps in the second part",
            "L": "smoothness constant of the client",
        },
        numbers=_numbers,
        drawn=drawn(f=_f, gradient=_f.gradient, f_star=_f.lowest, w=vector("w"), eta=eta, tau=tau, E=E, L=L),
    ),
    increasing=(eta, L, tau, client_gap),
    edges=(*_EDGES, Edge(tau, 1, EdgeOutcome.REGULAR, "one gradient step: Fact 1")),
    proof=("B.lem2.eq89..B.lem2.eq95",),
)

UPDATE = replace(
    MOVE,
    title="Lemma 2, second part: norm of the client's update",
    printed=(r"\big\|\bm{u}_{k}^{(i)}\big\|^{2}\leq 2LE^{2}(f_{i}(\bm{w}_{k})-f_{i}^{*})",),
    reading="for every realisation and every client; eta is the eta_k of the round.",
    left=update_norm_squared,
    terms=(Term("gap", 2 * L * E**2 * client_gap, "room to descend", remark="when w_k minimizes f_i"),),
    example={"L": 1, "E": 3, "client_gap": 0.2, "eta": 0.5},
    increasing=(L, E, client_gap),
    edges=(*_EDGES, Edge(E, 1, EdgeOutcome.REGULAR, "one gradient step: Fact 1")),
    proof=("B.lem2.u2",),
)
