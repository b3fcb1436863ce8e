"""DP-SGD: Poisson samples of data points, clipped gradients, Gaussian noise, and the average of a tail."""

import numpy as np

from fedbounds import REQUIRED, Algorithm


def begin(x, clients, settings):
    return {"x": x, "average": x, "round": 0.0}


def private_step(state, clients, settings, random):
    x, k, moved = state["x"], state["round"], 0 * state["x"]
    averaged = max(k - settings.burn_in, 0.0)  # how many iterates are in the average before this one
    average = (averaged * state["average"] + x) / (averaged + 1)
    for client in clients:
        gradients = client.gradients_of_data(x)  # (replicates, data points, dimension)
        rate = min(1.0, settings.batch / client.data_points)
        norms = np.linalg.norm(gradients, axis=2)
        clipped = np.minimum(1.0, settings.clip_threshold / np.maximum(norms, 1e-300))
        weights = clipped * (random.random(norms.shape) < rate) / (rate * client.data_points)
        noise = settings.noise_multiplier * settings.clip_threshold * random.standard_normal(x.shape)
        moved += (weights[:, :, None] * gradients).sum(axis=1) + noise / settings.batch
    return {"x": x - settings.step * moved / len(clients), "average": average, "round": k + 1}


def slope_of_average(state, clients, settings):
    return (clients.gradient(state["average"]) ** 2).sum(axis=1)


NAMES = ("step", "burn_in", "batch", "clip_threshold", "noise_multiplier")
ALGORITHM = Algorithm(
    round=private_step,
    begin=begin,
    iterate=lambda state: state["average"],
    settings=dict.fromkeys(NAMES, REQUIRED),
    observables={"slope_of_average": slope_of_average},
    batched=True,
)
