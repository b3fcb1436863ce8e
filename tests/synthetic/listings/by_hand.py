"""Client functions written out one by one beside the problem of the engine that has the same data."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from synthetic.problems.component_sums import component_sum
from synthetic.problems.huber import huber
from synthetic.problems.logistic import logistic
from synthetic.problems.quadratic import quadratic


@dataclass(frozen=True)
class Clients:
    """value(i, x), gradient(i, x); piece_gradient(i, j, x) of component or sample j; f_0 rests at `still`."""

    problem: Any
    value: Callable
    gradient: Callable
    still: np.ndarray
    piece_gradient: Callable | None = None
    sizes: tuple = ()


def symmetric(random, dimension, rank):
    """Spectrum within [0, 1]."""
    turn, _ = np.linalg.qr(random.standard_normal((dimension, dimension)))
    spectrum = np.where(np.arange(dimension) < rank, random.uniform(0.1, 0.9, dimension), 0.0)
    matrix = np.round((turn * spectrum) @ turn.T * 2**20) / 2**20
    return (matrix + matrix.T) / 2


def quadratics(random, n, d):
    hessians = [symmetric(random, d, d) for _ in range(n)]
    centers = random.standard_normal((n, d))
    return Clients(
        problem=quadratic(np.array(hessians), centers),
        value=lambda i, x: (x - centers[i]) @ hessians[i] @ (x - centers[i]) / 2,
        gradient=lambda i, x: hessians[i] @ (x - centers[i]),
        still=centers[0],
    )


def hubers(random, n, d):
    """All centres within the threshold of their mean."""
    L, threshold = 0.8, 1.5
    centers = random.standard_normal((n, d))
    centers = 0.5 * centers / max(1.0, np.linalg.norm(centers, axis=1).max())

    def value(i, x):
        r = np.linalg.norm(x - centers[i])
        return L / 2 * r**2 if r <= threshold else L * threshold * (r - threshold / 2)

    def gradient(i, x):
        r = np.linalg.norm(x - centers[i])
        return L * (x - centers[i]) if r <= threshold else L * threshold * (x - centers[i]) / r

    return Clients(
        problem=huber(curvature=L, threshold=threshold, centers=centers),
        value=value,
        gradient=gradient,
        still=centers[0],
    )


def logistics(random, n, d):
    """Samples of different number at every client, at least 5."""
    l2, sizes = 0.125, tuple(5 + i % 3 for i in range(n))
    features = [random.standard_normal((m, d)) / math.sqrt(d) for m in sizes]
    labels = [np.where(random.random(m) < 0.5, -1.0, 1.0) for m in sizes]

    def value(i, x):
        losses = [math.log1p(math.exp(-y * (a @ x))) for a, y in zip(features[i], labels[i], strict=True)]
        return sum(losses) / sizes[i] + l2 / 2 * (x @ x)

    def piece_gradient(i, s, x):
        a, y = features[i][s], labels[i][s]
        return -y * a / (1 + math.exp(y * (a @ x))) + l2 * x

    return Clients(
        problem=logistic(features, labels, l2=l2),
        value=value,
        gradient=lambda i, x: sum(piece_gradient(i, s, x) for s in range(sizes[i])) / sizes[i],
        piece_gradient=piece_gradient,
        sizes=sizes,
        still=np.zeros(d),
    )


def sums(random, n, d):
    """Three quadratic components at every client, the last two flat in some direction unless d = 1."""
    N = 3
    hessians = [[symmetric(random, d, d if j == 0 else max(1, d - 1)) for j in range(N)] for _ in range(n)]
    # the matrices of low rank are only nearly singular after rounding: lifted, so that they stay semidefinite
    hessians = np.array(hessians) + 2.0**-10 * np.eye(d)
    centers = random.standard_normal((n, N, d))

    def value(i, x):
        away = [x - centers[i, j] for j in range(N)]
        return sum(away[j] @ hessians[i, j] @ away[j] for j in range(N)) / 2 / N

    def piece_gradient(i, j, x):
        return hessians[i, j] @ (x - centers[i, j])

    return Clients(
        problem=component_sum(hessians, centers),
        value=value,
        gradient=lambda i, x: sum(piece_gradient(i, j, x) for j in range(N)) / N,
        piece_gradient=piece_gradient,
        sizes=(N,) * n,
        still=np.zeros(d),
    )


KINDS = {"quadratic": quadratics, "huber": hubers, "logistic": logistics, "component_sum": sums}
