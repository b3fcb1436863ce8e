"""Lemmas on actual vectors, functions and sequences: right ones hold, false ones are refuted.

Instances are made here, to satisfy each hypothesis by construction: quadratics and cosines of known
smoothness, finite laws, sequences built from the descent inequality. A right-hand side that is cut to a tenth
is caught.
"""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator, default_rng
from sympy import Rational

import bounds
from bounds import errors
from bounds.statement import Statement

TRIALS = 60
Objects = dict[str, Any]
# float64 on quantities of order one to a hundred, a few hundred operations deep
ROUNDING = 1e-11


def quadratic(random: Generator, d: int, L: float) -> Any:
    """A symmetric matrix of norm at most L, semidefinite, with L attained; and a centre."""
    basis, _ = np.linalg.qr(random.standard_normal((d, d)))
    spectrum = np.concatenate([[L], L * random.random(d - 1)])
    return (basis * spectrum) @ basis.T, random.standard_normal(d)


def slope(hessian: Any, centre: Any) -> Callable[[Any], Any]:
    return lambda x: (x - centre) @ hessian


def wave(L: float) -> Callable[[Any], Any]:
    """Gradient of the sum of L (1 - cos x_j): L-smooth, not convex, infimum 0."""
    return lambda x: L * np.sin(x)


def client(random: Generator, d: int, L: float) -> Callable[[Any], Any]:
    return wave(L) if random.random() < 0.3 else slope(*quadratic(random, d, L))


def away(random: Generator, d: int, distance: float) -> Any:
    direction = random.standard_normal(d)
    return distance * direction / np.linalg.norm(direction)


def memory(random: Generator) -> Objects:
    """beta <= alpha, the range in which Lemma 1 is right."""
    d, L = int(random.integers(1, 4)), 10 ** random.uniform(-2, 2)
    alpha, C, gamma, rho = (float(10 ** random.uniform(-2, 1)) for _ in range(4))
    gradient = slope(*quadratic(random, d, L))
    gamma = min(gamma, 1 / L)
    rho = max(rho, 1.0)
    beta = alpha * random.random()
    eta = gamma * beta * C / ((1 + rho) * (alpha + C)) * (1 - 1e-9)
    x = random.standard_normal(d)
    v = gradient(x) + away(random, d, C * random.random())
    return {
        **{"local": lambda y: y - gamma * gradient(y), "v": v, "x": x, "x_next": x + away(random, d, eta)},
        **{"alpha": alpha, "beta": beta, "gamma": gamma, "eta": eta * (1 + 1e-9), "rho": rho, "C": C},
    }


def walk(random: Generator) -> Objects:
    """Independent signs times fixed vectors: every outcome of the joint law, with equal weights."""
    rounds, clients, d = (int(random.integers(1, n)) for n in (4, 3, 4))
    lengths = random.random((rounds, clients))
    directions = random.standard_normal((rounds, clients, d))
    directions *= (lengths / np.linalg.norm(directions, axis=-1))[..., None]
    signs = np.array(list(itertools.product([-1, 1], repeat=rounds * clients)))
    z = signs.reshape(-1, rounds, clients, 1) * directions
    start = random.standard_normal(d) * random.integers(0, 2)
    weights = np.full(len(z), 1 / len(z))
    return {
        "start": start,
        "z": z,
        "weights": weights,
        "beta": random.random() + 0.1,
        "sigma": lengths.max() * (1 + 1e-9),
    }


def step(random: Generator) -> Objects:
    d, L = int(random.integers(1, 5)), 10 ** random.uniform(-3, 3)
    points, G = random.standard_normal((2, 20, d)) * 3
    convex = random.random() < 0.5
    hessian, centre = quadratic(random, d, L)

    def value(x: Any) -> Any:
        if convex:
            return ((x - centre) @ hessian * (x - centre)).sum(axis=-1) / 2
        return (L * (1 - np.cos(x))).sum(axis=-1)

    gradient = slope(hessian, centre) if convex else wave(L)
    length = 10 ** random.uniform(-2, 1)
    return {"f": value, "gradient": gradient, "f_inf": 0.0, "x": points, "G": G, "gamma_step": length, "L": L}


