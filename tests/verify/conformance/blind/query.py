"""TF-privacy-like query objects: initial state, preprocess, accumulate, noised result; DP-SGD in DP-FL."""

import collections

import numpy as np

GlobalState = collections.namedtuple("GlobalState", "l2_norm_clip stddev denominator")


class NormalizedGaussianAverage:
    def __init__(self, clip, multiplier, denominator, rng):
        self.rng = rng
        self.state = GlobalState(clip, clip * multiplier, denominator)

    def initial_sample_state(self, d):
        return np.zeros(d)

    def preprocess_record(self, record):
        norm = np.sqrt(np.sum(record**2))
        return record * self.state.l2_norm_clip / norm if norm > self.state.l2_norm_clip else record

    def accumulate_record(self, acc, record):
        return acc + self.preprocess_record(record)

    def get_noised_result(self, acc):
        noise = self.rng.standard_normal(acc.shape) * self.state.stddev
        return (acc + noise) / self.state.denominator


def fl(x, clients, settings, random):
    total = sum(clients[i].data_points for i in range(len(clients)))
    new = np.zeros_like(x)
    for i in range(len(clients)):
        c, w = clients[i], x.copy()
        q = NormalizedGaussianAverage(
            settings.clip_threshold, settings.noise_multiplier, settings.batch_size, random
        )
        for _t in range(settings.local_steps):
            acc = q.initial_sample_state(len(w))
            grads = c.gradients_of_data(w)
            for j in range(c.data_points):
                if random.random() < settings.batch_size / c.data_points:
                    acc = q.accumulate_record(acc, grads[j])
            w -= settings.step * q.get_noised_result(acc)
        new += c.data_points / total * w
    return new
