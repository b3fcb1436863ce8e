"""ALS-DPFL with frozen records; each round is a function from one record to the next."""

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Run:
    w: np.ndarray
    locals: np.ndarray
    tau: int = 1
    rounds: int = 0
    steps: int = 0


def private_step(y, client, s, rng):
    g = client.gradients_of_data(y)
    g = g / np.maximum(1.0, np.linalg.norm(g, axis=1) / s.clip_threshold)[:, None]
    take = rng.random(len(g)) < s.batch_size / len(g)
    noise = s.noise_multiplier * s.clip_threshold * rng.standard_normal(y.size)
    return y - s.step * (g[take].sum(axis=0) + noise) / s.batch_size


def local(client, w, tau, s, rng):
    for _ in range(tau):
        w = private_step(w, client, s, rng)
    return w


def estimate(client, y, w):
    apart = np.linalg.norm(y - w)
    if apart < 1e-12 * (1 + np.linalg.norm(w)):
        return 0.0, 0.0
    bend = np.linalg.norm(client.gradient(y) - client.gradient(w))
    return abs(client.value(y) - client.value(w)) / apart, bend / apart


def spread(clients, w):
    g = np.array([c.gradient(w) for c in clients])
    return np.linalg.norm(g - g.mean(axis=0), axis=1).mean()


def G(tau, rho, beta, xi, d, s):
    S = 2 * np.sqrt(d) * s.noise_multiplier * s.clip_threshold
    grown = sum((1 + s.step * beta) ** j for j in range(tau)) * s.step
    h = (xi + S / s.batch_size) * grown + s.step * tau * (xi + S) / s.batch_size
    T = min(tau * s.communication_budget / s.communication_cost, s.privacy_budget / s.privacy_cost)
    bracket = s.step * s.control - rho * h / (tau * s.smallest_gap**2)
    return 1 / (T * bracket) if bracket > 0 else np.inf


def next_round(run, clients, s, rngs):
    if run.rounds * s.communication_cost >= s.communication_budget:
        return run
    if run.steps * s.privacy_cost >= s.privacy_budget:
        return run
    found = [estimate(c, y, run.w) for c, y in zip(clients, run.locals, strict=True)]
    models = np.array([local(c, run.w, run.tau, s, g) for c, g in zip(clients, rngs, strict=True)])
    sizes = np.array([c.data_points for c in clients])
    w = (sizes @ models) / sizes.sum()
    done = replace(run, w=w, locals=models, rounds=run.rounds + 1, steps=run.steps + run.tau)
    rho, beta = np.mean(found, axis=0)
    if rho == 0 and beta == 0:
        return done
    xi = spread(clients, w)
    options = range(1, min(2 * run.tau, s.search_limit) + 1)
    return replace(done, tau=min(options, key=lambda t: G(t, rho, beta, xi, w.size, s)))


def main(clients, start, settings, seed):
    rngs = [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(len(clients))]
    people = [clients[i] for i in range(len(clients))]
    run = Run(start, np.tile(start, (len(people), 1)))
    yield run.w
    for _ in range(settings.rounds):
        run = next_round(run, people, settings, rngs)
        yield run.w
