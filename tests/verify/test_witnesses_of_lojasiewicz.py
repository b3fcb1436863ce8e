"""Witnesses on FedAVG under a Lojasiewicz condition: what FL-1 and FL-2 let a problem have."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest

from bounds.language.finding import FindingClass
from verify.ledger.witnesses import all_witnesses
from verify.records.errata import of_paper
from verify.witness import Measured

PAPER = "fedavg_lojasiewicz"
MEASURES: dict[str, Callable[[], Measured]] = {w.erratum.label: w.measure for w in all_witnesses()}


def test_41_is_refuted_by_a_run() -> None:
    """Not by the recursion alone: theta^2/2, L = mu = eta = 1, alpha = 2, noise 1 or -1, from 2."""
    start = Fraction(2)
    reached = [start - (start + noise) for noise in (1, -1)]
    assert all(t**2 >= (t**2 / 2) ** 2 for t in (start, *reached))
    mean_gap = sum(t**2 / 2 for t in reached) / 2
    floor = sqrt(2)
    seen = MEASURES[f"{PAPER}.equation_41"]()
    assert seen.refutes
    assert seen.left == pytest.approx(float(mean_gap) - floor, rel=1e-12)
    # v_0 less half of s_0^2, and nothing for the noise.
    assert seen.right == pytest.approx(2 - floor - 2, rel=1e-12)


def test_the_power_of_the_floor_is_taken_at_a_gap_that_a_problem_can_have() -> None:
    """L = mu = eta = 1, alpha = 2: theta^2 <= 2 gap and theta^2 >= gap^2 leave gaps of at most 2."""
    v, kappa, zeta, variance = Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 32)
    floor = zeta + Fraction(1, 4)
    assert Fraction(1, 4) ** 2 == 2 * variance
    assert 2 * (v + floor) >= (v + floor) ** 2
    seen = MEASURES["D.F3.s6"]()
    right = v - kappa * v**2
    assert (Fraction(seen.left), Fraction(seen.right)) == (right - kappa * floor**2 + zeta**2, right)
    assert seen.refutes


def quartic_drift(theta: Fraction, eta: Fraction, steps: int) -> Fraction:
    """The left side of (34) for one agent theta^4 with exact gradients."""
    path = [theta]
    for _ in range(steps - 1):
        path.append(path[-1] - eta * 4 * path[-1] ** 3)
    assert all(abs(after) <= abs(before) for before, after in pairwise(path))
    return sum(((t - theta) ** 2 for t in path[1:]), Fraction(0)) / steps


@pytest.mark.parametrize("steps", [2, 3, 8])
@pytest.mark.parametrize("theta", [Fraction(1, 4), Fraction(1, 2), Fraction(1, 1000)])
def test_lemma_f1_holds_where_its_fl_2_does_not(steps: int, theta: Fraction) -> None:
    """theta^4 on [-1/2, 1/2], L = 3, at the longest step: loose, and no two places contradict each other."""
    eta = Fraction(1, 3 * steps)
    assert quartic_drift(theta, eta, steps) <= 4 * eta**2 * (steps - 1) ** 2 * (4 * theta**3) ** 2
    (told,) = (e for e in of_paper(PAPER) if e.label == f"{PAPER}.lemma_f1 hypothesis FL-2")
    assert told.grade is FindingClass.LOOSE
