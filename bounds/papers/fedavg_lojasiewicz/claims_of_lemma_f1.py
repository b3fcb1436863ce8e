"""Claims in prose around equation (33) and in the proof of Lemma F.1."""

from functools import partial
from typing import Any

from sympy import Rational

from bounds.language.condition import at_most, solved_at_most
from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER
from bounds.papers.fedavg_lojasiewicz.assumptions import FL_4, INDEPENDENT, ITERATES, RUN, UNBIASED
from bounds.papers.fedavg_lojasiewicz.notation import (
    H,
    L,
    client_drift,
    client_gradient_norm,
    double_sum,
    drift_factor,
    eta,
    sigma,
    sum_of_squares,
    sum_of_steps,
)
from bounds.papers.fedavg_lojasiewicz.shared.one_round import (
    ROUND,
    Function,
    Points,
    client_gradients,
    local_iterates,
    noise_level,
    square,
)
from bounds.papers.fedavg_lojasiewicz.shared.sequences import given

_bound = partial(Statement, kind=Kind.UPPER_BOUND, paper=PAPER)

CROSS = Statement(
    locator="D.claim.cross",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="Errors of different agents are uncorrelated",
    printed=(
        r"for $c \neq c'$: $\mathbb{E} \left[\langle \nabla f_c^{Z^c}(\theta) - \nabla f_c(\theta),"
        r" \nabla f_{c'}^{Z^{c'}}(\theta) - \nabla f_{c'}(\theta) \rangle \right] = 0$,"
        r" by independence of $Z^c$ and $Z^{c'}$ and FL-4",
    ),
    reading="the mean of each error is zero by unbiasedness; FL-4 makes the product integrable.",
    refuted_by="two agents with independent unbiased samples whose errors have a correlation other than 0",
    setting=(INDEPENDENT,),
    assumptions=(FL_4, UNBIASED),
)

MART = Statement(
    locator="D.claim.mart",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="The noise of a local step has conditional mean zero",
    algorithm="fedavg",
    printed=(
        r"\mathbb{E} [\nabla f_c(\theta_{r,\ell}^c) - \nabla f_c^{Z_{r,\ell}}(\theta_{r,\ell}^c)"
        r" \mid \theta_{r,\ell}^c] = 0",
    ),
    reading="Z_{r,l} is the agent's own sample Z_{r,l}^c.",
    refuted_by="a local iterate at which the mean of the sampled gradients is not grad f_c",
    setting=RUN,
    assumptions=(UNBIASED,),
)


def _sums(H: Any) -> dict[str, Any]:
    steps = np.arange(1, np.max(H))
    counted = steps < np.asarray(H)[..., None]
    return {
        "H": H,
        "sum_of_squares": np.sum(counted * steps**2.0, axis=-1),
        "sum_of_steps": np.sum(counted * 1.0 * steps, axis=-1),
    }


SUMSQ = _bound(
    locator="D.claim.sumsq",
    title="Sum of the squared step indices",
    printed=(r"\sum_{h=1}^{H-1} h^2 \leq \frac{H(H-1)^2}{2}",),
    reading="an empty sum is 0.",
    left=sum_of_squares,
    terms=(Term("bound", H * (H - 1) ** 2 / 2, "number of local steps", (Equal(H, 1),)),),
    example={"H": 5},
    concrete=Concrete(objects=given(H), numbers=_sums),
    increasing=(H,),
    edges=(Edge(H, 1, EdgeOutcome.REGULAR, "0 on both sides"),),
)

SUM = Statement(
    locator="D.claim.sum",
    kind=Kind.EQUALITY,
    paper=PAPER,
    title="Sum of the step indices",
    printed=(r"\sum_{h=1}^{H-1} h = \frac{H(H-1)}{2}",),
    reading="an empty sum is 0.",
    left=sum_of_steps,
    terms=(Term("value", H * (H - 1) / 2, "number of local steps", (Equal(H, 1),)),),
    example={"H": 5},
    concrete=Concrete(objects=given(H), numbers=_sums),
    increasing=(H,),
    edges=(Edge(H, 1, EdgeOutcome.REGULAR, "0 on both sides"),),
)


