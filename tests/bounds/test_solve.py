"""The inverse question against exhaustive search, closed forms, and problems without an answer."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import bounds
from bounds import errors
from bounds.language.condition import Relation
from bounds.language.statement import Statement
from bounds.solve import Solution, reals, solve
from bounds.solve.problem import Answer, Problem

DESCENT = bounds.get("textbook.gradient_descent_convex")
SGD = bounds.get("textbook.stochastic_gradient_descent")
NORM_EC = bounds.get("fed_norm_ec.theorem_1.main")
DP_FEDAVG = bounds.get("dp_fedavg.theorem_2")

SGD_AT = {"L": 3.0, "mu": 0.5, "D0": 2.0, "sigma": 0.3}
NORM_EC_AT = {
    "f0_gap": 1.0,
    "R": 0.01,
    "p": 1.0,
    "sigma_DP": 0.0,
    "M": 10.0,
    "L": 1.0,
    "T": 1.0,
    "Delta_inf": 100.0,
    "alpha": 0.01,
}
DP_FEDAVG_AT = {
    "C_hat": 2.0,
    "L": 1.0,
    "D0": 3.0,
    "E": 2.0,
    "rho": 0.05,
    "Delta_star_mean": 0.01,
    "Delta_star_max": 0.1,
}


WITHOUT_E = {name: value for name, value in DP_FEDAVG_AT.items() if name != "E"}


def exhaustive(
    statement: Statement, name: str, target: float, given: Mapping[str, float], last: int
) -> int | None:
    """The smallest number in the domain, up to `last`, that meets the target and all conditions."""
    first = int(statement.notation.quantities[name].domain.lower)
    numbers = np.arange(first, last + 1, dtype=np.float64)
    evaluation = statement.evaluate(**{**given, name: numbers})
    good = numbers[(evaluation.value <= target) & np.broadcast_to(evaluation.applicable, numbers.shape)]
    return int(good[0]) if len(good) else None


def survives(statement: Statement, given: Mapping[str, float], solution: Solution) -> None:
    evaluation = statement.evaluate(**given, **solution.values)
    assert evaluation.value == solution.value
    assert evaluation.applicable is True


# Whole numbers.


@pytest.mark.parametrize("target", [4.0, 1.0, 0.1, 0.0999, 1e-3, 1e-7])
def test_gradient_descent_needs_what_its_formula_says(target: float) -> None:
    solution = solve(DESCENT, "N", target, {"L": 1.0, "D0": 3.0})
    assert solution.found
    assert solution.certified
    assert solution.values == {"N": max(0, math.ceil((9 / target - 2) / 4 * (1 - 1e-15)))}
    survives(DESCENT, {"L": 1.0, "D0": 3.0}, solution)


@pytest.mark.parametrize(
    ("statement", "name", "target", "given"),
    [
        (SGD, "K", 0.1, {**SGD_AT, "eta": 0.1}),
        (SGD, "K", 0.0093, {**SGD_AT, "eta": 0.1}),
        (NORM_EC, "K", 13.0, {**NORM_EC_AT, "eta": 0.002, "beta": 0.018}),
        (NORM_EC, "K", 1.0, {**NORM_EC_AT, "eta": 0.002, "beta": 0.018}),
        (DP_FEDAVG, "K", 0.7, {**DP_FEDAVG_AT, "alpha": 2.0}),
        (DP_FEDAVG, "K", 0.60075001, {**DP_FEDAVG_AT, "alpha": 2.0}),
        (DP_FEDAVG, "E", 0.7, {**WITHOUT_E, "alpha": 2.0, "K": 200.0}),
    ],
)
def test_the_smallest_whole_number_is_that_of_exhaustive_search(
    statement: Statement, name: str, target: float, given: dict[str, float]
) -> None:
    expected = exhaustive(statement, name, target, given, 20_000)
    assert expected is not None
    solution = solve(statement, name, target, given)
    assert solution.values == {name: expected}
    assert solution.certified
    survives(statement, given, solution)


def test_random_problems_agree_with_exhaustive_search() -> None:
    generator = np.random.default_rng(5)
    outcomes = set()
    for _ in range(60):
        given = {
            **DP_FEDAVG_AT,
            "alpha": 1 + 3 * generator.random(),
            "rho": 0.3 * generator.random(),
            "D0": 5 * generator.random(),
        }
        target = float(generator.uniform(0.1, 2.0))
        expected = exhaustive(DP_FEDAVG, "K", target, given, 100_000)
        solution = solve(DP_FEDAVG, "K", target, given)
        assert solution.certified
        assert solution.values.get("K") == expected if solution.found else expected is None
        outcomes.add(solution.found)
    assert outcomes == {True, False}


def test_an_island_in_the_interior_is_found() -> None:
    """gamma grows with K, and the bound is L D0^2/gamma + gamma/L: too few rounds and too many both fail."""
    given = {**DP_FEDAVG_AT, "alpha": 2.0}
    target = 0.60075001
    solution = solve(DP_FEDAVG, "K", target, given)
    numbers = np.arange(1.0, 5000.0)
    good = numbers[DP_FEDAVG.evaluate(**given, K=numbers).value <= target]
    assert 1 < good[0] <= good[-1] < 4999  # a single number
    assert solution.values["K"] == good[0]


def test_a_large_count_is_found_without_trying_them_all() -> None:
    solution = solve(DESCENT, "N", 1e-12, {"L": 1.0, "D0": 3.0})
    n = solution.values["N"]
    assert n > 2e12
    assert solution.certified
    before, there = DESCENT.evaluate(L=1.0, D0=3.0, N=np.array([n - 1, n])).value
    assert before > 1e-12 >= there


def test_conditions_that_depend_on_the_unknown_end_the_search() -> None:
    """eta <= Delta_inf/(2 sqrt(2L) (K+1)) caps K, and the bound still falls there."""
    given = {**NORM_EC_AT, "eta": 0.002, "beta": 0.018}
    cap = math.floor(100 / (2 * math.sqrt(2) * 0.002)) - 1
    solution = solve(NORM_EC, "K", 0.05, given)
    assert not solution.found
    assert solution.certified
    assert solution.values["K"] == cap
    assert solution.best == NORM_EC.evaluate(**given, K=cap).value
    assert [c.condition.locator for c in solution.blocked_by] == ["A.thm1.h4"]
    assert not solution.blocked_by[0].holds


def test_a_floor_above_the_target_is_reported_as_the_best_value() -> None:
    given = {**SGD_AT, "eta": 0.1}
    floor = 0.1**2 * 0.3**2 / (1 - 0.95**2)
    solution = solve(SGD, "K", 0.001, given)
    assert not solution.found
    assert solution.certified
    assert solution.best == pytest.approx(floor, rel=1e-9)
    assert solution.blocked_by == ()  # no condition is to blame
    assert "0.001" in solution.sentence


def test_a_condition_that_never_holds_leaves_no_best_value() -> None:
    solution = solve(SGD, "K", 0.1, {**SGD_AT, "eta": 2.0})
    assert not solution.found
    assert solution.best is None


def test_a_condition_that_does_not_depend_on_the_unknown_is_named_as_the_block() -> None:
    solution = solve(SGD, "K", 3.0, {**SGD_AT, "eta": 0.58})
    assert not solution.found
    assert [c.condition.printed for c in solution.blocked_by] == [r"\eta\leq\frac{2}{L+\mu}"]


# The largest step.


@pytest.mark.parametrize(("L", "mu"), [(3.0, 0.5), (1.0, 0.1), (7.0, 6.3), (0.3, 1e-9)])
def test_the_largest_sgd_step_is_its_limit(L: float, mu: float) -> None:
    solution = solve(SGD, "eta", None, {"L": L, "mu": mu})
    assert solution.certified
    assert solution.values["eta"] == pytest.approx(2 / (L + mu), rel=4e-16)
    assert [c.condition.printed for c in solution.binding if c.tie] == [r"\eta\leq\frac{2}{L+\mu}"]
    assert all(c.holds for c in SGD.check(**solution.values, L=L, mu=mu, D0=1.0, sigma=0.0, K=1))


def test_a_strict_limit_is_approached_from_below() -> None:
    given = {**NORM_EC_AT, "beta": 500.0, "alpha": 1000.0, "R": 1000.0, "K": 0.0, "Delta_inf": 1000.0}
    solution = solve(NORM_EC, "eta", None, given)
    eta = solution.values["eta"]
    assert 1 - 1e-14 < eta < 1
    assert solution.certified
    assert [c.condition.locator for c in solution.binding] == ["A.alg1"]
    survives(NORM_EC, given, solution)


def test_the_largest_local_step_count() -> None:
    """E <= alpha/(2 rho), which is stated as a limit on E itself."""
    given = {**WITHOUT_E, "alpha": 2.1, "K": 10.0}
    solution = solve(DP_FEDAVG, "E", None, given)
    assert solution.values == {"E": 21.0}
    assert not all(c.holds for c in DP_FEDAVG.check(**given, E=22))


def test_a_strict_limit_on_a_whole_number_leaves_the_one_below() -> None:
    """E < alpha/(2 rho) = 21, without rounding."""
    at_most = Relation.AT_MOST
    conditions = (
        replace(c, relation=Relation.BELOW, solved=None) if c.relation is at_most else c
        for c in DP_FEDAVG.conditions
    )
    given = {**WITHOUT_E, "alpha": 2.625, "rho": 0.0625, "K": 10.0}
    solution = solve(replace(DP_FEDAVG, conditions=tuple(conditions)), "E", None, given)
    assert solution.values == {"E": 20.0}
    assert solution.certified


def test_a_limit_that_no_condition_states_directly_is_bisected() -> None:
    """beta R/(4 L (alpha+R)) >= eta bounds L from above, without being a limit on L."""
    given = {**{k: v for k, v in NORM_EC_AT.items() if k != "L"}, "eta": 0.001, "beta": 0.016, "K": 3.0}
    solution = solve(NORM_EC, "L", None, given)
    assert solution.values["L"] == pytest.approx(0.016 * 0.5 / 4 / 0.001, rel=1e-14)
    assert not solution.certified
    survives(NORM_EC, given, solution)


def test_nothing_limits_the_step() -> None:
    solution = solve(SGD, "sigma", None, {"L": 1.0, "mu": 0.5, "D0": 1.0, "eta": 0.1, "K": 3.0})
    assert not solution.found
    assert "no condition limits sigma" in solution.sentence


# Real unknowns with a target.


def test_the_largest_noise_that_meets_a_target() -> None:
    given = {k: v for k, v in SGD_AT.items() if k != "sigma"} | {"eta": 0.1, "K": 100.0}
    solution = solve(SGD, "sigma", 0.01, given)
    q = 1 - 0.1 * 0.5
    expected = math.sqrt((0.01 - q**200 * 4) * (1 - q**2) / (1 - q**200)) / 0.1
    assert solution.values["sigma"] == pytest.approx(expected, rel=1e-12)
    assert solution.value is not None
    assert solution.value <= 0.01
    survives(SGD, given, solution)


def test_the_smallest_value_where_the_bound_decreases() -> None:
    """The bound falls with the sampling probability, so the question is how little sampling is enough."""
    given = {**NORM_EC_AT, "eta": 0.002, "beta": 0.018, "K": 1000.0, "sigma_DP": 0.5}
    del given["p"]
    target = NORM_EC.evaluate(**given, p=0.3).value
    solution = solve(NORM_EC, "p", target, given)
    p = solution.values["p"]
    assert p == pytest.approx(0.3, rel=1e-12)
    assert NORM_EC.evaluate(**given, p=p * (1 - 1e-9)).value > target >= NORM_EC.evaluate(**given, p=p).value


def test_a_target_out_of_reach_of_a_real_unknown() -> None:
    given = {**DP_FEDAVG_AT, "K": 50.0}
    solution = solve(DP_FEDAVG, "alpha", 0.8, given)
    assert not solution.found
    values = DP_FEDAVG.evaluate(**given, alpha=np.linspace(1, 50, 10_001)).value
    assert solution.best == pytest.approx(values.min(), rel=1e-9)


# Minimising.


@pytest.mark.parametrize(("delta", "K"), [(100.0, 0.0), (100.0, 20.0), (1e-3, 7.0), (1e6, 3.0)])
def test_the_best_step_with_one_local_step(delta: float, K: float) -> None:
    """3 f0_gap/((K+1) eta) + eta L/2 is smallest at sqrt(6 f0_gap/((K+1) L)), or at the last allowed step."""
    given = {**NORM_EC_AT, "Delta_inf": delta, "K": K, "beta": 4e3, "alpha": 5e3, "R": 5e3, "L": 40.0}
    free = math.sqrt(6 * given["f0_gap"] / ((K + 1) * given["L"]))
    allowed = min(delta / ((K + 1) * 2 * math.sqrt(2 * 40)), 4e3 * 5e3 / (4 * 40 * 1e4), 1.0)
    solution = solve(NORM_EC, None, None, given, ("eta",))
    assert solution.certified
    assert solution.values["eta"] == pytest.approx(min(free, allowed), rel=2e-6 if free < allowed else 2e-9)
    assert bool(solution.binding) == (allowed < free)
    survives(NORM_EC, given, solution)


def test_the_minimum_over_two_parameters_is_not_beaten_by_a_fine_grid() -> None:
    given = {**NORM_EC_AT, "K": 100.0, "sigma_DP": 0.5, "p": 0.5, "Delta_inf": 3.0}
    solution = solve(NORM_EC, None, None, given, ("eta", "beta"))
    eta, beta = np.meshgrid(np.geomspace(1e-4, 1e-2, 1500), np.geomspace(1e-3, 0.1, 1500))
    evaluation = NORM_EC.evaluate(**given, eta=eta, beta=beta)
    best = np.min(np.where(evaluation.applicable, evaluation.value, np.inf))
    assert solution.value is not None
    assert best * 0.99 < solution.value <= best
    assert solution.certified


def test_the_best_number_of_rounds_is_that_of_exhaustive_search() -> None:
    given = {**DP_FEDAVG_AT, "alpha": 2.0}
    values = DP_FEDAVG.evaluate(**given, K=np.arange(1.0, 20_000.0)).value
    solution = solve(DP_FEDAVG, None, None, given, ("K",))
    assert solution.certified
    assert solution.values == {"K": 1 + int(np.argmin(values))}
    # gamma = K C_hat E rho^2/(2 alpha) should be L D0: the minimiser of L D0^2/gamma + gamma/L.
    assert solution.values["K"] == round(3 * 2 * 2 / (2 * 2 * 0.05**2))


def test_minimising_over_alpha_trades_rounds_for_heterogeneity() -> None:
    """Since gamma = L D0 fixes alpha/K, the first term is stationary, and the second falls with alpha.

    The choice minimizes the bound over the coefficient of the gap, 2 - q - q^2 with q = rho E/alpha.
    """
    given = {**DP_FEDAVG_AT, "Delta_star_mean": 3.0, "K": 20_000.0}
    solution = solve(DP_FEDAVG, None, None, given, ("alpha",))
    a = np.geomspace(1, 1e4, 200_001)
    q = 0.05 * 2 / a
    quotients = DP_FEDAVG.evaluate(**given, alpha=a).value / (2 - q - q**2)
    found = 0.05 * 2 / solution.values["alpha"]
    assert solution.value is not None
    assert solution.value / (2 - found - found**2) == pytest.approx(quotients.min(), rel=1e-8)
    assert solution.values["alpha"] == pytest.approx(a[np.argmin(quotients)], rel=1e-3)
    assert solution.certified


def test_fewest_rounds_when_the_rest_is_chosen_well() -> None:
    """A.thm1 is a geometric program in K+1, eta and beta: the answer is checked one round below."""
    solution = solve(NORM_EC, "K", 0.5, NORM_EC_AT, ("eta", "beta"))
    K = solution.values["K"]
    assert solution.certified
    survives(NORM_EC, NORM_EC_AT, solution)
    before = solve(NORM_EC, None, None, {**NORM_EC_AT, "K": K - 1}, ("eta", "beta"))
    assert before.value is not None
    assert solution.value is not None
    assert before.value > 0.5 >= solution.value
    # sigma = 0 and p = 1: beta only widens what eta may be, so eta is at its limit, or at its best.
    allowed = min(100 / ((K + 1) * 2 * math.sqrt(2)), 0.02 * 0.01 / (4 * 0.02))
    assert solution.values["eta"] == pytest.approx(min(allowed, math.sqrt(6 / (K + 1))), rel=1e-6)


@cache
def rounds_over_eta() -> Solution:
    return solve(SGD, "K", 0.01, SGD_AT, ("eta",))


def test_fewest_rounds_without_a_geometric_program_match_a_grid() -> None:
    """T.sgd over eta: not log-convex, so the answer does not claim to be proved."""
    solution = rounds_over_eta()
    etas = np.geomspace(1e-4, 2 / 3.5, 20_001)[:, None]
    numbers = np.arange(1.0, 400.0)
    reached = SGD.evaluate(**SGD_AT, eta=etas, K=numbers).value.min(axis=0)
    assert solution.values["K"] == numbers[reached <= 0.01][0]
    assert not solution.certified
    survives(SGD, SGD_AT, solution)


def test_no_choice_meets_the_conditions() -> None:
    """C_hat < 4 sqrt(L Delta*) whatever alpha is."""
    solution = solve(DP_FEDAVG, None, None, {**DP_FEDAVG_AT, "Delta_star_max": 1.0, "K": 10.0}, ("alpha",))
    assert not solution.found
    assert solution.best is None
    assert [c.condition.locator for c in solution.blocked_by] == ["B.thm2"]


def test_the_same_question_has_the_same_answer() -> None:
    assert rounds_over_eta().values == solve(SGD, "K", 0.01, SGD_AT, ("eta",)).values


# Misuse.


@pytest.mark.parametrize(
    ("unknown", "over", "given", "error", "says"),
    [
        ("gamma", (), {}, errors.PrescribedQuantity, "prescribes gamma"),
        ("KK", (), {}, errors.UnknownName, "did you mean K?"),
        (None, ("etta",), {}, errors.UnknownName, "did you mean eta?"),
        ("K", (), {"K": 3.0}, errors.OverdeterminedQuantity, "given and asked for"),
        ("K", ("K",), {}, errors.OverdeterminedQuantity, "once"),
        ("K", (), {}, errors.MissingQuantity, "beta"),
        (None, (), {}, errors.Misuse, "nothing is asked"),
        ("K", ("T", "eta", "beta"), {}, errors.Misuse, "one whole number"),
        ("K", ("eta", "beta"), {"M": 1.5}, errors.OutOfDomain, "M"),
        ("K", ("eta", "beta"), {"nonsense": 1.0}, errors.UnknownName, "nonsense"),
    ],
)
def test_misuse_is_refused(
    unknown: str | None,
    over: tuple[str, ...],
    given: dict[str, float],
    error: type[errors.Misuse],
    says: str,
) -> None:
    base = {k: v for k, v in NORM_EC_AT.items() if k not in over}
    with pytest.raises(error, match=says):
        solve(NORM_EC, unknown, 0.5, {**base, **given}, over)


def test_a_target_must_be_finite() -> None:
    with pytest.raises(errors.NotANumber, match="target"):
        solve(DESCENT, "N", float("nan"), {"L": 1.0, "D0": 1.0})


def test_minimising_needs_a_target_when_there_is_an_unknown() -> None:
    with pytest.raises(errors.Misuse, match="give a target"):
        solve(SGD, "K", None, SGD_AT, ("eta",))


FREE_OF_TWO = ("E", "C_hat", "alpha")
AT_TWO = {"L": 1.0, "D0": 1.0, "Delta_star_max": 0.01, "rho": 0.0774253, "K": 100.0}


def test_of_counts_that_are_equally_good_the_fewest_is_the_solution() -> None:
    """Without heterogeneity only E/alpha counts, from some E on; one step fewer is worse on a grid."""
    given = {**AT_TWO, "Delta_star_mean": 0.0}
    found = solve(DP_FEDAVG, None, None, given, FREE_OF_TWO)
    assert found.certified
    assert found.value is not None
    steps, rho = found.values["E"], given["rho"]

    def quotient(steps: float, alpha: Any) -> Any:
        q = rho * steps / alpha
        value = DP_FEDAVG.evaluate(**given, E=steps, C_hat=0.4, alpha=alpha).value
        return np.asarray(value) / (2 - q - q**2)

    best = quotient(steps, found.values["alpha"])
    assert quotient(2 * steps, 2 * found.values["alpha"]) == pytest.approx(best, rel=1e-6)
    assert quotient(steps - 1, np.geomspace(1.0, 10.0, 100_001)).min() > (1 + 1e-6) * best


def test_a_quotient_that_is_not_certified_is_compared_with_the_bound_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A search that ends at a poor quotient, planted."""
    given = {**AT_TWO, "Delta_star_mean": 0.005}
    right = solve(DP_FEDAVG, None, None, given, FREE_OF_TWO)
    poor = {"E": 1.0, "C_hat": 40.0, "alpha": 50.0}

    def planted(problem: Problem, integer: Any, target: Any, what: str = "bound") -> Answer:
        if what == "bound":
            return reals.smallest_bound(problem, integer, target, what)
        return Answer(at=poor, certified=False, sentence="planted")

    monkeypatch.setattr("bounds.solve.smallest_bound", planted)
    found = solve(DP_FEDAVG, None, None, given, FREE_OF_TWO)
    assert (found.found, found.certified) == (True, False)
    assert found.value is not None
    assert right.value is not None
    assert found.value < 1.01 * right.value
    assert "not proved" in found.sentence
