"""Lemma 5: one noisy step of the auxiliary sequence."""

from typing import Any

from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.objects import function, vector
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import CENTRALIZED, STANDING
from bounds.papers.als_dpfl.notation import (
    beta,
    eta,
    next_theta,
    noise_alignment,
    noisy_gradient_norm,
    rho,
    theta,
)
from bounds.papers.als_dpfl.shared.vectors import Function, auxiliary_step, inner, norm


def _one_step(
    loss: Function, gradient: Function, v: Any, noise: Any, minimizer: Any, eta: Any, beta: Any
) -> dict[str, Any]:
    v = np.asarray(v, dtype=float)
    slope, lowest = gradient(v), loss(minimizer)
    return {
        "theta": loss(v) - lowest,
        "next_theta": loss(auxiliary_step(gradient, v, noise, eta)) - lowest,
        "gradient_norm": norm(slope),
        "noisy_gradient_norm": norm(slope + noise),
        "noise_alignment": inner(noise, slope + noise),
        "eta": eta,
        "beta": beta,
    }


_loss = function("loss", convex=True, smooth=beta, lipschitz=rho, bounded_below=True)

CONCRETE = Concrete(
    objects={
        "loss": "F, convex and beta-smooth",
        "gradient": "the gradient of F",
        "v": "v_[k](t)",
        "noise": "n_v^t, the noise of the step",
        "minimizer": "w*",
        "eta": "the step size",
        "beta": "a smoothness constant of F",
    },
    numbers=_one_step,
    drawn=drawn(
        **{"loss": _loss, "gradient": _loss.gradient, "minimizer": _loss.minimizer, "eta": eta, "beta": beta},
        **{"v": vector("v"), "noise": vector("noise", dimension=F / X)},
    ),
)

LEMMA = Statement(
    locator="C.lem5",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Lemma 5: change of the loss in one noisy step",
    algorithm="dpfl",
    printed=(
        r"F(\hat{\mathbf{v}}_{[k]}(t+1)) - F(\hat{\mathbf{v}}_{[k]}(t)) &\leq -\eta \left(1 - "
        r"\frac{\beta\eta}{2}\right) \|\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t\|^2 "
        r"\\ &+ \eta (\mathbf{n}_{\mathbf{v}}^t)^T (\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + "
        r"\mathbf{n}_{\mathbf{v}}^t)",
    ),
    reading=(
        "for every realisation and any noise vector, whatever its law; gradients of F are not clipped. The "
        "difference of the losses is that of the gaps theta(t+1) and theta(t)."
    ),
    left=next_theta - theta,
    terms=(
        Term(
            "descent",
            -eta * (1 - beta * eta / 2) * noisy_gradient_norm**2,
            "progress along the noisy gradient",
            remark="where gradient and noise cancel",
            non_negative=False,
        ),
        Term(
            "noise",
            eta * noise_alignment,
            "the noise in the direction that was taken",
            (Equal(noise_alignment, 0),),
            non_negative=False,
        ),
    ),
    setting=CENTRALIZED,
    assumptions=STANDING,
    conditions=(at_most(eta, 1 / beta, locator="C.lem5", printed=r"\eta \leq \frac{1}{\beta}"),),
    example={"eta": 0.5, "beta": 1, "noisy_gradient_norm": 1, "noise_alignment": 0.1},
    concrete=CONCRETE,
    increasing=(beta,),
    decreasing=(noisy_gradient_norm,),
    edges=(
        Edge(noisy_gradient_norm, 0, EdgeOutcome.REGULAR, "the noise cancels the gradient: no move"),
        Edge(noise_alignment, 0, EdgeOutcome.REGULAR, "no noise, or noise across the direction taken"),
    ),
    proof=("C.lem5.s1..C.lem5.s2",),
)
