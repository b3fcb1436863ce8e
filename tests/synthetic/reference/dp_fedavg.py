"""Private federated averaging with clipping, one client after the other."""

import math

import numpy as np
from reference.steps import at, clip, descent, lengths, starting_rows

from synthetic.engine.randomness import Place
from synthetic.participation import Independent


def dp_fedavg(problem, settings, numbers):
    return averaging(problem, settings, numbers, lambda update: clip(update, settings.clip_threshold))


def averaging(problem, settings, numbers, bound):
    n, d, r, sigma = problem.clients, problem.dimension, settings.clients_per_round, settings.noise_scale
    w, seen = starting_rows(settings.start, numbers.replicates, d), {"client_update_norm": [], "state": []}
    rule = settings.participation or Independent(probability=r / n)
    for k in range(settings.rounds):
        step = at(settings.local_step, k)
        server_step = step if settings.server_step is None else at(settings.server_step, k)
        taking, total, norms = rule.draw(numbers, k, n), np.zeros_like(w), []
        for i in range(n):
            update = (w - descent(problem, i, w, step, settings.local_steps)[-1]) / step
            norms.append(lengths(update)[:, 0])
            sent = bound(update)
            if settings.noise_placement == "clients":
                noise = numbers.normals(Place(purpose="client noise", round=k, client=i), d)
                sent = sent + math.sqrt(r) * sigma * noise
            total = total + np.where(taking[:, i, None], sent, 0.0)
        average = total / r
        if settings.noise_placement == "server":
            average = average + sigma * numbers.normals(Place(purpose="server noise", round=k), d)
        seen["client_update_norm"].append(np.stack(norms, axis=1))
        seen["state"].append(w)
        w = w - server_step * average
    return w, seen
