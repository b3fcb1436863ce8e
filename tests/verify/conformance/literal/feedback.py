"""Federated smoothed normalization with error feedback, line by line."""

import numpy as np


def smoothed(u, alpha):
    return u / (alpha + np.linalg.norm(u))


def local_operator(x, client, settings):
    model = x
    for _ in range(settings.local_steps):
        model = model - settings.local_step / settings.local_steps * client.gradient(model)
    return model


def sampled(clients, settings, random):
    return [i for i in range(len(clients)) if random.random() < settings.probability]


def begin(x0, clients, settings):
    memories = np.array(settings.initial_memory)
    return {"x": x0, "memories": memories, "server": memories.mean(axis=0)}


def feedback_round(state, clients, settings, random):
    x, memories, server = state["x"], state["memories"].copy(), state["server"]
    beta, count = settings.memory_step, len(clients)
    taking = sampled(clients, settings, random)
    corrections = []
    for i in range(count):
        model = local_operator(x, clients[i], settings)
        update = (x - model) / settings.local_step
        delta = smoothed(update - memories[i], settings.smoothing)
        memories[i] = memories[i] + beta * delta
        corrections.append(delta)
    total = np.zeros_like(x)
    for i in taking:
        z = settings.noise_scale / np.sqrt(len(x)) * random.standard_normal(len(x))
        total = total + (corrections[i] + z) / settings.probability
    server = server + beta / count * total
    length = np.linalg.norm(server)
    x = x - settings.server_step * server / length if length > 0 else x
    return {"x": x, "memories": memories, "server": server}
