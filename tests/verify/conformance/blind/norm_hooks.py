"""DP-NormFedAvg with an autograd function for the client's loss, and a hook that sums its gradients."""

import torch


class Loss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, client):
        ctx.client = client
        ctx.save_for_backward(w)
        return client.gradient(w.detach()).sum() * 0

    @staticmethod
    def backward(ctx, out):
        (w,) = ctx.saved_tensors
        return out * ctx.client.gradient(w.detach()), None


class Trainer:
    """Counts what passes through the hook: the sum of the gradients is the update."""

    def __init__(self, settings):
        self.settings = settings

    def local(self, w0, client):
        w = w0.detach().clone().requires_grad_(True)
        seen = torch.zeros_like(w0)

        def hook(g):
            seen.add_(g)
            return g

        w.register_hook(hook)
        for _ in range(self.settings.local_steps):
            w.grad = None
            Loss.apply(w, client).backward()
            with torch.no_grad():
                w -= self.settings.local_step * w.grad
        return seen


def normalized(u, length):
    size = torch.linalg.vector_norm(u)
    return u if size == 0 else u.mul(length / size)


def fed_round(x, clients, settings, random):
    n, r = len(clients), settings.clients_per_round
    trainer = Trainer(settings)
    acc = torch.zeros_like(x)
    for client in clients:
        take = torch.rand(1, generator=random, dtype=torch.float64).item() < r / n
        if not take:
            continue
        acc += normalized(trainer.local(x, client), settings.update_length)
        acc += torch.empty_like(x).normal_(0.0, 1.0, generator=random) * (settings.noise_scale * r**0.5)
    return torch.add(x, acc, alpha=-settings.server_step / r)
