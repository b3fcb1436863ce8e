"""Theorem F.2 on data: the ball that no iterate leaves, zeta there, and plans that rest on it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import bounds
from bounds.discovery import variants
from synthetic.problems import least_squares, logistic
from synthetic.problems.linear_models.model import LinearModel
from verify.matching.constants.certified import unfit
from verify.matching.joined import get_runs
from verify.papers.fedavg_lojasiewicz.confined_runs import confine
from verify.planning.planned import plan
from verify.planning.simulated import cell_of
from verify.planning.sources import ON_A_BALL, find_sources
from verify.planning.task import NotPlanned, Task
from verify.privacy.mechanism import Full

THEOREM = "fedavg_lojasiewicz.theorem_f2"
AMENDED = next(form for form in variants(THEOREM) if form.variant == "amended")
ARGUMENTS = {"clients": 4, "samples": 30, "dimension": 3, "heterogeneity": 0.4, "seed": 5}
TASK = Task(
    problem="least_squares.small",
    arguments=ARGUMENTS,
    start=(0.0,) * 3,
    rounds=60,
    sampling=Full(),
    target=None,
)


def compute_by_hand(problem: LinearModel) -> tuple[Any, Any, Any]:
    """Hessians, linear parts and the minimizer of the mean, by the normal equations."""
    parts = [problem.samples.of(c) for c in range(problem.clients)]
    hessians = np.array([x.T @ x / len(x) for x, _, _ in parts])
    sides = np.array([x.T @ y[0] / len(x) for x, y, _ in parts])
    return hessians, sides, np.linalg.solve(hessians.mean(axis=0), sides.mean(axis=0))


def divergence(hessians: Any, sides: Any, at: Any) -> float:
    gradients = hessians @ at - sides
    return float(np.sqrt(((gradients - gradients.mean(axis=0)) ** 2).sum(axis=1).mean()))


@pytest.mark.parametrize("sigma", [0.0, 0.3, 3.0])
@pytest.mark.parametrize("local_steps", [1, 6])
def test_no_iterate_leaves_the_ball_and_none_has_more_than_zeta(sigma: float, local_steps: int) -> None:
    """Noise that always pushes one way is the worst that a bound sigma allows."""
    problem = least_squares.small(**ARGUMENTS)
    hessians, sides, best = compute_by_hand(problem)
    start = best + np.array([0.4, -0.3, 0.2])
    found = confine(problem, start.tolist(), {"sigma": sigma})
    assert found is not None
    step = 1 / (18 * local_steps * np.linalg.eigvalsh(hessians)[:, -1].max())
    push = sigma * np.linalg.eigh(hessians.mean(axis=0))[1][:, 0]
    for sign in (1.0, -1.0):
        theta = start
        for _ in range(400):
            assert np.linalg.norm(theta) <= found.reach
            assert divergence(hessians, sides, theta) <= found.constants["zeta"]
            paths = np.repeat(theta[None], problem.clients, axis=0)
            for _ in range(local_steps):
                slopes = np.einsum("cij,cj->ci", hessians, paths) - sides
                paths = paths - step * (slopes + sign * push)
            theta = paths.mean(axis=0)


def test_zeta_is_that_of_the_ball_by_hand() -> None:
    """Without noise the ball goes through the start; the mean square of d_c(w*) + D_c u grows along u."""
    problem = least_squares.small(**ARGUMENTS)
    hessians, sides, best = compute_by_hand(problem)
    found = confine(problem, [0.0] * 3, {"sigma": 0.0})
    assert found is not None
    apart = hessians - hessians.mean(axis=0)
    growth = np.sqrt(np.linalg.eigvalsh((apart @ apart).mean(axis=0))[-1])
    expected = divergence(hessians, sides, best) + growth * np.linalg.norm(best)
    assert found.constants["zeta"] == pytest.approx(expected, rel=1e-9)


def test_the_radius_grows_with_the_noise_and_noise_leaves_a_smaller_ball() -> None:
    """A planted defect: the ball without noise is left by a run with noise."""
    problem = least_squares.small(**ARGUMENTS)
    hessians, sides, best = compute_by_hand(problem)
    calm, noisy = (confine(problem, best.tolist(), {"sigma": s}) for s in (0.0, 3.0))
    assert calm is not None
    assert noisy is not None
    assert noisy.constants["zeta"] > calm.constants["zeta"]
    step, theta = 1 / (18 * np.linalg.eigvalsh(hessians)[:, -1].max()), best
    push = 3.0 * np.linalg.eigh(hessians.mean(axis=0))[1][:, 0]
    for _ in range(400):
        theta = theta - step * (hessians.mean(axis=0) @ theta - sides.mean(axis=0) + push)
    assert divergence(hessians, sides, theta) > calm.constants["zeta"]


def test_clients_without_a_modulus_have_no_ball() -> None:
    flat = logistic.small(clients=3, samples=10, dimension=2, l2=0.0)
    assert confine(flat, [0.0, 0.0], {"sigma": 0.0}) is None


def test_a_plan_on_least_squares_holds_on_its_run() -> None:
    made = plan(AMENDED, TASK, {"sigma": 0.0}, search=False, replicates=2)
    problem = least_squares.small(**ARGUMENTS)
    hessians, _, _ = compute_by_hand(problem)
    least = 2 * np.linalg.eigvalsh(hessians)[:, 0].min()
    assert made.fixed["mu_1"] == pytest.approx(least, rel=1e-8)
    assert made.simulated is not None
    assert made.simulated.left is not None
    assert made.simulated.left[0] <= float(made.evaluation.value)


@pytest.mark.slow("a plan and its runs; least squares on a ball are in tier one")
def test_quadratics_of_different_curvatures_are_planned_on_a_ball_too() -> None:
    task = replace(TASK, problem="quadratic.small", arguments={"clients": 3, "dimension": 3, "seed": 1})
    made = plan(AMENDED, task, {"sigma": 0.0}, search=False, replicates=2)
    assert made.simulated is not None
    assert made.simulated.left is not None
    assert made.simulated.left[0] <= float(made.evaluation.value)


@pytest.mark.slow("a second plan, for its words")
def test_the_sources_say_what_is_given_and_what_holds_on_a_ball_only() -> None:
    made = plan(AMENDED, TASK, {"sigma": 0.0}, run=False)
    sources = find_sources(AMENDED, TASK, made.fixed, {"sigma": 0.0})
    assert sources["zeta"] == ON_A_BALL
    assert sources["sigma"] == "given"
    assert sources["mu_1"] == "2 times client_strong_convexity, enclosed"
    assert sources["f0_gap"].startswith("gap_to_client_minima at the start")
    assert "R" not in sources


def test_the_printed_form_asks_for_zeta_everywhere_and_is_refused() -> None:
    with pytest.raises(NotPlanned, match="the gradient divergence is infinite"):
        plan(bounds.get(THEOREM), TASK, {"sigma": 0.0}, run=False)


def test_a_cell_with_a_zeta_or_a_reach_too_small_is_refused() -> None:
    made = plan(AMENDED, TASK, {"sigma": 0.0}, run=False)
    cell = cell_of(AMENDED, TASK, {**made.fixed, **made.choice.values})
    runs = get_runs(AMENDED)
    assert unfit(runs.requirements(AMENDED, cell)) is None
    low = replace(cell, parameters={**cell.parameters, "zeta": made.fixed["zeta"] * 0.99})
    near = replace(cell, engine={**cell.engine, "reach": cell.engine["reach"] * 0.99})
    assert "zeta" in str(unfit(runs.requirements(AMENDED, low)))
    assert "reach" in str(unfit(runs.requirements(AMENDED, near)))


@pytest.mark.slow("a plan of logistic clients beside those of least squares")
def test_a_ridge_makes_logistic_clients_plannable() -> None:
    """Every client is l2-strongly convex: mu = 2 l2."""
    task = replace(TASK, problem="logistic.small", arguments={"clients": 3, "dimension": 3, "l2": 0.25})
    made = plan(AMENDED, task, {"sigma": 0.0}, run=False)
    assert made.fixed["mu_1"] == 0.5
    without = replace(task, arguments={"clients": 3, "dimension": 3, "l2": 0.0})
    with pytest.raises(NotPlanned, match="l2 above 0"):
        plan(AMENDED, without, {"sigma": 0.0}, run=False)
