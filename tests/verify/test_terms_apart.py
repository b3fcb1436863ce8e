"""Cells in which one term of a bound is small while another is not, and few clients that are drawn by a coin.

FedAvg with a server step: each client takes part with probability p, weights 1/(pn). Write h_i for the mean
gradient of client i along its E steps, eta = eta_s gamma E, w = (1 - p)/(pn), g_i = grad f_i(x*), s^2 for the
mean of ||g_i||^2, G and R for those of ||grad f_i(y_ie) - g_i||^2 and ||y_ie - x||^2 over i and e. Then

    E||x+ - x*||^2 <= ||x - x*||^2 - 2 eta (f(x) - f*) + eta L R - (eta/L) G + eta^2 G + eta^2 w (2 G + 2 s^2)
    R <= gamma^2 E (E - 1) G + gamma^2 (E - 1)(2E - 1)/3 s^2

by cocoercivity, Jensen and Cauchy-Schwarz, so that with eta L (1 + 2w) <= 1/2 and gamma E L <= 7/10

    E||x_K - x*||^2 <= (1 - eta mu)^K D^2 + gamma^2 L (E - 1)(2E - 1) s^2/(3 mu) + 2 eta w s^2/mu.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sympy import Rational

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.part import at_start, constant, lower_constant, setting
from bounds.language.quantity import (
    NON_NEGATIVE,
    POSITIVE,
    POSITIVE_INTEGER,
    PROBABILITY,
    Notation,
    Over,
)
from bounds.language.statement import Kind, Paper, Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.answer import check
from verify.cell import Cell
from verify.matching.cells.grounds import why_no_cell
from verify.matching.cells.standard import cells
from verify.matching.declared import why_not_declared
from verify.matching.run_settings import settings_of
from verify.runs.check import run_cell

NOTATION = Notation()
q = NOTATION.quantity
K = q("K", "K", "rounds", POSITIVE_INTEGER, part=setting("rounds"))
E = q("E", "E", "local steps", POSITIVE_INTEGER, part=setting("local_steps"))
gamma = q("gamma", r"\gamma", "local step", POSITIVE, X**2 / F, part=setting("local_step"))
eta_s = q("eta_s", r"\eta_s", "server step", POSITIVE, part=setting("server_step"))
p = q("p", "p", "probability of each client", PROBABILITY, part=setting("participation.independent"))
n = q("n", "n", "clients", POSITIVE_INTEGER, part=constant("clients"))
L = q("L", "L", "smoothness", POSITIVE, F / X**2, part=constant("smoothness"))
mu = q("mu", r"\mu", "strong convexity", POSITIVE, F / X**2, part=lower_constant("strong_convexity"))
D = q("D", "D", "distance at the start", NON_NEGATIVE, X, part=at_start("distance"))
slopes = constant("mean_squared_client_gradient_at_minimiser", root=True)
s = q("s", "s", "slopes of the clients at the minimizer", NON_NEGATIVE, F / X, part=slopes)
distance = NOTATION.observable("distance", "x", "distance", X**2, Over.LAST, measured="squared_distance")
PAPER = Paper(key="apart", title="", authors="", bibtex="", package=__name__, notation=NOTATION)
EXAMPLE = {"K": 10, "E": 2, "gamma": 0.1, "eta_s": 0.5, "p": 0.5, "n": 4, "L": 1, "mu": 0.1, "D": 1, "s": 1}

eta, w = eta_s * gamma * E, (1 - p) / (p * n)
START = (1 - eta * mu) ** K * D**2
DRIFT = gamma**2 * L * (E - 1) * (2 * E - 1) * s**2 / (3 * mu)
SAMPLING = 2 * eta * w * s**2 / mu
LOCAL = ("one local step near the minimizer", "one local step, few clients near the minimizer")
TINY = ("tiny gamma near the minimizer",)
FEW = ("partial participation", "few clients near the minimizer")


def with_weights(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    y = np.repeat(x[:, None], len(clients), axis=1)
    for _ in range(settings.local_steps):
        y = y - settings.local_step * clients.gradients(y)
    taken = random.random((len(x), len(clients), 1)) < settings.probability
    return x + settings.server_step * (taken * (y - x[:, None])).mean(axis=1) / settings.probability


NAMES = ("local_step", "local_steps", "server_step", "probability")
ALGORITHM = Algorithm(round=with_weights, settings=dict.fromkeys(NAMES, REQUIRED), batched=True)


def stated(*terms: Any, **changes: Any) -> Statement:
    conditions = (
        at_most(gamma, 7 / (10 * L * E), locator="x", printed="x"),
        at_most(eta_s, 1 / (2 * L * gamma * E * (1 + 2 * w)), locator="x", printed="x"),
    )
    made = Statement(
        locator="apart",
        kind=Kind.UPPER_BOUND,
        paper=PAPER,
        title="FedAvg with a server step",
        printed=("x",),
        reading="",
        algorithm=changes.pop("algorithm", None) or adopt(ALGORITHM),
        left=distance,
        terms=tuple(Term(str(i), term, "x") for i, term in enumerate(terms)),
        assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX),
        conditions=conditions,
        example=EXAMPLE,
        problems=("quadratic.small",),
    )
    return discovery.adopt(made)


def judged(statement: Statement, roles: tuple[str, ...]) -> dict[str, Verdict]:
    chosen = [cell for cell in cells(statement) if cell.role in roles]
    return {c.role: run_cell(c, level=1e-4, seed=1, replicates=512).verdict for c in chosen}


def test_the_true_bound_holds_in_every_cell() -> None:
    statement = stated(START, DRIFT, SAMPLING)
    roles = tuple(cell.role for cell in cells(statement))
    assert {*LOCAL, *TINY, *FEW, "tiny eta_s near the minimizer"} <= set(roles)
    found = judged(statement, roles)
    assert set(found.values()) == {Verdict.HOLDS}


@pytest.mark.parametrize(
    ("sampling", "roles"),
    [(0, LOCAL), (0, TINY), (SAMPLING / n**2, LOCAL), (SAMPLING * p**2, LOCAL[1:])],
    ids=str,
)
def test_what_the_sampling_costs_is_missed_where_the_drift_does_not_hide_it(
    sampling: Any, roles: tuple[str, ...]
) -> None:
    found = judged(stated(START, DRIFT, sampling + 0 * s), roles)
    assert Verdict.VIOLATED in found.values()


def settings_at(statement: Statement, role: str) -> Mapping[str, Any]:
    cell: Cell = next(cell for cell in cells(statement) if cell.role == role)
    made = settings_of(statement, cell)
    return {name: getattr(made, name) for name in NAMES}


def test_an_authors_algorithm_is_told_the_probability_of_a_client() -> None:
    statement = stated(START, DRIFT, SAMPLING)
    assert settings_at(statement, "partial participation")["probability"] == 1 / 5  # of five clients one
    assert settings_at(statement, "heterogeneous")["probability"] == 1 / 2


def test_a_bare_function_is_told_it_too() -> None:
    def without_weights(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return x + 0 * settings.probability

    answer = check(stated(START, DRIFT, SAMPLING), algorithm=without_weights, quick=True, search=0)
    assert answer.refuted


def test_an_example_that_is_no_number_is_named() -> None:
    written: Any = {**EXAMPLE, "p": "1/2"}
    words = replace(stated(START, DRIFT, SAMPLING), example=written)
    assert why_not_declared(words) == (
        "the example gives p = '1/2', which is not a number: write 0.5 or Rational(1, 2)"
    )
    exact = replace(stated(START, DRIFT, SAMPLING), example={**EXAMPLE, "p": Rational(1, 2)})
    assert why_not_declared(exact) is None


def test_an_algorithm_that_requires_noise_is_not_run_without_it() -> None:
    """A bound that forgets the noise term names no noise, and would hold of a run without any."""

    def noisy(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return x - settings.local_step * clients.gradient(x) + settings.noise_scale * random.standard_normal()

    algorithm = Algorithm(round=noisy, settings={"local_step": REQUIRED, "noise_scale": REQUIRED})
    forgotten = replace(
        stated((1 - gamma * mu) ** K * D**2),
        algorithm=adopt(algorithm),
        conditions=(at_most(gamma, 1 / L, locator="x", printed="x"),),
        example={name: EXAMPLE[name] for name in ("gamma", "mu", "K", "D", "L")},
    )
    assert not cells(discovery.adopt(forgotten))
    reason = why_no_cell(forgotten)
    assert (
        "needs the setting noise_scale, which nothing gives: declare a quantity with part=setting(" in reason
    )
    quiet = discovery.adopt(replace(forgotten, run_with={"noise_scale": 0.0}))
    assert cells(quiet)


def test_a_step_that_only_the_mean_of_unlike_clients_stands_falls_where_they_are_alike() -> None:
    """A step of 9/(4L): the mean of clients that are apart is smoother than each of them."""
    too_long = replace(
        stated(D**2),
        algorithm="fedavg",
        run_with={"participation": "full", "local_steps": 1},
        conditions=(at_most(gamma, 9 / (4 * L), locator="x", printed="x"),),
        example={name: EXAMPLE[name] for name in ("gamma", "K", "D", "L")},
    )
    found = judged(
        discovery.adopt(too_long), ("edge of its conditions", "edge of its conditions, homogeneous")
    )
    assert found == {
        "edge of its conditions": Verdict.HOLDS,
        "edge of its conditions, homogeneous": Verdict.VIOLATED,
    }
    right = replace(too_long, conditions=(at_most(gamma, 2 / L, locator="x", printed="x"),))
    assert judged(discovery.adopt(right), ("edge of its conditions, homogeneous",)) == {
        "edge of its conditions, homogeneous": Verdict.HOLDS
    }
