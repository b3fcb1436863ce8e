"""What is read off the bounds of DP-FedAvg for E, C_hat and K: each number again, from what is printed."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.random import default_rng

import bounds
from bounds.language.finding import FindingClass
from verify.ledger.same_defect import place_of_defect
from verify.papers.dp_fedavg.witnesses import choices
from verify.papers.dp_fedavg.witnesses.choices import NEAR_CLIENTS, WithoutClipping
from verify.papers.dp_fedavg.witnesses.proof_steps import shorter_than_an_order
from verify.records.errata import of_paper

Number = Fraction
SLOPE = Number(11, 64)  # of the threshold of Proposition 1, at lambda = L


def eq_6(E: int, threshold: Number, rho: Number, D0: Number, delta: Number) -> Number:
    """Solved for the gap: alpha = L = 1, gamma = D0, and the indicator of every client is 1."""
    x = rho * E
    return (threshold * (D0**2 / D0 + D0) * rho + Number(3, 2) * E * delta * rho) / (2 - x - x**2)


def eq_11(E: int, G: Number, rho: Number, D0: Number, delta: Number) -> Number:
    """At lambda = L."""
    return (2 * G * D0 + Number(6, 5) * E * (delta - Number(11, 48) * G * D0 * rho)) * rho


def all_local_steps(rho: Number) -> range:
    return range(1, math.floor(1 / (2 * rho)) + 1)


def test_the_rule_takes_the_worst_number_of_local_steps() -> None:
    seen, rho, D0, delta = choices.most_local_steps(), Number(1, 10), Number(149), Number(1, 20)
    assert delta < Number(11, 48) * D0 * rho
    assert rho * NEAR_CLIENTS.chosen() == Number(1, 2)
    gaps = {E: eq_6(E, 1 - SLOPE * (E - 1) * rho, rho, D0, delta) for E in all_local_steps(rho)}
    assert (seen.left, seen.right) == (float(gaps[5]), float(gaps[1]))
    assert (max(gaps.values()), min(gaps.values())) == (gaps[5], gaps[1])
    for E, K in ((1, 29800), (5, 6400)):
        threshold = 1 - SLOPE * (E - 1) * rho
        assert K * threshold * E * rho**2 == 2 * D0
        assert threshold**2 >= 16 * delta
    assert seen.refutes


@pytest.mark.parametrize("slope", [Number(0), SLOPE / 4, SLOPE, Number(1, 4)])
@pytest.mark.parametrize("rho", [Number(1, 4), Number(1, 11), Number(1, 200)])
@pytest.mark.parametrize("delta", [Number(0), Number(1, 20), Number(30)])
def test_the_bound_of_theorem_2_grows_with_every_local_step(
    slope: Number, rho: Number, delta: Number
) -> None:
    """For every lambda up to L, and for the lowest threshold that gradients of smooth clients leave, 1/4."""
    for D0 in (Number(1, 100), Number(7), Number(5000)):
        gaps = [eq_6(E, 1 - slope * (E - 1) * rho, rho, D0, delta) for E in all_local_steps(rho)]
        assert all(fewer < more for fewer, more in pairwise(gaps))


@pytest.mark.parametrize("rho", [Number(1, 4), Number(1, 50)])
def test_no_threshold_falls_faster(rho: Number) -> None:
    """Half squares of curvature L = 1 shrink their gradients most: (1 - eta)^tau of it is left."""
    for E in all_local_steps(rho):
        update = sum((1 - rho / 2) ** tau for tau in range(E))
        assert update >= E * (1 - (E - 1) * rho / 4)


def test_of_eq_11_the_rule_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 5/4 for the coefficient at every E, as eq. (11) has it, the witness is none."""
    rho, D0 = Number(1, 10), Number(149)
    for delta in (Number(0), Number(1, 20), Number(4)):
        values = [eq_11(E, Number(1), rho, D0, delta) for E in all_local_steps(rho)]
        run = replace(NEAR_CLIENTS, delta=delta)
        assert run.chosen() == 1 + values.index(min(values))
    (told,) = (e for e in of_paper("dp_fedavg") if e.label == "dp_fedavg.equation_11_rule")
    assert told.grade is FindingClass.INTERPRETATION
    monkeypatch.setattr(WithoutClipping, "coefficient", lambda run, E: Number(5, 4))
    assert not choices.most_local_steps().refutes


def test_clients_too_far_apart_are_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    far = replace(NEAR_CLIENTS, delta=Number(1, 16))
    assert far.applicable(1)
    assert not far.applicable(5)
    monkeypatch.setattr(choices, "NEAR_CLIENTS", far)
    assert not choices.most_local_steps().refutes


