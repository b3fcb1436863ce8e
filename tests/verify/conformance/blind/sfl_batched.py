"""Local SGD (stochastic FedAvg), torch, all clients vectorized."""

import math

import torch


def round_(theta, clients, settings, random):
    M, d = len(clients), theta.numel()
    local = theta.repeat(M, 1)
    for _ in range(settings.local_steps):
        xi = torch.empty(M, d, dtype=torch.float64).normal_(
            0, settings.noise_scale / math.sqrt(d), generator=random
        )
        local = local - settings.local_step * (clients.gradients(local) + xi)
    return local.mean(0)
