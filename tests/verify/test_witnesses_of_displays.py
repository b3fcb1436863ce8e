"""Displays of Fed-alpha-NormEC that a witness contradicts: each instance step by step, and with the repair.

What is right instead has to hold where the printed display fails, or the witness shows another defect.
"""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

import bounds
from bounds.language.finding import FindingClass
from verify.ledger.witnesses import all_witnesses
from verify.papers.fed_norm_ec.witnesses.proof_steps import dropped_orders
from verify.papers.several.witnesses.privacy import delta_of_rounds
from verify.records.errata import our_errata
from verify.witness import Measured

MEASURES: dict[str, Callable[[], Measured]] = {w.erratum.label: w.measure for w in all_witnesses()}


def of(place: str) -> Measured:
    return MEASURES[place if place.startswith("A.") else f"fed_norm_ec.{place}"]()


def local_steps(x: float, slope: Callable[[float], float], gamma: float, steps: int) -> list[float]:
    """x^{k,0}, x^{k,1} and so on, each step gamma/steps long."""
    points = [x]
    for _ in range(steps):
        points.append(points[-1] - gamma / steps * slope(points[-1]))
    return points


def test_a_weight_below_one_or_with_its_error_is_no_matter() -> None:
    """w W <= w ((1 + b_1 gamma^2) V - V')/(b_2 gamma) + w b_3/b_2 wherever h2 holds."""
    seen = of("A.lem5.s2")
    assert seen.left == 2.0
    for w in (0.5, 1.0, seen.left):
        assert w * 1.0 <= w * (2 * 0.0 - 0.0) + w * 1.0
    assert seen.left > seen.right


def test_the_smallest_weight_is_the_last_of_the_sum() -> None:
    """Under the weights that A.lem5.s3 needs; those of A.lem5.s1 grow, and w^K is their largest."""
    seen, growth, K = of("A.lem5.s9"), 2.0, 0
    s10 = (K + 1) * 1.0 / growth ** (K + 1)
    assert seen.left == s10 == 2 * seen.right
    as_printed = {k: growth ** (k + 1) for k in range(-1, K + 2)}
    assert (as_printed[K], as_printed[K + 1], s10) == (2, 4, 0.5)


@pytest.mark.parametrize(("step", "j", "terms"), [("A.lem7.s9", 1, 3), ("A.lem7.s11", 3, 1)])
def test_the_point_is_the_one_that_the_sum_leads_to(step: str, j: int, terms: int) -> None:
    seen, points = of(step), local_steps(1.0, lambda y: y, 0.5, 4)
    moved = [abs(points[0] - point) for point in points]
    assert seen.left == moved[j]
    parts = 0.125 * (sum(moved[:terms]) + terms)
    assert seen.right == (moved[terms] if step == "A.lem7.s9" else parts)
    assert moved[terms] <= parts
    # A.lem7.s13 has the whole sum, and A.lem7.s21 one more than s15: true at every j, and true.
    assert max(moved) <= 0.125 * sum(moved[:4]) + 0.5
    assert sum(moved) <= 2 * 0.5 * 4


def test_a_pass_within_the_limit_is_as_long_as_its_lemma_says() -> None:
    """The squares of A.lem8.s1 at gamma = 1/2: 2 gamma^2 L (Delta_inf + their mean) is 1/2."""
    assert of("A.lem8.s1").right == 2 * 1000**2 * (1 / 2 + 1 / 2)
    points = local_steps(0.0, lambda y: y - 1, 0.5, 3)[:3]
    assert np.mean(np.square(points)) <= 2 * 0.5**2


@pytest.mark.parametrize("step", ["A.lem9.s3", "A.lem9.s12", "A.lem9.s20"])
def test_with_the_smoothness_of_the_data_the_steps_hold(step: str) -> None:
    """Slopes of up to 101 as L in the right side: it is 101 times as far from the first term."""
    seen = of(step)
    first = 0.0 if step == "A.lem9.s20" else 1.0
    assert seen.right < seen.left <= first + 101 * (seen.right - first)


@pytest.mark.parametrize("step", ["A.thm1.s1", "A.thm2.s1"])
def test_the_errors_after_the_update_stay_within_the_first(step: str) -> None:
    """(beta^(1/2) - alpha^(1/2))^2 after it, and eta more at the next point; R + 2 L eta bounds that."""
    seen, eta = of(step), 1 / 7
    assert seen.left == pytest.approx((1 - 1 / 100) ** 2 + eta, rel=1e-12)
    assert seen.left - eta < seen.right < seen.left < seen.right + 2 * eta


