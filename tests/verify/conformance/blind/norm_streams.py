"""DP-NormFedAvg, a whole run, one random stream per client and round."""

# ruff: noqa: B007  a planted slip uses the round

import numpy as np


def client_message(w, client, settings, stream):
    y = w.copy()
    for _ in range(settings.local_steps):
        y -= settings.local_step * client.gradient(y)
    u = (w - y) / settings.local_step
    length = float(np.sqrt(np.sum(u * u)))
    direction = u / length if length > 0 else u
    noise = stream.standard_normal(w.size) * settings.noise_scale * settings.clients_per_round**0.5
    return settings.update_length * direction + noise


def simulate(clients, start, settings, seed):
    root = np.random.SeedSequence(seed)
    w = np.array(start, dtype=np.float64)
    history = [w.copy()]
    for t in range(settings.rounds):
        sampling, *streams = [np.random.Generator(np.random.Philox(s)) for s in root.spawn(len(clients) + 1)]
        q = settings.clients_per_round / len(clients)
        come = np.flatnonzero(sampling.binomial(1, q, size=len(clients)))
        messages = [client_message(w, clients[int(i)], settings, streams[i]) for i in come]
        a = sum(messages, np.zeros_like(w)) / settings.clients_per_round
        w = w - settings.server_step * a
        history.append(w.copy())
    return history
