"""Plans whose noise protects a record and is drawn in every local step: tau, eta and C of ALS-DPFL.

The bound, the noise and the search are computed here by hand.
"""

from dataclasses import replace
from math import erf, exp, sqrt

import numpy as np
import pytest

import bounds
from verify.matching.privacy import Target
from verify.planning.choose import COUNTS
from verify.planning.planned import Plan, plan, plannable
from verify.planning.task import Constants, NotPlanned, Task
from verify.privacy.accountants import Accountant
from verify.privacy.mechanism import FixedSize, Full, Independent, Relation, Unit

STATEMENT = bounds.get("als_dpfl.best_aggregation")
TARGET = Target(epsilon=4.0, delta=1e-5, relation=Relation.ADD_OR_REMOVE, accountant=Accountant.EXACT)
SMALL = 0.004
GIVEN = {"beta": 1.0, "rho": 2.0, "xi": 0.02, "G_s": 4.0, "B": 20000.0, "f0_gap": 2.0, "D0": 2.0}
TASK = Task(
    problem=None,
    arguments={},
    start=(),
    rounds=6,
    sampling=Full(),
    target=TARGET,
    constants=Constants(clients=20, dimension=10),
)


def normal(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def noise_by_hand(releases: int, epsilon: float = 4.0, delta: float = 1e-5) -> float:
    """The Gaussian mechanism is exact: delta(epsilon) of shifts of sqrt(T)/sigma, halved until it fits."""
    low, high = 1e-3, 1e6
    for _ in range(200):
        middle = sqrt(low * high)
        mu = sqrt(releases) / middle
        spent = normal(mu / 2 - epsilon / mu) - exp(epsilon) * normal(-mu / 2 - epsilon / mu)
        low, high = (middle, high) if spent > delta else (low, middle)
    return high


def bound_by_hand(tau: float, eta: float, sigma: float, rounds: int, **changed: float) -> float:
    """The larger root of Q x^2 = x + A, by the formula of school, and what an interval adds."""
    g, clients = GIVEN | changed, 20
    s = g["G_s"] * sqrt(1 / g["B"] + sigma**2 * 10 / g["B"] ** 2)
    nu = g["beta"] * eta**2 * s**2 / (2 * clients)
    h = g["beta"] * eta**2 * (tau - 1) * (g["xi"] * tau + s * sqrt(2 * tau)) / 4
    reach = g["D0"] + (rounds - 1) * h
    q = 1 / g["f0_gap"] + rounds * tau * eta * (1 - g["beta"] * eta / 2) / reach**2
    a = rounds * (tau * nu + g["rho"] * h)
    return (1 + sqrt(1 + 4 * q * a)) / (2 * q) + (tau - 1) * nu + g["rho"] * h


@pytest.fixture(scope="module")
def made() -> Plan:
    return plan(STATEMENT, TASK, GIVEN, search=False)


def test_no_setting_of_a_grid_is_better(made: Plan) -> None:
    """Every tau has its own noise; 400 steps for each."""
    found = min(
        bound_by_hand(tau, eta, sigma, 6)
        for tau in COUNTS
        for sigma in [noise_by_hand(6 * tau)]
        for eta in np.geomspace(1e-4, 1.0, 400)
    )
    assert float(made.evaluation.value) <= found * (1 + 1e-9)
    assert float(made.evaluation.value) >= found * (1 - 1e-3)


@pytest.mark.slow("a plan for each of many numbers of steps")
def test_many_steps_are_found_behind_few_that_are_worse() -> None:
    """In twenty rounds 2, 3 and 4 steps are worse than one, and a hundred are better."""
    found = plan(STATEMENT, replace(TASK, rounds=20), {**GIVEN, "xi": SMALL}, search=False)
    values = [
        min(
            bound_by_hand(tau, eta, noise_by_hand(20 * tau), 20, xi=SMALL)
            for eta in np.geomspace(1e-4, 1, 400)
        )
        for tau in COUNTS
    ]
    assert min(values[1:4]) > values[0] > min(values)
    assert float(found.evaluation.value) <= min(values) * (1 + 1e-9)


def test_the_bound_and_the_noise_are_those_by_hand(made: Plan) -> None:
    chosen = made.choice.values
    sigma = noise_by_hand(int(6 * chosen["tau"]))
    assert chosen["tau"] > 1
    assert made.fixed["sigma"] == pytest.approx(sigma, rel=1e-4)
    by_hand = bound_by_hand(chosen["tau"], chosen["eta"], made.fixed["sigma"], 6)
    assert float(made.evaluation.value) == pytest.approx(by_hand, rel=1e-7)
    assert chosen["C"] == pytest.approx(GIVEN["G_s"], rel=1e-8)


def test_the_privacy_is_that_of_a_record_in_every_local_step(made: Plan) -> None:
    assert made.guarantee is not None
    assert made.guarantee.unit is Unit.RECORD
    assert made.guarantee.rounds == 6 * made.choice.values["tau"]
    assert 0.99 * TARGET.epsilon <= made.guarantee.epsilon <= TARGET.epsilon


def test_the_noise_of_one_step_a_round_would_be_too_little(made: Plan) -> None:
    """A planted defect: counted once a round, the noise is sqrt(tau) too small."""
    tau = made.choice.values["tau"]
    assert made.fixed["sigma"] > 0.9 * sqrt(tau) * noise_by_hand(6)


def test_a_number_of_local_steps_that_is_given_stays() -> None:
    held = plan(STATEMENT, TASK, {**GIVEN, "tau": 3.0}, search=False)
    assert "tau" not in held.choice.values
    assert held.fixed["sigma"] == pytest.approx(noise_by_hand(18), rel=1e-4)


@pytest.mark.slow("an accountant of sampled rounds takes three seconds")
def test_records_are_drawn_and_not_clients() -> None:
    """Draws with probability 0.1 need less noise than all records."""
    few = replace(TARGET, accountant=Accountant.RDP)
    task = replace(TASK, sampling=Independent(probability=0.1), target=few)
    drawn = plan(STATEMENT, task, {**GIVEN, "tau": 1.0}, search=False)
    assert drawn.fixed["sigma"] < noise_by_hand(6)


def test_a_start_at_the_minimizer_is_named_and_records_are_not_ranked_beside_clients() -> None:
    with pytest.raises(NotPlanned, match=r"D0 .* must be real > 0, but is 0"):
        plan(STATEMENT, TASK, {**GIVEN, "D0": 0.0}, search=False)
    ranked = {s.paper.key for s in plannable(bounds.statements())}
    assert "dp_fedavg" in ranked
    assert "als_dpfl" not in ranked


def test_what_is_missing_is_named() -> None:
    with pytest.raises(NotPlanned, match="--set B="):
        plan(STATEMENT, TASK, {n: v for n, v in GIVEN.items() if n != "B"}, search=False)
    with pytest.raises(NotPlanned, match="independent:P"):
        plan(STATEMENT, replace(TASK, sampling=FixedSize(drawn=50, units=500)), GIVEN, search=False)
    theorem = next(f for f in bounds.discovery.variants("als_dpfl.theorem_2.theorem_omega"))
    with pytest.raises(NotPlanned, match=r"plan with als_dpfl\.best_aggregation"):
        plan(theorem, TASK, {"beta": 1.0, "B": 10.0, "tau": 1.0}, search=False)


def test_runs_of_random_batches_stay_below_the_bound() -> None:
    """Loops by hand: 4 clients, absolute values rounded off, each of 25 records drawn by a coin."""
    random = np.random.default_rng(5)
    clients, records, rounds, tau, eta, sigma, rate = 4, 25, 20, 3, 0.2, 1.0, 0.2
    centers = random.normal(0.0, 0.3, (clients, records)) + np.array([-0.2, 0.0, 0.1, 0.3])[:, None]
    batch, runs = records * rate, 400

    def value(w: np.ndarray) -> np.ndarray:
        return np.sqrt(1 + (w[:, None] - centers.ravel()) ** 2).mean(axis=1) - 1

    def slopes(w: np.ndarray) -> np.ndarray:
        return (w[..., None] - centers[:, None]) / np.sqrt(1 + (w[..., None] - centers[:, None]) ** 2)

    line = np.linspace(-2, 2, 40001)
    lowest = value(line).min()
    best = line[value(line).argmin()]
    at = np.full(runs, 3.0)
    gaps = [value(at).mean() - lowest]
    for _ in range(rounds):
        models = np.repeat(at[None], clients, axis=0)
        for _ in range(tau):
            drawn = random.random((clients, runs, records)) < rate
            sums = (slopes(models) * drawn).sum(axis=-1) + sigma * random.normal(size=(clients, runs))
            models = models - eta * sums / batch
        at = models.mean(axis=0)
        gaps.append(value(at).mean() - lowest)
    everywhere = np.linspace(-20, 20, 4001)
    apart = slopes(np.repeat(everywhere[None], clients, axis=0)).mean(axis=-1)
    divergence = np.abs(apart - apart.mean(axis=0)).max(axis=1).mean()
    bound = float(
        STATEMENT.evaluate(
            K=rounds, tau=tau, eta=eta, beta=1, rho=1, d=1, xi=divergence, C=1, G_s=1, B=int(batch),
            sigma=sigma, N=clients, f0_gap=gaps[0], D0=3.0 - best,
        ).value
    )  # fmt: skip
    assert min(gaps) < bound < gaps[0]
