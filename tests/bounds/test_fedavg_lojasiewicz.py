"""The statements of the Lojasiewicz excerpt on actual functions, gradients and sequences.

What holds is not exceeded by random problems, what is printed wrongly is exceeded at a named point, and the
exact means over all samples agree with a literal enumeration.
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bounds

KEY = "fedavg_lojasiewicz"
CASES = 4
ROUNDING = 1e-9

Array = NDArray[np.float64]


def on(identity: str, **objects: Any) -> Any:
    statement = bounds.get(f"{KEY}.{identity}")
    assert statement.concrete is not None
    return statement.on(**{n: o for n, o in objects.items() if n in statement.concrete.objects})


class Waves:
    """f_c = sum of cosines plus, for some agents, a quadratic: smooth, bounded below, not convex."""

    def __init__(self, seed: int, agents: int, d: int) -> None:
        rng = np.random.default_rng(seed)
        self.agents = agents
        self.height = rng.normal(size=(agents, 3))
        self.wave = rng.normal(size=(agents, 3, d))
        self.phase = rng.uniform(0, 2 * np.pi, (agents, 3))
        self.bowl = rng.uniform(0, 1, agents) * rng.integers(0, 2, agents)
        self.theta = 2 * rng.normal(size=(CASES, d))
        self.deviations = rng.normal(size=(CASES, agents, 2, d)) * rng.integers(0, 2, (CASES, 1, 1, 1))
        self.deviations -= self.deviations.mean(axis=-2, keepdims=True)
        curvature = np.abs(self.height) * np.square(self.wave).sum(axis=-1)
        self.L = float((curvature.sum(axis=-1) + self.bowl).max())
        self.lowest = -np.abs(self.height).sum(axis=-1)
        self.part = rng.choice([1.0, 0.9, 0.1], CASES)

    def f(self, c: int, x: Array) -> Any:
        waves = self.height[c] * np.cos(x @ self.wave[c].T + self.phase[c])
        return waves.sum(axis=-1) + self.bowl[c] / 2 * np.square(x).sum(axis=-1)

    def gradient(self, c: int) -> Callable[[Array], Any]:
        def at(x: Array) -> Any:
            slopes = -self.height[c] * np.sin(x @ self.wave[c].T + self.phase[c])
            return slopes @ self.wave[c] + self.bowl[c] * x

        return at

    def F(self, x: Array) -> Any:
        return sum(self.f(c, x) for c in range(self.agents)) / self.agents

    def objects(self, H: int, longest: float) -> dict[str, Any]:
        gradients = [self.gradient(c) for c in range(self.agents)]
        gaps = np.stack([self.f(c, self.theta) - self.lowest[c] for c in range(self.agents)], axis=-1)
        return {
            "gradients": gradients,
            "deviations": self.deviations,
            "theta": self.theta,
            "eta": self.part * longest,
            "H": H,
            "L": self.L,
            "F": self.F,
            "F_star": self.lowest.mean(),
            "gaps": gaps,
            "alpha": 1 + self.part,
        }


PROBLEMS = [(seed, 1 + seed % 3, 1 + seed % 2, 1 + seed % 4 if seed % 3 < 2 else 2) for seed in range(24)]


@pytest.mark.parametrize(("seed", "agents", "d", "H"), PROBLEMS)
def test_a_round_stays_within_what_is_stated_of_it(seed: int, agents: int, d: int, H: int) -> None:
    waves = Waves(seed, agents, d)
    limits = {
        "lemma_f1": 1 / (waves.L * H),
        "equation_35": 2 / waves.L,
        "equation_36": 1 / (waves.L * H),
        "equation_37": 1 / (waves.L * H),
        "equation_38": 1 / (18 * waves.L * H),
        "equation_39": 1 / (18 * waves.L * H),
        "equation_40": 1 / waves.L,
    }
    for identity, longest in limits.items():
        both = on(identity, **waves.objects(H, longest))
        assert np.all(both.excess <= ROUNDING * (1 + np.abs(both.right))), identity
        assert not np.any(both.evaluation.applicable == False), identity  # noqa: E712  # None is undecided


def test_the_drift_of_two_exact_steps_on_a_quadratic() -> None:
    """By hand: after one step of length eta the gradient has lost eta L of itself."""
    curvature, step, d = 2.0, 0.05, 2
    both = on(
        "equation_37",
        gradients=[lambda x: curvature * x] * 3,
        deviations=np.zeros((1, 3, 1, d)),
        theta=np.ones((1, d)),
        eta=step,
        H=2,
        L=curvature,
    )
    # The mean direction lacks half of that, and half of the two iterates have drifted.
    assert both.left == pytest.approx(d * (curvature * step * curvature / 2) ** 2)
    assert both.right == pytest.approx(curvature**2 * d * (step * curvature) ** 2 / 2)


@pytest.mark.parametrize("seed", range(6))
def test_the_means_are_those_of_a_literal_enumeration(seed: int) -> None:
    agents, d, H = 2, 2, 2
    waves = Waves(seed, agents, d)
    waves.deviations = np.random.default_rng(seed).normal(size=(CASES, agents, 2, d))
    waves.deviations -= waves.deviations.mean(axis=-2, keepdims=True)
    numbers = on("equation_39", **waves.objects(H, 0.5)).numbers
    for case, theta in enumerate(waves.theta):
        ends, drifts = [], []
        for draws in itertools.product(range(2), repeat=agents * H):
            last = []
            for c in range(agents):
                point = theta
                for h in range(H):
                    drifts.append(float(np.sum((point - theta) ** 2)))
                    noise = waves.deviations[case, c, draws[c * H + h]]
                    point = point - 0.5 * waves.part[case] * (waves.gradient(c)(point) + noise)
                last.append(point)
            ends.append(sum(last) / agents)
        moves = np.array(ends) - theta
        assert numbers["mean_next_gap"][case] == pytest.approx(
            np.mean([waves.F(e) for e in ends]) - waves.lowest.mean()
        )
        assert numbers["mean_drift"][case] == pytest.approx(np.mean(drifts))
        assert numbers["mean_square_move"][case] == pytest.approx(np.mean(np.sum(moves**2, axis=-1)))
        assert numbers["mean_move"][case] == pytest.approx(np.linalg.norm(moves.mean(axis=0)))


@pytest.mark.parametrize("seed", range(6))
def test_relations_among_gradients(seed: int) -> None:
    waves = Waves(seed, 3, 2)
    objects = waves.objects(1, 1.0)
    at_theta = np.stack([waves.gradient(c)(waves.theta) for c in range(3)], axis=-2)
    objects |= {"gradients": at_theta, "theta_next": waves.theta[::-1]}
    objects["gradient"] = lambda x: sum(waves.gradient(c)(x) for c in range(3)) / 3
    for identity in ("equation_19.general", "equation_19.exponent_one", "lemma_c1", "lemma_d1"):
        both = on(identity, **objects)
        assert np.all(both.excess <= ROUNDING * (1 + np.abs(both.right))), identity
    lemma = on("lemma_c1", **objects)
    assert lemma.right == pytest.approx(2 * lemma.left)  # the squares split exactly: one factor 2 too many
    assert on("equation_33.equality", **objects).excess == pytest.approx(np.zeros(CASES), abs=1e-12)
    assert np.all(on("equation_33.bound", **objects).excess <= 1e-12)


# ---- claims about numbers

N = 2000


@pytest.fixture(scope="module")
def drawn() -> dict[str, Any]:
    rng = np.random.default_rng(5)

    def spread() -> Any:
        return 10 ** rng.uniform(-2, 2, N)

    numbers: dict[str, Any] = {n: spread() for n in ("L", "zeta", "mu", "f0_gap", "gap", "gradient_norm")}
    numbers |= {n: rng.integers(1, 20, N) for n in ("M", "H")}
    numbers |= {n: rng.integers(0, 60, N) for n in ("R", "r")}
    numbers |= {"sigma": spread() * rng.integers(0, 2, N), "alpha": rng.uniform(1.05, 2, N)}
    # FL-1 and FL-2 together allow no mu above 2L where alpha = 1.
    numbers |= {"mu_1": np.minimum(spread(), 2 * numbers["L"]), "part": rng.uniform(0, 1, N)}
    numbers |= {"a": spread(), "b": spread(), "power": rng.uniform(1, 4, N), "rounds": 1 + numbers["R"]}
    numbers |= {"x": spread(), "y": spread(), "weight": rng.uniform(0, 1, N)}
    return numbers


def longest(q: dict[str, Any], identity: str) -> Any:
    of_round = q["part"] / (q["L"] * q["H"])
    return {
        "claims_of_lemma_f1.half": of_round / 2,
        "claims_of_theorem_f2.neg": of_round,
        "claims_of_theorem_f2.eighteenth": of_round / 18,
        "claims_of_theorem_f2.step2l": q["part"] / (2 * q["L"]),
        "claims_of_theorem_f4.f4end": of_round / (18 * q["M"]),
    }.get(identity, q["part"] / q["L"])


@pytest.mark.parametrize(
    "identity",
    [
        *("claims_of_lemma_f1.half", "claims_of_lemma_f1.sumsq", "claims_of_lemma_f1.sum"),
        *("claims_of_theorem_f2.step2l", "claims_of_theorem_f2.neg", "claims_of_theorem_f2.eighteenth"),
        *("claims_of_lemma_f3.super", "claims_of_lemma_f3.convex", "claims_of_theorem_f4.f4end"),
        "unrolled.f3",
    ],
)
def test_claims_that_hold(identity: str, drawn: dict[str, Any]) -> None:
    both = on(identity, **drawn | {"eta": longest(drawn, identity)})
    inside = np.broadcast_to(both.evaluation.applicable == True, (N,))  # noqa: E712  # None is undecided
    assert np.mean(inside) > 0.1
    assert np.all((both.excess <= ROUNDING * np.abs(both.right)) | ~inside)


def test_claims_on_vectors_and_paths() -> None:
    rng = np.random.default_rng(7)
    polar = on("claims_of_theorem_f2.polar", a=rng.normal(size=(N, 3)), b=rng.normal(size=(N, 3)))
    assert polar.excess == pytest.approx(np.zeros(N), abs=1e-12)
    jensen = on("claims_of_lemma_f3.jensen", gaps=rng.uniform(0, 5, (N, 4)), alpha=rng.uniform(1.1, 2, N))
    assert np.all(jensen.excess < 0)


ONE_STEP = {"M": 1, "L": 1.0, "eta": 1.0, "mu": 1.0, "alpha": 2.0, "zeta": 0.0, "sigma": 0.0}
SMALL = {"M": 1, "H": 1, "L": 1e-3, "eta": 1 / 18e-3, "mu_1": 2e-3, "zeta": 0.0, "sigma": 1.0}
SHORT = {"M": 1, "H": 2, "L": 1.0, "eta": 1 / 36, "mu": 1.0, "alpha": 1.5, "zeta": 0.0, "sigma": 1.0}


@pytest.mark.parametrize(
    ("identity", "objects"),
    [
        # The noise of Theorem F.2 is not divided by mu.
        ("claims_of_theorem_f2.h1end", SMALL | {"f0_gap": 0.0, "R": 10**4}),
        ("claims_of_theorem_f2.unroll", SMALL | {"f0_gap": 0.0, "R": 2000}),
        # At eta = 1/L equation (35) gives no descent.
        ("claims_of_lemma_f3.eta1l", ONE_STEP | {"gap": 1.0, "gradient_norm": 1.0}),
        # (41) has lost the noise.
        ("equation_41", ONE_STEP | {"s_r": 2.0, "sigma": 1.0}),
        # One round adds zeta^2/2 = 50 to a gap of 0, and C is 10.
        ("claims_of_lemma_f3.twice_the_floor", ONE_STEP | {"s_r": 0.0, "zeta": 10.0, "rounds": 1}),
        # The noise of the drift is in the recursion and not in C.
        ("claims_of_theorem_f4.same", SHORT),
    ],
)
def test_what_is_printed_wrongly_is_exceeded(identity: str, objects: dict[str, Any]) -> None:
    both = on(identity, **objects)
    assert both.evaluation.applicable is True
    assert both.excess > 0.01 * both.right


def test_the_first_relation_of_the_drift_does_not_give_the_second() -> None:
    """Two local steps on a flat function: the noise alone, with factor 4 before and 2 after."""
    both = on(
        "claims_of_lemma_f1.complete",
        gradient=np.zeros_like,
        deviations=np.array([[[1.0], [-1.0]]]),
        theta=np.zeros(1),
        eta=0.25,
        H=2,
        L=1.0,
    )
    assert both.left == pytest.approx(4 * 0.25**2)
    assert both.right == pytest.approx(2 * 0.25**2 + 2 * 0.25**2 * 2 * (0.25**2 / 2))
    assert both.excess > 0


def test_theorem_f2_is_below_the_floor_of_gradient_descent_with_noise() -> None:
    """f = m theta^2/2 with mu = 2m = 2L: the stationary gap is eta sigma^2/(2 (2 - eta m)), by hand."""
    m = SMALL["L"]
    bound = bounds.get(f"{KEY}.theorem_f2").evaluate(**SMALL, f0_gap=0.0, R=10**6)
    stationary = SMALL["eta"] / (2 * (2 - SMALL["eta"] * m))
    assert bound.applicable is True
    assert stationary > 16 * bound.value
