"""DP-FedAvg and DP-NormFedAvg."""

import math

import numpy as np

import bounds
from verify.witness import Measured, at_a_point, measured_on


def lemma_3() -> Measured:
    """f = cos w from 0.1 with eta = 1/2."""
    return measured_on("dp_fedavg.lemma_3", gradient=lambda w: -np.sin(w), w=np.array([0.1]), eta=0.5, L=1.0)


def stronger() -> Measured:
    """f = w^2/2 from 1, three steps of length 1/10."""
    return measured_on(
        "dp_fedavg.lemma_4.stronger",
        f=lambda w: (w**2).sum(axis=-1) / 2,
        gradient=lambda w: w,
        f_star=0.0,
        w=np.array([1.0]),
        eta=0.1,
        tau=3,
        E=5,
        L=1.0,
    )


def large_epsilon() -> Measured:
    """Two values at distance 5 under the noise of epsilon = 20, delta = 1e-5."""
    return measured_on(
        "dp_fedavg.definitions.privacy",
        value=np.zeros(2),
        neighbour=np.array([3.0, 4.0]),
        epsilon=20.0,
        delta=1e-5,
    )


def bias() -> Measured:
    """Updates 3, -2, -2 with mean -1/3: clipped at 1 their mean is the same, clipped at 2 it is -2/3."""
    return measured_on(
        "dp_fedavg.claims.bias", updates=np.array([[3.0], [-2.0], [-2.0]]), C=1.0, larger_C=2.0
    )


def signal() -> Measured:
    """Updates 1 and -1/10 with C = 1: normalized they cancel, clipped their mean is 9/20."""
    return measured_on(
        "dp_fedavg.claims.signal_to_noise",
        updates=np.array([[1.0], [-0.1]]),
        noise=np.array([[2.0], [1.0]]),
        C=1.0,
    )


def mean_gain(alpha: float) -> Measured:
    """f_i = (w -+ 1)^2/2 in one dimension from just above 1, both clients in each round, E = 1, gamma near 1.

    The first round moves by eta C_hat towards 0, with noise of deviation s: at 1, where u_1 = 0, the density
    is phi(eta C_hat/s)/s, and within s/10 at least 4/5 of that. So in the second round C_hat/|w - 1| has at
    least the mean that it has between s exp(-t) and s/10, for every t: here t = alpha^3.
    """
    rho, threshold, delta = 0.5, 4 * math.sqrt(0.5), 0.5
    rounds = round(2 * alpha / (threshold * rho**2))
    eta, mean_noise = rho / (2 * alpha), math.sqrt(rounds) * threshold * rho
    s = eta * mean_noise
    density = 0.8 * math.exp(-((eta * threshold / s) ** 2) / 2) / (math.sqrt(2 * math.pi) * s)
    mean_of_reciprocal = 2 * density * (alpha**3 - math.log(10))
    least = threshold * delta * mean_of_reciprocal * rho**2 / alpha**2 / 2 / rounds
    return Measured(left=least, right=1.0, applicable=eta * threshold < 3 * s)


def negative_coefficient() -> Measured:
    """The example of Theorem 5 with K = 3: what is taken from 2 in the coefficient of the unclipped gaps."""
    general = bounds.get("dp_fedavg.theorem_5.general")
    given = {**general.example, "K": 3}
    share = 2 * given["gamma"] / (given["C_hat"] * given["K"] * given["rho"])
    return Measured(left=share + share**2, right=2.0, applicable=general.evaluate(**given).applicable is True)


def nearer_to_its_own_minimum() -> Measured:
    """f_1 = (w-1)^2/2 and f_2 = (w+1)^2/2 at 9/10 with L = E = alpha = 1, rho = 1/10, C_hat = 2 sqrt 2.

    w* = 0 and both Delta_i* are 1/2, so C_hat is at its limit. The updates w - 1 and w + 1 are shorter.
    """
    w, threshold, rho = 0.9, 4 * math.sqrt(0.5), 0.1
    gaps = {centre: ((w - centre) ** 2 - 1) / 2 for centre in (1, -1)}
    stretched = sum(gap * threshold / abs(w - centre) for centre, gap in gaps.items()) / 2
    return at_a_point(
        "dp_fedavg.equation_16_comparison.left_sides",
        (2 - rho - rho**2) * sum(gaps.values()) / 2,
        **{"scaled_gap": stretched, "clipped_norm": 0.0, "C_hat": threshold, "L": 1.0, "E": 1.0},
        **{"alpha": 1.0, "rho": rho, "Delta_star_max": 0.5},
    )


def clients_of_a_round() -> Measured:
    """Two clients, r = 1: each comes with probability 1/2, and both with 1/4."""
    drawn = {0: 0.25, 1: 0.5, 2: 0.25}
    others = sum(chance for size, chance in drawn.items() if size != 1)
    return Measured(left=others, right=0.0, applicable=True, equality=True)


def samples_for_clients() -> Measured:
    """Two clients with five samples each: rho is proportional to 1/n, with n as defined against as used."""
    clients, samples_each = 2, 5
    return Measured(left=1 / (clients * samples_each), right=1 / clients, applicable=True, equality=True)


def mean_gain_of_many_rounds() -> Measured:
    return mean_gain(1e4)
