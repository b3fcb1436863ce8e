"""Where no choice and no number of rounds makes a bound informative, the plan says so, and only there.

Theorem 2 of DP-FedAvg, by hand: C_hat (L D0^2/gamma + gamma/L) rho is at least 2 C_hat D0 rho, C_hat at least
4 sqrt(L Delta*), and the coefficient of the gap at most 2. So the bound on the gap is at least
4 rho D0 sqrt(L Delta*), and it is approached as E/alpha falls.
"""

from math import sqrt

import pytest

import bounds
from verify.matching.privacy import Target
from verify.planning.planned import Plan, plan
from verify.planning.task import Constants, Task
from verify.privacy.accountants import Accountant
from verify.privacy.mechanism import Full, Independent, Relation, Sampling

SMOOTHNESS, DISTANCE, CLIENTS, DIMENSION = 2.0, 3.0, 100, 31
STATEMENT = bounds.get("dp_fedavg.theorem_2")


def planned(largest: float, gap: float, sampling: Sampling | None = None, **given: float) -> Plan:
    exact = sampling is None
    task = Task(
        problem=None,
        arguments={},
        start=(),
        rounds=100,
        sampling=sampling or Full(),
        target=Target(
            epsilon=3.0,
            delta=1e-5,
            relation=Relation.ADD_OR_REMOVE,
            accountant=Accountant.EXACT if exact else Accountant.RDP,
        ),
        constants=Constants(clients=CLIENTS, dimension=DIMENSION, at_start={"f0_gap": gap}),
    )
    known = {"L": SMOOTHNESS, "D0": DISTANCE, "Delta_star_max": largest, "Delta_star_mean": largest / 2}
    return plan(STATEMENT, task, {**known, **given}, run=False)


def compute_by_hand(plan: Plan, largest: float) -> float:
    return 4 * plan.fixed["rho"] * DISTANCE * sqrt(SMOOTHNESS * largest)


@pytest.mark.parametrize("short", [0.9, 0.99])
def test_the_least_is_that_of_the_derivation(short: float) -> None:
    least = compute_by_hand(planned(0.1, 0.1), 0.1)
    found = planned(0.1, short * least)
    assert found.worth.informed.informative is False
    assert found.worth.least is not None
    assert found.worth.least.share == pytest.approx(1 / short, rel=1e-5)
    assert set(found.worth.least.names) == {"E", "C_hat", "alpha", "K"}
    assert [c.condition.id for c in found.worth.least.binding] == ["B.thm2.threshold"]
    assert found.worth.rounds is None


@pytest.mark.parametrize("room", [1.0005, 1.01, 1.3])
def test_nothing_is_excluded_where_more_rounds_may_do(room: float) -> None:
    """Between the least of all rounds and the bound of these."""
    least = compute_by_hand(planned(0.1, 0.1), 0.1)
    found = planned(0.1, room * least)
    assert found.worth.least is None
    if room > 1.1:
        assert found.worth.rounds is not None or found.worth.informed.informative is True


def test_a_noise_that_depends_on_the_rounds_and_rounds_that_are_set_exclude_nothing() -> None:
    sampled = planned(0.1, 0.01, Independent(probability=0.5))
    assert (sampled.worth.informed.informative, sampled.worth.least) == (False, None)
    assert planned(0.1, 0.01, K=100.0).worth.least is None
