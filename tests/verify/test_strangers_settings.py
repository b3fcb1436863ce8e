"""Strangers' theorems for every value of a setting, and about the strong convexity of each client.

A setting that no formula takes has its value from the example: a threshold inside an observable, a radius
whose condition a false twin forgets.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from strangers import enter, state_with_example
from sympy import Expr, Min

from bounds import discovery
from bounds.evaluation.resolve import resolve
from bounds.language.assumptions import (
    BOUNDED_BELOW,
    CONVEX_CLIENTS,
    SMOOTH_CLIENTS,
    STRONGLY_CONVEX,
    Assumption,
)
from bounds.language.condition import at_least, at_most
from bounds.language.dimension import F, X
from bounds.language.part import setting
from bounds.language.quantity import (
    POSITIVE,
    Notation,
    Over,
    States,
)
from bounds.language.statement import Paper, Statement
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.problems import build
from verify import check
from verify.matching.cells.grounds import why_no_cell
from verify.matching.cells.standard import cells
from verify.matching.constants.known import known

NOTATION = Notation()
q = NOTATION.quantity
C = q("C", "C", "threshold", POSITIVE, F / X, part=setting("clip"))
R = q("R", "R", "radius", POSITIVE, X, part=setting("radius"))
K, n, d, eta, p, sigma = enter(NOTATION, "K", "n", "d", "eta", "p", "sigma")
L, mu, mu_i, D, Delta, s = enter(NOTATION, "L", "mu", "mu_i", "D", "Delta", "s")
distance = NOTATION.observable(
    "distance", r"E\|x_K-x^*\|^2", "at the end", X**2, Over.LAST, measured="squared_distance"
)
progress = NOTATION.observable(
    "progress",
    r"\min(\|\nabla f\|^2,C\|\nabla f\|)",
    "mean over the rounds",
    F**2 / X**2,
    Over.UNIFORM_ROUND,
    measured="cut_gradient",
    states=States.BEFORE_A_ROUND,
)
PAPER = Paper(key="settings", title="Settings", authors="x", bibtex="", package=__name__, notation=NOTATION)
EXAMPLE = {"K": 10, "n": 4, "d": 4, "eta": 0.05, "p": 0.5, "C": 1, "R": 2, "sigma": 1, "L": 1, "mu": 0.1}
EXAMPLE |= {"mu_i": 0.1, "D": 1, "Delta": 1, "s": 1}


def each_client(known: Any) -> bool | str:
    least = known.lower("client_strong_convexity")
    return True if least and least > 0 else "some client is not certified to be strongly convex"


EACH = Assumption("strongly convex clients", r"\mu_i>0", "x", certified_by=each_client)
STRONG = (CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX)


theorem = partial(state_with_example, PAPER, EXAMPLE)


def most(value: Expr, limit: Any) -> Any:
    return at_most(value, limit, locator="settings", printed="x", part=str(value))


def length(vector: Any) -> float:
    return float(np.sqrt(vector @ vector))


def clipped(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    gradient = clients.gradient(x)
    gradient *= min(1.0, settings.clip / max(length(gradient), 1e-300))
    return x - settings.step * (gradient + settings.noise * random.standard_normal(len(x)))


def cut_gradient(x: Any, clients: Any, settings: Any) -> float:
    size = length(clients.gradient(x))
    return min(size * size, settings.clip * size)


def confined(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x, center = state["x"], state["center"]
    away = x - settings.step * clients[random.integers(len(clients))].gradient(x) - center
    away *= min(1.0, settings.radius / max(length(away), 1e-300))
    return {"x": center + away, "center": center}


def saga(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x, table = state["x"], state["table"]
    i = random.integers(len(clients))
    gradient = clients[i].gradient(x)
    moved = x - settings.step * (gradient - table[i] + table.mean(axis=0))
    table[i] = gradient
    return {"x": moved, "table": table}


def skipping(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    """ProxSkip: local steps with control variates, averaged with some probability."""
    x, h, step, share = state["x"], state["h"], settings.step, settings.probability
    moved = x - step * (clients.gradients(x) - h)
    meets = random.random() < share
    new = np.tile((moved - step / share * h).mean(axis=0), (len(clients), 1)) if meets else moved
    return {"x": new, "h": h + share / step * (new - moved)}


CLIPPED = Algorithm(
    round=clipped,
    settings={"step": REQUIRED, "clip": REQUIRED, "noise": 0.0},
    observables={"cut_gradient": cut_gradient},
)
CONFINED = Algorithm(
    round=confined,
    begin=lambda x0, clients, settings: {"x": x0, "center": x0},
    settings={"step": REQUIRED, "radius": REQUIRED},
)
SAGA = Algorithm(
    round=saga,
    begin=lambda x0, clients, settings: {"x": x0, "table": clients.gradients(x0)},
    settings={"step": REQUIRED},
)
SKIPPING = Algorithm(
    round=skipping,
    begin=lambda x0, clients, settings: {
        "x": np.tile(x0, (len(clients), 1)),
        "h": np.zeros((len(clients), len(x0))),
    },
    iterate=lambda state: state["x"].mean(axis=0),
    settings={"step": REQUIRED, "probability": REQUIRED},
)
ANY = (SMOOTH_CLIENTS, BOUNDED_BELOW)
SGD = (1 - eta * mu) ** K * D**2 + 2 * eta * s**2 / mu
SKIPPED = D**2 + eta**2 * s**2 / p**2
# f(x+) <= f(x) - eta min(||g||^2, C ||g||)/2 + L eta^2 d sigma^2/2 for eta <= 1/L; a projection onto a ball
# with x* in it shortens distances; SAGA: Defazio, Bach, Lacoste-Julien 2014; ProxSkip: Mishchenko et al. 2022
PAIRS = {
    "clipping": (
        CLIPPED,
        theorem(progress, 2 * Delta / (eta * K) + L * eta * d * sigma**2, ANY, most(eta, 1 / L), names="C"),
        theorem(progress, 2 * Delta / (eta * K) + L * eta * sigma**2 / 2, ANY, most(eta, 1 / L), names="C"),
    ),
    "a ball": (
        CONFINED,
        theorem(
            distance,
            SGD,
            STRONG,
            most(eta, 1 / (2 * L)),
            at_least(R, D, locator="settings", printed="x", part="R"),
        ),
        theorem(distance, SGD, STRONG, most(eta, 1 / (2 * L)), names="R"),
    ),
    "saga": (
        SAGA,
        theorem(
            distance,
            (1 - Min(1 / (4 * n), eta * mu_i)) ** K * (D**2 + 2 * n * eta * Delta),
            (CONVEX_CLIENTS, SMOOTH_CLIENTS, EACH),
            most(eta, 1 / (3 * L)),
        ),
        theorem(
            distance,
            (1 - eta * mu_i) ** (4 * K) * (D**2 + 2 * eta * Delta),
            (CONVEX_CLIENTS, SMOOTH_CLIENTS, EACH),
            most(eta, 1 / (3 * L)),
        ),
    ),
    "skipping": (
        SKIPPING,
        theorem(
            distance,
            (1 - Min(eta * mu_i, p**2)) ** K * SKIPPED,
            (CONVEX_CLIENTS, SMOOTH_CLIENTS, EACH),
            most(eta, 1 / L),
        ),
        theorem(
            distance,
            (1 - eta * mu_i) ** (4 * K) * SKIPPED,
            (CONVEX_CLIENTS, SMOOTH_CLIENTS, EACH),
            most(eta, 1 / L),
        ),
    ),
}


@pytest.mark.slow("random runs, one replicate after the other")
@pytest.mark.parametrize("pair", [*PAIRS])
def test_a_true_theorem_stays_and_its_twin_falls(pair: str) -> None:
    algorithm, true, false = PAIRS[pair]
    assert not check(true, algorithm=algorithm, quick=True, search=0, level=1e-6).refuted
    assert check(false, algorithm=algorithm, quick=True, search=0, level=1e-6).refuted


def adopted(algorithm: Algorithm, statement: Statement) -> Statement:
    return discovery.adopt(replace(statement, algorithm=adopt(algorithm)))


def test_a_setting_of_the_example_is_an_input_and_is_varied() -> None:
    algorithm, true, _ = PAIRS["clipping"]
    assert "C" in resolve(true).optional
    assert "C" not in resolve(replace(true, example={})).optional
    assert len({cell.parameters["C"] for cell in cells(adopted(algorithm, true))}) >= 3


def test_a_setting_without_a_value_is_to_be_given_in_the_example() -> None:
    algorithm, _, false = PAIRS["a ball"]
    silent = {name: value for name, value in false.example.items() if name != "R"}
    found = why_no_cell(adopted(algorithm, replace(false, example=silent)))
    assert "give R in `example`" in found


def test_an_end_of_all_clients_is_that_of_the_worst_one() -> None:
    """The curvatures of the clients are 1 and 1/4: each is 1/4-strongly convex, and 1-smooth."""
    problem = build("quadratic.diagonal", curvatures=((1.0,), (0.25,)), centers=((1.0,), (-1.0,)))
    found = known(problem, {})
    assert found.lower("client_strong_convexity") == pytest.approx(0.25, rel=1e-6)
    assert found.upper("client_smoothness") == pytest.approx(1.0, rel=1e-6)
    assert found.lower("client_smoothness") == pytest.approx(0.25, rel=1e-6)
