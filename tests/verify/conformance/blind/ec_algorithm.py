"""Fed-alpha-NormEC as a fedbounds Algorithm: a mapping of arrays that each round replaces."""

import numpy as np

from fedbounds import REQUIRED, Algorithm


def begin(x0, clients, settings):
    memory = np.array(settings.initial_memory, dtype=float)
    return {"x": x0, "v": memory, "server": memory.mean(axis=0)}


def normec(state, clients, settings, random):
    s, x, v, M = settings, state["x"], state["v"], len(clients)
    y = np.tile(x, (M, 1))
    for _ in range(s.local_steps):
        y = y - (s.local_step / s.local_steps) * clients.gradients(y)
    error = (x - y) / s.local_step - v
    delta = error / (s.smoothing + np.linalg.norm(error, axis=1, keepdims=True))
    v = v + s.memory_step * delta
    q = random.binomial(1, s.probability, size=(M, 1)) / s.probability
    noise = random.normal(scale=np.sqrt(s.noise_scale**2 / x.size), size=v.shape)
    server = state["server"] + s.memory_step * (q * (delta + noise)).mean(axis=0)
    length = np.linalg.norm(server)
    step = s.server_step * server / length if length > 0 else 0 * server
    return {"x": x - step, "v": v, "server": server}


METHOD = Algorithm(
    round=normec,
    begin=begin,
    settings={
        "local_steps": 1,
        "local_step": REQUIRED,
        "memory_step": REQUIRED,
        "server_step": REQUIRED,
        "smoothing": REQUIRED,
        "probability": 1.0,
        "noise_scale": 0.0,
        "initial_memory": REQUIRED,
    },
)
