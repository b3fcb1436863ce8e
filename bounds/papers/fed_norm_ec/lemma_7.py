"""Lemma 7: local gradient-descent steps, in its five statements."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sympy import Integer

from bounds.language.assumptions import SMOOTH_CLIENTS, as_stated
from bounds.language.condition import at_most
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Step, Term
from bounds.language.vanishing import ToZero
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.notation import (
    L,
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

_ROUNDS = (
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


C2 = Statement(
    locator="A.lem7.c2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 7, statement 2: local iterates of successive rounds",
    printed=(r"\frac{1}{T}\sum_{j=0}^{T-1}\left\|x_{i}^{k+1,j}-x_{i}^{k,j}\right\|\leq 2\eta.",),
    reading="for every realisation and every client, with T local gradient steps of length gamma/T each.",
    setting=(
        Setting("A.lem7.h2", "T_i takes T gradient steps of length gamma/T"),
        Setting("A.lem7.h3", "they start at x^k"),
    ),
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
    left=local_path_move,
    example={"L": 1, "gamma": 0.5, "eta": 0.01, "server_move": 0.01},
    terms=(Term("step", 2 * eta, "length of the server step", (ToZero(eta),)),),
    increasing=(eta,),
    edges=_ROUNDS,
    steps=(
        Step(
            "A.lem7.s2",
            r"\left\|x^{k+1,l}_{i}-x_{i}^{k,l}\right\| = \left\|x^{k+1}-x^{k}"
            r"-\frac{\gamma}{T}\sum_{j=0}^{l-1}(\nabla f_{i}(x_{i}^{k+1,j})"
            r"-\nabla f_{i}(x_{i}^{k,j}))\right\|",
            "statement 2: definition of x_i^{k,j}",
            ("A.lem7.s1",),
        ),
        Step(
            "A.lem7.s3",
            r"\leq \left\|x^{k+1}-x^{k}\right\|+\frac{\gamma}{T}\sum_{j=0}^{l-1}"
            r"\left\|\nabla f_{i}(x_{i}^{k+1,j})-\nabla f_{i}(x_{i}^{k,j})\right\|",
            "triangle inequality",
            ("A.lem7.s2",),
        ),
        Step(
            "A.lem7.s4",
            r"\leq \left\|x^{k+1}-x^{k}\right\|+\frac{L\gamma}{T}\sum_{j=0}^{l-1}\left\|x_{i}^{k+1,j}"
            r"-x_{i}^{k,j}\right\|.",
            "L-smoothness of f_i",
            ("A.lem7.s3", "A.lem7.h1"),
        ),
        Step(
            "A.lem7.s5",
            r"\left\|x^{k+1,l}_{i}-x_{i}^{k,l}\right\| \leq \eta+\frac{L\gamma}{T}\sum_{j=0}^{l-1}"
            r"\left\|x_{i}^{k+1,j}-x_{i}^{k,j}\right\|",
            "bound on the server's step",
            ("A.lem7.s4", "A.lem7.h5"),
        ),
        Step(
            "A.lem7.s6",
            r"\leq \eta+\frac{L\gamma}{T}\sum_{j=0}^{T-1}\left\|x_{i}^{k+1,j}-x_{i}^{k,j}\right\|",
            "l <= T",
            ("A.lem7.s5",),
        ),
        Step(
            "A.lem7.s7",
            r"\sum_{j=0}^{T-1}\left\|x^{k+1,j}_{i}-x_{i}^{k,j}\right\|\leq\eta T+L\gamma\sum_{j=0}^{T-1}"
            r"\left\|x_{i}^{k+1,j}-x_{i}^{k,j}\right\|.",
            "sum over the local steps",
            ("A.lem7.s6",),
        ),
        Step(
            "A.lem7.s8",
            r"\frac{1}{T}\sum_{j=0}^{T-1}\left\|x^{k+1,j}_{i}-x_{i}^{k,j}\right\|\leq 2\eta.",
            "L gamma <= 1/2; proves statement 2",
            ("A.lem7.s7", "A.lem7.h4"),
        ),
    ),
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
    steps=(
        Step(
            "A.lem7.s1",
            r"apply the recursion for $x_{i}^{k,j+1}$ for $j=0,1,\ldots,l-1$",
            "statement 1: apply the recursion for j = 0, 1, ..., l-1",
            ("A.lem7.h2", "A.lem7.h3"),
        ),
    ),
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
    example={"L": 1, "gamma": 0.5, "client_gradient_norm": 1, "eta": 0.01, "server_move": 0.01},
    terms=(
        Term(
            "drift",
            2 * gamma * client_gradient_norm,
            "local progress",
            remark="when x^k is stationary for f_i",
        ),
    ),
    increasing=(gamma, client_gradient_norm),
    edges=_GRADIENT,
    steps=(
        Step(
            "A.lem7.s9",
            r"\left\|x^{k}-x_{i}^{k,j}\right\| = \left\|\frac{\gamma}{T}"
            r"\sum_{j=0}^{l-1}\nabla f_{i}(x_{i}^{k,j})\right\|",
            "statement 3: definition of x_i^{k,l}",
            ("A.lem7.s1",),
        ),
        Step(
            "A.lem7.s10",
            r"= \left\|\frac{\gamma}{T}\sum_{j=0}^{l-1}[\nabla f_{i}(x_{i}^{k,j})-\nabla f_{i}(x^{k})"
            r"+\nabla f_{i}(x^{k})]\right\|.",
            "add and subtract grad f_i(x^k)",
            ("A.lem7.s9",),
        ),
        Step(
            "A.lem7.s11",
            r"\left\|x^{k}-x_{i}^{k,j}\right\| \leq \frac{\gamma}{T}\sum_{j=0}^{l-1}"
            r"\left\|\nabla f_{i}(x_{i}^{k,j})-\nabla f_{i}(x^{k})\right\|"
            r"+\frac{\gamma}{T}\sum_{j=0}^{l-1}\left\|\nabla f_{i}(x^{k})\right\|",
            "triangle inequality",
            ("A.lem7.s10",),
        ),
        Step(
            "A.lem7.s12",
            r"\leq \frac{L\gamma}{T}\sum_{j=0}^{l-1}\left\|x_{i}^{k,j}-x^{k}\right\|"
            r"+\frac{\gamma}{T}\sum_{j=0}^{l-1}\left\|\nabla f_{i}(x^{k})\right\|.",
            "L-smoothness of f_i",
            ("A.lem7.s11", "A.lem7.h1"),
        ),
        Step(
            "A.lem7.s13",
            r"\left\|x^{k}-x_{i}^{k,j}\right\| \leq \frac{L\gamma}{T}\sum_{j=0}^{T-1}\left\|x_{i}^{k,j}"
            r"-x^{k}\right\|+\gamma\left\|\nabla f_{i}(x^{k})\right\|.",
            "l <= T and norms are non-negative",
            ("A.lem7.s12",),
        ),
        Step(
            "A.lem7.s14",
            r"\sum_{j=0}^{T-1}\left\|x^{k}-x_{i}^{k,j}\right\| \leq L\gamma\sum_{j=0}^{T-1}"
            r"\left\|x_{i}^{k,j}-x^{k}\right\|+\gamma T\left\|\nabla f_{i}(x^{k})\right\|.",
            "sum over the local steps",
            ("A.lem7.s13",),
        ),
        Step(
            "A.lem7.s15",
            r"\sum_{j=0}^{T-1}\left\|x^{k}-x_{i}^{k,j}\right\|\leq 2\gamma T"
            r"\left\|\nabla f_{i}(x^{k})\right\|.",
            "L gamma <= 1/2; proves statement 3",
            ("A.lem7.s14", "A.lem7.h4"),
        ),
    ),
)

C4 = replace(
    C2,
    locator="A.lem7.c4",
    title="Lemma 7, statement 4: local results of successive rounds",
    printed=(r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\|\leq 2\eta.",),
    left=local_result_move,
    steps=(
        Step(
            "A.lem7.s16",
            r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\| "
            r"= \left\|x^{k+1}-x^{k}-\frac{\gamma}{T}\sum_{j=0}^{l-1}[\nabla f_{i}(x_{i}^{k,l+1})"
            r"-\nabla f_{i}(x_{i}^{k,l})]\right\|.",
            "statement 4: definition of T_i",
            ("A.lem7.h2",),
        ),
        Step(
            "A.lem7.s17",
            r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\| "
            r"\leq \left\|x^{k+1}-x^{k}\right\|+\frac{\gamma}{T}\sum_{j=0}^{l-1}"
            r"\left\|\nabla f_{i}(x_{i}^{k,l+1})-\nabla f_{i}(x_{i}^{k,l})\right\|",
            "triangle inequality",
            ("A.lem7.s16",),
        ),
        Step(
            "A.lem7.s18",
            r"\leq \left\|x^{k+1}-x^{k}\right\|+\frac{L\gamma}{T}\sum_{j=0}^{l-1}\left\|x_{i}^{k,l+1}"
            r"-x_{i}^{k,l}\right\|.",
            "L-smoothness of f_i",
            ("A.lem7.s17", "A.lem7.h1"),
        ),
        Step(
            "A.lem7.s19",
            r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\|"
            r"\leq\eta+L\gamma\cdot 2\eta\overset{L\gamma\leq 1/2}{\leq}2\eta.",
            "bound on the server's step, l <= T, statement 2, then L gamma <= 1/2; proves statement 4",
            ("A.lem7.s18", "A.lem7.h4", "A.lem7.h5", "A.lem7.c2"),
        ),
    ),
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
    example={"L": 1, "gamma": 0.5, "client_gradient_norm": 1, "eta": 0.01, "server_move": 0.01},
    terms=(
        Term(
            "drift",
            2 * L * gamma**2 * client_gradient_norm,
            "gradients at drifted iterates",
            remark="when x^k is stationary for f_i",
        ),
    ),
    increasing=(L, gamma, client_gradient_norm),
    edges=_GRADIENT,
    steps=(
        Step(
            "A.lem7.s20",
            r"\left\|(x^{k}-\gamma\nabla f_{i}(x^{k}))-\mathcal{T}_{i}(x^{k})\right\|"
            r"=\left\|\left(x^{k}-\frac{\gamma}{T}\sum_{l=0}^{T-1}\nabla f_{i}(x^{k})\right)-\left(x^{k}"
            r"-\frac{\gamma}{T}\sum_{l=0}^{T-1}\nabla f_{i}(x_{i}^{k,l})\right)\right\|.",
            "statement 5: definition of T_i",
            ("A.lem7.h2",),
        ),
        Step(
            "A.lem7.s21",
            r"\sum_{j=0}^{T}\left\|x^{k}-x_{i}^{k,j}\right\|\leq 2\gamma T"
            r"\left\|\nabla f_{i}(x^{k})\right\|,",
            "fact used below",
            ("A.lem7.c3",),
        ),
        Step(
            "A.lem7.s22",
            r"\left\|(x^{k}-\gamma\nabla f_{i}(x^{k}))-\mathcal{T}_{i}(x^{k})\right\| "
            r"\leq \frac{\gamma}{T}\sum_{l=0}^{T-1}\left\|\nabla f_{i}(x^{k})"
            r"-\nabla f_{i}(x_{i}^{k,l})\right\|",
            "triangle inequality",
            ("A.lem7.s20",),
        ),
        Step(
            "A.lem7.s23",
            r"\leq \frac{L\gamma}{T}\sum_{l=0}^{T-1}\left\|x^{k}-x_{i}^{k,l}\right\|",
            "L-smoothness of f_i",
            ("A.lem7.s22", "A.lem7.h1"),
        ),
        Step(
            "A.lem7.s24",
            r"\leq 2L\gamma^{2}\left\|\nabla f_{i}(x^{k})\right\|.",
            "s21; proves statement 5",
            ("A.lem7.s21", "A.lem7.s23"),
        ),
    ),
)
