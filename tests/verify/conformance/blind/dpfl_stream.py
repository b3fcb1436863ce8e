"""DPFL as generators over streams of data points; exact fractions as weights."""

from fractions import Fraction
from itertools import compress

import numpy as np


def coins(rate, count, rng):
    return (rng.uniform() < rate for _ in range(count))


def sensitivity_bounded(rows, c):
    for row in rows:
        length = float(np.hypot.reduce(row))
        yield row if length <= c else row * (c / length)


def steps(y, client, s, rng):
    for _ in range(s.local_steps):
        rate = s.batch_size / client.data_points
        batch = compress(client.gradients_of_data(y), coins(rate, client.data_points, rng))
        total = rng.normal(scale=s.noise_multiplier * s.clip_threshold, size=y.shape)
        for g in sensitivity_bounded(batch, s.clip_threshold):
            total = total + g
        y = y - (s.step / s.batch_size) * total
        yield y


def last(iterator):
    item = None
    for item in iterator:  # noqa: B007 (the last one is what is wanted)
        pass
    return item


def run(clients, start, s, seed):
    rngs = [np.random.default_rng((seed, i)) for i in range(len(clients))]
    everything = sum(c.data_points for c in clients)
    shares = [float(Fraction(c.data_points, everything)) for c in clients]
    w = start
    yield w
    for _ in range(s.rounds):
        ends = [last(steps(w, c, s, rng)) for c, rng in zip(clients, rngs, strict=False)]
        w = np.einsum("i,ij->j", np.array(shares), np.array(ends))
        yield w
