"""Claims in words that small objects decide: whole numbers and fractions, every case counted."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb

HALF = Fraction(1, 2)
SIGNS = (Fraction(1), Fraction(-1))

# Tables 2 and 3 of the ALS-DPFL paper, accuracy in percent: ALS-DPFL, then tau = 1 to 5, by R_s against R_c.
Column = tuple[float, tuple[float, ...]]
FASHION: Mapping[str, Column] = {
    "equal": (84.19, (84.02, 82.92, 82.73, 82.5, 81.72)),
    "scarce": (83.44, (81.64, 83.2, 82.6, 81.12, 82.25)),
    "ample": (82.55, (82.53, 81.49, 81.56, 81.39, 78.48)),
}
CIFAR: Mapping[str, Column] = {
    "equal": (56.76, (56.41, 50.11, 50.59, 50.47, 47.98)),
    "scarce": (51.92, (47.27, 50.79, 49.28, 50.39, 47.62)),
    "ample": (50.01, (49.99, 44.54, 41.14, 42.59, 41.25)),
}


def _ahead_where_scarce() -> bool:
    return all(table["scarce"][0] > max(table["scarce"][1]) for table in (FASHION, CIFAR))


def _never_behind() -> bool:
    return all(column[0] >= max(column[1]) for table in (FASHION, CIFAR) for column in table.values())


def _one_is_best_where_privacy_is_scarce() -> bool:
    return all(
        max(table[budget][1]) == table[budget][1][0]
        for table in (FASHION, CIFAR)
        for budget in ("equal", "ample")
    )


def _unbounded_where_hessians_differ() -> bool:
    """The gradients of a_1 x^2/2 and a_2 (x - 1)^2/2 part without limit if a_1 and a_2 differ, else not."""

    def apart(first: Fraction, second: Fraction, x: int) -> Fraction:
        return abs(first * x - second * (x - 1)) / 2

    different = [apart(Fraction(1), Fraction(2), 10**k) for k in range(1, 6)]
    equal = {apart(Fraction(2), Fraction(2), 10**k) for k in range(1, 6)}
    return all(b > 9 * a for a, b in pairwise(different)) and equal == {1}


def _clipping_moves_the_rest_point() -> bool:
    """Bowls around 0, 0 and 10: clipped at 1 the mean update is 0 at 1/2, and the minimizer is 10/3."""

    def mean(x: Fraction, limit: Fraction) -> Fraction:
        return sum((max(-limit, min(limit, x - c)) for c in (0, 0, 10)), Fraction(0)) / 3

    return mean(HALF, Fraction(1)) == 0 and mean(Fraction(10, 3), Fraction(100)) == 0


def _messages() -> bool:
    """The mean number of drawn clients in a round is p M: every set of them counted."""
    p = Fraction(1, 4)
    means = [sum(n * comb(M, n) * p**n * (1 - p) ** (M - n) for n in range(M + 1)) for M in range(1, 6)]
    return means == [p * M for M in range(1, 6)]


def mean_product(errors: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """The mean product of two agents' errors, over cases that are equally likely."""
    return sum((e * f for e, f in errors), Fraction(0)) / len(errors)


def _independent_errors() -> bool:
    """Errors of two agents, each with two signs and every pair of signs equally likely."""
    return mean_product([(3 * a, 5 * b) for a, b in product(SIGNS, repeat=2)]) == 0


def _no_drift_of_the_samples() -> bool:
    """Along two sampled steps the mean of the next gradient is the gradient, whatever was drawn before."""
    theta, eta = Fraction(2), HALF

    def sampled(at: Fraction, sign: Fraction) -> Fraction:
        return at + sign * (1 + at**2)

    after = [theta - eta * sampled(theta, sign) for sign in SIGNS]
    return all(sum(sampled(at, sign) for sign in SIGNS) / 2 == at for at in after)


def after_a_round(theta: Fraction, eta: Fraction, slopes: Sequence[Fraction], steps: int) -> Fraction:
    """The mean of what the agents reach with local steps on a_c theta^2/2."""
    return sum((theta * (1 - eta * a) ** steps for a in slopes), Fraction(0)) / len(slopes)


def _one_local_step() -> bool:
    """For H = 1 a round is a step along the mean gradient; for H = 2 it is not two of them."""
    theta, eta, slopes = Fraction(1, 3), Fraction(2, 7), (Fraction(5, 2), Fraction(1, 9), Fraction(4))
    factor = 1 - eta * sum(slopes) / 3
    one, two = (after_a_round(theta, eta, slopes, H) for H in (1, 2))
    return one == factor * theta and two != factor**2 * theta


def leaves_by(length: Fraction, constant: Fraction = Fraction(0)) -> Fraction:
    """v' = -kappa v^2 from v, solved by v/(1 + kappa v t), less a step that adds a constant."""
    v, kappa = Fraction(3, 2), Fraction(1, 5)
    return v / (1 + kappa * v * length) - (v - length * (kappa * v**2 - constant))


def _euler_of_bernoulli() -> bool:
    """A step leaves the solution upwards, by kappa^2 v^3 times the square of its length at most."""
    return all(0 < leaves_by(HALF**k) <= Fraction(27, 200) * HALF ** (2 * k) for k in range(8))


def _short_updates() -> bool:
    """Noise of a length that the threshold sets, over min(u, C) as u falls, and over C."""
    threshold, noise, lengths = Fraction(2), Fraction(1), [Fraction(1, 4**k) for k in range(8)]
    clipped = [noise / min(u, threshold) for u in lengths]
    return clipped == sorted(clipped) and clipped[-1] > 10**4 and noise / threshold == HALF


ON_OBJECTS: Mapping[str, Callable[[], bool]] = {
    "als_dpfl.claims_from_experiments.adaptive_where_scarce": _ahead_where_scarce,
    "als_dpfl.claims_from_experiments.any_allocation": _never_behind,
    "als_dpfl.claims_from_experiments.all_ones": _one_is_best_where_privacy_is_scarce,
    "dp_fedavg.signal_to_noise_ratio.short_updates": _short_updates,
    "fed_norm_ec.claims.bh": _unbounded_where_hessians_differ,
    "fed_norm_ec.claims.bias": _clipping_moves_the_rest_point,
    "fed_norm_ec.claims.comms": _messages,
    "fedavg_lojasiewicz.claims_of_lemma_f1.cross": _independent_errors,
    "fedavg_lojasiewicz.claims_of_lemma_f1.mart": _no_drift_of_the_samples,
    "fedavg_lojasiewicz.claims_of_lemma_f3.euler": _euler_of_bernoulli,
    "fedavg_lojasiewicz.claims_of_theorem_f2.h1": _one_local_step,
}
