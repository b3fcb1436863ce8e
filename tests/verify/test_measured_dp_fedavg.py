"""What runs of clipped and of normalised private averaging measure, against loops written here."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cells_of import cell_of
from numpy.typing import NDArray

import bounds
from synthetic.problem import Problem
from verify.cell import NAMED, Cell
from verify.matching.joined import get_runs
from verify.matching.linear_bound import linear_bound
from verify.matching.measurements.measures import Seen
from verify.papers.dp_fedavg import runs_clipping, runs_normalization
from verify.papers.dp_fedavg import runs_shared as averaging
from verify.records.refuted import worded

Floats = NDArray[np.float64]

SEED = 11
CLIPPED, NORMALISED = runs_clipping.STATEMENTS, runs_normalization.STATEMENTS
# Theorem 3 is a rate as printed; its amended form is a bound.
EVERY = tuple(i for i in (*CLIPPED, *NORMALISED) if i != runs_clipping.SIMPLIFIED)
OVERSHOOT = "overshoot, partial participation"


def _literal_update(problem: Problem, client: int, w: Floats, step: float, steps: int) -> Floats:
    """The gradients of the problems are tested beside them."""
    point = w
    for _ in range(steps):
        point = point - step * problem.client_gradient(client, point[None])[0]
    update: Floats = (w - point) / step
    return update


def _deltas(problem: Problem) -> list[float]:
    minima = problem.constants()["client_minima"]
    assert minima is not None
    assert isinstance(minima.value, tuple)
    best = [float(problem.client_value(i, problem.minimiser()[None])[0]) for i in range(problem.clients)]
    return [value - float(least) for value, least in zip(best, minima.value, strict=True)]


def _literal_sides(
    problem: Problem, deltas: list[float], w: Floats, threshold: float, step: float, steps: int
) -> dict[str, float]:
    """Every observable at one state, from its definition in the paper."""
    lengths, gaps = [], []
    for i in range(problem.clients):
        lengths.append(float(np.sqrt((_literal_update(problem, i, w, step, steps) ** 2).sum())))
        value, best = (float(problem.client_value(i, x[None])[0]) for x in (w, problem.minimiser()))
        gaps.append(value - best)
    n = len(lengths)
    out = dict.fromkeys(
        ("unclipped_gap", "clipped_update_norm", "unclipped_delta", "unclipped_share", "gap"), 0.0
    ) | {"unclipped_scaled_gap": 0.0, "unclipped_scaled_delta": 0.0}
    for length, gap, delta in zip(lengths, gaps, deltas, strict=True):
        out["gap"] += gap / n
        if length > threshold:
            out["clipped_update_norm"] += length / n
            continue
        out["unclipped_gap"] += gap / n
        out["unclipped_delta"] += delta / n
        out["unclipped_share"] += 1 / n
        out["unclipped_scaled_gap"] += threshold / length * gap / n
        out["unclipped_scaled_delta"] += threshold / length * delta / n
    return out


@pytest.mark.parametrize("role", ["homogeneous", "heterogeneous", "edge of its conditions"])
@pytest.mark.parametrize("identity", [i for i in EVERY if i != "dp_fedavg.equation_11"])
def test_one_round_measures_the_definitions(identity: str, role: str) -> None:
    """With K = 1 the only state is the start, so that nothing is random. Some updates there are clipped."""
    statement, cell = bounds.get(identity), cell_of(identity, role)
    p = {name: float(value) for name, value in cell.parameters.items()} | {"K": 1.0}
    cell = replace(cell, parameters=p)
    threshold = p.get("C_hat", p.get("G", 0.0)) * p["E"]
    step = (
        p["gamma"] / (threshold * p["L"] * p["rho"]) if "gamma" in p else p["rho"] / (2 * p["alpha"] * p["L"])
    )
    start = np.array(cell.engine["start"])
    problem = cell.build_problem()
    literal = _literal_sides(problem, _deltas(problem), start, threshold, step, int(p["E"]))
    measured = get_runs(statement).measure(statement, cell, 3, SEED, "one round")
    for name, values in measured.observables.items():
        np.testing.assert_allclose(values, literal[name], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("identity", ["dp_fedavg.theorem_2", "dp_fedavg.theorem_4", "dp_fedavg.equation_8"])
def test_rounds_are_averaged_over_without_the_last_state(identity: str) -> None:
    """Many local steps and little noise: each round moves far, in the direction that a loop finds."""
    statement, cell = bounds.get(identity), cell_of(identity, "homogeneous")
    cell = replace(cell, parameters={**cell.parameters, "rho": 1e-3, "K": 4, "E": 400, "alpha": 1.0})
    problem, step = cell.build_problem(), 1e-3 / (2 * float(cell.parameters["L"]))
    threshold = float(cell.parameters.get("C_hat", cell.parameters.get("G", 0.0))) * 400
    w, sides = np.array(cell.engine["start"]), []
    for _ in range(4):
        sides.append(_literal_sides(problem, _deltas(problem), w, threshold, step, 400))
        update = _literal_update(problem, 0, w, step, 400)
        length = float(np.sqrt((update**2).sum()))
        stretched = identity == "dp_fedavg.theorem_4" or length > threshold
        w = w - step * update * (threshold / length if stretched else 1.0)
    measured = get_runs(statement).measure(statement, cell, 2, SEED, "four rounds").observables
    for name, values in measured.items():
        np.testing.assert_allclose(values, np.mean([side[name] for side in sides]), rtol=1e-2)
    (first, *_, last) = [max(side["gap"], 1e-9) for side in sides]
    assert last < 0.9 * first


def _states(dimension: int, count: int) -> Floats:
    random = np.random.default_rng(3)
    scales = 10.0 ** random.uniform(-2, 2, size=(count, 1))
    states: Floats = scales * random.standard_normal((count, dimension))
    return states


@pytest.mark.parametrize(
    "identity",
    ["dp_fedavg.theorem_2", "dp_fedavg.theorem_5.general", "dp_fedavg.equation_15", "dp_fedavg.theorem_4"],
)
@pytest.mark.parametrize("role", ["heterogeneous", "edge of its conditions", "strong noise"])
def test_certified_ends_hold_at_every_state(identity: str, role: str) -> None:
    """The line in the distance above each round's left-hand side, and the floor below it."""
    statement, cell = bounds.get(identity), cell_of(identity, role)
    problem, point = cell.build_problem(), averaging.point(statement, cell)
    line = averaging._line(statement, cell, problem, point)
    bound, deltas = linear_bound(statement, cell), _deltas(problem)
    floor = runs_clipping._floor(statement, cell, point.threshold) if identity in CLIPPED else -np.inf
    assert line is not None
    for away in _states(problem.dimension, 40):
        w = problem.minimiser() + away
        sides = _literal_sides(problem, deltas, w, point.threshold, point.step, point.local_steps)
        excess = float(bound.combine(sides))
        assert floor - 1e-9 <= excess <= line[0] * float(np.sqrt((away**2).sum())) + line[1] + 1e-9


