"""A condition is solved first for the input whose range is surely not empty."""

from strangers import enter, paper, state_with_example

from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import at_most
from bounds.language.dimension import X
from bounds.language.quantity import Notation, Over
from verify.parameters.solved import with_limits

NOTATION = Notation()
K, eta, p, L, mu, D = enter(NOTATION, "K", "eta", "p", "L", "mu", "D")
distance = NOTATION.observable("distance", "r", "distance", X**2, Over.LAST, measured="squared_distance")
STEP = at_most(eta, 1 / L, locator="solved", printed="x", part="step")
# as a step between 2 (1/p - 1)/mu and 1/L there may be none, but always a probability above 1/(1 + eta mu/2)
BOTH = at_most(1 / p - 1, eta * mu / 2, locator="solved", printed="x", part="both")


def test_a_range_that_its_domain_ends_is_preferred() -> None:
    known = {"K": 20, "eta": 0.5, "p": 0.9, "L": 1, "mu": 0.5, "D": 1}
    assumptions = (CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX)
    for conditions in ((STEP, BOTH), (BOTH, STEP)):
        stated = state_with_example(
            paper("solved", NOTATION),
            known,
            distance,
            (1 - eta * mu) ** K * D**2 / p,
            assumptions,
            *conditions,
        )
        solved = [c.constructive for c in with_limits(stated, ["eta", "p"]).conditions]
        assert {limit.symbol: limit.limit for limit in solved if limit} == {
            eta: 1 / L,
            p: 1 / (1 + eta * mu / 2),
        }


def test_what_an_author_has_solved_stays_so() -> None:
    known = {"K": 20, "eta": 0.5, "p": 0.9, "L": 1, "D": 1}
    low = at_most(p / L, eta, locator="solved", printed="x", part="low")  # solved for p, as it is written
    own = at_most(p, eta * L, locator="solved", printed="x", part="own")
    stated = [
        state_with_example(
            paper("solved", NOTATION), known, distance, D**2, (SMOOTH_CLIENTS,), STEP, condition
        )
        for condition in (low, own)
    ]
    for one in stated:
        solved = [c.constructive for c in with_limits(one, ["eta", "p"]).conditions]
        assert p in {limit.symbol for limit in solved if limit}
