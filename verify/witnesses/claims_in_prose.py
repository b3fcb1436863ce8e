"""Claims in words without an inequality of their own, and the experiments of a paper against its theorem."""

import math

from bounds.finding import FindingClass
from verify.witness import Measured, Witness


def thresholds_out_of_order() -> Measured:
    """Gradients of length 1 all along: E_1 = 1, C_hat_1 = 2 and E_2 = 2, C_hat_2 = 3 both clip nothing."""
    equal = (1 <= 2 * 1) == (2 <= 3 * 2)
    return Measured(left=3.0, right=2.0, applicable=equal)


def two_steps_at_full_length() -> Measured:
    """f of slope 1 far from its minimizer: two local steps sum to an update of 2, clipped at C = G = 1."""
    return Measured(left=abs(2 - min(2, 1)), right=0.0, applicable=True)


def flat_hessian() -> Measured:
    """f = x + x^4 at 0, eta = 1/10: the gradient changes by 4 eta^3, and the Hessian there is 0."""
    return Measured(left=4 * 0.1**3, right=0.0, applicable=True, equality=True)


def drift_at_the_prescribed_gamma() -> Measured:
    """L = Delta_inf = 1 and gamma = 1/(2L), the choice of Theorem 1: the term is 4 sqrt 2."""
    return Measured(left=0.5 * 8 * math.sqrt(2), right=0.0, applicable=True)


def noise_of_the_experiments() -> Measured:
    """sigma = 1.1 and C = 1 at d = 1, the smallest dimension, against lambda rho < 1.

    C.thm2.2 asks omega (1 - beta eta/2) > sigma^2 d/lambda^2. A gap of lambda is at least lambda/rho away
    from w*, by Lemma 4 all through an interval, so omega <= rho/lambda: sigma^2 d < lambda rho. Assumption 1
    with C = 1 makes rho at most 1, and the fourth hypothesis lambda below 1.
    """
    return Measured(left=1.1**2, right=1.0, applicable=True)


WITNESSES = (
    Witness(
        statement="dp_fedavg.claims.smaller_threshold",
        measure=thresholds_out_of_order,
        why="thresholds so large that nothing is clipped clip equally often in any order",
        right="for the smallest thresholds with the same clipping",
    ),
    Witness(
        statement="dp_fedavg.claims.lipschitz_threshold",
        measure=two_steps_at_full_length,
        why="what is clipped is a sum of E gradients, which may be E times as long as one",
        right="with C = G E, as eq. (8) has it",
    ),
    Witness(
        statement="dp_fedavg.equation_10",
        measure=flat_hessian,
        why="where the Hessian sends the gradient to zero the change is of higher order, and not zero",
        right="where the Hessian does not send the gradient to zero",
    ),
    Witness(
        statement="fed_norm_ec.claims.gamma0",
        measure=drift_at_the_prescribed_gamma,
        why="Theorem 1 prescribes gamma = 1/(2L), and leaves nothing to reduce",
        right="with gamma <= 1/(2L) in Theorem 1, as its proof needs and Corollary 2 takes it",
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement="als_dpfl.optimal_tau",
        measure=noise_of_the_experiments,
        why="with the noise multiplier and the clipping bound of the experiments no tau meets the conditions "
        "of Theorem 2, whatever the model: sigma^2 d has to stay below lambda rho, which is below 1",
        right="sigma^2 d < lambda rho, which the experiments miss by the number of parameters and more",
        grade=FindingClass.INCONSISTENT,
    ),
)
