"""dp-fed-ls-like: state dicts, copy.deepcopy, binomial sampling, noise at the server, outer learning rate."""

import copy

import torch


def clip_diff_norm2(param, param_t, max_norm):
    total_norm, diff = 0, []
    for p, p_t in zip(param, param_t, strict=False):
        p_diff = p.data - p_t.data
        diff.append(p_diff)
        total_norm += p_diff.norm(2).item() ** 2
    total_norm = total_norm**0.5
    clip_coef = max_norm / (total_norm + 1e-200)
    if clip_coef < 1:
        for i in range(len(diff)):
            diff[i] *= clip_coef
    return diff, total_norm


class Net:
    def __init__(self, v):
        h = len(v) // 2
        self.layers = [v[:h].clone(), v[h:].clone()]

    def parameters(self):
        return self.layers

    def flat(self):
        return torch.cat(self.layers)


class DpFederatedLearning:
    def __init__(self, x, clients, s, gen):
        self.net_t, self.users, self.s, self.gen = Net(x), clients, s, gen
        self.frac = s.clients_per_round / len(clients)
        self.G = s.clip_threshold * s.local_step

    def round(self):
        s = self.s
        idxs = torch.bernoulli(
            torch.full((len(self.users),), self.frac, dtype=torch.float64), generator=self.gen
        )
        idxs_users = [i for i, one in enumerate(idxs.tolist()) if one]
        local_ws = [copy.deepcopy(self._local_update(self.users[i])) for i in idxs_users]
        m = s.clients_per_round
        lr_outer = s.server_step / s.local_step
        for k in range(2):
            w_avg = torch.zeros_like(self.net_t.layers[k])
            for w in local_ws:
                w_avg += w[k] / m
            sigma = s.noise_scale * s.local_step * (len(local_ws) / m) ** 0.5
            noise = torch.randn(w_avg.shape, generator=self.gen, dtype=torch.float64)
            self.net_t.layers[k] = self.net_t.layers[k] + lr_outer * (w_avg + sigma * noise)

    def _local_update(self, client):
        net = copy.deepcopy(self.net_t)
        for _epoch in range(self.s.local_steps):
            g = Net(client.gradient(net.flat()))
            for p, gp in zip(net.parameters(), g.parameters(), strict=False):
                p.sub_(self.s.local_step * gp)
        diff, _norm = clip_diff_norm2(net.parameters(), self.net_t.parameters(), self.G)
        return diff


def fed(x, clients, settings, random):
    it = DpFederatedLearning(x, clients, settings, random)
    it.round()
    return it.net_t.flat()
