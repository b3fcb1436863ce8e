"""The functions on which the textbook transcription shows equality, run step by step."""

from collections.abc import Callable
from typing import Any

import numpy as np

Random = np.random.Generator
Numbers = dict[str, float]


def size(chance: Random, decades: float = 1.0) -> float:
    return float(10 ** chance.uniform(-decades, decades))


def descended(L: float, D0: float, steps: int) -> float:
    """Last value on the Huber function whose radius is D0/(2 steps + 1)."""
    radius, x = D0 / (2 * steps + 1), D0
    for _ in range(steps):
        x -= x if abs(x) <= radius else radius * np.sign(x)
    return L * x**2 / 2 if abs(x) <= radius else L * radius * (abs(x) - radius / 2)


def convex(chance: Random) -> Numbers:
    L, D0, N = size(chance), size(chance), int(chance.integers(0, 12))
    return {"L": L, "D0": D0, "N": N, "final_gap": descended(L, D0, N)}


def one_client(chance: Random) -> Numbers:
    L, D0, E, rounds = size(chance), size(chance), int(chance.integers(1, 6)), int(chance.integers(0, 6))
    return {"L": L, "D0": D0, "E": E, "rounds": rounds, "federated_gap": descended(L, D0, E * rounds)}


def nonconvex(chance: Random) -> Numbers:
    """The derivative is c at every iterate and c/2 between two; behind the last it falls to 0."""
    L, c, N = size(chance), size(chance), int(chance.integers(0, 12))
    h = c / L

    def derivative(x: float) -> float:
        if x >= 0:
            return c
        if x <= -N * h:
            return max(0.0, L * (x + (N + 1) * h))
        part = (-x / h) % 1.0
        return c - c * min(part, 1 - part)

    x, squares = 0.0, [derivative(0.0) ** 2]
    for _ in range(N):
        x = -h * round((x - derivative(x) / L) / -h)  # the iterates are whole multiples of h
        squares.append(derivative(x) ** 2)
    fall = N * 3 / 4 * c * h + c * h / 2
    return {"L": L, "f0_gap": fall, "N": N, "min_squared_gradient": min(squares)}


def strongly_convex(chance: Random) -> Numbers:
    L, D0, N = size(chance), size(chance), int(chance.integers(0, 12))
    mu, x = L * chance.choice([1.0, 0.5, chance.uniform()]), D0
    for _ in range(N):
        x -= mu * x / L
    return {"L": L, "mu": mu, "D0": D0, "N": N, "squared_distance": x**2}


def stochastic(chance: Random) -> Numbers:
    """mean of x^2 on a/2 x^2 with a = mu or L, both of which the hypotheses allow."""
    L, D0, K = size(chance), size(chance), int(chance.integers(0, 30))
    mu = L * chance.choice([1.0, 0.1, chance.uniform(0.01, 1)])
    eta = 2 / (L + mu) * chance.choice([chance.uniform(0.01, 1), 1 - 1e-5, chance.uniform(1, 3)])
    sigma = size(chance) * chance.choice([0, 1])
    a, square = chance.choice([mu, L]), D0**2
    for _ in range(K):
        square = (1 - eta * a) ** 2 * square + eta**2 * sigma**2
    own = {"L": L, "mu": mu, "D0": D0, "K": K, "eta": eta, "sigma": sigma, "squared_distance": square}
    return own if eta * mu < 1 else {}


INSTANCES: dict[str, Callable[[Random], dict[str, Any]]] = {
    "textbook.gradient_descent_convex": convex,
    "textbook.federated_averaging_one_client": one_client,
    "textbook.gradient_descent_nonconvex": nonconvex,
    "textbook.gradient_descent_strongly_convex": strongly_convex,
    "textbook.stochastic_gradient_descent": stochastic,
}
