"""Worst cases against known values, against the program of all clients, and against planted defects."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import count
from operator import sub
from typing import Any

import pytest

from verify.worst_case import answer, federated_averaging, interpolation
from verify.worst_case import setting as setting_module
from verify.worst_case.checker import Form, Program, certified_bound
from verify.worst_case.federated_averaging import program
from verify.worst_case.free_vectors import without_unmeasured
from verify.worst_case.instance_problem import client_directions
from verify.worst_case.instance_run import measured
from verify.worst_case.interpolation import Point, all_interpolations
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
from verify.worst_case.vectors import Sum, Vector
from verify.worst_case.worst import WorstCase, worst_case

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

ONE, HALF = Fraction(1), Fraction(1, 2)
CLOSE = 2e-7


def fedavg(n: int, E: int, K: int, **more: Any) -> Setting:
    usual = {"local_step": HALF, "L": ONE, "D0": ONE}
    return Setting(clients=n, local_steps=E, rounds=K, **(usual | more))


def descent(N: int, **more: Any) -> Setting:
    return fedavg(1, 1, N, **({"local_step": ONE} | more))


def ends(found: WorstCase) -> tuple[float, float]:
    """Both ends; the certified one must not be below what an instance attains."""
    assert found.lower is not None
    assert found.lower <= found.upper
    return float(found.lower), float(found.upper)


@pytest.mark.parametrize(
    ("setting", "known"),
    [
        (fedavg(2, 2, 1, zeta_star=Fraction(0)), 1 / 6),
        (fedavg(2, 2, 1, zeta_star=ONE), 0.191917227),
        (fedavg(2, 2, 5, zeta_star=ONE), 0.077555974),
        (fedavg(2, 2, 5, zeta_star=Fraction(0)), 1 / 22),
        (descent(0), 1 / 2),
        (descent(1), 1 / 6),
        (descent(4, L=Fraction(3), local_step=Fraction(1, 3), D0=Fraction(2)), 12 / 18),
        (descent(3, curvature=Fraction(1, 10), observable=DISTANCE), 0.9**6),
        (descent(3, curvature=-ONE, observable=SMALLEST_GRADIENT, D0=None, f0_gap=ONE), 4 / 11),
        (descent(3, local_step=HALF, L=None, G=ONE, observable=SMALLEST_GAP), 1 / 2),
        (
            descent(
                3, local_step=Fraction(3, 4), L=None, G=Fraction(2), D0=Fraction(3), observable=SMALLEST_GAP
            ),
            3,
        ),
        (descent(4, local_step=HALF, L=None, G=ONE, observable=MEAN_GAP), 1 / 2),
        (descent(3, observable=SMALLEST_GAP), 1 / 14),
        (descent(3, observable=GRADIENT, D0=None, f0_gap=ONE), 2 / 7),
    ],
)
def test_known_worst_cases(setting: Setting, known: float) -> None:
    lower, upper = ends(worst_case(setting))
    assert known - CLOSE < lower <= upper < known + CLOSE


def test_the_number_of_clients_changes_nothing() -> None:
    few, many = (program(fedavg(n, 2, 2, zeta_star=ONE)) for n in (2, 1000))
    assert few == many
    assert few != program(fedavg(1, 2, 2, zeta_star=ONE))


# ---- the program of all clients, written anew


def of_all_clients(setting: Setting) -> Program:
    """Every client with vectors of its own, in one Gram matrix: what the two blocks must agree with."""
    n, vectors, values = setting.clients, count(), count()

    def basis() -> Vector:
        return Vector(({next(vectors): ONE},))

    def points_at(name: str, places: list[Vector]) -> list[Point]:
        """Return a point for each client, at its place."""
        numbered = enumerate(places)
        return [Point(name=f"{name}/{i}", x=x, gradient=basis(), value=next(values)) for i, x in numbered]

    zero, state = Vector(({},)), basis()
    start = state
    at_minimizer = [basis() for _ in range(n - 1)]
    at_minimizer.append(reduce(sub, at_minimizer, zero))  # they add up to 0
    # without loss of generality F(x*) = 0, and each f_i is shifted to f_i(x*) = 0
    points = [[Point(name=f"x* {i}", x=zero, gradient=at_minimizer[i], value=None)] for i in range(n)]
    common: list[list[Point]] = [[p[0] for p in points]]
    for k in range(setting.rounds):
        places = [state] * n
        for h in range(setting.local_steps):
            made = points_at(f"{k},{h}", places)
            common += [made] if h == 0 else []
            for i, point in enumerate(made):
                points[i].append(point)
                places[i] = places[i].plus(point.gradient, -setting.local_step)
        state = reduce(lambda mean, place: mean.plus(place - state, Fraction(1, n)), places, state)
    objective, final = Sum(), points_at("end", [state] * n)
    for own, point in zip(points, final, strict=True):
        own.append(point)
        objective.add_value(point.value, Fraction(1, n))
    common.append(final)
    constraints = (
        *_interpolate(setting, points),
        Sum(ONE).add_inner(start, start, -1).form("start"),
        *_alike(setting, common),
    )
    sizes = {"blocks": (next(vectors),), "values": next(values)}
    return Program(**sizes, objective=objective.form("gap"), constraints=constraints)


def _interpolate(setting: Setting, points: list[list[Point]]) -> Iterator[Form]:
    """Each client's points are those of a function of the class."""
    for own in points:
        yield from all_interpolations(own, setting.curvature if setting.G is None else None)
    for point in (point for own in points for point in own if setting.G is not None):
        yield Sum(ONE).add_inner(point.gradient, point.gradient, -1).form("G")


