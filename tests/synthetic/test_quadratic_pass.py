"""Local steps in closed form, and vectors in spans, against steps taken one by one on dense matrices."""

import numpy as np
import pytest
from usual_settings import private

from synthetic import Plan, run
from synthetic.algorithms import fed_alpha_norm_ec
from synthetic.algorithms._common import clip, smoothed_normalisation, to_length
from synthetic.engine.client_vectors import InSpans, lengths, multiples, sum_of_taking, table, zeros_like
from synthetic.participation import Full
from synthetic.problems import quadratic
from synthetic.problems.quadratics import local_pass
from synthetic.problems.quadratics.local_pass import gain

RANDOM = np.random.default_rng(5)
N, D, R = 4, 7, 5
CENTERS = RANDOM.standard_normal((N, D))
FACTORS = RANDOM.standard_normal((N, D, 3)) / 3
PROBLEMS = {
    "dense": quadratic.small(clients=N, dimension=D),
    "diagonal": quadratic.diagonal(RANDOM.random((N, D)), CENTERS),
    "low rank": quadratic.low_rank(FACTORS, CENTERS),
    "low rank, lifted": quadratic.low_rank(FACTORS, CENTERS, shift=0.25),
    "full rank from factors": quadratic.low_rank(RANDOM.standard_normal((N, D, D)) / D, CENTERS, shift=0.5),
    "more factors than coordinates": quadratic.low_rank(RANDOM.standard_normal((N, D, 2 * D)) / D, CENTERS),
}
every_problem = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS.keys())
POINTS = RANDOM.standard_normal((R, D)) * 2


def one_by_one(problem, points, step, steps):
    """(x - T_i(x))/step, client by client and step by step."""
    updates = []
    for hessian, center in zip(problem.hessians, problem.centers, strict=True):
        local = points.copy()
        for _ in range(steps):
            local = local - step * (local - center) @ hessian
        updates.append((points - local) / step)
    return np.array(updates)


@every_problem
@pytest.mark.parametrize("steps", [1, 2, 7, 200])
@pytest.mark.parametrize("step", [0.01, 0.3, 1.1])
def test_any_number_of_steps_is_one_function_of_the_matrix(problem, steps, step):
    expected = one_by_one(problem, POINTS, step, steps)
    found = table(problem.local_updates(POINTS, step=step, steps=steps))
    scale = np.maximum(1, np.linalg.norm(expected, axis=-1, keepdims=True))
    assert (np.abs(found - expected) <= 1e-12 * scale).all()


def test_updates_of_low_rank_stay_in_their_spans():
    update = PROBLEMS["low rank"].local_updates(POINTS, step=0.3, steps=9)
    assert isinstance(update, InSpans)
    assert update.coefficients.shape == (R, N, 3)
    assert not isinstance(PROBLEMS["low rank, lifted"].local_updates(POINTS, step=0.3, steps=9), InSpans)


@pytest.mark.parametrize("missing", ["a step", "a sign", "an eigenvalue"])
def test_a_wrong_gain_is_noticed(missing, monkeypatch):
    wrong = {
        "a step": lambda q, step, steps: gain(q, step, steps - 1),
        "a sign": lambda q, step, steps: (1 - np.abs(1 - step * q) ** steps) / step,
        "an eigenvalue": lambda q, step, steps: gain(np.where(q == q.max(), 0, q), step, steps),
    }
    problem = quadratic.low_rank(2 * FACTORS, CENTERS)
    expected = one_by_one(problem, POINTS, 1.5, 3)
    monkeypatch.setattr(local_pass, "gain", wrong[missing])
    found = table(problem.local_updates(POINTS, step=1.5, steps=3))
    assert np.abs(found - expected).max() > 1e-3


@pytest.mark.parametrize("steps", [1, 2, 3, 20, 201])
def test_gains_keep_their_digits(steps):
    step = 0.3
    for q in (0.0, 1e-18, 1e-9, 0.1, 1 / step, 1.5 / step, (2 - 1e-9) / step, 2 / step, 2.5 / step):
        # the sum of the powers has no cancellation for q <= 1/step
        expected = sum((1 - step * q) ** j for j in range(steps)) * q
        assert gain(np.array(q), step, steps) == pytest.approx(expected, rel=2e-13, abs=1e-15)


