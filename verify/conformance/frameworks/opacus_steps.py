"""Opacus 1.6: its optimizer and its Poisson sampler make every local step of every client."""

from typing import Any

import numpy as np
import torch
from opacus.optimizers import DPOptimizer
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


def poisson(clients: Any, start: Any, settings: Any, seed: int) -> Any:
    """Every client takes local_steps steps of DP-SGD; the models are averaged by numbers of data points."""
    generator, states = torch.Generator().manual_seed(seed), [start]
    sizes = np.array([client.data_points for client in clients], dtype=np.float64)
    for _ in range(settings.rounds):
        models = [_local_model(client, states[-1], settings, generator) for client in clients]
        states.append(sizes @ np.array(models) / sizes.sum())
    return np.array(states)


def _local_model(client: Any, w: Any, settings: Any, generator: Any) -> Any:
    model = torch.nn.Parameter(torch.as_tensor(w.copy()))
    optimizer = DPOptimizer(
        torch.optim.SGD([model], lr=settings.step),
        noise_multiplier=settings.noise_multiplier,
        max_grad_norm=settings.clip_threshold,
        expected_batch_size=settings.batch_size,
        generator=generator,
    )
    batches = UniformWithReplacementSampler(
        num_samples=client.data_points,
        sample_rate=settings.batch_size / client.data_points,
        generator=generator,
        steps=settings.local_steps,
    )
    for batch in batches:
        rows = client.gradients_of_data(model.detach().numpy().copy())
        setattr(model, "grad_sample", torch.as_tensor(rows[batch]))  # noqa: B010  torch declares no such name
        optimizer.step()
        optimizer.zero_grad()
    return model.detach().numpy().copy()
