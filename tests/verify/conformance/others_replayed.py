"""Right code of noisy local steps and error feedback: the engine, the listings, torch, plain Python."""

import math
import random as python_random

import numpy as np
import torch
from listings import als_dpfl as listed_adaptive
from listings import dpfl as listed_noisy
from listings import fed_alpha_norm_ec as listed_feedback
from others import engine

from synthetic.algorithms import als_dpfl, dpfl, fed_alpha_norm_ec
from synthetic.participation import Independent


def _engine(name, algorithm, clients, start, settings, seed, **others):
    states, rounds = engine(name, algorithm, clients, start, settings, seed, **others), settings.rounds
    # a run that has ended is as long as its rounds; afterwards its state stays
    missing = max(0, rounds + 1 - len(states))
    return np.vstack([states, np.repeat(states[-1:], missing, axis=0)])[: rounds + 1]


def engine_noisy_steps(clients, start, settings, seed):
    return _engine("dpfl", dpfl, clients, start, settings, seed, auxiliary_noise="independent")


def _lasting(settings):
    """The budget; a huge one is cut to the rounds asked for, as the engine runs until it is spent."""
    most = settings.communication_cost * (settings.rounds + 1)
    return (
        min(settings.communication_budget, most)
        if settings.search_limit == 1
        else settings.communication_budget
    )


def engine_adaptive(clients, start, settings, seed):
    more = {"communication_budget": _lasting(settings), "auxiliary_noise": "independent"}
    return _engine("als_dpfl", als_dpfl, clients, start, settings, seed, **more)


def engine_feedback(clients, start, settings, seed, placement="clients"):
    more = {"last_round": settings.rounds, "private": settings.noise_scale > 0, "noise_placement": placement}
    more["participation"] = Independent(probability=settings.probability)
    return _engine("fed_alpha_norm_ec", fed_alpha_norm_ec, clients, start, settings, seed, **more)


def engine_feedback_at_server(clients, start, settings, seed):
    return engine_feedback(clients, start, settings, seed, placement="server")


def listing_noisy_steps(clients, start, settings, seed):
    """The listing takes the client's function B times over; data points are drawn outside it."""
    random, n = np.random.default_rng(seed), len(clients)
    averages, _ = listed_noisy.dpfl(
        start,
        rounds=range(settings.rounds),
        clients=n,
        tau=settings.local_steps,
        eta=settings.step,
        sigma=settings.noise_multiplier,
        C=settings.clip_threshold,
        B=settings.batch_size,
        gradient=lambda i, w: clients[i].gradient(w),
        normal=lambda k, i, j: random.standard_normal(len(start)),
        auxiliary_noise=lambda k, j: np.zeros(len(start)),
    )
    return np.array(averages)


def listing_adaptive(clients, start, settings, seed):
    random, d = np.random.default_rng(seed), len(start)
    averages, _ = listed_adaptive.als_dpfl(
        start,
        clients=len(clients),
        value=lambda i, w: clients[i].value(w),
        gradient=lambda i, w: clients[i].gradient(w),
        local={
            "eta": settings.step,
            "sigma": settings.noise_multiplier,
            "C": settings.clip_threshold,
            "B": settings.batch_size,
            "normal": lambda k, i, j: random.standard_normal(d),
            "auxiliary_noise": lambda k, j: np.zeros(d),
        },
        C_b=_lasting(settings),
        P_b=settings.privacy_budget,
        cc=settings.communication_cost,
        pc=settings.privacy_cost,
        phi=settings.control,
        lam=settings.smallest_gap,
        limit=settings.search_limit,
    )
    rest = [averages[-1]] * (settings.rounds + 1 - len(averages))
    return np.array([*averages, *rest])[: settings.rounds + 1]


def listing_feedback(clients, start, settings, seed):
    random, n, d = np.random.default_rng(seed), len(clients), len(start)
    memories = list(np.array(settings.initial_memory))

    def operator(i, x):
        return listed_feedback.local_gd(
            i,
            x,
            gamma=settings.local_step,
            T=settings.local_steps,
            gradient=lambda i, x: clients[i].gradient(x),
        )[0]

    states = listed_feedback.fed_alpha_norm_ec(
        start,
        memories,
        sum(memories) / n,
        rounds=range(settings.rounds),
        gamma=settings.local_step,
        beta=settings.memory_step,
        eta=settings.server_step,
        alpha=settings.smoothing,
        p=settings.probability,
        operator=operator,
        sampled=lambda k: np.flatnonzero(random.random(n) < settings.probability),
        noise=lambda k, i: settings.noise_scale * d**-0.5 * random.standard_normal(d),
        server_noise=None,
    )
    return np.array([state[0] for state in states])


