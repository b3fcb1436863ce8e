"""Accountants at the ends of what they can count: hardly any loss, many rounds, hardly a delta."""

from dataclasses import dataclass
from math import log, log2, sqrt

import numpy as np
import pytest
from mpmath import erfc, mp, mpf
from numpy.typing import NDArray
from scipy import fft

from verify.privacy import calibration, exact, loss_distribution
from verify.privacy.accountants import Accountant, epsilon
from verify.privacy.dp_accounting_on_use import dp_accounting
from verify.privacy.errors import BadRequest, TooLittleNoise, Unaccountable
from verify.privacy.mechanism import Full, Independent, Relation, Sampling
from verify.privacy.release import Release

ADD = Relation.ADD_OR_REMOVE
PLD, RDP, EXACT = Accountant.PLD, Accountant.RDP, Accountant.EXACT


def release(multiplier: float, rounds: int, sampling: Sampling) -> Release:
    return Release(multiplier=multiplier, rounds=rounds, sampling=sampling, relation=ADD)


def log_delta_in_digits(epsilon: float, ratio: float) -> float:
    """Phi(ratio/2 - epsilon/ratio) - e^epsilon Phi(-ratio/2 - epsilon/ratio) in 700 digits."""
    with mp.workdps(700):
        e, r = mpf(epsilon), mpf(ratio)
        tails = [erfc(-(sign * r / 2 - e / r) / mp.sqrt(2)) / 2 for sign in (1, -1)]
        return float(mp.log(tails[0] - mp.e**e * tails[1]))


TINY = [(1e3, 1, 1e-300), (1e8, 3, 1e-10), (1e8, 1, 1e-300), (1e17, 1, 1e-300), (1e40, 10**9, 1e-60)]


@pytest.mark.parametrize(("multiplier", "rounds", "delta"), TINY)
def test_the_exact_formula_is_safe_and_close_where_hardly_anything_is_lost(
    multiplier: float, rounds: int, delta: float
) -> None:
    found = epsilon(release(multiplier, rounds, Full()), delta, EXACT)
    ratio = sqrt(rounds) / multiplier
    assert found > 0
    assert log_delta_in_digits(found, ratio) <= log(delta)
    assert log_delta_in_digits(found * (1 - 1e-5), ratio) > log(delta)


@pytest.mark.parametrize(
    ("multiplier", "rounds", "delta"),
    [
        *TINY[:3],
        (100.0, 10, 1e-300),
        (100.0, 10, 1e-15),
        (4.0, 1, 1e-50),
        (1e4, 1, 1e-5),
        (1e6, 10**9, 1e-21),
    ],
)
def test_full_participation_is_tight_at_every_delta_and_noise(
    multiplier: float, rounds: int, delta: float
) -> None:
    one = release(multiplier, rounds, Full())
    right = epsilon(one, delta, EXACT)
    assert right * (1 - 1e-5) <= epsilon(one, delta, PLD) <= right * 1.001


@pytest.mark.parametrize(("multiplier", "rounds", "delta"), TINY[3:])
def test_losses_that_float64_cannot_tell_from_none_are_refused(
    multiplier: float, rounds: int, delta: float
) -> None:
    with pytest.raises(Unaccountable, match="exact has no such limit"):
        epsilon(release(multiplier, rounds, Full()), delta, PLD)


@pytest.mark.parametrize("accountant", [PLD, RDP, EXACT])
def test_endless_noise_costs_nothing(accountant: Accountant) -> None:
    assert epsilon(release(1e300, 1, Full()), 1e-5, accountant) == 0


@pytest.mark.parametrize(
    ("rounds", "rate", "noise", "delta", "said"),
    [
        (10**9, 1e-5, 4.0, 1e-5, "pld proves about 1.786, where rdp proves 0.2962"),
        (10**6, 0.1, 1e3, 1e-9, "1e+06 rounds with roundings of delta up to"),
        (10**12, 0.1, 1e8, 1e-5, "1e+12 sampled rounds with a mistake of delta"),
        (10, 0.1, 4.0, 1e-300, "proves nothing at delta 1e-300"),
        (10**8, 1e-6, 4.0, 1e-3, "the grid of 0.0001 is too coarse"),
        (10**14, 2e-6, 4.0, 0.5, "the grid of 0.0001 is too coarse"),
    ],
)
def test_what_pld_cannot_prove_of_sampled_rounds_is_refused_and_told(
    rounds: int, rate: float, noise: float, delta: float, said: str
) -> None:
    one = release(noise, rounds, Independent(probability=rate))
    with pytest.raises(Unaccountable, match="rdp") as refused:
        epsilon(one, delta, PLD)
    assert said in str(refused.value)
    assert not isinstance(refused.value, TooLittleNoise)


