"""Lemma 4: the auxiliary sequence does not move away from the minimizer, in mean."""

from dataclasses import replace
from typing import Any

from sympy import Expr

from bounds.language.condition import Condition, at_least, at_most, solved_at_least
from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term, amend
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import CENTRALIZED, STANDING
from bounds.papers.als_dpfl.notation import (
    beta,
    d,
    distance_square,
    distance_to_optimum,
    eta,
    gradient_square,
    next_distance_square,
    next_distance_to_optimum,
    sigma_v,
)
from bounds.papers.als_dpfl.shared.vectors import (
    Function,
    independent_steps,
    inner,
    mean,
    norm,
    per_coordinate_deviation,
)


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


CONCRETE = Concrete(
    objects={
        "gradient": "the gradient of F, convex and beta-smooth",
        "v": "outcomes of v_[k](t), equally likely, on the axis before the last",
        "noise": "outcomes of the noise, of mean zero and independent of v, likewise",
        "minimizer": "w*",
        "eta": "the step size",
        "beta": "a smoothness constant of F",
    },
    numbers=_one_step,
)

LEMMA = Statement(
    locator="C.lem4",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 4: mean distance of the auxiliary sequence from the minimizer",
    algorithm="dpfl",
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
    left=next_distance_to_optimum,
    terms=(Term("distance", distance_to_optimum, "distance before the step", remark="at the minimizer"),),
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
    example={
        "distance_to_optimum": 1,
        "eta": 0.5,
        "beta": 1,
        "gradient_square": 1,
        "sigma_v": 0.1,
        "d": 4,
    },
    concrete=CONCRETE,
    increasing=(distance_to_optimum,),
    edges=(
        Edge(distance_to_optimum, 0, EdgeOutcome.REGULAR, "at the minimizer, where noise is forbidden"),
        Edge(sigma_v, 0, EdgeOutcome.REGULAR, "gradient descent: the second hypothesis asks nothing"),
    ),
    proof=("C.lem4.s1..C.lem4.s10",),
)


def _squares(gradient: Function, v: Any, noise: Any, minimizer: Any, eta: Any, beta: Any) -> dict[str, Any]:
    found = _one_step(gradient, v, noise, minimizer, eta, beta)
    before, after = np.asarray(v, dtype=float), independent_steps(gradient, v, noise, eta)
    return {name: x for name, x in found.items() if "distance" not in name} | {
        "distance_square": mean(norm(before - minimizer) ** 2),
        "next_distance_square": mean(norm(after - minimizer) ** 2),
    }


def small_noise(deviation: Expr) -> Condition:
    """What lets neither the mean squared distance nor the mean gap grow in a step."""
    return noise_within(deviation**2 * d)


def noise_within(variance: Expr) -> Condition:
    """The same for noise of this second moment."""
    return at_least(
        (2 / beta - eta) * gradient_square,
        eta * variance,
        locator="C.lem4",
        printed=(
            r"(\frac{2}{\beta} - \eta)\mathbb{E}(\|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\|^2)"
            r" \geq \eta\,\mathbb{E}\|\mathbf{n}_{\mathbf{v}}^t\|^2"
        ),
        part="gradient",
        solved=solved_at_least(gradient_square, eta * variance / (2 / beta - eta)),
    )


AMENDED = amend(
    LEMMA,
    change=(
        "squared distances; (2/beta - eta) E||grad F||^2 >= eta sigma^2 d in place of (1/beta - eta) eta "
        "E||grad F||^2 >= sigma^2 d"
    ),
    because=(
        "the noise moves the model by eta times itself, which step C.lem4.s1 loses; its square is what "
        "expectations add; and co-coercivity gives 1/beta where C.lem4.s2 uses half of it"
    ),
    derivation="docs/amended/als_dpfl.md#lemma-4",
    needed="als_dpfl.lemma_4",
    printed=(
        r"\mathbb{E}\|\hat{\mathbf{v}}_{[k]}(t+1) - \mathbf{w}^*\|^2"
        r" \leq \mathbb{E}\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2",
    ),
    other_readings=(),
    left=next_distance_square,
    terms=(Term("distance", distance_square, "squared distance before the step", remark="at the minimizer"),),
    conditions=(LEMMA.conditions[0], small_noise(sigma_v)),
    example={"distance_square": 1, "eta": 0.5, "beta": 1, "gradient_square": 1, "sigma_v": 0.1, "d": 4},
    concrete=replace(CONCRETE, numbers=_squares),
    increasing=(distance_square,),
    edges=(
        Edge(distance_square, 0, EdgeOutcome.REGULAR, "at the minimizer, where noise is forbidden"),
        Edge(sigma_v, 0, EdgeOutcome.REGULAR, "gradient descent: the second hypothesis asks nothing"),
    ),
)
