"""Settings with usual values for what a test does not name."""

from typing import Any

import numpy as np

from synthetic.algorithms import dp_fedavg


def private(**named: Any) -> dp_fedavg.Settings:
    """DP-FedAvg without noise: one round of two local steps in four dimensions, two clients wanted."""
    usual: dict[str, Any] = {"start": np.ones(4), "rounds": 1, "local_steps": 2, "local_step": 0.1}
    usual |= {"clip_threshold": 1.0, "clients_per_round": 2, "noise_scale": 0.0}
    return dp_fedavg.Settings(**(usual | named))
