"""Words of the papers that a witness contradicts: what they leave open, and that they are right elsewhere."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import log, log2, sqrt

import pytest

from verify.ledger.witnesses import all_witnesses
from verify.witness import Measured

MEASURES: dict[str, Callable[[], Measured]] = {w.erratum.label: w.measure for w in all_witnesses()}

# Of R, beta and eta in the corollary's choices, each a negative power of K + 1.
CHOICES = {"corollary_2": (1 / 8, 5 / 8, 7 / 8), "corollary_4": (1 / 6, 2 / 3, 5 / 6)}


def theorem(corollary: str, K: int, sigma: float) -> float:
    """The right side of Theorem 1 under the choices, all constants 1, p = 1: B = 2 sigma^2."""
    memory, step, server = (float(K + 1) ** -power for power in CHOICES[corollary])
    eta = min(1 / sqrt(8), 1 / 8) * server if corollary == "corollary_2" else server / 8
    drift = 4 * sqrt(2) * memory if corollary == "corollary_2" else 0.0
    return 3 / ((K + 1) * eta) + 2 * memory + 2 * step * sqrt(2 * sigma**2 * (K + 1)) + eta / 2 + drift


def private(K: int) -> float:
    return sqrt((K + 1) * log(1e5)) / 8


@pytest.mark.parametrize(("corollary", "order"), [("corollary_2", 1 / 8), ("corollary_4", 1 / 6)])
def test_the_announced_rate_is_that_of_a_noise_that_stays(corollary: str, order: float) -> None:
    seen, K = MEASURES[f"fed_norm_ec.{corollary} noise"](), 10**8
    assert seen.left == pytest.approx(theorem(corollary, K, private(K)), rel=1e-12)
    assert seen.right == pytest.approx(100 / K**order, rel=1e-12)
    # The same noise in every K, however much it is, keeps the order: so does none.
    for sigma in (0.0, private(0)):
        assert theorem(corollary, K, sigma) < seen.right
    for noise, exponent in ((private, 1 / 2 - order), (lambda _: 1.0, -order)):
        grows = log2(theorem(corollary, 2**61, noise(2**61)) / theorem(corollary, 2**60, noise(2**60)))
        assert grows == pytest.approx(exponent, abs=1e-3)


def test_exponent_one_does_not_follow_from_an_exponent_above_it() -> None:
    seen = MEASURES["fedavg_lojasiewicz.lemma_f1 hypothesis FL-2"]()
    assert (seen.left, seen.right) == (1 / 16, 1 / 256)
    points = [Fraction(n, 64) for n in range(-32, 33)]
    # (4 t^3)^2 against 16 times the power 3/2 of t^4, where that is rational.
    assert all((4 * t**3) ** 2 == 16 * abs(t) ** 6 for t in points)
    for mu in (Fraction(1), Fraction(1, 100), Fraction(1, 10**6)):
        t = Fraction(1, 5 * int(1 / sqrt(mu)))
        assert (4 * t**3) ** 2 < mu * t**4
    # t^2 has exponent 1, with mu = 4, and the lemma's hypothesis.
    assert all((2 * t) ** 2 >= 4 * t**2 for t in points)


def test_cross_terms_are_gone_before_the_last_inequality_of_33() -> None:
    seen = MEASURES["fedavg_lojasiewicz.equation_33.bound reason"]()
    assert (seen.left, seen.right, seen.equality) == (1.0, 0.5, True)
    signs = (Fraction(1), Fraction(-1))

    def both_sides(errors: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
        mean = sum(((a + b) / 2) ** 2 for a, b in errors) / len(errors)
        return mean, sum((a**2 + b**2) / 4 for a, b in errors) / len(errors)

    assert both_sides([(s, s) for s in signs]) == (1, Fraction(1, 2))
    # Independent signs: the equality holds, and the last inequality is the same.
    assert both_sides(list(product(signs, signs))) == (Fraction(1, 2), Fraction(1, 2))
