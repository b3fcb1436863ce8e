"""Private federated averaging with smoothed normalisation, one client after the other."""

import math

import numpy as np
from reference.steps import at, descent, pass_over_components, smoothed, starting_rows

from synthetic.engine.randomness import Place


def smoothed_dp_fedavg(problem, settings, numbers):
    n, d = problem.clients, problem.dimension
    x, seen = starting_rows(settings.start, numbers.replicates, d), {"state": []}
    expected = settings.participation.inclusion(n) * n
    scale = settings.noise_scale / (math.sqrt(d) if settings.noise_variance == "total" else 1.0)
    for k in range(settings.rounds):
        taking, total = settings.participation.draw(numbers, k, n), np.zeros_like(x)
        for i in range(n):
            if settings.local_operator == "incremental":
                last = pass_over_components(problem, i, x, settings.local_step)[-1]
            else:
                step = settings.local_step / settings.local_steps
                last = descent(problem, i, x, step, settings.local_steps)[-1]
            sent = smoothed(x - last, settings.smoothing)
            if settings.noise_placement == "clients":
                sent = sent + scale * numbers.normals(Place(purpose="client noise", round=k, client=i), d)
            total = total + np.where(taking[:, i, None], sent, 0.0)
        if settings.noise_placement == "server":
            noise = numbers.normals(Place(purpose="server noise", round=k), d)
            total = total + scale * math.sqrt(expected) * noise
        seen["state"].append(x)
        x = x - at(settings.server_step, k) * total / expected
    return x, seen
