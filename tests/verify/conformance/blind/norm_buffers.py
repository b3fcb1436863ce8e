"""DP-NormFedAvg in place: a few buffers are made once and reused in every step, client and round."""

import numpy as np


class Workspace:
    def __init__(self, d):
        self.model, self.update, self.noise, self.total = (np.empty(d) for _ in range(4))


def client_pass(buf, x, client, s):
    np.copyto(buf.model, x)
    for _ in range(s.local_steps):
        np.multiply(client.gradient(buf.model), s.local_step, out=buf.update)
        np.subtract(buf.model, buf.update, out=buf.model)
    np.subtract(x, buf.model, out=buf.update)
    buf.update /= s.local_step
    size = float(np.dot(buf.update, buf.update)) ** 0.5
    if size > 0.0:
        buf.update *= s.update_length / size


def simulate(clients, start, s, seed):
    rng = np.random.Generator(np.random.MT19937(seed))
    n, r = len(clients), s.clients_per_round
    out = np.empty((s.rounds + 1, start.size))
    out[0] = start
    buf = Workspace(start.size)
    for k in range(s.rounds):
        buf.total.fill(0.0)
        who = np.flatnonzero(rng.random(n) < r / n)
        for i in who:
            client_pass(buf, out[k], clients[int(i)], s)
            rng.standard_normal(out=buf.noise)
            buf.noise *= s.noise_scale * np.sqrt(r)
            buf.total += buf.update
            buf.total += buf.noise
        buf.total *= s.server_step / r
        np.subtract(out[k], buf.total, out=out[k + 1])
    return out