def test_a_refused_delta_is_told_of_the_target_too() -> None:
    target = {"epsilon": 1.0, "delta": 1e-300, "relation": ADD, "accountant": PLD}
    drawn = Independent(probability=0.1)
    with pytest.raises(Unaccountable, match="proves nothing at delta 1e-300"):
        calibration.noise(**target, rounds=100, sampling=drawn)
    with pytest.raises(Unaccountable, match="proves nothing at delta 1e-300"):
        calibration.rounds(**target, multiplier=10.0, sampling=drawn)


Floats = NDArray[np.float64]


def gaussian(noise: float, grid: float = 1e-4) -> object:
    return dp_accounting().pld.privacy_loss_distribution.from_gaussian_mechanism(
        noise, value_discretization_interval=grid
    )


@pytest.mark.parametrize(("noise", "rounds"), [(60.0, 1001), (60.0, 2500), (800.0, 1_000_003)])
def test_thousands_of_thousands_are_all_rounds(noise: float, rounds: int) -> None:
    """Gaussians, which the exact formula composes; one round less would be seen."""
    every = loss_distribution.composed(gaussian(noise), rounds, 1e-15)
    ratio, found = sqrt(rounds) / noise, every.get_epsilon_for_delta(1e-6)
    least = exact.epsilon(release(noise, rounds, Full()), 1e-6)
    assert (
        least * (1 - 1e-6) <= found <= least * (1 + 0.3 / rounds if ratio > 0.8 and rounds < 3000 else 1.01)
    )
    if rounds < 3000:
        fewer = loss_distribution.composed(gaussian(noise), rounds - 1, 1e-15)
        assert fewer.get_epsilon_for_delta(1e-6) < least


@pytest.mark.parametrize(("noise", "rounds"), [(22.0, 500), (100.0, 20_000)])
def test_roundings_of_transforms_are_no_larger_than_said(noise: float, rounds: int) -> None:
    """Against transforms in 64 bits of mantissa, at the tails that a delta sums."""
    if np.finfo(np.longdouble).eps > 1e-18:
        pytest.skip("long doubles are doubles here")
    one = gaussian(noise)
    x: Floats = np.asarray(one._pmf_remove.to_dense_pmf()._probs)
    every = one.self_compose(rounds, 1e-15)
    y: Floats = np.asarray(every._pmf_remove._probs)
    size = fft.next_fast_len(len(x) + len(y))
    exponents, power, base = (
        rounds,
        np.ones(size, dtype=np.clongdouble),
        fft.fft(x.astype(np.longdouble), size),
    )
    while exponents:
        power, base, exponents = (power * base if exponents % 2 else power), base * base, exponents // 2
    precise = np.real(fft.ifft(power))
    start = every._pmf_remove._lower_loss - rounds * one._pmf_remove.to_dense_pmf()._lower_loss
    wrong = y - np.roll(precise, -start)[: len(y)]
    measured = float(np.abs(np.cumsum(wrong[::-1])).max())
    said = loss_distribution.mistake(every, rounds)
    assert 0 < measured < said < 1000 * measured
    assert said < 4e-16 * rounds * (8 + log2(size))


@pytest.mark.parametrize("accountant", [PLD, RDP])
@pytest.mark.parametrize(("noise", "rate"), [(1e-300, 0.5), (1e300, 0.5), (1.0, 1e-320)])
def test_sampled_rounds_beyond_float64_are_refused(accountant: Accountant, noise: float, rate: float) -> None:
    with pytest.raises(Unaccountable, match="sampled rounds"):
        epsilon(release(noise, 1, Independent(probability=rate)), 1e-5, accountant)


def test_hardly_any_noise_has_no_finite_epsilon() -> None:
    for accountant in (PLD, RDP, EXACT):
        with pytest.raises(TooLittleNoise):
            epsilon(release(1e-300, 1, Full()), 1e-5, accountant)


@dataclass(frozen=True)
class Counted:
    """So many rounds, and what was cut off from the tails of their losses so far."""

    rounds: int
    lost: float

    def self_compose(self, times: int, cut: float) -> "Counted":
        return Counted(times * self.rounds, times * self.lost + cut)

    def compose(self, other: "Counted", cut: float) -> "Counted":
        return Counted(self.rounds + other.rounds, self.lost + other.lost + cut)


@pytest.mark.parametrize("rounds", [1, 1000, 3500, 2_000_000, 1_234_567_891])
def test_all_groups_of_rounds_lose_no_more_than_one_cut(rounds: int) -> None:
    every = loss_distribution.composed(Counted(1, 0.0), rounds, 1e-15)
    assert every.rounds == rounds
    assert every.lost <= 1e-15 * (1 + 1e-12)


def test_a_target_that_any_number_of_rounds_meets_is_refused() -> None:
    with pytest.raises(BadRequest, match=r"more than 1e\+09 rounds are within epsilon"):
        calibration.rounds(
            epsilon=1.0, delta=1e-5, multiplier=1e9, relation=ADD, sampling=Full(), accountant=EXACT
        )
