"""Fed-alpha-NormEC on a table of records, one row for each client, whose columns are overwritten in place."""

import numpy as np


def table(clients, memory):
    n, d = memory.shape
    rows = np.zeros(n, dtype=[("memory", "f8", (d,)), ("sent", "f8", (d,)), ("here", "?")])
    rows["memory"] = memory
    return rows


def trained(clients, x, s):
    points = np.repeat(x[None], len(clients), axis=0)
    pace = s.local_step / s.local_steps
    for _ in range(s.local_steps):
        points -= pace * clients.gradients(points)
    return points


def turn(rows, x, clients, s, rngs, order):
    update = (x - trained(clients, x, s)) / s.local_step
    for i in order:
        row = rows[i]
        error = update[i] - row["memory"]
        error = error / (s.smoothing + np.sqrt(error @ error))
        row["memory"] += s.memory_step * error
        row["here"] = rngs[i].binomial(1, s.probability)
        private = rngs[i].normal(0.0, s.noise_scale, x.size) / np.sqrt(x.size)
        row["sent"] = (error + private) / s.probability


def run(clients, start, settings, seed):
    rngs = [np.random.default_rng([i, seed]) for i in range(len(clients))]
    shuffler = np.random.default_rng(seed)
    rows = table(clients, np.array(settings.initial_memory, dtype=float))
    v, x = rows["memory"].mean(axis=0), start
    path = [x]
    for _ in range(settings.rounds):
        turn(rows, x, clients, settings, rngs, shuffler.permutation(len(clients)))
        v = v + settings.memory_step / len(clients) * rows["sent"][rows["here"]].sum(axis=0)
        length = np.linalg.norm(v)
        x = x - settings.server_step * v / length if length else x
        path.append(x)
    return path
