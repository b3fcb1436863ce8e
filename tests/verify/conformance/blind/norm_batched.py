"""DP-NormFedAvg in torch with F.normalize; batched noise."""

import torch
import torch.nn.functional as F


def step(x, clients, settings, random):
    r, n = settings.clients_per_round, len(clients)
    take = torch.rand(n, generator=random, dtype=torch.float64) < r / n
    y = x.expand(n, -1).clone()
    for _ in range(settings.local_steps):
        y = y - settings.local_step * clients.gradients(y)
    u = (x - y) / settings.local_step
    g = settings.update_length * F.normalize(u, dim=1)
    z = torch.normal(0.0, 1.0, size=g.shape, generator=random, dtype=torch.float64)
    sent = g + r**0.5 * settings.noise_scale * z
    return x - settings.server_step * (sent[take].sum(0) / r)
