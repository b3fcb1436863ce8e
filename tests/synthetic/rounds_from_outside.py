"""Rounds as an author from outside writes them, and how tests run one: shared by several files."""

import numpy as np
import torch

from synthetic import run
from synthetic.outside.algorithms import adopt
from synthetic.outside.settings import make_settings
from synthetic.problems import build
from synthetic.run import runnable

PROBLEM = build("quadratic.small", clients=3, dimension=4)
START = np.array([1.0, -2.0, 0.5, 3.0])


def average(state, clients, settings, random):
    """FedAvg with full participation."""
    models = []
    for client in clients:
        x = state
        for _ in range(settings.local_steps):
            x = x - settings.local_step * client.gradient(x)
        models.append(x)
    return np.mean(models, axis=0)


def begin_scaffold(x0, clients, settings):
    return {"x": x0, "server": np.zeros_like(x0), "controls": np.zeros((len(clients), len(x0)))}


def scaffold(state, clients, settings, random):
    x, server, controls = state["x"], state["server"], state["controls"]
    local = np.tile(x, (len(clients), 1))
    for _ in range(settings.local_steps):
        local = local - settings.local_step * (clients.gradients(local) - controls + server)
    new = controls - server + (x - local) / (settings.local_steps * settings.local_step)
    return {
        "x": x + (local - x).mean(axis=0),
        "server": server + (new - controls).mean(axis=0),
        "controls": new,
    }


def noisy(state, clients, settings, random):
    return state - settings.step * (clients.gradient(state) + settings.noise * random.standard_normal(4))


def noisy_rows(state, clients, settings, random):
    noise = settings.noise * random.standard_normal((64, 4))
    return state - settings.step * (clients.gradient(state) + noise)


def descent(state, clients, settings, random):
    return state - settings.step * clients.gradient(state)


def descent_in_torch(state, clients, settings, random):
    return state - settings.step * clients.gradients(state).mean(dim=0)


def noisy_in_torch(state, clients, settings, random):
    noise = torch.randn(4, generator=random, dtype=torch.float64)
    return state - settings.step * (clients.gradient(state) + noise)


LOCAL = {"local_step": 0.2, "local_steps": 3}
NOISY = {"step": 0.1, "noise": 0.5}


def traced(algorithm, *, replicates=1, rounds=5, start=START, problem=PROBLEM, observe=("state",), **options):
    name, plan = adopt(algorithm), options.pop("plan", None)
    made = make_settings(name, runnable(name).settings, {"start": start, "rounds": rounds, **options})
    observed = None if observe is None else list(observe)
    return run(name, problem, made, replicates=replicates, seed=3, stream="a", observe=observed, plan=plan)


def states(*arguments, **options):
    return traced(*arguments, **options).measurements["state"]
