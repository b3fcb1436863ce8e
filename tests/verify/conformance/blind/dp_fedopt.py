"""DP-FedAvg as FedOpt: the server's torch optimizer steps along the pseudo-gradient; noise at the server."""

import torch


class Server(torch.nn.Module):
    def __init__(self, start):
        super().__init__()
        cut = len(start) // 2
        self.head = torch.nn.Parameter(start[:cut].clone())
        self.body = torch.nn.Parameter(start[cut:].clone())

    def flat(self):
        return torch.nn.utils.parameters_to_vector(self.parameters()).detach()

    def set_grads(self, vector):
        cut = self.head.numel()
        self.head.grad, self.body.grad = vector[:cut].clone(), vector[cut:].clone()


def train_client(weights, client, lr, steps):
    p = weights.clone().requires_grad_(True)
    opt = torch.optim.SGD([p], lr=lr)
    for _ in range(steps):
        opt.zero_grad()
        p.grad = client.gradient(p.detach())
        opt.step()
    return p.detach()


def pseudo_gradient(w, clients, s, gen):
    n, r = len(clients), s.clients_per_round
    picked = (torch.rand(n, generator=gen) < r / n).nonzero().flatten().tolist()
    agg = torch.zeros_like(w)
    for i in picked:
        u = (w - train_client(w, clients[i], s.local_step, s.local_steps)) / s.local_step
        agg += u * min(1.0, s.clip_threshold / (u.norm().item() + 1e-15))
    z = torch.randn(len(picked), len(w), generator=gen, dtype=w.dtype).sum(0)
    return (agg + s.noise_scale * r**0.5 * z) / r


def run(clients, start, settings, seed):
    gen = torch.Generator().manual_seed(seed)
    server = Server(start)
    opt = torch.optim.SGD(server.parameters(), lr=settings.server_step)
    history = [server.flat().clone()]
    for _ in range(settings.rounds):
        opt.zero_grad()
        server.set_grads(pseudo_gradient(server.flat(), clients, settings, gen))
        opt.step()
        history.append(server.flat().clone())
    return history
