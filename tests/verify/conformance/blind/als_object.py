"""ALS-DPFL as an object that remembers budgets and models."""

# ruff: noqa: B905  as a stranger writes it

import numpy as np


class Trainer:
    def __init__(self, clients, start, settings, seed):
        self.clients, self.s = list(clients), settings
        self.rng = np.random.default_rng(seed)
        self.w = np.array(start)
        self.last = [self.w.copy() for _ in self.clients]
        self.tau, self.sent, self.leaked = 1, 0.0, 0.0
        n = np.array([c.data_points for c in self.clients], float)
        self.share = n / n.sum()

    def noisy(self, y, client):
        s = self.s
        rows = client.gradients_of_data(y)
        keep = self.rng.random(len(rows)) < s.batch_size / len(rows)
        norms = np.linalg.norm(rows, axis=1)
        rows = rows / np.maximum(1.0, norms / s.clip_threshold)[:, None]
        z = self.rng.standard_normal(y.size) * s.noise_multiplier * s.clip_threshold
        return (rows[keep].sum(axis=0) + z) / s.batch_size

    def constants(self):
        out = []
        for client, v in zip(self.clients, self.last):
            gap = np.linalg.norm(v - self.w)
            if gap <= 1e-13 * (1 + np.linalg.norm(self.w)):
                out.append((0.0, 0.0))
                continue
            rho = abs(client.value(v) - client.value(self.w)) / gap
            beta = np.linalg.norm(client.gradient(v) - client.gradient(self.w)) / gap
            out.append((rho, beta))
        return np.array(out)

    def spread(self):
        g = np.stack([c.gradient(self.w) for c in self.clients])
        return np.mean(np.linalg.norm(g - g.mean(0), axis=1))

    def score(self, tau, rho, beta, xi):
        s = self.s
        noise = 2 * np.sqrt(self.w.size) * s.noise_multiplier * s.clip_threshold
        power = np.expm1(tau * np.log1p(s.step * beta)) / beta if beta > 0 else s.step * tau
        h = (xi + noise / s.batch_size) * power + s.step * (xi + noise) / s.batch_size * tau
        total = min(s.communication_budget / s.communication_cost * tau, s.privacy_budget / s.privacy_cost)
        inner = s.step * s.control - rho * h / (tau * s.smallest_gap**2)
        return 1 / (total * inner) + 1 / np.sqrt(3) if inner > 0 else np.inf

    def choose(self, rho, beta, xi):
        best, best_score = 1, self.score(1, rho, beta, xi)
        for tau in range(2, min(2 * self.tau, self.s.search_limit) + 1):
            score = self.score(tau, rho, beta, xi)
            if score < best_score:
                best, best_score = tau, score
        return best

    def step(self):
        s = self.s
        if self.sent >= s.communication_budget or self.leaked >= s.privacy_budget:
            return
        pairs = self.constants()
        for i, client in enumerate(self.clients):
            y = self.w.copy()
            for _ in range(self.tau):
                y = y - s.step * self.noisy(y, client)
            self.last[i] = y
        self.leaked += self.tau * s.privacy_cost
        self.w = self.share @ np.array(self.last)
        if pairs.any():
            rho, beta = pairs.mean(axis=0)
            self.tau = self.choose(rho, beta, self.spread())
        self.sent += s.communication_cost


def run(clients, start, settings, seed):
    trainer = Trainer(clients, start, settings, seed)
    out = [trainer.w.copy()]
    for _ in range(settings.rounds):
        trainer.step()
        out.append(trainer.w.copy())
    return out
