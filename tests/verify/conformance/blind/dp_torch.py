"""DP-FedAvg with torch modules and optimizers; one draw of noise for the whole sum."""

import copy

import torch


class Model(torch.nn.Module):
    def __init__(self, values):
        super().__init__()
        self.weight = torch.nn.Parameter(values.clone())


def fit(model, client, epochs, lr):
    local = copy.deepcopy(model)
    optimizer = torch.optim.SGD(local.parameters(), lr=lr)
    for _ in range(epochs):
        optimizer.zero_grad()
        local.weight.grad = client.gradient(local.weight.detach()).clone()
        optimizer.step()
    return local.weight.detach()


def run(clients, start, settings, seed):
    generator = torch.Generator().manual_seed(seed)
    model, states = Model(start), [start.clone()]
    n, r = len(clients), settings.clients_per_round
    for _ in range(settings.rounds):
        come = torch.bernoulli(torch.full((n,), r / n, dtype=torch.float64), generator=generator)
        chosen = come.nonzero().flatten().tolist()
        if not chosen:
            states.append(model.weight.detach().clone())
            continue
        total = torch.zeros_like(start)
        for i in chosen:
            delta = model.weight.detach() - fit(model, clients[i], settings.local_steps, settings.local_step)
            delta = delta / settings.local_step
            scale = min(1.0, settings.clip_threshold / (delta.norm().item() + 1e-300))
            total += delta * scale
        std = settings.noise_scale * (r * len(chosen)) ** 0.5
        total += std * torch.randn(total.shape, generator=generator, dtype=torch.float64)
        with torch.no_grad():
            model.weight.sub_(settings.server_step * total / r)
        states.append(model.weight.detach().clone())
    return torch.stack(states)
