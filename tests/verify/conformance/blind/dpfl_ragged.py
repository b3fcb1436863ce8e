"""DPFL on ragged data: all clients in one padded array, one step of all clients at once."""

import numpy as np


def padded(clients, points):
    rows = [c.gradients_of_data(p) for c, p in zip(clients, points, strict=True)]
    most = max(map(len, rows))
    full = np.zeros((len(rows), most, points.shape[1]))
    real = np.zeros((len(rows), most), dtype=bool)
    for i, r in enumerate(rows):
        full[i, : len(r)], real[i, : len(r)] = r, True
    return full, real


def run(clients, start, settings, seed):
    s, rng = settings, np.random.default_rng(seed)
    people = list(clients)
    sizes = np.array([c.data_points for c in people])
    n, d = len(people), start.size
    out = [start]
    for _ in range(s.rounds):
        W = np.repeat(out[-1][None], n, axis=0)
        for _ in range(s.local_steps):
            G, real = padded(people, W)
            norms = np.linalg.norm(G, axis=2, keepdims=True)
            G = G / np.maximum(1.0, norms / s.clip_threshold)
            inside = real & (rng.random(real.shape) < s.batch_size / sizes[:, None])
            total = np.einsum("nb,nbd->nd", inside.astype(float), G)
            total += s.noise_multiplier * s.clip_threshold * rng.standard_normal((n, d))
            W = W - s.step / s.batch_size * total
        out.append(np.average(W, axis=0, weights=sizes))
    return out
