"""Measures that follow from the states of a run are those that our listings take."""

from typing import Any

import numpy as np
import pytest
from usual_settings import private

from synthetic.algorithms import dpfl
from synthetic.companion import companions
from synthetic.problems import build
from synthetic.run import run
from verify.matching.measurements.measures import DERIVED, OF_STATES, Seen, requests


def seen_of(trace: Any, problem: Any, **settings: Any) -> Seen:
    return Seen(trace=trace, problem=problem, listed=settings, seed=1, stream="s")


@pytest.mark.parametrize("name", ["client_update_norm", "client_gap"])
def test_a_measure_of_states_is_what_our_listing_measures(name: str) -> None:
    problem = build("quadratic.small", clients=3, dimension=2)
    settings = private(start=[2.0, 1.0], rounds=4, local_steps=3, clients_per_round=2.0, noise_scale=0.1)
    trace = run("dp_fedavg", problem, settings, replicates=8, seed=1, stream="s", observe=[name, "state"])
    made = OF_STATES[name](seen_of(trace, problem, local_step=0.1, local_steps=3))
    np.testing.assert_allclose(made, trace.measurements[name], rtol=1e-9, atol=1e-12)
    other = OF_STATES[name](seen_of(trace, problem, local_step=0.1, local_steps=4))
    assert np.allclose(other, made) == (name == "client_gap")


def test_clients_are_split_at_the_threshold() -> None:
    problem = build("quadratic.diagonal", curvatures=[[1.0], [1.0]], centers=[[0.0], [2.0]])
    norms, gaps = np.array([[[0.5, 3.0]]]), np.array([[[7.0, 9.0]]])
    seen = seen_of(None, problem, clip_threshold=1.0)
    found = {
        name: DERIVED[name][1](seen, *({"client_update_norm": norms, "client_gap": gaps}[n] for n in parts))
        for name, (parts, _) in DERIVED.items()
        if "client_slope" not in parts
    }
    # f_i(w*) - min f_i = 1/2 for both; the short update is stretched by 2
    wanted = {
        "unclipped_share": [1, 0],
        "unclipped_client_gap": [7, 0],
        "clipped_update_norm": [0, 3],
        "unclipped_client_heterogeneity": [0.5, 0],
        "unclipped_scaled_client_gap": [14, 0],
        "unclipped_scaled_client_heterogeneity": [1, 0],
    }
    assert found.keys() == wanted.keys()
    for name, values in wanted.items():
        np.testing.assert_allclose(found[name], [[values]], rtol=1e-12)


def test_the_companion_alone_is_the_companion_of_our_listing() -> None:
    """To the bit without noise; with it in its mean squared distance from the noiseless one."""
    problem = build("huber.small", clients=3, dimension=2, heterogeneity=0.5)
    common: dict[str, Any] = {"local_steps": 4, "step": 0.3, "clip_threshold": 1.0, "batch_size": 1}
    quiet = dpfl.Settings(
        start=[2.0, 1.0], rounds=1, noise_multiplier=0.0, auxiliary_noise="independent", **common
    )
    names = ["distance_to_auxiliary", "state"]
    trace = run("dpfl", problem, quiet, replicates=4, seed=1, stream="s", observe=names)
    seen = seen_of(trace, problem, noise_multiplier=0.0, **common)
    made = OF_STATES["distance_to_auxiliary"](seen)[:, 0]
    np.testing.assert_allclose(made, trace.measurements["distance_to_auxiliary"][:, 0, -1], atol=1e-12)
    starts = np.zeros((4096, 2))
    one: dict[str, Any] = {"steps": 1, "step": 0.3, "clip_threshold": 2.0, "seed": 1, "stream": "s"}
    still = companions(problem, starts, noise_multiplier=0.0, **one)
    moved = companions(problem, starts, noise_multiplier=0.5, **one)
    # 2 coordinates of variance (0.3 * 0.5 * 2)^2
    assert ((moved - still) ** 2).sum(axis=1).mean() == pytest.approx(2 * 0.3**2, rel=0.1)


def test_what_follows_from_no_state_is_not_had() -> None:
    assert requests("dpfl", "client_distance_to_auxiliary") == ("client_distance_to_auxiliary",)
    assert requests("dp_fedavg", "client_distance_to_auxiliary") is None
    assert requests("fedavg", "unclipped_client_gap") == ("client_update_norm", "client_gap")