def _alike(setting: Setting, common: list[list[Point]]) -> Iterator[Form]:
    n = setting.clients
    if setting.zeta_star is not None:
        spread = Sum(setting.zeta_star**2)
        for point in common[0]:
            spread.add_inner(point.gradient, point.gradient, Fraction(-1, n))
        yield spread.form("zeta_star")
    if setting.xi is not None:
        for points in common:
            for i in range(n):
                for j in range(i):
                    apart = points[i].gradient - points[j].gradient
                    yield Sum(setting.xi**2).add_inner(apart, apart, -1).form("xi")


def bound_of(small: Program) -> float:
    from verify.worst_case.solver import solve

    proposal = solve(small, margin=1e-9)
    return float(certified_bound(small, rational_multipliers(small, proposal.multipliers)))


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize(
    "more",
    [{"zeta_star": ONE}, {"zeta_star": ONE, "curvature": Fraction(1, 5)}, {"xi": ONE}, {"L": None, "G": ONE}],
    ids=str,
)
def test_two_blocks_are_exact(n: int, more: dict[str, Any]) -> None:
    setting = fedavg(n, 2, 1, **more)
    reduced = float(worst_case(setting, with_instance=False).upper)
    assert bound_of(of_all_clients(setting)) == pytest.approx(reduced, abs=1e-7)


def test_the_program_of_all_clients_can_disagree() -> None:
    """With a limit on the spread that is meant for another number of clients the two differ."""
    setting = fedavg(3, 2, 1, xi=ONE)
    other = float(worst_case(replace(setting, clients=2), with_instance=False).upper)
    assert abs(bound_of(of_all_clients(setting)) - other) > 1e-3


# ---- instances


@pytest.mark.parametrize(
    "setting",
    [
        fedavg(2, 2, 2, zeta_star=ONE),
        fedavg(3, 2, 2, zeta_star=ONE),
        fedavg(5, 2, 2, xi=ONE, L=Fraction(4), D0=Fraction(3), local_step=Fraction(1, 8)),
        fedavg(2, 3, 1, Delta_star=ONE),
        fedavg(2, 2, 2, zeta_star=ONE, server_step=Fraction(3, 2), observable=SMALLEST_GAP),
        fedavg(2, 2, 2, zeta_star=ONE, observable=MEAN_GAP),
        fedavg(2, 2, 2, zeta_star=ONE, curvature=Fraction(1, 10), observable=DISTANCE),
        fedavg(2, 2, 2, zeta=ONE, D0=None, f0_gap=ONE, curvature=-ONE, mu_1=HALF, local_step=Fraction(1, 8)),
    ],
    ids=lambda s: f"{s.clients},{s.observable}",
)
def test_the_engine_measures_what_the_instance_attains(setting: Setting) -> None:
    found = worst_case(setting)
    assert found.attained is not None
    made = measured(setting, found.attained)
    assert made.mean == pytest.approx(float(found.lower or 0), rel=1e-7)
    assert (made.standard_error, made.replicates) == (0, 1)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("xi", [None, ONE])
