"""Fed-alpha-NormEC."""

import numpy as np

from bounds.finding import FindingClass
from verify.witness import Measured, Witness, measured_on


def lemma_8() -> Measured:
    """Clients (x-1)^2/2 and (x+1)^2/2 at x = 0, each with three equal data points, gamma = 1000."""
    return measured_on(
        "fed_norm_ec.lemma_8",
        gradients=[[lambda x: x - 1] * 3, [lambda x: x + 1] * 3],
        x=np.array([0.0]),
        f=0.5,
        f_inf=0.5,
        f_i_inf=np.zeros(2),
        f_ij_inf=np.zeros((2, 3)),
        gamma=1000.0,
        L=1.0,
    )


def two_data_points(part: str) -> Measured:
    """f_i1, f_i2 = x^2/2 +- 100 sin x, bounded below: their mean x^2/2 is 1-smooth. From 0 and from 1."""
    return measured_on(
        f"fed_norm_ec.lemma_9.{part}",
        gradients=[[lambda x: x + 100 * np.cos(x), lambda x: x - 100 * np.cos(x)]],
        x=np.array([0.0]),
        x_next=np.array([1.0]),
        gamma=0.5,
        L=1.0,
        eta=1.0,
    )


def one_pass() -> Measured:
    """The same two data points from -2.5: one step along the first, and the second has another slope."""
    return measured_on(
        "fed_norm_ec.lemma_9.c4",
        gradients=[[lambda x: x + 100 * np.cos(x), lambda x: x - 100 * np.cos(x)]],
        x=np.array([-2.5]),
        x_next=np.array([-2.5]),
        gamma=0.5,
        L=1.0,
        eta=1.0,
    )


def two_clients() -> Measured:
    """f_1 = (x-1)^2/2 and f_2 = (x+1)^2/2: each has the infimum 0, their mean (x^2+1)/2 has 1/2."""
    x = np.linspace(-2, 2, 401)
    clients = np.array([(x - 1) ** 2 / 2, (x + 1) ** 2 / 2])
    delta = clients.mean(axis=0).min() - clients.min(axis=1).mean()
    return Measured(left=float(delta), right=0.0, applicable=True, equality=True)


_SMOOTH_DATA = "with h1 for every f_ij, as Assumption 1 has it: an omitted hypothesis"

WITNESSES = (
    Witness(
        statement="fed_norm_ec.lemma_8",
        measure=lemma_8,
        why="the pass is as long as gamma allows, and no limit on gamma is asked",
        right="with gamma <= 1/(2L), as Lemma 9 asks: then it holds, and its amended form is sharper",
    ),
    Witness(
        statement="fed_norm_ec.lemma_9.c2",
        measure=lambda: two_data_points("c2"),
        why="only the clients are asked to be smooth: a step along one data point can tear points apart",
        right=_SMOOTH_DATA,
    ),
    Witness(
        statement="fed_norm_ec.lemma_9.c3",
        measure=lambda: two_data_points("c3"),
        why="only the clients are asked to be smooth: a step along one data point can tear points apart",
        right=_SMOOTH_DATA,
    ),
    Witness(
        statement="fed_norm_ec.lemma_9.c4",
        measure=one_pass,
        why="only the clients are asked to be smooth: the gradients of two data points may change faster",
        right=_SMOOTH_DATA,
    ),
    Witness(
        statement="fed_norm_ec.claims.sameinf",
        measure=two_clients,
        why="two clients reach the same infimum at different points, so their mean does not reach it",
        right="Delta_inf = 0 exactly where the clients share a minimizing sequence, whatever the infima are",
    ),
    Witness(
        statement="fed_norm_ec.claims.nonneg",
        measure=two_clients,
        why="both losses are squared errors, hence not negative, and with exact infima Delta_inf is 1/2",
        right="with 0 for every lower bound, which Assumption 1 allows; or where one model fits all clients",
        grade=FindingClass.INTERPRETATION,
    ),
    Witness(
        statement="fed_norm_ec.claims.ig0",
        measure=two_clients,
        why="one data point per client, f_i1 = f_i: the mean of the Delta_i^inf is f^inf = 1/2, not 0; the "
        "definition measures them from f^inf, and the discussion speaks of them as if from f_i^inf",
        right="with Delta_i^inf measured from f_i^inf it vanishes",
        grade=FindingClass.INCONSISTENT,
    ),
)
