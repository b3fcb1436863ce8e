"""Federated averaging, one client after the other."""

import numpy as np
from reference.steps import at, lengths, starting_rows

from synthetic.engine.randomness import Place


def fedavg(problem, settings, numbers):
    n, d = problem.clients, problem.dimension
    w, seen = starting_rows(settings.start, numbers.replicates, d), {"client_update_norm": [], "state": []}
    for k in range(settings.rounds):
        taking = settings.participation.draw(numbers, k, n)
        total, norms = np.zeros_like(w), []
        for i in range(n):
            local = w
            for h in range(settings.local_steps):
                gradient = problem.client_gradient(i, local)
                if settings.oracle is not None:
                    place = Place(purpose="gradient noise", round=k, client=i, local_step=h)
                    gradient = gradient + settings.oracle.noise(numbers, place, d)
                local = local - at(settings.local_step, k) * gradient
            norms.append(lengths(w - local)[:, 0])
            total = total + np.where(taking[:, i, None], w - local, 0.0)
        seen["client_update_norm"].append(np.stack(norms, axis=1))
        seen["state"].append(w)
        expected = settings.participation.inclusion(n) * n
        w = w - at(settings.server_step, k) * total / expected
    return w, seen
