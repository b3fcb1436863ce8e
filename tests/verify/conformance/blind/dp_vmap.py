"""DP-FedAvg, all clients at once in torch; absent clients are masked, the server adds the noise."""

import torch


def per_client_delta(w, clients, s):
    local = w.expand(len(clients), -1).clone()
    for _ in range(s.local_steps):
        local.sub_(clients.gradients(local), alpha=s.local_step)
    return (w - local) / s.local_step


def clip_rows(u, c):
    norms = u.norm(dim=1, keepdim=True)
    coef = (c / norms).clamp(max=1.0)
    return u * torch.where(norms > 0, coef, torch.ones_like(coef))


def fed_round(w, clients, settings, random):
    n, r = len(clients), settings.clients_per_round
    here = torch.bernoulli(torch.full((n,), r / n, dtype=torch.float64), generator=random)
    g = clip_rows(per_client_delta(w, clients, settings), settings.clip_threshold)
    total = (here[:, None] * g).sum(0)
    std = settings.noise_scale * (r * here.sum()).sqrt()
    total = total + std * torch.randn(w.shape, generator=random, dtype=torch.float64)
    return w - settings.server_step * total / r
