"""DP-FedAvg with a torch module of two layers, optimizers and a scheduler; torch.Generator."""

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        a = (dim + 1) // 2
        self.body = nn.Parameter(torch.zeros(a, dtype=torch.float64))
        self.head = nn.Parameter(torch.zeros(dim - a, dtype=torch.float64))


def set_grads(net, flat):
    k = net.body.numel()
    net.body.grad = flat[:k].clone()
    net.head.grad = flat[k:].clone()


def local_train(net, client, settings):
    opt = torch.optim.SGD(net.parameters(), lr=settings.local_step)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 1.0)
    for _ in range(settings.local_steps):
        opt.zero_grad()
        set_grads(net, client.gradient(parameters_to_vector(net.parameters()).detach()))
        opt.step()
        sched.step()
    return net


def fed_round(x, clients, settings, random):
    net = Net(len(x))
    r, n = settings.clients_per_round, len(clients)
    mask = torch.bernoulli(torch.full((n,), r / n, dtype=torch.float64), generator=random)
    messages = []
    for i in range(n):
        if not mask[i]:
            continue
        vector_to_parameters(x.clone(), net.parameters())
        local_train(net, clients[i], settings)
        diff = [
            (g - l) / settings.local_step
            for g, l in zip(split(x, net), [p.detach() for p in net.parameters()], strict=True)
        ]
        total_norm = torch.sqrt(sum((d**2).sum() for d in diff))
        coef = torch.clamp(settings.clip_threshold / (total_norm + 1e-30), max=1.0)
        diff = [d * coef for d in diff]
        messages.append(torch.cat(diff))
    if not messages:
        return x
    noise = torch.randn(len(messages), len(x), generator=random, dtype=torch.float64) * (
        r**0.5 * settings.noise_scale
    )
    update = (torch.stack(messages) + noise).sum(0) / r
    return x - settings.server_step * update


def split(x, net):
    k = net.body.numel()
    return [x[:k], x[k:]]