def test_directions_of_clients(n: int, xi: Fraction | None) -> None:
    directions = client_directions(fedavg(n, 1, 1, xi=xi))
    products = directions @ directions.T
    assert products.diagonal() == pytest.approx([1.0] * n)
    assert abs(directions.sum(axis=0)).max() < 1e-12
    if xi is not None:
        assert products[0, 1:] == pytest.approx([-1 / (n - 1)] * (n - 1))


# ---- long runs


def near_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting_module, "ALL_PAIRS", 0)


def test_a_long_run_of_gradient_descent_is_tight() -> None:
    """The known proof uses neighbors and x* only, so near pairs lose nothing: L D0^2/(4 N h + 2)."""
    found = worst_case(descent(41, local_step=HALF))
    assert float(found.upper) == pytest.approx(1 / 84, rel=1e-5)
    assert found.upper >= Fraction(1, 84)
    assert (found.lower, found.attained) == (None, None)


def test_random_runs_of_near_pairs_name_their_lower_end(monkeypatch: pytest.MonkeyPatch) -> None:
    near_pairs(monkeypatch)
    noisy = fedavg(2, 2, 3, server_noise=HALF, observable=DISTANCE, zeta_star=ONE)
    found = worst_case(noisy)
    assert found.lower is not None
    assert "(attained); the upper end may be above the worst case" in answer._ends(found)
    assert answer._ends(replace(found, lower=None)).endswith("and no instance is sought")


