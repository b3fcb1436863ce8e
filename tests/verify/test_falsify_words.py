"""Claims in words as two sides in fractions, against descent step by step, grids and the paper's relation."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product as cartesian
from math import inf, log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.random import default_rng

import bounds
from bounds import discovery
from verify.falsify.confirm import confirm
from verify.falsify.outcome import NotAnInstance
from verify.falsify.witness_file import replay
from verify.falsify.witness_folder import WITNESSES
from verify.papers.als_dpfl import paths_of_batches
from verify.papers.fed_norm_ec import trapped_runs
from verify.papers.fed_norm_ec.witnesses.runs import Run
from verify.papers.several import claims_as_numbers
from verify.search import claims

FALSIFY = Path(__file__).parents[2] / "docs/falsify.md"


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
    claim = claims_as_numbers.CLAIMS[identity, variant]
    points = default_rng(6).random((count, claim.size)).tolist()
    statement = discovery.get(identity, variant)
    seen = [made for made in (claim.sides(statement, u) for u in points) if made is not None]
    assert len(seen) > count / 10
    return [(made, {k: of(v) for k, v in claims_as_numbers.in_words(made.shown).items()}) for made in seen]


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


@pytest.mark.slow("long trapped runs")
def test_a_run_that_is_said_to_be_trapped_is_trapped() -> None:
    """Algorithm 1 itself, round by round in float64, beside the bound on its gradients in rationals."""
    kept = json.loads((WITNESSES / "fed_norm_ec.theorem_1.main.json").read_text())
    coordinates = kept["instance"]["coordinates"]
    trap = trapped_runs.of_theorem(coordinates)
    found = trapped_runs.sides(bounds.get(kept["id"]), coordinates)
    assert found is not None
    run, least = trap.run, float(found[0] / trap.unit)
    assert run.literal(20_000) >= float(run.gradient(trap.left, trap.right)) == least > 0
    assert trap.given["K"] > 1000
    outside = replace(run, start=run.start - 1)
    assert outside.literal(20_000) < least


def places_of(trap: trapped_runs.Trap, off: Any) -> tuple[float, float]:
    """The ends of where Algorithm 1 goes on the line, `off[k]` added to the server's memory in round k."""
    run, seen = trap.run, {}
    alpha, beta, step = float(run.alpha), float(run.beta), 0

    def updates() -> Any:
        if step not in seen:
            seen[step] = np.array([float(v) for v in run.local_updates(run.start + step * run.eta)])
        return seen[step]

    memories = updates() + float(run.R) * np.array([1, -1])
    for noise in off:
        apart = updates() - memories
        memories = memories + beta * apart / (alpha + abs(apart))
        step += -1 if memories.mean() + noise > 0 else 1
    return float(run.start + min(seen) * run.eta), float(run.start + max(seen) * run.eta)


def trap_with_noise() -> trapped_runs.Trap:
    kept = json.loads((WITNESSES / "fed_norm_ec.corollary_3.explicit.json").read_text())
    trap = trapped_runs.of_utility(kept["instance"]["coordinates"])
    assert trap is not None
    assert trap.holds()
    return trap


@pytest.mark.slow("long trapped runs with noise")
def test_a_trap_with_noise_holds_a_memory_that_is_off_by_so_much() -> None:
    """At the largest deviation, its sign drawn every 50 rounds. What is longer than any update leads out."""
    trap = trap_with_noise()
    ends = float(trap.left - trap.run.eta), float(trap.right + trap.run.eta)
    signs = np.repeat(default_rng(5).choice([-1.0, 1.0], 400), 50)
    low, high = places_of(trap, float(trap.noise) * signs)
    assert ends[0] <= low <= high <= ends[1]
    rounds = int(2 * (trap.right - trap.left) / trap.run.eta)
    assert places_of(trap, np.full(rounds, 2.0))[0] < ends[0]
    assert places_of(trap, np.full(rounds, -2.0))[1] > ends[1]
    assert not replace(trap, noise=Fraction(2)).holds()


def test_the_noise_of_a_trap_is_that_of_the_rule() -> None:
    """Kolmogorov, with the variance of beta/M sum z over all rounds and clients, z as the rule sets it."""
    trap = trap_with_noise()
    known = {n: trap.given[n] for n in ("K", "c", "epsilon", "delta")}
    rule = bounds.get("fed_norm_ec.noise_rule").evaluate(p=1, **known)
    rounds = trap.given["K"] + 1
    variance = (float(trap.run.beta) * float(rule.value)) ** 2 * rounds / 2
    escapes = float(1 - trap.probability)
    assert variance / float(trap.noise) ** 2 == pytest.approx(escapes, rel=1e-2)
    assert variance / float(trap.noise) ** 2 <= escapes


def every_path(client: paths_of_batches.Client) -> tuple[float, float]:
    """Mean and largest last gap, batch by batch from the gradients of the samples themselves."""
    n, beta, eta = len(client.spread), float(client.beta), float(client.eta)
    a = np.diag([float(v) for v in client.spread])
    tilts, start = a - a.mean(axis=0), np.eye(n)[0] * float(client.start)
    mean = largest = 0.0
    for drawn in cartesian(list(cartesian((0, 1), repeat=n)), repeat=client.steps):
        x, likely = start, 1.0
        for batch in drawn:
            p = client.batch / n
            likely *= p ** sum(batch) * (1 - p) ** (n - sum(batch))
            total = sum((beta * x + c for c, d in zip(tilts, batch, strict=True) if d), np.zeros(n))
            x = x - eta * total / client.batch
        gap = beta / 2 * float(x @ x)
        mean, largest = mean + likely * gap, max(largest, gap)
    return mean, largest


