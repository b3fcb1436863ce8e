"""Lemmas and facts of the DP-FedAvg paper on actual functions: right ones hold, false ones are refuted.

Instances are made here, to satisfy each hypothesis by construction: functions of known smoothness and
minimum, with every step size and threshold that it allows. A tenth of a right-hand side is caught.
"""

from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator, default_rng
from sympy import Rational

import bounds
from bounds.statement import Kind, Statement

TRIALS, POINTS = 60, 10
Objects = dict[str, Any]
# float64 on quantities of order one to ten thousand, a few hundred operations deep
ROUNDING = 1e-11


# ---- functions with their gradient, minimum and smoothness constant


def quadratic(random: Generator, d: int, L: float, lowest: float) -> Objects:
    """Eigenvalues from lowest to L, with L attained; a minimum only where lowest is not negative."""
    basis, _ = np.linalg.qr(random.standard_normal((d, d)))
    spectrum = np.concatenate([[L], lowest + (L - lowest) * random.random(d - 1)])
    hessian, centre, f_star = (
        (basis * spectrum) @ basis.T,
        random.standard_normal(d),
        random.standard_normal(),
    )
    return {
        "f": lambda x: f_star + ((x - centre) @ hessian * (x - centre)).sum(axis=-1) / 2,
        "gradient": lambda x: (x - centre) @ hessian,
        "f_star": f_star,
        "L": L,
    }


def hyperbola(L: float) -> Objects:
    """Convex, with a gradient that does not grow: the sum of L log cosh x_j."""
    return {
        "f": lambda x: L * (np.logaddexp(x, -x) - np.log(2)).sum(axis=-1),
        "gradient": lambda x: L * np.tanh(x),
        "f_star": 0.0,
        "L": L,
    }


def wave(L: float) -> Objects:
    """Not convex: the sum of L (1 - cos x_j)."""
    return {
        "f": lambda x: L * (1 - np.cos(x)).sum(axis=-1),
        "gradient": lambda x: L * np.sin(x),
        "f_star": 0.0,
        "L": L,
    }


def client(random: Generator, *, convex: bool, bounded: bool = True) -> tuple[int, Objects]:
    d, L = int(random.integers(1, 4)), float(10 ** random.uniform(-1, 1))
    kinds: list[Callable[[], Objects]] = [lambda: quadratic(random, d, L, 0.0), lambda: hyperbola(L)]
    if not convex:
        kinds.append(lambda: wave(L))
    if not bounded:
        kinds.append(lambda: quadratic(random, d, L, -L))
    return d, kinds[random.integers(len(kinds))]()


def fraction(random: Generator) -> float:
    """Of what a hypothesis allows: from next to nothing to all of it."""
    return float(random.choice([0.01, 0.3, 1.0]))


def points(random: Generator, d: int) -> Any:
    return random.standard_normal((POINTS, d)) * 3


def vectors_of_length(random: Generator, lengths: Any) -> Any:
    directions = random.standard_normal((len(lengths), 3))
    return directions * (lengths / np.linalg.norm(directions, axis=-1))[:, None]


# ---- what each statement is about


def towards_any_point(random: Generator) -> Objects:
    d, of_client = client(random, convex=True)
    eta = fraction(random) / (2 * of_client["L"])
    w, w_star = points(random, d), points(random, d)
    return of_client | {"w": w, "w_star": w_star, "eta": eta, "E": int(random.integers(1, 9))}


def moves_of_a_client(random: Generator) -> Objects:
    d, of_client = client(random, convex=False)
    steps = {"E": int(random.integers(1, 9)), "tau": int(random.integers(1, 30))}
    return of_client | {"w": points(random, d), "eta": fraction(random) / of_client["L"]} | steps


def one_step(random: Generator) -> Objects:
    """Convex, as the theorems have it; steps may be too long to descend."""
    d, of_client = client(random, convex=True)
    eta = float(10 ** random.uniform(-2, 1)) / of_client["L"]
    return {"gradient": of_client["gradient"], "L": of_client["L"], "w": points(random, d), "eta": eta}


def short_local_path(random: Generator, *, bounded: bool) -> Objects:
    d, of_client = client(random, convex=False, bounded=bounded)
    E = int(random.integers(1, 9))
    eta = fraction(random) / (2 * of_client["L"] * E)
    return of_client | {"w": points(random, d), "eta": eta, "E": E, "tau": int(random.integers(1, E + 1))}


def local_iterates(random: Generator) -> Objects:
    asked = ("gradient", "w", "eta", "tau", "E", "L")
    found = short_local_path(random, bounded=False)
    return {name: found[name] for name in asked}


def function_at_points(random: Generator) -> Objects:
    d, of_client = client(random, convex=False)
    x = points(random, d)
    of_h = {"h": of_client["f"], "gradient": of_client["gradient"], "h_star": of_client["f_star"]}
    return of_h | {"x": x, "L": of_client["L"]}


