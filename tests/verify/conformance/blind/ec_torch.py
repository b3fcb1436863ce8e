"""Fed-alpha-NormEC in torch: buffers of modules, work in place, one optimizer per client."""

import torch


class Member(torch.nn.Module):
    def __init__(self, client, memory, s, gen):
        super().__init__()
        self.client, self.s, self.gen = client, s, gen
        self.register_buffer("v", memory.clone())

    def fit(self, x):
        w = torch.nn.Parameter(x.clone())
        opt = torch.optim.SGD([w], lr=self.s.local_step / self.s.local_steps)
        for _ in range(self.s.local_steps):
            opt.zero_grad(set_to_none=True)
            w.grad = self.client.gradient(w.detach())
            opt.step()
        return (x - w.detach()).div_(self.s.local_step)

    @torch.no_grad()
    def forward(self, x):
        diff = self.fit(x).sub_(self.v)
        delta = diff.div_(diff.norm().add(self.s.smoothing))
        self.v.add_(delta, alpha=self.s.memory_step)
        if torch.rand(1, generator=self.gen).item() >= self.s.probability:
            return None
        z = torch.empty_like(x).normal_(0, 1, generator=self.gen)
        return (delta + z * (self.s.noise_scale / x.numel() ** 0.5)) / self.s.probability


def train(clients, start, settings, seed):
    gen = torch.Generator().manual_seed(seed)
    memory = torch.as_tensor(settings.initial_memory, dtype=torch.float64)
    members = [Member(c, m, settings, gen) for c, m in zip(clients, memory, strict=True)]
    server = memory.mean(0)
    x, log = start.clone(), [start.clone()]
    for _ in range(settings.rounds):
        got = [m for m in (member(x) for member in members) if m is not None]
        if got:
            server = server + settings.memory_step * torch.stack(got).sum(0) / len(members)
        x = x - settings.server_step * torch.nn.functional.normalize(server, dim=0, eps=1e-300)
        log.append(x.clone())
    return log
