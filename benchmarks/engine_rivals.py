"""What a user would write instead of the engine, and what the machine can do at most."""

import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

SQUARE = 1500


def square_product() -> Callable[[], Any]:
    """One product of square float64 matrices, 2 SQUARE^3 operations."""
    random = np.random.default_rng(0)
    one, other = random.standard_normal((2, SQUARE, SQUARE))
    out = np.empty((SQUARE, SQUARE))
    return lambda: np.matmul(one, other, out=out)


def clipped_averaging_by_loops(
    hessians: Any,
    centers: Any,
    start: Any,
    *,
    replicates: int,
    step: float,
    local_steps: int,
    clip: float,
    sigma: float,
    minimum: float,
) -> Callable[[], Any]:
    """One round in torch, one client after the other, one replicate after the other; full participation."""
    Q, c = torch.as_tensor(hessians.copy()), torch.as_tensor(centers.copy())
    n, d = c.shape

    def one_round(w: torch.Tensor) -> torch.Tensor:
        total = torch.zeros(d, dtype=torch.float64)
        for i in range(n):
            local = w.clone()
            for _ in range(local_steps):
                local -= step * (Q[i] @ (local - c[i]))
            update = (w - local) / step
            noise = sigma * math.sqrt(n) * torch.randn(d, dtype=torch.float64)
            total += update * min(1.0, clip / float(update.norm())) + noise
        return w - step * total / n

    def value(w: torch.Tensor) -> float:
        away = w - c
        return float((away * (Q @ away[..., None])[..., 0]).sum() / (2 * n)) - minimum

    def rounds() -> list[float]:
        gaps = []
        for _ in range(replicates):
            w = torch.as_tensor(start, dtype=torch.float64)
            gaps.append(value(w))
            one_round(w)
        return gaps

    return rounds


def clipped_averaging_batched(
    hessians: Any,
    centers: Any,
    start: Any,
    *,
    replicates: int,
    step: float,
    local_steps: int,
    clip: float,
    sigma: float,
    minimum: float,
) -> Callable[[], Any]:
    """The same round in numpy, all clients and replicates at once, dense Hessians."""
    n, d = centers.shape
    random = np.random.default_rng(1)

    def one_round() -> Any:
        local = np.broadcast_to(start, (n, replicates, d)).copy()
        for h in range(local_steps):
            away = local - centers[:, None]
            gradients = away @ hessians
            if h == 0:
                gaps = (away * gradients).sum(axis=(0, 2)) / (2 * n) - minimum
            local -= step * gradients
        update = (start - local) / step
        factors = np.minimum(1.0, clip / np.linalg.norm(update, axis=-1, keepdims=True))
        noise = sigma * random.standard_normal((replicates, d))  # of all clients together
        return gaps, start - step * ((update * factors).sum(axis=0) / n + noise)

    return one_round


def roofline_of_logistic(features: Any, *, replicates: int, steps: int) -> Callable[[], Any]:
    """The products and sigmoids of so many gradients, each by the faster of numpy and torch, in place."""
    clients, samples, dimension = features.shape
    rows, across = features.copy(), np.ascontiguousarray(features.swapaxes(1, 2))
    points = np.random.default_rng(3).standard_normal((clients, replicates, dimension))
    scores, gradients = np.empty((clients, replicates, samples)), np.empty_like(points)
    shared = torch.from_numpy(scores)

    def passes() -> None:
        for _ in range(steps):
            np.matmul(points, across, out=scores)
            torch.sigmoid(shared, out=shared)
            np.matmul(scores, rows, out=gradients)

    return passes


def clipped_averaging_in_jax(
    hessians: Any,
    centers: Any,
    start: Any,
    *,
    replicates: int,
    step: float,
    local_steps: int,
    clip: float,
    sigma: float,
    minimum: float,
) -> Callable[[], Any] | None:
    """The same round by vmap over clients and replicates, compiled; None where jax is not installed."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")  # one thread, as all others
    try:
        import jax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    Q, c, jnp = jax.numpy.asarray(hessians), jax.numpy.asarray(centers), jax.numpy

    def update(Qi: Any, ci: Any, w: Any) -> Any:
        last = jax.lax.fori_loop(0, local_steps, lambda _, x: x - step * (Qi @ (x - ci)), w)
        sent = (w - last) / step
        return sent * jnp.minimum(1.0, clip / jnp.linalg.norm(sent))

    def one(w: Any, key: Any) -> Any:
        gap = jax.vmap(lambda Qi, ci: (w - ci) @ Qi @ (w - ci) / 2)(Q, c).mean() - minimum
        moved = jax.vmap(update, in_axes=(0, 0, None))(Q, c, w).mean(axis=0)
        return gap, w - step * (moved + sigma * jax.random.normal(key, w.shape))

    states = jnp.broadcast_to(jnp.asarray(start), (replicates, len(start)))
    keys = jax.random.split(jax.random.key(0), replicates)
    compiled = jax.jit(jax.vmap(one))
    return lambda: jax.block_until_ready(compiled(states, keys))
