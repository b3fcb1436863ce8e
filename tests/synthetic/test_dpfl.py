"""Noisy local steps and their companion: noises, edge cases; test_listings.py has their rounds."""

import math

import numpy as np
import pytest

from synthetic import run
from synthetic.algorithms import dpfl
from synthetic.algorithms._local_steps_search import Estimates, Objective, best_local_steps, estimates
from synthetic.errors import BadValue
from synthetic.problems.quadratic import diagonal, small

COMMON = {
    "rounds": 3,
    "local_steps": 4,
    "step": 0.3,
    "clip_threshold": 1.0,
    "noise_multiplier": 0.2,
    "batch_size": 3,
    "auxiliary_noise": "independent",
}


def settings_with(**changes):
    return dpfl.Settings(**{"start": [1.0, -1.0], **COMMON, **changes})


def test_shapes_and_the_restart_in_every_interval():
    trace = run("dpfl", small(dimension=2), settings_with(), replicates=7, seed=0, stream="x")
    assert trace.measurements["gap"].shape == (7, 4)
    assert trace.measurements["distance_to_auxiliary"].shape == (7, 3, 5)
    assert trace.measurements["client_distance_to_auxiliary"].shape == (7, 3, 5, 5)
    assert trace.measurements["client_gradient_error"].shape == (7, 3, 4, 5)
    # at step 0 only the rounding of the mean of equal vectors is left
    assert trace.measurements["distance_to_auxiliary"][:, :, 0].max() < 1e-15
    assert trace.measurements["distance_to_auxiliary"][:, :, 1].min() > 1e-6
    np.testing.assert_allclose(
        trace.measurements["auxiliary_gap"][:, :, 0], trace.measurements["gap"][:, :-1], rtol=1e-12
    )


def flat(clients, dimension):
    return diagonal(np.zeros((clients, dimension)), np.zeros((clients, dimension)))


def test_client_noise_is_divided_by_the_batch_and_the_printed_companion_noise_is_not():
    size, d, n = 40_000, 2, 3
    s = settings_with(
        start=[0.0] * d, rounds=1, local_steps=1, noise_multiplier=0.5, clip_threshold=2.0, batch_size=4
    )
    trace = run("dpfl", flat(n, d), s, replicates=size, seed=1, stream="law")
    error = trace.measurements["client_gradient_error"][:, 0, 0, 0] ** 2
    assert error.mean() == pytest.approx(d * (0.5 * 2 / 4) ** 2, abs=5 * error.std() / math.sqrt(size))
    v = trace.measurements["auxiliary_squared_distance"][:, 0, 1]
    assert v.mean() == pytest.approx(s.step**2 * d * (0.5 * 2) ** 2, abs=5 * v.std() / math.sqrt(size))
    apart = trace.measurements["distance_to_auxiliary"][:, 0, 1] ** 2
    expected = s.step**2 * d * ((0.5 * 2 / 4) ** 2 / n + (0.5 * 2) ** 2)  # independent: the variances add
    assert apart.mean() == pytest.approx(expected, abs=5 * apart.std() / math.sqrt(size))


def test_identical_clients_and_averaged_noise_keep_the_first_step_together():
    problem = small(heterogeneity=0.0, dimension=2)
    s = settings_with(auxiliary_noise="average_of_clients")
    trace = run("dpfl", problem, s, replicates=20, seed=1, stream="x")
    assert trace.measurements["distance_to_auxiliary"][:, :, 1].max() < 1e-14


def test_one_client_with_averaged_noise_is_its_own_companion():
    s = settings_with(auxiliary_noise="average_of_clients")
    trace = run("dpfl", small(clients=1, dimension=2), s, replicates=20, seed=1, stream="x")
    assert (trace.measurements["distance_to_auxiliary"] == 0).all()


def test_infinite_threshold_needs_zero_noise():
    with pytest.raises(BadValue, match="infinite"):
        settings_with(clip_threshold=math.inf)
    trace = run(
        "dpfl",
        small(dimension=2),
        settings_with(clip_threshold=math.inf, noise_multiplier=0),
        replicates=2,
        seed=0,
        stream="x",
    )
    assert (trace.measurements["client_gradient_error"] == 0).all()


def test_divergence_is_marked_at_the_end_of_its_interval():
    s = settings_with(step=1e150, clip_threshold=math.inf, noise_multiplier=0)
    trace = run("dpfl", small(dimension=2), s, replicates=2, seed=0, stream="x")
    assert trace.diverged_round.tolist() == [1, 1]
    assert np.isposinf(trace.measurements["distance_to_auxiliary"]).all()
    assert np.isfinite(trace.measurements["gap"][:, 0]).all()
    assert np.isposinf(trace.measurements["gap"][:, 1:]).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"step": 0},
        {"batch_size": 0},
        {"noise_multiplier": -1},
        {"local_steps": 0},
        {"clip_threshold": 0},
        {"auxiliary_noise": "same"},
        {"rounds": 1.5},
    ],
)
def test_settings_outside_their_domain_are_refused(wrong):
    with pytest.raises(BadValue):
        settings_with(**wrong)


def test_rounding_is_no_movement() -> None:
    """Models one unit in the last place from the average that they received: nothing can be estimated."""
    problem = small(clients=3, dimension=2, heterogeneity=0.0)
    received = np.array([[0.7, -1.3]])
    models = np.broadcast_to(np.nextafter(received, 2.0), (3, 1, 2))
    found = estimates(problem, models, received, received)
    assert not found.known.any()
    assert (found.smoothness, found.lipschitz) == (0.0, 0.0)
    apart = estimates(problem, models + 1e-9, received, received)
    assert apart.known.all()
    assert apart.smoothness > 0


def test_where_nothing_is_estimated_the_number_of_local_steps_stays() -> None:
    objective = Objective(
        step=0.4, noise=0.2, batch_size=7, control=3, smallest_gap=0.6, rounds=15, steps=120, limit=50
    )
    names = ("lipschitz", "smoothness", "divergence")
    seen = dict(zip(names, np.array([[0.3], [4.0], [1e-4]]), strict=True))
    for known in (True, False):
        chosen = best_local_steps(objective, Estimates(**seen, known=np.array([known])), np.array([4.0]))
        assert bool(chosen == 4) is not known
