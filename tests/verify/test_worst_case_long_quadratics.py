"""Worst cases of quadratic clients over many local steps: a measure of curvatures in place of the steps."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from verify.worst_case import setting as settings
from verify.worst_case.checker import NotACertificate, certified_bound
from verify.worst_case.document import described, reread
from verify.worst_case.errors import BadSetting
from verify.worst_case.instance import CLOSE, Quadratic
from verify.worst_case.instance_run import measured
from verify.worst_case.long_quadratics import followed_in_integers
from verify.worst_case.matrix_polynomial import bernstein, is_semidefinite_on_interval
from verify.worst_case.quadratic_instance import followed
from verify.worst_case.question import setting_of
from verify.worst_case.rounding import rational_multipliers
from verify.worst_case.setting import (
    DISTANCE,
    GAP,
    GRADIENT,
    MEAN_GAP,
    SMALLEST_GAP,
    SMALLEST_GRADIENT,
    Setting,
)
from verify.worst_case.spectral import spectral_program
from verify.worst_case.spectral_solver import solve_on_interval
from verify.worst_case.worst import worst_case

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

ONE, HALF = Fraction(1), Fraction(1, 2)


def fedavg(n: int, E: int, K: int, **more: Any) -> Setting:
    usual = {"local_step": HALF, "L": ONE, "D0": ONE, "zeta_star": ONE, "quadratic": True}
    return Setting(clients=n, local_steps=E, rounds=K, **(usual | more))


SHORT = [
    fedavg(2, 2, 2),
    fedavg(1, 2, 2, zeta_star=None),
    fedavg(4, 1, 3),
    fedavg(3, 2, 2, zeta_star=None, zeta=ONE, observable=SMALLEST_GAP),
    fedavg(3, 2, 2, zeta_star=None, xi=ONE, observable=MEAN_GAP),
    fedavg(2, 2, 2, zeta_star=Fraction(0)),
    fedavg(2, 2, 2, zeta_star=Fraction(0), zeta=Fraction(1, 5)),
    fedavg(2, 3, 1, observable=GRADIENT, L=Fraction(2), D0=Fraction(3)),
    fedavg(2, 2, 2, observable=SMALLEST_GRADIENT, server_step=Fraction(3, 2), curvature=Fraction(1, 10)),
    fedavg(4, 3, 1, cohort=2, observable=DISTANCE, local_step=Fraction(1, 4)),
]


@pytest.mark.parametrize("setting", SHORT, ids=lambda s: f"{s.clients},{s.observable}")
def test_both_programs_have_the_same_value(monkeypatch: pytest.MonkeyPatch, setting: Setting) -> None:
    """The one of every local step is the other voice; the two share neither conditions nor instance."""
    stepwise = worst_case(setting)
    monkeypatch.setattr(settings, "ALL_PAIRS", 0)
    assert setting.is_spectral
    found = worst_case(setting)
    assert found.lower is not None
    assert stepwise.lower is not None
    assert stepwise.lower <= found.upper
    assert found.lower <= stepwise.upper
    for one in (stepwise.upper - stepwise.lower, found.upper - found.lower):
        assert 0 <= one < found.upper * CLOSE
    assert measured(setting, found.attained).confirms(setting, found.lower)
    assert found.attained is not None
    assert found.attained.quadratic is not None
    other = followed(setting, found.attained.quadratic).objective
    assert 0 <= other - found.attained.objective <= Fraction(1, 2**200)


@pytest.fixture(scope="module")
def long() -> dict[str, Any]:
    found: dict[str, Any] = described(worst_case(fedavg(3, 25, 2))) | {"answered": True}
    return dict(json.loads(json.dumps(found, default=float)))


def test_a_long_run_is_answered_and_read_again(long: dict[str, Any]) -> None:
    assert long["all_pairs"]
    assert long["exact_class"]
    assert 0 <= long["upper"] - long["lower"] < 1e-5 * long["upper"]
    assert reread(long).agrees


def test_forgeries_of_a_long_run_are_refused(long: dict[str, Any]) -> None:
    def forged(change: Any) -> str:
        copy = json.loads(json.dumps(long))
        change(copy)
        found = reread(copy)
        assert not found.agrees
        return found.sentence

    def lower_multiplier(copy: dict[str, Any]) -> None:
        entry = next(m for m in copy["certificate"]["multipliers"] if "start" in m["constraint"])
        entry["multiplier"] = str(Fraction(entry["multiplier"]) * Fraction(999, 1000))

    def bend(copy: dict[str, Any]) -> None:
        copy["instance"]["hessian"][0][0] = "1000001/1000000"

    def spread(copy: dict[str, Any]) -> None:
        copy["instance"]["spread"][0] = "2"

    assert "proves nothing" in forged(lower_multiplier)
    assert "outside the class" in forged(bend)
    assert "zeta_star" in forged(spread)
    assert "recorded" in forged(lambda copy: copy.update(lower_exact="1"))
    assert "recorded" in forged(lambda copy: copy.update(upper_exact="1"))


@pytest.mark.slow("a hundred steps; shorter programs have known values in tests/verify/test_worst_case*.py")
def test_one_client_against_the_worst_curvature() -> None:
    """Gradient descent on c/2 x^2, for the worst c."""
    found = worst_case(fedavg(1, 1, 100, zeta_star=None))
    curvatures = np.linspace(0, 0.1, 100_001)
    expected = np.max(curvatures / 2 * (1 - curvatures / 2) ** 200)
    assert found.lower is not None
    assert float(found.lower) <= expected * (1 + 1e-9)
    assert float(found.upper) == pytest.approx(expected, rel=1e-5)


def test_a_dropped_equation_is_seen() -> None:
    whole = spectral_program(fedavg(2, 2, 2))
    dropped = "round 1 and 1"
    kept = tuple(form for form in whole.constraints if form.name != dropped)
    assert len(kept) == len(whole.constraints) - 1
    values = []
    for one in (whole, replace(whole, constraints=kept)):
        multipliers = rational_multipliers(one, solve_on_interval(one, margin=1e-7)[0].multipliers)
        values.append(certified_bound(one, multipliers))
    assert values[1] > values[0] + Fraction(4, 1000)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"start": (Fraction(2), Fraction(0))}, "distance at the start"),
        ({"spread": (Fraction(2),)}, "zeta_star"),
        ({"hessian": ((ONE, ONE, ONE),) * 3}, "eigenvalue"),
    ],
)
def test_clients_outside_the_assumptions_are_refused(change: dict[str, Any], reason: str) -> None:
    zero = Fraction(0)
    hessian = tuple(tuple(HALF if i == j else zero for j in range(3)) for i in range(3))
    clients = Quadratic(hessian=hessian, start=(HALF, zero), spread=(HALF,))
    assert followed_in_integers(fedavg(2, 3, 2), clients).objective > 0
    with pytest.raises(NotACertificate, match=reason):
        followed_in_integers(fedavg(2, 3, 2), replace(clients, **change))


@pytest.mark.parametrize("limit", ["zeta", "xi"])
def test_gradients_that_part_on_the_way_are_refused(limit: str) -> None:
    """They agree at x*; at x_0 = (1/2, 0) the own part of each is an eighth, in the units of the program."""
    zero, quarter = Fraction(0), Fraction(1, 4)
    hessian = ((HALF, zero, quarter), (zero, HALF, zero), (quarter, zero, HALF))
    clients = Quadratic(hessian=hessian, start=(HALF, zero), spread=(zero,))
    asked: dict[str, Any] = {"zeta_star": None, limit: Fraction(10)}
    assert followed_in_integers(fedavg(2, 3, 2, **asked), clients).objective > 0
    with pytest.raises(NotACertificate, match=f"{limit} at a point"):
        followed_in_integers(fedavg(2, 3, 2, **asked | {limit: Fraction(1, 100)}), clients)


def test_alike_clients_have_no_spread() -> None:
    clients = Quadratic(hessian=((HALF, Fraction(0)), (Fraction(0), HALF)), start=(ONE,), spread=(HALF,))
    with pytest.raises(NotACertificate, match="equal gradients"):
        followed_in_integers(fedavg(2, 3, 2, zeta_star=Fraction(0)), clients)


def test_bernstein_coefficients_are_those_of_the_polynomial() -> None:
    powers = [Fraction(3), Fraction(-7, 2), Fraction(0), Fraction(5)]
    for degree in (3, 6):
        found = bernstein(powers, degree)
        for t in (Fraction(0), Fraction(1, 3), ONE):
            terms = [
                Fraction(int(np.round(_choose(degree, d)))) * t**d * (1 - t) ** (degree - d) * b
                for d, b in enumerate(found)
            ]
            assert sum(terms) == sum(a * t**k for k, a in enumerate(powers))


def _choose(n: int, k: int) -> float:
    return float(np.prod([(n - i) / (i + 1) for i in range(k)]))


@pytest.mark.parametrize("shift", [Fraction(1, 10**8), Fraction(-1, 10**8)])
@pytest.mark.parametrize("place", [Fraction(1, 3), Fraction(0), Fraction(7, 9)])
def test_a_polynomial_is_judged_to_the_last_digits(place: Fraction, shift: Fraction) -> None:
    """(t - place)^2 + shift, and a matrix with 1 beside it whose determinant is shift."""
    square = [place**2 + shift, -2 * place, ONE]
    line = [-place, ONE]
    scalar = [[[b]] for b in bernstein(square, 4)]
    assert is_semidefinite_on_interval(scalar) is (shift > 0)
    square = [place**2 + 1000 * shift, -2 * place, ONE]
    rows = zip(bernstein([ONE], 4), bernstein(line, 4), bernstein(square, 4), strict=True)
    assert is_semidefinite_on_interval([[[a, b], [b, c]] for a, b, c in rows]) is (shift > 0)


def test_too_many_rounds_of_several_quadratic_clients_are_refused() -> None:
    given: dict[str, int | Fraction] = {"n": 2, "E": 4, "K": 16, "L": 1, "D0": 1, "zeta_star": 1}
    given["local_step"] = HALF
    numbers = {name: Fraction(value) for name, value in given.items()}

    def set_up(**more: int) -> Setting:
        changed = numbers | {name: Fraction(value) for name, value in more.items()}
        return setting_of("fedavg", changed, observable=GAP, convex=True, quadratic=True)

    with pytest.raises(BadSetting, match="largest product is 60, or 200 in at most 15 rounds from D0"):
        set_up()
    assert not set_up(E=3).is_spectral
    assert set_up(K=15, E=13).is_spectral
    assert set_up(E=1, K=200).is_spectral
    with pytest.raises(BadSetting, match="largest product is 200"):
        set_up(K=15, E=14)
