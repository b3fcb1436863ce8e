"""DP-FedAvg with preallocated arrays and out= arguments, no allocation in the loop."""

import numpy as np


def run(clients, start, settings, seed):
    s, n, d = settings, len(clients), start.size
    bits = np.random.MT19937(seed)
    rng = np.random.Generator(bits)
    local, step, noise, total = (np.empty(d) for _ in range(4))
    path = np.empty((s.rounds + 1, d))
    path[0] = start
    for k in range(s.rounds):
        total[:] = 0
        come = np.flatnonzero(rng.random(n) < s.clients_per_round / n)
        for i in come:
            np.copyto(local, path[k])
            for _ in range(s.local_steps):
                np.multiply(clients[int(i)].gradient(local), s.local_step, out=step)
                np.subtract(local, step, out=local)
            np.subtract(path[k], local, out=step)
            np.divide(step, s.local_step, out=step)
            size = np.sqrt(np.dot(step, step))
            if size > s.clip_threshold:
                np.multiply(step, s.clip_threshold / size, out=step)
            rng.standard_normal(out=noise)
            np.multiply(noise, s.noise_scale * np.sqrt(s.clients_per_round), out=noise)
            np.add(step, noise, out=step)
            np.add(total, step, out=total)
        np.multiply(total, s.server_step / s.clients_per_round, out=total)
        np.subtract(path[k], total, out=path[k + 1])
    return path
