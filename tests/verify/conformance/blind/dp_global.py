"""DP-FedAvg of a notebook: one function, global numpy draws, sampling by a shuffled table of coins."""

import numpy as np

np_random = np.random


def fed_round(theta, clients, hp, random):
    N, S = len(clients), hp.clients_per_round
    coins = np_random.rand(N)
    theta_list = []
    for idx in np_random.permutation(N):
        if coins[idx] > S / N:
            continue
        th = np.array(theta)
        for _it in range(hp.local_steps):
            th -= hp.local_step * clients[int(idx)].gradient(th)
        d = theta - th
        d *= min(1, hp.clip_threshold * hp.local_step / (1e-300 + np.sqrt(np.sum(np.square(d)))))
        theta_list.append(d / hp.local_step + np_random.randn(*d.shape) * hp.noise_scale * S**0.5)
    return theta - hp.server_step * (np.sum(theta_list, axis=0) / S if theta_list else 0)
