"""FedAvg with Python's own random numbers and lists of floats."""

# ruff: noqa: B905  as a stranger writes it

import random as py_random

import numpy as np


def run(clients, start, settings, seed):
    rng = py_random.Random(seed)
    server = [float(v) for v in start]
    log = [list(server)]
    ids = list(range(len(clients)))
    for _ in range(settings.rounds):
        picked = rng.sample(ids, settings.clients_per_round)
        incoming = []
        for i in picked:
            local = list(server)
            for _ in range(settings.local_steps):
                g = clients[i].gradient(np.array(local))
                local = [a - settings.local_step * b for a, b in zip(local, g)]
            incoming.append(local)
        server = [sum(column) / len(picked) for column in zip(*incoming)]
        log.append(list(server))
    return np.array(log)
