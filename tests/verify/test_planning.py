"""Plans: the chosen setting, the privacy that its run keeps, and what the bound is worth."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import bounds
from bounds.discovery import variants
from bounds.language.statement import Statement
from bounds.solve.free import free_parameters
from bounds.solve.integers import FEWER
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.run import runnable
from verify.matching.privacy import Target
from verify.planning import choose as choosing
from verify.planning.choose import choose
from verify.planning.numbers import numbers
from verify.planning.planned import find_weights, plan, plannable, weigh
from verify.planning.simulated import count_privacy, settings_of
from verify.planning.task import Constants, NotPlanned, Task
from verify.planning.tuned import FEWEST, MOST, count_settings, tune
from verify.planning.worth import informed_at
from verify.privacy.accountants import Accountant
from verify.privacy.mechanism import FixedSize, Full, Independent, Relation

CLIPPED, FED_NORM = "dp_fedavg.theorem_2", "fed_norm_ec.theorem_1.main"
TARGET = Target(epsilon=4.0, delta=1e-5, relation=Relation.ADD_OR_REMOVE, accountant=Accountant.EXACT)
TASK = Task(
    problem="quadratic.small",
    arguments={"clients": 40, "dimension": 4, "heterogeneity": 0.05, "seed": 2},
    start=(1.5,) * 4,
    rounds=30,
    sampling=Full(),
    target=TARGET,
)
GIVEN = {"L": 0.5, "D0": 2.0, "Delta_star_max": 0.01, "Delta_star_mean": 0.005}
BY_SIZE = replace(
    TASK,
    sampling=FixedSize(drawn=10, units=40),
    target=replace(TARGET, relation=Relation.REPLACE_ONE, accountant=Accountant.RDP),
)
ALONE = replace(TASK, problem=None, arguments={}, start=(), constants=Constants(clients=100, dimension=31))
WITHOUT_RUN = replace(BY_SIZE, problem=None, constants=Constants(clients=40, dimension=4))
POINTS = 2000
# The bounds of runs whose left side has a coefficient that takes what is chosen.
WEIGHED = (
    CLIPPED,
    "dp_fedavg.equation_15",
    "dp_fedavg.theorem_4",
    "dp_fedavg.theorem_5.general",
    "dp_fedavg.theorem_6.general",
)
CHOSEN = ("E", "C_hat", "alpha", "gamma")


def _form(identity: str) -> Statement:
    return variants(identity)[-1]


def _grid(
    statement: Statement, known: Mapping[str, float], free: tuple[str, ...], centre: Mapping[str, float]
) -> Any:
    """The smallest bound of 2,000 random settings that meet all conditions, half of them near the choice."""
    random = np.random.default_rng(1)
    best = np.inf
    points: dict[str, Any] = {}
    for name in free:
        domain = statement.notation.quantities[name].domain
        width = np.where(np.arange(POINTS) % 2 == 0, 0.2, 2.0)
        values = max(centre[name], 1e-6) * np.exp(width * random.normal(size=POINTS))
        points[name] = (
            np.maximum(np.round(values), 1.0) if domain.integer else np.maximum(values, domain.lower)
        )
    evaluation = statement.evaluate(**{**known, **points})
    usable = np.broadcast_to(np.asarray(evaluation.applicable), (POINTS,)).astype(bool)
    values = np.broadcast_to(np.asarray(evaluation.value, dtype=np.float64), (POINTS,))[usable]
    return min(best, float(values.min())) if len(values) else best


@pytest.mark.parametrize(
    "identity", [CLIPPED, "dp_fedavg.equation_15", "dp_fedavg.theorem_5.general", FED_NORM]
)
def test_the_choice_is_not_beaten_by_two_thousand_settings(identity: str) -> None:
    statement = _form(identity)
    known = numbers(statement, TASK, {})
    free = free_parameters(statement, known)
    found = choose(statement, known, free)
    assert set(found.values) == set(free)
    assert statement.evaluate(**{**known, **found.values}).applicable is True
    weighed = found.weighed(statement)
    value = float(weighed.evaluate(**{**known, **found.values}).value)
    assert value == pytest.approx(found.value, rel=1e-12)
    assert found.value <= 1.02 * _grid(weighed, known, free, found.values)


def test_where_the_choice_weighs_the_left_side_the_quotient_is_smallest() -> None:
    """By hand, with x = rho E/alpha <= 1/2 and C_hat at its limit: 2 gamma = K C_hat x rho, and L = D0 = 1.

    The right side falls up to x = 1/2; over its coefficient 2 - x - x^2 it is smallest near x = 0.34.
    """
    known = {"L": 1.0, "D0": 1.0, "Delta_star_max": 25 / 36, "Delta_star_mean": 0.0, "rho": 0.1}
    task = replace(ALONE, target=None, rounds=12)
    made = plan(_form(CLIPPED), task, known, run=False, search=False)
    x, threshold = np.linspace(1e-3, 0.5, 5000), 10 / 3
    gamma = 12 * threshold * x * 0.1 / 2
    right = threshold * (1 / gamma + gamma) * 0.1
    gap = right / (2 - x - x**2)
    assert gap[int(np.argmin(right))] > 1.14 * gap.min(), "the smallest right side says less of the gap"
    assert made.choice.certified
    assert made.choice.value == pytest.approx(gap.min(), rel=1e-6)
    assert sorted(find_weights(made)) == ["C_hat", "E", "alpha"]
    weighed = weigh(made)
    assert weighed is not None
    assert (weighed.observable, weighed.unit) == ("unclipped_gap", "F")
    chosen = 0.1 * made.choice.values["E"] / made.choice.values["alpha"]
    assert weighed.coefficient == pytest.approx(2 - chosen - chosen**2)
    assert weighed.value * weighed.coefficient == pytest.approx(float(made.evaluation.value))
    assert made.worth.informed.informative is True, "the smallest right side is not"


@pytest.mark.parametrize("identity", WEIGHED)
def test_no_plan_says_less_than_that_of_the_smallest_right_side(identity: str) -> None:
    statement = _form(identity)
    known = {name: value for name, value in statement.example.items() if name not in CHOSEN}
    free = free_parameters(statement, known)
    found = choose(statement, known, free)
    with pytest.MonkeyPatch.context() as before:
        before.setattr(choosing, "divide", lambda *_: None)
        right = choose(statement, known, free)
    assert (found.quotient is not None, right.quotient) == (True, None)
    weighed = found.weighed(statement)
    assert found.value < float(weighed.evaluate(**{**known, **right.values}).value)


def test_a_left_side_without_such_coefficients_has_none() -> None:
    made = plan(_form(FED_NORM), TASK, run=False, search=False)
    assert (find_weights(made), weigh(made)) == ([], None)


def test_a_worse_choice_is_beaten() -> None:
    """Planted: an optimizer that stops at three times the best alpha."""
    statement = _form(CLIPPED)
    known = numbers(statement, TASK, {})
    free = free_parameters(statement, known)
    found = choose(statement, known, free)
    planted = {**found.values, "alpha": 3 * found.values["alpha"]}
    value = float(statement.evaluate(**{**known, **planted}).value)
    assert value > 1.02 * _grid(statement, known, free, found.values)


def test_a_geometric_program_is_certified_and_a_relaxed_one_says_so() -> None:
    statement = _form(CLIPPED)
    known = numbers(statement, TASK, {})
    certified = choose(statement, known, free_parameters(statement, known))
    assert (certified.certified, certified.how) == (True, "a geometric program")
    statement = _form(FED_NORM)
    known = numbers(statement, TASK, {})
    relaxed = choose(statement, known, free_parameters(statement, known))
    assert not relaxed.certified
    assert "that were tried" in relaxed.how


def test_of_equal_bounds_the_fewest_local_steps_are_chosen() -> None:
    """E/alpha alone counts from some E on: twice the E is as good, and one step fewer is worse."""
    statement, task = _form(CLIPPED), replace(ALONE, target=replace(TARGET, epsilon=40.0), rounds=200)
    known = numbers(statement, task, GIVEN)
    found = choose(statement, known, free_parameters(statement, known))
    steps, alpha = found.values["E"], found.values["alpha"]
    twice = {**known, **found.values, "E": 2 * steps, "alpha": 2 * alpha}
    weighed = found.weighed(statement)
    assert float(weighed.evaluate(**twice).value) == pytest.approx(found.value, rel=1e-9)
    fewer = weighed.evaluate(
        **{**known, **found.values, "E": steps - 1, "alpha": np.geomspace(1.0, 10.0, POINTS)}
    )
    assert np.min(np.asarray(fewer.value)) > (1 + FEWER) * found.value


def test_without_convexity_nothing_is_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "is_convex", lambda *_: False)
    monkeypatch.setattr("bounds.solve.problem.is_convex", lambda *_: False)
    statement = _form(CLIPPED)
    known = numbers(statement, TASK, {"E": 2.0})
    found = choose(statement, known, free_parameters(statement, known))
    assert not found.certified
    assert "not proved" in found.how


@pytest.mark.parametrize("identity", [CLIPPED, FED_NORM])
def test_the_run_keeps_the_target_and_not_much_less(identity: str) -> None:
    statement = _form(identity)
    known = numbers(statement, TASK, {})
    found = choose(statement, known, free_parameters(statement, known))
    settings = settings_of(statement, TASK, {**known, **found.values})
    guarantee, why = count_privacy(settings, TASK)
    assert guarantee is not None, why
    assert 0.99 * TARGET.epsilon <= guarantee.epsilon <= TARGET.epsilon
    less = replace(settings, noise_scale=settings.noise_scale / 1.57)
    weaker, _ = count_privacy(less, TASK)
    assert weaker is not None
    assert weaker.epsilon > 1.3 * TARGET.epsilon


def test_a_corollary_that_takes_the_dimension_gets_its_noise_per_coordinate() -> None:
    """Set as a total it would be sqrt(d) times what the target needs, and epsilon far below it."""
    statement = _form("fed_norm_ec.corollary_3.explicit")
    assert statement.variant == "amended"
    known = numbers(statement, TASK, {"T": 2.0, "gamma": 1e-3})
    found = choose(statement, known, free_parameters(statement, known))
    guarantee, why = count_privacy(settings_of(statement, TASK, {**known, **found.values}), TASK)
    assert guarantee is not None, why
    assert 0.99 * TARGET.epsilon <= guarantee.epsilon <= TARGET.epsilon


@pytest.mark.slow("an accountant of sampled rounds")
def test_noise_of_sampled_rounds_is_that_of_sampled_rounds() -> None:
    sampled = replace(
        TASK,
        sampling=Independent(probability=0.5),
        target=replace(TARGET, accountant=Accountant.RDP),
    )
    statement = _form(CLIPPED)
    known = numbers(statement, sampled, {})
    found = choose(statement, known, free_parameters(statement, known))
    guarantee, why = count_privacy(settings_of(statement, sampled, {**known, **found.values}), sampled)
    assert guarantee is not None, why
    assert 0.99 * 4 <= guarantee.epsilon <= 4
    assert guarantee.sampling_implemented == Independent(probability=0.5)


def test_the_free_bound_is_that_of_the_problem() -> None:
    statement = _form(CLIPPED)
    made = plan(statement, TASK, run=False, search=False)
    problem = TASK.build()
    start = np.asarray(TASK.start)
    gap = float(problem.value(start[None, :])[0] - problem.minimum())
    cost = made.evaluation.inputs["rho"] * made.choice.values["E"] / made.choice.values["alpha"]
    free = made.worth.informed.free.value
    assert free is not None
    assert free <= (2 - cost - cost**2) * gap * (1 + 1e-9)


def test_from_where_on_it_is_informative() -> None:
    """At the epsilon that is named the bound is informative, and a tenth below it is not."""
    statement = _form(CLIPPED)
    few = {**TASK.arguments, "clients": 10, "heterogeneity": 0.3}
    strict = replace(TASK, arguments=few, target=replace(TARGET, epsilon=0.9), rounds=20)
    made = plan(statement, strict, run=False)
    assert made.worth.informed.informative is False
    epsilon = made.worth.epsilon
    assert epsilon is not None
    for factor, wanted in ((1.0, True), (0.9, False)):
        at = replace(strict, target=replace(TARGET, epsilon=epsilon * factor))
        known = numbers(statement, at, {})
        values = choose(statement, known, free_parameters(statement, known)).values
        assert informed_at(statement.evaluate(**{**known, **values}), at).informative is wanted


def test_a_plan_is_run_and_tuned() -> None:
    made = plan(_form(CLIPPED), TASK, replicates=8)
    assert made.simulated is not None
    assert made.tuned is not None
    assert made.simulated.left is not None
    estimate, low, high = made.simulated.left
    assert low <= estimate <= high
    assert estimate <= made.choice.value
    assert len(made.simulated.gap.mean) == TASK.rounds + 1
    assert made.tuned.gap.mean[-1] < 1.2 * made.simulated.gap.mean[-1]
    guarantee, why = count_privacy(made.tuned.settings, TASK)
    assert guarantee is not None, why
    assert guarantee.epsilon <= TARGET.epsilon * (1 + 1e-9)


def descend(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.local_step * clients.gradient(x)


def test_the_search_runs_an_authors_code_in_its_own_precision() -> None:
    """Which is double; our own algorithms are searched in single precision."""
    name = adopt(Algorithm(round=descend, settings={"local_step": REQUIRED}))
    settings = runnable(name).settings(rounds=2, start=np.ones(4), local_step=0.1)
    tuned = tune(name, replace(TASK, rounds=2), settings, replicates=2)
    assert tuned is not None
    assert tuned.settings.local_step != 0.1


def test_the_search_moves_noise_with_the_threshold() -> None:
    statement = _form(CLIPPED)
    known = numbers(statement, TASK, {"E": 1.0})
    found = choose(statement, known, free_parameters(statement, known))
    settings = settings_of(statement, TASK, {**known, **found.values})
    tuned = tune("dp_fedavg", TASK, settings, replicates=2)
    assert tuned is not None
    assert tuned.tried == MOST + MOST // 9
    before, after = settings, tuned.settings
    assert after.noise_scale / after.clip_threshold == pytest.approx(
        before.noise_scale / before.clip_threshold
    )


def test_fewer_settings_are_tried_on_a_large_problem() -> None:
    assert count_settings(TASK.build(), TASK.rounds) == MOST
    assert count_settings(TASK.build(), 10**6) == FEWEST


@pytest.mark.parametrize(
    ("identity", "task", "said"),
    [
        ("dp_fedavg.equation_8", TASK, "Lipschitz"),
        ("dp_fedavg.theorem_3", TASK, "c_O, a constant of an O"),
        ("dp_fedavg.theorem_4", TASK, "nobody knows before the run"),
        ("textbook.gradient_descent_convex", TASK, "no noise that an accountant could set"),
        (CLIPPED, replace(TASK, sampling=FixedSize(drawn=2, units=7)), "draws from 7 clients"),
        (CLIPPED, BY_SIZE, "its runs is full or independent, and the one asked for is fixed"),
        (
            CLIPPED,
            WITHOUT_RUN,
            "its runs is full or independent, and the one asked for is fixed size",
        ),
        ("fed_norm_ec.corollary_1.explicit", TASK, r"A.cor1.h5 \(gamma < .*\) fails for every choice"),
        (CLIPPED, replace(TASK, target=replace(TARGET, epsilon=0.05)), "nothing at so much privacy: rho"),
        ("dp_fedavg.algorithm_1", TASK, "there is no bound to plan with"),
    ],
)
def test_what_cannot_be_planned_says_why(identity: str, task: Task, said: str) -> None:
    with pytest.raises(NotPlanned, match=said):
        plan(variants(identity)[0], task, GIVEN if task.problem is None else None, run=False)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_a_participation_that_is_not_that_of_the_sampling_is_refused(rate: float) -> None:
    """Without a problem too: the noise of one sampling beside the bound of another."""
    sampling = Full() if rate == 1 else Independent(probability=rate)
    task = replace(ALONE, sampling=sampling, target=replace(TARGET, accountant=Accountant.PLD))
    given = {"L": 1.0, "f0_gap": 1.0, "Delta_inf": 0.1, "R": 0.1}
    statement = _form(FED_NORM)
    assert numbers(statement, task, given)["p"] == rate
    assert numbers(statement, task, {**given, "p": rate})["p"] == rate
    with pytest.raises(NotPlanned, match=rf"p = 0\.7 is given, and the sampling .* makes it {rate:g}: leave"):
        numbers(statement, task, {**given, "p": 0.7})
    uncounted = replace(task, sampling=Full(), target=None)
    assert numbers(statement, uncounted, {**given, "p": 0.7, "sigma_DP": 0.1})["p"] == 0.7


def test_every_statement_that_can_be_planned_is_found() -> None:
    import bounds

    found = {s.id for s in plannable(bounds.statements())}
    assert {CLIPPED, "dp_fedavg.theorem_4", FED_NORM} <= found
    assert "dp_fedavg.lemma_1" not in found
    assert "textbook.gradient_descent_convex" not in found


@pytest.mark.parametrize("variant", ["printed", "amended"])
def test_a_pass_along_the_components_has_as_many_steps_as_there_are(variant: str) -> None:
    """T is no choice: a bound at the best T is not one of the run, which makes a step for each component."""
    statement = bounds.get("fed_norm_ec.corollary_5", variant)
    task = replace(TASK, problem="component_sums.small", arguments={}, start=(1.5,) * 3, target=None)
    known = numbers(statement, task, {"sigma_DP": 0.0})
    assert known.get("T", 4) == 4
    assert "T" not in free_parameters(statement, known)
    assert settings_of(statement, task, known | chosen_of(statement, known)).local_steps == 4
    with pytest.raises(NotPlanned, match="has 4 components; T=2 is not that"):
        numbers(statement, task, {"sigma_DP": 0.0, "T": 2.0})


def chosen_of(statement: Statement, known: Mapping[str, float]) -> Mapping[str, float]:
    return choose(statement, known, free_parameters(statement, known)).values
