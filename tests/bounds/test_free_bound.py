"""Whether a value is informative: forty cases whose free bound and verdict were computed by hand."""

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
from sympy import Add

import bounds
from bounds.discovery import variants
from bounds.evaluation.free_bound import (
    BOUNDING,
    free_bound,
    free_names,
    inform,
    inform_everywhere,
    known_before_any_run,
    why_none,
)
from bounds.language.before_any_run import before
from bounds.language.dimension import ONE
from bounds.language.part import at_start, constant
from bounds.language.quantity import NON_NEGATIVE, Notation, Over
from bounds.language.statement import Paper, Term
from bounds.papers.dp_fedavg.notation import f0_gap

GD, SGD = "textbook.gradient_descent_convex", "textbook.stochastic_gradient_descent"
NONCONVEX, STRONG = "textbook.gradient_descent_nonconvex", "textbook.gradient_descent_strongly_convex"
FEDAVG = "textbook.federated_averaging_one_client"
CLIPPED, NORMALIZED = "dp_fedavg.theorem_2", "dp_fedavg.theorem_4"
GENERAL, LIPSCHITZ, SIMPLE = "dp_fedavg.theorem_5.general", "dp_fedavg.equation_8", "dp_fedavg.theorem_3"
FED_NORM, F2, F4 = (
    "fed_norm_ec.theorem_1.main",
    "fedavg_lojasiewicz.theorem_f2",
    "fedavg_lojasiewicz.theorem_f4",
)
F3 = "fedavg_lojasiewicz.lemma_f3"

UNIT = {"L": 1.0, "D0": 1.0}
SMOOTH = {"L": 1.0, "f0_gap": 1.0}
# gamma = K C_hat E rho^2/(2 alpha) = 1/2, so the bound is (2 + 1/2)/10 + 3/2 rho Delta; rho E/alpha = 1/10
T2 = {"L": 1.0, "E": 2.0, "C_hat": 1.0, "D0": 1.0, "alpha": 2.0, "rho": 0.1, "K": 100.0}
T2 |= {"Delta_star_max": 0.0, "Delta_star_mean": 0.0}
A = 2 - 0.1 - 0.01  # the coefficient of the gap there
# eta L = 1/40, and 1 - eta L (E - 1)/2 = 1 - 1/80; stretching C_hat^2 E rho/(2 alpha L) = 0.05
T4 = {n: v for n, v in T2.items() if n != "Delta_star_mean"} | {
    "unclipped_scaled_delta": 0.0,
    "n": 5.0,
    "r": 5.0,
}
STRETCHED = (2 - 0.01) / (1 - 1 / 80)
# 2 gamma/(C_hat K rho) = 1/10
T5 = {"L": 1.0, "D0": 1.0, "C_hat": 1.0, "K": 100.0, "E": 2.0, "rho": 0.1, "gamma": 0.5}
T5 |= {"Delta_star_max": 0.0, "Delta_star_mean": 0.0}
E8 = {"L": 1.0, "D0": 1.0, "G": 1.0, "K": 100.0, "E": 2.0, "rho": 0.1, "alpha": 2.0}
E8 |= {"Delta_star_max": 0.0, "Delta_star_mean": 0.0}  # 0.8 of 0.25
T1 = {"K": 99.0, "T": 1.0, "M": 1.0, "L": 1.0, "f0_gap": 0.5, "Delta_inf": 0.0, "eta": 0.05, "R": 0.25}
T1 |= {"alpha": 0.25, "beta": 0.4, "p": 1.0, "sigma_DP": 0.0, "gamma": 0.5}  # eta <= beta R/(4L(R + alpha))
LOJ = {"L": 1.0, "M": 1.0, "H": 1.0, "eta": 0.05, "mu_1": 1.0, "zeta": 0.0, "sigma": 0.0}
POWER = {"L": 1.0, "M": 1.0, "H": 1.0, "eta": 0.04, "mu": 1.0, "alpha": 2.0, "zeta": 0.0, "sigma": 0.0}

