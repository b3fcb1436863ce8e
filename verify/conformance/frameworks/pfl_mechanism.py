"""pfl 0.6: its Gaussian mechanism applied centrally, its weighting, its sampler of users and its average.

What is ours is what pfl leaves to a model: the gradient steps of a client, and the server's step.
"""

from typing import Any

import numpy as np
from pfl.aggregate.weighting import WeightByUser
from pfl.context import CentralContext, UserContext
from pfl.data.sampling import get_user_sampler
from pfl.hyperparam import AlgorithmHyperParams, ModelHyperParams
from pfl.metrics import Metrics
from pfl.privacy.gaussian_mechanism import GaussianMechanism
from pfl.privacy.privacy_mechanism import CentrallyAppliedPrivacyMechanism
from pfl.stats import MappedVectorStatistics

from verify.conformance.frameworks.seeds import seeded


def gaussian(clients: Any, start: Any, settings: Any, seed: int) -> Any:
    """The mechanism on differences of models; the noise of its sum has r times the deviation of sigma."""
    r, states = settings.clients_per_round, [start]
    relative = settings.noise_scale * r / settings.clip_threshold
    mechanism = CentrallyAppliedPrivacyMechanism(GaussianMechanism(settings.clip_threshold, relative))
    with seeded(seed):
        sampler = get_user_sampler("random", list(range(len(clients))))
        for k in range(settings.rounds):
            w, total = states[-1], None
            for _ in range(r):
                sent = _compute_user_update(mechanism, clients[int(sampler())], w, settings)
                total = sent if total is None else total + sent
            context = CentralContext(k, False, r, "train", AlgorithmHyperParams(), ModelHyperParams())
            noisy, _ = mechanism.postprocess_server(
                stats=total, central_context=context, aggregate_metrics=Metrics()
            )
            noisy.average()
            states.append(w - settings.server_step * noisy["w"])
    return np.array(states)


def _compute_user_update(mechanism: Any, client: Any, w: Any, settings: Any) -> Any:
    model = w.copy()
    for _ in range(settings.local_steps):
        model = model - settings.local_step * client.gradient(model)
    context = UserContext(num_datapoints=client.data_points, seed=None)
    statistics = MappedVectorStatistics({"w": w - model})
    clipped, _ = mechanism.postprocess_one_user(stats=statistics, user_context=context)
    weighted, _ = WeightByUser().postprocess_one_user(stats=clipped, user_context=context)
    return weighted
