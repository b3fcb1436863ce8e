"""Lemmas on actual objects: every number and both sides agree with literal loops in 40 digits."""

from typing import Any

import concrete_by_hand
import concrete_by_hand_dp_fedavg
import drawn_dp_fedavg
import drawn_fed_norm_ec
import numpy as np
import pytest
from drawn_fed_norm_ec import ROUNDS
from mpmath import workdps
from numbers_on_objects import DIGITS, Objects, disagree_along_an_axis, disagreements, miss_a_wrong_digit

import bounds

PAPERS = {
    "fed_norm_ec": (drawn_fed_norm_ec.CHECKED, concrete_by_hand.TRUTH),
    "dp_fedavg": (drawn_dp_fedavg.CHECKED, concrete_by_hand_dp_fedavg.TRUTH),
}
CHECKED = {f"{paper}.{name}": draws for paper, (drawn, _) in PAPERS.items() for name, draws in drawn.items()}
TRUTH = {f"{paper}.{name}": loops for paper, (_, truth) in PAPERS.items() for name, loops in truth.items()}
EQUATION_17 = "dp_fedavg.equation_17"


def expected(statement: str, objects: Objects) -> dict[str, Any]:
    with workdps(DIGITS):
        return dict(TRUTH[statement](concrete_by_hand.named(objects)))


def example(statement: str, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {name: thing for draw in CHECKED[statement] for name, thing in draw(rng).items()}


def results(statement: str, objects: Objects) -> dict[str, Any]:
    evaluated = bounds.get(statement).on(**objects)
    return evaluated.numbers | {"left": evaluated.left, "right": evaluated.right}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_statement_on_objects_is_checked(paper: str) -> None:
    on_objects = {s.id.removeprefix(f"{paper}.") for s in bounds.statements(paper) if s.concrete}
    apart = drawn_dp_fedavg.APART if paper == "dp_fedavg" else set()
    assert on_objects == PAPERS[paper][0].keys() | apart


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("statement", CHECKED)
def test_numbers_and_both_sides_agree_with_literal_loops(statement: str, seed: int) -> None:
    objects = example(statement, seed)
    assert disagreements(results(statement, objects), expected(statement, objects), objects) == []


# The axes of Lemma 2 are taken: its first one is that of the outcomes.
@pytest.mark.parametrize("statement", sorted(CHECKED.keys() - {"fed_norm_ec.lemma_2"}))
def test_cases_along_a_leading_axis_are_cases_of_their_own(statement: str) -> None:
    drawn = CHECKED[statement]
    assert disagree_along_an_axis(statement, drawn, results, expected) == []


@pytest.mark.parametrize("statement", CHECKED)
def test_a_wrong_digit_in_any_number_is_caught(statement: str) -> None:
    objects = example(statement, 1)
    assert miss_a_wrong_digit(expected(statement, objects), objects) == []


@pytest.mark.parametrize("seed", [1, 2])
def test_the_examples_have_clients_on_both_sides_of_the_threshold(seed: int) -> None:
    name = "dp_fedavg.equation_16_comparison.left_sides"
    numbers = expected(name, example(name, seed))
    assert numbers["unclipped_gap"] != 0 != numbers["clipped_norm"]
    assert 0 < expected(EQUATION_17, example(EQUATION_17, seed))["unclipped_share"] < 1


def test_the_examples_have_an_update_on_each_side_of_the_threshold() -> None:
    name = "dp_fedavg.equivalence.one_update"
    first, second = (expected(name, example(name, seed))["client_update_norm"] for seed in (1, 2))
    assert min(first, second) < 0.8 < max(first, second)


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
@pytest.mark.parametrize("statement", ["fed_norm_ec.lemma_6", "fed_norm_ec.lemma_8"])
def test_nothing_is_said_of_clients_that_share_their_infimum(statement: str, between: float) -> None:
    lowest = {"f_inf": 0.5 + between, "f_i_inf": np.array([0.25, 0.75])}
    evaluated = bounds.get(statement).on(**example(statement, 6) | lowest)
    assert evaluated.evaluation.applicable is (between > 0)
