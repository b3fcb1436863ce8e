"""DP-FedAvg, plain loops, a whole run."""

import numpy as np


def train(clients, start, settings, seed):
    rng = np.random.default_rng(seed)
    n, r = len(clients), settings.clients_per_round
    w = np.array(start, copy=True)
    trajectory = [w.copy()]
    for k in range(settings.rounds):  # noqa: B007  slips read it
        participants = np.flatnonzero(rng.binomial(1, r / n, size=n))
        agg = np.zeros_like(w)
        for i in participants:
            local = w.copy()
            for _ in range(settings.local_steps):
                g = clients[int(i)].gradient(local)
                local -= settings.local_step * g
            delta = (w - local) / settings.local_step
            norm = np.linalg.norm(delta)
            if norm > settings.clip_threshold:
                delta *= settings.clip_threshold / norm
            delta += rng.normal(0.0, settings.noise_scale * np.sqrt(r), size=delta.shape)
            agg += delta
        w = w - settings.server_step * agg / r
        trajectory.append(w.copy())
    return np.array(trajectory)