def test_the_first_terms_stay_where_h5_holds() -> None:
    """2 (3)^(1/2) (3) (f/gamma)^(1/2) (B_2/M)^(1/4) at its limit; and the condition itself fails at M = 1."""
    seen = of("corollary_1.rate hypothesis A.cor1.h5")
    for gamma in (0.5, 0.01):
        share = (3 * gamma / 2) ** 2  # B_2/M, at the limit
        assert 6 * math.sqrt(3 / gamma) * share**0.25 == pytest.approx(9 * math.sqrt(2), rel=1e-12)
    given = {"K": 10**6, "L": 1, "f0_gap": 1, "Delta_inf": 1, "B_hat": 1, "c": 1, "delta": 1e-5, "R": 1}
    for epsilon, M, holds in ((8.0, 1, False), (6.0, 1, True), (6.0, 2, False)):
        assert (seen.right * (8 / epsilon) ** 2 > M) == holds
        checks = bounds.get("fed_norm_ec.corollary_1.explicit").check(
            **given | {"epsilon": epsilon, "M": M, "B_hat": M}
        )
        (found,) = (c.holds for c in checks if c.condition.id == "A.cor1.h5")
        assert found == holds


@pytest.mark.parametrize("beta", [0.001, 0.01, 0.1])
def test_noise_in_proportion_to_beta_keeps_no_privacy(beta: float) -> None:
    seen, size = of("algorithm_1.variation noise"), math.sqrt(300 * math.log(1e5)) / 8

    def delta(deviation: float) -> float:
        return delta_of_rounds(deviation * math.sqrt(20) / 0.99, 300, 8.0)

    assert delta(beta * size) >= seen.left
    assert delta(math.sqrt(beta * size)) > 0.5
    assert delta(size) < 1e-30 < seen.right


def test_passes_move_apart_as_the_smoothness_says() -> None:
    seen, L, gamma = of("A.lem9.s5"), 8.0, 1 / 16
    passes = [local_steps(x, lambda y: -L * y, gamma, 2)[:2] for x in (1.0, 0.0)]
    mean = float(np.mean([abs(a - b) for a, b in zip(*passes, strict=True)]))
    assert seen.left == mean
    assert seen.right == 1 + gamma * mean < mean <= 1 + gamma * L * mean


def test_the_server_divides_in_the_line_that_is_meant() -> None:
    """The number of the line in the transcription."""
    text = (Path(__file__).parents[2] / "bounds/papers/fed_norm_ec/transcription.md").read_text(
        encoding="utf-8"
    )
    listing = text.split("### A.alg1 ", 1)[1].split("\n### ", 1)[0]
    (line,) = re.findall(r"^(\d+)\..*Server updates.*left.*$", listing, re.MULTILINE)
    seen = of("algorithm_1.variation")
    assert seen.left == float(line)
    assert f"Line {seen.right:g} in Algorithm 1" in text


def test_the_sum_along_the_path_ends_at_its_point() -> None:
    for lemma in ("lemma_7.c1", "lemma_9.c1"):
        seen = of(lemma)
        points = local_steps(1.0, lambda y: y, 0.5, 2)
        assert seen.left == points[2] == 1 - 0.25 * (points[0] + points[1])
        assert seen.right == 1 - 0.25 * (points[2] + points[2])


@pytest.mark.parametrize("step", ["A.lem7.s16", "A.lem7.s17", "A.lem7.s18"])
def test_two_rounds_are_compared_at_one_local_step(step: str) -> None:
    seen = of(step)
    now, after = (local_steps(x, lambda y: -y, 0.5, 2) for x in (0.0, 1.0))
    assert seen.left == after[2] - now[2]
    moved = after[0] - now[0]
    assert seen.right == moved + 0.25 * abs(now[2] - now[1])
    assert seen.left == moved + 0.25 * sum(abs(a - b) for a, b in zip(after[:2], now[:2], strict=True))


@pytest.mark.parametrize("step", ["A.cor3.s11", "A.cor3.s12"])
def test_the_order_with_its_factor_covers_the_display_before(step: str) -> None:
    seen = of(step)
    assert seen.applicable
    with_factor = 4 * math.sqrt(3) * math.sqrt(1e22 / 1e16) * (0.5e-12) ** 0.25
    assert seen.left < 3 * with_factor + seen.right


