"""Noisy clipped local steps and the centralised companion, one client after the other."""

import numpy as np
from reference.steps import clip, lengths, starting_rows

from synthetic.engine.randomness import Place


def dpfl(problem, settings, numbers):
    average = starting_rows(settings.start, numbers.replicates, problem.dimension)
    seen = {"state": [average], "distance_to_auxiliary": []}
    for k in range(settings.rounds):
        models, companion = interval(problem, settings, numbers, k, average, settings.local_steps)
        average = sum(models) / problem.clients
        seen["distance_to_auxiliary"].append(lengths(average - companion)[:, 0])
        seen["state"].append(average)
    return average, seen


def interval(problem, settings, numbers, k, average, steps):
    """The local models and the companion after this many steps, rows (R, d)."""
    n, d = problem.clients, problem.dimension
    scale = 0.0
    if settings.noise_multiplier > 0:
        scale = settings.noise_multiplier * settings.clip_threshold
    models, companion = [average] * n, average
    for j in range(steps):
        noises = []
        for i in range(n):
            place = Place(purpose="client noise", round=k, client=i, local_step=j)
            noises.append(scale / settings.batch_size * numbers.normals(place, d))
            gradient = clip(problem.client_gradient(i, models[i]), settings.clip_threshold)
            models = [*models[:i], models[i] - settings.step * (gradient + noises[i]), *models[i + 1 :]]
        own = scale * numbers.normals(Place(purpose="auxiliary noise", round=k, local_step=j), d)
        if settings.auxiliary_noise == "independent_divided":
            own = own / settings.batch_size
        if settings.auxiliary_noise == "average_of_clients":
            own = sum(noises) / n
        slope = sum(problem.client_gradient(i, companion) for i in range(n)) / n
        companion = companion - settings.step * (clip(slope, settings.clip_threshold) + own)
    return [np.asarray(model) for model in models], companion
