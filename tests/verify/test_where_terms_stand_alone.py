"""A halved constant shows in the longest first step, a term for clipped vectors where noise is weak."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Expr, sqrt

from bounds import discovery
from bounds.language.assumptions import BOUNDED_BELOW, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.part import constant, setting
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, Notation, Over
from bounds.language.statement import Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.matching.cells.standard import cells
from verify.runs.check import run_cell

NOTATION = Notation()
q = NOTATION.quantity
K, eta, d, Delta = enter(NOTATION, "K", "eta", "d", "Delta")
L = q("L", "L", "smoothness of f", POSITIVE, F / X**2, part=constant("mean_smoothness"))
C = q("C", "C", "threshold", POSITIVE, F / X, part=setting("threshold"))
sigma = q("sigma", "s", "noise", NON_NEGATIVE, F / X, part=setting("noise_scale"))
moved = NOTATION.observable("moved", "m", "squared way from x_0", X**2, Over.LAST, measured="moved")
PAPER = paper("alone", NOTATION)


def begin(x0: Any, clients: Any, settings: Any) -> Any:
    return {"x": x0, "first": x0}


def descend(at: Any, clients: Any, settings: Any, random: Any) -> Any:
    return {**at, "x": at["x"] - settings.step * clients.gradient(at["x"])}


def clip_and_noise(at: Any, clients: Any, settings: Any, random: Any) -> Any:
    g = clients.gradient(at["x"])
    g = g * np.minimum(1.0, settings.threshold / np.linalg.norm(g, axis=-1, keepdims=True))
    return {**at, "x": at["x"] - settings.step * (g + settings.noise_scale * random.standard_normal(g.shape))}


def measure(at: Any, clients: Any, settings: Any) -> Any:
    return ((at["x"] - at["first"]) ** 2).sum(axis=-1)


def stated(round: Any, bound: Expr, example: dict[str, float], **more: Any) -> Statement:
    needed = ("step",) if round is descend else ("step", "threshold", "noise_scale")
    settings = dict.fromkeys(needed, REQUIRED)
    name = adopt(
        Algorithm(round=round, begin=begin, settings=settings, observables={"moved": measure}, batched=True)
    )
    assumptions = (SMOOTH_CLIENTS, BOUNDED_BELOW)
    known = {"K": 20, "eta": 0.5, **example}
    of = state(PAPER, moved, Term("way", bound, "the way"), assumptions=assumptions, example=known, **more)
    return discovery.adopt(replace(of, algorithm=name))


def judge_in(role: str, statement: Statement) -> Verdict:
    (cell,) = (cell for cell in cells(statement) if cell.role == role)
    return run_cell(cell, level=1e-5, seed=1, replicates=512).verdict


@pytest.mark.parametrize(("times", "verdict"), [(2, Verdict.HOLDS), (1, Verdict.VIOLATED)])
def test_the_first_step_at_its_limit_goes_as_far_as_the_bound_allows(times: int, verdict: Verdict) -> None:
    """||x_K - x_0||^2 <= K sum of the squared steps; f falls by eta/2 ||grad f||^2 in each, eta <= 1/L."""
    limit = at_most(eta, 1 / L, locator="alone", printed="x")
    example = {"L": 1.0, "Delta": 2.0}
    statement = stated(descend, times * eta * K * Delta, example, conditions=(limit,))
    assert judge_in("one round at the edge of its conditions", statement) is verdict


@pytest.mark.parametrize(("share", "verdict"), [(1, Verdict.HOLDS), (1 / sqrt(2), Verdict.VIOLATED)])
def test_far_away_steps_are_clipped_and_weak_noise_hides_nothing(share: Any, verdict: Verdict) -> None:
    """Minkowski: K steps of length eta C, and noise of the variance K d (eta sigma)^2."""
    bound = (eta * K * C * share + eta * sqrt(K * d) * sigma) ** 2
    statement = stated(clip_and_noise, bound, {"C": 1.0, "sigma": 1.0, "d": 3})
    assert judge_in("weak noise far from the minimizer", statement) is verdict