def test_a_clipped_update_may_be_longer_than_the_smoothness_times_the_distance() -> None:
    """Minima at (0, 1) and (0, -1), w = (2.75, 0): both updates have length 2.926 and C = 4 sqrt(1/2)."""
    statement = bounds.get("dp_fedavg.theorem_5.general")
    threshold = 4 * sqrt(0.5)
    cell = averaging.make(
        statement,
        "made here",
        {"K": 20, "E": 1, "rho": 0.2, "gamma": 2 * threshold * (1 - 1e-6)},
        problem="quadratic.diagonal",
        arguments={"curvatures": [[1.0, 1.0]] * 2, "centers": [[0.0, 1.0], [0.0, -1.0]]},
        threshold=1.0,
    )
    line = averaging._line(statement, cell, cell.build_problem(), averaging.point(statement, cell))
    assert line is not None
    left = 3 * threshold / 8 * sqrt(2.75**2 + 1)
    assert 2.75 * 3 * threshold / 8 < left <= 2.75 * line[0] + line[1]


@pytest.mark.parametrize("role", ["heterogeneous", "strong noise", "partial participation"])
@pytest.mark.parametrize("identity", ["dp_fedavg.theorem_2", "dp_fedavg.theorem_4"])
def test_certified_second_moment_is_not_below_the_measured_one(identity: str, role: str) -> None:
    statement, cell = bounds.get(identity), cell_of(identity, role)
    measured = get_runs(statement).measure(statement, cell, 2048, SEED, "moment")
    x = np.maximum(linear_bound(statement, cell).combine(measured.observables), 0)
    assert measured.second_moment is not None
    assert (x**2).mean() + _normal_margin(x**2) < measured.second_moment


