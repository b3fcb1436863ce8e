"""Code that moves clients or coordinates in turn, which only curved or coupled functions show."""

import numpy as np
import pytest
import torch
from planted_replays import Z
from slips_planted import PLANTED, function

from verify import conform
from verify.conformance.instance import instance, of_data, turned

SEEDS = (3, 1000, 20240601)


def shuffled_clients(x, clients, settings, random):
    for i in random.permutation(len(clients)):
        x = x - settings.step / len(clients) * clients[i].gradient(x)
    return x


def last_coordinate_first(x, clients, settings, random):
    for j in reversed(range(len(x))):
        x[j] -= settings.step * clients.gradient(x)[j]
    return x


def two_blocks(x, clients, settings, random):
    for block in (slice(0, 2), slice(2, None)):
        x[block] -= settings.step * clients.gradient(x)[block]
    return x


def every_other_coordinate_first(x, clients, settings, random):
    for block in (slice(0, None, 2), slice(1, None, 2)):
        x[block] -= settings.step * clients.gradient(x)[block]
    return x


@pytest.mark.parametrize(
    ("code", "slip"),
    [
        (shuffled_clients, "client_by_client"),
        (last_coordinate_first, "coordinate_by_coordinate"),
        (two_blocks, "layer_by_layer"),
        (every_other_coordinate_first, None),
    ],
)
def test_other_orders_are_noticed_and_named_if_they_are_known(code, slip):
    (found,) = conform(code, like="gradient_descent").differing
    assert (found.line.locator, found.observation.slip) == ("T.gd", slip)


def clients_one_by_one(x, clients, settings, random):
    """The mean is summed client by client, at one point; the step is made in place."""
    total = np.zeros_like(x)
    for client in clients:
        total += client.gradient(x)
    x -= settings.step * total / len(clients)
    return x


def coordinates_one_by_one(x, clients, settings, random):
    gradient = clients.gradient(x)
    for j in range(len(x)):
        x[j] -= settings.step * gradient[j]
    return x


def all_models_at_once(x, clients, settings, random):
    return (x - settings.step * clients.gradients(np.tile(x, (len(clients), 1)))).mean(axis=0)


def step_in_torch(x, clients, settings, random):
    return x.sub(torch.stack([client.gradient(x) for client in clients]).mean(dim=0), alpha=settings.step)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("code", "library"),
    [
        (clients_one_by_one, "numpy"),
        (coordinates_one_by_one, "numpy"),
        (all_models_at_once, "numpy"),
        (step_in_torch, "torch"),
    ],
)
def test_right_code_of_several_styles_agrees(code, library, seed):
    found = conform(code, like="gradient_descent", library=library, seed=seed)
    assert found.agrees, found.differing


def averaging(w, clients, settings, random):
    """All models at once, of the clients in the order of the draw."""
    drawn = random.permutation(len(clients))[: settings.clients_per_round]
    models = np.tile(w, (len(clients), 1))
    for _ in range(settings.local_steps):
        models = models - settings.local_step * clients.gradients(models)
    return models[drawn].mean(axis=0)


def averaging_in_torch(w, clients, settings, random):
    drawn = torch.randperm(len(clients), generator=random)[: settings.clients_per_round]
    models = []
    for i in drawn.tolist():
        model = w.clone()
        for _ in range(settings.local_steps):
            model -= settings.local_step * clients[i].gradient(model)
        models.append(model)
    return torch.stack(models).mean(dim=0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("code", "library"), [(averaging, "numpy"), (averaging_in_torch, "torch")])
def test_right_local_steps_of_several_styles_agree(code, library, seed):
    found = conform(code, like="fedavg", library=library, seed=seed)
    assert found.agrees, found.differing


@pytest.mark.thinned(4)  # each algorithm under one of the seeds
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("algorithm", ["dpfl", "fed_alpha_norm_ec"])
def test_the_literal_listing_agrees_under_other_seeds(algorithm, seed, tmp_path):
    found = conform(function(tmp_path, algorithm), like=algorithm, seed=seed)
    assert found.agrees, found.differing


def test_noise_of_single_precision_is_no_slip(tmp_path):
    code = function(tmp_path, "fed_alpha_norm_ec", (Z,), (Z + ".astype(np.float32)",))
    assert conform(code, like="fed_alpha_norm_ec").agrees


def test_the_rate_of_the_client_with_other_data_is_the_one_that_is_reported(tmp_path):
    (slip,) = [slip for slip in PLANTED if slip.name == "rate_by_largest"]
    (found,) = conform(function(tmp_path, "dpfl", slip.old, slip.new), like="dpfl").differing
    assert (found.line.locator, found.observation.slip) == ("C.alg1.6", "batch_rate")
    assert found.observation.expected == "each with probability 0.4, independently"


def test_values_and_gradients_with_turned_axes_are_those_of_the_hessian():
    random = np.random.default_rng(5)
    slopes, curvatures = random.standard_normal((2, 3)), random.uniform(0.2, 1.0, size=(2, 3))
    shown = turned(instance(slopes, curvatures))
    hessians = np.array([shown.turn.T @ np.diag(row) @ shown.turn for row in curvatures])
    assert np.abs(hessians).min() > 1e-3  # no entry is 0, so every coordinate sees every other
    point = random.standard_normal(3)
    away = point - shown.center
    values, gradients = slopes @ away + away @ hessians @ away / 2, slopes + hessians @ away
    assert np.allclose(shown.client_values(point[None])[:, 0], values, rtol=1e-12)
    assert np.allclose(shown.client_gradients(point[None])[:, 0], gradients, rtol=1e-12)
    tensor = torch.as_tensor(point)[None]
    assert np.allclose(shown.client_gradient(1, tensor)[0].numpy(), gradients[1], rtol=1e-12)
    rows = turned(of_data(tuple(random.standard_normal((4, 3)) for _ in range(2)), curvatures))
    each = rows.data[1] + hessians[1] @ (point - rows.center)
    assert np.allclose(rows.data_point_gradients(1, point[None])[0], each, rtol=1e-12)
