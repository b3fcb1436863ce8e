"""Lemma 4: the auxiliary sequence does not move away from the minimizer, in mean."""

from typing import Any

import numpy as np

from bounds.concrete import Concrete
from bounds.condition import at_least, at_most, solved_at_least
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import CENTRALIZED, STANDING
from bounds.papers.als_dpfl.lemma_4_proof import STEPS
from bounds.papers.als_dpfl.notation import (
    beta,
    d,
    distance_to_optimum,
    eta,
    gradient_square,
    next_distance_to_optimum,
    sigma_v,
)
from bounds.papers.als_dpfl.vectors import (
    Function,
    independent_steps,
    inner,
    mean,
    norm,
    per_coordinate_deviation,
)
from bounds.statement import Edge, EdgeOutcome, Kind, Statement, Term


def _one_step(gradient: Function, v: Any, noise: Any, minimizer: Any, eta: Any, beta: Any) -> dict[str, Any]:
    v = np.asarray(v, dtype=float)
    slope = gradient(v)
    return {
        "distance_to_optimum": mean(norm(v - minimizer)),
        "next_distance_to_optimum": mean(norm(independent_steps(gradient, v, noise, eta) - minimizer)),
        "gradient_square": mean(inner(slope, slope)),
        "sigma_v": per_coordinate_deviation(noise),
        "d": v.shape[-1],
        "eta": eta,
        "beta": beta,
    }


LEMMA = Statement(
    locator="C.lem4",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    algorithm="dpfl",
    title="Lemma 4: mean distance of the auxiliary sequence from the minimizer",
    printed=(r"$\mathbb{E}\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|$ does not increase with $t$",),
    reading=(
        "from t to t+1 inside one interval. The noise is that of the proof: standard deviation sigma per "
        "coordinate, sigma^2 d in total, on the centralized gradient; sigma has the unit of a gradient, and "
        "neither C nor B enters. Gradients of F are not clipped. gradient_square is the mean at this t."
    ),
    other_readings=(
        "the noise printed below eq. (8), standard deviation sigma C per coordinate: the second hypothesis "
        "is then too weak by the factor C^2 wherever C > 1.",
    ),
    setting=CENTRALIZED,
    assumptions=STANDING,
    conditions=(
        at_most(eta, 1 / beta, locator="C.lem4", printed=r"\eta \leq \frac{1}{\beta}", part="step"),
        at_least(
            eta * (1 / beta - eta) * gradient_square,
            sigma_v**2 * d,
            locator="C.lem4",
            printed=(
                r"\eta(\frac{1}{\beta} - \eta)\mathbb{E}(\|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\|^2)"
                r" \geq \sigma^2 d"
            ),
            part="gradient",
            solved=solved_at_least(gradient_square, sigma_v**2 * d / (eta * (1 / beta - eta))),
        ),
    ),
    left=next_distance_to_optimum,
    concrete=Concrete(
        objects={
            "gradient": "the gradient of F, convex and beta-smooth",
            "v": "outcomes of v_[k](t), equally likely, on the axis before the last",
            "noise": "outcomes of the noise, of mean zero and independent of v, likewise",
            "minimizer": "w*",
            "eta": "the step size",
            "beta": "a smoothness constant of F",
        },
        numbers=_one_step,
    ),
    example={
        "distance_to_optimum": 1,
        "eta": 0.5,
        "beta": 1,
        "gradient_square": 1,
        "sigma_v": 0.1,
        "d": 4,
    },
    terms=(Term("distance", distance_to_optimum, "distance before the step", "at the minimizer"),),
    increasing=(distance_to_optimum,),
    edges=(
        Edge(distance_to_optimum, 0, EdgeOutcome.REGULAR, "at the minimizer, where noise is forbidden"),
        Edge(sigma_v, 0, EdgeOutcome.REGULAR, "gradient descent: the second hypothesis asks nothing"),
    ),
    steps=STEPS,
)
