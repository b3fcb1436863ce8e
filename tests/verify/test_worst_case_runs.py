"""The engine runs the instances of worst cases: quadratic clients, central steps, noise and drawn clients."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from synthetic.moments.fedavg import fedavg_moments
from synthetic.participation import FixedSize, Full
from synthetic.problems._largest_of_affine import LargestOfAffine
from synthetic.problems.quadratic import quadratic
from verify.worst_case import instance_run
from verify.worst_case.equal_quadratics import equal_quadratics
from verify.worst_case.instance_run import measured
from verify.worst_case.setting import (
    CENTRAL,
    DISTANCE,
    GAP,
    GRADIENT,
    MEAN_GAP,
    SMALLEST_GAP,
    SMALLEST_GRADIENT,
    Setting,
)
from verify.worst_case.worst import worst_case

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

ONE, TWO, HALF = Fraction(1), Fraction(2), Fraction(1, 2)


def fedavg(n: int, E: int, K: int, **more: Any) -> Setting:
    usual = {"local_step": Fraction(1, 4), "L": TWO, "D0": Fraction(3), "zeta_star": ONE}
    return Setting(clients=n, local_steps=E, rounds=K, **(usual | more))


WITHOUT_CHANCE = [
    fedavg(2, 2, 3, quadratic=True),
    fedavg(3, 2, 3, quadratic=True),
    fedavg(4, 3, 2, quadratic=True, zeta_star=None, xi=ONE),
    fedavg(1, 2, 3, quadratic=True, server_step=Fraction(3, 2), observable=SMALLEST_GRADIENT),
    fedavg(2, 3, 2, quadratic=True, curvature=HALF, observable=DISTANCE),
    fedavg(2, 3, 2, quadratic=True, observable=MEAN_GAP),
    fedavg(4, 3, 1, zeta_star=None, zeta=ONE, observable=CENTRAL),
    fedavg(3, 2, 1, zeta_star=None, xi=ONE, server_step=HALF, observable=CENTRAL),
    fedavg(2, 3, 1, zeta_star=None, zeta=ONE, observable=CENTRAL, curvature=-TWO, D0=None, f0_gap=ONE),
]
LIPSCHITZ = [
    fedavg(1, 1, 4, L=None, G=TWO, zeta_star=None),
    fedavg(2, 2, 2, L=None, G=TWO, observable=MEAN_GAP),
    fedavg(3, 2, 2, L=None, G=TWO, zeta_star=None, zeta=ONE, observable=DISTANCE),
    fedavg(5, 1, 3, L=None, G=TWO, zeta_star=None, xi=HALF, observable=SMALLEST_GAP),
    fedavg(2, 2, 2, L=None, G=TWO, zeta_star=None, Delta_star=HALF, server_step=HALF),
]
OF_ONE_ROUND = [
    fedavg(4, 3, 1, cohort=2, observable=DISTANCE),
    fedavg(4, 1, 1, cohort=3, sigma=4 * ONE, observable=DISTANCE),
    fedavg(3, 2, 1, server_noise=ONE, server_step=HALF, observable=DISTANCE),
    fedavg(4, 2, 1, cohort=2, quadratic=True, observable=DISTANCE),
    fedavg(4, 1, 1, cohort=2, sigma=ONE, server_noise=ONE, server_step=HALF, observable=DISTANCE),
]
OF_EQUAL_CLIENTS = [
    fedavg(2, 2, 3, sigma=ONE, server_step=HALF),
    fedavg(4, 2, 3, sigma=ONE, cohort=2, observable=SMALLEST_GAP),
    fedavg(3, 2, 3, sigma=ONE, observable=MEAN_GAP),
    fedavg(2, 2, 3, server_noise=ONE, observable=GRADIENT),
    fedavg(2, 1, 6, sigma=ONE, curvature=HALF, observable=DISTANCE),
    fedavg(2, 2, 3, sigma=ONE, server_noise=HALF, observable=GAP),
    fedavg(4, 2, 3, sigma=ONE, server_noise=HALF, cohort=2, server_step=HALF, observable=MEAN_GAP),
]


@pytest.mark.parametrize(
    "setting", [*WITHOUT_CHANCE, *LIPSCHITZ], ids=lambda s: f"{s.clients},{s.observable}"
)
def test_a_run_without_chance_measures_the_lower_end(setting: Setting) -> None:
    found = worst_case(setting)
    assert found.attained is not None
    assert found.lower is not None
    made = measured(setting, found.attained)
    assert (made.standard_error, made.replicates) == (0, 1)
    assert made.mean == pytest.approx(float(found.lower), rel=1e-7)
    assert made.confirms(setting, found.lower)
    assert not made.confirms(setting, found.lower * Fraction(1001, 1000))


@pytest.mark.parametrize("setting", [*OF_ONE_ROUND, *OF_EQUAL_CLIENTS], ids=lambda s: f"{s.observable}")
def test_a_random_run_measures_the_lower_end_in_the_mean(setting: Setting) -> None:
    found = worst_case(setting)
    assert (found.attained is None) == (setting in OF_EQUAL_CLIENTS)
    assert found.lower is not None
    made = measured(setting, found.attained)
    assert made.replicates > 1
    assert made.confirms(setting, found.lower)


@pytest.mark.parametrize(
    ("setting", "other"),
    [
        (OF_ONE_ROUND[0], {"cohort": 1}),
        (OF_ONE_ROUND[1], {"sigma": 8 * ONE}),
        (OF_ONE_ROUND[2], {"server_noise": TWO}),
        (OF_EQUAL_CLIENTS[0], {"sigma": TWO}),
        (OF_EQUAL_CLIENTS[3], {"server_noise": TWO}),
        (OF_EQUAL_CLIENTS[5], {"server_noise": None}),
        (OF_EQUAL_CLIENTS[5], {"sigma": None}),
    ],
)
def test_a_run_of_another_noise_does_not_confirm(setting: Setting, other: dict[str, Any]) -> None:
    found = worst_case(setting)
    assert found.lower is not None
    assert not measured(replace(setting, **other), found.attained).confirms(setting, found.lower)


def test_a_run_along_other_subgradients_does_not_confirm(monkeypatch: pytest.MonkeyPatch) -> None:
    found = worst_case(LIPSCHITZ[2])
    assert found.lower is not None
    for wrong in (0, 1):
        monkeypatch.setattr(
            LargestOfAffine,
            "client_gradients",
            lambda self, points, q=wrong: np.tile(self.slopes[:, None, q], (1, points.shape[-2], 1)),
        )
        assert not measured(LIPSCHITZ[2], found.attained).confirms(LIPSCHITZ[1], found.lower)


def test_a_run_of_other_steps_does_not_confirm() -> None:
    setting = WITHOUT_CHANCE[0]
    found = worst_case(setting)
    assert found.lower is not None
    assert not measured(replace(setting, local_steps=3), found.attained).confirms(setting, found.lower)


@pytest.mark.parametrize("setting", OF_EQUAL_CLIENTS, ids=lambda s: s.observable)
def test_equal_quadratics_have_the_moments_of_the_engine(setting: Setting) -> None:
    """In fractions, by the other side's recursion; noise of the server adds a recursion of its own."""
    equal, curvature = equal_quadratics(setting), equal_quadratics(setting).curvature
    moments = fedavg_moments(
        quadratic(np.array([[[curvature]]] * setting.clients), np.array([[Fraction(0)]] * setting.clients)),
        start=np.array([setting.D0], dtype=object),
        rounds=setting.rounds,
        local_steps=setting.local_steps,
        local_step=setting.local_step,
        participation=Full() if setting.cohort is None else FixedSize(count=setting.cohort),
        server_step=setting.server_step,
        gradient_noise=(setting.sigma or 0) ** 2,
    )
    squares = [m[0] ** 2 + c[0, 0] for m, c in zip(moments.mean, moments.covariance, strict=True)]
    if setting.server_noise:
        kept = (
            1 - setting.server_step * (1 - (1 - setting.local_step * curvature) ** setting.local_steps)
        ) ** 2
        squares = [
            s + setting.server_noise**2 * sum(kept**j for j in range(k)) for k, s in enumerate(squares)
        ]
    of_square = {DISTANCE: ONE, GRADIENT: curvature**2}.get(setting.observable, curvature / 2)
    values = {MEAN_GAP: sum(squares[:-1]) / setting.rounds, SMALLEST_GAP: min(squares)}
    assert equal.observable == of_square * values.get(setting.observable, squares[-1])


