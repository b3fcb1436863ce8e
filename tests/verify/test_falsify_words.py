"""Claims in words as two sides in fractions, against descent step by step, grids and the paper's relation."""

from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.random import default_rng

import bounds
from verify.falsify import traps, words
from verify.falsify.witness import FOLDER, read


def descent(
    start: float, curvature: float, center: float, step: float, steps: int, bend: float = inf
) -> float:
    """The sum of gradients along the way, one by one."""
    x, total = start, 0.0
    for _ in range(steps):
        gradient = curvature * max(-bend, min(bend, x - center))
        x, total = x - step * gradient, total + gradient
    return total


def of(shown: Any) -> Any:
    if isinstance(shown, str):
        return float(Fraction(shown))
    return [of(entry) for entry in shown] if isinstance(shown, list) else shown


def small_instances(
    identity: str, variant: str = "printed", count: int = 200
) -> list[tuple[Any, dict[str, Any]]]:
    claim = words.CLAIMS[identity, variant]
    points = default_rng(6).random((count, claim.size)).tolist()
    seen = [made for made in map(claim.sides, points) if made is not None]
    assert len(seen) > count / 10
    return [(made, {k: of(v) for k, v in words.in_words(made.shown).items()}) for made in seen]


def test_thresholds_in_words_clip_as_descent_step_by_step_does() -> None:
    for made, o in small_instances("dp_fedavg.claims.smaller_threshold"):
        lengths = [abs(descent(o["w"], o["curvature"], 0.0, o["eta"], o[n])) for n in ("E_1", "E_2")]
        clipped = [lengths[0] > o["C_hat_1"] * o["E_1"], lengths[1] > o["C_hat_2"] * o["E_2"]]
        assert clipped == [o["clipped"]] * 2
        assert (float(made.left), float(made.right)) == (o["C_hat_2"], o["C_hat_1"])


def test_the_bias_at_the_slope_is_what_clipping_takes_from_the_mean() -> None:
    for made, o in small_instances("dp_fedavg.claims.lipschitz_threshold"):
        slope = o["curvature"] * o["threshold"]
        sums = [descent(0.0, o["curvature"], c, o["eta"], o["E"], o["threshold"]) for c in o["centers"]]
        bias = sum(u - u * min(1.0, slope / abs(u)) for u in sums if u) / 2
        assert float(made.left) == pytest.approx(abs(bias), rel=1e-9, abs=1e-12 * slope)


def test_the_left_sides_in_words_are_those_of_the_paper_s_own_relation() -> None:
    statement = bounds.get("dp_fedavg.equation_16_comparison.left_sides")
    for made, o in small_instances(statement.id):
        L, E, share = max(o["curvatures"]), o["E"], o["rho E/alpha"]
        clients = list(zip(o["curvatures"], o["centers"], strict=True))
        step = share / (2 * L * E)
        norms = [abs(descent(o["w"], a, c, step, E)) for a, c in clients]
        best = sum(a * c for a, c in clients) / sum(o["curvatures"])
        deltas = [a * (best - c) ** 2 / 2 for a, c in clients]
        gaps = [a * (o["w"] - c) ** 2 / 2 - delta for (a, c), delta in zip(clients, deltas, strict=True)]
        given = {"C_hat": o["C_hat"], "L": L, "E": E, "alpha": 1.0, "rho": share / E}
        found = statement.on(gaps=np.array(gaps), update_norms=np.array(norms), **given)
        size = sum(map(abs, gaps)) * (1 + o["C_hat"] * E / min(norms)) + float(made.left)
        assert float(made.left) == pytest.approx(float(found.left), rel=1e-6, abs=1e-9 * size)
        assert float(made.right) == pytest.approx(float(found.right), rel=1e-6, abs=1e-9 * size)
        assert o["C_hat"] ** 2 >= 16 * L * max(deltas) * (1 - 1e-12)


def test_a_run_that_is_said_to_be_trapped_is_trapped() -> None:
    """Algorithm 1 itself, round by round in float64, beside the bound on its gradients in rationals."""
    kept = read(FOLDER / "fed_norm_ec.theorem_1.main.json")
    coordinates = kept["instance"]["coordinates"]
    run, left, right, given = traps.of_theorem(coordinates)
    found = traps.sides_of(kept["id"])(coordinates)
    assert found is not None
    unit = found[2]["unit of F"]
    assert run.literal(20_000) >= float(run.gradient(left, right)) == float(found[0] / unit) > 0
    assert given["K"] > 1000
    outside = replace(run, start=run.start - 1)
    assert outside.literal(20_000) < float(found[0] / unit)


@pytest.mark.parametrize("identity", ["fed_norm_ec.claims.sameinf", "fed_norm_ec.claims.ig0"])
def test_the_infimum_of_the_mean_is_the_lowest_on_a_grid(identity: str) -> None:
    for made, o in small_instances(identity, count=20):
        grid = np.linspace(min(o["centers"]), max(o["centers"]), 4001)
        mean = sum(a * (grid - c) ** 2 / 4 for a, c in zip(o["curvatures"], o["centers"], strict=True))
        assert float(made.left) == pytest.approx(float(mean.min()), rel=1e-3, abs=1e-12)


def test_the_order_of_a_change_of_gradient_is_right_where_it_is_not_refuted() -> None:
    for made, o in small_instances("dp_fedavg.equation_10"):
        slope = Polynomial([o["a"], o["b"], 0.0, o["c"]])
        order = abs(slope.deriv()(o["w"]) * slope(o["w"])) * o["eta"]
        assert float(made.right) == pytest.approx(2 * order, rel=1e-9)
        if order == 0:
            w, eta = o["w"], o["eta"]
            assert float(made.left) == pytest.approx(abs(slope(w - eta * slope(w)) - slope(w)), rel=1e-6)
        else:
            assert made.left <= made.right