def _drifts(
    gradient: Function, deviations: Points, theta: Points, eta: Any, H: int, L: Any
) -> dict[str, Any]:
    """Of one agent: the tree of its iterates, as a round with that agent alone."""
    path = local_iterates([gradient], deviations, theta, eta, H)
    distances = [square(p - theta[..., None, None, :]).mean(axis=(-1, -2)) for p in path[:-1]]
    zero = np.zeros_like(distances[0])
    return {
        "H": H,
        "L": L,
        "eta": eta,
        "sigma": noise_level(deviations),
        "client_gradient_norm": np.sqrt(square(client_gradients([gradient], theta)[..., 0, :])),
        "client_drift": sum(distances[1:], zero) / H,
        "double_sum": sum((h * sum(distances[:h], zero) for h in range(1, H)), zero),
    }


_PROGRESS = eta**2 * (H - 1) ** 2 * client_gradient_norm**2

COMPLETE = _bound(
    locator="D.claim.complete",
    title="The first relation of D.F1.s3 gives the second",
    algorithm="fedavg",
    printed=(r"completing the sum from $\ell=0..h$ to $\ell = H-1$ gives the second relation of D.F1.s3",),
    reading="the right-hand side of the first relation is at most that of the second, as both are printed.",
    other_readings=("the double sum alone: it is at most H(H-1)/2 times the sum of the squared distances.",),
    left=_PROGRESS + 4 * eta**2 * L**2 / H * double_sum + 4 * eta**2 * (H - 1) * sigma**2,
    terms=(
        Term("gradient", _PROGRESS, "progress along f_c", (Equal(H, 1),)),
        Term("drift", 2 * eta**2 * H * (H - 1) * L**2 * client_drift, "drift so far", (Equal(H, 1),)),
        Term(
            "noise", 2 * eta**2 * (H - 1) * sigma**2, "noise of the gradients", (Equal(H, 1), Equal(sigma, 0))
        ),
    ),
    setting=(ITERATES,),
    example={"eta": 0.02, "H": 5, "L": 4, "client_gradient_norm": 1, "client_drift": 0.01, "sigma": 1.5},
    concrete=Concrete(
        objects={n: o for n, o in ROUND.items() if n != "gradients"}
        | {
            "gradient": "the gradient of one f_c as a function of points",
            "deviations": "its equally likely errors with mean 0, (..., 1, S, d)",
        },
        numbers=_drifts,
    ),
    increasing=(eta, H, client_gradient_norm, client_drift, sigma),
    edges=(
        Edge(H, 1, EdgeOutcome.REGULAR, "0 on both sides"),
        Edge(sigma, 0, EdgeOutcome.REGULAR, "exact gradients"),
        Edge(client_drift, 0, EdgeOutcome.REGULAR, "no drift"),
    ),
)


def _factor(eta: Any, H: Any, L: Any) -> dict[str, Any]:
    steps = np.asarray(H, dtype=float)
    return {"eta": eta, "H": H, "L": L, "drift_factor": 2 * eta**2 * steps * (steps - 1) * L**2}


HALF = _bound(
    locator="D.claim.half",
    title="The drift on the right of D.F1.s3 is at most half of that on the left",
    printed=(r"using $\eta HL \leq 1/2$: $2\eta^2 H(H-1)L^2 \leq 1/2$",),
    reading="Lemma F.1 itself asks eta H L <= 1 only.",
    left=drift_factor,
    terms=(Term("half", Rational(1, 2), "half of the drift"),),
    conditions=(
        at_most(
            eta * H * L,
            Rational(1, 2),
            locator="D.claim.half",
            printed=r"\eta HL \leq 1/2",
            solved=solved_at_most(eta, 1 / (2 * H * L)),
        ),
    ),
    example={"eta": 0.02, "H": 5, "L": 4},
    concrete=Concrete(objects=given(eta, H, L), numbers=_factor),
)
