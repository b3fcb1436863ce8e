"""Random objects of lemmas, and how their numbers are compared with literal loops in 40 digits."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from concrete_by_hand import Loss
from mpmath import mpf

DIGITS, RELATIVE = 40, 1e-12
DIMENSION = 3

Objects = Mapping[str, Any]
Draw = Callable[[np.random.Generator], dict[str, Any]]
Numbers = Callable[[str, Objects], dict[str, Any]]


def scalars(rng: np.random.Generator, *names: str) -> dict[str, float]:
    return {name: float(rng.uniform(0.2, 1.5)) for name in names}


def random_loss(rng: np.random.Generator) -> Any:
    root = rng.normal(size=(DIMENSION, DIMENSION))
    return Loss(root @ root.T / DIMENSION, rng.normal(size=DIMENSION), float(rng.uniform(0.1, 1)))


def points(rng: np.random.Generator, *names: str) -> dict[str, Any]:
    return {name: rng.normal(size=DIMENSION) for name in names}


def disagreements(numbers: Mapping[str, Any], truth: dict[str, Any], objects: Objects) -> list[str]:
    wrong = [f"{name} is not among the numbers" for name in truth.keys() - numbers.keys()]
    for name, computed in numbers.items():
        known = truth[name] if name in truth else mpf(objects[name])
        # An identity's error is that of rounding, in vectors of length about one.
        if not abs(mpf(float(computed)) - known) <= RELATIVE * (abs(known) or 1):
            wrong.append(f"{name}: {computed}, by hand {float(known)}")
    return wrong


def disagree_along_an_axis(
    statement: str, drawn: tuple[Draw, Draw], results: Numbers, expected: Numbers
) -> list[str]:
    """Find what goes wrong where two cases of the second draw share one evaluation and the first draw."""
    rng = np.random.default_rng(3)
    shared, cases = drawn[0](rng), [drawn[1](rng) for _ in range(2)]
    stacked = {name: np.stack([case[name] for case in cases]) for name in cases[0]}
    numbers = results(statement, {**shared, **stacked})
    wrong = []
    for i, case in enumerate(cases):
        objects = {**shared, **case}
        own = {name: np.broadcast_to(number, 2)[i] for name, number in numbers.items()}
        wrong += disagreements(own, expected(statement, objects), objects)
    return wrong


def miss_a_wrong_digit(truth: dict[str, Any], objects: Objects) -> list[str]:
    """The numbers of which a changed digit, or their absence, is not noticed."""
    numbers = {name: float(number) for name, number in truth.items()}
    assert disagreements(numbers, truth, objects) == []
    return [
        name
        for name, number in numbers.items()
        if not disagreements({**numbers, name: number + 1e-11 * max(abs(number), 1)}, truth, objects)
        or not disagreements({n: v for n, v in numbers.items() if n != name}, truth, objects)
    ]
