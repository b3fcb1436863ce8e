"""Fed-alpha-NormEC."""

import numpy as np

from verify.witness import Measured, Witness, on_objects


def lemma_8() -> Measured:
    """Three equal data points x^2/2 at x = 1, with lower bounds -1 of every f_i and f_ij, gamma = 1000."""
    return on_objects(
        "fed_norm_ec.lemma_8",
        gradients=[[lambda x: x] * 3],
        x=np.array([1.0]),
        f=0.5,
        f_inf=0.0,
        f_i_inf=np.array([-1.0]),
        f_ij_inf=np.full((1, 3), -1.0),
        gamma=1000.0,
        L=1.0,
    )


def two_data_points(part: str) -> Measured:
    """f_i1 = 101 x^2/2 and f_i2 = -99 x^2/2: their mean x^2/2 is 1-smooth. From 0 and from 1, gamma = 1/2."""
    return on_objects(
        f"fed_norm_ec.lemma_9.{part}",
        gradients=[[lambda x: 101 * x, lambda x: -99 * x]],
        x=np.array([0.0]),
        x_next=np.array([1.0]),
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


_SMOOTH_DATA = "with h1 for every f_ij, as Assumption 1 has it"

WITNESSES = (
    Witness(
        statement="fed_norm_ec.lemma_8",
        measure=lemma_8,
        why="the pass is as long as gamma allows, and no limit on gamma is asked",
        right="with gamma <= 1/(2L), as Lemma 9 asks, no instance exceeds the bound",
    ),
    Witness(
        statement="fed_norm_ec.lemma_9.c2",
        measure=lambda: two_data_points("c2"),
        why="only the clients are asked to be smooth: one data point multiplies distances by 24.25",
        right=_SMOOTH_DATA,
    ),
    Witness(
        statement="fed_norm_ec.lemma_9.c3",
        measure=lambda: two_data_points("c3"),
        why="only the clients are asked to be smooth: one data point multiplies distances by 24.25",
        right=_SMOOTH_DATA,
    ),
    Witness(
        statement="fed_norm_ec.claims.sameinf",
        measure=two_clients,
        why="two clients reach the same infimum at different points, so their mean does not reach it",
        right="Delta_inf = 0 where the clients share their infimum and a minimizing sequence",
    ),
    Witness(
        statement="fed_norm_ec.claims.nonneg",
        measure=two_clients,
        why="both losses are squared errors, hence not negative, and Delta_inf is 1/2",
        right="Delta_inf = 0 where one model brings every client to its infimum",
    ),
    Witness(
        statement="fed_norm_ec.claims.ig0",
        measure=two_clients,
        why="one data point per client, f_i1 = f_i: the mean of the Delta_i^inf is f^inf = 1/2, not 0",
        right="with Delta_i^inf measured from f_i^inf it vanishes",
    ),
)
