"""Local SGD with noisy gradients through a torch optimizer subclass and a distribution object."""

import torch


class NoisySGD(torch.optim.SGD):
    def __init__(self, params, lr, std, gen):
        super().__init__(params, lr=lr)
        self.std, self.gen = std, gen

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                p.grad.add_(torch.randn(p.shape, generator=self.gen, dtype=p.dtype), alpha=self.std)
        return super().step(closure)


def round_(theta, clients, settings, random):
    std = settings.noise_scale / len(theta) ** 0.5
    models = []
    for c in clients:
        p = torch.nn.Parameter(theta.clone())
        opt = NoisySGD([p], settings.local_step, std, random)
        for _h in range(settings.local_steps):
            p.grad = c.gradient(p.detach()).clone()
            opt.step()
        models.append(p.detach())
    return torch.mean(torch.stack(models), dim=0)
