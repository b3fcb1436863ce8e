"""DP-NormFedAvg as matrix products; noise by multivariate_normal with its covariance."""

import numpy as np


class NormFedAvg:
    def __init__(self, clients, settings, seed):
        self.clients, self.s, self.n = clients, settings, len(clients)
        self.rng = np.random.Generator(np.random.SFC64(seed))

    def updates(self, W):
        V = np.broadcast_to(W, (self.n, W.size)).copy()
        for _ in range(self.s.local_steps):
            V -= self.s.local_step * self.clients.gradients(V)
        return (W - V) / self.s.local_step

    def __call__(self, W):
        s, d = self.s, W.size
        U = self.updates(W)
        norms = np.linalg.norm(U, axis=1)
        D = np.diag(np.divide(s.update_length, norms, out=np.zeros(self.n), where=norms > 0))
        cov = s.clients_per_round * s.noise_scale**2 * np.eye(d)
        Z = self.rng.multivariate_normal(
            np.zeros(d), cov, size=self.n, method="cholesky" if s.noise_scale else "svd"
        )
        on = self.rng.binomial(1, s.clients_per_round / self.n, self.n)
        return W - s.server_step / s.clients_per_round * (on @ (D @ U + Z))


def run(clients, start, settings, seed):
    method = NormFedAvg(clients, settings, seed)
    path = np.empty((settings.rounds + 1, start.size))
    path[0] = start
    for k in range(settings.rounds):
        path[k + 1] = method(path[k])
    return path
