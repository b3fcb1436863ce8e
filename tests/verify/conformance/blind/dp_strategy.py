"""DP-FedAvg in the way of a Flower strategy: configure_fit, fit, aggregate_fit; lists of arrays."""

from dataclasses import dataclass

import numpy as np


@dataclass
class FitIns:
    parameters: list
    config: dict


@dataclass
class FitRes:
    parameters: list
    num_examples: int


class NumPyClient:
    def __init__(self, cid, objective, seed):
        self.cid, self.objective = cid, objective
        self.rng = np.random.default_rng([seed, 77, cid])

    def fit(self, ins):
        flat = np.concatenate(ins.parameters)
        model = flat.copy()
        for _ in range(ins.config["epochs"]):
            model -= ins.config["lr"] * self.objective.gradient(model)
        update = (flat - model) / ins.config["lr"]
        norm = np.linalg.norm(update)
        update = update * min(1, ins.config["clip"] / norm) if norm else update
        update = update + self.rng.normal(0, ins.config["std"], update.shape)
        cut = len(ins.parameters[0])
        return FitRes([update[:cut], update[cut:]], self.objective.data_points)


class Strategy:
    def __init__(self, settings, n, rng):
        self.s, self.n, self.rng = settings, n, rng

    def configure_fit(self, parameters, clients):
        s = self.s
        config = {
            "epochs": s.local_steps,
            "lr": s.local_step,
            "clip": s.clip_threshold,
            "std": s.noise_scale * s.clients_per_round**0.5,
        }
        sampled = [c for c in clients if self.rng.random() < s.clients_per_round / self.n]
        self.rng.shuffle(sampled)
        return [(c, FitIns([p.copy() for p in parameters], config)) for c in sampled]

    def aggregate_fit(self, parameters, results):
        sums = [np.zeros_like(p) for p in parameters]
        for res in results:
            for total, part in zip(sums, res.parameters, strict=True):
                total += part
        return [
            p - self.s.server_step * t / self.s.clients_per_round
            for p, t in zip(parameters, sums, strict=True)
        ]


def simulation(clients, start, settings, seed):
    cut = (len(start) + 1) // 2
    parameters = [start[:cut].copy(), start[cut:].copy()]
    people = [NumPyClient(i, clients[i], seed) for i in range(len(clients))]
    strategy = Strategy(settings, len(people), np.random.default_rng(seed))
    yield np.concatenate(parameters)
    for _ in range(settings.rounds):
        jobs = strategy.configure_fit(parameters, people)
        results = [client.fit(ins) for client, ins in jobs]
        parameters = strategy.aggregate_fit(parameters, results)
        yield np.concatenate(parameters)
