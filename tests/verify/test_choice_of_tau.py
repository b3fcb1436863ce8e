"""Witnesses about the choice of tau: recomputed by hand, and one changed number speaks for the paper."""

import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bounds.language.finding import FindingClass
from verify.papers.als_dpfl.witnesses.choice_of_tau import (
    chosen,
    largest_choice,
    two_farthest_starts,
    two_rounds_for_four_steps,
)
from verify.papers.several.claims_on_objects import CIFAR, FASHION
from verify.records.errata import of_paper

PRINTED = (Path(__file__).parents[2] / "bounds/papers/als_dpfl/transcription.md").read_text(encoding="utf-8")
LISTING = PRINTED.split("### C.alg2", 1)[1].split("```")[1]


def bracket(tau: int, omega: float, eta: float, beta: float, factor: float, slope: float) -> float:
    """eta phi - rho h(tau)/(tau lambda^2), the noise counted in omega; h(x) = factor (...) + slope x."""
    h = factor * ((1 + eta * beta) ** tau - 1) + slope * tau
    return eta * omega * (1 - eta * beta / 2) - h / tau


def test_the_tau_of_fashion_and_the_budgets_are_the_printed_ones() -> None:
    claim = next(row for row in PRINTED.splitlines() if row.startswith("| C.claim.taulist2"))
    found = re.search(r"2R_s = R_c = (\d+).*values (\d) \(FashionMNIST\)", claim)
    assert found is not None
    assert largest_choice(Fraction(int(found[1]), 2), Fraction(int(found[1]))).left == int(found[2])


def test_three_is_never_the_best_of_many_points_with_a_positive_bracket() -> None:
    chance, tried = np.random.default_rng(7), 0
    while tried < 2000:
        eta, beta, factor, slope = 10 ** chance.uniform(-3, 0, size=4)
        point = (10 ** chance.uniform(-2, 3), eta, min(beta, 1 / eta), factor, slope)
        brackets = [bracket(tau, *point) for tau in (1, 2, 3, 4)]
        if min(brackets) <= 0:
            continue
        tried += 1
        bounds = [1 / (min(0.5 * tau, 1) * value) for tau, value in enumerate(brackets, start=1)]
        assert min(bounds[:2]) < min(bounds[2:])


def test_where_communication_is_scarcer_or_the_rounds_are_whole_three_is_not_ruled_out() -> None:
    assert largest_choice().right == 2
    assert not largest_choice(R_S=Fraction(317, 3)).refutes
    assert not largest_choice(R_S=Fraction(158)).refutes
    assert largest_choice(R_S=Fraction(159)).right == 2
    assert largest_choice(R_S=Fraction(317)).right == 1


def test_where_the_bracket_changes_its_sign_the_formula_alone_is_smallest_at_three() -> None:
    """There the second condition of Theorem 2 fails at 3, and (13) is below its floor."""
    second, third = (bracket(tau, 1.32, 1.0, 1.0, 0.25, 0.25) for tau in (2, 3))
    assert second > 0 > third
    assert 1 / third < 0 < 1 / second


def test_line_19_as_printed_can_settle_on_three() -> None:
    """Where (13) is no bound at 3: the printed run is at odds with one reading of line 19 only."""
    tau, listed = 1, []
    for _ in range(8):
        values = {
            tried: 1 / (min(158.5 * tried, 317) * bracket(tried, 1.6, 1.0, 1.0, 0.25, 0.25))
            for tried in range(1, min(2 * tau, 100) + 1)
        }
        tau = min(values, key=values.__getitem__)
        listed.append(tau)
    assert listed == [2, 3, 3, 3, 3, 3, 3, 3]
    (told,) = (e for e in of_paper("als_dpfl") if e.evidence == "als_dpfl.choice_of_tau.largest_choice")
    assert told.grade is FindingClass.INTERPRETATION


@pytest.mark.parametrize("omega", [1.75, 1.8])
def test_a_run_of_two_clients_has_the_omega_and_the_lambda(omega: float) -> None:
    """Theorem 2's conditions on gaps, gradients and divergence hold along both steps, of clients and mean."""
    eta, lam, xi = 0.1, 0.1, 1 / 125
    clients, center = np.full(2, 1 / omega), 1 / omega
    for _ in range(2):
        slopes = clients + np.array([xi, -xi])
        assert (abs(slopes) <= 1).all()
        assert (abs(clients) <= 1 - xi).all()
        clients, center = clients - eta * slopes, center - eta * center
        assert clients.mean() == pytest.approx(center, rel=1e-15)
        assert lam <= center**2 / 2 < 1
    assert chosen(omega)[1]
    assert not chosen(4.4)[1]  # smooth with beta = 1 from 1/4.4, the gap is below 0.026


@pytest.mark.parametrize("omega", [1.75, 1.8])
def test_the_minimizer_of_the_rule_by_hand(omega: float) -> None:
    """h(1) = 0.0016 and h(2) = 0.00328, over lambda^2 = 1/100, with eta (1 - eta beta/2) = 0.095."""
    brackets = [0.095 * omega - h for h in (0.16, 0.164)]
    assert min(brackets) > 0
    assert chosen(omega) == ((1 if brackets[0] > 2 * brackets[1] else 2), True)


def test_one_omega_gives_one_minimizer_and_lambda_decides_too() -> None:
    assert two_farthest_starts().refutes
    assert not two_farthest_starts(near=1.75).refutes
    assert [chosen(1.75, lam) for lam in (0.1, 0.105)] == [(1, True), (2, True)]


def test_no_line_of_the_listing_has_what_the_objective_needs() -> None:
    estimated = re.findall(r"(?:Estimate|Weighted to get) ([^;\n]*)", LISTING)
    assert any("rho" in names and "xi" in names for names in estimated)
    assert not re.search("omega|lambda|varphi|phi", LISTING)
    inputs = PRINTED.split("### C.alg2", 1)[1].split("```")[0]
    assert r"\sigma" in inputs
    assert not re.search(r"\\omega|\\lambda|\\varphi", inputs)


def test_three_steps_do_not_get_where_four_do() -> None:
    """A thousand runs of each with the noise that is meant, from a seed of their own."""
    noise = np.random.default_rng(11).normal(0.5, 0.5 * 1.1 / 64, size=(1000, 4))
    assert (noise.sum(axis=1) > 7 / 4).all()
    assert (noise[:, :3].sum(axis=1) < 7 / 4).all()
    measured = two_rounds_for_four_steps()
    assert measured.refutes
    beyond = math.erfc(0.05 / (0.5 * 1.1 / 64) / math.sqrt(2))
    assert (measured.left, measured.right) == pytest.approx((1 - 4 * beyond, 3 * beyond), rel=1e-12)
    assert not two_rounds_for_four_steps(first=2).refutes


def test_the_percentages_beside_the_claim_are_those_of_the_tables() -> None:
    ahead = [table["scarce"][0] - max(table["scarce"][1]) for table in (FASHION, CIFAR)]
    apart = [table["equal"][0] - table["equal"][1][0] for table in (FASHION, CIFAR)]
    (said,) = (e.right for e in of_paper("als_dpfl") if e.statement.endswith("adaptive_where_scarce"))
    assert [float(n) for n in re.findall(r"0\.\d+|1\.\d+", said)] == pytest.approx([*ahead, *apart])