@every_problem
def test_where_all_clients_rest_nothing_moves(problem):
    center = problem.centers[0]
    same = (
        quadratic.diagonal(problem.curvature.entries, np.tile(center, (N, 1)))
        if hasattr(problem.curvature, "entries")
        else quadratic.low_rank(FACTORS, np.tile(center, (N, 1)))
    )
    update = same.local_updates(np.tile(center, (3, 1)), step=0.1, steps=4)
    assert (lengths(update) == 0).all()


@pytest.mark.parametrize("low", [2.0**-20, 2.0**-30])
@pytest.mark.parametrize("kind", ["dense", "low rank"])
def test_along_nearly_flat_directions_clients_still_move(kind, low):
    """Eigenvalues 1 and `low`, along (1, 1) and (1, -1): nothing cancels in these entries."""
    center = np.array([[3.0, -1.0]])
    if kind == "dense":
        problem = quadratic.quadratic(
            [[[(1 + low) / 2, (1 - low) / 2], [(1 - low) / 2, (1 + low) / 2]]], center
        )
    else:
        root = low**0.5
        problem = quadratic.low_rank(np.array([[[1.0, root], [1.0, -root]]]) / 2**0.5, center)
    points = center + np.array([[2.0, -2.0], [1.0, 3.0]])
    expected = one_by_one(problem, points, 0.3, 200)
    assert np.abs(expected[0, 0]).min() > 1e-8  # along (1, -1) alone
    found = table(problem.local_updates(points, step=0.3, steps=200))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_eigenvalues_below_zero_by_rounding_are_zero():
    """v v^T of small integers: semidefinite without rounding, and eigenvalues of some are found negative."""
    factors = np.random.default_rng(3).integers(-3, 4, (20, 4, 1)).astype(float)
    hessians = factors @ factors.swapaxes(1, 2)
    assert np.linalg.eigh(hessians)[0].min() < 0
    problem = quadratic.quadratic(hessians, np.random.default_rng(4).standard_normal((20, 4)))
    points = np.random.default_rng(5).standard_normal((R, 4))
    expected = one_by_one(problem, points, 0.04, 7)
    found = table(problem.local_updates(points, step=0.04, steps=7))
    scale = np.maximum(1, np.linalg.norm(expected, axis=-1, keepdims=True))
    assert (np.abs(found - expected) <= 1e-12 * scale).all()


@pytest.mark.parametrize(
    "problem",
    [
        quadratic.quadratic([[[0.5, 0.25], [0.25, 0.5]]] * 2, [[1.0, -2.0]] * 2),
        quadratic.low_rank([[[0.5], [0.25]]] * 2, [[1.0, -2.0]] * 2),
        quadratic.diagonal([[0.25, 0.5]] * 2, [[1.0, -2.0]] * 2),
    ],
    ids=["dense", "low rank", "diagonal"],
)
def test_a_client_at_rest_stays_however_long_its_steps(problem):
    """(1 - 1000 q)^400 is beyond float64 for every q here, and so is its quotient by a root below 1."""
    made = private(start=[1.0, -2.0], rounds=2, local_steps=400, local_step=1e3, participation=Full())
    trace = run("dp_fedavg", problem, made, replicates=3, seed=0, stream="rest", plan=Plan(backend="numpy"))
    assert (trace.final_state == [1.0, -2.0]).all()


