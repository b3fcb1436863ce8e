"""What the claims on one step of the auxiliary sequence compute in mean, over outcomes of v and noise."""

from typing import Any

from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete
from bounds.papers.als_dpfl.lemma_6 import CONCRETE as OUTCOMES
from bounds.papers.als_dpfl.shared.vectors import (
    Function,
    independent_steps,
    inner,
    mean,
    norm,
    per_coordinate_deviation,
)


def _measure_in_mean(
    loss: Function, gradient: Function, v: Any, noise: Any, minimizer: Any, eta: Any, beta: Any
) -> dict[str, Any]:
    v, lowest = np.asarray(v, dtype=float), loss(minimizer)
    slope = gradient(v)
    noisy = slope[..., :, None, :] + np.asarray(noise, dtype=float)[..., None, :, :]
    return {
        "theta_mean": mean(loss(v) - lowest),
        "next_theta_mean": mean(loss(independent_steps(gradient, v, noise, eta)) - lowest),
        "gradient_square": mean(inner(slope, slope)),
        "mean_noisy_gradient_norm": mean(mean(norm(noisy))),
        "gradient_norm": mean(norm(slope)),
        "sigma_v": per_coordinate_deviation(noise),
        "d": v.shape[-1],
        "eta": eta,
        "beta": beta,
    }


MEANS = Concrete(
    objects={
        name: OUTCOMES.objects[name]
        for name in ("loss", "gradient", "v", "noise", "minimizer", "eta", "beta")
    },
    numbers=_measure_in_mean,
)
