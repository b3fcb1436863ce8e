"""Clients in a thread pool, each with its own seed sequence; queues; dataclasses; DP-FedAvg."""

from concurrent.futures import ThreadPoolExecutor
from queue import Queue

import numpy as np


class Worker:
    def __init__(self, oracle, cfg, seq):
        self.oracle, self.cfg, self.rng = oracle, cfg, np.random.default_rng(seq)

    def __call__(self, w):
        cfg = self.cfg
        if self.rng.uniform() > cfg.rate:
            return None
        acc, y = np.zeros_like(w), w
        for _ in range(cfg.s.local_steps):
            grad = self.oracle.gradient(y)
            acc += grad
            y = y - cfg.s.local_step * grad
        scale = max(1.0, np.linalg.norm(acc) / cfg.s.clip_threshold)
        return acc / scale + self.rng.normal(scale=cfg.std, size=w.shape)


class Config:
    def __init__(self, s, n):
        self.s, self.rate = s, s.clients_per_round / n
        self.std = s.noise_scale * np.sqrt(s.clients_per_round)


def train(clients, start, settings, seed):
    cfg = Config(settings, len(clients))
    seqs = np.random.SeedSequence(seed).spawn(len(clients))
    workers = [Worker(clients[i], cfg, q) for i, q in enumerate(seqs)]
    out = Queue()
    w = start.copy()
    out.put(w.copy())
    with ThreadPoolExecutor(2) as pool:
        for _ in range(settings.rounds):
            sent = [u for u in pool.map(lambda worker, at=w: worker(at), workers) if u is not None]
            if sent:
                w = w - settings.server_step * np.sum(sent, axis=0) / settings.clients_per_round
            out.put(w.copy())
    return [out.get() for _ in range(settings.rounds + 1)]
