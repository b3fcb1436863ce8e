"""FedAvg with clients as generators that are sent models; their answers come in any order."""

import heapq

import numpy as np


def worker(number, client, settings):
    answer = None
    while True:
        model = yield answer
        layers = {"w": model[: len(model) // 3].copy(), "b": model[len(model) // 3 :].copy()}
        for _ in range(settings.local_steps):
            grad = client.gradient(np.concatenate([layers["w"], layers["b"]]))
            layers = {
                "w": layers["w"] - settings.local_step * grad[: len(layers["w"])],
                "b": layers["b"] - settings.local_step * grad[len(layers["w"]) :],
            }
        answer = number, layers


def server(clients, start, settings, seed):
    rng = np.random.default_rng(seed)
    workers = [worker(i, clients[i], settings) for i in range(len(clients))]
    for one in workers:
        next(one)
    model = start
    yield model
    for _ in range(settings.rounds):
        asked = rng.permuted(np.arange(len(workers)))[: settings.clients_per_round]
        arrived = []
        for order, i in enumerate(asked):
            number, layers = workers[i].send(model)
            heapq.heappush(arrived, (number, order, layers))
        answers = [heapq.heappop(arrived)[2] for _ in range(len(arrived))]
        model = np.concatenate([np.mean([a[name] for a in answers], axis=0) for name in ("w", "b")])
        yield model
