"""DP-NormFedAvg: a queue of tasks, workers that take the next one, a server that empties the outbox."""

from collections import deque
from types import SimpleNamespace

import numpy as np


def worker(task, s):
    w = task.model.copy()
    total = np.zeros_like(w)
    for _ in range(s.local_steps):
        gradient = task.client.gradient(w)
        total += gradient
        w -= s.local_step * gradient
    length = np.linalg.norm(total)
    g = s.update_length * total / length if length > 0 else total
    return g + task.noise


def fed(x, clients, settings, random):
    s, r, n = settings, settings.clients_per_round, len(clients)
    inbox, outbox = deque(), deque()
    for client in clients:
        if random.random() < r / n:
            z = random.standard_normal(x.size) * s.noise_scale * np.sqrt(r)
            inbox.append(SimpleNamespace(client=client, model=x.copy(), noise=z))
    while inbox:
        outbox.append(worker(inbox.popleft(), s))
    a = np.zeros_like(x)
    while outbox:
        a += outbox.pop()
    return x - s.server_step * a / r
