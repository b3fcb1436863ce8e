"""Worst cases over quadratic clients: known values, a search by hand, planted defects."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import bounds
from bounds.language.assumptions import QUADRATIC_CLIENTS
from verify.worst_case.checker import NotACertificate, Program, certified_bound
from verify.worst_case.federated_averaging import program
from verify.worst_case.free_vectors import without_unmeasured
from verify.worst_case.instance import Quadratic
from verify.worst_case.quadratic_instance import followed
from verify.worst_case.rounding import rational_multipliers
from verify.worst_case.setting import DISTANCE, GRADIENT, MEAN_GAP, SMALLEST_GAP, SMALLEST_GRADIENT, Setting
from verify.worst_case.solver import solve
from verify.worst_case.statements import question
from verify.worst_case.worst import worst_case

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

ONE, HALF = Fraction(1), Fraction(1, 2)


def fedavg(n: int, E: int, K: int, **more: Any) -> Setting:
    usual = {"local_step": HALF, "L": ONE, "D0": ONE, "quadratic": True}
    return Setting(clients=n, local_steps=E, rounds=K, **(usual | more))


def descent_on_one_curvature(steps: int, step: float, kind: str, lowest: float = 0.0) -> float:
    """Gradient descent on c/2 x^2 from x = 1, for the worst c: of all quadratics with one client."""
    c = np.linspace(lowest, 1, 200_001)
    moved = (1 - step * c) ** steps
    return float(np.max({"gap": c / 2, GRADIENT: c**2, DISTANCE: np.ones_like(c)}[kind] * moved**2))


@pytest.mark.parametrize("kind", ["gap", GRADIENT, DISTANCE])
@pytest.mark.parametrize(("steps", "step"), [(1, Fraction(1)), (4, Fraction(1)), (3, Fraction(3, 2))])
@pytest.mark.parametrize("lowest", [Fraction(0), Fraction(1, 4)])
def test_one_client_is_gradient_descent(kind: str, steps: int, step: Fraction, lowest: Fraction) -> None:
    found = worst_case(fedavg(1, 1, steps, local_step=step, observable=kind, curvature=lowest))
    known = descent_on_one_curvature(steps, float(step), kind, float(lowest))
    assert found.lower is not None
    assert known - 1e-7 < float(found.lower) <= float(found.upper) < known + 1e-7


def gap_of_two_clients(numbers: Any, E: int, step: float) -> float:
    """F - F* after one round of E local steps, on two quadratics of the plane, followed client by client."""
    angles, spectra = numbers[:2], 1 / (1 + np.exp(-numbers[2:6])).reshape(2, 2)
    start = numbers[6:8] / np.linalg.norm(numbers[6:8])
    pull = numbers[8:10] / np.linalg.norm(numbers[8:10])
    hessians, ends = [], []
    for angle, spectrum, sign in zip(angles, spectra, (1, -1), strict=True):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        hessians.append(turn @ np.diag(spectrum) @ turn.T)
        x = start
        for _ in range(E):
            x = x - step * (hessians[-1] @ x + sign * pull)
        ends.append(x)
    x = (ends[0] + ends[1]) / 2
    return float(x @ (hessians[0] + hessians[1]) @ x / 4)


def test_two_clients_searched_by_hand() -> None:
    found = worst_case(fedavg(2, 2, 1, zeta_star=ONE))
    random, best = np.random.default_rng(0), 0.0
    for _ in range(8):
        begun = random.normal(size=10) * 2
        best = max(best, -minimize(lambda v: -gap_of_two_clients(v, 2, 0.5), begun).fun)
    assert best <= float(found.upper)
    assert best > float(found.upper) - 1e-4


@pytest.mark.parametrize(
    "setting",
    [
        fedavg(2, 2, 3, zeta_star=ONE),
        fedavg(3, 2, 2, zeta_star=ONE, curvature=Fraction(1, 10), observable=DISTANCE),
        fedavg(4, 3, 2, zeta=ONE),
        fedavg(4, 3, 2, xi=ONE),
        fedavg(2, 2, 2, zeta=Fraction(0)),
        fedavg(4, 3, 2, zeta_star=HALF, observable=MEAN_GAP),
        fedavg(1, 1, 4, observable=SMALLEST_GAP),
        fedavg(1, 1, 4, observable=SMALLEST_GRADIENT, D0=None, f0_gap=ONE),
        fedavg(4, 2, 1, cohort=2, zeta_star=ONE, observable=DISTANCE),
    ],
)
def test_both_ends_meet_below_all_convex_clients(setting: Setting) -> None:
    found = worst_case(setting)
    assert found.lower is not None
    assert 0 <= found.upper - found.lower < Fraction(1, 10**7)
    assert found.lower <= worst_case(replace(setting, quadratic=False), with_instance=False).upper


@pytest.mark.parametrize("dropped", ["symmetry of x_1,0 and x_2,0", "class at x_2,0 and x_2,0"])
def test_a_dropped_condition_is_seen(dropped: str) -> None:
    setting = fedavg(1, 1, 3, local_step=Fraction(3, 2))
    whole = program(setting)
    kept = tuple(form for form in whole.constraints if form.name != dropped)
    assert len(kept) == len(whole.constraints) - 1
    assert bound_of(replace(whole, constraints=kept)) > bound_of(whole) + 0.004


def bound_of(whole: Program) -> float:
    small = without_unmeasured(whole)
    return float(certified_bound(small, rational_multipliers(small, solve(small, margin=1e-8).multipliers)))


def test_only_equations_may_have_negative_multipliers() -> None:
    small = without_unmeasured(program(fedavg(1, 1, 1)))
    multipliers = rational_multipliers(small, solve(small, margin=1e-9).multipliers)
    assert any(y < 0 and small.constraints[i].is_equation for i, y in multipliers.items())
    (start,) = (i for i, form in enumerate(small.constraints) if not form.is_equation)
    with pytest.raises(NotACertificate, match="distance at the start is not >= 0"):
        certified_bound(small, multipliers | {start: -multipliers[start]})


@pytest.mark.parametrize(
    ("hessian", "reason"),
    [
        (((ONE + Fraction(1, 10**20),),), "an eigenvalue outside the class"),
        (((Fraction(-1, 10**20),),), "an eigenvalue outside the class"),
        (((HALF, Fraction(0)), (Fraction(1, 10**9), HALF)), "not symmetric"),
        (((HALF, Fraction(0)),), "another size"),
    ],
)
def test_a_matrix_outside_the_class_is_refused(hessian: Any, reason: str) -> None:
    clients = Quadratic(hessian=hessian, start=(ONE,) * len(hessian), spread=())
    with pytest.raises(NotACertificate, match=reason):
        followed(fedavg(1, 1, 1), clients)


def test_a_start_too_far_away_is_refused() -> None:
    clients = Quadratic(hessian=((HALF,),), start=(ONE + Fraction(1, 10**20),), spread=())
    with pytest.raises(NotACertificate, match="distance at the start"):
        followed(fedavg(1, 1, 1), clients)


def test_a_statement_about_quadratic_clients_asks_about_them() -> None:
    theorem = bounds.get("textbook.gradient_descent_convex")
    asked = question(
        replace(theorem, assumptions=(*theorem.assumptions, QUADRATIC_CLIENTS)),
        {"L": ONE, "D0": ONE, "N": Fraction(2)},
    )
    assert asked.setting.quadratic
    assert worst_case(asked.setting, with_instance=False).upper < asked.bound * Fraction(3, 4)
