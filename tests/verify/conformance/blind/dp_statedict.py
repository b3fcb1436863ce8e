"""DP-FedAvg on state dicts of a torch module; workers end in any order and are sorted at the server."""

from concurrent.futures import ThreadPoolExecutor, as_completed

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.head = nn.Parameter(torch.zeros(d // 2, dtype=torch.float64))
        self.body = nn.Parameter(torch.zeros(d - d // 2, dtype=torch.float64))

    def vector(self):
        return torch.cat([self.head, self.body])


def pack(vector, d):
    return {"head": vector[: d // 2].clone(), "body": vector[d // 2 :].clone()}


class Worker:
    def __init__(self, cid, objective, settings, d):
        self.cid, self.objective, self.settings, self.d = cid, objective, settings, d

    @torch.no_grad()
    def fit(self, weights, seed):
        net, s = Net(self.d), self.settings
        net.load_state_dict(weights)
        for _ in range(s.local_steps):
            grads = pack(self.objective.gradient(net.vector()), self.d)
            for name, p in net.named_parameters():
                p.sub_(grads[name], alpha=s.local_step)
        delta = {k: (weights[k] - v) / s.local_step for k, v in net.state_dict().items()}
        total = torch.sqrt(sum(v.pow(2).sum() for v in delta.values()))
        scale = min(1.0, s.clip_threshold / float(total)) if total > 0 else 1.0
        own = torch.Generator().manual_seed(seed)
        std = s.noise_scale * s.clients_per_round**0.5
        sent = {
            k: v * scale + std * torch.randn(v.shape, generator=own, dtype=v.dtype) for k, v in delta.items()
        }
        return self.cid, sent


def run(clients, start, settings, seed):
    d, n, r = len(start), len(clients), settings.clients_per_round
    workers = [Worker(i, clients[i], settings, d) for i in range(n)]
    master = torch.Generator().manual_seed(seed)
    weights, history = pack(start, d), [start.clone()]
    with ThreadPoolExecutor(2) as pool:
        for _ in range(settings.rounds):
            present = torch.bernoulli(torch.full((n,), r / n, dtype=torch.float64), generator=master)
            seeds = torch.randint(2**62, (n,), generator=master).tolist()
            jobs = [pool.submit(w.fit, weights, seeds[w.cid]) for w in workers if present[w.cid]]
            results = sorted((job.result() for job in as_completed(jobs)), key=lambda pair: pair[0])
            weights = {
                k: v - settings.server_step * sum(sent[k] for _, sent in results) / r if results else v
                for k, v in weights.items()
            }
            history.append(torch.cat([weights["head"], weights["body"]]))
    return history
