"""Gradient descent with a closure for a torch optimizer, as for LBFGS; clients one after the other."""

import torch


class GD(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure):
        with torch.enable_grad():
            closure()
        for group in self.param_groups:
            for p in group["params"]:
                p.add_(p.grad, alpha=-group["lr"])


def run(clients, start, settings, seed):
    w = torch.nn.Parameter(start.clone())
    opt = GD([w], lr=settings.step)

    def closure():
        w.grad = None
        for client in clients:
            piece = client.gradient(w.detach()) / len(clients)
            w.grad = piece if w.grad is None else w.grad + piece

    states = [w.detach().clone()]
    for _ in range(settings.rounds):
        opt.step(closure)
        states.append(w.detach().clone())
    return torch.stack(states)
