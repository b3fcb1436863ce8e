"""DP-FedAvg in a jax-like style: keys that are split, fori_loop, tree_map, vmap by hand, pure functions."""

from functools import partial

import numpy as np


def key(seed):
    return np.random.SeedSequence(seed)


def split(k, n=2):
    return np.random.SeedSequence(k.generate_state(4).tolist()).spawn(n)


def normal(k, shape):
    return np.random.Generator(np.random.Philox(k)).standard_normal(shape)


def uniform(k, shape=()):
    return np.random.Generator(np.random.Philox(k)).random(shape)


def fori_loop(lower, upper, body, value):
    for i in range(lower, upper):
        value = body(i, value)
    return value


def tree_map(f, *trees):
    return {name: f(*(t[name] for t in trees)) for name in trees[0]}


def ravel(tree):
    return np.concatenate([tree["a"], tree["b"]])


def unravel(x):
    return {"a": x[:2], "b": x[2:]}


def global_norm(tree):
    return np.sqrt(sum(np.vdot(leaf, leaf) for leaf in tree.values()))


def local(client, s, params):
    def body(_, p):
        return tree_map(lambda w, g: w - s.local_step * g, p, unravel(client.gradient(ravel(p))))

    return fori_loop(0, s.local_steps, body, params)


def message(params, s, client, k):
    u = tree_map(lambda w, v: (w - v) / s.local_step, params, local(client, s, params))
    scale = 1.0 / max(1.0, global_norm(u) / s.clip_threshold)
    ka, kb = split(k)
    noise = {"a": normal(ka, u["a"].shape), "b": normal(kb, u["b"].shape)}
    return tree_map(lambda g, z: scale * g + np.sqrt(s.clients_per_round) * s.noise_scale * z, u, noise)


def step(s, clients, carry, k):
    params = carry
    k_who, k_noise = split(k)
    coins = uniform(k_who, len(clients)) < s.clients_per_round / len(clients)
    keys = split(k_noise, len(clients))
    sent = [message(params, s, c, k) for c, k, on in zip(clients, keys, coins, strict=True) if on]
    zero = tree_map(np.zeros_like, params)
    total = tree_map(lambda *leaves: sum(leaves), zero, *sent)
    return tree_map(lambda w, t: w - s.server_step * t / s.clients_per_round, params, total)


def scan(f, carry, keys):
    out = [carry]
    for k in keys:
        carry = f(carry, k)
        out.append(carry)
    return out


def main(clients, start, settings, seed):
    people = [clients[i] for i in range(len(clients))]
    states = scan(partial(step, settings, people), unravel(start), split(key(seed), settings.rounds))
    return [ravel(p) for p in states]
