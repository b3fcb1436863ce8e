"""Witnesses of ALS-DPFL: inside every hypothesis that binds, at the wrong display, in the class they prove.

Each instance is made here again, in fractions and by hand.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import pytest

import bounds
from bounds.language.finding import FindingClass
from verify.ledger.witnesses import Witness, all_witnesses
from verify.papers.als_dpfl.witnesses import proof_steps
from verify.papers.several.claims_on_objects import CIFAR, FASHION

HALF = Fraction(1, 2)
Law = list[tuple[Fraction, Fraction]]


def step(models: Law, noise: Law) -> Law:
    """Of F = x^2/2 with eta = 1/2: chances and outcomes."""
    return [(p * q, x - HALF * (x + n)) for p, x in models for q, n in noise]


def mean(values: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    return sum((p * x for p, x in values), Fraction(0))


def squared(law: Law) -> Fraction:
    return mean((p, x**2) for p, x in law)


def find_witness(label: str) -> Witness:
    (found,) = (w for w in all_witnesses() if w.erratum.label == label)
    return found


def test_the_mean_distance_grows_where_lemma_4_has_all_that_it_asks() -> None:
    before = [(Fraction(1, 64), Fraction(32)), (Fraction(63, 64), Fraction(0))]
    noise = [(HALF, Fraction(1)), (HALF, Fraction(-1))]
    after = step(before, noise)
    # eta (1/beta - eta) E||grad F||^2 >= sigma^2 d at both ends of the step, and C.lem4.s9
    assert min(squared(before), squared(after)) / 4 >= squared(noise)
    assert squared(after) < squared(before)
    lengths = [mean((p, abs(x)) for p, x in law) for law in (after, before)]
    assert lengths == [Fraction(95, 128), HALF]
    seen = proof_steps.mean_from_mean_square()
    assert seen.refutes
    assert [seen.left, seen.right] == [float(length) for length in lengths]


@pytest.mark.parametrize("place", ["C.thm2.s5", "C.thm2.s10"])
def test_no_gap_of_a_lost_sign_is_above_what_theorem_2_allows(place: str) -> None:
    """lambda <= the last gap < 1 (C.thm2.4), so that lambda is below 1 too."""
    known, other, lam = HALF, Fraction(3, 4), HALF
    assert lam <= min(known, other)
    assert max(known, other) < 1
    seen = find_witness(place).measure()
    assert seen.refutes
    assert seen.left == (other - known) / lam**2
    assert seen.right == pytest.approx(float((known - other) / (known * other)), rel=1e-12)
    assert seen.right >= -(other - known) / lam**2  # as `right` has it, with the absolute value


def test_the_display_that_lost_its_square_is_the_one_that_is_quoted() -> None:
    witness = find_witness("C.lem5.s2")
    displays = [s for s in bounds.get("als_dpfl.lemma_5").steps if s.locator == "C.lem5.s2"]
    # F = x^2/2 from 2, eta = beta = 1, no noise: what each display is from the first to the last
    slope, after = 2, 0
    first = slope * (after - 2) + Fraction((after - 2) ** 2, 2)
    second = -(slope**2) + Fraction(slope, 2)
    assert (first, second) == (Fraction(after**2 - 2**2, 2), -3)
    assert (witness.measure().left, witness.measure().right) == (first, second)
    assert witness.erratum.display is not None
    quoted = displays[witness.erratum.display].printed
    assert quoted.startswith(r"\leq -\eta \nabla F")
    assert quoted.endswith(r"\mathbf{n}_{\mathbf{v}}^t\|")


def test_a_gap_can_vanish_within_an_interval_whose_end_is_above_lambda() -> None:
    """From 2, noise 2 with chance 1/65 and -1/32 else: bounded, and Gaussian noise keeps no lambda."""
    noise = [(Fraction(1, 65), Fraction(2)), (Fraction(64, 65), Fraction(-1, 32))]
    assert mean(noise) == 0
    within = step([(Fraction(1), Fraction(2))], noise)
    end = step(within, noise)
    assert min(abs(x) for _, x in within) == 0
    assert min(abs(x) for _, x in end) == Fraction(1, 64)
    right = find_witness("als_dpfl.equation_20").erratum.right
    assert "bounded noise" in right
    assert "w_0" in right  # theta_[1](0) has no noise behind it


@dataclass
class Listing:
    """Lines 1, 2, 5 and 12 to 16 of Algorithm 1, for K rounds of tau local steps."""

    start: int
    inclusive: bool
    back: int = 1  # t = (k - back) tau + j
    returned: int = 0  # w(K + returned)

    def carried_out(self, K: int, tau: int) -> tuple[int, int, bool]:
        """Rounds, the first t of them, and if the model of the last round is the one that is returned."""
        k, last, first_steps = self.start, None, []
        while k <= K if self.inclusive else k < K:
            first_steps.append((k - self.back) * tau + 1)
            k += 1
            last = k
        return len(first_steps), first_steps[0], last == K + self.returned


def test_one_round_more_needs_another_return_or_another_t() -> None:
    assert Listing(1, inclusive=False).carried_out(3, 2) == (2, 1, True)
    assert Listing(1, inclusive=True).carried_out(3, 2) == (3, 1, False)
    assert Listing(0, inclusive=False).carried_out(3, 2) == (3, -1, True)
    assert Listing(1, inclusive=True, returned=1).carried_out(3, 2) == (3, 1, True)
    assert Listing(0, inclusive=False, back=0).carried_out(3, 2) == (3, 1, True)
    right = find_witness("als_dpfl.algorithm_1 line 2").erratum.right
    assert "w(K + 1) returned" in right
    assert "k tau for (k - 1) tau in line 5" in right


def test_of_the_printed_accuracies_alone_the_claim_is_true() -> None:
    ahead = [own - max(fixed) for table in (FASHION, CIFAR) for own, fixed in table.values()]
    assert len(ahead) == 6
    assert (min(ahead), max(ahead)) == pytest.approx((0.02, 1.13))
    claim = "als_dpfl.claims_from_experiments.adaptive_everywhere"
    assert find_witness(claim).erratum.grade is FindingClass.INTERPRETATION
    assert bounds.get(claim).other_readings
