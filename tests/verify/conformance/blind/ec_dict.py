"""NormEC as an Algorithm with begin: dict state, batched numpy over clients, server-side view of memories."""

import numpy as np

from fedbounds import REQUIRED, Algorithm


def begin(x0, clients, settings):
    mem = np.broadcast_to(np.asarray(settings.initial_memory, float), (len(clients), len(x0))).copy()
    return {"x": x0, "h": mem, "hbar": mem.mean(0)}


def normec(state, clients, settings, random):
    x, h, hbar = state["x"], state["h"], state["hbar"]
    n, d = h.shape
    Y = np.repeat(x[None], n, axis=0)
    for _ in range(settings.local_steps):
        Y -= (settings.local_step / settings.local_steps) * clients.gradients(Y)
    pseudo = (x - Y) / settings.local_step
    E = pseudo - h
    D = E / (settings.smoothing + np.sqrt((E**2).sum(1, keepdims=True)))
    h += settings.memory_step * D
    active = random.binomial(1, settings.probability, n).astype(bool)
    noise = random.normal(0, settings.noise_scale / np.sqrt(d), (n, d))
    hbar = hbar + settings.memory_step / n * ((D + noise)[active] / settings.probability).sum(0)
    length = np.linalg.norm(hbar)
    x = x - settings.server_step * (hbar / length if length else hbar)
    return {"x": x, "h": h, "hbar": hbar}


NORMEC = Algorithm(
    round=normec,
    begin=begin,
    settings=dict.fromkeys(
        (
            "local_steps",
            "local_step",
            "memory_step",
            "server_step",
            "smoothing",
            "probability",
            "noise_scale",
            "initial_memory",
        ),
        REQUIRED,
    ),
)
