"""DP-FedAvg and DP-NormFedAvg."""

import numpy as np

from bounds.finding import FindingClass
from verify.witness import Measured, Witness, measured_on


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


WITNESSES = (
    Witness(
        statement="dp_fedavg.lemma_3",
        measure=lemma_3,
        why="near the top of cos the step leads to a steeper place: the gradient is not co-coercive",
        right="for convex f; every theorem that uses the lemma asks for convex clients",
    ),
    Witness(
        statement="dp_fedavg.lemma_4.stronger",
        measure=stronger,
        why="on a half square ||grad f||^2 is 2 L (f - f*), and Lemma 4 squared is four times Lemma 2",
        right="stronger only where 2 ||grad f||^2 <= L (f - f*); in the squares at most four times the other",
        grade=FindingClass.INTERPRETATION,
    ),
    Witness(
        statement="dp_fedavg.definitions.privacy",
        measure=large_epsilon,
        why="the variance falls like 1/epsilon^2: at epsilon = 20 the exact delta is 153 times the one asked",
        right="for epsilon <= 1, as the mechanism is proved; at delta = 1e-5 it breaks between 8 and 9",
    ),
    Witness(
        statement="dp_fedavg.claims.bias",
        measure=bias,
        why="what a low threshold cuts from updates of opposite signs can cancel in their mean",
        right="for each client's own clipped update, or for updates in one direction",
        grade=FindingClass.INTERPRETATION,
        display=1,
    ),
    Witness(
        statement="dp_fedavg.claims.signal_to_noise",
        measure=signal,
        why="normalization makes a short update as long as the opposite long one, and they cancel",
        right="for each client's own update, or for updates in one direction",
        grade=FindingClass.INTERPRETATION,
    ),
)
