"""ALS-DPFL from the docs page: a class."""

import math

import numpy as np


class ALS:
    def __init__(self, clients, x, s, seed):
        self.C, self.w, self.s = clients, x, s
        self.rng = np.random.default_rng(seed)
        self.tau, self.rounds_spent, self.steps_spent = 1, 0.0, 0.0
        self.last = [x for _ in range(len(clients))]
        self.N = np.array([clients[i].data_points for i in range(len(clients))], float)

    def noisy(self, i, y):
        s = self.s
        rows = self.C[i].gradients_of_data(y)
        rows = rows[self.rng.random(len(rows)) < s.batch_size / len(rows)]
        acc = np.zeros_like(y)
        for g in rows:
            acc += g / max(1, np.linalg.norm(g) / s.clip_threshold)
        return (acc + s.noise_multiplier * s.clip_threshold * self.rng.standard_normal(y.size)) / s.batch_size

    def estimates(self):
        rho, beta = [], []
        for i, m in enumerate(self.last):
            dist = np.linalg.norm(m - self.w)
            if dist < 1e-14:
                rho.append(0.0), beta.append(0.0)
                continue
            rho.append(abs(self.C[i].value(m) - self.C[i].value(self.w)) / dist)
            beta.append(np.linalg.norm(self.C[i].gradient(m) - self.C[i].gradient(self.w)) / dist)
        return np.array(rho), np.array(beta)

    def G(self, tau, rho, beta, xi):
        s = self.s
        S = 2 * s.noise_multiplier * s.clip_threshold * math.sqrt(self.w.size)
        T = min(s.communication_budget / s.communication_cost * tau, s.privacy_budget / s.privacy_cost)
        geo = math.expm1(tau * math.log1p(s.step * beta)) / beta if beta else s.step * tau
        h = (xi + S / s.batch_size) * geo + s.step * (xi + S) / s.batch_size * tau
        den = T * (s.step * s.control - rho * h / (tau * s.smallest_gap**2))
        return 1 / den + math.sqrt(3) / 3 if den > 0 else float("inf")

    def advance(self):
        s = self.s
        if self.rounds_spent >= s.communication_budget or self.steps_spent >= s.privacy_budget:
            return self.w
        rho, beta = self.estimates()
        new = []
        for i in range(len(self.C)):
            y = self.w
            for _ in range(self.tau):
                y = y - s.step * self.noisy(i, y)
            new.append(y)
        self.steps_spent += s.privacy_cost * self.tau
        self.last = new
        self.w = self.N @ np.array(new) / self.N.sum()
        if rho.any() or beta.any():
            G = [self.C[i].gradient(self.w) for i in range(len(self.C))]
            xi = float(np.mean([np.linalg.norm(g - np.mean(G, axis=0)) for g in G]))
            cand = list(range(1, min(2 * self.tau, s.search_limit) + 1))
            self.tau = min(cand, key=lambda t: self.G(t, rho.mean(), beta.mean(), xi))
        self.rounds_spent += s.communication_cost
        return self.w


def run(clients, start, settings, seed):
    algo = ALS(clients, start, settings, seed)
    return [start] + [algo.advance() for _ in range(settings.rounds)]