@pytest.mark.parametrize(
    "setting",
    [
        fedavg(2, 2, 6, zeta_star=ONE),
        fedavg(3, 4, 3, xi=ONE, server_step=Fraction(3, 2), observable=SMALLEST_GAP),
        fedavg(2, 2, 5, zeta=ONE, D0=None, f0_gap=ONE, curvature=-ONE, mu_1=HALF, local_step=Fraction(1, 8)),
        fedavg(2, 3, 4, Delta_star=ONE, observable=MEAN_GAP),
        fedavg(1, 2, 5, D0=None, f0_gap=ONE, observable=GRADIENT),
    ],
    ids=str,
)
def test_near_pairs_give_an_upper_end_close_by(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = worst_case(setting, with_instance=False).upper
    near_pairs(monkeypatch)
    assert not setting.has_all_pairs
    upper = worst_case(setting, with_instance=False).upper
    assert float(exact) * (1 - 1e-6) < float(upper) < float(exact) * 1.01


def test_the_basis_of_a_long_run_is_another_one_for_the_same_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the basis differs when all pairs are near each other; the value must not."""
    setting = fedavg(2, 3, 2, zeta_star=ONE, server_step=Fraction(2, 3))
    exact = float(worst_case(setting, with_instance=False).upper)
    near_pairs(monkeypatch)
    monkeypatch.setattr(federated_averaging, "NEAR", 6)
    assert float(worst_case(setting, with_instance=False).upper) == pytest.approx(exact, rel=1e-6)
    right = federated_averaging._place_gradient
    monkeypatch.setattr(
        federated_averaging, "_place_gradient", lambda moved, *more: right(moved.part(0), *more)
    )
    assert abs(float(worst_case(setting, with_instance=False).upper) - exact) > 1e-4


@pytest.mark.slow("four long runs, 10 s of processor time each")
@pytest.mark.parametrize(("n", "E", "K"), [(2, 2, 50), (2, 10, 10), (2, 50, 2), (1, 1, 200)])
def test_runs_of_two_hundred_gradients_have_a_certificate(n: int, E: int, K: int) -> None:
    """Without heterogeneity federated averaging is gradient descent of K E steps, and its value is known."""
    step = Fraction(1, max(2, E))
    found = worst_case(fedavg(n, E, K, local_step=step, zeta_star=Fraction(0)))
    assert float(found.upper) == pytest.approx(1 / (4 * E * K * float(step) + 2), rel=0.02)


# ---- random rounds


def test_sgd_is_followed_round_by_round() -> None:
    setting = descent(
        50, local_step=HALF, sigma=HALF, D0=Fraction(2), curvature=Fraction(1, 10), observable=DISTANCE
    )
    q = 0.95
    known = 4 * q**100 + 0.25 * 0.25 * (1 - q**100) / (1 - q * q)
    lower, upper = ends(worst_case(setting))
    assert (lower, upper) == pytest.approx((known, known), rel=1e-6)


@pytest.mark.parametrize("step", [Fraction(1, 4), Fraction(7, 4)])
def test_noisy_rounds_are_enclosed(step: Fraction) -> None:
    """With a long step the larger curvature is the worse one; without heterogeneity one round is tight."""
    more = {
        "curvature": Fraction(1, 10),
        "observable": DISTANCE,
        "zeta_star": Fraction(0),
        "local_step": step,
    }
    lower, upper = ends(worst_case(fedavg(4, 1, 5, server_noise=HALF, **more)))
    assert lower == pytest.approx(upper, rel=1e-6)
    lower, upper = ends(
        worst_case(fedavg(4, 1, 5, server_noise=HALF, cohort=2, **(more | {"zeta_star": ONE})))
    )
    assert lower < upper - 0.01


def test_drawing_all_clients_is_no_draw() -> None:
    one = {"zeta_star": ONE, "curvature": Fraction(1, 10), "observable": DISTANCE}
    whole = worst_case(fedavg(4, 2, 1, **one), with_instance=False).upper
    drawn = worst_case(fedavg(4, 2, 1, cohort=4, **one), with_instance=False).upper
    half = worst_case(fedavg(4, 2, 1, cohort=2, **one), with_instance=False).upper
    assert float(drawn) == pytest.approx(float(whole), abs=1e-8)
    assert float(half) > float(whole) + 0.01


def test_two_clients_of_which_one_is_drawn() -> None:
    """One step on f_i = L/2 ||x||^2 +- g x: the draw adds the square of what the other one moved."""
    setting = fedavg(2, 1, 1, cohort=1, zeta_star=ONE, curvature=Fraction(99, 100), observable=DISTANCE)
    assert float(worst_case(setting).upper) == pytest.approx((1 - 0.495) ** 2 + 0.25, abs=0.02)


# ---- planted defects


def test_a_wrong_interpolation_condition_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = interpolation.interpolation

    def weaker(p: Point, q: Point, curvature: Fraction) -> Form:
        turned = p.gradient - q.gradient
        form = right(p, q, curvature)
        found = Sum(form.constant, dict(form.values), dict(form.entries))
        return found.add_inner(turned, turned, Fraction(1, 4)).form(form.name)

    monkeypatch.setattr(interpolation, "interpolation", weaker)
    assert float(worst_case(descent(1), with_instance=False).upper) > 1 / 6 + 0.01


@pytest.mark.parametrize("dropped", ["class at x_0,0 from x_1", "class at x* from x_1"])
def test_a_dropped_condition_is_seen(dropped: str) -> None:
    whole = program(descent(1))
    kept = tuple(form for form in whole.constraints if form.name != dropped)
    assert len(kept) == len(whole.constraints) - 1
    assert bound_of(without_unmeasured(replace(whole, constraints=kept))) > 1 / 6 + 0.01


def test_a_wrong_step_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = federated_averaging.federated_run
    monkeypatch.setattr(
        federated_averaging,
        "federated_run",
        lambda s: right(replace(s, local_step=s.local_step * Fraction(9, 10))),
    )
    assert float(worst_case(descent(1), with_instance=False).upper) > 1 / 6 + 0.001


def test_observables_are_what_they_say() -> None:
    by_name = {
        name: float(worst_case(fedavg(1, 1, 2, observable=name), with_instance=False).upper)
        for name in (GAP, MEAN_GAP, GRADIENT, SMALLEST_GRADIENT, DISTANCE)
    }
    assert by_name[SMALLEST_GRADIENT] <= by_name[GRADIENT] + 1e-8
    assert by_name[GAP] < by_name[MEAN_GAP]
    assert by_name[DISTANCE] == pytest.approx(1.0, abs=1e-8)