def vectors(random: Generator) -> Objects:
    p, d = int(random.integers(2, 9)), int(random.integers(1, 4))
    return {"y": random.standard_normal((POINTS, p, d)) + 3 * random.random() * random.standard_normal(d)}


def power(random: Generator) -> Objects:
    m = int(random.integers(1, 40))
    return {"x": fraction(random) / (4 * m), "m": m}


def thresholds(random: Generator) -> Objects:
    """Updates on both sides of the threshold; gaps that are equal in half of the instances."""
    n, E, L = int(random.integers(1, 7)), int(random.integers(1, 9)), float(10 ** random.uniform(-1, 1))
    equal = random.random() < 0.5
    gaps = np.ones((POINTS, n)) if equal else random.random((POINTS, n)) * random.integers(0, 2, (POINTS, n))
    gaps[:, 0] += 0.01
    c = 4 + float(random.choice([0.0, 0.1, 3.0]))
    C = c * np.sqrt(L * gaps.max(axis=-1, keepdims=True)) * E
    constants = {"alpha": 1 + 4 * random.random(), "rho": 0.001 + 0.99 * random.random()}
    return {
        **{"gaps": gaps, "update_norms": C * (0.01 + 2 * random.random((POINTS, n))), "c": c, "L": L, "E": E},
        **constants,
    }


def long_updates(random: Generator) -> Objects:
    C_low = float(10 ** random.uniform(-2, 2))
    lengths = C_low * (1 + 1e-9 + random.random(POINTS))
    return {"u": vectors_of_length(random, lengths), "C": C_low * fraction(random), "C_low": C_low}


def long_update(random: Generator) -> Objects:
    found = long_updates(random)
    return {"u": found["u"], "C": found["C"]}


MAKERS: dict[str, Callable[[Generator], Objects]] = {
    "dp_fedavg.lemma_1": towards_any_point,
    "dp_fedavg.lemma_2.move": moves_of_a_client,
    "dp_fedavg.lemma_2.update": moves_of_a_client,
    "dp_fedavg.lemma_3": one_step,
    "dp_fedavg.lemma_4.distance": local_iterates,
    "dp_fedavg.fact_1": function_at_points,
    "dp_fedavg.fact_2": vectors,
    "dp_fedavg.fact_3": power,
    "dp_fedavg.equation_17": thresholds,
    "dp_fedavg.equation_17_comparison.terms_b": thresholds,
    "dp_fedavg.equivalence.all_updates": long_updates,
    "dp_fedavg.equivalence.one_update": long_update,
}


def largest_excess(statement: Statement) -> float:
    """Relative to the size of the left-hand side; not a number if some instance misses a hypothesis."""
    largest = []
    for seed in range(TRIALS):
        found = statement.on(**MAKERS[statement.id](default_rng(seed)))
        excess = np.abs(found.excess) if statement.kind is Kind.EQUALITY else found.excess
        relative = excess / np.maximum(1.0, np.abs(found.left))
        met = np.asarray(found.evaluation.applicable, dtype=bool)
        largest.append(np.max(np.where(met, relative, np.nan)))
    return float(np.max(largest))


@pytest.mark.parametrize("identity", MAKERS)
def test_holds_on_every_instance(identity: str) -> None:
    assert largest_excess(bounds.get(identity)) <= ROUNDING


@pytest.mark.parametrize("identity", MAKERS)
def test_a_much_smaller_right_hand_side_is_caught(identity: str) -> None:
    """So that the instances are no easy ones: a tenth of the bound is exceeded by some of them."""
    statement = bounds.get(identity)
    terms = tuple(replace(term, expression=term.expression * Rational(1, 10)) for term in statement.terms)
    assert largest_excess(replace(statement, terms=terms)) > ROUNDING


# ---- what is false as printed


def test_lemma_3_is_false_without_convexity() -> None:
    """f = cos w near its top: the step leads to a steeper place, and the gradient is not co-coercive."""
    found = bounds.get("dp_fedavg.lemma_3").on(
        gradient=lambda w: -np.sin(w), w=np.array([0.1]), eta=0.5, L=1.0
    )
    assert found.evaluation.applicable is True
    before, after = np.sin(0.1), np.sin(0.1 + 0.5 * np.sin(0.1))
    assert found.excess == pytest.approx(after**2 - (before**2 - 3 * (after - before) ** 2), rel=1e-12)
    assert found.excess > 0.019


def test_lemma_4_is_false_for_more_than_E_steps() -> None:
    """f = -w^2/2: after tau steps |w_0 - w_tau| = (1.1^tau - 1) |w_0|, and not 0.2 tau |w_0|.

    "For all tau >= 1" is read as up to E, where the listing stops: the last proof step needs that.
    """
    lemma = bounds.get("dp_fedavg.lemma_4.distance")
    start = {"gradient": lambda w: -w, "w": np.array([1.0]), "eta": 0.1, "L": 1.0}
    printed = replace(lemma, conditions=tuple(c for c in lemma.conditions if c.locator == "B.lem4"))
    found = printed.on(**start, tau=20, E=5)
    assert found.evaluation.applicable is True
    assert found.excess == pytest.approx(1.1**20 - 1 - 0.2 * 20)
    assert found.excess > 1.7
    assert lemma.on(**start, tau=20, E=5).evaluation.applicable is False
    assert lemma.on(**start, tau=5, E=5).excess < 0


