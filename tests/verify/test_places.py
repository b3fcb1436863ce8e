"""Witnesses of places that contradict each other: their numbers are printed, and one changed place agrees."""

import re
from fractions import Fraction
from math import comb
from pathlib import Path

from verify.papers.als_dpfl.witnesses import places
from verify.papers.fedavg_lojasiewicz.witnesses import statements

PRINTED = (Path(__file__).parents[2] / "bounds/papers/als_dpfl/transcription.md").read_text(encoding="utf-8")


def line(locator: str) -> str:
    """Of the settings, or of the facts beside a listing."""
    (found,) = (text for text in PRINTED.splitlines() if text.startswith(f"- {locator}:"))
    return found


def numbers(text: str) -> list[int]:
    return [int(n.replace(",", "")) for n in re.findall(r"\b\d[\d,]*\b", text)]


def test_images_are_counted_as_printed() -> None:
    categories, each, training, testing = numbers(line("C.exp.cifar").split(",", 1)[1])[:4]
    measured = places.images_of_ten_categories()
    assert (measured.left, measured.right) == (categories * each, training + testing)
    assert categories * each == 50_000 + testing


def test_the_batch_sizes_are_the_printed_ones() -> None:
    beside = re.search(r"batch size is set to (\d+)", line("C.alg2.client"))
    shown = re.search(r"batch size (\d+)", line("C.exp.optim"))
    assert beside is not None
    assert shown is not None
    measured = places.batch_sizes()
    assert (measured.left, measured.right) == (int(beside[1]), int(shown[1]))


def test_a_client_has_nearly_all_labels() -> None:
    """The chance of five labels or fewer, from the number of ways to draw 40 of 200 fragments."""
    fragments, drawn = numbers(line("C.exp.fmnist.split"))[:2]
    each = fragments // 10
    mean = sum(1 - Fraction(comb(fragments - each, drawn), comb(fragments, drawn)) for _ in range(10))
    measured = places.labels_of_a_client()
    assert (measured.left, measured.right) == (float(mean), 5.0)
    few = Fraction(comb(10, 5) * comb(fragments // 2, drawn), comb(fragments, drawn))
    assert few < Fraction(3, 10**11)
    # With four fragments a client has few labels.
    four = 10 * (1 - Fraction(comb(fragments - each, 4), comb(fragments, 4)))
    assert four < 4


def test_the_noise_is_divided_in_one_place_only() -> None:
    starts = ("10        gt", "**C.addnoise**")
    listing, section = (next(t for t in PRINTED.splitlines() if t.startswith(s)) for s in starts)
    assert "(1/B)" in listing
    assert "B" not in section.split("$")[1]
    measured = places.noise_at_a_client()
    assert measured.left == 2 * measured.right


def test_the_average_is_one_step_late_in_one_place_only() -> None:
    late = next(t for t in PRINTED.splitlines() if r"\quad (7)" in t)
    assert r"\hat{\mathbf{w}}(t) =" in late
    assert "_i(t-1)" in late
    assert places.average_one_step_late().refutes


def test_an_exponent_of_two_refutes_nothing() -> None:
    """theta^2/2 from a gap of 1: (17/18)^2 against 1/(1 + eta mu/4) = 72/73."""
    assert Fraction(17, 18) ** 2 <= 1 / (1 + Fraction(1, 72))
    steep = statements.steep_exponent()
    assert steep.refutes
    # The form of Lemma F.3 with the same rate: 1/sqrt(2/(18 * 4) + 1).
    assert steep.left**2 <= 1 / (Fraction(2, 72) + 1)


def test_a_gap_may_be_zero_with_noise_that_has_a_density() -> None:
    """max(|x| - 1, 0)^2/2 from 2 with eta = 1 and noise uniform on [-3, 3]: 1 - n lies in [-1, 1]."""
    low, high = Fraction(1 - 1), Fraction(1 + 1)
    assert (high - low) / 6 == Fraction(1, 3)
    right, left = Fraction(3**3, 6), Fraction(1, 6)
    assert (right + left) / 6 == Fraction(7, 9)


def test_a_gap_may_be_zero_before_an_interval_ends_far_from_it() -> None:
    def slope(x: Fraction) -> Fraction:
        return min(x - 1, Fraction(9, 10)) if x > 1 else min(x + 1, Fraction(0))

    def gap(x: Fraction) -> Fraction:
        steep = max(x - Fraction(19, 10), Fraction(0))
        near = max(abs(x) - 1, Fraction(0)) - steep
        return near**2 / 2 + Fraction(9, 10) * steep

    after = [[Fraction(2)]]
    for _ in range(2):
        after.append([x - (slope(x) + n) / 2 for x in after[-1] for n in (4, -4)])
    assert [gap(x) for x in after[1]].count(Fraction(0)) == 1
    assert min(gap(x) for x in after[2]) == Fraction(1, 200)
