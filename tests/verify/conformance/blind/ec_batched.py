"""Fed-alpha-NormEC, vectorized, an Algorithm with begin; torch."""

import torch

from fedbounds import REQUIRED, Algorithm


def begin(x0, clients, settings):
    v = torch.as_tensor(settings.initial_memory, dtype=torch.float64).clone()
    return {"x": x0.clone(), "v": v, "g": v.mean(0)}


def normec(state, clients, settings, random):
    x, v, g = state["x"], state["v"], state["g"]
    M, d = v.shape
    y = x.repeat(M, 1)
    for _ in range(settings.local_steps):
        y = y - (settings.local_step / settings.local_steps) * clients.gradients(y)
    u = (x - y) / settings.local_step
    e = u - v
    delta = e / (settings.smoothing + e.norm(dim=1, keepdim=True))
    v_new = v + settings.memory_step * delta
    b = torch.bernoulli(
        torch.full((M, 1), float(settings.probability), dtype=torch.float64), generator=random
    )
    z = torch.randn(M, d, generator=random, dtype=torch.float64) * settings.noise_scale / d**0.5
    g = g + settings.memory_step * (b * (delta + z) / settings.probability).mean(0)
    nrm = g.norm()
    step = g / nrm if nrm > 0 else torch.zeros_like(g)
    return {"x": x - settings.server_step * step, "v": v_new, "g": g}


NORMEC = Algorithm(
    round=normec,
    begin=begin,
    library="torch",
    settings=dict.fromkeys(
        [
            "local_steps",
            "local_step",
            "memory_step",
            "server_step",
            "smoothing",
            "probability",
            "noise_scale",
            "initial_memory",
        ],
        REQUIRED,
    ),
)