def sequences(random: Generator) -> Objects:
    """V is as large as the inequality allows, W as large as V >= 0 allows."""
    rounds = int(random.integers(1, 30))
    b_1, b_2, b_3, gamma = random.random() * 3, random.random() + 0.1, random.random(), random.random() + 0.05
    V, W = [random.random()], []
    for _ in range(rounds):
        ceiling = ((1 + b_1 * gamma**2) * V[-1] + b_3 * gamma) / (b_2 * gamma)
        W.append(ceiling * random.choice([0.01, 0.5, 0.999]))
        V.append(max(0.0, (1 + b_1 * gamma**2) * V[-1] - b_2 * gamma * W[-1] + b_3 * gamma) * (1 - 1e-12))
    return {
        **{"V": np.array(V), "W": np.array(W), "b_1": b_1, "b_2": b_2, "b_3": b_3},
        "gamma_sequence": gamma,
    }


def gradients_at_a_point(random: Generator) -> Objects:
    """Quadratic clients with known infima; f^inf by linear algebra."""
    M, d, L = int(random.integers(2, 6)), int(random.integers(1, 4)), 10 ** random.uniform(-2, 2)
    made = [quadratic(random, d, L) for _ in range(M)]
    hessians, centres = np.array([h for h, _ in made]), np.array([c for _, c in made])
    lowest = random.standard_normal(M)
    minimiser = np.linalg.solve(hessians.sum(axis=0), np.einsum("mij,mj->i", hessians, centres))

    def values(x: Any) -> Any:
        offset = x - centres
        return np.einsum("mi,mij,mj->m", offset, hessians, offset) / 2 + lowest

    x = minimiser + away(random, d, 10 ** random.uniform(-3, 2))
    gradients = np.einsum("mij,mj->mi", hessians, x - centres)
    infimum = values(minimiser).mean()
    return {"gradients": gradients, "f": values(x).mean(), "f_inf": infimum, "f_i_inf": lowest, "L": L}


def local_descent(random: Generator) -> Objects:
    d, L = int(random.integers(1, 4)), 10 ** random.uniform(-2, 2)
    eta = 10 ** random.uniform(-3, 1)
    x = random.standard_normal((10, d)) * 3
    return {
        **{"gradient": client(random, d, L), "x": x, "x_next": x + away(random, d, eta * (1 - 1e-9))},
        **{"T": int(random.integers(1, 9)), "gamma": random.choice([0.1, 1.0]) / (2 * L), "L": L, "eta": eta},
    }


def local_pass(random: Generator) -> Objects:
    """Every f_ij is L-smooth, as Assumption 1 has it."""
    d, L, M, N = int(random.integers(1, 4)), 10 ** random.uniform(-2, 2), 3, int(random.integers(1, 6))
    eta = 10 ** random.uniform(-3, 1)
    x = random.standard_normal((10, d)) * 3
    gradients = [[client(random, d, L) for _ in range(N)] for _ in range(M)]
    x_next = x + away(random, d, eta * (1 - 1e-9))
    return {"gradients": gradients, "x": x, "x_next": x_next, "gamma": 1 / (2 * L), "L": L, "eta": eta}


def vector(random: Generator) -> Objects:
    v = random.standard_normal((20, 3)) * 10 ** random.uniform(-5, 5)
    return {"v": v, "alpha": random.random() + 1e-3}


MAKERS: dict[str, Callable[[Generator], Objects]] = {
    "fed_norm_ec.lemma_1": memory,
    "fed_norm_ec.lemma_2": walk,
    "fed_norm_ec.lemma_4": step,
    "fed_norm_ec.lemma_5": sequences,
    "fed_norm_ec.lemma_6": gradients_at_a_point,
    **{f"fed_norm_ec.lemma_7.c{n}": local_descent for n in (1, 2, 3, 4, 5)},
    **{f"fed_norm_ec.lemma_9.c{n}": local_pass for n in (1, 2, 3, 4)},
    "fed_norm_ec.smoothed_normalization": vector,
}


def largest_excess(statement: Statement, seed: int) -> float:
    """Relative to the size of the left-hand side; minus infinity where a hypothesis does not hold."""
    found = statement.on(**MAKERS[statement.id](default_rng(seed)))
    scale = np.maximum(1.0, np.abs(found.left))
    excess = np.where(np.asarray(found.evaluation.applicable, dtype=bool), found.excess / scale, -np.inf)
    return float(np.max(excess))


@pytest.mark.parametrize("identity", MAKERS)
def test_holds_on_every_instance(identity: str) -> None:
    worst = [largest_excess(bounds.get(identity), seed) for seed in range(TRIALS)]
    assert max(worst) <= ROUNDING
    assert min(worst) > -np.inf, "every instance meets the hypotheses"


