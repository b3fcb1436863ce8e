"""The inverse questions: how much noise a target needs, and how many rounds a noise allows."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import ceil, exp, floor, log, log10, sqrt

from verify.privacy import exact
from verify.privacy.accountants import Accountant, check_countable, check_delta
from verify.privacy.accountants import epsilon as counted
from verify.privacy.errors import BadRequest, TooLittleNoise, Unaccountable
from verify.privacy.loss_distribution import COARSE, GRID
from verify.privacy.mechanism import Full, Relation, Sampling
from verify.privacy.release import Release

DIGITS = 6
NOISE_ROUNDING = f"up: the next number with {DIGITS} digits at which the accountant stays within epsilon"
ROUNDS_ROUNDING = "down: the most rounds at which the accountant stays within epsilon"
LARGEST_EPSILON = 100.0  # nothing is protected beyond; pld counts to twice as much
MOST_ROUNDS = 10**9
LEAST_NOISE, MOST_NOISE = 1e-3, 1e9


# `plan` asks for the same noise at every choice that it tries, and `pld` takes a second.
@lru_cache(maxsize=256)
def noise(
    *,
    epsilon: float,
    delta: float,
    rounds: int,
    relation: Relation,
    sampling: Sampling,
    accountant: Accountant,
) -> float:
    """The least noise multiplier, rounded up, for which the accountant gives epsilon or less."""
    check_target(epsilon)
    check_countable(relation, sampling, accountant)

    def excess(multiplier: float, grid: float = GRID) -> float:
        release = Release(multiplier=multiplier, relation=relation, sampling=sampling, rounds=rounds)
        try:
            return counted(release, delta, accountant, grid) - epsilon
        except TooLittleNoise:
            return LARGEST_EPSILON

    guess = _first_guess(epsilon, delta, rounds, relation, sampling)
    if accountant is Accountant.PLD:
        guess = _root(lambda m: excess(m, COARSE), guess, 1.5, 1e-4)
    return _rounded_up(_root(excess, guess, 1.01, 1e-8), excess)


def rounds(
    *,
    epsilon: float,
    delta: float,
    multiplier: float,
    relation: Relation,
    sampling: Sampling,
    accountant: Accountant,
) -> int:
    """The most rounds for which the accountant gives epsilon or less; 0 where one is already too many."""
    check_target(epsilon)
    check_countable(relation, sampling, accountant)
    one = Release(multiplier=multiplier, relation=relation, sampling=sampling, rounds=1)

    def fits(count: int) -> bool:
        try:
            return counted(replace(one, rounds=count), delta, accountant) <= epsilon
        except TooLittleNoise:  # epsilon is too large
            return False

    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
        if high > MOST_ROUNDS:
            raise BadRequest(f"more than {MOST_ROUNDS:.0e} rounds are within epsilon; ask for a smaller one")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def check_target(epsilon: float) -> None:
    if not 0 < epsilon <= LARGEST_EPSILON:
        raise BadRequest(f"epsilon must be in (0, {LARGEST_EPSILON:g}], not {epsilon:g}")


def _first_guess(epsilon: float, delta: float, rounds: int, relation: Relation, sampling: Sampling) -> float:
    """Full participation exactly, times the rate: amplification by sampling to first order."""
    check_delta(delta)
    if rounds < 1:
        raise BadRequest(f"there must be at least one round, not {rounds}")

    def excess(multiplier: float) -> float:
        release = Release(multiplier=multiplier, relation=relation, sampling=Full(), rounds=rounds)
        return exact.epsilon(release, delta) - epsilon

    full = _root(excess, sqrt(rounds), 4.0, 1e-6)
    return max(full * sampling.rate, 0.2)


def _root(excess: Callable[[float], float], guess: float, factor: float, tolerance: float) -> float:
    """Find where a decreasing function of the noise crosses zero, bracketed outward from a guess."""
    from scipy.optimize import brentq

    low = high = guess
    value = excess(guess)
    while value > 0:
        low, high = high, high * factor
        if high > MOST_NOISE:
            raise Unaccountable(
                f"no noise up to {MOST_NOISE:.0e} contributions is enough: delta is too small"
            )
        value, factor = excess(high), min(factor * factor, 4.0)
    while low == high or excess(low) <= 0:
        low, factor = low / factor, min(factor * factor, 4.0)
        if low < LEAST_NOISE:
            raise BadRequest(
                f"noise of {LEAST_NOISE:g} contributions is already enough: nothing to calibrate"
            )
    return exp(float(brentq(lambda x: excess(exp(x)), log(low), log(high), xtol=tolerance, rtol=1e-12)))


def _rounded_up(multiplier: float, excess: Callable[[float], float]) -> float:
    unit = 10.0 ** (floor(log10(multiplier)) + 1 - DIGITS)
    steps = ceil(multiplier / unit - 1e-6)
    while excess(value := float(f"{steps * unit:.{DIGITS}g}")) > 0:
        steps += 1
    return value
