"""DPFL in torch, a whole run, samples one at a time with early returns."""

import torch


def clip_sample(g, c):
    n = torch.linalg.norm(g)
    if n <= c:
        return g
    return g * (c / n)


def draw_batch(client, size, generator):
    p = torch.full((client.data_points,), size / client.data_points, dtype=torch.float64)
    return torch.bernoulli(p, generator=generator).bool()


def local(w, client, s, generator):
    y = w.clone()
    for _ in range(s.local_steps):
        taken = draw_batch(client, s.batch_size, generator)
        rows = client.gradients_of_data(y)[taken]
        acc = torch.zeros_like(y)
        for row in rows:
            acc.add_(clip_sample(row, s.clip_threshold))
        std = s.clip_threshold * s.noise_multiplier
        acc.add_(torch.randn(y.shape, generator=generator, dtype=y.dtype), alpha=std)
        y.sub_(acc.div_(s.batch_size), alpha=s.step)
    return y


def main(clients, start, settings, seed):
    g = torch.Generator()
    g.manual_seed(seed)
    sizes = torch.tensor([c.data_points for c in clients], dtype=torch.float64)
    states, w = [start], start
    for _ in range(settings.rounds):
        stack = torch.stack([local(w, clients[i], settings, g) for i in range(len(clients))])
        w = (sizes / sizes.sum()) @ stack
        states.append(w)
    return torch.stack(states)
