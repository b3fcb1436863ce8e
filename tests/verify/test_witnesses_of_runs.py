"""The runs that refute Fed-alpha-NormEC with local steps: their problem, their trap, and their unit.

The clients, the listing and the bounds are written once more here, in float64 and in the unit where L = 1.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bounds
from verify.ledger.witnesses import all_witnesses
from verify.papers.fed_norm_ec.witnesses import runs as witnesses
from verify.papers.fed_norm_ec.witnesses.runs import Run, of_rate, of_theorem, of_utility

MEASURES = {
    w.erratum.statement.partition(".")[2]: w.measure
    for w in all_witnesses()
    if w.erratum.evidence.startswith("fed_norm_ec.runs.")
}
RUNS = {"theorem": of_theorem(520)[0], "rate": of_rate()[0], "utility": of_utility()[0]}
PLACES = {"theorem": (-0.2, 0.0), "rate": (-0.0305, 0.0), "utility": (-0.2, 0.0)}


def hat(x: Any) -> Any:
    return np.maximum(0.0, 1 - np.abs(x))


def slopes(x: Any, top: float, root: float) -> list[Any]:
    """f_1' and f_2'."""

    def pit(x: Any) -> Any:
        return root * (hat(x / root - 1) - hat(x / root + 1))

    return [np.maximum(0.0, top - np.abs(x)) + pit(x + 9), hat(x + 2) - hat(x) + pit(x - 5)]


def values(x: NDArray[np.float64], top: float, root: float) -> NDArray[np.float64]:
    """Two rows, summed up from the left by the rule of trapezoids."""
    found = np.array(slopes(x, top, root))
    areas = (found[:, 1:] + found[:, :-1]) / 2 * np.diff(x)
    return np.concatenate([np.zeros((2, 1)), np.cumsum(areas, axis=1)], axis=1)


@pytest.mark.parametrize("name", RUNS)
def test_the_problem_has_the_constants_that_are_given_to_the_statement(name: str) -> None:
    run = RUNS[name]
    x = np.linspace(-10, 7, 17 * 2**14 + 1)  # every corner but those of `top` is a point of the grid
    f = values(x, float(run.top), float(run.root))
    bends = np.abs(np.diff(np.array(slopes(x, float(run.top), float(run.root))), axis=1)) / np.diff(x)
    assert bends.max() == pytest.approx(1, rel=1e-9)
    lowest = f.mean(axis=0).min()
    assert float(run.heterogeneity()) == pytest.approx(lowest - f.min(axis=1).mean(), abs=1e-8)
    assert run.heterogeneity() == run.root**2 / 2
    gap = np.interp(float(run.start), x, f.mean(axis=0)) - lowest
    assert float(run.value(run.start) - run.infimum()) == pytest.approx(gap, abs=1e-8)


def update(x: float, top: float, root: float, gamma: float) -> NDArray[np.float64]:
    """(x - T_i(x))/gamma after two local steps."""
    out = []
    for i in (0, 1):
        y, total = x, 0.0
        for _ in range(2):
            slope = float(slopes(y, top, root)[i])
            total, y = total + slope, y - gamma / 2 * slope
        out.append(total / 2)
    return np.array(out)


def listing(run: Run, rounds: int, noise: Callable[[], float] = lambda: 0.0) -> tuple[set[float], float]:
    """Where the server has been, and the largest memory error after an update."""
    top, root, gamma = float(run.top), float(run.root), float(run.gamma)
    alpha, beta, eta, x = float(run.alpha), float(run.beta), float(run.eta), float(run.start)
    place, kept, largest = 0, {}, 0.0
    kept[0] = update(x, top, root, gamma)
    v = kept[0] + float(run.R) * np.array([1, -1])
    server = v.mean()
    for _ in range(rounds):
        if place not in kept:
            kept[place] = update(x + place * eta, top, root, gamma)
        error = kept[place] - v
        sent = error / (alpha + np.abs(error))
        v = v + beta * sent
        largest = max(largest, float(np.abs(kept[place] - v).max()))
        server += beta * (sent.mean() + noise())
        place += -1 if server > 0 else 1
    return {x + k * eta for k in kept}, largest


@pytest.mark.parametrize("name", RUNS)
def test_the_listing_stays_where_it_is_trapped(name: str) -> None:
    run, (left, right) = RUNS[name], PLACES[name]
    visited, error = listing(run, 20_000)
    assert left - float(run.eta) <= min(visited)
    assert max(visited) <= right + float(run.eta)
    assert error <= float(run.R)
    gradients = [sum(slopes(x, float(run.top), float(run.root))) / 2 for x in visited]
    assert gradients == pytest.approx([float((run.top - 1) / 2)] * len(gradients), rel=1e-9)


def test_the_noise_of_the_utility_does_not_free_it() -> None:
    run, given, deviation = of_utility()
    rng = np.random.default_rng(3)
    # Each of two clients has the deviation sigma_DP, and the server takes their mean.
    sigma = math.sqrt(given["K"] + 1) * 6e-4**2
    visited, _ = listing(run, 20_000, lambda: float(sigma * rng.normal(size=2).mean()))
    assert -0.2 - float(run.eta) <= min(visited)
    assert max(visited) <= float(run.eta)
    walk = float(run.beta) * sigma / math.sqrt(2) * math.sqrt(given["K"] + 1)
    assert deviation == pytest.approx(walk, rel=1e-12)


def test_the_run_in_the_witness_is_the_listing() -> None:
    run, rounds = of_theorem(520)
    visited, _ = listing(run, 5_000)
    assert len(visited) > 30
    assert rounds == 33_280
    assert run.literal(5_000) == pytest.approx(0.1, rel=1e-12)
    # Without the second client the run comes to rest where the gradient is small.
    free = replace(run, top=Fraction(1, 10), start=Fraction(-1, 20))
    assert free.literal(20_000) < 0.03


def typed_bounds() -> dict[str, tuple[float, float]]:
    """(gradient, bound) by the printed formulas, L = 1: Delta = root^2/2, gaps from the trapezoids."""
    out: dict[str, tuple[float, float]] = {}
    for name, run in RUNS.items():
        x = np.linspace(-10, 7, 17 * 2**14 + 1)
        f = values(x, float(run.top), float(run.root)).mean(axis=0)
        gap, Delta = float(np.interp(float(run.start), x, f) - f.min()), float(run.root) ** 2 / 2
        gradient, R, eta = float(run.top - 1) / 2, float(run.R), float(run.eta)
        if name == "theorem":
            first = 3 * gap / 64 + 2 * R + eta / 2 + 4 * math.sqrt(2 * Delta)
            out |= {"theorem_1.main": (gradient, first), "theorem_1.appendix": (gradient, first)}
            second = 3 * gap / 64 + 2 * R + 1 / 780 / 2 + 4 * math.sqrt(2 * Delta) + 2 * math.sqrt(2 * Delta)
            out["theorem_2"] = gradient, second
        elif name == "rate":
            others = 3 * gap / 64 + 0.02
            for form, drift in ("corollary_2", 4), ("corollary_5", 12):
                out[form] = gradient, (others + drift * math.sqrt(2 * Delta)) / 8 + 32 / 8**7
        else:
            balance = 2 * math.sqrt(3) * math.sqrt(2 * gap) * 6e-4
            out["corollary_3.explicit"] = gradient, 3 * balance + 2 * R + eta / 2 + 4 * math.sqrt(2 * Delta)
    return out


@pytest.mark.parametrize("form", MEASURES)
def test_the_printed_bound_is_what_was_typed_and_lies_below_the_gradient(form: str) -> None:
    found, (gradient, bound) = MEASURES[form](), typed_bounds()[form]
    assert found.refutes
    assert found.right / witnesses.UNIT == pytest.approx(bound, rel=1e-6)
    assert found.left / witnesses.UNIT == pytest.approx(gradient, rel=1e-7)
    assert gradient > 1.2 * bound


@pytest.mark.parametrize("form", MEASURES)
def test_in_the_unit_where_L_is_1_it_does_not_apply(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """There a condition fails, or eta_hat is another one."""
    monkeypatch.setattr(witnesses, "UNIT", 1.0)
    assert not MEASURES[form]().applicable


def test_the_unit_from_which_on_h4_limits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 lengths against sqrt(unit) Delta/(2 sqrt 2), Delta = 2^-17: from unit = 2^49 on."""
    for power, applies in (48, False), (50, True):
        monkeypatch.setattr(witnesses, "UNIT", 2.0**power)
        assert MEASURES["theorem_1.main"]().applicable is applies


