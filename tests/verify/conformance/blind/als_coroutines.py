"""ALS-DPFL in torch: each client is a coroutine that keeps its last model; the server counts what is left."""

import torch


def client_loop(client, s, gen, start):
    last = start
    w, tau = yield
    while True:
        gap = (last - w).norm()
        if gap > 1e-12 * (1 + w.norm()):
            rho = (client.value(last) - client.value(w)).abs() / gap
            beta = (client.gradient(last) - client.gradient(w)).norm() / gap
        else:
            rho = beta = torch.zeros((), dtype=torch.float64)
        y = w.clone()
        for _ in range(tau):
            rows = client.gradients_of_data(y)
            chosen = torch.rand(len(rows), generator=gen, dtype=torch.float64) < s.batch_size / len(rows)
            total = torch.randn(y.shape, generator=gen, dtype=y.dtype) * (
                s.noise_multiplier * s.clip_threshold
            )
            for row in rows[chosen]:
                total += row / max(1.0, float(row.norm()) / s.clip_threshold)
            y -= s.step * total / s.batch_size
        last = y
        w, tau = yield y, float(rho), float(beta)


def h(tau, xi, beta, d, s):
    S = 2 * d**0.5 * s.noise_multiplier * s.clip_threshold
    q = s.step * beta
    growth = ((1 + q) ** tau - 1) / beta if q > 1e-12 else tau * s.step
    return (xi + S / s.batch_size) * growth + tau * s.step * (xi + S) / s.batch_size


def best(tau, rho, beta, xi, d, s):
    value, choice = float("inf"), 1
    for t in range(1, min(2 * tau, s.search_limit) + 1):
        bracket = s.step * s.control - rho * h(t, xi, beta, d, s) / (t * s.smallest_gap**2)
        T = min(s.communication_budget / s.communication_cost * t, s.privacy_budget / s.privacy_cost)
        if bracket > 0 and 1 / (T * bracket) < value:
            value, choice = 1 / (T * bracket), t
    return choice


def server(clients, start, settings, seed):
    s, gen = settings, torch.Generator().manual_seed(seed)
    people = [client_loop(c, s, gen, start) for c in clients]
    for p in people:
        next(p)
    share = torch.tensor([float(c.data_points) for c in clients], dtype=torch.float64)
    share /= share.sum()
    w, tau, states = start, 1, [start]
    left_c, left_p = s.communication_budget, s.privacy_budget
    for _ in range(s.rounds):
        if left_c > 0 and left_p > 0:
            answers = [p.send((w, tau)) for p in people]
            w = sum(a * y for a, (y, _, _) in zip(share, answers, strict=True))
            left_p -= tau * s.privacy_cost
            left_c -= s.communication_cost
            rho = sum(a[1] for a in answers) / len(answers)
            beta = sum(a[2] for a in answers) / len(answers)
            if rho > 0 or beta > 0:
                slopes = torch.stack([c.gradient(w) for c in clients])
                xi = float((slopes - slopes.mean(0)).norm(dim=1).mean())
                tau = best(tau, rho, beta, xi, len(w), s)
        states.append(w)
    return states
