"""DP-NormFedAvg with torch.distributions, whose draws come from torch's seeded global generator."""

import torch
from torch.distributions import Bernoulli, Independent, Normal


@torch.no_grad()
def local(w, client, settings):
    path = [w]
    for _ in range(settings.local_steps):
        path.append(torch.sub(path[-1], client.gradient(path[-1]), alpha=settings.local_step))
    return path[-1]


def run(clients, start, settings, seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        w, out = start.clone(), [start.clone()]
        r = settings.clients_per_round
        present = Bernoulli(probs=torch.full((len(clients),), r / len(clients), dtype=torch.float64))
        for _ in range(settings.rounds):
            chosen = present.sample().bool()
            aggregate = torch.zeros_like(w)
            for take, client in zip(chosen.tolist(), clients, strict=False):
                if not take:
                    continue
                u = torch.nn.functional.normalize(w - local(w, client, settings), dim=0, eps=1e-300)
                mean = settings.update_length * u
                if settings.noise_scale > 0:
                    scale = torch.full_like(mean, settings.noise_scale * r**0.5)
                    aggregate += Independent(Normal(mean, scale), 1).sample()
                else:
                    aggregate += mean
            w = w - settings.server_step * aggregate / r
            out.append(w)
        return out
