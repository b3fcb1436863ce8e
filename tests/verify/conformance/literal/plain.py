"""FedAvg, line by line."""

import numpy as np


def sampled(clients, settings, random):
    return random.permutation(len(clients))[: settings.clients_per_round]


def plain_round(w, clients, settings, random):
    r, total = settings.clients_per_round, np.zeros_like(w)
    taking = sampled(clients, settings, random)
    for i in taking:
        local = local_model(w, clients[i], settings)
        total = total + (w - local)
    return w - total / r
