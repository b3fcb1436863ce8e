"""DPFL in the way of Opacus: a private optimizer with expected_batch_size, a uniform sampler, grad_sample."""

import torch


class UniformWithReplacementSampler:
    def __init__(self, num_samples, sample_rate, generator):
        self.num_samples, self.sample_rate, self.generator = num_samples, sample_rate, generator

    def __iter__(self):
        while True:
            mask = torch.rand(self.num_samples, generator=self.generator) < self.sample_rate
            yield mask.nonzero(as_tuple=False).reshape(-1)


class DPOptimizer:
    def __init__(self, param, lr, noise_multiplier, max_grad_norm, expected_batch_size, generator):
        self.param, self.lr = param, lr
        self.noise_multiplier, self.max_grad_norm = noise_multiplier, max_grad_norm
        self.expected_batch_size, self.generator = expected_batch_size, generator

    def clip_and_accumulate(self):
        per_sample_norms = self.param.grad_sample.norm(2, dim=-1)
        factor = (self.max_grad_norm / (per_sample_norms + 1e-16)).clamp(max=1.0)
        self.param.summed_grad = torch.einsum("i,i...->...", factor, self.param.grad_sample)

    def add_noise(self):
        noise = torch.normal(0.0, 1.0, self.param.shape, generator=self.generator, dtype=torch.float64)
        self.param.grad = self.param.summed_grad + self.noise_multiplier * self.max_grad_norm * noise

    def scale_grad(self):
        self.param.grad /= self.expected_batch_size

    def step(self):
        self.clip_and_accumulate()
        self.add_noise()
        self.scale_grad()
        with torch.no_grad():
            self.param -= self.lr * self.param.grad


def local(w, client, s, sampler, generator):
    param = torch.nn.Parameter(w.clone())
    opt = DPOptimizer(param, s.step, s.noise_multiplier, s.clip_threshold, s.batch_size, generator)
    batches = iter(sampler)
    for _ in range(s.local_steps):
        param.grad_sample = client.gradients_of_data(param.detach())[next(batches)]
        opt.step()
    return param.detach()


def federated(clients, start, settings, seed):
    g = torch.Generator().manual_seed(seed)
    samplers = [
        UniformWithReplacementSampler(c.data_points, settings.batch_size / c.data_points, g) for c in clients
    ]
    N = sum(c.data_points for c in clients)
    w, states = start.clone(), [start.clone()]
    for _ in range(settings.rounds):
        new = torch.zeros_like(w)
        for client, sampler in zip(clients, samplers, strict=True):
            new.add_(local(w, client, settings, sampler, g), alpha=client.data_points / N)
        w = new
        states.append(w.clone())
    return states
