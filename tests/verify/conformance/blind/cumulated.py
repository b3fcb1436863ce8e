"""FedNova-like optimizer with accumulated gradients; updates of fixed length."""

import torch
from torch.optim.optimizer import Optimizer


class Cumulating(Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})
        self.local_steps = 0

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                st = self.state[p]
                if "old_init" not in st:
                    st["old_init"] = p.data.clone()
                d_p = p.grad.data
                if "cum_grad" not in st:
                    st["cum_grad"] = d_p.clone()
                else:
                    st["cum_grad"].add_(d_p, alpha=1)
                p.data.add_(d_p, alpha=-group["lr"])
        self.local_steps += 1


def simulate(clients, start, settings, seed):
    g = torch.Generator()
    g.manual_seed(seed)
    params = [torch.nn.Parameter(t.clone()) for t in start.chunk(min(3, len(start)))]
    sizes = [p.numel() for p in params]
    history = [start.clone()]
    n, r = len(clients), settings.clients_per_round
    for _epoch in range(settings.rounds):
        begin = [p.data.clone() for p in params]
        received = [torch.zeros_like(p) for p in params]
        for i in range(n):
            if torch.rand(1, generator=g, dtype=torch.float64).item() > r / n:
                continue
            for p, b in zip(params, begin, strict=False):
                p.data.copy_(b)
            opt = Cumulating(params, settings.local_step)
            for _ in range(settings.local_steps):
                opt.zero_grad()
                full = torch.cat([p.data.view(-1) for p in params])
                for p, gr in zip(params, clients[i].gradient(full).split(sizes), strict=False):
                    p.grad = gr.clone()
                opt.step()
            cum = [opt.state[p]["cum_grad"] for p in params]
            size = torch.sqrt(sum((c * c).sum() for c in cum))
            for acc, c in zip(received, cum, strict=False):
                acc.add_(c, alpha=(settings.update_length / size).item() if size > 0 else 0.0)
                acc.add_(
                    torch.randn(acc.shape, generator=g, dtype=torch.float64),
                    alpha=settings.noise_scale * r**0.5,
                )
        for p, b, acc in zip(params, begin, received, strict=False):
            p.data.copy_(b - settings.server_step * acc / r)
        history.append(torch.cat([p.data.view(-1) for p in params]).clone())
    return torch.stack(history)