def test_the_bound_of_lemma_4_is_not_stronger_than_that_of_lemma_2() -> None:
    """f = w^2/2, where ||grad f||^2 = 2 L (f - f*): the square of the one is four times the other."""
    found = bounds.get("dp_fedavg.lemma_4.stronger").on(
        f=lambda w: (w**2).sum(axis=-1) / 2, gradient=lambda w: w, f_star=0.0,
        w=np.array([1.0]), eta=0.1, tau=3, E=5, L=1.0,
    )  # fmt: skip
    assert found.evaluation.applicable is True
    assert found.left == pytest.approx((2 * 0.1 * 3) ** 2)
    assert found.right == pytest.approx(0.1**2 * 3**2)


def test_the_bound_of_lemma_4_is_at_most_twice_that_of_lemma_2() -> None:
    """By Fact 1: four times in the squares. Where the slope is small, it is the better of the two."""
    claim, ratios = bounds.get("dp_fedavg.lemma_4.stronger"), []
    for seed in range(TRIALS):
        found = claim.on(**short_local_path(default_rng(seed), bounded=True))
        assert np.all(np.asarray(found.evaluation.applicable, dtype=bool))
        ratios.append(found.left / found.right)
    assert np.max(ratios) == pytest.approx(4, rel=1e-9)
    assert np.min(ratios) < 1


def first_round(w: float) -> Objects:
    """f_1 = (w-1)^2/2 and f_2 = (w+1)^2/2 from w, with E = 1: w* = 0, and both Delta_i* are 1/2."""
    centres, w_star, L, E, alpha, rho, C_hat = np.array([1.0, -1.0]), 0.0, 1.0, 1, 1.0, 0.1, 3.0
    gaps = (w - centres) ** 2 / 2 - (w_star - centres) ** 2 / 2
    assert C_hat >= 4 * sqrt(L * 0.5)
    assert alpha / (2 * rho) >= E
    return {
        **{"gaps": gaps, "update_norms": np.abs(w - centres), "C_hat": C_hat},
        **{"L": L, "E": E, "alpha": alpha, "rho": rho},
    }


def test_the_left_side_of_normalization_is_not_always_the_larger_one() -> None:
    """From w_0 = 1/2 with K = 1 both algorithms share their one iterate; the client that is nearer to its own
    minimum than w* is has a negative gap, and its shorter update stretches it most."""
    found = bounds.get("dp_fedavg.equation_16_comparison.left_sides").on(**first_round(0.5))
    assert found.left == pytest.approx(1.89 * (-0.375 + 0.625) / 2)
    assert found.right == pytest.approx(1.99 * (-0.375 * 3 / 0.5 + 0.625 * 3 / 1.5) / 2)
    assert found.excess > 1.2


def test_the_left_side_of_normalization_is_the_larger_one_where_no_gap_is_negative() -> None:
    claim = bounds.get("dp_fedavg.equation_16_comparison.left_sides")
    excesses = []
    for seed in range(TRIALS):
        random = default_rng(seed)
        n, E, C_hat = (
            int(random.integers(1, 7)),
            int(random.integers(1, 9)),
            float(10 ** random.uniform(-1, 1)),
        )
        rho = 0.001 + 0.99 * random.random()
        found = claim.on(
            gaps=random.random((POINTS, n)), update_norms=C_hat * E * (0.01 + 2 * random.random((POINTS, n))),
            C_hat=C_hat, L=1.0, E=E, alpha=max(1.0, 2 * rho * E), rho=rho,
        )  # fmt: skip
        excesses.append(np.max(found.excess / np.maximum(1.0, found.left)))
    assert max(excesses) <= ROUNDING


def test_every_statement_with_objects_is_tried_here() -> None:
    refuted = {"dp_fedavg.lemma_4.stronger", "dp_fedavg.equation_16_comparison.left_sides"}
    # definitions, prose claims and what leads up to Theorem 4: not tried yet
    apart = {
        "dp_fedavg.claims.bias",
        "dp_fedavg.claims.signal_to_noise",
        "dp_fedavg.claims.update_per_step",
        "dp_fedavg.definitions.privacy",
        "dp_fedavg.definitions.quadratic_bound",
        "dp_fedavg.equation_12.length",
        "dp_fedavg.proposition_1",
    }
    known = {s.id for s in bounds.statements("dp_fedavg") if s.concrete is not None}
    assert known == MAKERS.keys() | refuted | apart
