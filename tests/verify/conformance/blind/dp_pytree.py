"""DP-FedAvg with pytrees (nested dictionaries) in numpy, as a jax user writes."""

import numpy as np


def tree_map(f, *trees):
    if isinstance(trees[0], dict):
        return {k: tree_map(f, *[t[k] for t in trees]) for k in trees[0]}
    return f(*trees)


def leaves(tree):
    if isinstance(tree, dict):
        return [x for k in sorted(tree) for x in leaves(tree[k])]
    return [tree]


def global_norm(tree):
    return np.sqrt(sum(np.sum(np.square(x)) for x in leaves(tree)))


def unflatten(v):
    a, b = len(v) // 3, 2 * len(v) // 3
    return {"dense": {"kernel": v[:a], "bias": v[a:b]}, "out": v[b:]}


def flatten(tree):
    return np.concatenate([tree["dense"]["kernel"], tree["dense"]["bias"], tree["out"]])


def sgd_step(params, grads, lr):
    return tree_map(lambda p, g: p - lr * g, params, grads)


def client_update(params, client, settings):
    p = params
    for _ in range(settings.local_steps):
        grads = unflatten(client.gradient(flatten(p)))
        p = sgd_step(p, grads, settings.local_step)
    delta = tree_map(lambda a, b: (a - b) / settings.local_step, params, p)
    norm = global_norm(delta)
    scale = np.minimum(1.0, settings.clip_threshold / np.maximum(norm, 1e-16))
    return tree_map(lambda d: d * scale, delta)


def privatize(delta, std, rng):
    return tree_map(lambda d: d + std * rng.normal(size=d.shape), delta)


def server_round(state, clients, settings, random):
    params = unflatten(state)
    r = settings.clients_per_round
    acc = tree_map(np.zeros_like, params)
    for client in clients:
        if random.uniform() > r / len(clients):
            continue
        d = client_update(params, client, settings)
        d = privatize(d, np.sqrt(r) * settings.noise_scale, random)
        acc = tree_map(np.add, acc, d)
    avg = tree_map(lambda a: a / r, acc)
    return flatten(sgd_step(params, avg, settings.server_step))