Case = tuple[str, dict[str, float], float | None, bool | None]
CASES: list[Case] = [
    # L D0^2/(4N + 2) against L D0^2/2, and against the gap where it is given
    (GD, UNIT | {"N": 0}, 0.5, False),
    (GD, UNIT | {"N": 1}, 0.5, True),
    (GD, UNIT | {"N": 1, "f0_gap": 0.1}, 0.1, False),
    (GD, UNIT | {"N": 2, "f0_gap": 0.1}, 0.1, False),
    (GD, UNIT | {"N": 3, "f0_gap": 0.1}, 0.1, True),
    (GD, {"L": 4.0, "D0": 3.0, "N": 5, "f0_gap": 20.0}, 18.0, True),
    (FEDAVG, UNIT | {"rounds": 0, "E": 3}, 0.5, False),
    (FEDAVG, UNIT | {"rounds": 1, "E": 3, "f0_gap": 0.05}, 0.05, False),
    (FEDAVG, UNIT | {"rounds": 1, "E": 5, "f0_gap": 0.05}, 0.05, True),
    # 4 L gap/(3N + 2) against 2 L gap
    (NONCONVEX, SMOOTH | {"N": 0}, 2.0, False),
    (NONCONVEX, SMOOTH | {"N": 1}, 2.0, True),
    # D0^2 (1 - mu/L)^(2N) against D0^2
    (STRONG, {"L": 1, "mu": 0.5, "D0": 2, "N": 0}, 4.0, False),
    (STRONG, {"L": 1, "mu": 0.5, "D0": 2, "N": 1}, 4.0, True),
    # q = 1/2: D0^2/4 + sigma^2/4 after one step; D0 = 0 knows more
    (SGD, {"L": 1, "mu": 1, "eta": 0.5, "sigma": 1, "D0": 1, "K": 1}, 1.0, True),
    (SGD, {"L": 1, "mu": 1, "eta": 0.5, "sigma": 2, "D0": 1, "K": 1}, 1.0, False),
    (SGD, {"L": 1, "mu": 1, "eta": 0.5, "sigma": 1, "D0": 0, "K": 1}, 0.0, False),
    (SGD, {"L": 1, "mu": 1, "eta": 5.0, "sigma": 1, "D0": 1, "K": 1}, 1.0, None),  # the step is too long
    # Theorem 2: 0.25 against the coefficient times the gap
    (CLIPPED, T2, A / 2, True),
    (CLIPPED, T2 | {"f0_gap": 0.13}, A * 0.13, False),
    (CLIPPED, T2 | {"f0_gap": 0.14}, A * 0.14, True),
    (CLIPPED, T2 | {"f0_gap": 3.0}, A / 2, True),
    (CLIPPED, T2 | {"D0": 0.25}, A / 32, False),  # (1/8 + 1/2)/10 = 0.0625
    (CLIPPED, T2 | {"Delta_star_max": 1.0}, A / 2, None),  # C_hat is below 4
    (CLIPPED, T2 | {"K": 1000.0}, A / 2, True),  # (1/5 + 5)/10 = 0.52
    (CLIPPED, T2 | {"K": 2000.0}, A / 2, False),  # (1/10 + 10)/10 = 1.01
    # Theorem 4 amended: 0.25 + 0.05 against the coefficient times C_hat D0 with the shortest update
    (NORMALIZED, T4, STRETCHED, True),
    (NORMALIZED, T4 | {"D0": 0.04}, STRETCHED * 0.04, False),  # (0.0032 + 0.5)/10 + 0.05 = 0.1003
    # Theorem 5 amended: 0.25 against (2 - 1/10) times the gap
    (GENERAL, T5, 1.9 / 2, True),
    (GENERAL, T5 | {"f0_gap": 0.13}, 1.9 * 0.13, False),
    # eq. (8): 0.8 * 0.25 against the least of the gap, L D0^2/2 and G D0
    (LIPSCHITZ, E8, 0.5, True),
    (LIPSCHITZ, E8 | {"D0": 4.0, "L": 1.0}, 4.0, True),
    (LIPSCHITZ, E8 | {"f0_gap": 0.1}, 0.1, False),
    # Theorem 1: 3 * 0.5/(0.05 * 100) + 2 * 0.25 + 0.025 = 0.825 against sqrt(2 L gap) = 1
    (FED_NORM, T1, 1.0, True),
    (FED_NORM, T1 | {"K": 19.0}, 1.0, False),  # 1.5 + 0.5 + 0.025
    (FED_NORM, T1 | {"sigma_DP": 10.0}, 1.0, False),  # noise adds 2 sqrt(2) 10 * 0.4 * 10
    # the gap times (1 - 3/80)^R; the heterogeneity adds 61/60 zeta^2/mu
    (F2, LOJ | {"R": 0, "f0_gap": 2.0}, 2.0, False),
    (F2, LOJ | {"R": 1, "f0_gap": 2.0}, 2.0, True),
    (F2, LOJ | {"R": 100000, "f0_gap": 2.0, "zeta": 1.5}, 2.0, False),  # 2.2875
    (F4, POWER | {"R": 1, "f0_gap": 2.0}, 2.0, True),
    # lemmas and one step
    ("dp_fedavg.lemma_1", {}, None, None),
    ("als_dpfl.theorem_1.distance", {}, None, None),
]  # fmt: skip


