"""The noisy centralised companion of DPFL alone, for runs whose clients are no listing of this engine."""

import numpy as np

from synthetic.algorithms._common import clip, tolerate_divergence
from synthetic.engine.arithmetic import Array
from synthetic.engine.plan import Plan
from synthetic.engine.randomness import Place
from synthetic.problem import Problem


@tolerate_divergence
def companions(
    problem: Problem,
    starts: Array,
    *,
    steps: int,
    step: float,
    clip_threshold: float,
    noise_multiplier: float,
    seed: int,
    stream: str,
) -> Array:
    """From each start (R, d): v <- v - step (clip(grad f(v)) + N(0, sigma^2 C^2 I)), so many times.

    The noise is the independent one of `synthetic.algorithms.dpfl`, which is not divided by the batch size.
    """
    scale = 0.0 if noise_multiplier == 0 else noise_multiplier * clip_threshold
    blocks = list(Plan().numbers(seed=seed, stream=stream, replicates=len(starts)))
    v = starts
    for j in range(steps):
        place = Place(purpose="auxiliary noise", round=0, local_step=j)
        drawn = np.concatenate([b.normals(place, problem.dimension)[: b.wanted] for b in blocks])
        v = v - step * (clip(problem.gradient(v), clip_threshold) + scale * drawn)
    return v
