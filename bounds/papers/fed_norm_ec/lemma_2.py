"""Lemma 2: a random walk whose increments are means of independent vectors."""

from typing import Any

from sympy import sqrt

from bounds.language.assumptions import UNBIASED_NOISE, as_stated
from bounds.language.condition import at_most
from bounds.language.lazy_numpy import NDArray, np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term, amend
from bounds.language.step import Step
from bounds.language.vanishing import Equal, Grows
from bounds.papers.fed_norm_ec import PAPER
from bounds.papers.fed_norm_ec.notation import (
    K,
    M,
    beta,
    increment_second_moment,
    initial_walk_norm,
    sigma,
    walk_norm,
)
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION


def _numbers(
    start: NDArray[Any], z: NDArray[Any], weights: NDArray[Any], beta: float, sigma: float
) -> dict[str, Any]:
    """The joint law of all z_i^k as outcomes with their probabilities."""
    _, rounds, clients, _ = z.shape
    walk = start + beta * z.mean(axis=2).sum(axis=1)
    second_moments = np.einsum("s,skij->ki", weights, z * z)
    return {
        "beta": beta,
        "sigma": sigma,
        "M": clients,
        "K": rounds - 1,
        "initial_walk_norm": np.linalg.norm(start),
        "increment_second_moment": second_moments.max(),
        "walk_norm": weights @ np.linalg.norm(walk, axis=-1),
    }


LEMMA = Statement(
    locator="A.lem2",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 2: random walk",
    printed=(
        r"{\rm E}\left[\left\|e^{k+1}\right\|\right]\leq{\rm E}\left[\left\|e^{0}\right\|\right]"
        r"+\sqrt{\frac{\beta^{2}(K+1)\sigma^{2}}{M}}.",
    ),
    reading=(
        "for every k in [0, K]; the z_i^k are independent over the clients and over the rounds, as the proof "
        "uses them; units are those of Lemma 3: e^k is a gradient, z_i^k and sigma are pure numbers."
    ),
    other_readings=("z_i^k independent over the clients i alone: nothing is then known of the cross terms.",),
    left=walk_norm,
    terms=(
        Term("start", initial_walk_norm, "where the walk starts", (Equal(initial_walk_norm, 0),)),
        Term(
            "diffusion",
            sqrt(beta**2 * (K + 1) * sigma**2 / M),
            "random increments of K+1 rounds",
            (Equal(sigma, 0), Grows(M)),
        ),
    ),
    setting=(
        Setting("A.lem2.h1", "e^k is a random walk with increments beta z^k"),
        Setting("A.lem2.h2", "z^k is the mean of z_1^k, ..., z_M^k"),
    ),
    assumptions=(
        as_stated(
            UNBIASED_NOISE,
            "the z_i^k are independent, with mean zero and E||z_i^k||^2 <= sigma^2 (total)",
            "A.lem2.h3",
        ),
    ),
    conditions=(
        at_most(
            increment_second_moment,
            sigma**2,
            locator="A.lem2.h3",
            printed=r"{\rm E}\left[\left\|z_{i}^{k}\right\|^{2}\right]\leq\sigma^{2}",
        ),
    ),
    example={"K": 99, "M": 4, "beta": 0.1, "sigma": 2, "initial_walk_norm": 0, "increment_second_moment": 3},
    concrete=Concrete(
        objects={
            "start": "e^0, a fixed vector (d,)",
            "z": "outcomes of the increments, (outcomes, K+1, M, d): independent and with mean 0",
            "weights": "their probabilities, (outcomes,)",
            "beta": "length of a step",
            "sigma": "root of the bound on E||z_i^k||^2",
        },
        numbers=_numbers,
    ),
    increasing=(initial_walk_norm, beta, K, sigma),
    decreasing=(M,),
    edges=(
        Edge(sigma, 0, EdgeOutcome.REGULAR, "the walk stands still"),
        Edge(initial_walk_norm, 0, EdgeOutcome.REGULAR, "the walk starts at the origin"),
        Edge(K, 0, EdgeOutcome.REGULAR, "one increment"),
        Edge(M, 1, EdgeOutcome.REGULAR, "one client: nothing is averaged"),
        Edge(beta, 0, EdgeOutcome.OUT_OF_DOMAIN, "beta > 0 in Algorithm 1"),
    ),
    proof=("A.lem2.s1..A.lem2.s7",),
)

_SECOND_MOMENT = Step(
    "A.lem2.s6",
    r"{\rm E}\left[\left\|z^{k}\right\|^{2}\right]=\frac{1}{M^{2}}\sum_{i=1}^{M}{\rm E}\left["
    r"\left\|z_{i}^{k}\right\|^{2}\right]\leq\sigma^{2}/M.",
    "independence over the clients: second moment of the average",
    ("A.lem2.h2", "A.lem2.h3"),
)

AMENDED = amend(
    LEMMA,
    change="h3 is asked given the past, and independence over the clients alone; s6 has 1/M^2",
    because="increments with conditional mean zero are orthogonal over the rounds, and over the clients",
    derivation=f"{DERIVATION}#lemma-2",
    printed=LEMMA.printed,
    reading=(
        "for every k in [0, K]; given the increments of the rounds before, the z_i^k are independent over "
        "the clients and have mean zero: less than independence over the rounds, and what Lemma 3 supplies. "
        "Units are those of Lemma 3: e^k is a gradient, z_i^k and sigma are pure numbers."
    ),
    other_readings=(),
    proof=("A.lem2.s1..A.lem2.s5", _SECOND_MOMENT, "A.lem2.s7"),
)
