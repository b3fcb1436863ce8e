"""Opacus-like: a DPOptimizer around SGD of torch, grad_sample on parameters, Poisson batches."""

import copy

import torch
from torch import nn


class Linear2(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a = nn.Parameter(torch.zeros(d // 2, dtype=torch.float64))
        self.b = nn.Parameter(torch.zeros(d - d // 2, dtype=torch.float64))


def vec(m):
    return torch.cat([p.detach().reshape(-1) for p in m.parameters()])


def load(m, v):
    at = 0
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(v[at : at + p.numel()].view_as(p))
            at += p.numel()


class DPOptimizer:
    def __init__(self, optimizer, noise_multiplier, max_grad_norm, expected_batch_size, generator):
        self.optimizer, self.nm, self.c = optimizer, noise_multiplier, max_grad_norm
        self.ebs, self.generator = expected_batch_size, generator

    @property
    def params(self):
        return [p for g in self.optimizer.param_groups for p in g["params"]]

    def clip_and_accumulate(self):
        if len(self.params[0].grad_sample) == 0:
            factor = torch.zeros((0,), dtype=torch.float64)
        else:
            per_param = [g.reshape(len(g), -1).norm(2, dim=-1) for g in [p.grad_sample for p in self.params]]
            per_sample = torch.stack(per_param, dim=1).norm(2, dim=1)
            factor = (self.c / (per_sample + EPS)).clamp(max=1.0)
        for p in self.params:
            p.summed_grad = torch.einsum("i,i...", factor, p.grad_sample)

    def add_noise(self):
        for p in self.params:
            noise = torch.randn(p.summed_grad.shape, generator=self.generator, dtype=torch.float64)
            p.grad = p.summed_grad + self.nm * self.c * noise

    def scale_grad(self):
        for p in self.params:
            p.grad /= self.ebs

    def step(self):
        self.clip_and_accumulate()
        self.add_noise()
        self.scale_grad()
        self.optimizer.step()

    def zero_grad(self):
        self.optimizer.zero_grad()


EPS = 1e-30


def train_local(model, client, s, gen):
    opt = DPOptimizer(
        torch.optim.SGD(model.parameters(), lr=s.step),
        s.noise_multiplier,
        s.clip_threshold,
        s.batch_size,
        gen,
    )
    N = client.data_points
    for _ in range(s.local_steps):
        mask = torch.rand(N, generator=gen, dtype=torch.float64) < s.batch_size / N
        per = client.gradients_of_data(vec(model))[mask]
        opt.zero_grad()
        at = 0
        for p in model.parameters():
            p.grad_sample = per[:, at : at + p.numel()]
            at += p.numel()
        opt.step()
    return model.state_dict()


def average_weights(ws, sizes):
    w_avg = copy.deepcopy(ws[0])
    total = sum(sizes)
    for k in w_avg:
        w_avg[k] = w_avg[k] * sizes[0] / total
        for w, n in zip(ws[1:], sizes[1:], strict=False):
            w_avg[k] += w[k] * n / total
    return w_avg


def main(clients, start, settings, seed):
    gen = torch.Generator().manual_seed(seed)
    net = Linear2(len(start))
    load(net, start)
    out = [vec(net).clone()]
    for _ in range(settings.rounds):
        ws = [train_local(copy.deepcopy(net), clients[i], settings, gen) for i in range(len(clients))]
        net.load_state_dict(average_weights(ws, [clients[i].data_points for i in range(len(clients))]))
        out.append(vec(net).clone())
    return out
