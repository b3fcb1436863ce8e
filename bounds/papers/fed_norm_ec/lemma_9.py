"""Lemma 9: local incremental-gradient steps, in its four statements."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sympy import Integer

from bounds.language.assumptions import SMOOTH_CLIENTS, as_stated
from bounds.language.condition import at_most
from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term, amend
from bounds.language.vanishing import ToZero
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.lemma_7 import BETWEEN_ROUNDS
from bounds.papers.fed_norm_ec.notation import (
    L,
    eta,
    gamma,
    ig_drift,
    ig_path_move,
    local_result_move,
    mean_ig_operator_error,
    server_move,
    unrolling_error,
)
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION
from bounds.papers.fed_norm_ec.shared.local_steps import Gradient, Points, length, mean_length, path, unrolled


def _numbers(
    gradients: Sequence[Sequence[Gradient]], x: Points, x_next: Points, gamma: float, **given: Any
) -> dict[str, Any]:
    """Statements 2 and 3 speak of every client, so of the worst one; statement 4 of their mean."""
    of_clients = [_list_points_of_client(components, x, x_next, gamma) for components in gradients]
    worst = {name: np.max([m[name] for m in of_clients], axis=0) for name in of_clients[0]}
    return given | {
        **worst,
        "gamma": gamma,
        "server_move": length(x_next - x),
        "ig_drift": sum(m["drift"] for m in of_clients) / len(of_clients),
        "mean_ig_operator_error": sum(m["operator_error"] for m in of_clients) / len(of_clients),
    }


def _list_points_of_client(
    components: Sequence[Gradient], x: Points, x_next: Points, gamma: float
) -> dict[str, Points]:
    step = gamma / len(components)
    here, there = path(components, x, step), path(components, x_next, step)
    slope = sum(gradient(x) for gradient in components) / len(components)
    return {
        "unrolling_error": unrolled(components, here, step),
        "ig_path_move": mean_length([b - a for a, b in zip(here[:-1], there[:-1], strict=True)]),
        "local_result_move": length(there[-1] - here[-1]),
        "drift": mean_length([point - x for point in here[:-1]]),
        "operator_error": length(here[-1] - (x - gamma * slope)),
    }


C2 = Statement(
    locator="A.lem9.c2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 9, statement 2: local iterates of successive rounds",
    printed=(r"\frac{1}{N}\sum_{j=0}^{N-1}\left\|x_{i}^{k+1,j}-x_{i}^{k,j}\right\|\leq 2\eta.",),
    reading=(
        "for every realisation and every client, with one cyclic pass over its N data points in steps of "
        "length gamma/N; local step l uses the gradient of f_il."
    ),
    other_readings=(
        "the index j of h2 as printed: every local step of the pass uses one and the same data point.",
    ),
    left=ig_path_move,
    terms=(Term("step", 2 * eta, "length of the server step", (ToZero(eta),)),),
    setting=(
        Setting(
            "A.lem9.h2", "T_i takes one step of length gamma/N along each of its N data points, in order"
        ),
        Setting("A.lem9.h3", "they start at x^k"),
    ),
    assumptions=(as_stated(SMOOTH_CLIENTS, "every f_i is L-smooth", "A.lem9.h1"),),
    conditions=(
        at_most(gamma, 1 / (2 * L), locator="A.lem9.h4", printed=r"\gamma\leq\frac{1}{2L}"),
        at_most(
            server_move,
            eta,
            locator="A.lem9.h5",
            printed=r"\left\|x^{k+1}-x^{k}\right\|\leq\eta",
        ),
    ),
    example={"L": 1, "gamma": 0.5, "eta": 0.01, "server_move": 0.01},
    concrete=Concrete(
        objects={
            "gradients": "for every client, the gradient of each f_ij as a function of points",
            "x": "point x^k",
            "x_next": "point x^{k+1}",
            "gamma": "length of the whole pass",
            "L": "smoothness constant of the clients",
            "eta": "bound on the server's move",
        },
        numbers=_numbers,
    ),
    increasing=(eta,),
    edges=BETWEEN_ROUNDS,
    proof=("A.lem9.s2..A.lem9.s9",),
)

C1 = replace(
    C2,
    locator="A.lem9.c1",
    kind=Kind.EQUALITY,
    title="Lemma 9, statement 1: the recursion unrolled",
    printed=(r"x_{i}^{k,l}=x^{k}-\frac{\gamma}{N}\sum_{j=0}^{l-1}\nabla f_{i,j}(x_{i}^{k,l}).",),
    reading=(
        "for every l; the summand is the gradient of f_ij at x_i^{k,j}, as eq. (3) and the proof's recursion "
        "have it."
    ),
    other_readings=("the gradients at x_i^{k,l} as printed: an implicit equation, false in general.",),
    left=unrolling_error,
    terms=(Term("zero", Integer(0), "nothing: an identity"),),
    increasing=(),
    edges=(Edge(server_move, 0, EdgeOutcome.REGULAR, "the server stands still"),),
    proof=("A.lem9.s1",),
)

C3 = replace(
    C2,
    locator="A.lem9.c3",
    title="Lemma 9, statement 3: local results of successive rounds",
    printed=(r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\|\leq 2\eta.",),
    left=local_result_move,
    proof=("A.lem9.s10..A.lem9.s15",),
)

C4 = replace(
    C2,
    locator="A.lem9.c4",
    title="Lemma 9, statement 4: a local pass against one gradient step",
    printed=(
        r"\frac{1}{M}\sum^{M}_{i=1}\left\|\mathcal{T}_{i}(x^{k})"
        r"-\left(x^{k}-\gamma\nabla f_{i}(x^{k})\right)\right\|\leq"
        r"\gamma L\frac{1}{M}\sum^{M}_{i=1}\frac{1}{N}\sum^{N-1}_{j=0}\left\|x^{k,j}_{i}-x^{k}\right\|",
    ),
    reading=(
        "for every realisation, in the mean over the clients, with one cyclic pass over the N data points in "
        "steps of length gamma/N; local step l uses the gradient of f_il."
    ),
    left=mean_ig_operator_error,
    terms=(
        Term("drift", gamma * L * ig_drift, "gradients at drifted iterates", remark="when no iterate drifts"),
    ),
    example={"L": 1, "gamma": 0.5, "ig_drift": 0.1, "eta": 0.01, "server_move": 0.01},
    increasing=(gamma, L, ig_drift),
    edges=(
        Edge(ig_drift, 0, EdgeOutcome.REGULAR, "no iterate drifts: the pass is one gradient step"),
        Edge(gamma, 0, EdgeOutcome.OUT_OF_DOMAIN, "Algorithm 1 asks gamma > 0"),
    ),
    proof=("A.lem9.s16..A.lem9.s22",),
)


def _require_smooth_components(statement: Statement, needed: str, *restored: str) -> Statement:
    """Restore the steps that apply L to a data point's gradient, or use a statement that does.

    They are false for smooth clients and true for smooth data points.
    """
    return amend(
        statement,
        change="h1 asks that every f_ij is L-smooth, as Assumption 1 has it",
        because="the proof applies the Lipschitz constant L to the gradients of the f_ij, step by step",
        derivation=f"{DERIVATION}#lemma-9",
        needed=needed,
        restores=restored,
        printed=statement.printed,
        reading=f"{statement.reading} h1 asks it of every f_ij.",
        assumptions=(as_stated(SMOOTH_CLIENTS, "every f_ij is L-smooth", "A.lem9.h1"),),
        proof=statement.proof,
    )


C2_AMENDED = _require_smooth_components(C2, "fed_norm_ec.lemma_9.c2", "A.lem9.s3")
C3_AMENDED = _require_smooth_components(C3, "fed_norm_ec.lemma_9.c3", "A.lem9.s12", "A.lem9.s14")
C4_AMENDED = _require_smooth_components(C4, "fed_norm_ec.lemma_9.c4", "A.lem9.s20")