def _form(identity: str) -> Any:
    return variants(identity)[-1]


@pytest.mark.parametrize(("identity", "values", "free", "informative"), CASES)
def test_forty_cases_by_hand(
    identity: str, values: dict[str, float], free: float | None, informative: bool | None
) -> None:
    statement = _form(identity)
    point = values or dict(statement.example)
    only_free = {n: v for n, v in point.items() if n in free_names(statement)}
    evaluation = statement.evaluate(**{n: v for n, v in point.items() if n not in only_free})
    found = inform(evaluation, only_free)
    assert found.free.value == (None if free is None else pytest.approx(free, rel=1e-12))
    assert found.informative is informative
    assert bool(found.reason) is (informative is None)


def test_there_are_forty_and_every_verdict_is_among_them() -> None:
    verdicts = [verdict for *_, verdict in CASES]
    assert len(CASES) >= 40
    assert min(verdicts.count(v) for v in (True, False, None)) >= 3


@pytest.mark.parametrize("identity", [GD, SGD, CLIPPED, GENERAL, FED_NORM, F3])
def test_arrays_agree_with_points(identity: str) -> None:
    statement = _form(identity)
    point = {n: float(v) for n, v in statement.example.items()}
    name = next(n for n in ("D0", "f0_gap") if n in point)
    sizes = np.geomspace(1e-3, 1e3, 25) * point[name]
    together = inform_everywhere(statement.evaluate(**{**point, name: sizes}))
    alone = [inform(statement.evaluate(**{**point, name: size})) for size in sizes]
    assert together.free.tolist() == pytest.approx([a.free.value for a in alone], rel=1e-12)
    assert together.informative.tolist() == [a.informative for a in alone]


def test_every_bound_of_a_run_has_a_free_bound_or_a_reason() -> None:
    without = set()
    for statement in bounds.statements():
        for form in variants(statement.id):
            if form.kind in BOUNDING and form.evaluable and not known_before_any_run(form):
                assert why_none(form)
                without.add(form.id)
    whole_runs = {
        GD,
        SGD,
        NONCONVEX,
        STRONG,
        FEDAVG,
        CLIPPED,
        NORMALIZED,
        LIPSCHITZ,
        SIMPLE,
        FED_NORM,
        F2,
        F3,
        F4,
    }
    assert not without & whole_runs
    assert "dp_fedavg.lemma_1" in without


