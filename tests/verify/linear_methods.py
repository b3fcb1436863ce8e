"""What tests of worst cases of linear methods share: a few methods, and how a question is asked."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.worst_case.answer import Answer, worst


def descent(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


def nesterov(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x = state["y"] - settings.step * clients.gradient(state["y"])
    return {"x": x, "y": x + state["k"] / (state["k"] + 3) * (x - state["x"]), "k": state["k"] + 1}


def local_steps(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    own = np.tile(x, (len(clients), 1))
    for _ in range(settings.local_steps):
        own = own - settings.step * clients.gradients(own)
    return own.mean(axis=0)


def adopted(round_: Callable[..., Any], **more: Any) -> str:
    return adopt(Algorithm(round=round_, **({"settings": {"step": REQUIRED}} | more)))


def nesterov_of_a_package() -> str:
    return adopted(nesterov, begin=lambda x0, clients, settings: {"x": x0, "y": x0, "k": 0})


def ask(name: str, **given: Any) -> Answer:
    more = {key: given.pop(key) for key in ("observable", "convex") if key in given}
    return worst(name, {key: Fraction(value) for key, value in given.items()}, **more)


def ends(answer: Answer) -> tuple[float, float]:
    assert answer.found is not None, answer.sentence
    assert answer.found.lower is not None
    assert answer.found.lower <= answer.found.upper
    return float(answer.found.lower), float(answer.found.upper)
