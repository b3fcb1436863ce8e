"""DPFL with hooks on a module whose rows are data points; a stacked state for all clients, own generators."""

import torch


class PerSample(torch.nn.Module):
    """One copy of the parameters for each data point; a hook clips the gradient of each copy."""

    def __init__(self, rows, threshold, mask):
        super().__init__()
        self.copies = torch.nn.Parameter(torch.zeros_like(rows))
        self.rows, self.threshold, self.mask = rows, threshold, mask
        self.copies.register_hook(self.clip)

    def clip(self, grads):
        norms = torch.linalg.vector_norm(grads, dim=1, keepdim=True)
        factors = torch.where(norms > self.threshold, self.threshold / norms, torch.ones_like(norms))
        return grads * factors * self.mask[:, None]

    def forward(self):
        return (self.copies * self.rows).sum()

    def clipped_sum(self):
        self.forward().backward()
        return self.copies.grad.sum(0)


def private_steps(x, client, s, gen):
    y = x.clone()
    for _ in range(s.local_steps):
        rows = client.gradients_of_data(y)
        probs = torch.full((len(rows),), s.batch_size / len(rows), dtype=torch.float64)
        mask = torch.bernoulli(probs, generator=gen)
        total = PerSample(rows, s.clip_threshold, mask).clipped_sum()
        noise = torch.randn(y.shape, generator=gen, dtype=y.dtype)
        total = total + s.noise_multiplier * s.clip_threshold * noise
        y = y - s.step * total / s.batch_size
    return y


def train(clients, start, settings, seed):
    gens = [torch.Generator().manual_seed(seed * 1009 + i) for i in range(len(clients))]
    sizes = torch.tensor([float(c.data_points) for c in clients], dtype=torch.float64)
    share = sizes / sizes.sum()
    states = [start]
    for _ in range(settings.rounds):
        ends = torch.stack(
            [private_steps(states[-1], c, settings, g) for c, g in zip(clients, gens, strict=True)]
        )
        states.append(share @ ends)
    return torch.stack(states)