@pytest.mark.parametrize("identity", [i for i in MAKERS if bounds.get(i).right != 0])
def test_a_much_smaller_right_hand_side_is_caught(identity: str) -> None:
    """So that the instances are no easy ones: a tenth of the bound is exceeded by some of them."""
    statement = bounds.get(identity)
    terms = tuple(replace(term, expression=term.expression * Rational(1, 10)) for term in statement.terms)
    planted = replace(statement, terms=terms)
    assert max(largest_excess(planted, seed) for seed in range(TRIALS)) > ROUNDING


# ---- what is false as printed


def test_lemma_1_is_false_for_steps_longer_than_the_smoothing() -> None:
    """f = x^2/2 with one gradient step of length 1/2: after one round the error is above C."""
    statement = bounds.get("fed_norm_ec.lemma_1")
    eta = Rational(1, 6) * Rational(1024, 1025)
    found = statement.on(
        local=lambda x: x / 2, x=np.array([0.0]), x_next=np.array([-float(eta) * (1 - 1e-12)]),
        v=np.array([-1 / 32]), alpha=1 / 1024, beta=1.0, gamma=0.5, eta=float(eta), rho=2.0, C=1.0,
    )  # fmt: skip
    assert found.evaluation.applicable is True
    assert found.excess > 0.09


def test_lemma_8_is_false_without_a_limit_on_gamma() -> None:
    """Three equal data points x^2/2 with generous lower bounds: a long pass leaves any neighbourhood."""
    statement = bounds.get("fed_norm_ec.lemma_8")
    found = statement.on(
        gradients=[[lambda x: x] * 3], x=np.array([1.0]), f=0.5, f_inf=0.0, f_i_inf=np.array([-1.0]),
        f_ij_inf=np.full((1, 3), -1.0), gamma=1000.0, L=1.0,
    )  # fmt: skip
    assert found.evaluation.applicable is True
    assert found.excess > 1e4


def test_lemma_9_is_false_when_only_the_clients_are_smooth() -> None:
    """h1 asks it of the f_i: components (L+a) x^2/2 and (L-a) x^2/2 have an L-smooth mean whatever a is."""
    statement = bounds.get("fed_norm_ec.lemma_9.c2")
    found = statement.on(
        gradients=[[lambda x: 101 * x, lambda x: -99 * x]],
        x=np.array([0.0]), x_next=np.array([1.0]), gamma=0.5, L=1.0, eta=1.0,
    )  # fmt: skip
    assert found.evaluation.applicable is True
    assert found.left == pytest.approx((1 + 24.25) / 2)
    assert found.excess > 10


def test_lemma_8_within_the_limit_of_lemma_9() -> None:
    """gamma <= 1/(2L), the other reading: no instance exceeds the bound."""
    statement = bounds.get("fed_norm_ec.lemma_8")
    for seed in range(TRIALS):
        random = default_rng(seed)
        N, L = int(random.integers(1, 6)), 10 ** random.uniform(-1, 1)
        centres = random.standard_normal((3, N))
        x = np.array([10 ** random.uniform(-2, 1)])
        mean, spread = centres.mean(), L * ((centres - centres.mean()) ** 2).mean() / 2
        of_clients = L * ((centres - centres.mean(axis=1, keepdims=True)) ** 2).mean(axis=1) / 2
        found = statement.on(
            gradients=[[lambda y, c=c, L=L: L * (y - c) for c in row] for row in centres],
            x=x, f=spread + L * (x[0] - mean) ** 2 / 2, f_inf=spread, f_i_inf=of_clients,
            f_ij_inf=np.zeros((3, N)), gamma=1 / (2 * L), L=L,
        )  # fmt: skip
        assert found.evaluation.applicable is True
        assert found.excess <= ROUNDING


# ---- asked in a wrong way


def test_objects_are_asked_for_by_name() -> None:
    lemma = bounds.get("fed_norm_ec.smoothed_normalization")
    with pytest.raises(errors.UnknownName, match="did you mean alpha"):
        lemma.on(v=np.ones(2), alhpa=1.0)
    with pytest.raises(errors.MissingQuantity, match="smoothing parameter"):
        lemma.on(v=np.ones(2))
    with pytest.raises(errors.NotEvaluable):
        bounds.get("fed_norm_ec.theorem_2").on(x=1)
    with pytest.raises(errors.NotEvaluable):
        bounds.get("fed_norm_ec.claims.bias").evaluate(L=1)


def test_every_statement_with_objects_is_tried_here() -> None:
    apart = {"fed_norm_ec.lemma_8"}
    tried = MAKERS.keys() | apart
    papers = {identity.split(".")[0] for identity in tried}
    known = {s.id for p in papers for s in bounds.statements(p) if s.concrete is not None}
    assert known == tried
