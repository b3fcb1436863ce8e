"""FedAvg with a tree of aggregators, as hierarchical FL; each node sends its sum and its count."""

import random as stdlib

import numpy as np


class Leaf:
    def __init__(self, client):
        self.client = client

    def collect(self, w, s):
        y = np.array(w)
        for _ in range(s.local_steps):
            y = y - s.local_step * self.client.gradient(y)
        return w - y, 1


class Node:
    def __init__(self, left, right):
        self.children = (left, right)

    def collect(self, w, s):
        sums, counts = zip(*(child.collect(w, s) for child in self.children), strict=True)
        return np.sum(sums, axis=0), sum(counts)


def build(leaves):
    if len(leaves) == 1:
        return leaves[0]
    middle = len(leaves) // 2
    return Node(build(leaves[:middle]), build(leaves[middle:]))


def simulate(clients, start, settings, seed):
    dice = stdlib.Random(seed)
    w, out = start, [start]
    leaves = [Leaf(c) for c in clients]
    for _ in range(settings.rounds):
        chosen = dice.sample(leaves, settings.clients_per_round)
        total, count = build(chosen).collect(w, settings)
        w = w - total / count
        out.append(w)
    return out
