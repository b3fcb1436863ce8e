"""ALS-DPFL."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

import bounds
from bounds.language.finding import FindingClass
from verify.witness import Measured, Witness, at_a_point, measured_on


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


def theorem_2() -> Measured:
    """One Huber client of slope 9e-4, no noise: twenty steps of length 1 from distance 1000."""
    slope, x = 9e-4, 1000.0
    for _ in range(20):
        x -= max(min(x, 1.0), -1.0)
    gap = slope * (x - 0.5)
    run = {"auxiliary_gap": gap, "final_gap": gap, "gradient_square": slope**2, "lam": gap / 2}
    problem = {"beta": slope, "rho": slope, "C": slope, "xi": 0.0, "d": 1, "omega": 1e-3}
    return at_a_point(
        "als_dpfl.theorem_2.theorem_omega", gap, T=20, tau=1, eta=1 / slope, B=1, sigma=0.0, **problem, **run
    )


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


_OMEGA = "read with the squared distance, as Lemma 6 prints it, this instance does not refute it"
_PATHWISE = "in mean, and then only where the noise is small beside the gradient"

WITNESSES = (
    Witness(
        statement="als_dpfl.lemma_2",
        measure=lemma_2,
        why="the choice of the batch is random too, and the bound pays for the noise alone",
        right="with the deviation of a batch, at most C/sqrt(B), added",
    ),
    Witness(
        statement="als_dpfl.lemma_4",
        measure=lemma_4,
        why="a step adds eta times the noise, and the hypothesis limits the noise without its factor eta",
        right="for squared distances, with eta^2 ||n||^2 in place of ||n||^2 in the hypothesis",
    ),
    Witness(
        statement="als_dpfl.lemma_6",
        measure=lemma_6,
        why="lambda bounds the gap at the end of the interval, not the one before the noise: a rare noise "
        "leads close to the minimizer, and every noise leads away from there; the hypotheses of Lemma 4 "
        "hold, and no distance is longer than at the start",
        right="for reciprocals of mean gaps, with omega of mean squared distances, under Lemma 4 as amended",
    ),
    Witness(
        statement="als_dpfl.theorem_2.theorem_omega",
        measure=theorem_2,
        why="far from the minimizer one over the distance is much larger than one over its square",
        right=_OMEGA,
    ),
    Witness(
        statement="als_dpfl.theorem_2.lemma_6_omega",
        measure=theorem_2_with_batches,
        why="the batches are random too, and without noise and divergence the bound pays for nothing but the "
        "distance at the start",
        right="with the deviation of the batches in h, as the amended form has it",
    ),
    Witness(
        statement="als_dpfl.claims.h_grows_exponentially",
        measure=linear_growth,
        why="h grows so and the difference does not: gradients of length C at most and fresh noises part the "
        "two by at most 2 eta C x and the sum of the noises",
        right="of h, and of the difference on problems chosen for the length of one interval, where "
        "eta beta > 2: the text ends `for t in [k]`. On one and the same problem the smaller of h as amended "
        "and 2 eta C x + 2 eta x sqrt(d) sigma C is a bound",
        grade=FindingClass.INTERPRETATION,
    ),
    Witness(
        statement="als_dpfl.equation_20",
        measure=at_the_minimizer,
        why="without noise one step of length 1/beta on ||x||^2/2 ends at the minimizer",
        right="as an assumption on all gaps concerned, or almost surely, for noise with a density where the "
        "minimizers have measure zero and w_0 is none of them: without noise it fails, and so it does with "
        "bounded noise where C.thm2.3 holds on every path, as that speaks of the ends of the intervals alone",
    ),
    Witness(
        statement="als_dpfl.claims.loss_decreases",
        measure=lambda: step("loss_decreases", -4.0),
        why="noise can raise the loss: from 1 half a step against 1 - 4 ends at 5/2",
        right=_PATHWISE,
    ),
    Witness(
        statement="als_dpfl.claims.gap_decreases",
        measure=lambda: step("gap_decreases", -4.0),
        why="noise can raise the loss: from 1 half a step against 1 - 4 ends at 5/2",
        right=_PATHWISE,
    ),
    Witness(
        statement="als_dpfl.claims.noise_lengthens",
        measure=lambda: step("noise_lengthens", -0.5),
        why="noise against the gradient shortens it: 1 - 1/2 is shorter than 1",
        right="in mean, for noise with mean zero",
    ),
    Witness(
        statement="als_dpfl.claims.jensen",
        measure=lambda: measured_on("als_dpfl.claims.jensen", gaps=[0.5, 0.1]),
        why="1/x^3 is convex, so the mean of the reciprocals is the larger side",
        right="in the other direction",
    ),
    Witness(
        statement="als_dpfl.claims.max_difference",
        measure=lambda: measured_on(
            "als_dpfl.claims.max_difference", points=np.append(np.linspace(0.01, 0.99, 99), 1 / math.sqrt(3))
        ),
        why="sqrt(3)/3 is where x - x^3 is largest, not how large it is",
        right="2 sqrt(3)/9; the printed number is an upper bound, loose by a factor of 1.5",
    ),
    Witness(
        statement="als_dpfl.claims.h_vanishes_at_one",
        measure=lambda: measured_on("als_dpfl.claims.h_vanishes_at_one", x=1, **H),
        why="both summands of the printed h are positive from one step on",
        right="for the h that the steps of the proof give, which drop the noises; with noise none follows",
    ),
)
