"""One round of FedAVG on actual functions, with every expectation taken exactly.

Each sample adds one of S equally likely deviations to an agent's gradient, independently over agents and
steps. All S^H paths of an agent are followed, and the means run over all joint outcomes of the M agents.
"""

from collections.abc import Callable, Sequence
from typing import Any

from bounds.language.lazy_numpy import NDArray, np

Points = NDArray["np.float64"]
Function = Callable[[Points], Points]

SAMPLES = {"deviations": "equally likely errors of the agents' gradients with mean 0, (..., M, S, d)"}
ROUND = SAMPLES | {
    "gradients": "the gradient of each f_c as a function of points",
    "theta": "point theta_r",
    "eta": "step size",
    "H": "local steps, one whole number for all cases",
    "L": "smoothness constant of the f_c",
}
VALUED_ROUND = ROUND | {"F": "F as a function of points", "F_star": "mean of the f_c*"}


def square(vectors: Points) -> Points:
    lengths: Points = np.sum(np.square(vectors), axis=-1)
    return lengths


def noise_level(deviations: Points) -> Points:
    """The smallest sigma that FL-4 allows."""
    largest: Points = square(deviations).mean(axis=-1).max(axis=-1)
    return np.sqrt(largest)


def mean_of_agents(vectors: Points) -> Points:
    """(..., M, P, d) to (..., P^M, d): the mean over the agents, for every joint outcome."""
    *_, agents, _, _ = vectors.shape
    total: Points = vectors[..., 0, :, :]
    for c in range(1, agents):
        joint = total[..., :, None, :] + vectors[..., c, None, :, :]
        total = joint.reshape(*joint.shape[:-3], -1, joint.shape[-1])
    mean: Points = total / agents
    return mean


def local_iterates(
    gradients: Sequence[Function], deviations: Points, theta: Points, eta: Any, H: int
) -> list[Points]:
    """theta_{r,h}^c for h = 0, ..., H on all sample paths, (..., M, S^h, d) each."""
    step = np.asarray(eta, dtype=float)[..., None, None, None, None]
    points = np.stack([theta] * len(gradients), axis=-2)[..., None, :]
    out = [points]
    for _ in range(H):
        exact = np.stack([g(points[..., c, :, :]) for c, g in enumerate(gradients)], axis=-3)
        moved = points[..., None, :] - step * (exact[..., None, :] + deviations[..., None, :, :])
        points = moved.reshape(*moved.shape[:-3], -1, moved.shape[-1])
        out.append(points)
    return out


def client_gradients(gradients: Sequence[Function], theta: Points) -> Points:
    return np.stack([g(theta) for g in gradients], axis=-2)


def heterogeneity(at_theta: Points) -> Points:
    """The smallest zeta that FL-3 allows at theta; at_theta (..., M, d)."""
    mean = at_theta.mean(axis=-2, keepdims=True)
    spread: Points = square(at_theta - mean).mean(axis=-1)
    return np.sqrt(spread)


def one_round(
    gradients: Sequence[Function], deviations: Points, theta: Points, eta: Any, H: int, L: Any
) -> dict[str, Any]:
    at_theta = client_gradients(gradients, theta)
    gradient = at_theta.mean(axis=-2)
    path = local_iterates(gradients, deviations, theta, eta, H)
    start = theta[..., None, None, :]
    distances = [square(points - start).mean(axis=(-1, -2)) for points in path[:-1]]
    moves = mean_of_agents(path[-1] - start)
    direction = -moves.mean(axis=-2) / (np.asarray(eta, dtype=float)[..., None] * H)
    error = square(gradient - direction)
    return {
        "M": len(gradients),
        "H": H,
        "L": L,
        "eta": eta,
        "sigma": noise_level(deviations),
        "zeta": heterogeneity(at_theta),
        "gradient_norm": np.sqrt(square(gradient)),
        "mean_drift": sum(distances[1:], np.zeros_like(distances[0])) / H,
        "drift": sum(distances) / H,
        "direction_error": np.sqrt(error),
        "direction_error_square": error,
        "mean_square_move": square(moves).mean(axis=-1),
        "mean_move": np.sqrt(square(moves.mean(axis=-2))),
    }


def one_valued_round(F: Function, F_star: Any, theta: Points, **others: Any) -> dict[str, Any]:
    """With the gaps before and after the round; F answers without the last axis."""
    path = local_iterates(others["gradients"], others["deviations"], theta, others["eta"], others["H"])
    after = F(mean_of_agents(path[-1])).mean(axis=-1)
    return one_round(theta=theta, **others) | {
        "gap": F(theta) - F_star,
        "mean_next_gap": after - F_star,
    }
