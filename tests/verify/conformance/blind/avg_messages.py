"""FedAvg as a client and a server that exchange dicts of bytes, as over a wire."""

import random as python_random
import struct

import numpy as np


def encode(vector):
    return struct.pack(f"<{len(vector)}d", *map(float, vector))


def decode(content):
    return list(struct.unpack(f"<{len(content) // 8}d", content))


class FlowerClient:
    def __init__(self, cid, objective, make):
        self.cid, self.objective, self.make = cid, objective, make

    def handle(self, message):
        config, parameters = message["config"], decode(message["parameters"])
        for _ in range(config["epochs"]):
            grad = self.objective.gradient(self.make(parameters))
            parameters = [p - config["lr"] * float(g) for p, g in zip(parameters, grad, strict=True)]
        return {"cid": self.cid, "parameters": encode(parameters), "num_examples": self.objective.data_points}


class FlowerServer:
    def __init__(self, clients, settings, seed):
        self.clients, self.settings = clients, settings
        self.rng = python_random.Random(seed)

    def configure_fit(self, parameters):
        config = {"epochs": self.settings.local_steps, "lr": self.settings.local_step}
        message = {"type": "fit", "config": config, "parameters": encode(parameters)}
        return [(c, message) for c in self.rng.sample(self.clients, self.settings.clients_per_round)]

    def aggregate_fit(self, results):
        models = [decode(result["parameters"]) for result in sorted(results, key=lambda m: m["cid"])]
        return [sum(column) / len(models) for column in zip(*models, strict=True)]


def run(clients, start, settings, seed):
    make = np.array
    team = [FlowerClient(i, c, make) for i, c in enumerate(clients)]
    server = FlowerServer(team, settings, seed)
    parameters = [float(v) for v in start]
    states = [make(parameters)]
    for _ in range(settings.rounds):
        results = [client.handle(message) for client, message in server.configure_fit(parameters)]
        parameters = server.aggregate_fit(results)
        states.append(make(parameters))
    return states
