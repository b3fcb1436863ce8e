"""ALS-DPFL as a mediator with a state machine; the objective is evaluated for all tau at once, on a grid."""

from enum import Enum, auto

import numpy as np


class Phase(Enum):
    RUNNING = auto()
    SPENT = auto()


def estimates(client, mine, theirs):
    gap = mine - theirs
    size = np.sqrt(gap @ gap)
    if size <= 1e-12 * max(1.0, np.abs(theirs).max()):
        return np.zeros(2)
    rho = abs(client.value(theirs) - client.value(mine))
    beta = np.sqrt(np.sum((client.gradient(theirs) - client.gradient(mine)) ** 2))
    return np.array([rho, beta]) / size


def objective(taus, rho, beta, xi, d, s):
    S = 2.0 * np.sqrt(d) * s.noise_multiplier * s.clip_threshold
    if beta > 0:
        powers = np.expm1(taus * np.log1p(s.step * beta)) / beta
    else:
        powers = taus * s.step
    h = (xi + S / s.batch_size) * powers + taus * s.step * (xi + S) / s.batch_size
    R_s = s.communication_budget / s.communication_cost
    R_c = s.privacy_budget / s.privacy_cost
    bracket = s.step * s.control - rho * h / taus / s.smallest_gap**2
    value = np.full(taus.shape, np.inf)
    good = bracket > 0
    value[good] = 1.0 / (np.minimum(R_s * taus, R_c)[good] * bracket[good])
    return value


class Device:
    def __init__(self, client, start, rng):
        self.client, self.model, self.rng = client, start, rng

    def work(self, w, tau, s):
        pair = estimates(self.client, self.model, w)
        N = self.client.data_points
        for_step = w
        for _ in range(tau):
            take = self.rng.binomial(1, s.batch_size / N, N)
            rows = self.client.gradients_of_data(for_step)
            norms = np.sqrt(np.einsum("nd,nd->n", rows, rows))
            coefficient = take / np.maximum(norms / s.clip_threshold, 1.0)
            noise = self.rng.normal(0, s.noise_multiplier * s.clip_threshold, w.size)
            for_step = for_step - (s.step / s.batch_size) * (coefficient @ rows + noise)
        self.model = for_step
        return pair


class Mediator:
    def __init__(self, clients, start, s, seed):
        streams = np.random.PCG64(seed)
        self.devices = [
            Device(c, start, np.random.Generator(streams.jumped(j))) for j, c in enumerate(clients)
        ]
        self.s, self.w, self.tau, self.paid = s, start, 1, np.zeros(2)
        self.phase = Phase.RUNNING

    def turn(self):
        s = self.s
        if self.phase is Phase.SPENT:
            return self.w
        pairs = np.array([device.work(self.w, self.tau, s) for device in self.devices])
        sizes = np.array([device.client.data_points for device in self.devices], dtype=float)
        self.w = (sizes / sizes.sum()) @ np.array([device.model for device in self.devices])
        self.paid += [s.communication_cost, self.tau * s.privacy_cost]
        if np.any(pairs > 0):
            rho, beta = pairs.mean(axis=0)
            slopes = np.array([device.client.gradient(self.w) for device in self.devices])
            xi = np.mean(np.linalg.norm(slopes - slopes.mean(axis=0), axis=1))
            taus = np.arange(1, min(2 * self.tau, s.search_limit) + 1)
            self.tau = int(taus[np.argmin(objective(taus, rho, beta, xi, self.w.size, s))])
        if self.paid[0] >= s.communication_budget or self.paid[1] >= s.privacy_budget:
            self.phase = Phase.SPENT
        return self.w


def main(clients, start, settings, seed):
    mediator = Mediator(list(clients), start, settings, seed)
    return [start] + [mediator.turn() for _ in range(settings.rounds)]
