"""Random objects of the lemmas of the fed_norm_ec transcription."""

from itertools import product
from typing import Any

import numpy as np
from numbers_on_objects import DIMENSION, Draw, points, random_loss, scalars

CLIENTS, COMPONENTS, STEPS, ROUNDS = 2, 4, 5, 3
# With this chance each increment of Lemma 2 goes forward, one after the other over rounds and clients.
CHANCE = np.linspace(0.2, 0.7, ROUNDS * CLIENTS)
FORWARD = np.array(list(product([False, True], repeat=ROUNDS * CLIENTS)))


def independent_increments(rng: np.random.Generator) -> dict[str, Any]:
    """All outcomes of independent z_i^k of mean zero: each goes one of two ways along its own direction."""
    directions = rng.normal(size=(ROUNDS, CLIENTS, DIMENSION))
    return {"z": np.where(FORWARD, 1 - CHANCE, -CHANCE).reshape(-1, ROUNDS, CLIENTS, 1) * directions}


def client_losses(rng: np.random.Generator) -> list[list[Any]]:
    return [[random_loss(rng) for _ in range(COMPONENTS)] for _ in range(CLIENTS)]


def lowest_values(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "f_i_inf": rng.uniform(-2, 0, size=CLIENTS),
        "f_ij_inf": rng.uniform(-4, -2, size=(CLIENTS, COMPONENTS)),
    }


def a_function(rng: np.random.Generator) -> dict[str, Any]:
    loss = random_loss(rng)
    return {"f": loss.value, "gradient": loss, "f_inf": -10.3}


# What all cases share, and what differs between them.
CHECKED: dict[str, tuple[Draw, Draw]] = {
    "smoothed_normalization": (lambda rng: scalars(rng, "alpha"), lambda rng: points(rng, "v")),
    "lemma_1": (
        lambda rng: scalars(rng, "alpha", "beta", "gamma", "eta", "rho", "C") | {"local": random_loss(rng)},
        lambda rng: points(rng, "v", "x", "x_next"),
    ),
    "lemma_2": (
        lambda rng: (
            scalars(rng, "beta", "sigma") | {"weights": np.where(FORWARD, CHANCE, 1 - CHANCE).prod(1)}
        ),
        lambda rng: points(rng, "start") | independent_increments(rng),
    ),
    "lemma_4": (
        lambda rng: scalars(rng, "gamma_step", "L") | a_function(rng),
        lambda rng: points(rng, "x", "G"),
    ),
    "lemma_5": (
        lambda rng: scalars(rng, "b_1", "b_2", "b_3", "gamma_sequence"),
        lambda rng: {"V": rng.uniform(size=ROUNDS + 1), "W": rng.uniform(size=ROUNDS)},
    ),
    "lemma_6": (
        lambda rng: scalars(rng, "f_inf", "L") | {"f_i_inf": rng.uniform(-2, 0, size=CLIENTS)},
        lambda rng: {"gradients": rng.normal(size=(CLIENTS, DIMENSION)), "f": rng.uniform(2, 3)},
    ),
    "lemma_8": (
        lambda rng: (
            scalars(rng, "f_inf", "gamma", "L") | lowest_values(rng) | {"gradients": client_losses(rng)}
        ),
        lambda rng: points(rng, "x") | {"f": rng.uniform(2, 3)},
    ),
    **dict.fromkeys(
        (f"lemma_7.c{part}" for part in range(1, 6)),
        (
            lambda rng: scalars(rng, "gamma", "L", "eta") | {"gradient": random_loss(rng), "T": STEPS},
            lambda rng: points(rng, "x", "x_next"),
        ),
    ),
    **dict.fromkeys(
        (f"lemma_9.c{part}" for part in range(1, 5)),
        (
            lambda rng: scalars(rng, "gamma", "L", "eta") | {"gradients": client_losses(rng)},
            lambda rng: points(rng, "x", "x_next"),
        ),
    ),
}
