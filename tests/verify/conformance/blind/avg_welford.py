"""FedAvg with a running mean, as lerp_ in place, over a shuffled list of clients."""

import torch


def client_update(model, client, settings):
    theta = model.detach().clone()
    for _ in range(settings.local_steps):
        theta.add_(client.gradient(theta), alpha=-settings.local_step)
    return theta


def round_(state, clients, settings, random):
    order = torch.randperm(len(clients), generator=random).tolist()
    mean = torch.zeros_like(state)
    for k, i in enumerate(order[: settings.clients_per_round]):
        mean.lerp_(client_update(state, clients[i], settings), 1 / (k + 1))
    return mean
