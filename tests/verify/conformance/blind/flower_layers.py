"""Flower-like: strategy wrapper, NumPy client, parameters as lists of layers, clipping and noise in place."""

from dataclasses import dataclass

import numpy as np


def get_norm(arrays):
    return float(np.sqrt(sum([np.linalg.norm(a.flat) ** 2 for a in arrays])))


def clip_inputs_inplace(arrays, clipping_norm):
    norm = get_norm(arrays)
    scaling = min(1, clipping_norm / norm) if norm else 1
    for a in arrays:
        a *= scaling


def add_gaussian_noise_inplace(arrays, std, rng):
    for a in arrays:
        a += rng.normal(0, std, a.shape)


def compute_clip_model_update(param1, param2, clipping_norm):
    update = [np.subtract(x, y) for (x, y) in zip(param1, param2, strict=False)]
    clip_inputs_inplace(update, clipping_norm)
    for i, _ in enumerate(param2):
        param1[i] = param2[i] + update[i]


@dataclass
class FitRes:
    parameters: list
    num_examples: int


class Client:
    def __init__(self, oracle, lr, steps, shapes):
        self.oracle, self.lr, self.steps, self.shapes = oracle, lr, steps, shapes

    def set_parameters(self, parameters):
        self.params = [p.copy() for p in parameters]

    def fit(self, parameters):
        self.set_parameters(parameters)
        for _ in range(self.steps):
            grad = unflatten(self.oracle.gradient(flatten(self.params)), self.shapes)
            for p, g in zip(self.params, grad, strict=False):
                p -= self.lr * g
        return FitRes(list(self.params), self.oracle.data_points)


def flatten(ps):
    return np.concatenate([p.ravel() for p in ps])


def unflatten(v, shapes):
    out, at = [], 0
    for s in shapes:
        n = int(np.prod(s))
        out.append(v[at : at + n].reshape(s).copy())
        at += n
    return out


class FedAvgStrategy:
    def __init__(self, server_lr, fraction_denominator):
        self.server_lr, self.den = server_lr, fraction_denominator

    def aggregate_fit(self, current, results):
        if not results:
            return current
        new = []
        for j, layer in enumerate(current):
            pseudo = np.zeros_like(layer)
            for res in results:
                pseudo += (res.parameters[j] - layer) / self.den
            new.append(layer + self.server_lr * pseudo)
        return new


class DPClientSide:
    """Clips and noises what clients return (local DP)."""

    def __init__(self, strategy, clip, sigma, rng):
        self.strategy, self.clip, self.sigma, self.rng = strategy, clip, sigma, rng

    def aggregate_fit(self, current, results):
        for res in results:
            compute_clip_model_update(res.parameters, current, self.clip)
            add_gaussian_noise_inplace(res.parameters, self.sigma, self.rng)
        return self.strategy.aggregate_fit(current, results)


def simulate(clients, start, settings, seed):
    rng = np.random.default_rng(seed)
    d = len(start)
    shapes = [(d // 2,), (d - d // 2, 1)] if d > 1 else [(1,)]
    eta, r = settings.local_step, settings.clients_per_round
    inner = FedAvgStrategy(settings.server_step / eta, r)
    strategy = DPClientSide(inner, settings.clip_threshold * eta, settings.noise_scale * eta * r**0.5, rng)
    pool = [Client(c, eta, settings.local_steps, shapes) for c in clients]
    parameters = unflatten(start, shapes)
    history = [start.copy()]
    for _server_round in range(1, settings.rounds + 1):
        sampled = [c for c in pool if rng.random() < r / len(pool)]
        results = [c.fit(parameters) for c in sampled]
        parameters = strategy.aggregate_fit(parameters, results)
        history.append(flatten(parameters))
    return history
