"""DP-NormFedAvg as functions on state dicts of torch, with functional.normalize."""

import torch
import torch.nn.functional as F


def to_dict(x):
    return {"w1": x[:1].clone(), "w2": x[1:].clone()}


def to_vector(p):
    return torch.cat(list(p.values()))


def sgd(p, client, lr):
    grad = to_dict(client.gradient(to_vector(p)))
    return {k: v - lr * grad[k] for k, v in p.items()}


def client_round(p, client, s):
    q = p
    for _ in range(s.local_steps):
        q = sgd(q, client, s.local_step)
    delta = torch.cat([(p[k] - q[k]) / s.local_step for k in p])
    return F.normalize(delta, dim=0, eps=1e-300) * s.update_length


def aggregate(p, messages, s, g):
    r = s.clients_per_round
    total = torch.zeros_like(to_vector(p))
    for m in messages:
        z = torch.zeros_like(m).normal_(generator=g)
        total = total + m + z.mul(s.noise_scale * r**0.5)
    return to_dict(to_vector(p) - s.server_step * total.div(r))


def simulate(clients, start, settings, seed):
    g = torch.Generator().manual_seed(seed + 1)
    p, out = to_dict(start), [start]
    for _ in range(settings.rounds):
        q = settings.clients_per_round / len(clients)
        here = [i for i, u in enumerate(torch.rand(len(clients), generator=g, dtype=torch.float64)) if u < q]
        p = aggregate(p, [client_round(p, clients[i], settings) for i in here], settings, g)
        out.append(to_vector(p))
    return out