def test_who_came_before_changes_the_next_increment() -> None:
    """And Lemma 3 holds there: over two rounds the mean gap is at most 2, as B = 2 and K + 1 = 2."""
    squares: dict[int, list[float]] = {0: [], 2: []}
    gaps = []
    for first, second in product((0, 2), repeat=2):
        x, v, server, increments = 0.0, -0.25, -0.25, []
        for q in (first, second):
            moved = (x - v) / (1 + abs(x - v))
            v, server = v + moved, server + q * moved
            increments.append((1 - q) * moved)
            x -= math.copysign(1 / 8, server)
        squares[first].append(increments[1] ** 2)
        gaps.append(abs(v - server))
    seen = of("A.lem3.s5")
    assert (seen.left, seen.right) == pytest.approx((np.mean(squares[2]), np.mean(squares[0])), rel=1e-12)
    assert np.mean(gaps) <= math.sqrt(2 * 2)


def test_the_step_that_is_allowed_is_longer_than_lemma_1_takes_it() -> None:
    """At h6 the two terms of A.lem1.s11 sum up to R; with the longer step to more, and with 2L to less."""
    seen = of("A.thm1.s3")
    left_over = 1 - 1 / 2  # (1 - beta/(alpha + R)) R
    assert (1 + 2) * seen.right / 0.5 + left_over == pytest.approx(1, rel=1e-12)
    assert (1 + 2) * seen.left / 0.5 + left_over > 1.2
    assert 2 * seen.left + left_over <= 1


def test_noise_in_each_coordinate_is_longer_than_its_deviation() -> None:
    """The mean length of a Gaussian in d dimensions: sqrt(2) times a quotient of gamma functions."""
    seen = of("lemma_3")

    def mean_length(d: int) -> float:
        return math.sqrt(2) * math.gamma((d + 1) / 2) / math.gamma(d / 2)

    assert seen.left == pytest.approx(mean_length(3), rel=1e-12)
    assert seen.right == pytest.approx(math.sqrt(2), rel=1e-12)
    assert max(mean_length(1), mean_length(2)) < seen.right
    assert all(mean_length(d) <= math.sqrt(2 * d) for d in range(1, 100))


@pytest.mark.parametrize("corollary", ["corollary_1.rate", "corollary_3.rate", "corollary_6"])
def test_a_balance_with_d_has_the_order_that_is_claimed(corollary: str) -> None:
    seen, d, share = of(corollary), 1e16, 1e-16
    assert seen.left == pytest.approx(2 * math.sqrt(3) * share**0.25 * math.sqrt(d), rel=1e-12)
    balanced = math.sqrt(3) / (d * share) ** 0.25
    assert 2 * balanced * math.sqrt(d * share) < seen.right


def test_the_first_term_stays_however_many_rounds_there_are() -> None:
    seen = of("claims.parts")
    assert seen.left == pytest.approx(min(3 / (n * (1 / (2 * n))) for n in (1, 10, 10**6, 10**12)))


def test_memories_of_the_drawn_alone_leave_the_server_behind() -> None:
    """Every number of draws; and with memories that all move the gap is within the bound."""
    seen, rounds = of("algorithm_1.listing"), 16

    def moves(count: int) -> list[float]:
        v, made = 0.0, []
        for _ in range(count):
            made.append((1000 - v) / (0.001 + 1000 - v))
            v += made[-1]
        return made

    means = [comb(rounds, n) * sum(moves(n)) for n in range(rounds + 1)]
    assert sum(means) / 2**rounds >= seen.left > seen.right
    all_move = moves(rounds)
    assert math.sqrt(sum(m**2 for m in all_move)) <= seen.right


def test_the_noise_as_a_deviation_falls_with_p() -> None:
    seen = of("claims.expb")
    assert seen.left == pytest.approx(4 * seen.right, rel=1e-12)
    sizes = [p * 0.1 * math.sqrt(300 * math.log(1e5)) / 8 for p in (0.25, 1.0)]
    assert 2 * sizes[0] ** 2 / 0.25 == pytest.approx(2 * sizes[1] ** 2 / 4, rel=1e-12)


def test_other_hessians_pass_every_limit_and_infima_have_the_sign() -> None:
    seen = of("claims.bh")
    assert seen.right == 1.0
    assert abs(2 * 10 - (2 * 10 + 10 - 1) / 2) > seen.left
    assert of("heterogeneity.clients").right == -1.0
    x = np.linspace(-3, 3, 601)
    clients = np.array([x**2 / 2 + 10, x**2 / 2])
    assert clients.mean(axis=0).min() - clients.min(axis=1).mean() == pytest.approx(0)
    assert clients.mean(axis=0).min() - clients[0].min() == pytest.approx(-5)