def torch_noisy_steps(state, clients, settings, random):
    """Poisson batches by masks; the clipped sum is one matrix product."""
    sizes = torch.tensor([client.data_points for client in clients], dtype=torch.float64)
    models = []
    for client, size in zip(clients, sizes, strict=True):
        model = state.clone()
        for _ in range(settings.local_steps):
            rows = client.gradients_of_data(model)
            factors = settings.clip_threshold / torch.linalg.vector_norm(rows, dim=1).clamp_min(1e-300)
            mask = torch.rand(len(rows), generator=random, dtype=torch.float64) * size < settings.batch_size
            summed = (mask * factors.clamp(max=1.0)) @ rows
            noise = torch.randn(len(state), generator=random, dtype=torch.float64)
            summed += settings.noise_multiplier * settings.clip_threshold * noise
            model -= settings.step / settings.batch_size * summed
        models.append(model)
    return (sizes / sizes.sum()) @ torch.stack(models)


def python_noisy_steps(clients, start, settings, seed):
    """Lists of floats, and random numbers of the standard library."""
    random, states = python_random.Random(seed), [start.tolist()]
    total = sum(client.data_points for client in clients)
    for _ in range(settings.rounds):
        mean = [0.0] * len(start)
        for client in clients:
            there = list(states[-1])
            for _ in range(settings.local_steps):
                rows = client.gradients_of_data(np.array(there)).tolist()
                summed = [
                    settings.noise_multiplier * settings.clip_threshold * random.gauss(0, 1) for _ in there
                ]
                for row in rows:
                    if random.random() * len(rows) < settings.batch_size:
                        size = math.hypot(*row)
                        factor = min(1.0, settings.clip_threshold / size) if size else 1.0
                        summed = [s + factor * g for s, g in zip(summed, row, strict=True)]
                there = [
                    x - settings.step * s / settings.batch_size for x, s in zip(there, summed, strict=True)
                ]
            mean = [m + client.data_points / total * x for m, x in zip(mean, there, strict=True)]
        states.append(mean)
    return states


def torch_feedback(clients, start, settings, seed):
    """All clients at once; memories as one matrix."""
    generator = torch.Generator().manual_seed(seed)
    n, d = len(clients), len(start)
    x = start.clone()
    memories = torch.as_tensor(settings.initial_memory, dtype=torch.float64).clone()
    server, states = memories.mean(dim=0), [x.clone()]
    for _ in range(settings.rounds):
        models = x.repeat(n, 1)
        for _ in range(settings.local_steps):
            models -= settings.local_step / settings.local_steps * clients.gradients(models)
        errors = (x - models) / settings.local_step - memories
        deltas = errors / (settings.smoothing + torch.linalg.vector_norm(errors, dim=1, keepdim=True))
        memories = memories + settings.memory_step * deltas
        mask = (torch.rand(n, generator=generator, dtype=torch.float64) < settings.probability).double()
        noise = settings.noise_scale / d**0.5 * torch.randn(n, d, generator=generator, dtype=torch.float64)
        server = server + settings.memory_step / (n * settings.probability) * (mask @ (deltas + noise))
        if server.any():
            x = x - settings.server_step * server / torch.linalg.vector_norm(server)
        states.append(x.clone())
    return torch.stack(states)


def feedback_from_zero(clients, start, settings, seed):
    """Memories start at zero whatever is asked for, and the server sums without 1/M: the same states."""
    random, n, d = np.random.default_rng(seed), len(clients), len(start)
    x, memories, server, states = start, np.zeros((n, d)), np.zeros(d), [start]
    for _ in range(settings.rounds):
        for i in range(n):
            model = x
            for _ in range(settings.local_steps):
                model = model - settings.local_step / settings.local_steps * clients[i].gradient(model)
            error = (x - model) / settings.local_step - memories[i]
            delta = error / (settings.smoothing + math.sqrt(error @ error))
            memories[i] += settings.memory_step * delta
            if random.random() < settings.probability:
                server = server + delta + settings.noise_scale / math.sqrt(d) * random.standard_normal(d)
        size = math.sqrt(server @ server)
        x = x - settings.server_step / size * server if size > 0 else x
        states.append(x)
    return np.array(states)


# of whole functions: lines on data points are not observable, so nothing differs but not every line agrees
WHOLE = (
    ("dpfl", engine_noisy_steps, "numpy"),
    ("dpfl", listing_noisy_steps, "numpy"),
    ("als_dpfl", engine_adaptive, "numpy"),
    ("als_dpfl", listing_adaptive, "numpy"),
)
RIGHT = (
    ("dpfl", torch_noisy_steps, "torch"),
    ("dpfl", python_noisy_steps, "numpy"),
    ("fed_alpha_norm_ec", engine_feedback, "numpy"),
    ("fed_alpha_norm_ec", engine_feedback_at_server, "numpy"),
    ("fed_alpha_norm_ec", listing_feedback, "numpy"),
    ("fed_alpha_norm_ec", torch_feedback, "torch"),
    ("fed_alpha_norm_ec", feedback_from_zero, "numpy"),
)