@pytest.mark.slow("long runs of many clients")
def test_long_runs_of_many_clients_are_repeated_less() -> None:
    few = measured(fedavg(200, 5, 8, sigma=ONE, observable=GAP), None)
    assert instance_run.LEAST_REPLICATES <= few.replicates < instance_run.MOST_REPLICATES


MINIMA = [
    fedavg(2, 2, 3, observable=SMALLEST_GAP),
    fedavg(5, 1, 3, L=None, G=TWO, zeta_star=None, xi=HALF, observable=SMALLEST_GAP),
    fedavg(1, 1, 4, curvature=-TWO, D0=None, f0_gap=ONE, zeta_star=None, observable=SMALLEST_GRADIENT),
]


@pytest.mark.parametrize("setting", MINIMA, ids=str)
def test_a_minimum_over_rounds_is_that_of_the_run(setting: Setting) -> None:
    """The solver leaves the number that stands for it inside its constraints; a number so low is refused."""
    found = worst_case(setting)
    assert found.lower is not None
    run = measured(setting, found.attained)
    assert run.mean == pytest.approx(float(found.lower), rel=1e-9)
    assert run.confirms(setting, found.lower)
    too_low = found.lower - Fraction(1, 10**6) * max(setting.unit, found.lower)
    assert not run.confirms(setting, too_low)
