"""DPFL in torch, a round; clip as opacus users write it but exact."""

import torch


def dp_grad(y, client, s, gen):
    per_sample = client.gradients_of_data(y)
    N = per_sample.shape[0]
    idx = torch.nonzero(torch.rand(N, generator=gen, dtype=torch.float64) < s.batch_size / N).flatten()
    chosen = per_sample[idx]
    norms = chosen.norm(2, dim=1)
    factor = (s.clip_threshold / norms).clamp(max=1.0)
    summed = torch.einsum("i,ij->j", factor, chosen)
    summed = summed + torch.normal(0.0, 1.0, size=summed.shape, generator=gen, dtype=torch.float64) * (
        s.noise_multiplier * s.clip_threshold
    )
    return summed / s.batch_size


def fed(w, clients, settings, random):
    total = sum(c.data_points for c in clients)
    new = torch.zeros_like(w)
    for c in clients:
        y = w.clone()
        for _ in range(settings.local_steps):
            y.sub_(settings.step * dp_grad(y, c, settings, random))
        new += c.data_points / total * y
    return new