@every_problem
def test_lengths_multiples_and_sums_in_spans_are_those_of_the_vectors(problem):
    update = problem.local_updates(POINTS, step=0.3, steps=5)
    plain = table(update)
    np.testing.assert_allclose(lengths(update), np.linalg.norm(plain, axis=-1), rtol=1e-12)
    factors = RANDOM.random((N, R))
    np.testing.assert_allclose(
        table(multiples(update, factors)), plain * factors[..., None], rtol=1e-11, atol=1e-13
    )
    taking = RANDOM.random((R, N)) < 0.5
    np.testing.assert_allclose(
        sum_of_taking(taking, update), (plain * taking.T[..., None]).sum(axis=0), atol=1e-12
    )
    np.testing.assert_allclose(sum_of_taking(None, update), plain.sum(axis=0), atol=1e-12)
    for bounded in (
        lambda v: clip(v, 0.8),
        lambda v: to_length(v, 2.0),
        lambda v: smoothed_normalisation(v, 0.3),
    ):
        np.testing.assert_allclose(table(bounded(update)), bounded(plain), rtol=1e-11, atol=1e-13)
    for other in (update, plain, zeros_like(update)):
        np.testing.assert_allclose(table(update - 0.5 * other), plain - 0.5 * table(other), atol=1e-12)
        np.testing.assert_allclose(table(0.5 * other + update), plain + 0.5 * table(other), atol=1e-12)


def test_a_client_that_stays_away_may_send_what_is_no_number():
    update = PROBLEMS["low rank"].local_updates(POINTS, step=0.3, steps=5)
    spoiled = multiples(update, np.where(np.arange(N) == 2, np.inf, 1.0)[:, None] * np.ones((N, R)))
    taking = np.broadcast_to(np.arange(N) != 2, (R, N))
    expected = sum_of_taking(taking, table(update))
    np.testing.assert_allclose(sum_of_taking(taking, spoiled), expected, atol=1e-12)


@every_problem
def test_the_mean_is_one_quadratic(problem):
    away = POINTS[None] - problem.centers[:, None]
    slopes = away @ problem.hessians
    values = (away * slopes).sum(axis=-1) / 2 + problem.offsets[:, None]
    np.testing.assert_allclose(problem.value(POINTS), values.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(problem.gradient(POINTS), slopes.mean(axis=0), atol=1e-13)


def test_few_factors_in_a_high_dimension_make_no_matrix():
    problem = quadratic.low_rank(
        RANDOM.standard_normal((2, 60, 3)), RANDOM.standard_normal((2, 60)), shift=0.5
    )
    points = RANDOM.standard_normal((4, 60))
    slopes = ((points[None] - problem.centers[:, None]) @ problem.hessians).mean(axis=0)
    np.testing.assert_allclose(problem.gradient(points), slopes, rtol=1e-11, atol=1e-12)


def literal_round(problem, w, threshold, step, steps):
    sent = []
    for update in one_by_one(problem, w, step, steps):
        size = np.linalg.norm(update, axis=-1, keepdims=True)
        sent.append(update * np.minimum(1, threshold / size))
    return w - step * np.mean(sent, axis=0)


def test_a_trajectory_in_spans_agrees_with_one_step_by_step():
    problem, w = PROBLEMS["low rank"], POINTS
    made = private(
        start=POINTS, rounds=30, local_steps=20, local_step=0.2, clients_per_round=N, participation=Full()
    )
    for _ in range(30):
        w = literal_round(problem, w, 1.0, 0.2, 20)
    for backend in ("numpy", "torch"):
        trace = run("dp_fedavg", problem, made, replicates=R, seed=0, stream="s", plan=Plan(backend=backend))
        np.testing.assert_allclose(trace.final_state, w, rtol=0, atol=1e-10)


def test_memories_in_spans_and_in_coordinates_agree():
    common = {
        "start": POINTS[0],
        "last_round": 20,
        "local_steps": 3,
        "local_step": 0.6,
        "memory_step": 0.4,
        "server_step": 0.2,
        "smoothing": 0.3,
        "participation": Full(),
        "private": True,
        "noise_scale": 0.1,
        "normalise_server": False,
    }
    asked = {"replicates": 3, "seed": 0, "stream": "s"}
    states = [
        run(
            "fed_alpha_norm_ec",
            PROBLEMS["low rank"],
            fed_alpha_norm_ec.Settings(**common, initial_memory=memory),
            **asked,
        )
        for memory in (None, np.zeros((N, D)))
    ]
    for name, values in states[0].measurements.items():
        np.testing.assert_allclose(values, states[1].measurements[name], atol=1e-10, err_msg=name)
