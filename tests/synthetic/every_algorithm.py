"""One short run of every algorithm that discovery finds, and two problems that fit it.

test_run.py fails where an algorithm is missing here.
"""

from dataclasses import replace

from synthetic.algorithms import (
    alpha_norm_ec,
    als_dpfl,
    dp_fedavg,
    dp_norm_fedavg,
    dpfl,
    fed_alpha_norm_ec,
    fedavg,
    gradient_descent,
    memory_update,
    smoothed_dp_fedavg,
    stochastic_gradient_descent,
)
from synthetic.oracles import Gaussian, Sphere
from synthetic.participation import FixedSize, Independent
from synthetic.problems import huber, quadratic

START = (1.0, -1.0)
LOCAL = {"start": START, "rounds": 4, "local_steps": 2, "local_step": 0.5}
AVERAGING = LOCAL | {"local_steps": 3, "local_step": 0.2, "clients_per_round": 2, "noise_scale": 0.1}
FEEDBACK = {"start": START, "last_round": 3, "memory_step": 0.1, "server_step": 0.1, "smoothing": 0.1}
FEEDBACK |= {"noise_scale": 0.1}
NOISY = {"start": START, "step": 0.2, "clip_threshold": 1.0, "noise_multiplier": 0.1, "batch_size": 2}
NOISY |= {"auxiliary_noise": "independent"}
HALF = Independent(probability=0.5)
EXAMPLES = {
    "alpha_norm_ec": alpha_norm_ec.Settings(**FEEDBACK),
    "als_dpfl": als_dpfl.Settings(
        **NOISY, communication_budget=5, privacy_budget=12, control=20.0, smallest_gap=0.5
    ),
    "dp_fedavg": dp_fedavg.Settings(**AVERAGING, clip_threshold=1.0),
    "dp_norm_fedavg": dp_norm_fedavg.Settings(**AVERAGING, update_length=1.0),
    "dpfl": dpfl.Settings(**NOISY, rounds=3, local_steps=2),
    "fed_alpha_norm_ec": fed_alpha_norm_ec.Settings(
        **FEEDBACK, local_steps=2, local_step=0.5, participation=HALF, private=True
    ),
    "fedavg": fedavg.Settings(**LOCAL, participation=FixedSize(count=2), oracle=Sphere(scale=0.3)),
    "gradient_descent": gradient_descent.Settings(start=START, steps=4, step=0.5),
    "memory_update": memory_update.Settings(
        start=START,
        moved=(0.5, 0.0),
        memory=(0.1, 0.2),
        local_steps=2,
        local_step=0.5,
        memory_step=0.1,
        smoothing=0.1,
    ),
    "smoothed_dp_fedavg": smoothed_dp_fedavg.Settings(
        **LOCAL, server_step=0.3, smoothing=0.1, participation=HALF, noise_scale=0.1
    ),
    "stochastic_gradient_descent": stochastic_gradient_descent.Settings(
        start=START, steps=4, step=0.5, oracle=Gaussian(scale=0.1)
    ),
}
PROBLEMS = [quadratic.small(dimension=2, clients=3), huber.small(dimension=2, clients=3)]
# One round of one client, with one answer.
WITHOUT_REPLICATES = {"memory_update"}


def examples_from(start):
    """Those with replicates, from another start."""
    return {n: replace(made, start=start) for n, made in EXAMPLES.items() if n not in WITHOUT_REPLICATES}
