"""Lemma 4: how far the local steps of a client go, in terms of its gradient at the start of the round.

Where Lemma 2 bounds the square by 2 eta^2 L tau^2 times the gap, this bounds it by 4 eta^2 tau^2 times the
squared gradient: that the second is the smaller is a claim of its own.
"""

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
    local_move,
    round_gradient_norm,
    round_gradient_squared,
    tau,
)
from bounds.papers.dp_fedavg.shared.local_steps import Function, Points, length, local_iterates


def _numbers(gradient: Function, w: Points, eta: Any, tau: int, E: int, L: Any) -> dict[str, Any]:
    return {
        "eta": eta,
        "tau": tau,
        "E": E,
        "L": L,
        "round_gradient_norm": length(gradient(w)),
        "local_move": length(w - local_iterates(gradient, w, eta, tau)[-1]),
    }


def _compared(f: Function, gradient: Function, f_star: Any, w: Points, **given: Any) -> dict[str, Any]:
    return given | {"client_gap": f(w) - f_star, "round_gradient_squared": length(gradient(w)) ** 2}


_f = function("f", smooth=L, bounded_below=True)

DISTANCE = Statement(
    locator="B.lem4",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 4: distance after some local steps, from the gradient",
    printed=(
        r"\|\bm{w}_{k}-\bm{w}^{(i)}_{k,\tau}\|\leq 2\eta_{k}\tau\|\nabla f_{i}(\bm{w}_{k})\|"
        r"\text{ }\forall\text{ }\tau\geq 1",
    ),
    reading=(
        "for every realisation and every client; eta is the eta_k of the round; tau runs over the local "
        "iterates that the listing makes, up to E, as the last step of the proof asks."
    ),
    left=local_move,
    terms=(
        Term(
            "gradient",
            2 * eta * tau * round_gradient_norm,
            "pull of the gradient",
            remark="at a stationary point",
        ),
    ),
    setting=(Setting("B.lem4", "local gradient steps of length eta_k from w_k, as in Algorithms 1 and 2"),),
    assumptions=(as_stated(SMOOTH_CLIENTS, "each f_i is L-smooth", "B.lem4"),),
    conditions=(
        at_most(eta, 1 / (2 * L * E), locator="B.lem4", printed=r"\eta_{k}\leq\frac{1}{2LE}"),
        at_most(tau, E, locator="B.alg1", printed=r"\tau=0,\dots,E-1"),
    ),
    example={"L": 1, "eta": 0.1, "E": 4, "tau": 3, "round_gradient_norm": 1},
    concrete=Concrete(
        objects={
            "gradient": "the gradient of f_i, a function of points",
            "w": "start of the round w_k",
            "eta": "local learning rate of the round",
            "tau": "number of local steps taken",
            "E": "local steps of a round",
            "L": "smoothness constant of the client",
        },
        numbers=_numbers,
        drawn=drawn(gradient=_f.gradient, w=vector("w"), eta=eta, tau=tau, E=E, L=L),
    ),
    increasing=(eta, tau, round_gradient_norm),
    edges=(
        Edge(eta, 0, EdgeOutcome.OUT_OF_DOMAIN, "no step"),
        Edge(tau, 1, EdgeOutcome.REGULAR, "one gradient step: twice its length"),
        Edge(round_gradient_norm, 0, EdgeOutcome.REGULAR, "stationary for the client: nothing moves"),
    ),
    proof=("B.lem4.eq101..B.lem4.u8",),
)

STRONGER = replace(
    DISTANCE,
    title="Lemma 4 as a stronger bound than Lemma 2",
    printed=(r"a stronger bound than Lemma 2 under a stronger step-size requirement",),
    reading="for every client and point: the square of Lemma 4's right side is at most that of Lemma 2.",
    left=4 * eta**2 * tau**2 * round_gradient_squared,
    terms=(
        Term("gap", 2 * eta**2 * L * tau**2 * client_gap, "room to descend", remark="when w_k minimizes f_i"),
    ),
    setting=(Setting("B.lem2", "the bound that is compared with"),),
    assumptions=(
        *DISTANCE.assumptions,
        as_stated(MINIMUM_ATTAINED, "f_i has the minimum f_i*", "B.lem2"),
    ),
    example={"L": 1, "eta": 0.1, "E": 4, "tau": 3, "client_gap": 0.2},
    concrete=Concrete(
        objects={
            "f": "the client's objective, a function of points",
            "gradient": "its gradient",
            "f_star": "its minimum",
            "w": "start of the round w_k",
            "eta": "local learning rate of the round",
            "tau": "number of local steps taken",
            "E": "local steps of a round",
            "L": "smoothness constant of the client",
        },
        numbers=_compared,
        drawn=drawn(f=_f, gradient=_f.gradient, f_star=_f.lowest, w=vector("w"), eta=eta, tau=tau, E=E, L=L),
    ),
    increasing=(eta, L, tau, client_gap),
    edges=(
        Edge(eta, 0, EdgeOutcome.OUT_OF_DOMAIN, "no step"),
        Edge(client_gap, 0, EdgeOutcome.REGULAR, "w_k minimizes f_i: both bounds are zero"),
    ),
    proof=(),
)
