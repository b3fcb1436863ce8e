"""Lemma 5: the rate that follows from a descent inequality."""

from typing import Any

from sympy import exp

from bounds.language.condition import at_most, solved_at_least
from bounds.language.lazy_numpy import NDArray, np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.notation import (
    V_0,
    K,
    V_k,
    V_next,
    W_k,
    b_1,
    b_2,
    b_3,
    gamma_sequence,
    min_W,
)

GROWTH = 1 + b_1 * gamma_sequence**2


def _numbers(V: NDArray[Any], W: NDArray[Any], **given: Any) -> dict[str, Any]:
    """h2 is decided at the k where it is tightest: the conditions speak of one k."""
    growth = 1 + given["b_1"] * given["gamma_sequence"] ** 2
    slack = growth * V[..., :-1] + given["gamma_sequence"] * (given["b_3"] - given["b_2"] * W) - V[..., 1:]
    tightest = slack.argmin(axis=-1)[..., None]

    def at_tightest(sequence: NDArray[Any]) -> NDArray[Any]:
        return np.take_along_axis(sequence, tightest, axis=-1)[..., 0]

    return given | {
        "K": W.shape[-1] - 1,
        "V_0": V[..., 0],
        "V_k": at_tightest(V[..., :-1]),
        "V_next": at_tightest(V[..., 1:]),
        "W_k": at_tightest(W),
        "min_W": W.min(axis=-1),
    }


LEMMA = Statement(
    locator="A.lem5",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 5: rate from a descent inequality",
    printed=(
        r"\underset{k\in[0,K]}{\min}W^{k}\leq\frac{\exp(b_{1}\gamma^{2}(K+1))}{K+1}"
        r"\frac{V^{0}}{b_{2}\gamma}+\frac{b_{3}}{b_{2}}.",
    ),
    reading=(
        "for sequences of numbers; h2 is asked for every k in [0, K], and V_k, V_next, W_k stand for one "
        "such k; the signs of b_1, b_2, b_3 are not printed and are those of the theorems: b_2 = 1, and b_1 "
        "is 0 for one local step and above 0 for several, where A.thm1.s16 and A.thm2.s14 compound. With "
        "a negative b_1 the lemma is false. Units are those of the theorems: V is a gap, W a gradient norm, "
        "gamma a length."
    ),
    left=min_W,
    terms=(
        Term(
            "initialization",
            exp(b_1 * gamma_sequence**2 * (K + 1)) / (K + 1) * V_0 / (b_2 * gamma_sequence),
            "distance still to go, compounded by b_1",
            (Equal(V_0, 0),),
        ),
        Term("floor", b_3 / b_2, "what every step adds", (Equal(b_3, 0),)),
    ),
    setting=(Setting("A.lem5.h1", "V^k and W^k are non-negative sequences"),),
    conditions=(
        at_most(
            V_next,
            GROWTH * V_k - b_2 * gamma_sequence * W_k + b_3 * gamma_sequence,
            locator="A.lem5.h2",
            printed=r"V^{k+1}\leq(1+b_{1}\gamma^{2})V^{k}-b_{2}\gamma W^{k}+b_{3}\gamma.",
            solved=solved_at_least(V_k, (V_next + gamma_sequence * (b_2 * W_k - b_3)) / GROWTH),
        ),
    ),
    example={
        "K": 99,
        "V_0": 1,
        "b_1": 0.01,
        "b_2": 1,
        "b_3": 0.05,
        "gamma_sequence": 0.1,
        "V_k": 1,
        "V_next": 0.95,
        "W_k": 0.5,
    },
    concrete=Concrete(
        objects={
            "V": "V^0, ..., V^{K+1}, non-negative",
            "W": "W^0, ..., W^K, non-negative",
            "b_1": "growth per squared step",
            "b_2": "descent per step",
            "b_3": "error per step",
            "gamma_sequence": "step size",
        },
        numbers=_numbers,
    ),
    increasing=(V_0, b_1, b_3),
    decreasing=(b_2,),
    edges=(
        Edge(b_2, 0, EdgeOutcome.OUT_OF_DOMAIN, "no descent: the conclusion divides by b_2"),
        Edge(gamma_sequence, 0, EdgeOutcome.OUT_OF_DOMAIN, "no step: the conclusion divides by gamma"),
        Edge(b_1, 0, EdgeOutcome.REGULAR, "nothing compounds, as in Theorem 1 with one local step"),
        Edge(b_3, 0, EdgeOutcome.REGULAR, "no floor"),
        Edge(V_0, 0, EdgeOutcome.REGULAR, "started at the infimum: the floor remains"),
        Edge(K, 0, EdgeOutcome.REGULAR, "one step: the minimum is W^0"),
    ),
    proof=("A.lem5.s1..A.lem5.s12",),
)
