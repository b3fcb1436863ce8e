"""Proposition 1: a threshold per local step that never clips, under Assumption 1."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from sympy import Rational, sqrt

from bounds.language.condition import above, at_least, at_most, solved_at_most
from bounds.language.lazy_numpy import np
from bounds.language.statement import (
    SUFFICIENT,
    Concrete,
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    Term,
    amend,
    defined_by,
    sets,
)
from bounds.papers.dp_fedavg import PAPER, definitions, theorem_2
from bounds.papers.dp_fedavg.assumptions import ASSUMPTION_1
from bounds.papers.dp_fedavg.notation import (
    C_hat,
    Delta_star_max,
    E,
    G,
    L,
    alpha,
    eta,
    lam,
    least_turn,
    rho,
    start_gradient,
    update_norm,
)
from bounds.papers.dp_fedavg.shared.local_steps import Function, Points, length, local_iterates

_PRINTED_THRESHOLD = r"\hat{C}=G\Big(1-\frac{11(E-1){\rho}}{64}\big(\frac{\lambda^{2}}{L^{2}}\big)\Big)"
ONE_ALPHA = sets(alpha, 1, locator="B.prop1")
STEP = sets(eta, rho / (2 * alpha * L), locator="B.thm2")
THRESHOLD = sets(C_hat, G * (1 - Rational(11, 64) * (E - 1) * rho * (lam**2 / L**2)), locator="B.prop1")
KEY_QUANTITY = defined_by(definitions.RHO, locator="B.def5", needed=False)
CONDITIONS = (
    at_most(lam, L, locator="B.asm1", printed=r"0<\lambda\leq L"),
    at_most(
        E,
        1 / (2 * rho),
        locator="B.prop1",
        printed=r"E\leq\frac{1}{2\rho}",
        solved=solved_at_most(rho, 1 / (2 * E)),
        part="local_steps",
    ),
    above(G, 0, locator="B.prop1", printed=_PRINTED_THRESHOLD, part="positive_threshold"),
    at_least(
        C_hat,
        4 * sqrt(L * Delta_star_max),
        locator="B.thm2",
        printed=r"\hat{C}\geq 4\sqrt{L\max_{j\in[n]}\Delta_{j}^{*}}",
        solved=solved_at_most(Delta_star_max, C_hat**2 / (16 * L)),
        part="threshold",
    ),
)


def _numbers(gradient: Function, w: Points, E: int, L: Any, lam: Any, G: Any, rho: Any) -> dict[str, Any]:
    step = rho / (2 * L)
    *_, last = local_iterates(gradient, w, step, E)
    return {"update_norm": length(w - last) / step, "E": E, "L": L, "lam": lam, "G": G, "rho": rho}


CONCRETE = Concrete(
    objects={
        "gradient": "the gradient of a client",
        "w": "the point at which the round starts",
        "E": "local steps",
        "L": "smoothness constant of the client",
        "lam": "constant of Assumption 1 (i)",
        "G": "Lipschitz constant of the client",
        "rho": "key quantity",
    },
    numbers=_numbers,
)

PROPOSITION = Statement(
    locator="B.prop1",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Proposition 1: no clipping under Assumption 1",
    algorithm="dp_fedavg",
    printed=(
        r"$\mathbbm{1}(\|\bm{u}_{{k}}^{(i)}\|>\hat{C}E)=0$ for all $k$",
        _PRINTED_THRESHOLD,
    ),
    reading=(
        "no update is longer than C_hat E, for every client, every round and every realisation; eta is that "
        "of Theorem 2 with alpha = 1. K and gamma do not enter. This C_hat, which falls as E grows, is said "
        "not to be the tightest."
    ),
    left=update_norm,
    terms=(Term("threshold", C_hat * E, "the longest update that is not clipped"),),
    setting=(Setting("B.alg1", "local gradient steps from any point of the run"),),
    assumptions=(*theorem_2.THEOREM.assumptions, *ASSUMPTION_1),
    choices=(ONE_ALPHA, STEP, THRESHOLD),
    where=(KEY_QUANTITY,),
    conditions=CONDITIONS,
    example={"L": 1, "lam": 0.5, "G": 3, "E": 4, "rho": 0.1, "Delta_star_max": 0.3},
    concrete=CONCRETE,
    increasing=(G,),
    decreasing=(lam, rho),
    edges=(
        Edge(rho, 0, EdgeOutcome.OUT_OF_DOMAIN, "no privacy: eta would be zero"),
        Edge(lam, 0, EdgeOutcome.OUT_OF_DOMAIN, "Assumption 1 asks lambda > 0"),
        Edge(G, 0, EdgeOutcome.NOT_APPLICABLE, "constant clients leave no positive threshold"),
        Edge(E, 1, EdgeOutcome.REGULAR, "one local step: C_hat = G"),
    ),
    proof=("B.prop1.eq67..B.prop1.u4",),
)


def _measure_one_round(
    gradient: Function, w: Points, E: int, L: Any, rho: Any, **given: Any
) -> dict[str, Any]:
    step = rho / (2 * L)
    slopes = [gradient(point) for point in local_iterates(gradient, w, step, E - 1)]
    # Where a gradient is zero eq. (9) asks nothing, and no later one turns; one local step makes no turn.
    turns = [np.full(np.shape(length(slopes[0])), L)] + [
        np.where(length(here) > 0, length(there - here) / (step * np.maximum(length(here), 1e-300)), L)
        for here, there in pairwise(slopes)
    ]
    found = {"start_gradient": length(slopes[0]), "least_turn": np.min(turns, axis=0)}
    return _numbers(gradient, w, E, L, rho=rho, **given) | found


AMENDED = amend(
    PROPOSITION,
    change=(
        "of one client in one round: (i) at the points of its local steps, and ||grad f_i(w_k)|| <= G, "
        "in place of Assumption 1 everywhere"
    ),
    because=(
        "the proof uses (i) along the local steps and (ii) at their start; asked everywhere the two "
        "leave only constant clients"
    ),
    derivation="docs/amended/dp_fedavg.md#proposition-1",
    needed=SUFFICIENT,
    printed=(
        r"\|\bm{u}_{k}^{(i)}\|\leq\hat{C}E",
        _PRINTED_THRESHOLD,
    ),
    reading=(
        "the update of a client is not longer than C_hat E in a round in which the two hypotheses on its "
        "gradients hold; eta is that of Theorem 2 with alpha = 1. Nothing is said about all rounds at once: "
        "Gaussian noise takes the run everywhere."
    ),
    assumptions=theorem_2.THEOREM.assumptions[:2],
    conditions=(
        *CONDITIONS[:3],
        at_most(
            start_gradient,
            G,
            locator="B.asm1",
            printed=r"\|\nabla f_{i}(\bm{w}_{k})\|\leq G",
            part="start",
        ),
        at_least(
            least_turn,
            lam,
            locator="B.asm1",
            printed=(
                r"\|\nabla f_{i}(\bm{w}_{k,\tau+1}^{(i)})-\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|\geq\eta"
                r"\lambda\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|\text{ for }\tau<E-1"
            ),
            part="turn",
        ),
    ),
    example={"L": 1, "lam": 0.5, "G": 3, "E": 4, "rho": 0.1, "start_gradient": 2, "least_turn": 0.6},
    concrete=replace(CONCRETE, numbers=_measure_one_round),
)
