"""ALS-DPFL."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

import bounds
from verify.witness import Measured, at_a_point, measured_on


def bowl(x: Any) -> Any:
    """||x||^2/2 up to length 3 and linear beyond: convex, 1-smooth and 3-Lipschitz."""
    length = np.linalg.norm(x, axis=-1)
    return np.where(length <= 3, length**2 / 2, 3 * length - 4.5)


def slope(x: Any) -> Any:
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    return np.asarray(x) * np.minimum(1, 3 / np.maximum(length, 3))


ONE: dict[str, Any] = {"loss": bowl, "gradient": slope, "minimizer": np.zeros(1), "beta": 1.0}
H = {"eta": 0.1, "beta": 2.0, "xi": 0.5, "d": 4, "sigma": 1.0, "C": 1.0, "B": 2}


def lemma_2() -> Measured:
    """Two samples with gradients 1 and -1, each drawn with probability B/2 = 1/2, C = 1, without noise."""
    return measured_on(
        "als_dpfl.lemma_2",
        noisy=np.array([[0.0], [1.0], [-1.0], [0.0]]),
        gradient=np.zeros(1),
        sigma=0.0,
        C=1.0,
        B=1,
    )


def lemma_4() -> Measured:
    """x^2/200 near its minimizer, from 1 with eta = 50 and Gaussian noise of deviation 0.4999.

    The step leads to 1 - 50 (0.01 + 0.4999 Z): the mean length of a Gaussian of mean 1/2, in closed form.
    """
    mean, deviation = 0.5, 50 * 0.4999
    spread = deviation * math.sqrt(2 / math.pi) * math.exp(-((mean / deviation) ** 2) / 2)
    return at_a_point(
        "als_dpfl.lemma_4",
        spread + mean * math.erf(mean / deviation / math.sqrt(2)),
        **{"distance_to_optimum": 1.0, "eta": 50.0, "beta": 0.01, "gradient_square": 1e-4},
        **{"sigma_v": 0.4999, "d": 1},
    )


def lemma_6(kick: float = 2.0, near: float = 2.0**-14) -> Measured:
    """From 2 + 2 near with eta = 1/2 and beta = 1: one interval of two steps, and (22) at the second.

    The noise is 2 with chance 1/65 and -1/32 else: mean 0, variance 1/16. Where the first is 2 the model is
    at near = 2^-14, else at 1 + 1/64 + near; the second leads at least 1/64 + near/2 away, which sets lambda.
    C.thm2.3 and C.thm2.5 hold, the latter at t = 0, 1 and 2, gaps at the end are below 1, and no distance is
    longer than the one at the start, as C.lem6.s6 has it: neither Lemma 4 nor that step fails here.
    """
    eta, still = 0.5, kick / 64
    noise = np.array([[kick], *[[-still]] * 64])
    start = np.array([[2 + 2 * near]])
    first = independent(start, noise, eta)
    second = independent(first, noise, eta)
    found = measured_on(
        "als_dpfl.lemma_6", v=first, noise=noise, starts=start, ends=second, eta=eta,
        lam=float(bowl(second).min()), **ONE,
    )  # fmt: skip
    variance = float((noise**2).mean())
    small = all(eta * (1 - eta) * (slope(v) ** 2).mean() >= variance for v in (start, first, second))
    nearer = max(abs(first).max(), abs(second).max()) <= start.max()
    gaps_below_one = bowl(second).max() < 1
    return replace(found, applicable=found.applicable and bool(small and nearer and gaps_below_one))


def independent(v: Any, noise: Any, eta: float) -> Any:
    """Every outcome of a step from every outcome before it."""
    return (v[:, None] - eta * (slope(v)[:, None] + noise[None])).reshape(-1, v.shape[-1])


def theorem_2_with_batches() -> Measured:
    """One client of three samples F + <c_s, x>, c_s of length 11/4 at the corners of a triangle, no noise.

    From (1/1000, 0) with beta = 1, eta = 1/2, B = T = tau = 1: each sample is drawn with probability 1/3.
    Drawn or left out alone it moves the model by 11/8; all three or none leave it to its own gradient.
    The auxiliary sequence halves its distance. So every gap is at least 1/8e6, and below 1.
    """
    start, eta, third = np.array([1e-3, 0.0]), 0.5, 1 / 3
    angles = 2 * np.pi * np.arange(3) / 3
    corners = 2.75 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    drawn = np.array([[i >> s & 1 for s in range(3)] for i in range(8)])
    chance = third ** drawn.sum(axis=1) * (1 - third) ** (3 - drawn.sum(axis=1))
    moved = start - eta * (drawn.sum(axis=1)[:, None] * slope(start) + drawn @ corners)
    gaps, auxiliary = bowl(moved), float(bowl(start - eta * slope(start)))
    lowest = min(auxiliary, float(gaps.min())) * (1 - 1e-12)
    run = {"auxiliary_gap": auxiliary, "gradient_square": float(slope(start) @ slope(start)), "lam": lowest}
    problem = {"beta": 1.0, "rho": 3.0, "C": 5.75, "xi": 0.0, "d": 2, "omega_lemma_6": 1e6}
    on_paths = [
        at_a_point(
            "als_dpfl.theorem_2.lemma_6_omega",
            float(chance @ gaps),
            **(run | problem | {"final_gap": float(gap), "T": 1, "tau": 1, "eta": eta, "B": 1, "sigma": 0.0}),
        )
        for gap in gaps
    ]
    return replace(on_paths[0], applicable=all(path.applicable for path in on_paths))


def linear_growth() -> Measured:
    """eta = C = xi = beta = 1 and no noise, after 60 steps: 2 eta C x against h(60)."""
    steps, eta, C = 60, 1.0, 1.0
    claimed = bounds.get("als_dpfl.h.main").evaluate(
        x=steps, eta=eta, beta=1.0, xi=1.0, d=1, sigma=0.0, C=C, B=1
    )
    return Measured(left=2 * eta * C * steps, right=float(claimed.value), applicable=True, equality=True)


def at_the_minimizer() -> Measured:
    """From 1 with eta = beta = 1 and no noise: how many of the first two iterates are at the minimum."""
    start = np.array([[1.0]])
    gaps = bowl(np.stack([start, start - slope(start)]))
    return Measured(left=float((gaps == 0).sum()), right=0.0, applicable=True)


def step(claim: str, noise: float) -> Measured:
    """Half a gradient step from 1 with this noise."""
    return measured_on(f"als_dpfl.claims.{claim}", v=np.array([1.0]), noise=np.array([noise]), eta=0.5, **ONE)


def noise_raises_the_loss() -> Measured:
    return step("loss_decreases", -4.0)


def noise_raises_the_gap() -> Measured:
    return step("gap_decreases", -4.0)


def noise_shortens_the_gradient() -> Measured:
    return step("noise_lengthens", -0.5)


def reciprocals_of_two_gaps() -> Measured:
    return measured_on("als_dpfl.claims.jensen", gaps=[0.5, 0.1])


def cubes_on_the_unit_interval() -> Measured:
    return measured_on(
        "als_dpfl.claims.max_difference", points=np.append(np.linspace(0.01, 0.99, 99), 1 / math.sqrt(3))
    )


def h_after_one_step() -> Measured:
    return measured_on("als_dpfl.claims.h_vanishes_at_one", x=1, **H)