@pytest.mark.parametrize(
    "changes",
    [
        {"R": Fraction(1, 60)},  # P is 1/80 at the left end
        {"gamma": Fraction(1, 4)},  # half the drift
        {"gamma": Fraction(3, 4)},  # no longer 2-Lipschitz
        {"top": Fraction(5, 4)},  # too steep to be held
        {"eta": Fraction(1, 200)},  # the memories no longer follow
        {"beta": Fraction(2)},
        {"start": Fraction(1, 10)},
    ],
)
def test_a_changed_run_is_not_trapped(changes: dict[str, Fraction]) -> None:
    run = of_theorem(520)[0]
    left, right = Fraction(-1, 5), Fraction(0)
    assert run.trapped(left, right)
    assert not replace(run, **changes).trapped(left, right)
    assert not run.trapped(left, right, Fraction(1, 100))


@pytest.mark.slow("runs every trapped witness")
def test_no_run_that_is_called_trapped_leaves() -> None:
    rng, seen = np.random.default_rng(7), 0
    left, right = Fraction(-1, 5), Fraction(0)
    for _ in range(60):
        alpha, beta, R = (Fraction(float(v)) for v in 10 ** rng.uniform([-2, -2, -3], [0.5, 0.5, -2]))
        eta = beta * R / (alpha + R) * Fraction(float(rng.uniform(0.2, 0.5)))
        run = replace(RUNS["theorem"], alpha=alpha, beta=beta, R=R, eta=eta)
        if run.trapped(left, right):
            visited, error = listing(run, 2_000)
            assert float(left - eta) <= min(visited) <= max(visited) <= float(right + eta)
            assert error <= float(R) * (1 + 1e-9)
            seen += 1
    assert seen > 10


@pytest.mark.parametrize("form", ["theorem_1.main", "theorem_2"])
def test_the_amended_bound_holds_on_it(form: str) -> None:
    run, rounds = of_theorem(520 if form == "theorem_1.main" else 780)
    gap = float(run.value(run.start) - run.infimum())
    point: dict[str, float] = {"K": rounds - 1, "T": 2, "M": 2, "p": 1, "sigma_DP": 0, "gamma": 0.5 / 2.0**60}
    point |= {"eta": float(run.eta)} | {n: x * 2.0**60 for n, x in {"L": 1, "f0_gap": gap}.items()}
    point |= {n: float(getattr(run, n)) * 2.0**60 for n in ("R", "alpha", "beta")}
    heterogeneity = "Delta_inf" if form == "theorem_1.main" else "Delta_i_inf_mean"
    if form == "theorem_2":
        del point["T"]
    found = bounds.get(f"fed_norm_ec.{form}", "amended").evaluate(
        **point, **{heterogeneity: float(run.root**2 / 2) * 2.0**60}
    )
    assert found.applicable
    assert float(found.value) > 0.1 * 2.0**60
