"""Right implementations beside the literal ones: the engine, the listings, torch and plain Python."""

import math
import random as python_random

import numpy as np
import torch
from listings import dp_fedavg as listed_private
from listings import dp_norm_fedavg as listed_normalizing
from listings import fedavg as listed_plain
from listings import gradient_descent as listed_descent
from listings import stochastic_gradient_descent as listed_noisy

import synthetic
from synthetic.algorithms import (
    dp_fedavg,
    dp_norm_fedavg,
    fedavg,
    gradient_descent,
    stochastic_gradient_descent,
)
from synthetic.oracles import Gaussian
from synthetic.participation import FixedSize


def engine(name, algorithm, clients, start, settings, seed, **others):
    """States of a run of the engine, whose settings have the names that a target is handed."""
    fields = algorithm.Settings.__dataclass_fields__
    named = {field: getattr(settings, field) for field in fields if hasattr(settings, field)}
    made = algorithm.Settings(**(named | {"start": start} | others))
    done = synthetic.run(
        name, clients._problem, made, replicates=1, seed=seed, stream="conform", observe=("state",)
    )
    return done.measurements["state"][0]


def engine_private(clients, start, settings, seed, placement="clients"):
    return engine("dp_fedavg", dp_fedavg, clients, start, settings, seed, noise_placement=placement)


def engine_at_server(clients, start, settings, seed):
    return engine_private(clients, start, settings, seed, placement="server")


def engine_normalizing(clients, start, settings, seed):
    return engine("dp_norm_fedavg", dp_norm_fedavg, clients, start, settings, seed)


def engine_plain(clients, start, settings, seed):
    some = FixedSize(count=settings.clients_per_round)
    return engine("fedavg", fedavg, clients, start, settings, seed, participation=some)


def engine_descent(clients, start, settings, seed):
    return engine("gradient_descent", gradient_descent, clients, start, settings, seed, steps=settings.rounds)


def engine_noisy(clients, start, settings, seed):
    oracle = Gaussian(scale=settings.noise_scale) if settings.noise_scale else Gaussian(scale=1e-300)
    name, more = "stochastic_gradient_descent", {"steps": settings.rounds, "oracle": oracle}
    return engine(name, stochastic_gradient_descent, clients, start, settings, seed, **more)


def _listed(module, name, threshold, clients, start, settings, seed):
    random, n, r = np.random.default_rng(seed), len(clients), settings.clients_per_round
    states, _, _ = getattr(module, name)(
        start,
        rounds=range(settings.rounds),
        E=settings.local_steps,
        eta=lambda k: settings.local_step,
        beta=lambda k: settings.server_step,
        C=threshold,
        r=r,
        sigma=settings.noise_scale,
        sampled=lambda k: np.flatnonzero(random.random(n) < r / n),
        gradient=lambda i, w: clients[i].gradient(w),
        normal=lambda k, i: random.standard_normal(len(start)),
    )
    return states


def listing_private(clients, start, settings, seed):
    return _listed(listed_private, "dp_fedavg", settings.clip_threshold, clients, start, settings, seed)


def listing_normalizing(clients, start, settings, seed):
    threshold = settings.update_length
    return _listed(listed_normalizing, "dp_norm_fedavg", threshold, clients, start, settings, seed)


def listing_plain(clients, start, settings, seed):
    random, r = np.random.default_rng(seed), settings.clients_per_round
    return listed_plain.fedavg(
        start,
        rounds=range(settings.rounds),
        E=settings.local_steps,
        eta=lambda k: settings.local_step,
        beta=lambda k: 1.0,
        r=r,
        sampled=lambda k: random.choice(len(clients), size=r, replace=False),
        gradient=lambda i, w, k, tau: clients[i].gradient(w),
    )


def listing_descent(clients, start, settings, seed):
    return listed_descent.gradient_descent(
        start, steps=range(settings.rounds), step=lambda k: settings.step, gradient=clients.gradient
    )


