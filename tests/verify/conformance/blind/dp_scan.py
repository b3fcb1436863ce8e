"""DP-FedAvg as pure functions: keys that split, a scan over rounds, a mask for who is absent."""

from functools import partial, reduce
from typing import NamedTuple

import numpy as np


class Carry(NamedTuple):
    params: np.ndarray
    key: np.random.SeedSequence


def split(key, num=2):
    return np.random.SeedSequence(key.generate_state(4).tolist()).spawn(num)


def normal(key, shape):
    return np.random.Generator(np.random.SFC64(key)).standard_normal(shape)


def uniform(key, shape=()):
    return np.random.Generator(np.random.SFC64(key)).random(shape)


def scan(f, init, length):
    carry, ys = init, []
    for k in range(length):
        carry, y = f(carry, k)
        ys.append(y)
    return carry, np.stack(ys)


def sgd(grad, lr, num, params):
    return reduce(lambda p, _: p - lr * grad(p), range(num), params)


def clip_by_global_norm(update, max_norm):
    g_norm = np.sqrt(np.sum(update**2))
    return np.where(g_norm < max_norm, update, update / np.where(g_norm == 0, 1.0, g_norm) * max_norm)


def client_update(params, grad, normal, cfg):
    local = sgd(grad, cfg.local_step, cfg.local_steps, params)
    update = clip_by_global_norm((params - local) / cfg.local_step, cfg.clip_threshold)
    std = cfg.noise_scale * np.sqrt(cfg.clients_per_round)
    return update + std * normal


def round_step(grads, cfg, carry, k):
    key, key_mask, key_noise = split(carry.key, 3)
    m = len(grads)
    mask = (uniform(key_mask, (m,)) < cfg.clients_per_round / m).astype(float)
    normals = normal(key_noise, (m, carry.params.size))
    updates = np.stack([client_update(carry.params, g, z, cfg) for g, z in zip(grads, normals, strict=True)])
    mean = (mask[:, None] * updates).sum(0) / cfg.clients_per_round
    params = carry.params - cfg.server_step * mean
    return Carry(params, key), params


def train(clients, start, settings, seed):
    grads = tuple(c.gradient for c in clients)
    body = partial(round_step, grads, settings)
    _, states = scan(body, Carry(start, np.random.SeedSequence(seed)), settings.rounds)
    return np.concatenate([start[None], states])
