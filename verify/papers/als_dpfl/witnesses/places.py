"""ALS-DPFL: places that contradict each other, and statements under another reading of their own words."""

import math
from fractions import Fraction
from math import comb, sqrt

from verify.witness import Measured, at_a_point


def average_one_step_late() -> Measured:
    """One client from 0 with eta = 1 and gradients 1, then 0: the average at 2 by (6), (7), and by (16)."""
    gradients, client = (1, 0), [0]
    for gradient in gradients:
        client.append(client[-1] - gradient)
    late = [client[0], *client[:-1]]
    step = late[1] - gradients[1]
    return Measured(left=float(late[2]), right=float(step), applicable=True, equality=True)


def noise_at_a_client() -> Measured:
    """sigma = C = 1 and B = 2: the deviation per coordinate in section 3.3, and in line 10 of Algorithm 1."""
    sigma, C, B = 1.0, 1.0, 2
    return Measured(left=sigma * C, right=sigma * C / B, applicable=True, equality=True)


def estimate_without_noise() -> Measured:
    """F_i(w) = mean (x_s - w)^2/2 over 1, 2, 4, 3 tenths, models 13/10 and 17/10, which the server has too.

    The set: rho_i is that of these data. With 9 tenths in the place of the first it is another, at any noise.
    """
    models, delta = (Fraction(13, 10), Fraction(17, 10)), 1e-5

    def value(w: Fraction, tenths: tuple[int, ...]) -> Fraction:
        return sum(((w - Fraction(x, 10)) ** 2 for x in tenths), Fraction(0)) / 2 / len(tenths)

    def rho(tenths: tuple[int, ...]) -> Fraction:
        own, average = models
        return abs(value(own, tenths) - value(average, tenths)) / abs(own - average)

    own, neighbour = rho((1, 2, 4, 3)), rho((9, 2, 4, 3))
    left, right = (float(seen == own) for seen in (own, neighbour))
    return Measured(left=left, right=math.exp(2) * right + delta, applicable=True)


def one_client_after_the_average() -> Measured:
    """Curvatures 1, 3/2 and 1/2 near 0, no noise, full batches, from 1 with eta = 1/2 and tau = 2.

    The first client has the mean gradient, and its model is the auxiliary one. At 2 all have the average.
    """
    eta, steps, curvatures = Fraction(1, 2), 2, (Fraction(1), Fraction(3, 2), Fraction(1, 2))
    clients = [(1 - eta * a) ** steps for a in curvatures]
    auxiliary = (1 - eta * sum(curvatures, Fraction(0)) / 3) ** steps
    apart = abs(sum(clients, Fraction(0)) / 3 - auxiliary)
    point = {"x": steps, "tau": steps, "eta": float(eta), "beta": 1.5, "xi_i": 0.0, "d": 1}
    return at_a_point("als_dpfl.lemma_3.lemma", float(apart), **point, sigma=0.0, C=2.0, B=1)


def steps_that_grow_with_tau() -> Measured:
    """No noise and no divergence, R_S = 1 and R_C = 2: with T = min(R_S tau, R_C), G(1) against G(2)."""
    eta, beta, omega = 0.5, 1.0, 1.0
    at_one = 1 / (min(1 * 1, 2) * eta * omega * (1 - beta * eta / 2)) + sqrt(3) / 3
    point = {"eta": eta, "beta": beta, "omega": omega, "lam": 0.1, "rho": 1.0, "d": 1, "C": 1.0, "B": 1}
    return at_a_point(
        "als_dpfl.claims_on_tau.minimizer", at_one, **point, T=min(1 * 2, 2), tau=2, xi=0.0, sigma=0.0
    )


def labels_of_a_client() -> Measured:
    """400 fragments, 40 of each label, 40 of them drawn for a client: the mean number of labels, and five."""
    without_a_label = Fraction(comb(360, 40), comb(400, 40))
    return Measured(left=float(10 * (1 - without_a_label)), right=5.0, applicable=True)


def images_of_ten_categories() -> Measured:
    """6,000 in each, against 60,000 and 10,000."""
    return Measured(left=10 * 6000.0, right=60_000.0 + 10_000.0, applicable=True, equality=True)


def batch_sizes() -> Measured:
    """That of C.alg2.client, and that of C.exp.optim."""
    return Measured(left=1.0, right=64.0, applicable=True, equality=True)
