"""Lemma 1: the mean loss is convex, Lipschitz and smooth, as the clients' losses are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.indices import index
from bounds.language.lemmas.objects import function, number, vector
from bounds.language.quantity import POSITIVE
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Setting, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import convex, lipschitz, minimum_attained, smooth
from bounds.papers.als_dpfl.notation import (
    beta,
    first_gap,
    gap_between,
    gradient_difference,
    loss_difference,
    point_distance,
    rho,
    second_gap,
    share,
)
from bounds.papers.als_dpfl.shared.vectors import Function, norm, weighted_mean

_POINTS = {"w": "a point", "w_prime": "another point"}
_SIZES = {"sizes": "the sizes of the clients' databases"}
_LOSSES = {"losses": "the clients' losses, one function each"} | _SIZES


def _between(
    losses: Sequence[Function], sizes: Sequence[float], w: Any, w_prime: Any, share: Any, minimizer: Any
) -> dict[str, Any]:
    loss, part = weighted_mean(losses, sizes), np.asarray(share, dtype=float)[..., None]
    lowest = loss(minimizer)
    return {
        "share": share,
        "gap_between": loss(part * w + (1 - part) * w_prime) - lowest,
        "first_gap": loss(w) - lowest,
        "second_gap": loss(w_prime) - lowest,
    }


def _losses_apart(
    losses: Sequence[Function], sizes: Sequence[float], w: Any, w_prime: Any, rho: Any
) -> dict[str, Any]:
    loss = weighted_mean(losses, sizes)
    return {
        "loss_difference": np.abs(loss(w) - loss(w_prime)),
        "point_distance": norm(w - w_prime),
        "rho": rho,
    }


def _gradients_apart(
    gradients: Sequence[Function], sizes: Sequence[float], w: Any, w_prime: Any, beta: Any
) -> dict[str, Any]:
    gradient = weighted_mean(gradients, sizes)
    return {
        "gradient_difference": norm(gradient(w) - gradient(w_prime)),
        "point_distance": norm(w - w_prime),
        "beta": beta,
    }


_client = index("client")
_DRAWN = {
    "sizes": number("sizes", POSITIVE, over=_client),
    "w": vector("w"),
    "w_prime": vector("w_prime"),
}

CONVEX = Statement(
    locator="C.lem1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 1: the mean loss is convex",
    printed=(r"$F(\mathbf{w})$ is convex, $\rho$-Lipschitz, and $\beta$-smooth.",),
    reading="for any two points and any point between them; gaps to F(w*) on both sides change nothing.",
    left=gap_between,
    terms=(
        Term("first", share * first_gap, "the gap at the first point", (Equal(share, 0),)),
        Term("second", (1 - share) * second_gap, "the gap at the second point", (Equal(share, 1),)),
    ),
    setting=(Setting("C.eq3", "F is the mean of the clients' losses, weighted by |D_i|"),),
    assumptions=(convex, minimum_attained),
    example={"share": 0.5, "first_gap": 2, "second_gap": 1},
    concrete=Concrete(
        objects=_LOSSES | _POINTS | {"share": "of the first point, in [0, 1]", "minimizer": "w*"},
        numbers=_between,
    ),
    increasing=(first_gap, second_gap),
    edges=(
        Edge(share, 0, EdgeOutcome.REGULAR, "the second point itself: both sides are equal"),
        Edge(share, 1, EdgeOutcome.REGULAR, "the first point itself: both sides are equal"),
    ),
    proof=("C.lem1.s1",),
)

LIPSCHITZ = replace(
    CONVEX,
    title="Lemma 1: the mean loss is rho-Lipschitz",
    reading="for any two points.",
    left=loss_difference,
    terms=(Term("distance", rho * point_distance, "distance of the points", remark="when they are one"),),
    assumptions=(lipschitz,),
    example={"rho": 1, "point_distance": 0.5},
    concrete=Concrete(
        objects=_LOSSES | _POINTS | {"rho": "a Lipschitz constant of every client's loss"},
        numbers=_losses_apart,
        drawn=drawn(losses=function("loss", over=_client, lipschitz=rho), rho=rho, **_DRAWN),
    ),
    increasing=(rho, point_distance),
    edges=(Edge(point_distance, 0, EdgeOutcome.REGULAR, "one point: both sides are 0"),),
)

SMOOTH = replace(
    LIPSCHITZ,
    title="Lemma 1: the mean loss is beta-smooth",
    left=gradient_difference,
    terms=(Term("distance", beta * point_distance, "distance of the points", remark="when they are one"),),
    assumptions=(smooth,),
    example={"beta": 1, "point_distance": 0.5},
    concrete=Concrete(
        objects={"gradients": "the gradients of the clients' losses, one function each"}
        | _SIZES
        | _POINTS
        | {"beta": "a smoothness constant of every client's loss"},
        numbers=_gradients_apart,
        drawn=drawn(gradients=function("loss", over=_client, smooth=beta).gradient, beta=beta, **_DRAWN),
    ),
    increasing=(beta, point_distance),
)
