"""Lemmas on actual objects: every number and both sides agree with literal loops in 40 digits."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from concrete_by_hand import TRUTH, named
from mpmath import workdps
from numbers_on_objects import (
    DIGITS,
    DIMENSION,
    Draw,
    Objects,
    disagree_along_an_axis,
    disagreements,
    miss_a_wrong_digit,
    points,
    random_loss,
    scalars,
)

import bounds

CLIENTS, COMPONENTS, STEPS, ROUNDS = 2, 4, 5, 3
# Of the increments of Lemma 2: one after the other, over rounds and clients.
CHANCE = np.linspace(0.2, 0.7, ROUNDS * CLIENTS)
FORWARD = np.array(list(product([False, True], repeat=ROUNDS * CLIENTS)))


def independent_increments(rng: np.random.Generator) -> dict[str, Any]:
    """All outcomes of independent z_i^k of mean zero: each goes one of two ways along its own direction."""
    directions = rng.normal(size=(ROUNDS, CLIENTS, DIMENSION))
    return {"z": np.where(FORWARD, 1 - CHANCE, -CHANCE).reshape(-1, ROUNDS, CLIENTS, 1) * directions}


def client_losses(rng: np.random.Generator) -> list[list[Any]]:
    return [[random_loss(rng) for _ in range(COMPONENTS)] for _ in range(CLIENTS)]


def lowest_values(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "f_i_inf": rng.uniform(-2, 0, size=CLIENTS),
        "f_ij_inf": rng.uniform(-4, -2, size=(CLIENTS, COMPONENTS)),
    }


def a_function(rng: np.random.Generator) -> dict[str, Any]:
    loss = random_loss(rng)
    return {"f": loss.value, "gradient": loss, "f_inf": -10.3}


# What all cases share, and what differs between them.
CHECKED: dict[str, tuple[Draw, Draw]] = {
    "smoothed_normalization": (lambda rng: scalars(rng, "alpha"), lambda rng: points(rng, "v")),
    "lemma_1": (
        lambda rng: scalars(rng, "alpha", "beta", "gamma", "eta", "rho", "C") | {"local": random_loss(rng)},
        lambda rng: points(rng, "v", "x", "x_next"),
    ),
    "lemma_2": (
        lambda rng: (
            scalars(rng, "beta", "sigma") | {"weights": np.where(FORWARD, CHANCE, 1 - CHANCE).prod(1)}
        ),
        lambda rng: points(rng, "start") | independent_increments(rng),
    ),
    "lemma_4": (
        lambda rng: scalars(rng, "gamma_step", "L") | a_function(rng),
        lambda rng: points(rng, "x", "G"),
    ),
    "lemma_5": (
        lambda rng: scalars(rng, "b_1", "b_2", "b_3", "gamma_sequence"),
        lambda rng: {"V": rng.uniform(size=ROUNDS + 1), "W": rng.uniform(size=ROUNDS)},
    ),
    "lemma_6": (
        lambda rng: scalars(rng, "f_inf", "L") | {"f_i_inf": rng.uniform(-2, 0, size=CLIENTS)},
        lambda rng: {"gradients": rng.normal(size=(CLIENTS, DIMENSION)), "f": rng.uniform(2, 3)},
    ),
    "lemma_8": (
        lambda rng: (
            scalars(rng, "f_inf", "gamma", "L") | lowest_values(rng) | {"gradients": client_losses(rng)}
        ),
        lambda rng: points(rng, "x") | {"f": rng.uniform(2, 3)},
    ),
    **dict.fromkeys(
        (f"lemma_7.c{part}" for part in range(1, 6)),
        (
            lambda rng: scalars(rng, "gamma", "L", "eta") | {"gradient": random_loss(rng), "T": STEPS},
            lambda rng: points(rng, "x", "x_next"),
        ),
    ),
    **dict.fromkeys(
        (f"lemma_9.c{part}" for part in range(1, 5)),
        (
            lambda rng: scalars(rng, "gamma", "L", "eta") | {"gradients": client_losses(rng)},
            lambda rng: points(rng, "x", "x_next"),
        ),
    ),
}


def expected(statement: str, objects: Objects) -> dict[str, Any]:
    with workdps(DIGITS):
        return dict(TRUTH[statement](named(objects)))


def example(statement: str, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {name: thing for draw in CHECKED[statement] for name, thing in draw(rng).items()}


def results(statement: str, objects: Objects) -> dict[str, Any]:
    evaluated = bounds.get(f"fed_norm_ec.{statement}").on(**objects)
    return evaluated.numbers | {"left": evaluated.left, "right": evaluated.right}


def test_every_statement_on_objects_is_checked() -> None:
    on_objects = {s.id for s in bounds.statements() if s.concrete and s.id.startswith("fed_norm_ec.")}
    assert on_objects == {f"fed_norm_ec.{statement}" for statement in CHECKED}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("statement", CHECKED)
def test_numbers_and_both_sides_agree_with_literal_loops(statement: str, seed: int) -> None:
    objects = example(statement, seed)
    assert disagreements(results(statement, objects), expected(statement, objects), objects) == []


# The axes of Lemma 2 are taken: its first one is that of the outcomes.
@pytest.mark.parametrize("statement", sorted(CHECKED.keys() - {"lemma_2"}))
def test_cases_along_a_leading_axis_are_cases_of_their_own(statement: str) -> None:
    drawn = CHECKED[statement]
    assert disagree_along_an_axis(statement, drawn, results, expected) == []


@pytest.mark.parametrize("statement", CHECKED)
def test_a_wrong_digit_in_any_number_is_caught(statement: str) -> None:
    objects = example(statement, 1)
    assert miss_a_wrong_digit(expected(statement, objects), objects) == []


# ---- hypotheses are judged on the objects themselves


@pytest.mark.parametrize("broken", [None, *range(ROUNDS)])
def test_the_descent_of_lemma_5_is_asked_in_every_round(broken: int | None) -> None:
    W = np.random.default_rng(5).uniform(size=ROUNDS)
    V = [2.0]
    for k in range(ROUNDS):
        slack = -0.001 if k == broken else 0.001
        V.append((1 + 0.5 * 0.2**2) * V[-1] - 0.7 * 0.2 * W[k] + 0.3 * 0.2 - slack)
    objects = {"V": np.array(V), "W": W, "b_1": 0.5, "b_2": 0.7, "b_3": 0.3, "gamma_sequence": 0.2}
    evaluated = bounds.get("fed_norm_ec.lemma_5").on(**objects)
    assert evaluated.evaluation.applicable is (broken is None)


@pytest.mark.parametrize("between", [0.0, 0.25])
@pytest.mark.parametrize("statement", ["lemma_6", "lemma_8"])
def test_nothing_is_said_of_clients_that_share_their_infimum(statement: str, between: float) -> None:
    lowest = {"f_inf": 0.5 + between, "f_i_inf": np.array([0.25, 0.75])}
    evaluated = bounds.get(f"fed_norm_ec.{statement}").on(**example(statement, 6) | lowest)
    assert evaluated.evaluation.applicable is (between > 0)