def test_what_is_missing_is_named() -> None:
    assert free_bound(_form("dp_fedavg.claims.centralized"), {"rho": 0.1}).missing == ("f0_gap",)


def test_a_planted_free_bound_changes_the_verdict() -> None:
    """A coefficient that is forgotten, as 2 in place of 2 - rho E/alpha - (rho E/alpha)^2, is seen."""
    statement = _form(CLIPPED)
    planted = replace(statement, before_any_run=(before(2 * f0_gap, "planted"),))
    more = {"f0_gap": 0.13}
    assert inform(statement.evaluate(**T2), more).informative is False
    assert inform(planted.evaluate(**T2), more).informative is True


def test_the_free_bound_of_clipping_holds_at_random_starts() -> None:
    """The left side at w_0, from updates that are computed here, is never above what is said of it."""
    random = np.random.default_rng(5)
    statement = _form(CLIPPED)
    for _ in range(200):
        clients, steps, rho, alpha = 4, int(random.integers(1, 4)), float(random.uniform(0.05, 0.9)), 1.0
        alpha = max(1.0, 2 * rho * steps * float(random.uniform(1, 3)))
        curvature = random.uniform(0.05, 1.0, clients)
        centers = random.normal(size=clients)
        best = float((curvature * centers).sum() / curvature.sum())
        gaps = curvature * (best - centers) ** 2 / 2
        threshold = 4 * sqrt(gaps.max()) * float(random.uniform(1, 2))
        start = best + float(random.normal(scale=10 ** random.uniform(-1, 2)))
        eta = rho / (2 * alpha)
        w = np.full(clients, start)
        total = np.zeros(clients)
        for _ in range(steps):
            slopes = curvature * (w - centers)
            total, w = total + slopes, w - eta * slopes
        x = curvature * (start - centers) ** 2 / 2 - gaps
        a, b = 2 - rho * steps / alpha - (rho * steps / alpha) ** 2, 3 * threshold / (8 * steps)
        left = float(np.where(np.abs(total) <= threshold * steps, a * x, b * np.abs(total)).mean())
        numbers = {
            "L": 1.0,
            "E": steps,
            "rho": rho,
            "alpha": alpha,
            "D0": abs(start - best),
            "f0_gap": x.mean(),
        }
        free = free_bound(statement, numbers).value
        assert free is not None
        assert left <= free * (1 + 1e-12) + 1e-15


@pytest.mark.parametrize("measured", ["gradient_norm", "squared_gradient_norm"])
@pytest.mark.parametrize(
    ("declared", "known"),
    [("L gap", sqrt(2 * 3 * 5)), ("L D", 6), ("G", 7), ("L", None), ("gap D", None)],
)
def test_what_parts_say_of_a_gradient(declared: str, known: float | None, measured: str) -> None:
    """||grad f||^2 <= 2 L gap and ||grad f|| <= L ||x_0 - x*|| by smoothness; ||grad f|| <= G."""
    notation = Notation()
    values = {"L": 3, "gap": 5, "D": 2, "G": 7}
    parts = {"L": constant("smoothness"), "gap": at_start("gap"), "D": at_start("distance")}
    parts["G"] = constant("lipschitz")
    named = [notation.quantity(n, n, "a number", NON_NEGATIVE, part=parts[n]) for n in declared.split()]
    left = notation.observable("left", "l", "a gradient", ONE, Over.LAST, measured=measured)
    paper = Paper(key="k", title="", authors="", bibtex="", package="k", notation=notation)
    statement = replace(bounds.get(GD), paper=paper, left=left, terms=(Term("all", Add(*named), ""),))
    power = 2 if measured.startswith("squared") else 1
    found = free_bound(statement, {n: values[n] for n in declared.split()}).value
    assert found == (None if known is None else pytest.approx(known**power))
