"""Gradient descent with torch autograd over client values."""

import torch


def gd(x, clients, settings, random):
    g = torch.stack([c.gradient(x) for c in clients]).mean(dim=0)
    p = x.clone().requires_grad_(True)
    opt = torch.optim.SGD([p], lr=settings.step)
    p.grad = g
    opt.step()
    return p.detach()