def test_the_paths_of_random_batches_are_all_of_them() -> None:
    points = default_rng(8).random((60, paths_of_batches.SIZE)).tolist()
    statement = bounds.get(paths_of_batches.FORMS[0])
    both = ((paths_of_batches.of_coordinates(u), paths_of_batches.sides(statement, u)) for u in points)
    seen = [(made, found) for made, found in both if found]
    assert len(seen) > 5
    assert {made.steps for made, _ in seen if made} > {1}
    for made, found in seen:
        assert made is not None
        mean, largest = every_path(made)
        assert float(found[0]) == pytest.approx(mean, rel=1e-9)
        assert float(found[2]["largest gap"]) == pytest.approx(largest, rel=1e-9)
        assert largest < 1


def test_a_run_with_all_of_its_samples_breaks_nothing() -> None:
    """The excess is that of the batches: without their tilts every path is the one of gradient descent."""
    kept = json.loads((WITNESSES / "als_dpfl.theorem_2.lemma_6_omega.json").read_text())
    client = paths_of_batches.of_coordinates(kept["instance"]["coordinates"])
    assert client is not None
    n = len(client.spread)
    full = replace(client, spread=(Fraction(0),) * n, batch=n)
    ((likely, model),) = full.paths()[0]
    start, shrunk = full.start, (1 - full.eta * full.beta) ** full.steps
    assert likely == 1
    assert model == (start * shrunk, *(Fraction(0),) * (n - 1))


@pytest.mark.parametrize("identity", claims_as_numbers.FOLLOWED)
def test_a_run_that_is_followed_refutes_the_form_that_is_given(identity: str) -> None:
    """A hundred times the right side is above the left: the instance refutes the printed form alone."""
    statement = bounds.get(identity)
    instance = json.loads((WITNESSES / f"{identity}.json").read_text())["instance"]
    looser = tuple(replace(term, expression=100 * term.expression) for term in statement.terms)
    found, other = confirm(statement, instance), confirm(replace(statement, terms=looser), instance)
    assert found.refutes
    assert not other.refutes
    assert other.left == found.left
    assert found.right is not None
    assert other.right == pytest.approx(100 * found.right, rel=1e-9)


@pytest.mark.parametrize("place", range(10))
@pytest.mark.parametrize("value", [-1e-9, 1 + 1e-9, 30.0, float("inf"), float("-inf"), float("nan")])
def test_coordinates_outside_the_cube_are_refused(place: int, value: float) -> None:
    kept = json.loads((WITNESSES / "fed_norm_ec.corollary_3.explicit.json").read_text())
    coordinates = list(kept["instance"]["coordinates"])
    coordinates[place] = value
    with pytest.raises(NotAnInstance, match="not between 0 and 1"):
        replay(kept | {"instance": {"kind": "words", "coordinates": coordinates}})


def test_coordinates_that_make_no_instance_are_refused() -> None:
    kept = json.loads((WITNESSES / "dp_fedavg.equation_10.json").read_text())
    for coordinates, told in (([], "no instance"), (["a"], "lacks"), ([10**400], "lacks"), (None, "lacks")):
        with pytest.raises(NotAnInstance, match=told):
            replay(kept | {"instance": {"kind": "words", "coordinates": coordinates}})


def test_arithmetic_that_has_no_result_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No claim is known that divides by 0 in the cube: this one does."""
    kept = json.loads((WITNESSES / "dp_fedavg.equation_10.json").read_text())

    def divided(_: Any, u: Any) -> claims.Claimed:
        return claims.Claimed(left=Fraction(1, 0), right=Fraction(0), shown={})

    claim = replace(claims_as_numbers.CLAIMS[kept["id"], "printed"], sides=divided)
    monkeypatch.setattr(claims_as_numbers, "CLAIMS", {(kept["id"], "printed"): claim})
    with pytest.raises(NotAnInstance, match="make no instance"):
        replay(kept)


def test_corners_that_go_back_trap_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else is asked here: a dip that reaches over what follows it describes no derivative."""
    monkeypatch.setattr(trapped_runs, "_turns_back", lambda *_: True)
    monkeypatch.setattr(Run, "trapped", lambda *_: True)
    trap = trap_with_noise()
    for change in ({"root": Fraction(5)}, {"top": Fraction(10)}):
        assert not replace(trap, run=replace(trap.run, **change)).holds()


def test_the_radius_of_the_trap_with_noise_is_what_the_documentation_says() -> None:
    """R over h6's expression, one dimension, B_2 = 2 c^2 (B_hat/M) log(1/delta)/epsilon^2."""
    trap = trap_with_noise()
    run, given = trap.run, trap.given
    gap = float(run.value(run.start) - run.infimum())
    B_2 = 2 * given["c"] ** 2 * given["B_hat"] / 2 * log(1 / given["delta"]) / given["epsilon"] ** 2
    expression = sqrt(gap / float(run.gamma)) * (B_2 / 2) ** 0.25
    times = round(float(run.R) / expression)
    assert f"R is {times} times" in FALSIFY.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "identity", [f"fed_norm_ec.claims.{claim}" for claim in ("nonneg", "sameinf", "ig0")]
)
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