def right_side(gap: float, alpha: float, gain: float = 3.0) -> tuple[float, float]:
    """A, and the larger of B and B_2 of eqs. (6) and (17): nothing clipped, L = D0 = gamma = E = 1."""
    rho, c = 0.1, 4.0
    B, B_2 = 1.5 / alpha * gap * rho, (c**2 / (2 * alpha) * gap + gain * gap * rho / alpha**2) * rho
    return c * math.sqrt(gap) * (1 + 1) * rho, max(B, B_2)


def test_what_is_left_of_the_bounds_knows_the_largest_gap() -> None:
    seen = choices.distant_minima()
    for gap, left in ((2.0, seen.left), (0.5, seen.right)):
        terms = [right_side(gap, alpha) for alpha in (1.0, 1e3, 1e6)]
        assert [A for A, _ in terms] == pytest.approx([left] * 3, rel=1e-15)
        assert terms[2][1] < 1e-5 < left
    assert seen.refutes
    same = choices.initialization(Number(2), Number(1, 10))
    assert not replace(seen, right=same).refutes


def test_what_is_left_is_told_once_for_two_places() -> None:
    claims = {e.statement for e in of_paper("dp_fedavg") if e.line == "the threshold"}
    assert claims == {"dp_fedavg.equation_17_comparison.vanishing", "dp_fedavg.remark_1.many_rounds"}
    for claim in claims:
        assert any("term A is proportional to C_hat" in other for other in bounds.get(claim).other_readings)
    told = place_of_defect("dp_fedavg", "B.rem1, the threshold", "dp_fedavg.remark_1.many_rounds")
    assert told == "B.eq17.cmp, the threshold"


def mean_of_reciprocal(directions: int, down_to: float) -> float:
    """Of the length of a standard Gaussian along one direction or two, where it is at least so long."""
    x = np.geomspace(down_to, 12.0, 200_001)
    density = math.sqrt(2 / math.pi) if directions == 1 else x
    return float(np.trapezoid(density * np.exp(-(x**2) / 2) / x, x))


def test_two_dimensions_alone_give_no_mean() -> None:
    """An update of (<a, w> - y)^2/2 has its length along a, whatever d is; of |w - b|^2/2 along all."""
    for directions, grows in ((1, math.sqrt(2 / math.pi) * 10), (2, 0.0)):
        more = mean_of_reciprocal(directions, math.exp(-20)) - mean_of_reciprocal(directions, math.exp(-10))
        assert more == pytest.approx(grows, abs=1e-4)
    assert mean_of_reciprocal(2, math.exp(-20)) == pytest.approx(math.sqrt(math.pi / 2), rel=1e-6)
    displays = (
        e for e in of_paper("dp_fedavg") if e.evidence == "dp_fedavg.statements.mean_gain_of_many_rounds"
    )
    told = [e.right for e in displays if "B_2 vanishes" in e.right]
    assert len(told) == 2
    assert all("strongly convex clients in two dimensions or more" in right for right in told)


@pytest.mark.parametrize(("alpha", "outgrows"), [(1, False), (100, False), (10_000, True)])
def test_the_noise_of_a_round_outgrows_a_normalized_update_as_rounds_grow(alpha: int, outgrows: bool) -> None:
    seen, rho, C = choices.noise_of_many_rounds(alpha), 0.1, 1.0
    K = 2 * alpha / rho**2
    drawn = abs(default_rng(30).normal(0, math.sqrt(K * C**2 * rho**2), 40_000)) / C
    assert abs(drawn.mean() - seen.left) < 5 * drawn.std() / math.sqrt(drawn.size)
    assert seen.refutes == outgrows


def round_of(w: float, eta: float, C: float) -> float:
    """Lines 5 to 12 of Algorithm 1 for one client w^2/2, without noise, which rho = 0 is."""
    local = w - eta * w
    u = (w - local) / eta
    return w - eta * u * min(1.0, C / abs(u))


def test_without_noise_a_long_update_is_still_clipped() -> None:
    seen = choices.clipped_without_noise()
    of_fedavg = 2.0 - (2.0 - (2.0 - 0.5 * 2.0))
    assert (seen.left, seen.right) == (round_of(2.0, 0.5, 1.0), of_fedavg)
    assert seen.refutes
    for C in (2.0, 50.0):
        assert round_of(2.0, 0.5, C) == of_fedavg


def test_an_order_from_above_is_no_bound_from_below() -> None:
    """And with the constant of eq. (65) the relation holds, on half squares of any curvature up to L = 1."""
    seen = shorter_than_an_order()
    for curvature, E, x in product((0.01, 0.5, 1.0), (1, 3, 8), (0.25, 0.1)):
        gradients = curvature * (1 - x / E * curvature) ** np.arange(E)
        assert math.sqrt(7 / 32) * E * curvature <= gradients.sum() <= E * curvature
        assert gradients.sum() < seen.left * E * curvature
    assert seen.left == 2 * seen.right
