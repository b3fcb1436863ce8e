"""Lemma 7: local gradient-descent steps, in its five statements."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sympy import Integer

from bounds.language.assumptions import SMOOTH_CLIENTS, as_stated
from bounds.language.condition import at_most
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.objects import function, vector
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.language.vanishing import ToZero
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.notation import (
    L,
    T,
    client_gradient_norm,
    eta,
    gamma,
    local_drift,
    local_path_move,
    local_result_move,
    operator_error,
    server_move,
    unrolling_error,
)
from bounds.papers.fed_norm_ec.shared.local_steps import Points, length, mean_length, path, unrolled

BETWEEN_ROUNDS = (
    Edge(eta, 0, EdgeOutcome.OUT_OF_DOMAIN, "h5 asks eta > 0"),
    Edge(server_move, 0, EdgeOutcome.REGULAR, "the server stands still, and so do the local iterates"),
)
_GRADIENT = (
    Edge(client_gradient_norm, 0, EdgeOutcome.REGULAR, "stationary for the client: no local step moves"),
    Edge(gamma, 0, EdgeOutcome.OUT_OF_DOMAIN, "Algorithm 1 asks gamma > 0"),
)


def _numbers(
    gradient: Callable[[Points], Points], x: Points, x_next: Points, T: int, gamma: float, **given: Any
) -> dict[str, Any]:
    here = path([gradient] * T, x, gamma / T)
    there = path([gradient] * T, x_next, gamma / T)
    return given | {
        "gamma": gamma,
        "server_move": length(x_next - x),
        "client_gradient_norm": length(gradient(x)),
        "unrolling_error": unrolled([gradient] * T, here, gamma / T),
        "local_path_move": mean_length([b - a for a, b in zip(here[:-1], there[:-1], strict=True)]),
        "local_drift": mean_length([point - x for point in here[:-1]]),
        "local_result_move": length(there[-1] - here[-1]),
        "operator_error": length(x - gamma * gradient(x) - here[-1]),
    }


_f, _x, _move = function("f", smooth=L), vector("x"), vector("move", longest=eta)

C2 = Statement(
    locator="A.lem7.c2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 7, statement 2: local iterates of successive rounds",
    printed=(r"\frac{1}{T}\sum_{j=0}^{T-1}\left\|x_{i}^{k+1,j}-x_{i}^{k,j}\right\|\leq 2\eta.",),
    reading="for every realisation and every client, with T local gradient steps of length gamma/T each.",
    left=local_path_move,
    terms=(Term("step", 2 * eta, "length of the server step", (ToZero(eta),)),),
    setting=(
        Setting("A.lem7.h2", "T_i takes T gradient steps of length gamma/T"),
        Setting("A.lem7.h3", "they start at x^k"),
    ),
    assumptions=(as_stated(SMOOTH_CLIENTS, "every f_i is L-smooth", "A.lem7.h1"),),
    conditions=(
        at_most(gamma, 1 / (2 * L), locator="A.lem7.h4", printed=r"\gamma\leq\frac{1}{2L}"),
        at_most(
            server_move,
            eta,
            locator="A.lem7.h5",
            printed=r"\left\|x^{k+1}-x^{k}\right\|\leq\eta",
        ),
    ),
    example={"L": 1, "gamma": 0.5, "eta": 0.01, "server_move": 0.01},
    concrete=Concrete(
        objects={
            "gradient": "the gradient of f_i, a function of points",
            "x": "point x^k",
            "x_next": "point x^{k+1}",
            "T": "number of local steps",
            "gamma": "length of the whole local pass",
            "L": "smoothness constant of f_i",
            "eta": "bound on the server's move",
        },
        numbers=_numbers,
        drawn=drawn(gradient=_f.gradient, x=_x, x_next=_x + _move, T=T, gamma=gamma, eta=eta, L=L),
    ),
    increasing=(eta,),
    edges=BETWEEN_ROUNDS,
    proof=("A.lem7.s2..A.lem7.s8",),
)

C1 = replace(
    C2,
    locator="A.lem7.c1",
    kind=Kind.EQUALITY,
    title="Lemma 7, statement 1: the recursion unrolled",
    printed=(r"x_{i}^{k,l}=x^{k}-\frac{\gamma}{T}\sum_{j=0}^{l-1}\nabla f_{i}(x_{i}^{k,l}).",),
    reading=(
        "for every l; the summand is the gradient at x_i^{k,j}, as the proof's recursion has it: the printed "
        "one, at x_i^{k,l}, does not depend on the index of its sum."
    ),
    other_readings=(
        "the gradient at x_i^{k,l} as printed: an implicit equation, false unless l is at most 0.",
    ),
    left=unrolling_error,
    terms=(Term("zero", Integer(0), "nothing: an identity"),),
    increasing=(),
    edges=_GRADIENT[1:],
    proof=("A.lem7.s1",),
)

C3 = replace(
    C2,
    locator="A.lem7.c3",
    title="Lemma 7, statement 3: drift of the local iterates",
    printed=(
        r"\frac{1}{T}\sum_{j=0}^{T-1}\left\|x^{k}-x_{i}^{k,j}\right\|\leq "
        r"2\gamma\left\|\nabla f_{i}(x^{k})\right\|.",
    ),
    left=local_drift,
    terms=(
        Term(
            "drift",
            2 * gamma * client_gradient_norm,
            "local progress",
            remark="when x^k is stationary for f_i",
        ),
    ),
    example={"L": 1, "gamma": 0.5, "client_gradient_norm": 1, "eta": 0.01, "server_move": 0.01},
    increasing=(gamma, client_gradient_norm),
    edges=_GRADIENT,
    proof=("A.lem7.s9..A.lem7.s15",),
)

C4 = replace(
    C2,
    locator="A.lem7.c4",
    title="Lemma 7, statement 4: local results of successive rounds",
    printed=(r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\|\leq 2\eta.",),
    left=local_result_move,
    proof=("A.lem7.s16..A.lem7.s19",),
)

C5 = replace(
    C2,
    locator="A.lem7.c5",
    title="Lemma 7, statement 5: local steps against one gradient step",
    printed=(
        r"\left\|(x^{k}-\gamma\nabla f_{i}(x^{k}))-\mathcal{T}_{i}(x^{k})\right\|\leq "
        r"2L\gamma^{2}\left\|\nabla f_{i}(x^{k})\right\|.",
    ),
    left=operator_error,
    terms=(
        Term(
            "drift",
            2 * L * gamma**2 * client_gradient_norm,
            "gradients at drifted iterates",
            remark="when x^k is stationary for f_i",
        ),
    ),
    example={"L": 1, "gamma": 0.5, "client_gradient_norm": 1, "eta": 0.01, "server_move": 0.01},
    increasing=(L, gamma, client_gradient_norm),
    edges=_GRADIENT,
    proof=("A.lem7.s20..A.lem7.s24",),
)
