"""Fed-alpha-NormEC with parameters as a dict of layers, memories as a dict of dicts."""

import numpy as np

CUT = {"conv": slice(0, 2), "fc": slice(2, None)}


def split(x):
    return {name: np.array(x[cut]) for name, cut in CUT.items()}


def join(p):
    return np.concatenate([p[name] for name in CUT])


def norm(p):
    return sum(float((leaf**2).sum()) for leaf in p.values()) ** 0.5


def trained(p, client, s):
    p = {k: v.copy() for k, v in p.items()}
    for _ in range(s.local_steps):
        g = split(client.gradient(join(p)))
        for k in p:
            p[k] -= s.local_step / s.local_steps * g[k]
    return p


def correction(p, client, memory, s):
    new = trained(p, client, s)
    e = {k: (p[k] - new[k]) / s.local_step - memory[k] for k in p}
    size = s.smoothing + norm(e)
    return {k: v / size for k, v in e.items()}


def run(clients, start, settings, seed):
    s, rng, M = settings, np.random.default_rng(seed), len(clients)
    memories = {i: split(np.asarray(s.initial_memory[i])) for i in range(M)}
    server = split(sum(join(m) for m in memories.values()) / M)
    model, states = split(start), [start]
    for _ in range(s.rounds):
        received = []
        for i in rng.permutation(M):
            delta = correction(model, clients[int(i)], memories[i], s)
            for k in delta:
                memories[i][k] += s.memory_step * delta[k]
            if rng.random() < s.probability:
                std = s.noise_scale / len(start) ** 0.5
                received.append(
                    {k: (v + rng.normal(0, std, v.shape)) / s.probability for k, v in delta.items()}
                )
        for message in received:
            for k in server:
                server[k] += s.memory_step / M * message[k]
        size = norm(server)
        if size > 0:
            for k in model:
                model[k] = model[k] - s.server_step * server[k] / size
        states.append(join(model))
    return states
