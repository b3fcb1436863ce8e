"""MiniFL-like error feedback: Client and Master with messages and a compressor object."""

import math
from typing import NamedTuple

import torch


class Message(NamedTuple):
    data: torch.Tensor
    n_bits: int


class SmoothedNormalization:
    def __init__(self, alpha):
        self.alpha = alpha

    def compress(self, x):
        return Message(x / (self.alpha + torch.linalg.vector_norm(x)), 64 * x.numel())


class EfClient:
    def __init__(self, fn, compressor, v0, s, gen):
        self.fn, self.compressor, self.g, self.s, self.gen = fn, compressor, v0.clone(), s, gen

    def step(self, x):
        self.y = x.clone()
        for _ in range(self.s.local_steps):
            self.y.add_(self.fn.gradient(self.y), alpha=-self.s.local_step / self.s.local_steps)
        grad_estimate = (x - self.y) / self.s.local_step
        msg = self.compressor.compress(grad_estimate - self.g)
        self.g = self.g + self.s.memory_step * msg.data
        coin = bool(
            torch.bernoulli(torch.tensor(self.s.probability, dtype=torch.float64), generator=self.gen)
        )
        if not coin:
            return None
        z = torch.normal(0.0, 1.0, size=x.shape, generator=self.gen, dtype=torch.float64)
        z.mul_(self.s.noise_scale / math.sqrt(x.numel()))
        return Message(msg.data + z, msg.n_bits)


class EfMaster:
    def __init__(self, x, g, s, num_clients):
        self.x, self.g, self.s, self.num_clients = x.clone(), g.clone(), s, num_clients

    def step(self, messages):
        for m in messages:
            if m is None:
                continue
            self.g += self.s.memory_step / (self.s.probability * self.num_clients) * m.data
        norm = self.g.norm()
        if norm > 0:
            self.x = self.x - self.s.server_step * self.g / norm
        return self.x


def run(clients, start, settings, seed):
    gen = torch.Generator().manual_seed(seed)
    v0 = torch.as_tensor(settings.initial_memory, dtype=torch.float64).expand(len(clients), len(start))
    team = [
        EfClient(clients[i], SmoothedNormalization(settings.smoothing), v0[i], settings, gen)
        for i in range(len(clients))
    ]
    master = EfMaster(start, v0.mean(0), settings, len(clients))
    xs = [start.clone()]
    for _ in range(settings.rounds):
        xs.append(master.step([c.step(xs[-1]) for c in team]).clone())
    return xs