def test_mean_squared_distance_of_one_free_round_is_met_exactly() -> None:
    """No drift and known second moments: one round of the bound against its closed form."""
    cell = cell_of("dp_fedavg.theorem_4", OVERSHOOT)
    statement, problem = bounds.get(cell.statement), cell.build_problem()
    p = averaging.point(statement, cell)
    two = replace(p, rounds=2)
    squares = averaging._mean_squares(cell, problem, two, normalised=True)
    # eta = 0.01, C = 1e4, sigma = 2000: 2500 + 1e-4 (1e8 (1 + 4/5) + 4e6)
    np.testing.assert_allclose(squares, [2500.0, 2500 + 18000 + 400], rtol=1e-9)
    fixed = averaging._mean_squares(
        replace(cell, reading=averaging.FIXED_SIZE), problem, two, normalised=True
    )
    np.testing.assert_allclose(fixed, [2500.0, 2500 + 10000 + 400], rtol=1e-9)


# Two clients of curvature 1 at (4, 0, 0), one of curvature 8 at (-1, 0, 0): the minimiser of their mean is 0,
# and left of 4 the two pull away from it.
PULLED = {
    "curvatures": [[1.0] * 3, [1.0] * 3, [8.0] * 3],
    "centers": [[4.0, 0, 0], [4.0, 0, 0], [-1.0, 0, 0]],
}


def _pulled(start: list[float]) -> tuple[Cell, averaging.Point]:
    engine = {"start": start, "clients_per_round": 3.0}
    cell = replace(
        cell_of("dp_fedavg.theorem_4", "heterogeneous"),
        problem="quadratic.diagonal",
        problem_arguments=PULLED,
        engine=engine,
    )
    point = averaging.Point(
        rounds=3, local_steps=1, step=0.1, threshold=3.0, scale=10.0, clients_per_round=3.0
    )
    return cell, point


@pytest.mark.parametrize("normalised", [True, False])
def test_mean_squared_distance_of_a_round_that_drifts_in_three_dimensions(normalised: bool) -> None:
    """From (1, 0, 0) all updates have length C = 3, in both methods; every coordinate has its own noise."""
    cell, point = _pulled([1.0, 0.0, 0.0])
    sent = []
    for curvatures, center in zip(PULLED["curvatures"], PULLED["centers"], strict=True):
        slope = np.array(curvatures) * ([1.0, 0.0, 0.0] - np.array(center))
        length = float(np.sqrt((slope**2).sum()))
        sent.append(slope * (3.0 / length if normalised else min(1.0, 3.0 / length)))
    after = [1.0, 0.0, 0.0] - 0.1 * np.mean(sent, axis=0)
    exact = float((after**2).sum()) + sum((0.1 * 10.0) ** 2 for _ in range(3))
    assert exact == pytest.approx(1.1**2 + 3)
    squares = averaging._mean_squares(cell, cell.build_problem(), point, normalised=normalised)
    assert squares[1] >= exact
    # 2 eta C D away, and eta^2 (C^2 + 3 sigma^2) of the average: 0.6 D + 3.09
    np.testing.assert_allclose(squares, [1.0, 4.69, 4.69 + 0.6 * sqrt(4.69) + 3.09], rtol=1e-9)


def test_a_clipped_update_points_away_by_no_more_than_the_gaps() -> None:
    """f_i(0) - min f_i = 8, 8, 4: from (3, 0, 0) on their mean is below C D = 9, if nothing is stretched."""
    cell, point = _pulled([3.0, 0.0, 0.0])
    added = 0.1**2 * (3.0**2 + 3 * 10.0**2)
    clipped, stretched = (
        averaging._mean_squares(cell, cell.build_problem(), point, normalised=n) for n in (False, True)
    )
    drift = 2 * 0.1 * (8 + 8 + 4) / 3
    np.testing.assert_allclose(clipped, [9.0, 9 + drift + added, 9 + 2 * (drift + added)], rtol=1e-9)
    np.testing.assert_allclose(stretched[:2], [9.0, 9 + 2 * 0.1 * 3 * 3 + added], rtol=1e-9)


def _normal_margin(samples: Floats) -> float:
    return 4.8 * float(samples.std(ddof=1)) / sqrt(samples.size)  # normal quantile of 1 - 1e-6