def listing_noisy(clients, start, settings, seed):
    random, d = np.random.default_rng(seed), len(start)
    return listed_noisy.stochastic_gradient_descent(
        start,
        steps=range(settings.rounds),
        step=lambda k: settings.step,
        gradient=clients.gradient,
        noise=lambda k: settings.noise_scale * d**-0.5 * random.standard_normal(d),
    )


def torch_private(state, clients, settings, random):
    """All clients at once, masked; the mean of the models' differences comes from one matrix product."""
    n, r = len(clients), settings.clients_per_round
    models = state.repeat(n, 1)
    for _ in range(settings.local_steps):
        models -= settings.local_step * clients.gradients(models)
    updates = (state - models) / settings.local_step
    lengths = torch.linalg.vector_norm(updates, dim=1, keepdim=True)
    updates = updates * torch.clamp(settings.clip_threshold / lengths.clamp_min(1e-300), max=1.0)
    mask = (torch.rand(n, generator=random, dtype=torch.float64) * n < r).to(torch.float64)
    noise = torch.randn(n, len(state), generator=random, dtype=torch.float64)
    return state - settings.server_step * (mask @ (updates + r**0.5 * settings.noise_scale * noise)) / r


def torch_plain(state, clients, settings, random):
    chosen = torch.randperm(len(clients), generator=random)[: settings.clients_per_round]
    models = []
    for i in chosen.tolist():
        model = state.clone()
        for _ in range(settings.local_steps):
            model = torch.add(model, clients[i].gradient(model), alpha=-settings.local_step)
        models.append(model)
    return torch.stack(models).mean(dim=0)


def python_private(clients, start, settings, seed):
    """Lists of floats, and random numbers of the standard library."""
    random, r = python_random.Random(seed), settings.clients_per_round
    states = [start.tolist()]
    for _ in range(settings.rounds):
        here, total = states[-1], [0.0] * len(start)
        for client in clients:
            if random.random() * len(clients) >= r:
                continue
            there = list(here)
            for _ in range(settings.local_steps):
                slope = client.gradient(np.array(there)).tolist()
                there = [a - settings.local_step * g for a, g in zip(there, slope, strict=True)]
            moved = [(a - b) / settings.local_step for a, b in zip(here, there, strict=True)]
            size = math.sqrt(math.fsum(m * m for m in moved))
            factor = 1.0 if size <= settings.clip_threshold else settings.clip_threshold / size
            noise = [random.gauss(0.0, math.sqrt(r) * settings.noise_scale) for _ in moved]
            total = [t + factor * m + z for t, m, z in zip(total, moved, noise, strict=True)]
        states.append([a - settings.server_step * t / r for a, t in zip(here, total, strict=True)])
    return states


def python_plain(clients, start, settings, seed):
    random, states = python_random.Random(seed), [start.tolist()]
    for _ in range(settings.rounds):
        models = []
        for i in random.sample(range(len(clients)), settings.clients_per_round):
            there = np.array(states[-1])
            for _ in range(settings.local_steps):
                there = there - settings.local_step * clients[i].gradient(there)
            models.append(there.tolist())
        states.append([math.fsum(column) / len(models) for column in zip(*models, strict=True)])
    return states


RIGHT = (
    ("dp_fedavg", engine_private, "numpy"),
    ("dp_fedavg", engine_at_server, "numpy"),
    ("dp_fedavg", listing_private, "numpy"),
    ("dp_fedavg", torch_private, "torch"),
    ("dp_fedavg", python_private, "numpy"),
    ("dp_norm_fedavg", engine_normalizing, "numpy"),
    ("dp_norm_fedavg", listing_normalizing, "numpy"),
    ("fedavg", engine_plain, "numpy"),
    ("fedavg", listing_plain, "numpy"),
    ("fedavg", torch_plain, "torch"),
    ("fedavg", python_plain, "numpy"),
    ("gradient_descent", engine_descent, "numpy"),
    ("gradient_descent", listing_descent, "numpy"),
    ("stochastic_gradient_descent", engine_noisy, "numpy"),
    ("stochastic_gradient_descent", listing_noisy, "numpy"),
)
