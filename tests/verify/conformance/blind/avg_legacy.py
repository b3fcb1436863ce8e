"""FedAvg, new weights averaged, legacy np.random.RandomState and permutation."""

import numpy as np


def fedavg(clients, start, settings, seed):
    rng = np.random.RandomState(seed % (2**31))
    w = start.copy()
    history = [w]
    for _ in range(settings.rounds):
        picked = rng.permutation(len(clients))[: settings.clients_per_round]
        locals_ = []
        for i in picked:
            wi = w.copy()
            for _ in range(settings.local_steps):
                wi = wi - settings.local_step * clients[i].gradient(wi)
            locals_.append(wi)
        w = np.mean(locals_, axis=0)
        history.append(w)
    return history
