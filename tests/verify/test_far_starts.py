"""A theorem that is false only far from the minimizer: (L0, L1)-smooth functions turn ever steeper there.

For f(x) = 16 sum of cosh(x_j/4), where 0 <= f'' <= L0 + L1 ||grad f|| with L0 = 1 and L1 = 1/4, let G be
||grad f(x_0)|| and eta <= 1/(L0 + L1 G). The curvature is at most L0 + L1 G wherever every |x_j| is at most
its first value, and as eta |4 sinh(x_j/4)| <= |x_j| there, no step leaves that box: f falls by
eta/2 ||grad f||^2 in each step, and so by a quarter of it. With eta <= 1/L0 the first step from far away ends
farther away.
"""

from typing import Any

import numpy as np
from strangers import enter, paper, state
from sympy import Expr, sqrt

import bounds
from bounds.language.assumptions import BOUNDED_BELOW
from bounds.language.dimension import F, X
from bounds.language.part import FREE, at_start
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, Notation, Over
from bounds.language.statement import Statement, Term, sets
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.own_problem import OwnProblem
from verify.answer import check
from verify.matching.cells.sharp_problems import NEAR
from verify.matching.cells.standard import FAR, cells
from verify.matching.cells.standard_problems import CANDIDATES, Candidate

NOTATION = Notation()
q = NOTATION.quantity
L0 = q("L_0", "L_0", "curvature where f is flat", POSITIVE, F / X**2, part=FREE)
L1 = q("L_1", "L_1", "curvature per slope", POSITIVE, 1 / X, part=FREE)
K, eta, Delta = enter(NOTATION, "K", "eta", "Delta")
G = q("G", "G", "slope at the start", NON_NEGATIVE, F / X, part=at_start("gradient_norm"))
slope = NOTATION.observable(
    "slope", "s", "least mean slope", F / X, Over.MINIMUM_OF_MEANS, measured="gradient_norm"
)
PAPER = paper("steep", NOTATION)
BOWLS = OwnProblem(
    clients=1,
    dimension=2,
    value=lambda i, x: float(16 * (np.cosh(x / 4) - 1).sum()),
    gradient=lambda i, x: 4 * np.sinh(x / 4),
    minimizer=np.zeros(2),
    convex=True,
    bounded_below=True,
)


def stated(step: Expr) -> Statement:
    return state(
        PAPER,
        slope,
        Term("descent", sqrt(4 * Delta / (eta * K)), "the way down"),
        assumptions=(BOUNDED_BELOW,),
        choices=(sets(eta, step, locator="steep"),),
        example={"K": 20, "Delta": 2, "L_0": 1, **({"L_1": 0.25, "G": 2} if step.has(G) else {})},
    )


def descend(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


TRUE, FALSE = stated(1 / (L0 + L1 * G)), stated(1 / L0)
DESCENT = Algorithm(round=descend, settings={"step": REQUIRED})


def test_steps_for_flat_functions_fall_only_far_from_the_minimizer() -> None:
    true = check(TRUE, algorithm=DESCENT, problem=BOWLS, quick=True, search=0)
    assert {e["verdict"] for e in true.cells} == {"holds"}
    false = check(FALSE, algorithm=DESCENT, problem=BOWLS, quick=True, search=0)
    fallen = {e["role"] for e in false.cells if e["verdict"] == "violated"}
    assert fallen == {"started far from the minimizer"}


def test_every_problem_of_an_author_is_left_from_far_away_and_of_ours_the_first() -> None:
    """A problem that is not among the standard ones is an author's."""
    own = Candidate(name="log_sum_exp.small", apart={"seed": 3})
    made = cells(bounds.get("textbook.gradient_descent_convex"), (*CANDIDATES[:3], own))
    far = [cell for cell in made if cell.role.startswith("started far from the minimizer")]
    assert [cell.problem for cell in far] == ["quadratic.small", own.name]
    near = [cell for cell in made if cell.role.startswith("started near the minimizer")]
    assert [cell.problem for cell in near] == ["quadratic.small", own.name]
    for cells_there, away in ((far, FAR), (near, NEAR)):
        for cell in cells_there:
            offset = np.asarray(cell.engine["start"]) - np.asarray(cell.build_problem().minimiser())
            assert np.allclose(offset, away)
