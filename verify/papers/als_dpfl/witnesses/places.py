"""ALS-DPFL: places that contradict each other, and statements under another reading of their own words."""

import math
from fractions import Fraction
from math import comb, sqrt

from bounds.language.finding import FindingClass
from verify.witness import Measured, Witness, at_a_point


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


EXPERIMENTS = "als_dpfl.claims_from_experiments"

WITNESSES = (
    Witness(
        statement="als_dpfl.definitions.averaging",
        measure=average_one_step_late,
        why="(16) is said to follow from (6) and (7), and there the average at t is of the models at t, not "
        "at t - 1",
        right="of the models at t, as (16) and every proof have it; or with t for rounds, as in the listings",
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement="als_dpfl.definitions.noise",
        measure=noise_at_a_client,
        why="line 10 of Algorithm 1 divides the noise by B with the sum of the gradients, and section 3.3 "
        "adds it undivided",
        right="divided by B, as the listings and Lemma 2 have it",
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement="als_dpfl.lemma_3.lemma",
        line="t = k tau",
        display=0,
        measure=one_client_after_the_average,
        why="at the end of its interval a client has the averaged model (C.sync), whose distance is that of "
        "Theorem 1 and not its own",
        right="of the client's model before the aggregation, as the induction has it",
        grade=FindingClass.INTERPRETATION,
    ),
    Witness(
        statement="als_dpfl.algorithm_2",
        line="line 4",
        display=1,
        measure=estimate_without_noise,
        why="rho_i and beta_i are functions of the data, and lines 14 and 20 send them, and what is made of "
        "them, without noise: no epsilon and no delta below 1 is kept, though line 13 counts a consumption",
        right="estimates with noise of their own, counted in line 13; so for xi_i of line 17, for which the "
        "server needs the gradients at the average",
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement="als_dpfl.claims_on_tau.minimizer",
        measure=steps_that_grow_with_tau,
        why="where T = min(R_S tau, R_C), as Algorithm 2 takes it, and communication is scarce, tau = 2 "
        "doubles T",
        right="for the same T at every tau, or where R_S is at least R_C (C.claim.tau1)",
        grade=FindingClass.INTERPRETATION,
    ),
    Witness(
        statement=f"{EXPERIMENTS}.few_labels",
        measure=labels_of_a_client,
        why="a client with five labels or fewer has all its fragments among 200 of the 400, which has a "
        "chance of at most 252 C(200, 40)/C(400, 40), below 3e-11",
        right="nearly all ten labels at every client",
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement=f"{EXPERIMENTS}.images",
        measure=images_of_ten_categories,
        why="10 times 6,000 samples are 60,000 in all, and 60,000 to train and 10,000 to test are more",
        right="50,000 for training and 10,000 for testing",
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement=f"{EXPERIMENTS}.batch",
        measure=batch_sizes,
        why="the text beside Algorithm 2 sets the batch size to 1, and the experiments with it have 64",
        right="one of the two: B enters h, and with it the choice of tau",
        grade=FindingClass.INCONSISTENT,
    ),
)
