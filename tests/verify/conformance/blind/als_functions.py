"""ALS-DPFL as functions on a state that is handed on."""

# ruff: noqa: B905  as a stranger writes it

from math import inf, sqrt
from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    w: object
    models: tuple
    tau: int
    communication: float
    privacy: float


def descend(w, client, tau, s, rng):
    for _ in range(tau):
        chosen = [j for j in range(client.data_points) if rng.uniform() < s.batch_size / client.data_points]
        rows = client.gradients_of_data(w)
        clipped = [rows[j] / max(1.0, np.linalg.norm(rows[j]) / s.clip_threshold) for j in chosen]
        noise = rng.normal(0.0, s.noise_multiplier * s.clip_threshold, w.shape)
        w = w - s.step / s.batch_size * (sum(clipped, np.zeros(w.shape)) + noise)
    return w


def slope(client, a, b):
    return abs(client.value(a) - client.value(b)) / np.linalg.norm(a - b)


def bend(client, a, b):
    return np.linalg.norm(client.gradient(a) - client.gradient(b)) / np.linalg.norm(a - b)


def psi(tau, rho, beta, xi, d, s):
    S = 2 * sqrt(d) * s.noise_multiplier * s.clip_threshold
    geometric = ((1 + s.step * beta) ** tau - 1) / beta if beta else s.step * tau
    h = (xi + S / s.batch_size) * geometric + s.step * tau * (xi + S) / s.batch_size
    T = min(s.communication_budget * tau / s.communication_cost, s.privacy_budget / s.privacy_cost)
    gain = s.step * s.control - rho * h / (tau * s.smallest_gap**2)
    return inf if gain <= 0 else 1 / (T * gain) + sqrt(3) / 3


def advance(state, clients, s, rng):
    if state.communication >= s.communication_budget or state.privacy >= s.privacy_budget:
        return state
    far = [np.linalg.norm(m - state.w) > 1e-13 * (1 + np.linalg.norm(state.w)) for m in state.models]
    rhos = [slope(c, m, state.w) if f else 0.0 for c, m, f in zip(clients, state.models, far)]
    betas = [bend(c, m, state.w) if f else 0.0 for c, m, f in zip(clients, state.models, far)]
    models = tuple(descend(state.w, c, state.tau, s, rng) for c in clients)
    w = np.average(models, axis=0, weights=[c.data_points for c in clients])
    tau = state.tau
    if any(rhos) or any(betas):
        gradients = [c.gradient(w) for c in clients]
        center = np.mean(gradients, axis=0)
        xi = np.mean([np.linalg.norm(g - center) for g in gradients])
        candidates = list(range(1, min(2 * tau, s.search_limit) + 1))
        tau = min(candidates, key=lambda t: psi(t, np.mean(rhos), np.mean(betas), xi, len(w), s))
    spent = state.privacy + state.tau * s.privacy_cost
    return State(w, models, tau, state.communication + s.communication_cost, spent)


def run(clients, start, settings, seed):
    rng = np.random.default_rng(seed)
    people = [clients[i] for i in range(len(clients))]
    states = [State(start, (start,) * len(people), 1, 0.0, 0.0)]
    for _ in range(settings.rounds):
        states.append(advance(states[-1], people, settings, rng))
    return np.array([state.w for state in states])