@pytest.mark.parametrize(("by_coins", "lowest", "highest"), [(True, 1.6, 1.9), (False, 0.9, 1.0)])
def test_theorem_4_in_a_simulation_of_its_own(by_coins: bool, lowest: float, highest: float) -> None:
    """n = 5 times f(w) = |w| - 1/2 outside [-1, 1], r = 1, E = 1, C = 1e4, rho = 0.02, K = 100."""
    n, size, rounds, threshold, rho = 5, 1500, 100, 1e4, 0.02
    random = np.random.default_rng(5)
    step, sigma = rho / 2, sqrt(rounds) * threshold * rho
    w, left, squares = np.full(size, 50.0), np.zeros(size), []
    for _ in range(rounds):
        squares.append(w**2)
        inside = np.abs(w) <= 1
        slope = np.where(inside, w, np.sign(w))
        gap = np.where(inside, w**2 / 2, np.abs(w) - 0.5)
        left += (2 - rho**2) * threshold / np.abs(slope) * gap / rounds
        chosen = random.integers(n, size=size)
        taking = random.random((n, size)) < 1 / n if by_coins else np.arange(n)[:, None] == chosen
        messages = threshold * np.sign(w) + sigma * random.standard_normal((n, size))
        w = w - step * np.where(taking, messages, 0.0).sum(axis=0)
    gamma = rounds * threshold * rho**2 / 2
    right = threshold * (50**2 / gamma + gamma) * rho + threshold**2 / 2 * rho
    assert right == pytest.approx(1.0425e6)
    ratio, margin = left.mean() / right, _normal_margin(left / right)
    assert lowest < ratio - margin
    assert ratio + margin < highest

    cell = cell_of("dp_fedavg.theorem_4", OVERSHOOT)
    cell = replace(cell, reading=NAMED if by_coins else averaging.FIXED_SIZE)
    statement = bounds.get(cell.statement)
    point = averaging.point(statement, cell)
    certified = averaging._mean_squares(cell, cell.build_problem(), point, normalised=True)
    assert all(s.mean() - _normal_margin(s) <= c for s, c in zip(squares, certified, strict=True))
    seen = runs_normalization.RUNS.measure(statement, cell, size, SEED, "own").observables
    gaps = (2 - rho**2) * seen["unclipped_scaled_gap"]
    assert abs(gaps.mean() - left.mean()) < _normal_margin(gaps) + _normal_margin(left)


def test_the_second_moment_bounds_the_minimum_of_theorem_3_at_every_state() -> None:
    statement = bounds.get(runs_clipping.SIMPLIFIED, "amended")
    (cell,) = [c for c in runs_clipping.cells(statement) if c.role == "heterogeneous"]
    problem, point = cell.build_problem(), averaging.point(statement, cell)
    line = averaging._line(statement, cell, problem, point)
    assert line is not None
    states = problem.minimiser() + _states(problem.dimension, 40)
    trace: Any = SimpleNamespace(measurements={"state": np.stack([states, states], axis=1)})
    listed = {"clip_threshold": point.threshold, "local_steps": point.local_steps}
    seen = Seen(trace=trace, problem=problem, listed=listed, seed=0, stream="")
    least = seen("least_of_gap_and_gradient").mean(axis=(1, 2))
    distances = np.sqrt(((states - problem.minimiser()) ** 2).sum(axis=1))
    assert (least <= line[0] * distances + line[1] + 1e-9).all()


def second_moment(updates: tuple[int, ...], r: int, *, by_coins: bool) -> Fraction:
    """Of the sum over those who are drawn, over r; updates of length 1 on a line."""
    n, share, mean = len(updates), Fraction(r, len(updates)), Fraction(0)
    for drawn in product((0, 1), repeat=n):
        size = sum(drawn)
        if by_coins:
            chance = share**size * (1 - share) ** (n - size)
        else:
            chance = Fraction(size == r, comb(n, r))
        mean += chance * Fraction(sum(u for u, d in zip(updates, drawn, strict=True) if d), r) ** 2
    return mean


@pytest.mark.parametrize("r", [1, 2, 3])
def test_the_second_moments_are_at_most_what_is_told(r: int) -> None:
    """They are that for updates in one direction, and less where some cancel."""
    most = {True: 1 + (1 - Fraction(r, 4)) / r, False: Fraction(1)}
    for by_coins, limit in most.items():
        assert second_moment((1, 1, 1, 1), r, by_coins=by_coins) == limit
        assert (second_moment((1, 1, -1, 1), r, by_coins=by_coins) < limit) == (by_coins or r > 1)
    for name in ("theorem_4", "theorem_6.general", "theorem_6.specific", "equation_16.rate"):
        erratum = worded(f"dp_fedavg.{name}")
        assert erratum is not None
        assert erratum.right.count("at most") == 2