def test_a_gaussian_in_few_coordinates_of_a_total_variance_hides_nothing() -> None:
    """Why the rule needs more than its range of epsilon: p = 1, one round, c = 10, epsilon = 1/2, many d."""

    def delta(d: float) -> float:
        noise = 10 * math.sqrt(math.log(1e5)) / 0.5 / math.sqrt(d)
        near, far = 1 / (2 * noise), 0.5 * noise
        tail = math.erfc((near + far) / math.sqrt(2)) / 2
        return math.erfc((far - near) / math.sqrt(2)) / 2 - math.exp(0.5) * tail

    assert delta(1) < 1e-5 < 0.999 < delta(1e8)
    unchanged = {M: Fraction(1, 2) ** M for M in (1, 2)}
    assert unchanged[1] - Fraction(1649, 1000) * unchanged[2] > Fraction(1, 100_000)  # exp(1/2) < 1.649


@pytest.mark.parametrize(("part", "heterogeneity"), [("corollary_1", 1e30), ("corollary_3", 0.03e15)])
def test_the_dropped_orders_are_those_of_a_statement_that_applies(part: str, heterogeneity: float) -> None:
    """The corollary's own conditions in the units of the witness, and its own terms there."""
    seen = of("A.cor1.s10" if part == "corollary_1" else "A.cor3.s13")
    assert seen.refutes
    of_f, of_x, q = 1e15, 1e6, 1e-6
    given = {"M": 2, "B_hat": 1, "c": 1, "delta": math.exp(-1), "epsilon": 1 / (math.sqrt(2) * q**2)}
    given |= {"L": 0.5 * of_f / of_x**2, "f0_gap": of_f, "Delta_inf": heterogeneity, "R": q * of_f / of_x}
    given |= {"T": 2} if part == "corollary_3" else {}
    rounds = int(0.6 * math.sqrt(3) / q**2)
    found = bounds.get(f"fed_norm_ec.{part}.explicit").evaluate(**given, K=rounds - 1)
    assert found.applicable is True
    sampling = 2 * math.sqrt(3) / q / math.sqrt(rounds) * of_f / of_x
    assert max(found.terms.values()) == pytest.approx(sampling, rel=1e-9)
    assert seen.left == pytest.approx(sampling * of_x / of_f, rel=1e-6)


def test_the_dropped_orders_are_no_witness_in_units_that_h4_does_not_allow() -> None:
    assert dropped_orders(0.03).refutes
    assert not dropped_orders(0.03, units=(1.0, 1.0)).applicable
    assert not dropped_orders(0.03, units=(1e21, 1e9)).applicable  # eta above 1


@pytest.mark.parametrize("c", [1.0, 1e3, 1e9])
def test_no_constant_of_the_noise_rule_serves_every_p_and_delta(c: float) -> None:
    """One round, epsilon = 1: the sum is above 1/2 with about p, and else never."""
    p = 1 / (100 * c**3)
    delta = p / 4
    sigma = c * p * math.sqrt(math.log(1 / delta))
    beyond = math.erfc(0.5 / sigma / math.sqrt(2)) / 2
    assert p * (1 - beyond) > math.e * beyond + delta
    why = next(e.why for e in our_errata() if e.label == "fed_norm_ec.noise_rule")
    assert "For every c >= 1 the same happens at p = 1/(100 c^3) and delta = p/4" in why


def test_what_is_quoted_is_what_another_place_contradicts() -> None:
    """A.disc.sens is right of an update; its noise is on the sum, and line 12 has one a client."""
    (erratum,) = (e for e in our_errata() if e.label == "fed_norm_ec.claims.sens")
    assert "aggregated" in bounds.get(erratum.statement).printed[erratum.display or 0]


def test_a_limit_by_lower_bounds_that_are_known_is_known() -> None:
    """Losses that are not negative, f^inf = 0 and f_i^inf = -1: Delta_inf is 1, whatever they are."""
    (erratum,) = (e for e in our_errata() if e.label == "fed_norm_ec.claims.das")
    known = bounds.get("fed_norm_ec.heterogeneity.clients").evaluate(f_inf=0.0, f_i_inf_mean=-1.0)
    assert float(known.value) == 1.0
    assert erratum.grade is FindingClass.INTERPRETATION
