"""Error feedback with smoothed normalisation, client after client; a state is (x, memories, server)."""

import math

import numpy as np
from reference.steps import descent, lengths, pass_over_components, smoothed, starting_rows

from synthetic.engine.randomness import Place


def first_state(problem, settings, numbers):
    n, d = problem.clients, problem.dimension
    x = starting_rows(settings.start, numbers.replicates, d)
    given = np.zeros((n, d)) if settings.initial_memory is None else np.asarray(settings.initial_memory)
    memories = [np.broadcast_to(row, x.shape).copy() for row in given]
    return x, memories, sum(memories) / n


def local_pass(problem, settings, i, x):
    if settings.local_operator == "incremental":
        return pass_over_components(problem, i, x, settings.local_step)
    return descent(problem, i, x, settings.local_step / settings.local_steps, settings.local_steps)


def one_round(problem, settings, numbers, k, state):
    """Lines 3 to 15 of the listing, and what was seen on the way."""
    x, memories, server = state
    n, d = problem.clients, problem.dimension
    inclusion = settings.participation.inclusion(n)
    scale = settings.noise_scale if settings.private else 0.0
    scale = scale / (math.sqrt(d) if settings.noise_variance == "total" else 1.0)
    taking, total, moved = settings.participation.draw(numbers, k, n), np.zeros_like(x), []
    seen = {"client_memory_error": [], "client_drift": []}
    for i in range(n):
        iterates = local_pass(problem, settings, i, x)
        error = (x - iterates[-1]) / settings.local_step - memories[i]
        correction = smoothed(error, settings.smoothing)
        moved.append(memories[i] + settings.memory_step * correction)
        sent = correction
        if settings.noise_placement == "clients":
            sent = sent + scale * numbers.normals(Place(purpose="client noise", round=k, client=i), d)
        total = total + np.where(taking[:, i, None], sent / inclusion, 0.0)
        seen["client_memory_error"].append(lengths(error)[:, 0])
        seen["client_drift"].append(np.mean([lengths(p - x)[:, 0] for p in iterates[:-1]], axis=0))
    if settings.noise_placement == "server":
        noise = numbers.normals(Place(purpose="server noise", round=k), d)
        total = total + scale * math.sqrt(n / inclusion) * noise
    server = server + settings.memory_step / n * total
    size = lengths(server)
    direction = np.where(size == 0, 0.0, server / np.where(size == 0, 1.0, size))
    step = settings.server_step * (direction if settings.normalise_server else server)
    return (x - step, moved, server), {name: np.stack(rows, axis=1) for name, rows in seen.items()}
