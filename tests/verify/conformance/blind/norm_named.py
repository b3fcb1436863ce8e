"""DP-NormFedAvg, functional style with named parameters, legacy RandomState, a generator of states."""

import numpy as np


def named(v):
    h = max(1, len(v) // 2)
    return {"w": v[:h], "b": v[h:]}


def flat(p):
    return np.concatenate([p["w"], p["b"]])


def normalize(p, length):
    total = np.sqrt(sum((x**2).sum() for x in p.values()))
    if total == 0:
        return p
    return {k: length * x / total for k, x in p.items()}


def local(p, client, settings):
    q = {k: x.copy() for k, x in p.items()}
    for _ in range(settings.local_steps):
        g = named(client.gradient(flat(q)))
        for k in q:
            q[k] -= settings.local_step * g[k]
    return {k: (p[k] - q[k]) / settings.local_step for k in p}


def simulate(clients, start, settings, seed):
    rs = np.random.RandomState(seed % 2**32)
    params = named(np.array(start))
    yield flat(params)
    r = settings.clients_per_round
    for k in range(settings.rounds):
        chosen = [c for c in clients if rs.rand() < r / len(clients)]
        total = {k: np.zeros_like(x) for k, x in params.items()}
        for c in chosen:
            message = normalize(local(params, c, settings), settings.update_length)
            for key in total:
                total[key] += message[key] + rs.randn(*message[key].shape) * settings.noise_scale * r**0.5
        params = {key: params[key] - settings.server_step * total[key] / r for key in params}
        yield flat(params)
